"""Smoothing of borders: lines drawn taut between fixed ends without passing over points."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import distinct_values
from mapkit.kinds.rail.render.lines.polyline import Array

_STEP_MM: Final = 2.5
_CLEARANCE_MM: Final = 1.8
_LEAST_MOVE_MM: Final = 1e-3
_PULL_SHARE: Final = 0.5
_CORNER_ROUNDS: Final = 2
"""Rounds of corner cutting at the end (Chaikin 1974)."""


def shorten_lines(lines: Sequence[BaseGeometry], points: NDArray[np.object_], rounds: int) -> list[BaseGeometry]:
    """Draw lines taut between their ends.

    Each inner vertex moves to the middle of its neighbours, unless the line would then sweep over a point or come
    nearer to one than 1.8 mm, or than it is. Even and odd vertices move in turn.

    Args:
        lines: In millimetres.
        points: Points that must stay on their side of every line.
        rounds: Number of moves of each vertex; 0 leaves the lines unchanged.
    """
    if rounds == 0 or not lines:
        return list(lines)
    line_vertices = [shapely.get_coordinates(shapely.segmentize(line, _STEP_MM)) for line in lines]
    all_vertices = np.concatenate(line_vertices)
    vertex_index = np.concatenate([np.arange(len(part)) for part in line_vertices])
    is_inner = (vertex_index > 0) & np.append(vertex_index[1:] > 0, False)
    point_tree = shapely.STRtree(points)
    for half_round in range(2 * rounds):
        moving_vertices = np.flatnonzero(is_inner & (vertex_index % 2 == half_round % 2))
        if len(moving_vertices):
            _move_vertices(all_vertices, moving_vertices, point_tree)
    line_starts = np.flatnonzero(vertex_index == 0)[1:]
    return [_cut_corners(part, point_tree) for part in np.split(all_vertices, line_starts)]


def _move_vertices(along: Array, movers: NDArray[np.int64], tree: shapely.STRtree) -> None:
    """Move vertices to the middle of their neighbours unless a point is in the way."""
    points = np.asarray(tree.geometries)
    old_places, previous_vertices, next_vertices = along[movers], along[movers - 1], along[movers + 1]
    new_places = np.round(old_places + _PULL_SHARE * ((previous_vertices + next_vertices) / 2 - old_places), 4)
    may_move = np.any(np.abs(new_places - old_places) > _LEAST_MOVE_MM, axis=1)
    new_lines = np.asarray(shapely.linestrings(np.stack((previous_vertices, new_places, next_vertices), axis=1)))
    line_hits, hit_points = tree.query(new_lines, predicate="dwithin", distance=_CLEARANCE_MM)
    if len(line_hits):
        old_lines = np.asarray(shapely.linestrings(np.stack((previous_vertices, old_places, next_vertices), axis=1)))
        nearer = (
            shapely.distance(new_lines[line_hits], points[hit_points])
            < shapely.distance(old_lines[line_hits], points[hit_points]) - 1e-9
        )
        may_move[line_hits[nearer]] = False
    may_move[_find_hulls_with_point(tree, previous_vertices, old_places, next_vertices, new_places)] = False
    along[movers[may_move]] = new_places[may_move]


def _find_hulls_with_point(tree: shapely.STRtree, *corners: Array) -> NDArray[np.int64]:
    """Return the rows of corners with a point in their convex hull; hulls far from all points are not made."""
    corner_lines = np.asarray(shapely.linestrings(np.stack(corners, axis=1)))
    near_rows, near_points = tree.query(corner_lines)
    hull_rows, hull_index = np.unique(near_rows, return_inverse=True)
    corner_hulls = np.asarray(shapely.convex_hull(corner_lines[hull_rows]))
    holding_rows: NDArray[np.int64] = distinct_values(
        near_rows[shapely.intersects(corner_hulls[hull_index], tree.geometries[near_points])]
    )
    return holding_rows


def _cut_corners(along: Array, tree: shapely.STRtree) -> BaseGeometry:
    """Cut corners (Chaikin 1974) unless the triangle at a corner contains a point."""
    for _ in range(_CORNER_ROUNDS):
        if len(along) < 3:  # noqa: PLR2004 - no corner
            break
        inner_vertices = along[1:-1]
        first_cuts, second_cuts = (3 * inner_vertices + along[:-2]) / 4, (3 * inner_vertices + along[2:]) / 4
        keep_sharp = np.zeros(len(inner_vertices), dtype=bool)
        keep_sharp[_find_hulls_with_point(tree, first_cuts, inner_vertices, second_cuts)] = True
        first_cuts[keep_sharp], second_cuts[keep_sharp] = inner_vertices[keep_sharp], inner_vertices[keep_sharp]
        cut_vertices = np.stack((first_cuts, second_cuts), axis=1).reshape(-1, 2)
        along = np.vstack((along[:1], cut_vertices, along[-1:]))
        along = along[np.append(True, np.any(np.diff(along, axis=0) != 0, axis=1))]
    return shapely.simplify(shapely.LineString(np.round(along, 3)), 0.02)
