"""Use of a board in play: a heat map of hexagons, and links between cities."""

from collections.abc import Mapping
from typing import Final

from mapkit.drawing.inks import HEAT
from mapkit.drawing.svg_page import format_mm, line_path_data
from mapkit.kinds.hex.render.picture.pen import Pen

_HEX_SHARE: Final = 0.9
"""Size of a coloured hexagon, of its own, so that the grid stays to be seen."""
_LINK_UNITS: Final = 5.0
"""Width of the most used link, in units."""
_LINK_INK: Final = "#14448c"


def draw_use(
    pen: Pen, *, lines_by_hex: Mapping[str, float], deliveries_by_link: Mapping[tuple[str, str], float]
) -> None:
    """Draw hexagons in the colour of their lines of track, and links as wide as their deliveries."""
    layer, grid = pen.layer("use"), pen.board.grid
    most_lines, most_deliveries = (
        max(values, default=0.0) or 1.0 for values in (lines_by_hex.values(), deliveries_by_link.values())
    )
    for hexagon, cube in zip(pen.board.hexes, grid.cubes, strict=True):
        lines = lines_by_hex.get(hexagon.id, 0.0)
        if lines > 0:
            outline = pen.sheet.outline(cube, _HEX_SHARE)
            looks = {
                "fill": HEAT[min(len(HEAT) - 1, int(len(HEAT) * lines / most_lines))],
                "fill-opacity": "0.85",
                "stroke": "none",
            }
            tip = f"{hexagon.id}: {lines:.2f} lines of track a game"
            pen.page.path(layer, line_path_data([*outline, outline[0]], closed=True), looks, tip=tip)
    for (one, other), deliveries in deliveries_by_link.items():
        if one in pen.places and other in pen.places:
            looks = {
                "fill": "none",
                "stroke": _LINK_INK,
                "stroke-opacity": "0.75",
                "stroke-linecap": "round",
                "stroke-width": format_mm(pen.unit * max(0.3, _LINK_UNITS * deliveries / most_deliveries)),
            }
            tip = f"{one} - {other}: {deliveries:.2f} deliveries a game"
            pen.page.path(layer, line_path_data([pen.places[one], pen.places[other]]), looks, tip=tip)
