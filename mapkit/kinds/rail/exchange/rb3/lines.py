"""Railroads as the polylines of RB3: long lines, and shifts that keep parallel railroads apart.

Railroads that join the same two dots are moved off them, one to each side; a third stays in the middle. Along a run of
such segments each stays on its own side. A line is cut where a shift has to change.
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
"""So many railroads between the same two dots can be drawn apart."""
_RISING, _FALLING = (1, 2), (3, 4)


def edge(a: Node, b: Node) -> Edge:
    """Return two dots in order."""
    return (a, b) if a < b else (b, a)


def shared_shifts(railroads: Sequence[frozenset[Edge]], places: Mapping[Node, Place]) -> dict[tuple[int, Edge], int]:
    """Return the shift of each railroad on each segment that others run beside; both ends have the same.

    Args:
        railroads: The segments of each.
        places: Where the dots are.
    """
    owners: dict[Edge, list[int]] = defaultdict(list)
    for index, edges in enumerate(railroads):
        for pair in edges:
            owners[pair].append(index)
    runs: dict[tuple[int, ...], list[Edge]] = defaultdict(list)
    for pair, users in owners.items():
        if len(users) > 1:
            runs[tuple(users)].append(pair)
    out: dict[tuple[int, Edge], int] = {}
    for whose, pairs in sorted(runs.items()):
        left, middle, right = whose[0], whose[1:-1], whose[-1]
        for a, b in _along(sorted(pairs)):
            pair = edge(a, b)
            out[left, pair], out[right, pair] = _sides(places[a], places[b])
            out |= {(index, pair): 0 for index in middle}
    return out


def _along(pairs: Sequence[Edge]) -> Iterator[tuple[Node, Node]]:
    """Yield pairs in the direction of a walk along the runs that they make."""
    beside: dict[Node, list[Node]] = defaultdict(list)
    for a, b in pairs:
        beside[a].append(b)
        beside[b].append(a)
    remaining = set(pairs)
    ends = [node for node in sorted(beside) if len(beside[node]) != 2]  # noqa: PLR2004 - one before, one behind
    for start in (*ends, *sorted(beside)):
        for first in beside[start]:
            before, at = start, first
            while edge(before, at) in remaining:
                remaining.discard(edge(before, at))
                yield before, at
                if len(beside[at]) != 2:  # noqa: PLR2004
                    break
                one, other = beside[at]
                before, at = at, other if one == before else one


def _sides(a: Place, b: Place) -> tuple[int, int]:
    """Return the shifts to the left and to the right of the way from `a` to `b`."""
    across, down = b[0] - a[0], (b[1] - a[1]) * RATIO
    one, other = _RISING if across * down <= 0 else _FALLING
    x, y = SHIFTS[one]
    return (one, other) if x * down - y * RATIO * across > 0 else (other, one)


def polylines(
    edges: frozenset[Edge], places: Mapping[Node, Place], shifts: Mapping[Edge, int]
) -> tuple[tuple[RB3Point, ...], ...]:
    """Return a railroad's segments as polylines, each segment once.

    Args:
        edges: Its segments.
        places: Where the dots are.
        shifts: The shift of segments that have one; others take that of their neighbours.
    """
    out: list[tuple[RB3Point, ...]] = []
    for trail in _trails(edges, places):
        start = 0
        needs = [shifts.get(edge(a, b)) for a, b in pairwise(trail)]
        for k in range(1, len(needs) + 1):
            before, after = needs[k - 1], needs[k] if k < len(needs) else None
            if k == len(needs) or (before is not None and after is not None and before != after):
                out.append(tuple(_points(trail[start : k + 1], needs[start:k])))
                start = k
    return tuple(out)


def _points(trail: Sequence[Node], needs: Sequence[int | None]) -> Iterator[RB3Point]:
    for node, before, after in zip(trail, (None, *needs), (*needs, None), strict=True):
        yield RB3Point(*node, before if before is not None else after or 0)


def _trails(edges: frozenset[Edge], places: Mapping[Node, Place]) -> Iterator[list[Node]]:
    """Yield ways that use each segment once, going on as straight as they can, from loose ends first."""
    beside: dict[Node, list[Node]] = defaultdict(list)
    for a, b in sorted(edges):
        beside[a].append(b)
        beside[b].append(a)
    nodes = sorted(beside, key=lambda node: (len(beside[node]) % 2 == 0, len(beside[node]), node))
    for start in nodes:
        while beside[start]:
            trail = [start]
            while beside[trail[-1]]:
                at = trail[-1]
                ahead = max(sorted(beside[at]), key=lambda node: _straightness(trail, node, places))
                beside[at].remove(ahead)
                beside[ahead].remove(at)
                trail.append(ahead)
            yield trail


def _straightness(trail: Sequence[Node], ahead: Node, places: Mapping[Node, Place]) -> float:
    """Return the cosine of the turn towards `ahead`."""
    if len(trail) == 1:
        return 0.0
    (ax, ay), (bx, by), (cx, cy) = places[trail[-2]], places[trail[-1]], places[ahead]
    u, v = (bx - ax, (by - ay) * RATIO), (cx - bx, (cy - by) * RATIO)
    size = float((u[0] ** 2 + u[1] ** 2) * (v[0] ** 2 + v[1] ** 2)) ** 0.5
    return round((u[0] * v[0] + u[1] * v[1]) / size, 9) if size else -1.0
