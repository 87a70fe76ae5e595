"""Second lines: on narrow land and on strings of islands all corridors share one way, and a network has few loops.

There, a second line from city to city passes those between by, on another side of the land, as main lines and coast
lines do.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from mapkit.kinds.rail.drafting.city_paths import hops_of
from mapkit.kinds.rail.drafting.corridors import Corridor, Network, Wear, network_of, way_back
from mapkit.kinds.rail.drafting.ways import Net

FEW: Final = 1.53
"""Edges a node below which a network gets second lines; drafts are to have 1.5."""
ENOUGH: Final = 1.6
"""Edges a node that it gets then."""
_TAKEN: Final = 5.0
"""What a way that has a line costs a second one."""
_LONGER: Final = 1.6
"""A second line is at the most so many times as long as the first way."""
_GAIN: Final = 0.004
"""Edges a node that a second line adds at the least."""
_PASSED: Final = 3
"""A second line leads to a city that is so many hops away, at the most."""


def with_second_lines(found: Network, net: Net, cities: Sequence[int], near: float) -> Network:
    """Return a network with second lines, the shortest first, until it has enough corridors or there are no more.

    Args:
        found: The network.
        net: The ways.
        cities: The stops that are cities.
        near: A junction nearer than this to a city is put there, miles.
    """
    if found.edges_a_node >= FEW:
        return found
    for miles, a, b in _apart(found.links, cities):
        if found.edges_a_node >= ENOUGH:
            break
        wear = Wear(net, dict.fromkeys(found.used, _TAKEN))
        way = way_back(wear.ways_from(a, b, set(cities))[1], a, b)
        if not way or net.miles[way].sum() > miles * _LONGER:
            continue
        new = network_of(net, found.used | set(way), cities, near)
        if new.edges_a_node >= found.edges_a_node + _GAIN:
            found = new
    return found


def _apart(links: Sequence[Corridor], cities: Sequence[int]) -> list[tuple[float, int, int]]:
    """Return cities with others between: how far apart, and both, the nearest first."""
    beside = {city: {hop.b: hop.miles for hop in hops} for city, hops in hops_of(links, cities).items()}
    return sorted(
        (round(miles, 4), a, b)
        for a, near in beside.items()
        for b, miles in _within(beside, a).items()
        if a < b and b not in near
    )


def _within(beside: Mapping[int, Mapping[int, float]], start: int) -> dict[int, float]:
    """Return how far cities are that a few hops lead to."""
    least = {start: 0.0}
    for _ in range(_PASSED):
        for city, miles in list(least.items()):
            for other, more in beside[city].items():
                least[other] = min(least.get(other, miles + more), miles + more)
    return least
