"""Where drawn lines cross away from any milepost and do not connect (RB-C10), and the bridges that say so.

Lines that meet at a milepost may change sides on their way from it, which nobody takes for a junction; such crossings
are left out. The upper line is the one drawn later: that of the dearer railroad, and of one railroad the later piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.drawing.svg_page import SvgPage, line_d, mm
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_styles
from mapkit.kinds.rail.render.lines.pens import PENS
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, normals, points_at

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_BEYOND_MM: Final = 0.7
_LONGEST_MM: Final = 4.0
_WING_MM: Final = 0.6
_WALL_MM: Final = 0.3
_STEPS: Final = 9
_LEAST_SINE: Final = 0.1


@dataclass(frozen=True, order=True)
class Crossing:
    """Two pieces whose lines cross away from any milepost, the upper and the lower one, and where, in millimetres."""

    over: str
    under: str
    x: float
    y: float


def crossings_of(layout: "Layout") -> tuple[Crossing, ...]:
    """Return where lines of pieces without a common end cross, sorted."""
    board, lines = layout.board, layout.thin_lines
    if not board.pieces:
        return ()
    prices = {railroad.id: railroad.price for railroad in board.railroads}
    pieces = sorted(board.pieces, key=lambda p: (prices.get(p.railroad, 0), p.railroad, p.id))
    if not pieces:
        return ()
    shapes = [shapely.LineString(lines[piece.id]) for piece in pieces]
    one, other = shapely.STRtree(shapes).query(shapes, predicate="crosses")
    found = []
    for low, high in sorted(zip(one.tolist(), other.tolist(), strict=True)):
        under, over = pieces[low], pieces[high]
        if low < high and not {under.a, under.b} & {over.a, over.b}:
            spots = _points(shapes[low], shapes[high])
            found += [Crossing(over.id, under.id, round(x, 2), round(y, 2)) for x, y in spots]
    return tuple(sorted(found))


def _points(one: shapely.LineString, other: shapely.LineString) -> Sequence[Point]:
    parts = shapely.get_parts(shapely.intersection(one, other))
    return [(part.x, part.y) for part in parts if part.geom_type == "Point"]


def draw_bridges(document: SvgPage, layout: "Layout") -> None:
    """Draw two walls along the upper line at each crossing, above all lines."""
    crossings = layout.crossings
    if not crossings:
        return
    theme, sizes = document.theme, layout.sizes
    railroad = {piece.id: piece.railroad for piece in layout.board.pieces}
    body = {
        ident: PENS[style.pattern].body * sizes.line for ident, style in railroad_styles(layout.board, theme).items()
    }
    group = document.group(
        document.layers["lines"],
        {"class": "bridges", "fill": "none", "stroke": theme.ink, "stroke-width": mm(_WALL_MM)},
    )
    for crossing in crossings:
        over, under = layout.thin_lines[crossing.over], layout.thin_lines[crossing.under]
        off = body[railroad[crossing.over]] / 2 + sizes.casing_edge + _WALL_MM / 2
        wide = body[railroad[crossing.under]] + 2 * sizes.casing_edge
        walls = bridge(over, under, (crossing.x, crossing.y), off=off, wide=wide)
        document.path(group, " ".join(map(line_d, walls)), {"class": "bridge"})


def bridge(over: Array, under: Array, at: Point, *, off: float, wide: float) -> list[Array]:
    """Return the two walls of a bridge, each with wings that open at its ends.

    Args:
        over: The line that the bridge carries.
        under: The line below it.
        at: Where they cross.
        off: How far the walls stand off the middle of the upper line, millimetres.
        wide: How wide the lower line is.
    """
    spot = shapely.Point(at)
    along = [float(shapely.line_locate_point(shapely.LineString(line), spot)) for line in (over, under)]
    ways = [_way(line, middle) for line, middle in zip((over, under), along, strict=True)]
    sine = abs(float(ways[0][0] * ways[1][1] - ways[0][1] * ways[1][0]))
    half = min(wide / 2 / max(sine, _LEAST_SINE) + _BEYOND_MM, _LONGEST_MM)
    total = float(lengths(over)[-1])
    stops = np.linspace(max(along[0] - half, 0.0), min(along[0] + half, total), _STEPS)
    course = points_at(over, stops)
    across = normals(course)
    walls = []
    for side in (-1.0, 1.0):
        wall = course + side * off * across
        wings = [
            wall[end] + _WING_MM * (side * across[end] + _unit(course[end] - course[inner]))
            for end, inner in ((0, 1), (-1, -2))
        ]
        walls.append(np.vstack((wings[0], wall, wings[1])))
    return walls


def _way(line: Array, at: float) -> Array:
    """Return the direction of a line at a distance along it."""
    one, other = points_at(line, np.array([at - 0.5, at + 0.5]))
    return _unit(other - one)


def _unit(vector: Array) -> Array:
    out: Array = vector / max(float(np.hypot(*vector)), 1e-9)
    return out
