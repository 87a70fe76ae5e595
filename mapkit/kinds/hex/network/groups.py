"""What is connected: groups of hexagons, and of cities that track or printed links can join."""

from collections.abc import Callable, Iterable, Iterator

from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Ways


def connected(members: Iterable[str], near: Callable[[str], Iterable[str]]) -> Iterator[list[str]]:
    """Yield groups of members that neighbours join, each sorted."""
    left = dict.fromkeys(members)
    while left:
        group, waiting = [], [next(iter(left))]
        del left[waiting[0]]
        while waiting:
            at = waiting.pop()
            group.append(at)
            for other in sorted(near(at)):
                if other in left:
                    del left[other]
                    waiting.append(other)
        yield sorted(group)


def city_groups(board: HexBoard, ways: Ways) -> list[list[str]]:
    """Return the cities that track or printed links can join, the largest group first."""
    near: dict[str, set[str]] = {city.id: set() for city in board.cities}
    for way in ways.all_ways():
        near[way.a].add(way.b)
        near[way.b].add(way.a)
    for link in board.links:
        if link.b:
            near[link.a].add(link.b)
            near[link.b].add(link.a)
    return sorted(connected(near, near.__getitem__), key=lambda group: (-len(group), group))
