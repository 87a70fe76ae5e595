"""The ways between stops: a net of triangles over land, and crossings to islands."""

from dataclasses import dataclass
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
_SECOND: Final = 1.6
"""A second crossing between two islands is at most so many times as long as the first."""
_ASIDE: Final = 6.0
"""And so many distances of stops away from it."""


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
    """Return the ways between stops: the triangles over land, the shortest crossings to islands with places."""
    ends = _triangles(stops.at)
    miles, wet, cost = ground.along(stops.at[ends[:, 0]], stops.at[ends[:, 1]])
    bare = np.array([place is None for place in stops.places])
    cost = miles * cost * (1.0 + 0.05 * bare[ends].sum(axis=1))
    dry = wet <= ground.cell * _FORD + _FORD_MI
    group = components(ends[dry], len(stops))
    links = _crossings(ends, wet, group, stops, ~dry)
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


def _crossings(ends: Ints, wet: Floats, group: Ints, stops: Stops, over: Flags) -> list[int]:
    """Return the ways that join islands with places: the shortest, and a second one where it is not much longer."""
    peopled = {int(group[at]) for at, place in enumerate(stops.places) if place is not None}
    limit = min(LONGEST_CROSSING_MI, _span(stops.at) * 0.35)
    found = [
        (round(float(wet[way]), 3), way)
        for way in np.flatnonzero(over).tolist()
        if wet[way] <= limit
        and group[ends[way, 0]] != group[ends[way, 1]]
        and {int(group[end]) for end in ends[way]} <= peopled
    ]
    root: dict[int, int] = {}
    first: dict[frozenset[int], tuple[float, Floats]] = {}
    out: list[int] = []
    for length, way in sorted(found):
        pair = frozenset(int(group[end]) for end in ends[way])
        one, other = (_root(root, end) for end in sorted(pair))
        middle = stops.at[ends[way]].mean(axis=0)
        if one != other:
            root[max(one, other)] = min(one, other)
            first[pair] = (length, middle)
            out.append(way)
        elif pair in first and len(pair) > 1:
            shortest, there = first[pair]
            if length <= shortest * _SECOND and float(np.hypot(*(middle - there))) >= _ASIDE * stops.apart:
                del first[pair]
                out.append(way)
    return sorted(out)


def _root(root: dict[int, int], node: int) -> int:
    while root.setdefault(node, node) != node:
        node = root[node]
    return node


def _span(at: Floats) -> float:
    return float((at.max(axis=0) - at.min(axis=0)).max())
