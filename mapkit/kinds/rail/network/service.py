"""Service of cities by railroads: service, access, monopoly, connections, spurs."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.chances import city_chances


def mileposts_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the mileposts (ids) that each railroad touches."""
    milepost_sets: dict[str, set[str]] = {railroad.id: set() for railroad in board.railroads}
    for segment in board.segments:
        milepost_sets[segment.railroad] |= {segment.a, segment.b}
    return {railroad: frozenset(mileposts) for railroad, mileposts in milepost_sets.items()}


def cities_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the cities (ids) served by each railroad: those at mileposts that it touches."""
    return {
        railroad: frozenset(city.id for city in board.cities if city.milepost in mileposts)
        for railroad, mileposts in mileposts_by_railroad(board).items()
    }


def railroads_by_city(board: Board) -> dict[str, frozenset[str]]:
    """Return the railroads (ids) that serve each city."""
    served_cities = cities_by_railroad(board)
    return {
        city.id: frozenset(railroad for railroad, cities in served_cities.items() if city.id in cities)
        for city in board.cities
    }


def access(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city served by any of the railroads (ids)."""
    served_cities, city_chance = cities_by_railroad(board), city_chances(board)
    all_cities = frozenset().union(*(served_cities[railroad] for railroad in railroads))
    return sum((city_chance[city] for city in all_cities), Fraction(0))


def monopoly(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city that only these railroads (ids) serve."""
    allowed_railroads, city_chance = frozenset(railroads), city_chances(board)
    return sum(
        (
            city_chance[city]
            for city, city_railroads in railroads_by_city(board).items()
            if city_railroads and city_railroads <= allowed_railroads
        ),
        Fraction(0),
    )


def connections(board: Board) -> dict[str, tuple[str, ...]]:
    """Return for each railroad the railroads (ids, sorted) with a milepost in common."""
    railroads_at: dict[str, set[str]] = defaultdict(set)
    touched_mileposts = mileposts_by_railroad(board)
    for railroad, mileposts in touched_mileposts.items():
        for milepost in mileposts:
            railroads_at[milepost].add(railroad)
    return {
        railroad: tuple(sorted(set().union(*(railroads_at[m] for m in mileposts)) - {railroad}))
        for railroad, mileposts in touched_mileposts.items()
    }


def spurs(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return the spurs of a board (RB-C25), see `spurs_of`."""
    neighbours: dict[str, list[str]] = defaultdict(list)
    for piece in board.pieces:
        if piece.a != piece.b:
            neighbours[piece.a].append(piece.b)
            neighbours[piece.b].append(piece.a)
    return spurs_of(
        [node for node, neighbour_ids in neighbours.items() if len(neighbour_ids) == 1], neighbours.__getitem__
    )


def spurs_of(ends: Iterable[str], near: Callable[[str], Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the spurs (RB-C25) of track: stretches without a return path, each from the network to its far end.

    Args:
        ends: The mileposts and junctions (ids) with exactly one piece of track.
        near: Returns the far ends of the pieces that meet at one; pieces that lead back to it are left out.

    Returns:
        Ids of each spur: first a milepost or junction on a cycle of track, or between two cycles, last the dead end.
        Where a spur forks, each end has a spur of its own, with the common stem. In a component without a cycle, spurs
        meet in its middle.
    """
    far_ends = sorted(ends)
    next_node = _strip_dead_ends(far_ends, near)
    spur_runs: list[tuple[str, ...]] = []
    for far_end in far_ends:
        spur_nodes = [far_end]
        while spur_nodes[-1] in next_node:
            spur_nodes.append(next_node[spur_nodes[-1]])
        spur_runs.append(tuple(reversed(spur_nodes)))
    return tuple(spur_nodes for spur_nodes in spur_runs if len(spur_nodes) > 1)


def _strip_dead_ends(ends: Sequence[str], near: Callable[[str], Sequence[str]]) -> dict[str, str]:
    """Strip dead ends until none is left; return for each node stripped the next one towards the network."""
    next_node: dict[str, str] = {}
    remaining_degree: dict[str, int] = {}
    node_queue = deque(ends)
    while node_queue:
        node = node_queue.popleft()
        remaining_neighbours = [other for other in near(node) if other not in next_node]
        if not remaining_neighbours:  # the middle of a component without a cycle
            continue
        (neighbour,) = remaining_neighbours
        next_node[node] = neighbour
        remaining_degree[neighbour] = remaining_degree.get(neighbour, len(near(neighbour))) - 1
        if remaining_degree[neighbour] == 1:
            node_queue.append(neighbour)
    return next_node
