"""Which cities are next to each other on the rails."""

from collections import defaultdict, deque

from mapkit.kinds.rail.model.board import Board


def city_neighbours(board: Board) -> dict[str, frozenset[str]]:
    """Return for each city (id) the cities that its rails reach without passing another city's milepost.

    Twins (RB-C06) are neighbours of each other.
    """
    beside: dict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        beside[segment.a].add(segment.b)
        beside[segment.b].add(segment.a)
    at: dict[str, set[str]] = defaultdict(set)
    for city in board.cities:
        at[city.milepost].add(city.id)
    out: dict[str, frozenset[str]] = {}
    for city in board.cities:
        found = set(at[city.milepost])
        seen, todo = {city.milepost}, deque([city.milepost])
        while todo:
            for onward in sorted(beside[todo.popleft()] - seen):
                seen.add(onward)
                if onward in at:
                    found |= at[onward]
                else:
                    todo.append(onward)
        out[city.id] = frozenset(found - {city.id})
    return out
