"""`mapkit scan points`: place a picture by control points and say how well that went."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.plurals import counted
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.import_reports import extent_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.georeference import GeoreferenceReport


def georeference(
    board: Annotated[
        str,
        typer.Argument(metavar="BOARD|CSV", help="A board with control_points.csv, or such a file alone (.csv)."),
    ],
    workspace: WorkspaceOpt = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="affine|projective|tps", help="The board's, or affine, by default."),
    ] = None,
    projection: Annotated[
        str | None,
        typer.Option("--projection", "-p", metavar="NAME|PROJ|EPSG:n", help="The picture's; the board's by default."),
    ] = None,
    over: Annotated[
        list[Path] | None,
        typer.Option(
            "--over",
            metavar="FILE",
            help="A drawing that the points place: its size and extent are compared with them. Repeatable; the "
            "board's drawings by default.",
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        written_option("--svg", metavar="FILE", help="Draw the points, residual arrows and the warped grid."),
    ] = None,
    scan: Annotated[
        Path | None,
        typer.Option(
            "--scan", metavar="FILE", help="With --svg: show the scan in whose pixels the points are underneath."
        ),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Report how well control points place a traced picture.

    Prints residuals in pixels and miles, the error at each point when it is left out, the worst point, the size and
    extent of each drawing, and warnings, such as a spline that bends to fit one bad point, or a point off the drawing.
    """
    if scan is not None and svg is None:
        raise ChoiceError("--scan is shown in the picture that --svg draws; give --svg FILE too")
    models: tuple[late.PictureModel, ...] = get_args(late.PictureModel)
    known = next((m for m in models if m == model), None)
    if model is not None and known is None:
        raise ChoiceError(f"model {model!r} is unknown{did_you_mean(model, models)}; models are {', '.join(models)}")
    report = mapkit.georeference(
        board, workspace=workspace, model=known, projection=projection, over=over or (), svg=svg, scan=scan
    )
    print_result(texts.json_text(report) if as_json else report_text(report))
    for warning in report.warnings:
        print_message(f"warning ({warning.code}): {warning.message}")
    if svg is not None:
        print_message(f"The picture is {svg}")


def report_text(report: "GeoreferenceReport") -> str:
    """Lay out a georeference's report as a table and its sums."""
    rows = (
        (
            p.row,
            p.name,
            f"{p.x:g}",
            f"{p.y:g}",
            f"{p.lon:.4f}",
            f"{p.lat:.4f}",
            *(_figure(v) for v in (p.pixels, p.miles, p.left_out_pixels, p.left_out_miles)),
            "worst" if p.row == report.worst else "",
        )
        for p in report.points
    )
    head = ("row", "place", "x", "y", "lon", "lat", "px off", "miles off", "px left out", "miles left out", "")
    points = table(head, rows, right=(0, 2, 3, 4, 5, 6, 7, 8, 9))
    left_out = (
        "not known with so few points"
        if report.left_out_rms_pixels is None
        else f"{report.left_out_rms_pixels:.2f} px, {_figure(report.left_out_rms_miles)} miles"
    )
    return (
        f"{points}\n\n{report.model}, {counted(len(report.points), 'point')}, in {report.crs}\n"
        f"root mean square: {_figure(report.rms_pixels)} px, {_figure(report.rms_miles)} miles; each point left out: "
        f"{left_out}; 1 px is {report.miles_per_pixel:.3g} miles"
        + "".join(f"\n{extent_text(drawing)}" for drawing in report.drawings)
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
