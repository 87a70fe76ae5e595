"""Areas of a board's page."""

from typing import Final

from mapkit.core.base import Area
from mapkit.kinds.rail.model.board import Board

LEAST_HEIGHT_MM: Final = 22.0
"""Of a legend; a strip that is lower stays empty."""


_FRAME_MM: Final = 0.45
_NEATLINE_MM: Final = 1.43
_LEAST_NEATLINE_MAP_MM: Final = 50.0


def has_neatline(area: Area) -> bool:
    """Return whether a map has room for a second line within its frame."""
    left, top, right, bottom = area
    return min(right - left, bottom - top) > _LEAST_NEATLINE_MAP_MM


def shrink_to_frame(area: Area) -> Area:
    """Return the part of a map inside the lines of its frame."""
    left, top, right, bottom = area
    edge_width = _NEATLINE_MM if has_neatline(area) else _FRAME_MM
    return (left + edge_width, top + edge_width, right - edge_width, bottom - edge_width)


def has_legend_box(board: Board) -> bool:
    """Return whether a box takes the place of the legend below the map."""
    return any(box.kind == "legend" for box in board.boxes.values())


def divide_page(board: Board) -> tuple[Area, Area]:
    """Return the area of the map, a little larger than the frame, and that of the legend below it."""
    left, top, right, bottom = board.page.frame
    width, height = board.page.width, board.page.height
    bleed = min(left, top, width - right) / 2
    height_below = height - bottom
    has_strip = height_below - 3 * bleed >= LEAST_HEIGHT_MM and not has_legend_box(board)
    map_bottom = bottom + (bleed if has_strip else max(height_below - bleed, 0.0))
    map_area = (left - bleed, top - bleed, right + bleed, min(map_bottom, height))
    return map_area, (map_area[0], map_area[3] + bleed / 2, map_area[2], height - bleed)
