"""Findings as SARIF 2.1.0, shown by editors and code hosts beside file and row."""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from mapkit.core.acceptances import TITLES
from mapkit.core.causes import PROBLEM
from mapkit.core.checks import AnyCheck
from mapkit.core.findings import Attachment, CheckReport, Finding, Severity
from mapkit.core.problems import TITLE
from mapkit.version import __version__

_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


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
            "name": check.name,
            "shortDescription": {"text": check.title},
            "defaultConfiguration": {"level": _SARIF_LEVELS[check.severity]},
        }
        for check in checks
    ]
    extra_rules = [
        (PROBLEM, TITLE, Severity.ERROR),
        *((code, title, Severity.WARNING) for code, title in TITLES.items()),
    ]
    rules += [
        {"id": code, "shortDescription": {"text": title}, "defaultConfiguration": {"level": _SARIF_LEVELS[severity]}}
        for code, title, severity in extra_rules
        if code in report.checks
    ]
    return _build_log(report, rules, {"originalUriBaseIds": {"SOURCES": {"description": {"text": folder}}}}, "SOURCES")


def file_sarif(report: CheckReport, *, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return a SARIF log of a single file's findings, with the file named as in the findings.

    Args:
        report: The findings.
        titles: What holds where nothing is found, by code.
    """
    rules = [{"id": code, "shortDescription": {"text": title}} for code, title in titles.items()]
    return _build_log(report, rules, {}, None)


def _build_log(
    report: CheckReport, rules: list[dict[str, Any]], base: dict[str, Any], base_id: str | None
) -> dict[str, Any]:
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "mapkit", "version": __version__, "rules": list(map(_with_page, rules))}},
                **base,
                "results": [_to_result(finding, base_id) for finding in report.findings],
            }
        ],
    }


_PAGES: Final = {"H": "checks-hex", "K": "checks-cards"}


def _with_page(rule: dict[str, Any]) -> dict[str, Any]:
    """Return a rule with the page of the documents that explains it."""
    return rule | {"help": {"text": f"{page_of(rule['id'])} explains this check."}}


def page_of(code: str) -> str:
    """Return the page of the documents that explains a check."""
    return f"docs/reference/{_PAGES.get(code[0], 'checks')}.md#{code.lower()}"


def _to_result(finding: Finding, base: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": finding.message},
        "partialFingerprints": {"mapkit/v1": finding.id},
    }
    if finding.place.file is not None:
        file_location = (
            {"uri": finding.place.file, "uriBaseId": base} if base else {"uri": _file_uri(finding.place.file)}
        )
        physical_location: dict[str, Any] = {"artifactLocation": file_location}
        if finding.place.row is not None:
            physical_location["region"] = {"startLine": finding.place.row}
        result["locations"] = [{"physicalLocation": physical_location}]
        if finding.place.path is not None:
            result["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": finding.place.path}]
    if finding.follows is not None:
        result["properties"] = {"follows": finding.follows}
    if finding.attachments:
        result["attachments"] = [_to_attachment(picture) for picture in finding.attachments]
    if finding.accepted is not None:
        result["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    return result


def _to_attachment(picture: Attachment) -> dict[str, Any]:
    attachment: dict[str, Any] = {
        "description": {"text": picture.about},
        "artifactLocation": {"uri": _file_uri(picture.file)},
    }
    if picture.box is not None:
        left, top, right, bottom = picture.box
        attachment["rectangles"] = [{"top": top, "left": left, "bottom": bottom, "right": right}]
    return attachment


def _file_uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
