"""Who serves what: service, access, monopoly, connections, spurs."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.chances import city_chances


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
    """Return the spurs of a board (RB-C25), see `spurs_of`."""
    near: dict[str, list[str]] = defaultdict(list)
    for piece in board.pieces:
        if piece.a != piece.b:
            near[piece.a].append(piece.b)
            near[piece.b].append(piece.a)
    return spurs_of([node for node, others in near.items() if len(others) == 1], near.__getitem__)


def spurs_of(ends: Iterable[str], near: Callable[[str], Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the spurs (RB-C25) of track: stretches without a return path, each from the network to its far end.

    Args:
        ends: The mileposts and junctions (ids) at which one piece of track ends, and no other.
        near: Returns the far ends of the pieces that meet at one; pieces that lead back to it are left out.

    Returns:
        Ids from the first milepost or junction on the way back that lies on, or between, track that leads round, to a
        milepost from which nothing leads on. Where a spur forks, each end has its own, and both hold the stem. If no
        track of a component leads round, its spurs meet in its middle.
    """
    far = sorted(ends)
    onward = _ways_back(far, near)
    runs: list[tuple[str, ...]] = []
    for end in far:
        run = [end]
        while run[-1] in onward:
            run.append(onward[run[-1]])
        runs.append(tuple(reversed(run)))
    return tuple(run for run in runs if len(run) > 1)


def _ways_back(ends: Sequence[str], near: Callable[[str], Sequence[str]]) -> dict[str, str]:
    """Strip dead ends until none is left; return for each node stripped the next one towards the network."""
    onward: dict[str, str] = {}
    degree: dict[str, int] = {}
    queue = deque(ends)
    while queue:
        node = queue.popleft()
        left = [other for other in near(node) if other not in onward]
        if not left:  # the middle of a component where no track leads round
            continue
        (towards,) = left
        onward[node] = towards
        degree[towards] = degree.get(towards, len(near(towards))) - 1
        if degree[towards] == 1:
            queue.append(towards)
    return onward
