"""Lines drawn taut between fixed ends without passing over points: smooth borders that keep everybody's side."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import distinct
from mapkit.kinds.rail.render.lines.polyline import Array

_STEP_MM: Final = 2.5
_KEEP_OFF_MM: Final = 1.8
_STILL_MM: Final = 1e-3
_PULL: Final = 0.5
_CORNERS: Final = 2
"""Rounds of corner cutting at the end (Chaikin 1974)."""


def shorten_lines(lines: Sequence[BaseGeometry], points: NDArray[np.object_], rounds: int) -> list[BaseGeometry]:
    """Return lines drawn taut.

    Each inner vertex moves to the middle of its neighbours, unless the line would then sweep over a point or come
    nearer to one than 1.8 mm, or than it is. Even and odd vertices move in turn.

    Args:
        lines: In millimetres.
        points: What must stay on its side.
        rounds: How often every vertex may move; 0 leaves the lines as they are.
    """
    if rounds == 0 or not lines:
        return list(lines)
    parts = [shapely.get_coordinates(shapely.segmentize(line, _STEP_MM)) for line in lines]
    along = np.concatenate(parts)
    place = np.concatenate([np.arange(len(part)) for part in parts])
    inner = (place > 0) & np.append(place[1:] > 0, False)
    tree = shapely.STRtree(points)
    for turn in range(2 * rounds):
        movers = np.flatnonzero(inner & (place % 2 == turn % 2))
        if len(movers):
            _move(along, movers, tree)
    starts = np.flatnonzero(place == 0)[1:]
    return [_cut(part, tree) for part in np.split(along, starts)]


def _move(along: Array, movers: NDArray[np.int64], tree: shapely.STRtree) -> None:
    """Move vertices to the middle of their neighbours where no point is in the way."""
    points = np.asarray(tree.geometries)
    old, before, after = along[movers], along[movers - 1], along[movers + 1]
    new = np.round(old + _PULL * ((before + after) / 2 - old), 4)
    fine = np.any(np.abs(new - old) > _STILL_MM, axis=1)
    near = np.asarray(shapely.linestrings(np.stack((before, new, after), axis=1)))
    hit, point = tree.query(near, predicate="dwithin", distance=_KEEP_OFF_MM)
    if len(hit):
        was = np.asarray(shapely.linestrings(np.stack((before, old, after), axis=1)))
        nearer = shapely.distance(near[hit], points[point]) < shapely.distance(was[hit], points[point]) - 1e-9
        fine[hit[nearer]] = False
    fine[_holding(tree, before, old, after, new)] = False
    along[movers[fine]] = new[fine]


def _holding(tree: shapely.STRtree, *corners: Array) -> NDArray[np.int64]:
    """Return which convex hulls of corners, row by row, hold a point; only those near one are made."""
    around = np.asarray(shapely.linestrings(np.stack(corners, axis=1)))
    near, point = tree.query(around)
    rows, of = np.unique(near, return_inverse=True)
    hulls = np.asarray(shapely.convex_hull(around[rows]))
    held: NDArray[np.int64] = distinct(near[shapely.intersects(hulls[of], tree.geometries[point])])
    return held


def _cut(along: Array, tree: shapely.STRtree) -> BaseGeometry:
    """Cut corners, which stays within the triangles at them; where one holds a point, the corner is left."""
    for _ in range(_CORNERS):
        if len(along) < 3:  # noqa: PLR2004 - no corner
            break
        corner = along[1:-1]
        first, second = (3 * corner + along[:-2]) / 4, (3 * corner + along[2:]) / 4
        sharp = np.zeros(len(corner), dtype=bool)
        sharp[_holding(tree, first, corner, second)] = True
        first[sharp], second[sharp] = corner[sharp], corner[sharp]
        inner = np.stack((first, second), axis=1).reshape(-1, 2)
        along = np.vstack((along[:1], inner, along[-1:]))
        along = along[np.append(True, np.any(np.diff(along, axis=0) != 0, axis=1))]
    return shapely.simplify(shapely.LineString(np.round(along, 3)), 0.02)
