"""Layout of hexagons in Tiled: whole pixels, staggered along an axis."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mapkit.core.base import Point
from mapkit.kinds.hex.grid.cubes import SIDES, Cube, Edge, edge_of
from mapkit.kinds.hex.grid.grid import HexGrid

LONG: Final = 64
"""From corner to corner of a tile, pixels."""
SHORT: Final = 56
"""From side to side."""
SIDE: Final = 32


@dataclass(frozen=True)
class TiledLayout:
    """Grid of a map in pixels; maps of mapkit have tiles of 64 by 56 pixels, other maps their own sizes.

    Args:
        grid: The grid.
        width: Of a tile.
        height: Of a tile.
        side: The length of an edge along the staggered axis.
    """

    grid: HexGrid
    width: int
    height: int
    side: int

    @staticmethod
    def of(grid: HexGrid) -> "TiledLayout":
        """Return the layout of mapkit's own maps."""
        return TiledLayout(grid, LONG, SHORT, SIDE) if grid.flat else TiledLayout(grid, SHORT, LONG, SIDE)

    def centre(self, cube: Cube) -> Point:
        """Return the centre of a hexagon in pixels."""
        column, row = self.grid.place(cube)
        if self.grid.flat:
            is_pushed = (column % 2 == 1) == self.grid.odd
            x = column * (self.width + self.side) / 2 + self.width / 2
            return x, row * self.height + (self.height / 2 if is_pushed else 0) + self.height / 2
        is_pushed = (row % 2 == 1) == self.grid.odd
        y = row * (self.height + self.side) / 2 + self.height / 2
        return column * self.width + (self.width / 2 if is_pushed else 0) + self.width / 2, y

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """Return the pixels per millimetre of the grid, across and down: a tile is not quite regular."""
        if self.grid.flat:
            return (self.width + self.side) / 2 / (1.5 * self.grid.radius_mm), self.height / self.grid.size_mm
        return self.width / self.grid.size_mm, (self.height + self.side) / 2 / (1.5 * self.grid.radius_mm)

    def ends(self, edge: Edge) -> tuple[Point, Point]:
        """Return the two ends of an edge in pixels, to a tenth."""
        (x, y), (across, down) = self.centre(edge.owner), self._scale
        middle_x, middle_y = self.grid.centre(edge.owner)
        start_point, end_point = self.grid.ends(edge)
        end_pixels = [
            (round(x + (px - middle_x) * across, 1), round(y + (py - middle_y) * down, 1))
            for px, py in (start_point, end_point)
        ]
        return end_pixels[0], end_pixels[1]

    def hex_at(self, point: Point) -> Cube | None:
        """Return the hexagon at a point in pixels, or None if it is off the grid."""
        x, y = point
        x0, y0 = self.centre(self.grid.cubes[0])
        across, down = self._scale
        middle_x, middle_y = self.grid.centre(self.grid.cubes[0])
        hexagon = self.grid.hex_at((middle_x + (x - x0) / across, middle_y + (y - y0) / down))
        return hexagon if hexagon in self.grid else None

    def edge_at(self, point: Point) -> Edge | None:
        """Return the edge with its middle nearest to a point, or None if none is within a third of a hexagon."""
        x, y = point
        hexagon = self.hex_at(point)
        cubes = [] if hexagon is None else [hexagon, *self.grid.neighbours(hexagon)]
        near_edges = {edge_of(cube, side) for cube in cubes for side in range(SIDES)}
        inner_edges = [edge for edge in sorted(near_edges) if all(cube in self.grid for cube in edge.hexes)]
        best_edge: tuple[float, Edge] | None = None
        for edge in inner_edges:
            (x1, y1), (x2, y2) = self.ends(edge)
            distance_squared = ((x1 + x2) / 2 - x) ** 2 + ((y1 + y2) / 2 - y) ** 2
            if best_edge is None or distance_squared < best_edge[0]:
                best_edge = (distance_squared, edge)
        return (
            best_edge[1] if best_edge is not None and best_edge[0] <= (min(self.width, self.height) / 3) ** 2 else None
        )
