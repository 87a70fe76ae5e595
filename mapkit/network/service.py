"""Who serves what: service, access, monopoly, connections, spurs."""

from collections import Counter, defaultdict
from collections.abc import Collection
from fractions import Fraction

import networkx as nx

from mapkit.model.board import Board
from mapkit.network.chances import city_chances


def mileposts_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the mileposts (ids) that each railroad touches."""
    out: dict[str, set[str]] = {railroad.id: set() for railroad in board.railroads}
    for segment in board.segments:
        out[segment.railroad] |= {segment.a, segment.b}
    return {railroad: frozenset(mileposts) for railroad, mileposts in out.items()}


def cities_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the cities (ids) that each railroad serves: it touches their milepost."""
    return {
        railroad: frozenset(city.id for city in board.cities if city.milepost in mileposts)
        for railroad, mileposts in mileposts_by_railroad(board).items()
    }


def railroads_by_city(board: Board) -> dict[str, frozenset[str]]:
    """Return the railroads (ids) that serve each city."""
    served = cities_by_railroad(board)
    return {
        city.id: frozenset(railroad for railroad, cities in served.items() if city.id in cities)
        for city in board.cities
    }


def access(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city that one of the railroads (ids) serves."""
    served, chances = cities_by_railroad(board), city_chances(board)
    cities = frozenset().union(*(served[railroad] for railroad in railroads))
    return sum((chances[city] for city in cities), Fraction(0))


def monopoly(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city that only these railroads (ids) serve."""
    allowed, chances = frozenset(railroads), city_chances(board)
    return sum((chances[city] for city, by in railroads_by_city(board).items() if by and by <= allowed), Fraction(0))


def connections(board: Board) -> dict[str, tuple[str, ...]]:
    """Return the railroads (ids, sorted) with which each one shares a milepost."""
    at: dict[str, set[str]] = defaultdict(set)
    touched = mileposts_by_railroad(board)
    for railroad, mileposts in touched.items():
        for milepost in mileposts:
            at[milepost].add(railroad)
    return {
        railroad: tuple(sorted(set().union(*(at[m] for m in mileposts)) - {railroad}))
        for railroad, mileposts in touched.items()
    }


def spurs(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return the spurs (RB-C25): stretches without a return path, each from the network to its far end.

    A spur is a run of track pieces that are all the track there is between what they join, ending at a
    milepost from which nothing leads on. It begins at the last milepost or junction (id) with another way.
    Where a spur forks, each end has its own.
    """
    graph: nx.Graph[str] = nx.Graph()
    parallel: Counter[frozenset[str]] = Counter()
    for piece in board.pieces:
        if piece.a != piece.b:
            graph.add_edge(piece.a, piece.b)
            parallel[frozenset((piece.a, piece.b))] += 1
    single = {frozenset(bridge) for bridge in nx.bridges(graph) if parallel[frozenset(bridge)] == 1}
    dead_ends = sorted(node for node, degree in graph.degree() if degree == 1)
    runs = (_back_to_network(graph, single, end) for end in dead_ends)
    return tuple(run[::-1] for run in runs if len(run) > 1)


def _back_to_network(graph: "nx.Graph[str]", single: Collection[frozenset[str]], end: str) -> tuple[str, ...]:
    """Walk from a dead end towards the network as long as there is one way only, on a single track."""
    run = [end]
    while True:
        onward = [n for n in sorted(graph[run[-1]]) if n not in run]
        if len(onward) != 1 or frozenset((run[-1], onward[0])) not in single:
            return tuple(run)
        run.append(onward[0])
