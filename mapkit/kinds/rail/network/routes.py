"""Routes of fewest mileposts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count, product

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.core.names import fold
from mapkit.kinds.rail.model.board import Board, Segment
from mapkit.kinds.rail.network.graph import allowed_segments, find_milepost, find_railroads


class Step(Frozen):
    """One move: a segment from a milepost to the next (ids)."""

    segment: str
    railroad: str
    start: str
    end: str
    miles: float


class Route(Frozen):
    """A route between two mileposts (ids), no track piece used twice; `payoff` in thousands.

    The payoff is None unless both ends are cities, and where a milepost of twins (RB-C06) was named that do
    not earn the same.
    """

    start: str
    end: str
    mileposts: int
    miles: float
    payoff: float | None
    railroads: tuple[str, ...]
    steps: tuple[Step, ...]


def route(board: Board, start: str, end: str, *, railroads: Iterable[str] | None = None) -> Route:
    """Return the route of fewest mileposts; ties go to fewest changes of railroad, then fewest miles.

    A route passes no milepost, segment or track piece twice (RB-M07). A city is meant before a milepost of
    the same name.

    Args:
        board: The board.
        start: A city or milepost, by id or name.
        end: The same.
        railroads: Ids, reporting marks or names of the railroads that may be ridden; all by default.

    Raises:
        UnknownNameError: A name is unknown; the nearest is offered.
        MapkitError: There is no route on these railroads.
    """
    allowed = None if railroads is None else find_railroads(board, tuple(railroads))
    a, b = find_milepost(board, start), find_milepost(board, end)
    used = _apart(allowed_segments(board, allowed), a, b)
    names = {m.id: m.name for m in board.mileposts}
    if used is None:
        where = board.title if allowed is None else " and ".join(sorted(allowed)) or "no railroad"
        raise MapkitError(f"there is no route from {names[a]} to {names[b]} on {where}; allow more railroads")
    steps: list[Step] = []
    at = a
    for segment in used:
        onward = segment.b if segment.a == at else segment.a
        steps.append(Step(segment=segment.id, railroad=segment.railroad, start=at, end=onward, miles=segment.miles))
        at = onward
    return Route(
        start=a,
        end=b,
        mileposts=len(steps),
        miles=round(sum(step.miles for step in steps), 2),
        payoff=_payoff(board, start, end, a, b),
        railroads=tuple(dict.fromkeys(step.railroad for step in steps)),
        steps=tuple(steps),
    )


def _apart(segments: Sequence[Segment], start: str, end: str) -> list[Segment] | None:
    """Return the best route whose segments share no track piece.

    Where every two arms of a junction are joined by a segment, the best route is one; it is searched for
    with care only on other boards.
    """
    used = _search(segments, start, end, shared=frozenset())
    if used is None or max(Counter(piece for s in used for piece in s.pieces).values(), default=1) == 1:
        return used
    count_of = Counter(piece for s in segments for piece in s.pieces)
    return _search(segments, start, end, shared=frozenset(p for p, times in count_of.items() if times > 1))


def _search(segments: Iterable[Segment], start: str, end: str, *, shared: frozenset[str]) -> list[Segment] | None:
    """Dijkstra over (milepost, railroad ridden, shared pieces used) with cost (moves, changes, miles)."""
    at: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        at[segment.a].append(segment)
        at[segment.b].append(segment)
    tick = count()  # equal costs keep the order of segment ids
    queue: list[tuple[tuple[int, int, float], int, str, str, tuple[Segment, ...]]] = [
        ((0, 0, 0.0), next(tick), start, "", ())
    ]
    done: set[tuple[str, str, frozenset[str]]] = set()
    while queue:
        (moves, changes, miles), _, milepost, riding, used = heappop(queue)
        if milepost == end:
            return list(used)
        taken = frozenset(piece for s in used for piece in s.pieces) & shared
        if (milepost, riding, taken) in done:
            continue
        done.add((milepost, riding, taken))
        for segment in at[milepost]:
            onward = segment.b if segment.a == milepost else segment.a
            pieces = shared.intersection(segment.pieces)
            if pieces.isdisjoint(taken) and (onward, segment.railroad, taken | pieces) not in done:
                change = int(bool(riding) and riding != segment.railroad)
                cost = (moves + 1, changes + change, round(miles + segment.miles, 2))
                heappush(queue, (cost, next(tick), onward, segment.railroad, (*used, segment)))
    return None


def _payoff(board: Board, start: str, end: str, a: str, b: str) -> float | None:
    """Return the payoff between the cities named, or between all cities of the mileposts if it is the same."""
    chart = board.payoffs
    row = {city: i for i, city in enumerate(chart.cities)}
    pairs = product(_cities_at(board, start, a), _cities_at(board, end, b))
    found = {chart.thousands[row[one]][row[other]] for one, other in pairs if one in row and other in row}
    return found.pop() if len(found) == 1 else None


def _cities_at(board: Board, name: str, milepost: str) -> list[str]:
    """Return the city that was named, or all cities of the milepost."""
    cities = [city for city in board.cities if city.milepost == milepost]
    named = [city.id for city in cities if fold(name) in (fold(city.id), fold(city.name))]
    return named or [city.id for city in cities]
