"""`mapkit payoffs check` and `mapkit payoffs repair`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import result, talk
from mapkit.core.csvtext import csv_text
from mapkit.core.findings import finding_line
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files
from mapkit.core.sarif import chart_sarif
from mapkit.kinds.rail.api.payoffs import checking as api
from mapkit.kinds.rail.checks.payoff_chart.findings import TITLES
from mapkit.kinds.rail.cli.payoffs.options import AcceptOpt, BoardOpt, DecimalOpt, StepOpt, UnitOpt, options
from mapkit.kinds.rail.model.payoffs.diagnosis import PayoffDiagnosis

COLUMNS = ("code", "severity", "a", "b", "value", "expected", "suggested", "cause", "score", "where", "message")
_BY = {
    "board": "the rail and great-circle miles of the board",
    "coordinates": "great-circle miles",
    "chart": "the chart alone",
}
_FORMS = ("text", "json", "csv", "sarif", "html")


def check(
    file: Annotated[Path, typer.Argument(metavar="CHART", help="A payoff chart, as for mapkit payoffs read.")],
    board: BoardOpt = None,
    coordinates: Annotated[
        Path | None,
        typer.Option("--coordinates", "-c", metavar="CSV", help="Without a board: a table of city, lon, lat."),
    ] = None,
    step: StepOpt = 0.5,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|csv|sarif|html", help="How to print the findings.")
    ] = "text",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write them there; html needs it.")
    ] = None,
    unit: UnitOpt = None,
    decimal: DecimalOpt = None,
    accept: AcceptOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Say which amounts of a payoff chart are likely wrong, how, and what should stand there.

    Each amount is judged by all others: with --board by its rail miles too, with --coordinates by great-circle miles,
    else by the chart alone. Finds single cells, shifted rows, exchanged cities, mis-scaled rows, triangle violations.
    html is a page with the chart as a heat map, every cell with its route. Exits 1 if there are errors.
    """
    if form not in _FORMS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(_FORMS)}", param_hint="--format")
    form = "json" if as_json else form
    if form == "html" and out is None:
        raise typer.BadParameter("a page needs a file: --format html --out page.html", param_hint="--out")
    if board is not None and coordinates is not None:
        raise typer.BadParameter("a board has coordinates of its own; give one of the two", param_hint="--coordinates")
    found = api.check_payoffs(
        file,
        board=board,
        coordinates=coordinates,
        step=step,
        html=out if form == "html" else None,
        options=options(unit=unit, decimal=decimal, accept=accept or ()),
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
    raise typer.Exit(0 if found.ok else 1)


def repair(
    file: Annotated[Path, typer.Argument(metavar="CHART", help="A payoff chart, as for mapkit payoffs read.")],
    board: Annotated[str, typer.Option("--board", "-b", metavar="BOARD", help="The board, as for mapkit build.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="TOML", help="The variant file to write.")],
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", "-a", metavar="ID", help="A finding to accept, as P08:atlanta:casper. Repeatable."),
    ] = None,
    least: Annotated[
        float | None, typer.Option("--least", min=0, max=1, help="Accept every cell with this score or more.")
    ] = None,
    step: StepOpt = 0.5,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write accepted corrections of a payoff chart as a variant, each with its reason."""
    repairs = api.repair_payoffs(
        file, board=board, accept=accept or [], least=least, out=out, step=step, workspace=workspace
    )
    result(json_text(repairs) if as_json else str(out))
    talk(f"{len(repairs.corrections)} corrections")


def _formed(found: PayoffDiagnosis, form: str) -> str:
    if form == "json":
        return json_text(found)
    if form == "csv":
        return findings_csv(found)
    if form == "sarif":
        return json_text(chart_sarif(found, titles=TITLES))
    return "".join(f"{finding_line(f)}\n" for f in found.findings)


def findings_csv(found: PayoffDiagnosis) -> str:
    """Return a row for each finding; amounts in thousands."""
    rows: list[Sequence[object]] = [COLUMNS]
    for f in found.findings:
        a, b = (*f.elements, "", "")[:2]
        parts = [f.data.get(name) for name in ("value", "expected", "suggested", "cause", "score")]
        where = ":".join(str(part) for part in (f.place.file, f.place.row) if part is not None)
        rows.append([f.code, f.severity, a, b, *parts, where, f.message])
    return csv_text(rows)
