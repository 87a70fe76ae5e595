"""Findings as SARIF 2.1.0, which editors and code hosts show beside the file and row."""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from mapkit.core.acceptances import TITLES
from mapkit.core.checks import AnyCheck
from mapkit.core.findings import Attachment, CheckReport, Finding, Severity
from mapkit.core.problems import CODE, TITLE
from mapkit.version import __version__

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(report: CheckReport, checks: Iterable[AnyCheck], *, folder: str) -> dict[str, Any]:
    """Return a SARIF log.

    Args:
        report: The findings.
        checks: The checks that there are.
        folder: The source package, to which file names are relative.
    """
    rules = [
        {
            "id": check.code,
            "shortDescription": {"text": check.title},
            "defaultConfiguration": {"level": _LEVEL[check.severity]},
        }
        for check in checks
    ]
    others = [(CODE, TITLE, Severity.ERROR), *((code, title, Severity.WARNING) for code, title in TITLES.items())]
    rules += [
        {"id": code, "shortDescription": {"text": title}, "defaultConfiguration": {"level": _LEVEL[severity]}}
        for code, title, severity in others
        if code in report.checks
    ]
    return _log(report, rules, {"originalUriBaseIds": {"SOURCES": {"description": {"text": folder}}}}, "SOURCES")


def file_sarif(report: CheckReport, *, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return a SARIF log of a single file's findings; the file is named as the findings name it.

    Args:
        report: The findings.
        titles: What holds where nothing is found, by code.
    """
    rules = [{"id": code, "shortDescription": {"text": title}} for code, title in titles.items()]
    return _log(report, rules, {}, None)


def _log(report: CheckReport, rules: list[dict[str, Any]], base: dict[str, Any], base_id: str | None) -> dict[str, Any]:
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "mapkit", "version": __version__, "rules": list(map(_with_page, rules))}},
                **base,
                "results": [_result(finding, base_id) for finding in report.findings],
            }
        ],
    }


_PAGES = {"H": "checks-hex", "K": "checks-cards"}


def _with_page(rule: dict[str, Any]) -> dict[str, Any]:
    """Return a rule with the page of the documents that explains it."""
    page = _PAGES.get(rule["id"][0], "checks")
    return rule | {"help": {"text": f"docs/reference/{page}.md#{rule['id'].lower()} explains this check."}}


def _result(finding: Finding, base: str | None) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVEL[finding.severity],
        "message": {"text": finding.message},
        "partialFingerprints": {"mapkit/v1": finding.id},
    }
    if finding.place.file is not None:
        file = {"uri": finding.place.file, "uriBaseId": base} if base else {"uri": _uri(finding.place.file)}
        place: dict[str, Any] = {"artifactLocation": file}
        if finding.place.row is not None:
            place["region"] = {"startLine": finding.place.row}
        out["locations"] = [{"physicalLocation": place}]
        if finding.place.path is not None:
            out["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": finding.place.path}]
    if finding.attachments:
        out["attachments"] = [_attachment(picture) for picture in finding.attachments]
    if finding.accepted is not None:
        out["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    return out


def _attachment(picture: Attachment) -> dict[str, Any]:
    out: dict[str, Any] = {
        "description": {"text": picture.about},
        "artifactLocation": {"uri": _uri(picture.file)},
    }
    if picture.box is not None:
        left, top, right, bottom = picture.box
        out["rectangles"] = [{"top": top, "left": left, "bottom": bottom, "right": right}]
    return out


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
