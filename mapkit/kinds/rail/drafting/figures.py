"""Figures of a board, to compare drafts with boards of the family.

The network is contracted: mileposts and junctions at which only two ways meet and that are no city are taken out. Track
of several railroads between the same ends counts once.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.base import Frozen
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths
from mapkit.kinds.rail.network.trips import estimate_game_length

_WAYS_OF_THROUGH_NODE: Final = 2
_FAR_QUANTILE: Final = 0.95

Links = dict[frozenset[str], float]


class Figures(Frozen):
    """Figures of a board.

    Attributes:
        cities: How many.
        railroads: How many.
        mileposts: How many.
        edges_a_node: Of the contracted network.
        detour: By rail through as the crow flies, the mean of all pairs of cities.
        detour_95: The same, of which 95 % of the pairs have less.
        tree: The length of all ways, in lengths of the least tree that joins them.
        railroads_a_city: The mean.
        monopolies: The share of the cities that one railroad alone serves.
        likeliest: The chance of the likeliest city.
        trip: Mileposts of a trip, by the odds of the charts.
        step: Miles from milepost to milepost, the median.
        payoff: What a trip pays, thousands.
        price: What a railroad costs on average, in payoffs.
        dearest: The dearest railroad, in mean prices.
        trips: Of a game.
    """

    cities: int
    railroads: int
    mileposts: int
    edges_a_node: float
    detour: float
    detour_95: float
    tree: float
    railroads_a_city: float
    monopolies: float
    likeliest: float
    trip: float
    step: float
    payoff: float
    price: float
    dearest: float
    trips: float


def measure_board(board: Board) -> Figures:
    """Return the figures of a board that is in one piece and has charts."""
    links: Links = {}
    for track_piece in board.pieces:
        ends = frozenset((track_piece.a, track_piece.b))
        if len(ends) > 1:
            links[ends] = min(track_piece.miles, links.get(ends, track_piece.miles))
    city_mileposts = {city.milepost for city in board.cities}
    position_by_id = {m.id: (m.lon, m.lat) for m in board.mileposts}
    net = contract_network(links, city_mileposts)
    nodes = sorted({end for ends in net for end in ends})
    detours = _detour_ratios(net, nodes, sorted(city_mileposts), position_by_id)
    chances = calculate_city_chances(board)
    served = railroads_by_city(board)
    length = estimate_game_length(board)
    prices = [r.price for r in board.railroads if not r.public]
    mean_price = sum(prices) / len(prices) if prices else 0.0
    payoff = length.payoff if length else 0.0
    return Figures(
        cities=len(board.cities),
        railroads=len(board.railroads),
        mileposts=len(board.mileposts),
        edges_a_node=_round_figure(len(net) / len(nodes)),
        detour=_round_figure(float(detours.mean())),
        detour_95=_round_figure(float(np.quantile(detours, _FAR_QUANTILE))),
        tree=_round_figure(sum(net.values()) / _spanning_tree_miles(net)),
        railroads_a_city=_round_figure(sum(map(len, served.values())) / len(board.cities)),
        monopolies=_round_figure(sum(len(railroads) == 1 for railroads in served.values()) / len(board.cities)),
        likeliest=round(float(max(chances.values())), 4),
        trip=_round_figure(_mean_trip_moves(board, {city.id: float(chances[city.id]) for city in board.cities})),
        step=_round_figure(median(np.array([s.miles for s in board.segments]))),
        payoff=_round_figure(payoff / board.units.payoff),
        price=_round_figure(mean_price / payoff if payoff else 0.0),
        dearest=_round_figure(max(prices, default=0) / mean_price if mean_price else 0.0),
        trips=_round_figure(length.trips if length else 0.0),
    )


def contract_network(links: Mapping[frozenset[str], float], keep: set[str]) -> Links:
    """Contract nodes of two ways, except those to keep; of two parallel ways, keep the shorter."""
    contracted_links = dict(links)
    neighbours: dict[str, set[str]] = defaultdict(set)
    for ends in contracted_links:
        a, b = sorted(ends)
        neighbours[a].add(b)
        neighbours[b].add(a)
    node_stack = sorted(neighbours, reverse=True)
    while node_stack:
        node = node_stack.pop()
        node_neighbours = sorted(neighbours[node])
        if node in keep or len(node_neighbours) > _WAYS_OF_THROUGH_NODE or not node_neighbours:
            continue
        for neighbour in node_neighbours:
            neighbours[neighbour].discard(node)
        through_miles = sum(contracted_links.pop(frozenset((node, neighbour))) for neighbour in node_neighbours)
        neighbours[node] = set()
        if len(node_neighbours) == _WAYS_OF_THROUGH_NODE:
            ends = frozenset(node_neighbours)
            contracted_links[ends] = min(through_miles, contracted_links.get(ends, through_miles))
            neighbours[node_neighbours[0]].add(node_neighbours[1])
            neighbours[node_neighbours[1]].add(node_neighbours[0])
        node_stack += reversed(node_neighbours)
    return contracted_links


def _detour_ratios(
    net: Links, nodes: list[str], cities: list[str], where: Mapping[str, tuple[float, float]]
) -> NDArray[np.float64]:
    index_by_node = {node: index for index, node in enumerate(nodes)}
    edge_indices = np.array([sorted(index_by_node[end] for end in pair) for pair in net], dtype=np.int64)
    rail_miles = find_shortest_paths(
        edge_indices, np.array(list(net.values())), len(nodes), [index_by_node[city] for city in cities]
    )
    first_city, second_city = np.triu_indices(len(cities), 1)
    lon, lat = (np.array([where[city][axis] for city in cities]) for axis in (0, 1))
    crow_miles = (
        np.asarray(geod().inv(lon[first_city], lat[first_city], lon[second_city], lat[second_city])[2])
        / METRES_PER_MILE
    )
    city_columns = np.array([index_by_node[city] for city in cities])
    ratios = rail_miles[first_city, city_columns[second_city]] / np.maximum(crow_miles, 1e-6)
    return np.asarray(ratios[np.isfinite(ratios)], dtype=np.float64)


def _spanning_tree_miles(net: Links) -> float:
    parent_by_node: dict[str, str] = {}

    def of(node: str) -> str:
        while parent_by_node.setdefault(node, node) != node:
            parent_by_node[node] = parent_by_node[parent_by_node[node]]
            node = parent_by_node[node]
        return node

    tree_miles = 0.0
    for miles, (a, b) in sorted((miles, sorted(ends)) for ends, miles in net.items()):
        first_root, second_root = of(a), of(b)
        if first_root != second_root:
            parent_by_node[first_root] = second_root
            tree_miles += miles
    return tree_miles


def _mean_trip_moves(board: Board, chances: Mapping[str, float]) -> float:
    """Return the mean mileposts of a trip between two different cities drawn by their odds."""
    path_table = count_all_pairs_moves(board)
    index_by_id = {ident: index for index, ident in enumerate(path_table.ids)}
    city_indices = np.array([index_by_id[city.milepost] for city in board.cities])
    odds = np.array([chances[city.id] for city in board.cities])
    pair_odds = np.outer(odds, odds)
    np.fill_diagonal(pair_odds, 0.0)
    return float((pair_odds * path_table.moves[np.ix_(city_indices, city_indices)]).sum() / pair_odds.sum())


def _round_figure(value: float) -> float:
    return round(value, 2)
