"""Where the parts of a picture are: the grid, the track of points around it, and the title, in millimetres."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.kinds.hex.grid.cubes import Cube, Edge
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard

_MARGIN: Final = 6.0
_TITLE: Final = 13.0
_SPACE: Final = 11.0
_GAP: Final = 3.0
LEGEND_COLUMN: Final = 46.0
LEGEND_ROW: Final = 8.0
_CREDITS: Final = 8.0


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
    wide = frame[2] + ring + _MARGIN
    page = (wide, frame[3] + ring + _MARGIN + _legend_height(board, wide - 2 * _MARGIN))
    spaces = _ring(frame, len(board.track)) if board.track else ()
    return BoardSheet(board.grid, left, top, *page, frame, spaces)


def title_area(sheet: BoardSheet) -> Area:
    """Return where the title stands."""
    return (_MARGIN, _MARGIN, sheet.width - _MARGIN, _MARGIN + _TITLE - 2)


def legend_area(sheet: BoardSheet) -> Area:
    """Return where the legend stands: below the frame and the track, to the margin."""
    ring = _SPACE + _GAP if sheet.spaces else 0.0
    return (_MARGIN, sheet.frame[3] + ring + _MARGIN, sheet.width - _MARGIN, sheet.height - _MARGIN)


def _legend_height(board: HexBoard, width: float) -> float:
    """Return the height of the legend with the credits below it."""
    used = {hexagon.terrain for hexagon in board.hexes}
    kinds = {kind for edge in board.edges for kind in edge.kinds}
    colours = {colour for city in board.cities for colour in city.colours}
    rotor = board.rules.rotors.enabled and any(city.rotor for city in board.cities)
    others = sum(map(bool, (rotor, board.cities, board.lines, board.links)))
    count = len(used) + len(kinds) + len(colours) + others + len(board.rules.engine.levels)
    return ceil(count / max(1, int(width // LEGEND_COLUMN))) * LEGEND_ROW + _CREDITS


def _ring(frame: Area, count: int) -> tuple[Area, ...]:
    """Return boxes along a frame, clockwise from the top left, so that they close around it."""
    left, top, right, bottom = (frame[0] - _GAP, frame[1] - _GAP, frame[2] + _GAP, frame[3] + _GAP)
    across, down = right - left, bottom - top
    sides = max(2, ceil((count - 4) / 2))
    columns = min(max(1, round(sides * across / (across + down))), sides - 1)
    rows = sides - columns
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
