"""How a board's page is divided."""

from typing import Final

from mapkit.core.base import Area
from mapkit.kinds.rail.model.board import Board

LEAST_HEIGHT_MM: Final = 22.0
"""Of a legend; a strip that is lower stays empty."""


_FRAME_MM: Final = 0.45
_NEATLINE_MM: Final = 1.43
_LEAST_FOR_NEATLINE_MM: Final = 50.0


def has_neatline(area: Area) -> bool:
    """Return whether a map has room for a second line within its frame."""
    left, top, right, bottom = area
    return min(right - left, bottom - top) > _LEAST_FOR_NEATLINE_MM


def inside_frame(area: Area) -> Area:
    """Return the part of a map that the lines of its frame leave free."""
    left, top, right, bottom = area
    edge = _NEATLINE_MM if has_neatline(area) else _FRAME_MM
    return (left + edge, top + edge, right - edge, bottom - edge)


def page_areas(board: Board) -> tuple[Area, Area]:
    """Return the area of the map, a little larger than the frame, and that of the legend below it."""
    left, top, right, bottom = board.page.frame
    width, height = board.page.width, board.page.height
    bleed = min(left, top, width - right) / 2
    below = height - bottom
    map_bottom = bottom + (bleed if below - 3 * bleed >= LEAST_HEIGHT_MM else max(below - bleed, 0.0))
    area = (left - bleed, top - bleed, right + bleed, min(map_bottom, height))
    return area, (area[0], area[3] + bleed / 2, area[2], height - bleed)
