"""Connected groups of hexagons, and of cities that track or printed links can join."""

from collections.abc import Callable, Iterable, Iterator

from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Ways


def connected(members: Iterable[str], near: Callable[[str], Iterable[str]]) -> Iterator[list[str]]:
    """Yield groups of members connected by neighbours, each sorted."""
    unvisited = dict.fromkeys(members)
    while unvisited:
        group, member_stack = [], [next(iter(unvisited))]
        del unvisited[member_stack[0]]
        while member_stack:
            member = member_stack.pop()
            group.append(member)
            for neighbour in sorted(near(member)):
                if neighbour in unvisited:
                    del unvisited[neighbour]
                    member_stack.append(neighbour)
        yield sorted(group)


def city_groups(board: HexBoard, ways: Ways) -> list[list[str]]:
    """Return the cities that track or printed links can join, the largest group first."""
    neighbours: dict[str, set[str]] = {city.id: set() for city in board.cities}
    for way in ways.all_ways():
        neighbours[way.a].add(way.b)
        neighbours[way.b].add(way.a)
    for link in board.links:
        if link.b:
            neighbours[link.a].add(link.b)
            neighbours[link.b].add(link.a)
    return sorted(connected(neighbours, neighbours.__getitem__), key=lambda group: (-len(group), group))
