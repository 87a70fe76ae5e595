"""Hops: the ways from city to city over corridors, through junctions but no other city."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from mapkit.kinds.rail.drafting.corridors import Corridor


@dataclass(frozen=True)
class Hop:
    """A way from a city to the next.

    Attributes:
        a: The city where it begins, a stop.
        b: The city where it ends.
        links: The corridors that it takes, by number, in order.
        miles: How long it is.
    """

    a: int
    b: int
    links: tuple[int, ...]
    miles: float


def hops_of(links: Sequence[Corridor], cities: Collection[int]) -> dict[int, tuple[Hop, ...]]:
    """Return the hops from each city, the shortest first; to each neighbour the shortest one only."""
    beside: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, link in enumerate(links):
        a, b = link.ends
        beside[a].append((b, number))
        beside[b].append((a, number))
    return {city: _from(city, links, beside, frozenset(cities)) for city in sorted(cities)}


def _from(
    city: int, links: Sequence[Corridor], beside: dict[int, list[tuple[int, int]]], cities: frozenset[int]
) -> tuple[Hop, ...]:
    found: list[Hop] = []
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(0.0, city, ())]
    done: set[int] = set()
    while waiting:
        miles, node, way = heappop(waiting)
        if node in done:
            continue
        done.add(node)
        if node != city and node in cities:
            found.append(Hop(city, node, way, miles))
            continue
        for other, number in beside[node]:
            if other not in done:
                heappush(waiting, (round(miles + links[number].miles, 6), other, (*way, number)))
    return tuple(found)


def pieces(groups: Iterable[Collection[int]]) -> list[set[int]]:
    """Return what groups that share members make together, the largest first."""
    out: list[set[int]] = []
    for group in groups:
        met = [piece for piece in out if piece & set(group)]
        out = [piece for piece in out if not piece & set(group)]
        out.append(set(group).union(*met))
    return sorted(out, key=lambda piece: (-len(piece), min(piece)))
