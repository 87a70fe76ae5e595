"""Polylines of railroads in RB3: long lines, and drawing shifts that separate parallel railroads.

Of railroads that join the same two dots, the first and the last are shifted, one to each side; others stay in the
middle. Along a run of such segments each stays on its own side. A line is split where a shift has to change.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from mapkit.kinds.rail.exchange.rb3.model import RATIO, SHIFTS, RB3Point

Node = tuple[int, int]
"""Region and dot, from 1."""
Edge = tuple[Node, Node]
"""In order."""
Place = tuple[float, float]
"""Map units, y downward."""

MOST_APART: Final = 3
"""Largest number of railroads between the same two dots that can be drawn apart."""
_RISING_SHIFTS, _FALLING_SHIFTS = (1, 2), (3, 4)


def sort_edge(a: Node, b: Node) -> Edge:
    """Return two dots in order."""
    return (a, b) if a < b else (b, a)


def find_shared_shifts(
    railroads: Sequence[frozenset[Edge]], places: Mapping[Node, Place]
) -> dict[tuple[int, Edge], int]:
    """Return the shift of each railroad on each segment that it shares with others; both ends have the same.

    Args:
        railroads: The segments of each.
        places: Where the dots are.
    """
    railroads_by_edge: dict[Edge, list[int]] = defaultdict(list)
    for railroad_index, edges in enumerate(railroads):
        for edge_pair in edges:
            railroads_by_edge[edge_pair].append(railroad_index)
    edges_by_railroads: dict[tuple[int, ...], list[Edge]] = defaultdict(list)
    for edge_pair, edge_railroads in railroads_by_edge.items():
        if len(edge_railroads) > 1:
            edges_by_railroads[tuple(edge_railroads)].append(edge_pair)
    shift_by_edge: dict[tuple[int, Edge], int] = {}
    for sharing_railroads, shared_edges in sorted(edges_by_railroads.items()):
        left_railroad, middle_railroads, right_railroad = (
            sharing_railroads[0],
            sharing_railroads[1:-1],
            sharing_railroads[-1],
        )
        for a, b in _walk_runs(sorted(shared_edges)):
            edge_pair = sort_edge(a, b)
            shift_by_edge[left_railroad, edge_pair], shift_by_edge[right_railroad, edge_pair] = _side_shifts(
                places[a], places[b]
            )
            shift_by_edge |= {(railroad_index, edge_pair): 0 for railroad_index in middle_railroads}
    return shift_by_edge


def _walk_runs(pairs: Sequence[Edge]) -> Iterator[tuple[Node, Node]]:
    """Yield pairs in the direction of a walk along the runs that they form."""
    neighbours: dict[Node, list[Node]] = defaultdict(list)
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    remaining_edges = set(pairs)
    end_nodes = [node for node in sorted(neighbours) if len(neighbours[node]) != 2]  # noqa: PLR2004 - one before, one behind
    for start_node in (*end_nodes, *sorted(neighbours)):
        for first_neighbour in neighbours[start_node]:
            previous_node, current_node = start_node, first_neighbour
            while sort_edge(previous_node, current_node) in remaining_edges:
                remaining_edges.discard(sort_edge(previous_node, current_node))
                yield previous_node, current_node
                if len(neighbours[current_node]) != 2:  # noqa: PLR2004
                    break
                first_neighbour_id, second_neighbour = neighbours[current_node]
                previous_node, current_node = (
                    current_node,
                    second_neighbour if first_neighbour_id == previous_node else first_neighbour_id,
                )


def _side_shifts(a: Place, b: Place) -> tuple[int, int]:
    """Return the shifts to the left and to the right of the direction from `a` to `b`."""
    across_units, down_units = b[0] - a[0], (b[1] - a[1]) * RATIO
    first_shift, second_shift = _RISING_SHIFTS if across_units * down_units <= 0 else _FALLING_SHIFTS
    x, y = SHIFTS[first_shift]
    return (first_shift, second_shift) if x * down_units - y * RATIO * across_units > 0 else (second_shift, first_shift)


def edges_to_polylines(
    edges: frozenset[Edge], places: Mapping[Node, Place], shifts: Mapping[Edge, int]
) -> tuple[tuple[RB3Point, ...], ...]:
    """Return a railroad's segments as polylines, each segment once.

    Args:
        edges: Its segments.
        places: Where the dots are.
        shifts: The shift of segments that have one; others take that of their neighbours.
    """
    polyline_list: list[tuple[RB3Point, ...]] = []
    for trail in _walk_trails(edges, places):
        first_index = 0
        needed_shifts = [shifts.get(sort_edge(a, b)) for a, b in pairwise(trail)]
        for k in range(1, len(needed_shifts) + 1):
            shift_before, shift_after = needed_shifts[k - 1], needed_shifts[k] if k < len(needed_shifts) else None
            if k == len(needed_shifts) or (
                shift_before is not None and shift_after is not None and shift_before != shift_after
            ):
                polyline_list.append(tuple(_trail_points(trail[first_index : k + 1], needed_shifts[first_index:k])))
                first_index = k
    return tuple(polyline_list)


def _trail_points(trail: Sequence[Node], needed_shifts: Sequence[int | None]) -> Iterator[RB3Point]:
    for node, shift_before, shift_after in zip(trail, (None, *needed_shifts), (*needed_shifts, None), strict=True):
        yield RB3Point(*node, shift_before if shift_before is not None else shift_after or 0)


def _walk_trails(edges: frozenset[Edge], places: Mapping[Node, Place]) -> Iterator[list[Node]]:
    """Yield trails that use each segment once, as straight as possible, starting at loose ends."""
    neighbours: dict[Node, list[Node]] = defaultdict(list)
    for a, b in sorted(edges):
        neighbours[a].append(b)
        neighbours[b].append(a)
    start_nodes = sorted(neighbours, key=lambda node: (len(neighbours[node]) % 2 == 0, len(neighbours[node]), node))
    for start_node in start_nodes:
        while neighbours[start_node]:
            trail = [start_node]
            while neighbours[trail[-1]]:
                current_node = trail[-1]
                next_node = max(sorted(neighbours[current_node]), key=lambda node: _straightness(trail, node, places))
                neighbours[current_node].remove(next_node)
                neighbours[next_node].remove(current_node)
                trail.append(next_node)
            yield trail


def _straightness(trail: Sequence[Node], ahead: Node, places: Mapping[Node, Place]) -> float:
    """Return the cosine of the turn towards `ahead`."""
    if len(trail) == 1:
        return 0.0
    (ax, ay), (bx, by), (cx, cy) = places[trail[-2]], places[trail[-1]], places[ahead]
    last_step, next_step = (bx - ax, (by - ay) * RATIO), (cx - bx, (cy - by) * RATIO)
    step_product = float((last_step[0] ** 2 + last_step[1] ** 2) * (next_step[0] ** 2 + next_step[1] ** 2)) ** 0.5
    return (
        round((last_step[0] * next_step[0] + last_step[1] * next_step[1]) / step_product, 9) if step_product else -1.0
    )
