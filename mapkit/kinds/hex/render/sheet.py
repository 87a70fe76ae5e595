"""Layout of a picture: the grid, the track of points around it, and the title, in millimetres."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.kinds.hex.grid.cubes import Cube, Edge
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard

_MARGIN_MM: Final = 6.0
_TITLE_MM: Final = 13.0
_SPACE_MM: Final = 11.0
_GAP_MM: Final = 3.0
LEGEND_COLUMN: Final = 46.0
LEGEND_ROW: Final = 8.0
_CREDITS_MM: Final = 8.0


@dataclass(frozen=True)
class BoardSheet:
    """Layout of a picture.

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
        """Return the corners of a hexagon on the page, scaled towards its centre."""
        x, y = self.centre(hexagon)
        corners = (self.at(point) for point in self.grid.corners(hexagon))
        return [(x + share * (cx - x), y + share * (cy - y)) for cx, cy in corners]

    def ends(self, edge: Edge) -> tuple[Point, Point]:
        """Return the ends of an edge on the page."""
        start_point, end_point = self.grid.ends(edge)
        return self.at(start_point), self.at(end_point)


def lay_out_sheet(board: HexBoard) -> BoardSheet:
    """Lay out the parts of a board's picture."""
    width, height = board.grid.extent_mm
    ring_mm = _SPACE_MM + _GAP_MM if board.track else 0.0
    left = _MARGIN_MM + ring_mm + _GAP_MM
    top = _MARGIN_MM + _TITLE_MM + ring_mm + _GAP_MM
    frame = (left - _GAP_MM, top - _GAP_MM, left + width + _GAP_MM, top + height + _GAP_MM)
    page_width = frame[2] + ring_mm + _MARGIN_MM
    used_terrains = {hexagon.terrain for hexagon in board.hexes}
    edge_kinds = {kind for edge in board.edges for kind in edge.kinds}
    city_colours = {colour for city in board.cities for colour in city.colours}
    has_rotor = board.rules.rotors.enabled and any(city.rotor for city in board.cities)
    other_entries = sum(map(bool, (has_rotor, board.cities, board.lines, board.links)))
    entry_count = (
        len(used_terrains) + len(edge_kinds) + len(city_colours) + other_entries + len(board.rules.engine.levels)
    )
    page_size = (
        page_width,
        frame[3]
        + ring_mm
        + _MARGIN_MM
        + (ceil(entry_count / max(1, int((page_width - 2 * _MARGIN_MM) // LEGEND_COLUMN))) * LEGEND_ROW + _CREDITS_MM),
    )
    spaces = _lay_out_ring(frame, len(board.track)) if board.track else ()
    return BoardSheet(board.grid, left, top, *page_size, frame, spaces)


def title_area(sheet: BoardSheet) -> Area:
    """Return the area of the title."""
    return (_MARGIN_MM, _MARGIN_MM, sheet.width - _MARGIN_MM, _MARGIN_MM + _TITLE_MM - 2)


def legend_area(sheet: BoardSheet) -> Area:
    """Return the area of the legend: below the frame and the track, to the margin."""
    ring_mm = _SPACE_MM + _GAP_MM if sheet.spaces else 0.0
    return (_MARGIN_MM, sheet.frame[3] + ring_mm + _MARGIN_MM, sheet.width - _MARGIN_MM, sheet.height - _MARGIN_MM)


def _lay_out_ring(frame: Area, count: int) -> tuple[Area, ...]:
    """Return boxes along a frame, clockwise from the top left, in a closed ring."""
    left, top, right, bottom = (frame[0] - _GAP_MM, frame[1] - _GAP_MM, frame[2] + _GAP_MM, frame[3] + _GAP_MM)
    ring_width, ring_height = right - left, bottom - top
    half_count = max(2, ceil((count - 4) / 2))
    columns = min(max(1, round(half_count * ring_width / (ring_width + ring_height))), half_count - 1)
    rows = half_count - columns
    box_width, box_height = ring_width / columns, ring_height / rows
    boxes = [(left - _SPACE_MM, top - _SPACE_MM, left, top)]
    boxes += [(left + i * box_width, top - _SPACE_MM, left + (i + 1) * box_width, top) for i in range(columns)]
    boxes += [(right, top - _SPACE_MM, right + _SPACE_MM, top)]
    boxes += [(right, top + i * box_height, right + _SPACE_MM, top + (i + 1) * box_height) for i in range(rows)]
    boxes += [(right, bottom, right + _SPACE_MM, bottom + _SPACE_MM)]
    boxes += [(right - (i + 1) * box_width, bottom, right - i * box_width, bottom + _SPACE_MM) for i in range(columns)]
    boxes += [(left - _SPACE_MM, bottom, left, bottom + _SPACE_MM)]
    boxes += [(left - _SPACE_MM, bottom - (i + 1) * box_height, left, bottom - i * box_height) for i in range(rows)]
    return tuple(boxes[:count])
