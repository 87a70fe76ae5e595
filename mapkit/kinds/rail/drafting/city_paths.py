"""Paths from city to city over corridors, through junctions but no other city."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from mapkit.kinds.rail.drafting.corridors import Corridor


@dataclass(frozen=True)
class Hop:
    """Path from a city to a neighbouring city.

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


def find_hops(links: Sequence[Corridor], cities: Collection[int]) -> dict[int, tuple[Hop, ...]]:
    """Return the hops from each city, the shortest first, one for each neighbour."""
    neighbours: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for link_number, link in enumerate(links):
        a, b = link.ends
        neighbours[a].append((b, link_number))
        neighbours[b].append((a, link_number))
    return {city: _find_hops_from(city, links, neighbours, frozenset(cities)) for city in sorted(cities)}


def _find_hops_from(
    city: int, links: Sequence[Corridor], beside: dict[int, list[tuple[int, int]]], cities: frozenset[int]
) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    path_queue: list[tuple[float, int, tuple[int, ...]]] = [(0.0, city, ())]
    done_nodes: set[int] = set()
    while path_queue:
        miles, node, path_links = heappop(path_queue)
        if node in done_nodes:
            continue
        done_nodes.add(node)
        if node != city and node in cities:
            hops.append(Hop(city, node, path_links, miles))
            continue
        for neighbour, link_number in beside[node]:
            if neighbour not in done_nodes:
                heappush(
                    path_queue, (round(miles + links[link_number].miles, 6), neighbour, (*path_links, link_number))
                )
    return tuple(hops)


def merge_groups(groups: Iterable[Collection[int]]) -> list[set[int]]:
    """Return the unions of groups that share members, the largest first."""
    merged_groups: list[set[int]] = []
    for group in groups:
        overlapping_groups = [group_union for group_union in merged_groups if group_union & set(group)]
        merged_groups = [group_union for group_union in merged_groups if not group_union & set(group)]
        merged_groups.append(set(group).union(*overlapping_groups))
    return sorted(merged_groups, key=lambda piece: (-len(piece), min(piece)))
