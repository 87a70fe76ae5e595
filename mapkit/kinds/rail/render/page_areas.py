"""How a board's page is divided."""

from typing import Final

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.ground.backdrop import Area

LEAST_HEIGHT_MM: Final = 22.0
"""Of a legend; a strip that is lower stays empty."""


def page_areas(board: Board) -> tuple[Area, Area]:
    """Return the area of the map, a little larger than the frame, and that of the legend below it."""
    left, top, right, bottom = board.page.frame
    width, height = board.page.width, board.page.height
    bleed = min(left, top, width - right) / 2
    below = height - bottom
    map_bottom = bottom + (bleed if below - 3 * bleed >= LEAST_HEIGHT_MM else max(below - bleed, 0.0))
    area = (left - bleed, top - bleed, right + bleed, min(map_bottom, height))
    return area, (area[0], area[3] + bleed / 2, area[2], height - bleed)
