"""Crossings of drawn lines away from any milepost, without a connection (RB-C10), and the bridges drawn there.

Lines that meet at a milepost may change sides on their way from it; such crossings do not look like junctions and are
left out. The upper line is the one drawn later: that of the dearer railroad, or the later piece of the same railroad.
"""

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.drawing.svg_page import SvgPage, format_mm, line_path_data
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles
from mapkit.kinds.rail.render.lines.line_patterns import PENS
from mapkit.kinds.rail.render.lines.polyline import Array, cumulative_lengths, interpolate_points, line_normals

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_OVERHANG_MM: Final = 0.7
_LONGEST_MM: Final = 4.0
_WING_MM: Final = 0.6
_WALL_MM: Final = 0.3
_WALL_POINTS: Final = 9
_LEAST_SINE: Final = 0.1


@dataclass(frozen=True)
class Crossing:
    """Crossing of two pieces' lines away from any milepost: the upper, the lower, and the place in millimetres."""

    over: str
    under: str
    x: float
    y: float


def find_crossings(layout: "Layout") -> tuple[Crossing, ...]:
    """Return the crossings of lines of pieces without a common end, sorted."""
    board, lines = layout.board, layout.thin_lines
    if not board.pieces:
        return ()
    price_of = {railroad.id: railroad.price for railroad in board.railroads}
    sorted_pieces = sorted(board.pieces, key=lambda p: (price_of.get(p.railroad, 0), p.railroad, p.id))
    if not sorted_pieces:
        return ()
    piece_shapes = np.array([shapely.LineString(lines[piece.id]) for piece in sorted_pieces])
    first_pieces, second_pieces = shapely.STRtree(piece_shapes).query(piece_shapes, predicate="crosses")
    node_number: dict[str, int] = {}
    ends = np.array([[node_number.setdefault(node, len(node_number)) for node in (p.a, p.b)] for p in sorted_pieces])
    is_apart = (ends[first_pieces, :, None] != ends[second_pieces, None, :]).all(axis=(1, 2))
    is_kept = is_apart & (first_pieces < second_pieces)
    lower_pieces, upper_pieces = first_pieces[is_kept], second_pieces[is_kept]
    parts, pair_numbers = shapely.get_parts(
        shapely.intersection(piece_shapes[lower_pieces], piece_shapes[upper_pieces]), return_index=True
    )
    is_point = shapely.get_type_id(parts) == shapely.GeometryType.POINT
    line_crossings = [
        Crossing(sorted_pieces[upper].id, sorted_pieces[lower].id, round(x, 2), round(y, 2))
        for upper, lower, (x, y) in zip(
            upper_pieces[pair_numbers[is_point]].tolist(),
            lower_pieces[pair_numbers[is_point]].tolist(),
            shapely.get_coordinates(parts[is_point]).tolist(),
            strict=True,
        )
    ]
    return tuple(sorted(line_crossings, key=attrgetter("over", "under", "x", "y")))


def draw_bridges(document: SvgPage, layout: "Layout") -> None:
    """Draw two walls along the upper line at each crossing, above all lines."""
    crossings = layout.crossings
    if not crossings:
        return
    theme, sizes = document.theme, layout.sizes
    railroad_of = {piece.id: piece.railroad for piece in layout.board.pieces}
    body_widths = {
        ident: PENS[style.pattern].body * sizes.line
        for ident, style in choose_railroad_styles(layout.board, theme).items()
    }
    bridge_group = document.group(
        document.layers["lines"],
        {"class": "bridges", "fill": "none", "stroke": theme.ink, "stroke-width": format_mm(_WALL_MM)},
    )
    for crossing in crossings:
        upper_line, lower_line = layout.thin_lines[crossing.over], layout.thin_lines[crossing.under]
        wall_offset = body_widths[railroad_of[crossing.over]] / 2 + sizes.casing_edge + _WALL_MM / 2
        lower_width = body_widths[railroad_of[crossing.under]] + 2 * sizes.casing_edge
        bridge_walls = make_bridge(upper_line, lower_line, (crossing.x, crossing.y), off=wall_offset, wide=lower_width)
        document.path(bridge_group, " ".join(map(line_path_data, bridge_walls)), {"class": "bridge"})


def make_bridge(over: Array, under: Array, at: Point, *, off: float, wide: float) -> list[Array]:
    """Return the two walls of a bridge, each with wings that open at its ends.

    Args:
        over: The line that the bridge carries.
        under: The line below it.
        at: Where they cross.
        off: Distance of the walls from the middle of the upper line, millimetres.
        wide: How wide the lower line is.
    """
    spot = shapely.Point(at)
    crossing_distances = [float(shapely.line_locate_point(shapely.LineString(line), spot)) for line in (over, under)]
    ways = [_direction_at(line, middle) for line, middle in zip((over, under), crossing_distances, strict=True)]
    crossing_sine = abs(float(ways[0][0] * ways[1][1] - ways[0][1] * ways[1][0]))
    half_length = min(wide / 2 / max(crossing_sine, _LEAST_SINE) + _OVERHANG_MM, _LONGEST_MM)
    line_length = float(cumulative_lengths(over)[-1])
    wall_distances = np.linspace(
        max(crossing_distances[0] - half_length, 0.0),
        min(crossing_distances[0] + half_length, line_length),
        _WALL_POINTS,
    )
    wall_course = interpolate_points(over, wall_distances)
    wall_normals = line_normals(wall_course)
    bridge_walls = []
    for side in (-1.0, 1.0):
        wall_points = wall_course + side * off * wall_normals
        wing_ends = [
            wall_points[end] + _WING_MM * (side * wall_normals[end] + _normalise(wall_course[end] - wall_course[inner]))
            for end, inner in ((0, 1), (-1, -2))
        ]
        bridge_walls.append(np.vstack((wing_ends[0], wall_points, wing_ends[1])))
    return bridge_walls


def _direction_at(line: Array, at: float) -> Array:
    """Return the direction of a line at a distance along it."""
    point_before, point_after = interpolate_points(line, np.array([at - 0.5, at + 0.5]))
    return _normalise(point_after - point_before)


def _normalise(vector: Array) -> Array:
    unit_vector: Array = vector / max(float(np.hypot(*vector)), 1e-9)
    return unit_vector
