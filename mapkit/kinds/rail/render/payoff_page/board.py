"""The board behind a payoff chart's page: drawn once, each step with an id, so that any route is a list of steps."""

from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
import shapely

from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.charts.payoffs.routes import RouteTrees, route_trees
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.page_areas import page_areas

SCALE = 2
"""Units of the drawing a millimetre: whole numbers place everything to half a millimetre."""
_TOLERANCE_MM = 0.6
_COAST_MM = 1.0
_SPECK_MM2 = 25.0
_RING = 4


@dataclass(frozen=True)
class RouteBoard:
    """The drawing, and for each city the step by which each milepost is reached from it.

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
        """Return the steps of the shortest way between two cities of the chart."""
        return [self.steps[min(pair), max(pair)] for pair in self.trees.way(a, b)]

    def ways(self) -> list[list[int]]:
        """Return for each city a list: milepost, step that leads to it, milepost, step ...; for scripts.

        A way between two cities is in the list of the first; a list holds only what ways to later cities need.
        """
        out = []
        for a in range(len(self.trees.at)):
            needed: dict[int, int] = {}
            for b in range(a + 1, len(self.trees.at)):
                here = self.trees.at[b]
                while here not in needed and here != self.trees.at[a] and self.trees.before[a, here] >= 0:
                    last = int(self.trees.before[a, here])
                    needed[here] = self.steps[min(last, here), max(last, here)]
                    here = last
            out.append([word for here in sorted(needed) for word in (here, needed[here])])
        return out


def route_board(board: Board, cities: tuple[str, ...]) -> RouteBoard:
    """Draw a board for a chart of these cities (ids of the board)."""
    trees = route_trees(board, cities)
    steps = {pair: k for k, pair in enumerate(sorted(trees.segments))}
    area, _ = page_areas(board)
    ground = load_backdrop(board.projection, area, own=board.layers)
    places = tuple((round(m.x * SCALE), round(m.y * SCALE)) for m in board.mileposts)
    lines = shapely.simplify(
        np.array([shapely.LineString(board.segments[trees.segments[pair]].path) for pair in steps], dtype=object),
        _TOLERANCE_MM,
    )
    names = {city.id: city.name for city in board.cities}
    left, top, right, bottom = (round(v * SCALE) for v in area)
    parts = [
        '<symbol id="board" overflow="visible">',
        f'<rect class="water" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>',
        f'<path class="land" d="{_areas(ground.land)}"/>',
        f'<path class="water" d="{"".join(_areas(lake) for lake in ground.lakes)}"/>',
        '<g class="rails">',
        *(f'<path id="e{k}" d="{_line(line.coords)}"/>' for k, line in enumerate(lines)),
        "</g>",
        f'<path class="dots" d="{"".join(f"M{x} {y}h0" for x, y in places)}"/>',
        '<g class="cities">',
        *(
            f'<path d="M{places[at][0]} {places[at][1]}h0"><title>{escape(names[city])}</title></path>'
            for city, at in zip(cities, trees.at, strict=True)
        ),
        "</g>",
        "</symbol>",
    ]
    return RouteBoard("\n".join(parts), (left, top, right - left, bottom - top), trees, steps, places)


def _line(points: shapely.coords.CoordinateSequence, *, closed: bool = False) -> str:
    """Return path data in whole units, each point relative to the one before."""
    whole = [(round(x * SCALE), round(y * SCALE)) for x, y in points]
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(whole)]
    steps = " ".join(f"{dx} {dy}" for dx, dy in moves if dx or dy)
    return f"M{whole[0][0]} {whole[0][1]}" + (f"l{steps}" if steps else "h0") + ("z" if closed else "")


def _areas(shape: shapely.Geometry) -> str:
    out = []
    for part in shapely.get_parts(shapely.simplify(shape, _COAST_MM)):
        if part.geom_type == "Polygon" and part.area >= _SPECK_MM2:
            out += [_line(ring.coords, closed=True) for ring in (part.exterior, *part.interiors)
                    if len(ring.coords) >= _RING]  # fmt: skip
    return "".join(out)
