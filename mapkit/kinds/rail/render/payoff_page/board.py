"""Board drawing for the page of a payoff chart: each step has an id, so that a route is a list of steps."""

from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
import shapely

from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.charts.payoffs.routes import RouteTrees, route_trees
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.page_areas import divide_page

SCALE = 2
"""Units of the drawing a millimetre: whole numbers place everything to half a millimetre."""
_TOLERANCE_MM = 0.6
_COAST_MM = 1.0
_SPECK_MM2 = 25.0
_RING = 4


@dataclass(frozen=True)
class RouteBoard:
    """Board drawing, with the shortest-path tree of each city.

    Args:
        svg: `<symbol id="board">` with the land, the steps `e0`, `e1`, ... and the cities.
        box: Its view box.
        trees: The shortest ways.
        steps: Numbers of the steps by pairs of mileposts, the smaller first.
        places: `(x, y)` of each milepost in units of the drawing.
    """

    svg: str
    box: tuple[int, int, int, int]
    trees: RouteTrees
    steps: dict[tuple[int, int], int]
    places: tuple[tuple[int, int], ...]

    def route(self, a: int, b: int) -> list[int]:
        """Return the steps of the shortest path between two cities of the chart."""
        return [self.steps[min(pair), max(pair)] for pair in self.trees.way(a, b)]

    def ways(self) -> list[list[int]]:
        """Return the tree of each city as a list for scripts: milepost, step that leads to it, milepost, step ...

        The path between two cities is in the list of the first; a list has only the steps of paths to later cities.
        """
        way_lists = []
        for a in range(len(self.trees.at)):
            step_by_milepost: dict[int, int] = {}
            for b in range(a + 1, len(self.trees.at)):
                milepost = self.trees.at[b]
                while (
                    milepost not in step_by_milepost
                    and milepost != self.trees.at[a]
                    and self.trees.before[a, milepost] >= 0
                ):
                    last = int(self.trees.before[a, milepost])
                    step_by_milepost[milepost] = self.steps[min(last, milepost), max(last, milepost)]
                    milepost = last
            way_lists.append(
                [number for milepost in sorted(step_by_milepost) for number in (milepost, step_by_milepost[milepost])]
            )
        return way_lists


def draw_route_board(board: Board, cities: tuple[str, ...]) -> RouteBoard:
    """Draw a board for a chart of these cities (ids of the board)."""
    city_trees = route_trees(board, cities)
    step_numbers = {pair: k for k, pair in enumerate(sorted(city_trees.segments))}
    map_area, _ = divide_page(board)
    base_map = load_backdrop(board.projection, map_area, own=board.layers)
    places = tuple((round(m.x * SCALE), round(m.y * SCALE)) for m in board.mileposts)
    step_lines = shapely.simplify(
        np.array(
            [shapely.LineString(board.segments[city_trees.segments[pair]].path) for pair in step_numbers],
            dtype=object,
        ),
        _TOLERANCE_MM,
    )
    city_names = {city.id: city.name for city in board.cities}
    left, top, right, bottom = (round(v * SCALE) for v in map_area)
    svg_parts = [
        '<symbol id="board" overflow="visible">',
        f'<rect class="water" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>',
        f'<path class="land" d="{_format_areas(base_map.land)}"/>',
        f'<path class="water" d="{"".join(_format_areas(lake) for lake in base_map.lakes)}"/>',
        '<g class="rails">',
        *(f'<path id="e{k}" d="{_format_path(line.coords)}"/>' for k, line in enumerate(step_lines)),
        "</g>",
        f'<path class="dots" d="{"".join(f"M{x} {y}h0" for x, y in places)}"/>',
        '<g class="cities">',
        *(
            f'<path d="M{places[milepost_index][0]} '
            f'{places[milepost_index][1]}h0"><title>{escape(city_names[city])}</title></path>'
            for city, milepost_index in zip(cities, city_trees.at, strict=True)
        ),
        "</g>",
        "</symbol>",
    ]
    return RouteBoard("\n".join(svg_parts), (left, top, right - left, bottom - top), city_trees, step_numbers, places)


def _format_path(points: shapely.coords.CoordinateSequence, *, closed: bool = False) -> str:
    """Format path data in whole units, each point relative to the one before."""
    grid_points = [(round(x * SCALE), round(y * SCALE)) for x, y in points]
    point_moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(grid_points)]
    steps = " ".join(f"{dx} {dy}" for dx, dy in point_moves if dx or dy)
    return f"M{grid_points[0][0]} {grid_points[0][1]}" + (f"l{steps}" if steps else "h0") + ("z" if closed else "")


def _format_areas(shape: shapely.Geometry) -> str:
    path_parts = []
    for part in shapely.get_parts(shapely.simplify(shape, _COAST_MM)):
        if part.geom_type == "Polygon" and part.area >= _SPECK_MM2:
            path_parts += [_format_path(ring.coords, closed=True) for ring in (part.exterior, *part.interiors)
                    if len(ring.coords) >= _RING]  # fmt: skip
    return "".join(path_parts)
