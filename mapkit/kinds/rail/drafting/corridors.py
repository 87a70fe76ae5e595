"""Corridors of a draft: pairs of cities to connect, and the ways between them.

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
from mapkit.kinds.rail.drafting.ways import WayNet

EDGES_A_NODE: Final = 1.78
"""Wanted: the United States board has 1.85, others of the family less."""
_EXPONENTS: Final = (12.0, 8.0, 6.0, 5.0, 4.2, 3.6, 3.2, 2.8, 2.5, 2.25, 2.0, 1.8, 1.65, 1.5, 1.4, 1.3, 1.2, 1.12)
_REUSE_COST: Final = 0.8
"""What a way costs that another corridor takes already: so corridors come together."""
_LINKS_OF_THROUGH_NODE: Final = 2


@dataclass(frozen=True)
class Corridor:
    """Corridor between two cities or junctions.

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
    """Corridors, and the numbers of the ways that form them."""

    links: tuple[Corridor, ...]
    used: frozenset[int]

    @property
    def edges_a_node(self) -> float:
        """Return the number of corridors for each city and junction."""
        return len(self.links) / max(len({end for link in self.links for end in link.ends}), 1)


def lay_corridors(net: WayNet, cities: Sequence[int], near: float) -> Network:
    """Lay corridors between cities until the network has enough edges a node.

    Args:
        net: The ways.
        cities: The stops that are cities.
        near: A junction nearer than this to a city is put there, miles.
    """
    wear = WayCosts(net)
    city_costs = np.array(
        [[cost_by_node[city] for city in cities] for cost_by_node in (wear.ways_from(city)[0] for city in cities)]
    )
    network = Network((), frozenset())
    laid_pairs: set[tuple[int, int]] = set()
    for exponent in _EXPONENTS:
        new_pairs = [pair for pair in find_joined_pairs(city_costs, exponent) if pair not in laid_pairs]
        for a, b in new_pairs:
            wear.lay(cities[a], cities[b])
        laid_pairs.update(new_pairs)
        network = build_network(net, wear.used, cities, near)
        if network.edges_a_node >= EDGES_A_NODE:
            break
    return network


def build_network(net: WayNet, used: Iterable[int], cities: Sequence[int], near: float) -> Network:
    """Return the network that ways form, by number; other arguments are those of `lay_corridors`."""
    used_ways = frozenset(used)
    return Network(
        _merge_near_junctions(contract_ways(net, sorted(used_ways), set(cities)), set(cities), near), used_ways
    )


def measure_corridors(links: Iterable[Corridor], at: Floats) -> tuple[Corridor, ...]:
    """Return corridors with lengths measured along their stops, because moved ends made them longer."""
    return tuple(
        replace(link, miles=round(float(np.hypot(*np.diff(at[list(link.stops)], axis=0).T).sum()), 4)) for link in links
    )


def find_joined_pairs(apart: Floats, exponent: float) -> list[tuple[int, int]]:
    """Return the pairs of cities with no other city between them, the nearest first."""
    powers = (apart / apart.max()) ** exponent
    sorted_pairs = []
    for a in range(len(apart)):
        for b in range(a + 1, len(apart)):
            detour_powers = powers[a] + powers[b]
            detour_powers[[a, b]] = np.inf
            if detour_powers.min() >= powers[a, b]:
                sorted_pairs.append((round(float(apart[a, b]), 6), a, b))
    return [(a, b) for _, a, b in sorted(sorted_pairs)]


class WayCosts:
    """Costs of ways that fall where corridors use them.

    Args:
        net: The ways.
        dear: Ways that cost more, by number, and how many times as much.
    """

    def __init__(self, net: WayNet, dear: Mapping[int, float] | None = None) -> None:
        self.used: set[int] = set()
        self._cost: list[float] = net.cost.tolist()
        for way, cost_factor in (dear or {}).items():
            self._cost[way] *= cost_factor
        self._beside: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for way, (a, b) in enumerate(net.ends.tolist()):
            self._beside[a].append((b, way))
            self._beside[b].append((a, way))

    def ways_from(
        self, start: int, end: int = -1, shut: Collection[int] = ()
    ) -> tuple[dict[int, float], dict[int, tuple[int, int]]]:
        """Return the least cost of each node from a start, and its previous node and way (Dijkstra's algorithm).

        Args:
            start: The node.
            end: Nodes that are farther than this one are left out.
            shut: Nodes that nothing runs through.
        """
        cost_by_node, previous_step = {start: 0.0}, dict[int, tuple[int, int]]()
        node_queue, done_nodes = [(0.0, start)], set[int]()
        while node_queue:
            node_cost, node = heappop(node_queue)
            if node in done_nodes:
                continue
            done_nodes.add(node)
            if node == end:
                break
            if node in shut and node != start:
                continue
            for neighbour, way in self._beside[node]:
                neighbour_cost = node_cost + self._cost[way]
                if neighbour_cost < cost_by_node.get(neighbour, np.inf):
                    cost_by_node[neighbour], previous_step[neighbour] = neighbour_cost, (node, way)
                    heappush(node_queue, (neighbour_cost, neighbour))
        return cost_by_node, previous_step

    def lay(self, start: int, end: int) -> None:
        """Lay a corridor."""
        for way in trace_path(self.ways_from(start, end)[1], start, end):
            if way not in self.used:
                self.used.add(way)
                self._cost[way] *= _REUSE_COST


