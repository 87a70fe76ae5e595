"""`mapkit trace`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, WorkspaceOpt, YesOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.stage import StageCounts, TraceReport


def trace(
    board: BoardArg,
    until: Annotated[
        str,
        typer.Option("--until", "-u", metavar="import|georeference|node|space|segment", help="The last stage to run."),
    ] = "segment",
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Continue from this stage's file, perhaps edited in QGIS."),
    ] = None,
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="FILE.gpkg", help="Write what the last stage made, for QGIS and --from."),
    ] = None,
    yes: YesOpt = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Trace a board, and say what each stage changed.

    import reads the files, georeference places pixels, node joins lines, space places mileposts by rule, segment makes
    the network. Prints lines, vertices, miles, mileposts, and how often it made each kind of join and repair.
    """
    stage = next((known for known in late.STAGES if known == until), None)
    if stage is None:
        raise SourceError(f"no stage {until!r}{did_you_mean(until, late.STAGES)}; stages are {', '.join(late.STAGES)}")
    with stages(f"trace {board}") as progress:
        report = mapkit.trace(
            board, until=stage, start=start, out=out, many=yes, workspace=workspace, progress=progress
        )
    print_result(texts.json_text(report) if as_json else report_text(report))
    if out is not None:
        print_message(f"The {stage} stage is {out}")


def report_text(report: "TraceReport") -> str:
    """Lay out what each stage left and what it changed."""
    head = ("stage", "lines", "vertices", "miles", "mileposts", "changes")
    rows = [
        (s.stage, f"{s.lines:,}", f"{s.vertices:,}", _miles(s.miles), f"{s.mileposts:,}", _changes(s))
        for s in report.stages
    ]
    return table(head, rows, right=(1, 2, 3, 4))


def _miles(miles: float | None) -> str:
    return "-" if miles is None else f"{miles:,.1f}"


def _changes(counts: "StageCounts") -> str:
    said = (f"{number:,} {what}{_size(counts.sizes.get(what))}" for what, number in counts.changes.items())
    return ", ".join(said) or "none"


def _size(miles: float | None) -> str:
    return "" if not miles else f" ({miles:,.2f} miles)"
