"""The corridors of a draft: which cities are joined, and by which ways.

Two cities are joined unless another one lies between them. How far between counts is an exponent: with 2 the joined
pairs are those of Gabriel's graph, without limit those of the relative neighbourhood graph. It is chosen so that the
network, contracted to cities and junctions, has as many edges a node as the boards of the family.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.plane import Floats
from mapkit.kinds.rail.drafting.ways import Net

EDGES_A_NODE: Final = 1.78
"""Wanted: the United States board has 1.85, others of the family less."""
_EXPONENTS: Final = (12.0, 8.0, 6.0, 5.0, 4.2, 3.6, 3.2, 2.8, 2.5, 2.25, 2.0, 1.8, 1.65, 1.5, 1.4, 1.3, 1.2, 1.12)
_WORN: Final = 0.8
"""What a way costs that another corridor takes already: so corridors come together."""
_THROUGH: Final = 2


@dataclass(frozen=True)
class Corridor:
    """A corridor between two cities or junctions.

    Attributes:
        stops: The stops on it, with both ends.
        miles: How long it is.
        cost: What it costs to build.
        ferries: How many crossings of open water it has.
    """

    stops: tuple[int, ...]
    miles: float
    cost: float
    ferries: int = 0

    @property
    def ends(self) -> tuple[int, int]:
        """Return both ends, the lower first."""
        a, b = self.stops[0], self.stops[-1]
        return (a, b) if a < b else (b, a)


@dataclass(frozen=True)
class Network:
    """Corridors, and the ways of the net that they were made of, by number."""

    links: tuple[Corridor, ...]
    used: frozenset[int]

    @property
    def edges_a_node(self) -> float:
        """Return how many corridors there are for each city and junction."""
        return len(self.links) / max(len({end for link in self.links for end in link.ends}), 1)


def lay_corridors(net: Net, cities: Sequence[int], near: float) -> Network:
    """Return the corridors between cities.

    Args:
        net: The ways.
        cities: The stops that are cities.
        near: A junction nearer than this to a city is put there, miles.
    """
    wear = Wear(net)
    apart = np.array([[least[city] for city in cities] for least in (wear.ways_from(city)[0] for city in cities)])
    found = Network((), frozenset())
    laid: set[tuple[int, int]] = set()
    for exponent in _EXPONENTS:
        new = [pair for pair in joined_pairs(apart, exponent) if pair not in laid]
        for a, b in new:
            wear.lay(cities[a], cities[b])
        laid.update(new)
        found = network_of(net, wear.used, cities, near)
        if found.edges_a_node >= EDGES_A_NODE:
            break
    return found


def network_of(net: Net, used: Iterable[int], cities: Sequence[int], near: float) -> Network:
    """Return the corridors that ways make; the arguments are those of `lay_corridors`, and the ways by number."""
    ways = frozenset(used)
    return Network(_merged(contract(net, sorted(ways), set(cities)), set(cities), near), ways)


def measured(links: Iterable[Corridor], at: Floats) -> tuple[Corridor, ...]:
    """Return corridors with their lengths along their stops: ends that were moved to a city made them longer."""
    return tuple(
        replace(link, miles=round(float(np.hypot(*np.diff(at[list(link.stops)], axis=0).T).sum()), 4)) for link in links
    )


def joined_pairs(apart: Floats, exponent: float) -> list[tuple[int, int]]:
    """Return the pairs of cities between which no other lies, the nearest first."""
    powers = (apart / apart.max()) ** exponent
    out = []
    for a in range(len(apart)):
        for b in range(a + 1, len(apart)):
            between = powers[a] + powers[b]
            between[[a, b]] = np.inf
            if between.min() >= powers[a, b]:
                out.append((round(float(apart[a, b]), 6), a, b))
    return [(a, b) for _, a, b in sorted(out)]


class Wear:
    """Ways that get cheaper where corridors take them.

    Args:
        net: The ways.
        dear: Ways that cost more, by number, and how many times as much.
    """

    def __init__(self, net: Net, dear: Mapping[int, float] | None = None) -> None:
        self.used: set[int] = set()
        self._cost: list[float] = net.cost.tolist()
        for way, times in (dear or {}).items():
            self._cost[way] *= times
        self._beside: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for way, (a, b) in enumerate(net.ends.tolist()):
            self._beside[a].append((b, way))
            self._beside[b].append((a, way))

    def ways_from(
        self, start: int, end: int = -1, shut: Collection[int] = ()
    ) -> tuple[dict[int, float], dict[int, tuple[int, int]]]:
        """Return the cost of each node from a start, and the node and way before it.

        Args:
            start: The node.
            end: Nodes that are farther than this one are left out.
            shut: Nodes that nothing runs through.
        """
        least, before = {start: 0.0}, dict[int, tuple[int, int]]()
        waiting, done = [(0.0, start)], set[int]()
        while waiting:
            far, node = heappop(waiting)
            if node in done:
                continue
            done.add(node)
            if node == end:
                break
            if node in shut and node != start:
                continue
            for other, way in self._beside[node]:
                there = far + self._cost[way]
                if there < least.get(other, np.inf):
                    least[other], before[other] = there, (node, way)
                    heappush(waiting, (there, other))
        return least, before

    def lay(self, start: int, end: int) -> None:
        """Lay a corridor."""
        for way in way_back(self.ways_from(start, end)[1], start, end):
            if way not in self.used:
                self.used.add(way)
                self._cost[way] *= _WORN


def way_back(before: Mapping[int, tuple[int, int]], start: int, end: int) -> list[int]:
    """Return the ways from an end back to a start, by the node and way before each node; none if there is no way."""
    out, node = [], end
    while node != start:
        if node not in before:
            return []
        node, way = before[node]
        out.append(way)
    return out


def contract(net: Net, used: Sequence[int], keep: set[int]) -> tuple[Corridor, ...]:
    """Return used ways as links from one city or junction to the next; dead ends that are no city are left out."""
    return joined(
        [
            Corridor(
                tuple(net.ends[way].tolist()), float(net.miles[way]), float(net.cost[way]), int(way in net.crossings)
            )
            for way in used
        ],
        keep,
    )


def joined(links: Sequence[Corridor], keep: set[int]) -> tuple[Corridor, ...]:
    """Return links joined where only two meet off a city; of two between the same ends the shorter one stays."""
    out = _apart(links)
    while True:
        at: dict[int, set[Corridor]] = defaultdict(set)
        for link in out:
            for end in link.ends:
                at[end].add(link)
        through = [node for node in sorted(at) if node not in keep and len(at[node]) <= _THROUGH]
        for node in through:
            met = sorted(at[node], key=lambda link: link.stops)
            for link in met:
                for end in link.ends:
                    at[end].discard(link)
            if len(met) == _THROUGH:
                whole = _end_to_end(met[0], met[1], node)
                for end in whole.ends:
                    at[end].add(whole)
        out = _apart({link for links in at.values() for link in links})
        if not through:
            return out


def _apart(links: Iterable[Corridor]) -> tuple[Corridor, ...]:
    """Return links, sorted, without loops, and of those between the same ends the shortest."""
    best: dict[tuple[int, int], Corridor] = {}
    for link in sorted(links, key=lambda link: (round(link.miles, 6), link.stops)):
        if link.stops[0] != link.stops[-1]:
            best.setdefault(link.ends, link)
    return tuple(sorted(best.values(), key=lambda link: link.stops))


def _end_to_end(one: Corridor, other: Corridor, node: int) -> Corridor:
    head = one.stops if one.stops[-1] == node else one.stops[::-1]
    tail = other.stops if other.stops[0] == node else other.stops[::-1]
    stops = head + tail[1:]
    stops = stops if stops[0] <= stops[-1] else stops[::-1]
    return Corridor(stops, one.miles + other.miles, one.cost + other.cost, one.ferries + other.ferries)


def _merged(links: tuple[Corridor, ...], cities: set[int], near: float) -> tuple[Corridor, ...]:
    """Return links with junctions that are near a city, or each other, put in one place."""
    while True:
        short = [
            (link.miles, link.stops)
            for link in links
            if link.miles < near and not (link.stops[0] in cities and link.stops[-1] in cities)
        ]
        if not short:
            return links
        stops = min(short)[1]
        gone, stays = (stops[0], stops[-1]) if stops[0] not in cities else (stops[-1], stops[0])
        links = joined([_moved(link, gone, stays) for link in links if link.stops != stops], cities)


def _moved(link: Corridor, gone: int, stays: int) -> Corridor:
    """Return a link that ended at one node with its end at another."""
    if gone not in link.ends:
        return link
    stops = tuple(stays if stop == gone else stop for stop in link.stops)
    return Corridor(stops, link.miles, link.cost, link.ferries)
