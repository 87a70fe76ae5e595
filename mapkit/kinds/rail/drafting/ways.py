"""The ways between stops: a net of triangles over land, and crossings to islands."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

import numpy as np
import shapely

from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints
from mapkit.kinds.rail.drafting.stops import Stops

_FORD: Final = 1.3
"""Cells of water that a way may cross: the base map is as coarse."""
_FORD_MI: Final = 0.4
LONGEST_CROSSING_MI: Final = 150.0
_CROSSING: Final = 3.0
"""What a mile of a crossing costs."""
_AROUND: Final = 2.2
"""A crossing to another island is laid where the way without it is more than so many times as long."""
_INLET: Final = 4.0
"""Likewise one of a bay or fjord."""
_SHORTEST: Final = 1.0
"""Distances of stops: narrower inlets are not crossed by ferries."""


@dataclass(frozen=True)
class Net:
    """Ways between stops.

    Attributes:
        ends: Two stops of each way, shape (m, 2).
        miles: How long each is.
        cost: What it costs to build.
        crossings: Which ways are crossings of open water.
        reached: Which stops are on the net.
    """

    ends: Ints
    miles: Floats
    cost: Floats
    crossings: frozenset[int]
    reached: frozenset[int]


def lay_net(ground: Ground, stops: Stops) -> Net:
    """Return the ways between stops: the triangles over land, and crossings to islands with places."""
    ends = _triangles(stops.at)
    miles, wet, cost = ground.along(stops.at[ends[:, 0]], stops.at[ends[:, 1]])
    bare = np.array([place is None for place in stops.places])
    cost = miles * cost * (1.0 + 0.05 * bare[ends].sum(axis=1))
    dry = wet <= ground.cell * _FORD + _FORD_MI
    group = components(ends[dry], len(stops))
    links = _crossings(ends, miles, wet, group, stops, ~dry)
    kept = np.flatnonzero(dry | np.isin(np.arange(len(ends)), links))
    cost = np.where(np.isin(np.arange(len(ends)), links), cost + wet * _CROSSING, cost)
    joined = components(ends[kept], len(stops))
    people = np.bincount(joined, weights=[0 if one is None else 1 + one.population for one in stops.places])
    main = int(people.argmax())
    on = np.flatnonzero(joined == main)
    kept = kept[joined[ends[kept, 0]] == main]
    of = {int(way): number for number, way in enumerate(kept)}
    return Net(
        ends[kept],
        miles[kept],
        cost[kept],
        frozenset(of[way] for way in links if way in of),
        frozenset(on.tolist()),
    )


def _triangles(at: Floats) -> Ints:
    """Return the sides of the triangles of Delaunay between points, sorted."""
    if len(at) == 2:  # noqa: PLR2004 - one side
        return np.array([[0, 1]], dtype=np.int64)
    found = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(at), only_edges=True))
    number = {(x, y): index for index, (x, y) in enumerate(at.tolist())}
    pairs = {
        tuple(sorted((number[tuple(one)], number[tuple(other)])))
        for one, other in (shapely.get_coordinates(side).tolist() for side in found)
    }
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def components(ends: Ints, count: int) -> Ints:
    """Return for each node the lowest node that ways join it to."""
    root = list(range(count))

    def of(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for one, other in ends.tolist():
        a, b = of(one), of(other)
        if a != b:
            root[max(a, b)] = min(a, b)
    return np.array([of(node) for node in range(count)], dtype=np.int64)


def _crossings(ends: Ints, miles: Floats, wet: Floats, group: Ints, stops: Stops, over: Flags) -> list[int]:
    """Return the ways over water that shorten the way between places by much (the greedy spanner of Althöfer 1993).

    The shortest ones come first, so that each island is joined where it is nearest.
    """
    peopled = {int(group[at]) for at, place in enumerate(stops.places) if place is not None}
    limit = min(LONGEST_CROSSING_MI, _span(stops.at) * 0.35)
    found = [
        (round(float(wet[way]), 3), way)
        for way in np.flatnonzero(over).tolist()
        if wet[way] <= limit and {int(group[end]) for end in ends[way]} <= peopled
    ]
    beside: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for way in np.flatnonzero(~over).tolist():
        _join(beside, ends[way].tolist(), float(miles[way]))
    out: list[int] = []
    for length, way in sorted(found):
        one, other = ends[way].tolist()
        apart = group[one] != group[other]
        if length < _SHORTEST * stops.apart and not apart:
            continue
        if _farther(beside, one, other, float(miles[way]) * (_AROUND if apart else _INLET)):
            _join(beside, (one, other), float(miles[way]))
            out.append(way)
    return sorted(out)


def _join(beside: dict[int, list[tuple[int, float]]], ends: Sequence[int], miles: float) -> None:
    one, other = ends
    beside[one].append((other, miles))
    beside[other].append((one, miles))


def _farther(beside: Mapping[int, Sequence[tuple[int, float]]], start: int, end: int, limit: float) -> bool:
    """Return whether the least way between two stops is longer than a limit."""
    least = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        far, node = heappop(waiting)
        if node == end:
            return False
        if far > least[node]:
            continue
        for other, miles in beside.get(node, ()):
            there = far + miles
            if there <= limit and there < least.get(other, limit + 1):
                least[other] = there
                heappush(waiting, (there, other))
    return True


def _span(at: Floats) -> float:
    return float((at.max(axis=0) - at.min(axis=0)).max())