def trace_path(previous_step: Mapping[int, tuple[int, int]], start: int, end: int) -> list[int]:
    """Return the ways from an end back to a start, from the previous node and way of each node; none if unconnected."""
    way_numbers, node = [], end
    while node != start:
        if node not in previous_step:
            return []
        node, way = previous_step[node]
        way_numbers.append(way)
    return way_numbers


def contract_ways(net: WayNet, used: Sequence[int], keep: set[int]) -> tuple[Corridor, ...]:
    """Contract used ways to links between cities and junctions, without dead ends that are no city."""
    return join_links(
        [
            Corridor(
                tuple(net.ends[way].tolist()), float(net.miles[way]), float(net.cost[way]), int(way in net.crossings)
            )
            for way in used
        ],
        keep,
    )


def join_links(links: Sequence[Corridor], keep: set[int]) -> tuple[Corridor, ...]:
    """Join links that meet in pairs off a city; of two links between the same ends, keep the shorter one."""
    current_links = _drop_parallel_links(links)
    while True:
        links_by_node: dict[int, set[Corridor]] = defaultdict(set)
        for link in current_links:
            for end in link.ends:
                links_by_node[end].add(link)
        through_nodes = [
            node
            for node in sorted(links_by_node)
            if node not in keep and len(links_by_node[node]) <= _LINKS_OF_THROUGH_NODE
        ]
        for node in through_nodes:
            node_links = sorted(links_by_node[node], key=lambda link: link.stops)
            for link in node_links:
                for end in link.ends:
                    links_by_node[end].discard(link)
            if len(node_links) == _LINKS_OF_THROUGH_NODE:
                one = node_links[0]
                other = node_links[1]
                first_stops = one.stops if one.stops[-1] == node else one.stops[::-1]
                last_stops = other.stops if other.stops[0] == node else other.stops[::-1]
                stops = first_stops + last_stops[1:]
                stops = stops if stops[0] <= stops[-1] else stops[::-1]
                joined_link = Corridor(
                    stops, one.miles + other.miles, one.cost + other.cost, one.ferries + other.ferries
                )
                for end in joined_link.ends:
                    links_by_node[end].add(joined_link)
        current_links = _drop_parallel_links({link for links in links_by_node.values() for link in links})
        if not through_nodes:
            return current_links


def _drop_parallel_links(links: Iterable[Corridor]) -> tuple[Corridor, ...]:
    """Return links sorted, without loops, and only the shortest between the same ends."""
    shortest_by_ends: dict[tuple[int, int], Corridor] = {}
    for link in sorted(links, key=lambda link: (round(link.miles, 6), link.stops)):
        if link.stops[0] != link.stops[-1]:
            shortest_by_ends.setdefault(link.ends, link)
    return tuple(sorted(shortest_by_ends.values(), key=lambda link: link.stops))


def _merge_near_junctions(links: tuple[Corridor, ...], cities: set[int], near: float) -> tuple[Corridor, ...]:
    """Merge junctions into cities and junctions nearer than a distance."""
    while True:
        short_links = [
            (link.miles, link.stops)
            for link in links
            if link.miles < near and not (link.stops[0] in cities and link.stops[-1] in cities)
        ]
        if not short_links:
            return links
        stops = min(short_links)[1]
        removed_node, kept_node = (stops[0], stops[-1]) if stops[0] not in cities else (stops[-1], stops[0])
        links = join_links([_move_end(link, removed_node, kept_node) for link in links if link.stops != stops], cities)


def _move_end(link: Corridor, gone: int, stays: int) -> Corridor:
    """Return a link with its end moved from one node to another."""
    if gone not in link.ends:
        return link
    stops = tuple(stays if stop == gone else stop for stop in link.stops)
    return Corridor(stops, link.miles, link.cost, link.ferries)
