"""Where the parts of a picture are: the grid, the track of points around it, and the title, in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.geography.projection import Projection
from mapkit.kinds.hex.grid.cubes import Cube, Edge
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard

_MARGIN: Final = 6.0
_TITLE: Final = 13.0
_SPACE: Final = 11.0
_GAP: Final = 3.0
_SMALLEST_SPACE: Final = 8.0


@dataclass(frozen=True)
class BoardSheet:
    """A picture's parts.

    Args:
        grid: The grid.
        left: Where the grid's box begins.
        top: Likewise.
        width: Of the page.
        height: Of the page.
        frame: The box around the grid with its gap; the track lies outside it.
        spaces: The box of each space of the track, in its order.
    """

    grid: HexGrid
    left: float
    top: float
    width: float
    height: float
    frame: Area
    spaces: tuple[Area, ...]

    def at(self, point: Point) -> Point:
        """Return a point of the grid on the page."""
        return point[0] + self.left, point[1] + self.top

    def centre(self, hexagon: Cube) -> Point:
        """Return the centre of a hexagon on the page."""
        return self.at(self.grid.centre(hexagon))

    def outline(self, hexagon: Cube, share: float = 1.0) -> list[Point]:
        """Return the corners of a hexagon on the page, drawn in towards its centre."""
        x, y = self.centre(hexagon)
        corners = (self.at(point) for point in self.grid.corners(hexagon))
        return [(x + share * (cx - x), y + share * (cy - y)) for cx, cy in corners]

    def ends(self, edge: Edge) -> tuple[Point, Point]:
        """Return the ends of an edge on the page."""
        one, other = self.grid.ends(edge)
        return self.at(one), self.at(other)


def lay_out_sheet(board: HexBoard) -> BoardSheet:
    """Return where the parts of a board's picture are."""
    width, height = board.grid.extent_mm
    ring = _SPACE + _GAP if board.track else 0.0
    left = _MARGIN + ring + _GAP
    top = _MARGIN + _TITLE + ring + _GAP
    frame = (left - _GAP, top - _GAP, left + width + _GAP, top + height + _GAP)
    page = (frame[2] + ring + _MARGIN, frame[3] + ring + _MARGIN)
    spaces = _ring(frame, len(board.track)) if board.track else ()
    return BoardSheet(board.grid, left, top, *page, frame, spaces)


def title_area(sheet: BoardSheet) -> Area:
    """Return where the title stands."""
    return (_MARGIN, _MARGIN, sheet.width - _MARGIN, _MARGIN + _TITLE - 2)


def _ring(frame: Area, count: int) -> tuple[Area, ...]:
    """Return boxes along a frame, clockwise from the top left; on a short frame they go around in several rings."""
    left, top, right, bottom = (frame[0] - _GAP, frame[1] - _GAP, frame[2] + _GAP, frame[3] + _GAP)
    across, down = right - left, bottom - top
    around = 2 * (across + down)
    size = max(_SMALLEST_SPACE, around / count)
    columns, rows = max(1, round(across / size)), max(1, round(down / size))
    while 2 * (columns + rows) + 4 < count:
        columns, rows = columns + 1, rows + 1
    w, h = across / columns, down / rows
    boxes = [(left - _SPACE, top - _SPACE, left, top)]
    boxes += [(left + i * w, top - _SPACE, left + (i + 1) * w, top) for i in range(columns)]
    boxes += [(right, top - _SPACE, right + _SPACE, top)]
    boxes += [(right, top + i * h, right + _SPACE, top + (i + 1) * h) for i in range(rows)]
    boxes += [(right, bottom, right + _SPACE, bottom + _SPACE)]
    boxes += [(right - (i + 1) * w, bottom, right - i * w, bottom + _SPACE) for i in range(columns)]
    boxes += [(left - _SPACE, bottom, left, bottom + _SPACE)]
    boxes += [(left - _SPACE, bottom - (i + 1) * h, left, bottom - i * h) for i in range(rows)]
    return tuple(boxes[:count])


@cache
def ground(earth: GridEarth, left: float, top: float, area: Area) -> Backdrop:
    """Return land, lakes and rivers below a grid.

    Args:
        earth: Where the grid lies.
        left: Where it begins on the page.
        top: Likewise.
        area: Of the page.
    """
    scale = 1.0 / earth.metres_per_mm
    flat = Projection(
        name="grid",
        crs=earth.crs,
        scale_mm_per_m=scale,
        offset_x_mm=left - earth.left * scale,
        offset_y_mm=top + earth.top * scale,
    )
    return load_backdrop(flat, area)


def spread(area: Area, parts: int) -> Sequence[Area]:
    """Return a row of boxes that fill an area, the last ones empty if the number is odd."""
    left, top, right, bottom = area
    step = (right - left) / max(1, ceil(parts))
    return [(left + i * step, top, left + (i + 1) * step, bottom) for i in range(parts)]
