"""Routes of fewest mileposts.

A route uses no track piece twice, for which networkx has no search. `mapkit route` loads no networkx, which would be a
sixth of its time (`python tests/bench/bench_build.py`).
"""

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
    """Route between two mileposts (ids) without reuse of track pieces; `payoff` in thousands.

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
    railroad_ids = None if railroads is None else find_railroads(board, tuple(railroads))
    start_milepost, end_milepost = find_milepost(board, start), find_milepost(board, end)
    route_segments = _find_route(allowed_segments(board, railroad_ids), start_milepost, end_milepost)
    milepost_names = {m.id: m.name for m in board.mileposts}
    if route_segments is None:
        allowed_text = board.title if railroad_ids is None else " and ".join(sorted(railroad_ids)) or "no railroad"
        raise MapkitError(
            f"there is no route from {milepost_names[start_milepost]} to {milepost_names[end_milepost]} on "
            f"{allowed_text}; allow more railroads"
        )
    steps: list[Step] = []
    current_milepost = start_milepost
    for segment in route_segments:
        next_milepost = segment.b if segment.a == current_milepost else segment.a
        steps.append(
            Step(
                segment=segment.id,
                railroad=segment.railroad,
                start=current_milepost,
                end=next_milepost,
                miles=segment.miles,
            )
        )
        current_milepost = next_milepost
    return Route(
        start=start_milepost,
        end=end_milepost,
        mileposts=len(steps),
        miles=round(sum(step.miles for step in steps), 2),
        payoff=_route_payoff(board, start, end, start_milepost, end_milepost),
        railroads=tuple(dict.fromkeys(step.railroad for step in steps)),
        steps=tuple(steps),
    )


def _find_route(segments: Sequence[Segment], start: str, end: str) -> list[Segment] | None:
    """Return the best route without a track piece shared by two of its segments.

    Where every two arms of a junction are joined by a segment, the best route is one; it is searched for
    with care only on other boards.
    """
    best_segments = _search_route(segments, start, end, shared=frozenset())
    if (
        best_segments is None
        or max(Counter(piece for segment in best_segments for piece in segment.pieces).values(), default=1) == 1
    ):
        return best_segments
    piece_counts = Counter(piece for segment in segments for piece in segment.pieces)
    return _search_route(
        segments, start, end, shared=frozenset(piece for piece, use_count in piece_counts.items() if use_count > 1)
    )


def _search_route(segments: Iterable[Segment], start: str, end: str, *, shared: frozenset[str]) -> list[Segment] | None:
    """Dijkstra over (milepost, railroad ridden, shared pieces used) with cost (moves, changes, miles)."""
    segments_at: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        segments_at[segment.a].append(segment)
        segments_at[segment.b].append(segment)
    tie_breaker = count()  # equal costs keep the order of segment ids
    state_queue: list[tuple[tuple[int, int, float], int, str, str, tuple[Segment, ...]]] = [
        ((0, 0, 0.0), next(tie_breaker), start, "", ())
    ]
    done_states: set[tuple[str, str, frozenset[str]]] = set()
    while state_queue:
        (move_count, change_count, miles), _, milepost, riding, used = heappop(state_queue)
        if milepost == end:
            return list(used)
        used_pieces = frozenset(piece for s in used for piece in s.pieces) & shared
        if (milepost, riding, used_pieces) in done_states:
            continue
        done_states.add((milepost, riding, used_pieces))
        for segment in segments_at[milepost]:
            next_milepost = segment.b if segment.a == milepost else segment.a
            shared_pieces = shared.intersection(segment.pieces)
            if (
                shared_pieces.isdisjoint(used_pieces)
                and (next_milepost, segment.railroad, used_pieces | shared_pieces) not in done_states
            ):
                is_change = int(bool(riding) and riding != segment.railroad)
                new_cost = (move_count + 1, change_count + is_change, round(miles + segment.miles, 2))
                heappush(state_queue, (new_cost, next(tie_breaker), next_milepost, segment.railroad, (*used, segment)))
    return None


def _route_payoff(board: Board, start: str, end: str, a: str, b: str) -> float | None:
    """Return the payoff between the cities named, or between all cities of the mileposts if it is the same."""
    chart = board.payoffs
    row_of = {city: i for i, city in enumerate(chart.cities)}
    city_pairs = product(_named_cities(board, start, a), _named_cities(board, end, b))
    pair_payoffs = {
        chart.thousands[row_of[from_city]][row_of[to_city]]
        for from_city, to_city in city_pairs
        if from_city in row_of and to_city in row_of
    }
    return pair_payoffs.pop() if len(pair_payoffs) == 1 else None


def _named_cities(board: Board, name: str, milepost: str) -> list[str]:
    """Return the city that was named, or all cities of the milepost."""
    milepost_cities = [city for city in board.cities if city.milepost == milepost]
    named_ids = [city.id for city in milepost_cities if fold(name) in (fold(city.id), fold(city.name))]
    return named_ids or [city.id for city in milepost_cities]
