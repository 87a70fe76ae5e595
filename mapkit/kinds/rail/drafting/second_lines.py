"""Second lines between cities of networks with few loops, as on narrow land and strings of islands.

There, a second line from city to city passes those between by, on another side of the land, as main lines and coast
lines do.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mapkit.kinds.rail.drafting.city_paths import find_hops
from mapkit.kinds.rail.drafting.corridors import Corridor, Network, WayCosts, build_network, trace_path
from mapkit.kinds.rail.drafting.ways import WayNet

FEWEST_EDGES_A_NODE: Final = 1.53
"""Edges a node below which a network gets second lines; drafts are to have 1.5."""
ENOUGH_EDGES_A_NODE: Final = 1.6
"""Edges a node that it gets then."""
_SECOND_LINE_COST: Final = 5.0
"""What a way that has a line costs a second one."""
_LONGEST_RATIO: Final = 1.6
"""A second line is at the most so many times as long as the first way."""
_LEAST_GAIN: Final = 0.004
"""Edges a node that a second line adds at the least."""
_MOST_HOPS: Final = 3
"""A second line leads to a city that is so many hops away, at the most."""


def with_second_lines(found: Network, net: WayNet, cities: Sequence[int], near: float) -> Network:
    """Add second lines to a network, the shortest first, until it has enough corridors or there are no more.

    Args:
        found: The network.
        net: The ways.
        cities: The stops that are cities.
        near: A junction nearer than this to a city is put there, miles.
    """
    if found.edges_a_node >= FEWEST_EDGES_A_NODE:
        return found
    for miles, a, b in _list_indirect_pairs(found.links, cities):
        if found.edges_a_node >= ENOUGH_EDGES_A_NODE:
            break
        wear = WayCosts(net, dict.fromkeys(found.used, _SECOND_LINE_COST))
        second_line = trace_path(wear.ways_from(a, b, set(cities))[1], a, b)
        if not second_line or net.miles[second_line].sum() > miles * _LONGEST_RATIO:
            continue
        extended_network = build_network(net, found.used | set(second_line), cities, near)
        if extended_network.edges_a_node >= found.edges_a_node + _LEAST_GAIN:
            found = extended_network
    return found


def _list_indirect_pairs(links: Sequence[Corridor], cities: Sequence[int]) -> list[tuple[float, int, int]]:
    """Return pairs of cities with others between, and their distance, the nearest first."""
    neighbour_miles = {city: {hop.b: hop.miles for hop in hops} for city, hops in find_hops(links, cities).items()}
    return sorted(
        (round(miles, 4), a, b)
        for a, neighbours in neighbour_miles.items()
        for b, miles in _miles_within_hops(neighbour_miles, a).items()
        if a < b and b not in neighbours
    )


def _miles_within_hops(beside: Mapping[int, Mapping[int, float]], start: int) -> dict[int, float]:
    """Return the distance of cities within a few hops of a start."""
    miles_by_city = {start: 0.0}
    for _ in range(_MOST_HOPS):
        for city, miles in list(miles_by_city.items()):
            for neighbour, hop_miles in beside[city].items():
                miles_by_city[neighbour] = min(miles_by_city.get(neighbour, miles + hop_miles), miles + hop_miles)
    return miles_by_city
