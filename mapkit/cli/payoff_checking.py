"""What `mapkit payoffs check` and `mapkit payoffs repair` do."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api, api_payoffs
from mapkit.checks.payoff_findings import TITLES
from mapkit.checks.sarif import chart_sarif
from mapkit.cli.printing import result, talk
from mapkit.csvtext import csv_text
from mapkit.jsontext import json_text
from mapkit.model.payoff_diagnosis import PayoffDiagnosis
from mapkit.output import write_files
from mapkit.sources.payoff_files import ReadOptions

COLUMNS = ("code", "severity", "a", "b", "value", "expected", "suggested", "cause", "score", "where", "message")
_BY = {
    "board": "the rail and great-circle miles of the board",
    "coordinates": "great-circle miles",
    "chart": "the chart alone",
}


def check(
    file: Path,
    *,
    board: str | None,
    coordinates: Path | None,
    step: float,
    form: str,
    out: Path | None,
    told: ReadOptions,
    workspace: Path | None,
) -> int:
    """Run `mapkit payoffs check`; return the exit code: 1 if there are errors."""
    found = api_payoffs.check_payoffs(
        file,
        board=board,
        coordinates=coordinates,
        step=step,
        html=out if form == "html" else None,
        options=told,
        workspace=workspace,
    )
    if form != "html":
        text = _formed(found, form)
        if out is not None:
            write_files(out.parent, {out.name: text})
        elif text:
            result(text)
    if out is not None:
        talk(f"The {'page' if form == 'html' else 'result'} is {out}")
    if form == "text" or out is not None:
        talk(
            f"{file}: {len(found.findings)} findings, by {_BY[found.basis]}; an amount is predicted by the others to "
            f"{found.sd:.2f} thousand (1 sd), so slips far smaller than {3 * found.sd:.1f} cannot be seen: compare "
            "copies (mapkit payoffs diff)"
        )
    return 0 if found.ok else 1


def _formed(found: PayoffDiagnosis, form: str) -> str:
    if form == "json":
        return json_text(found)
    if form == "csv":
        return findings_csv(found)
    if form == "sarif":
        return json_text(chart_sarif(found, titles=TITLES))
    return "".join(f"{api.finding_line(f)}\n" for f in found.findings)


def findings_csv(found: PayoffDiagnosis) -> str:
    """Return a row for each finding; amounts in thousands."""
    rows: list[Sequence[object]] = [COLUMNS]
    for f in found.findings:
        a, b = (*f.elements, "", "")[:2]
        parts = [f.data.get(name) for name in ("value", "expected", "suggested", "cause", "score")]
        where = ":".join(str(part) for part in (f.place.file, f.place.row) if part is not None)
        rows.append([f.code, f.severity, a, b, *parts, where, f.message])
    return csv_text(rows)


def repair(
    file: Path,
    *,
    board: str,
    accept: list[str],
    least: float | None,
    step: float,
    out: Path,
    told: ReadOptions,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit payoffs repair`: write accepted corrections as a variant."""
    repairs = api_payoffs.repair_payoffs(
        file, board=board, accept=accept, least=least, out=out, step=step, options=told, workspace=workspace
    )
    result(json_text(repairs) if as_json else str(out))
    talk(f"{len(repairs.corrections)} corrections")
