"""What track a train may ride, and whether it can still reach its city (RB-M07, RB-M10, RB-W21)."""

from collections import deque

from mapkit.kinds.rail.model.board import Segment
from mapkit.kinds.rail.refereeing.position import Position, Seat


def times_again(position: Position, seat: Seat, segment: str) -> int | None:
    """Return how many pieces of a segment would be used again; None if the rules forbid that."""
    if position.rules.movement.segment_reuse == "unlimited":
        return 0
    again = [piece for piece in position.segments[segment].pieces if piece in seat.used]
    if not again:
        return 0
    if not seat.undeclared:
        return None
    if position.rules.winning.reuse_to_alternate == "segments-of-trip" or seat.homeward.issuperset(again):
        return len(again)
    return None


def way_on(position: Position, seat: Seat, start: str, goal: str) -> tuple[int, list[str]] | None:
    """Return a way to a milepost that uses the fewest pieces again: how many, and its segments; None if there is none.

    Segments of a way that share a piece count as if they did not: such a way may need one piece more.
    """
    best = {start: 0}
    came: dict[str, tuple[str, str]] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for name in position.arms[at]:
            again = times_again(position, seat, name)
            if again is None:
                continue
            to = other_end(position.segments[name], at)
            if best[at] + again < best.get(to, 1 << 60):
                best[to] = best[at] + again
                came[to] = (at, name)
                if again:
                    queue.append(to)
                else:
                    queue.appendleft(to)
    if goal not in best:
        return None
    way: list[str] = []
    at = goal
    while at != start:
        at, name = came[at]
        way.append(name)
    return best[goal], way[::-1]


def keeps_way(position: Position, seat: Seat, ridden: str, goal: str) -> bool:
    """Return whether the train follows the way that was found for it last; that way is then one segment shorter."""
    if seat.way_to != goal or not seat.way or seat.way[0] != ridden:
        return False
    seat.way = seat.way[1:]
    return all(times_again(position, seat, name) == 0 for name in seat.way)


def other_end(segment: Segment, at: str) -> str:
    """Return where a segment leads to from one of its ends."""
    return segment.b if segment.a == at else segment.a
