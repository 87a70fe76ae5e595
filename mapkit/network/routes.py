"""Routes of fewest mileposts."""

from collections import defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count

from mapkit.errors import MapkitError
from mapkit.model.base import Frozen
from mapkit.model.board import Board, Segment
from mapkit.network.graph import allowed_segments, find_milepost, find_railroads
from mapkit.sources.names import fold


class Step(Frozen):
    """One move: a segment from a milepost to the next (ids)."""

    segment: str
    railroad: str
    start: str
    end: str
    miles: float


class Route(Frozen):
    """A route between two mileposts (ids); `payoff` in thousands, None unless both ends are cities."""

    start: str
    end: str
    mileposts: int
    miles: float
    payoff: float | None
    railroads: tuple[str, ...]
    steps: tuple[Step, ...]


def route(board: Board, start: str, end: str, *, railroads: Iterable[str] | None = None) -> Route:
    """Return the route of fewest mileposts; ties go to fewest changes of railroad, then fewest miles.

    A route passes no milepost twice, so it uses no segment twice (RB-M07).

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
    used = _search(allowed_segments(board, allowed), a, b)
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


def _search(segments: Iterable[Segment], start: str, end: str) -> list[Segment] | None:
    """Dijkstra over (milepost, railroad ridden) with cost (moves, changes, miles)."""
    at: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        at[segment.a].append(segment)
        at[segment.b].append(segment)
    tick = count()  # equal costs keep the order of segment ids
    queue: list[tuple[tuple[int, int, float], int, str, str, tuple[Segment, ...]]] = [
        ((0, 0, 0.0), next(tick), start, "", ())
    ]
    done: set[tuple[str, str]] = set()
    while queue:
        (moves, changes, miles), _, milepost, riding, used = heappop(queue)
        if milepost == end:
            return list(used)
        if (milepost, riding) in done:
            continue
        done.add((milepost, riding))
        for segment in at[milepost]:
            onward = segment.b if segment.a == milepost else segment.a
            if (onward, segment.railroad) not in done:
                change = int(bool(riding) and riding != segment.railroad)
                cost = (moves + 1, changes + change, round(miles + segment.miles, 2))
                heappush(queue, (cost, next(tick), onward, segment.railroad, (*used, segment)))
    return None


def _payoff(board: Board, start: str, end: str, a: str, b: str) -> float | None:
    """Return the payoff between the cities named, or between the first cities of the mileposts."""
    one, other = _city_at(board, start, a), _city_at(board, end, b)
    chart = board.payoffs
    if one not in chart.cities or other not in chart.cities:
        return None
    return chart.thousands[chart.cities.index(one)][chart.cities.index(other)]


def _city_at(board: Board, name: str, milepost: str) -> str | None:
    cities = [city for city in board.cities if city.milepost == milepost]
    named = [city.id for city in cities if fold(name) in (fold(city.id), fold(city.name))]
    return next(iter((*named, *(city.id for city in cities))), None)
