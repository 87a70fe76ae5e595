"""Ways between stops: a triangulation over land, and crossings to islands."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import lowest_members
from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints
from mapkit.kinds.rail.drafting.stops import Stops

_FORD_CELLS: Final = 1.3
"""Cells of water that a way may cross: the base map is as coarse."""
_FORD_MI: Final = 0.4
LONGEST_CROSSING_MI: Final = 150.0
_CROSSING_COST: Final = 3.0
"""What a mile of a crossing costs."""
_ISLAND_DETOUR: Final = 2.2
"""A crossing to another island is laid where the way without it is more than so many times as long."""
_INLET_DETOUR: Final = 4.0
"""Likewise one of a bay or fjord."""
_SHORTEST_CROSSING: Final = 1.0
"""Distances of stops: narrower inlets are not crossed by ferries."""


@dataclass(frozen=True)
class WayNet:
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


def lay_net(ground: Ground, stops: Stops) -> WayNet:
    """Return the ways between stops: the triangulation over land, and crossings to islands with places."""
    ends = _delaunay_edges(stops.at)
    miles, wet_miles, cost = ground.along(stops.at[ends[:, 0]], stops.at[ends[:, 1]])
    is_bare = np.array([place is None for place in stops.places])
    cost = miles * cost * (1.0 + 0.05 * is_bare[ends].sum(axis=1))
    is_dry = wet_miles <= ground.cell * _FORD_CELLS + _FORD_MI
    dry_groups = lowest_members(ends[is_dry], len(stops))
    crossing_ways = _choose_crossings(ends, miles, wet_miles, dry_groups, stops, ~is_dry)
    kept_ways = np.flatnonzero(is_dry | np.isin(np.arange(len(ends)), crossing_ways))
    cost = np.where(np.isin(np.arange(len(ends)), crossing_ways), cost + wet_miles * _CROSSING_COST, cost)
    joined_groups = lowest_members(ends[kept_ways], len(stops))
    people_by_group = np.bincount(
        joined_groups, weights=[0 if place is None else 1 + place.population for place in stops.places]
    )
    main_group = int(people_by_group.argmax())
    reached_stops = np.flatnonzero(joined_groups == main_group)
    kept_ways = kept_ways[joined_groups[ends[kept_ways, 0]] == main_group]
    number_of_way = {int(way): number for number, way in enumerate(kept_ways)}
    return WayNet(
        ends[kept_ways],
        miles[kept_ways],
        cost[kept_ways],
        frozenset(number_of_way[way] for way in crossing_ways if way in number_of_way),
        frozenset(reached_stops.tolist()),
    )


def _delaunay_edges(at: Floats) -> Ints:
    """Return the edges of the Delaunay triangulation of points, sorted."""
    if len(at) == 2:  # noqa: PLR2004 - one side
        return np.array([[0, 1]], dtype=np.int64)
    edges = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(at), only_edges=True))
    number_by_point = {(x, y): index for index, (x, y) in enumerate(at.tolist())}
    pairs = {
        tuple(sorted((number_by_point[tuple(first_point)], number_by_point[tuple(second_point)])))
        for first_point, second_point in (shapely.get_coordinates(side).tolist() for side in edges)
    }
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _choose_crossings(ends: Ints, miles: Floats, wet: Floats, group: Ints, stops: Stops, over: Flags) -> list[int]:
    """Return the ways over water that shorten routes between places by much (greedy spanner, Althöfer 1993).

    The shortest ones come first, so that each island is joined where it is nearest.
    """
    peopled_groups = {int(group[stop]) for stop, place in enumerate(stops.places) if place is not None}
    longest_mi = min(LONGEST_CROSSING_MI, float((stops.at.max(axis=0) - stops.at.min(axis=0)).max()) * 0.35)
    candidates = [
        (round(float(wet[way]), 3), way)
        for way in np.flatnonzero(over).tolist()
        if wet[way] <= longest_mi and {int(group[end]) for end in ends[way]} <= peopled_groups
    ]
    neighbours: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for way in np.flatnonzero(~over).tolist():
        _add_way(neighbours, ends[way].tolist(), float(miles[way]))
    crossings: list[int] = []
    for wet_miles, way in sorted(candidates):
        first_stop, second_stop = ends[way].tolist()
        joins_groups = group[first_stop] != group[second_stop]
        if wet_miles < _SHORTEST_CROSSING * stops.apart and not joins_groups:
            continue
        if _is_farther(
            neighbours, first_stop, second_stop, float(miles[way]) * (_ISLAND_DETOUR if joins_groups else _INLET_DETOUR)
        ):
            _add_way(neighbours, (first_stop, second_stop), float(miles[way]))
            crossings.append(way)
    return sorted(crossings)


def _add_way(beside: dict[int, list[tuple[int, float]]], ends: Sequence[int], miles: float) -> None:
    first_stop, second_stop = ends
    beside[first_stop].append((second_stop, miles))
    beside[second_stop].append((first_stop, miles))


def _is_farther(beside: Mapping[int, Sequence[tuple[int, float]]], start: int, end: int, limit: float) -> bool:
    """Return whether the shortest path between two stops is longer than a limit."""
    miles_by_stop = {start: 0.0}
    stop_queue = [(0.0, start)]
    while stop_queue:
        miles_so_far, node = heappop(stop_queue)
        if node == end:
            return False
        if miles_so_far > miles_by_stop[node]:
            continue
        for neighbour, miles in beside.get(node, ()):
            new_miles = miles_so_far + miles
            if new_miles <= limit and new_miles < miles_by_stop.get(neighbour, limit + 1):
                miles_by_stop[neighbour] = new_miles
                heappush(stop_queue, (new_miles, neighbour))
    return True
