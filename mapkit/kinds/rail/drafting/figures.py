"""What a board is like in figures, so that drafts can be compared with boards of the family.

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
from mapkit.kinds.rail.network.chances import city_chances
from mapkit.kinds.rail.network.distances import all_pairs
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.network.trips import game_length
from mapkit.kinds.rail.network.ways import least_ways

_THROUGH: Final = 2
_FAR: Final = 0.95

Links = dict[frozenset[str], float]


class Figures(Frozen):
    """A board in figures.

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


def figures_of(board: Board) -> Figures:
    """Return a board in figures; the board is in one piece, and has charts."""
    links: Links = {}
    for piece in board.pieces:
        ends = frozenset((piece.a, piece.b))
        if len(ends) > 1:
            links[ends] = min(piece.miles, links.get(ends, piece.miles))
    places = {city.milepost for city in board.cities}
    where = {m.id: (m.lon, m.lat) for m in board.mileposts}
    net = contracted(links, places)
    nodes = sorted({end for ends in net for end in ends})
    detours = _detours(net, nodes, sorted(places), where)
    chances = city_chances(board)
    served = railroads_by_city(board)
    length = game_length(board)
    prices = [r.price for r in board.railroads if not r.public]
    mean = sum(prices) / len(prices) if prices else 0.0
    payoff = length.payoff if length else 0.0
    return Figures(
        cities=len(board.cities),
        railroads=len(board.railroads),
        mileposts=len(board.mileposts),
        edges_a_node=_short(len(net) / len(nodes)),
        detour=_short(float(detours.mean())),
        detour_95=_short(float(np.quantile(detours, _FAR))),
        tree=_short(sum(net.values()) / _least_tree(net)),
        railroads_a_city=_short(sum(map(len, served.values())) / len(board.cities)),
        monopolies=_short(sum(len(by) == 1 for by in served.values()) / len(board.cities)),
        likeliest=round(float(max(chances.values())), 4),
        trip=_short(_trip(board, {city.id: float(chances[city.id]) for city in board.cities})),
        step=_short(median(np.array([s.miles for s in board.segments]))),
        payoff=_short(payoff / board.units.payoff),
        price=_short(mean / payoff if payoff else 0.0),
        dearest=_short(max(prices, default=0) / mean if mean else 0.0),
        trips=_short(length.trips if length else 0.0),
    )


def contracted(links: Mapping[frozenset[str], float], keep: set[str]) -> Links:
    """Return a network without nodes at which only two ways meet, except those to keep; of two ways the shorter."""
    out = dict(links)
    beside: dict[str, set[str]] = defaultdict(set)
    for ends in out:
        a, b = sorted(ends)
        beside[a].add(b)
        beside[b].add(a)
    waiting = sorted(beside, reverse=True)
    while waiting:
        node = waiting.pop()
        near = sorted(beside[node])
        if node in keep or len(near) > _THROUGH or not near:
            continue
        for other in near:
            beside[other].discard(node)
        miles = sum(out.pop(frozenset((node, other))) for other in near)
        beside[node] = set()
        if len(near) == _THROUGH:
            ends = frozenset(near)
            out[ends] = min(miles, out.get(ends, miles))
            beside[near[0]].add(near[1])
            beside[near[1]].add(near[0])
        waiting += reversed(near)
    return out


def _detours(
    net: Links, nodes: list[str], cities: list[str], where: Mapping[str, tuple[float, float]]
) -> NDArray[np.float64]:
    number = {node: at for at, node in enumerate(nodes)}
    ends = np.array([sorted(number[end] for end in pair) for pair in net], dtype=np.int64)
    miles = least_ways(ends, np.array(list(net.values())), len(nodes), [number[city] for city in cities])
    one, other = np.triu_indices(len(cities), 1)
    lon, lat = (np.array([where[city][axis] for city in cities]) for axis in (0, 1))
    crow = np.asarray(geod().inv(lon[one], lat[one], lon[other], lat[other])[2]) / METRES_PER_MILE
    columns = np.array([number[city] for city in cities])
    found = miles[one, columns[other]] / np.maximum(crow, 1e-6)
    return np.asarray(found[np.isfinite(found)], dtype=np.float64)


def _least_tree(net: Links) -> float:
    root: dict[str, str] = {}

    def of(node: str) -> str:
        while root.setdefault(node, node) != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    total = 0.0
    for miles, (a, b) in sorted((miles, sorted(ends)) for ends, miles in net.items()):
        one, other = of(a), of(b)
        if one != other:
            root[one] = other
            total += miles
    return total


def _trip(board: Board, chances: Mapping[str, float]) -> float:
    """Return the mileposts of a trip between two cities drawn by their odds, not the same."""
    ways = all_pairs(board)
    number = {ident: at for at, ident in enumerate(ways.ids)}
    at = np.array([number[city.milepost] for city in board.cities])
    odds = np.array([chances[city.id] for city in board.cities])
    both = np.outer(odds, odds)
    np.fill_diagonal(both, 0.0)
    return float((both * ways.moves[np.ix_(at, at)]).sum() / both.sum())


def _short(value: float) -> float:
    return round(value, 2)
