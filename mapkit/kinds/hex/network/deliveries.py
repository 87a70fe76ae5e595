"""Which goods can be delivered from which city, with how strong an engine, for how many points (RW-D01 to RW-D07)."""

from collections import deque
from collections.abc import Iterable, Mapping

from mapkit.core.base import Frozen
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Way, Ways
from mapkit.kinds.hex.rules.colours import GOODS


class Delivery(Frozen):
    """The shortest delivery of goods of a colour from a city: its links, and the points that they bring."""

    city: str
    colour: str
    to: str
    links: int
    """As many levels must the engine have (RW-D02)."""
    points: int


def short_ways(board: HexBoard, ways: Ways) -> tuple[Way, ...]:
    """Return the links that one action builds, and those that are printed."""
    most = board.rules.track.most_tiles
    built = [way for way in ways.all_ways() if way.tiles <= most]
    printed = [Way(a=link.a, b=link.b, cost=link.cost, tiles=0, printed=link.id) for link in board.links if link.b]
    there = {frozenset((way.a, way.b)) for way in printed}
    return (*printed, *(way for way in built if frozenset((way.a, way.b)) not in there))


def wanted(board: HexBoard) -> dict[str, tuple[str, ...]]:
    """Return city -> the colours that it takes at the start, with its rotor where rotors are used."""
    rotors = board.rules.rotors.enabled
    return {
        city.id: (*city.wants, *((city.start,) if rotors and city.rotor and city.start else ()))
        for city in board.cities
    }


def deliveries(board: HexBoard, links: Iterable[Way]) -> tuple[Delivery, ...]:
    """Return the shortest delivery of each colour from each city, where there is one.

    Args:
        board: The board.
        links: The links that are there.
    """
    near: dict[str, list[str]] = {city.id: [] for city in board.cities}
    for way in links:
        near[way.a].append(way.b)
        near[way.b].append(way.a)
    takes = wanted(board)
    out = []
    for colour in GOODS:
        homes = {city for city, colours in takes.items() if colour in colours}
        nearest = _steps(near, homes)
        for city in near:
            found = (_steps(near, homes - {city}) if city in homes else nearest).get(city)
            if found is not None:
                steps, to = found
                points = steps * board.rules.delivery.points_per_link
                out.append(Delivery(city=city, colour=colour, to=to, links=steps, points=points))
    return tuple(sorted(out, key=lambda one: (one.links, one.city, one.colour)))


def _steps(near: Mapping[str, list[str]], homes: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Return city -> links to the nearest home, and which; a cube stops at the first home that it meets (RW-D04)."""
    found = {home: (0, home) for home in sorted(homes)}
    waiting = deque(found)
    while waiting:
        at = waiting.popleft()
        steps, home = found[at]
        for other in sorted(near[at]):
            if other not in found:
                found[other] = (steps + 1, home)
                waiting.append(other)
    return found
