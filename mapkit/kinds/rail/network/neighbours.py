"""Cities next to each other on the rails."""

from collections import defaultdict, deque

from mapkit.kinds.rail.model.board import Board


def city_neighbours(board: Board) -> dict[str, frozenset[str]]:
    """Return for each city (id) the cities that its rails reach without passing the milepost of another city.

    Twins (RB-C06) are neighbours of each other.
    """
    linked_mileposts: dict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        linked_mileposts[segment.a].add(segment.b)
        linked_mileposts[segment.b].add(segment.a)
    cities_at: dict[str, set[str]] = defaultdict(set)
    for city in board.cities:
        cities_at[city.milepost].add(city.id)
    neighbours_by_city: dict[str, frozenset[str]] = {}
    for city in board.cities:
        neighbour_ids = set(cities_at[city.milepost])
        visited_mileposts, milepost_queue = {city.milepost}, deque([city.milepost])
        while milepost_queue:
            for next_milepost in sorted(linked_mileposts[milepost_queue.popleft()] - visited_mileposts):
                visited_mileposts.add(next_milepost)
                if next_milepost in cities_at:
                    neighbour_ids |= cities_at[next_milepost]
                else:
                    milepost_queue.append(next_milepost)
        neighbours_by_city[city.id] = frozenset(neighbour_ids - {city.id})
    return neighbours_by_city
