"""Findings as SARIF 2.1.0, which editors and code hosts show beside the file and row."""

from typing import Any

from mapkit.checks.registry import CHECKS
from mapkit.model.findings import CheckReport, Finding, Severity
from mapkit.version import __version__

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(report: CheckReport, *, folder: str) -> dict[str, Any]:
    """Return a SARIF log; file names are relative to `folder`, the source package."""
    rules = [
        {
            "id": check.code,
            "shortDescription": {"text": check.title},
            "defaultConfiguration": {"level": _LEVEL[check.severity]},
        }
        for check in CHECKS
    ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "mapkit", "version": __version__, "rules": rules}},
                "originalUriBaseIds": {"SOURCES": {"description": {"text": folder}}},
                "results": [_result(finding) for finding in report.findings],
            }
        ],
    }


def _result(finding: Finding) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVEL[finding.severity],
        "message": {"text": finding.message},
        "partialFingerprints": {"mapkit/v1": finding.id},
    }
    if finding.place.file is not None:
        place: dict[str, Any] = {"artifactLocation": {"uri": finding.place.file, "uriBaseId": "SOURCES"}}
        if finding.place.row is not None:
            place["region"] = {"startLine": finding.place.row}
        out["locations"] = [{"physicalLocation": place}]
    if finding.accepted is not None:
        out["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    return out
