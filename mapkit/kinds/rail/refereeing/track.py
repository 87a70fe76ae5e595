"""Track that a train may ride, and the ways left to its city (RB-M07, RB-M10, RB-W21)."""

from collections import deque

from mapkit.kinds.rail.model.board import Segment
from mapkit.kinds.rail.refereeing.position import Position, Seat


def count_reused_pieces(position: Position, seat: Seat, segment: str) -> int | None:
    """Return the number of pieces of a segment that would be reused; None if the rules forbid it."""
    if position.rules.movement.segment_reuse == "unlimited":
        return 0
    reused_pieces = [piece for piece in position.segments[segment].pieces if piece in seat.used]
    if not reused_pieces:
        return 0
    if not seat.undeclared:
        return None
    if position.rules.winning.reuse_to_alternate == "segments-of-trip" or seat.homeward.issuperset(reused_pieces):
        return len(reused_pieces)
    return None


def find_way(position: Position, seat: Seat, start: str, goal: str) -> tuple[int, list[str]] | None:
    """Return a way to a milepost that reuses fewest pieces (0-1 breadth-first search): their number, and segments.

    Segments of a way that share a piece count as if they did not: such a way may need one piece more.
    """
    reuse_by_milepost = {start: 0}
    previous_step: dict[str, tuple[str, str]] = {}
    queue = deque([start])
    while queue:
        milepost = queue.popleft()
        for segment_id in position.arms[milepost]:
            reused_count = count_reused_pieces(position, seat, segment_id)
            if reused_count is None:
                continue
            next_milepost = other_end(position.segments[segment_id], milepost)
            if reuse_by_milepost[milepost] + reused_count < reuse_by_milepost.get(next_milepost, 1 << 60):
                reuse_by_milepost[next_milepost] = reuse_by_milepost[milepost] + reused_count
                previous_step[next_milepost] = (milepost, segment_id)
                if reused_count:
                    queue.append(next_milepost)
                else:
                    queue.appendleft(next_milepost)
    if goal not in reuse_by_milepost:
        return None
    segment_ids: list[str] = []
    milepost = goal
    while milepost != start:
        milepost, segment_id = previous_step[milepost]
        segment_ids.append(segment_id)
    return reuse_by_milepost[goal], segment_ids[::-1]


def follows_way(position: Position, seat: Seat, ridden: str, goal: str) -> bool:
    """Return whether the train follows the way found for it last, and shorten that way by one segment."""
    if seat.way_to != goal or not seat.way or seat.way[0] != ridden:
        return False
    seat.way = seat.way[1:]
    return all(count_reused_pieces(position, seat, name) == 0 for name in seat.way)


def other_end(segment: Segment, at: str) -> str:
    """Return the other end of a segment."""
    return segment.b if segment.a == at else segment.a
