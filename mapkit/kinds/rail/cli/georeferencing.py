"""Placing of pictures by control points, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli.import_reports import extent_text

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.model.georeference import GeoreferenceReport


def show_georeference(report: "GeoreferenceReport", svg: "Path | None", *, as_json: bool) -> None:
    """Print how well control points place a picture, and warnings."""
    if not as_json:
        print_result(report_text(report))
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
        f"{points}\n\n{report.model}, {count_noun(len(report.points), 'point')}, in {report.crs}\n"
        f"root mean square: {_figure(report.rms_pixels)} px, {_figure(report.rms_miles)} miles; each point left out: "
        f"{left_out}; 1 px is {report.miles_per_pixel:.3g} miles"
        + "".join(f"\n{extent_text(drawing)}" for drawing in report.drawings)
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
