"""Checks on the picture and its print."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.drawing.fit import FLOOR
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.render.names import fit_city_name
from mapkit.kinds.hex.render.sheet import lay_out_sheet

_LARGEST_MM = 2000.0


def _find_cut_names(c: CheckedHexes) -> Iterator[Found]:
    """A name of a city that does not fit its hexagon at 6 points, so that it is cut.

    Hexagons of the printed board are `grid.size_mm` wide.
    """
    for city in c.board.cities:
        fitted_name = fit_city_name(city.name, c.board.grid.size_mm)
        if fitted_name.size < FLOOR or any(line.endswith("…") for line in fitted_name.lines):
            message = f"the name {city.name!r} does not fit a hexagon of {c.board.grid.size_mm:g} mm; shorten it"
            yield Found(message, (city.id,), c.place("cities", city.id))


def _find_page_problems(c: CheckedHexes) -> Iterator[Found]:
    """A track of points with too many spaces for the room around the board, or a page too large for printers."""
    sheet = lay_out_sheet(c.board)
    if len(sheet.spaces) < len(c.board.track):
        message = f"the track has {len(c.board.track)} spaces and room for {len(sheet.spaces)}; make hexagons larger"
        yield Found(message, ("track",))
    left, top, right, bottom = sheet.frame
    for space, space_box in zip(c.board.track, sheet.spaces, strict=False):
        if space_box[0] < right and space_box[2] > left and space_box[1] < bottom and space_box[3] > top:
            yield Found(f"space {space.points} of the track covers hexagons; make hexagons larger", ("track",))
            return
    if max(sheet.width, sheet.height) > _LARGEST_MM:
        size_text = f"{sheet.width:.0f} by {sheet.height:.0f} mm"
        yield Found(f"the board is {size_text} on paper, more than two metres; lower grid.size_mm", ("page",))


CHECKS = (
    hex_check("H19", Severity.WARNING, "names can be read in print", _find_cut_names),
    hex_check("H20", Severity.WARNING, "the page holds the board and its track", _find_page_problems),
)
