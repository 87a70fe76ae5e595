"""What `mapkit georeference` does: place a picture by control points and say how well that went."""

from pathlib import Path
from typing import get_args

from mapkit import api
from mapkit.cli.printing import result, table, talk
from mapkit.errors import SourceError, did_you_mean
from mapkit.jsontext import json_text
from mapkit.model.georeference import GeoreferenceReport, PictureModel

_MODELS: tuple[PictureModel, ...] = get_args(PictureModel)


def georeference(
    target: str,
    *,
    workspace: Path | None = None,
    model: str | None = None,
    projection: str | None = None,
    svg: Path | None = None,
    as_json: bool = False,
) -> None:
    """Run `mapkit georeference`.

    Args:
        target: A board whose source package holds `control_points.csv`, or such a file (its name ends in `.csv`).
        workspace: The folder that holds `sources/`.
        model: `affine`, `projective` or `tps`; the board's by default, or `affine` if the file belongs to no board.
        projection: The picture's projection by name, PROJ string or `EPSG:n`; the board's by default, or one
            centred on the points if the file belongs to no board.
        svg: Where to draw points, arrows and grid.
        as_json: Print the report as JSON.

    Raises:
        SourceError: The control points are wrong or do not fix the model.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    known = next((m for m in _MODELS if m == model), None)
    if model is not None and known is None:
        raise SourceError(f"model {model!r} is unknown{did_you_mean(model, _MODELS)}; models are {', '.join(_MODELS)}")
    report = api.georeference(target, workspace=workspace, model=known, projection=projection, svg=svg)
    result(json_text(report) if as_json else report_text(report))
    for warning in report.warnings:
        talk(f"warning ({warning.code}): {warning.message}")
    if svg is not None:
        talk(f"The picture is {svg}")


def report_text(report: GeoreferenceReport) -> str:
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
        f"{points}\n\n{report.model}, {len(report.points)} points, in {report.crs}\n"
        f"root mean square: {_figure(report.rms_pixels)} px, {_figure(report.rms_miles)} miles; each point left out: "
        f"{left_out}; 1 px is {report.miles_per_pixel:.3g} miles"
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
