"""What `mapkit payoffs check` and `mapkit payoffs repair` do."""

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np

from mapkit import api
from mapkit.charts.payoff_diagnosis import Diagnosis, diagnose
from mapkit.charts.payoff_distances import board_distances
from mapkit.checks.payoff_findings import TITLES, payoff_findings
from mapkit.cli.printing import result, talk
from mapkit.errors import MapkitError
from mapkit.jsontext import json_text
from mapkit.model.findings import CheckReport, Severity
from mapkit.output import write_files
from mapkit.sources.payoff_files import ReadOptions
from mapkit.version import __version__

COLUMNS = ("code", "severity", "a", "b", "value", "expected", "suggested", "cause", "score", "message")


def examine(
    file: Path, *, board: str | None, told: ReadOptions, workspace: Path | None
) -> tuple[CheckReport, Diagnosis]:
    """Read a chart and diagnose it, by a board's geometry or by the chart alone."""
    chart = api.read_payoffs(file, board=board, workspace=workspace, options=told).chart
    given = np.array(chart.given)
    distances, names = None, {city: city for city in chart.cities}
    twins = np.zeros(given.shape, dtype=bool)
    if board is not None:
        loaded = api.load(board, workspace=workspace)
        distances = board_distances(loaded, chart.cities)
        names, twins = {city.id: city.name for city in loaded.cities}, distances.twins
    found = diagnose(given, distances)
    return payoff_findings(given, chart.cities, names, found, twins), found


def check(file: Path, *, board: str | None, form: str, told: ReadOptions, workspace: Path | None) -> int:
    """Run `mapkit payoffs check`; return the exit code: 1 if there are errors."""
    report, found = examine(file, board=board, told=told, workspace=workspace)
    if form == "json":
        result(json_text(report))
    elif form == "csv":
        result(_csv(report))
    elif form == "sarif":
        result(json_text(_sarif(report, file)))
    else:
        if report.findings:
            result("\n".join(f"{f.code} {f.severity}: {f.message}" for f in report.findings))
        upper = np.triu(np.isfinite(found.fit.sd), 1)
        talk(
            f"{file}: by {'the ' + found.basis if found.basis != 'chart' else 'the chart alone'}; an amount is "
            f"predicted by the others to {np.median(found.fit.sd[upper]):.2f} thousand (1 sd), so slips far "
            f"smaller than {3 * np.median(found.fit.sd[upper]):.1f} cannot be seen: compare copies "
            "(mapkit payoffs diff)"
        )
    return 0 if report.ok else 1


def _csv(report: CheckReport) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for f in report.findings:
        a, b = (*f.elements, "", "")[:2]
        parts = [f.data.get(name) for name in ("value", "expected", "suggested", "cause", "score")]
        writer.writerow([f.code, f.severity, a, b, *("" if p is None else p for p in parts), f.message])
    return out.getvalue()


def _sarif(report: CheckReport, file: Path) -> dict[str, object]:
    level = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
    rules = [{"id": code, "shortDescription": {"text": title}} for code, title in TITLES.items()]
    where = [{"physicalLocation": {"artifactLocation": {"uri": file.as_posix()}}}]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "mapkit", "version": __version__, "rules": rules}},
                "results": [
                    {
                        "ruleId": f.code,
                        "level": level[f.severity],
                        "message": {"text": f.message},
                        "partialFingerprints": {"mapkit/v1": f.id},
                        "locations": where,
                    }
                    for f in report.findings
                ],
            }
        ],
    }


def repair(
    file: Path,
    *,
    board: str,
    accept: list[str],
    least: float | None,
    out: Path,
    told: ReadOptions,
    workspace: Path | None,
) -> None:
    """Run `mapkit payoffs repair`: write accepted corrections as a variant.

    Raises:
        MapkitError: Nothing was accepted, or a finding named is none of the chart's.
    """
    report, _ = examine(file, board=board, told=told, workspace=workspace)
    able = {f.id: f for f in report.findings if f.data.get("suggested") is not None and len(f.elements) == 2}  # noqa: PLR2004
    unknown = sorted(set(accept) - set(able))
    if unknown:
        raise MapkitError(
            f"{unknown[0]!r} is no finding of {file} with a suggested value; see mapkit payoffs check --format json"
        )
    taken = [f for f in able.values() if f.id in accept or (least is not None and (f.data.get("score") or 0) >= least)]
    if not taken:
        raise MapkitError("nothing was accepted; name findings with --accept ID, or all above a score with --least 0.9")
    lines = [f"name = {json.dumps(out.stem)}", f"board = {json.dumps(board)}", ""]
    for f in sorted(taken, key=lambda f: f.id):
        lines += [
            "[[operations]]",
            'op = "set-payoff"',
            f"a = {json.dumps(f.elements[0])}",
            f"b = {json.dumps(f.elements[1])}",
            *([f"was = {f.data['value']:g}"] if f.data["value"] is not None else []),
            f"value = {f.data['suggested']:g}",
            f"reason = {json.dumps(f.message, ensure_ascii=False)}",
            "",
        ]
    write_files(out.parent, {out.name: "\n".join(lines)})
    result(str(out))
    talk(f"{len(taken)} corrections")
