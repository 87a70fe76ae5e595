"""Possible deliveries of goods from each city, with engine level needed and points earned (RW-D01 to RW-D07)."""

from collections.abc import Collection, Iterable

from mapkit.core import heavy
from mapkit.core.base import Frozen
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Way, Ways
from mapkit.kinds.hex.rules.colours import GOODS


class Delivery(Frozen):
    """Shortest delivery of goods of a colour from a city: its links, and its points."""

    city: str
    colour: str
    to: str
    links: int
    """As many levels must the engine have (RW-D02)."""
    points: int


def short_links(board: HexBoard, ways: Ways) -> tuple[Way, ...]:
    """Return the links that one action can build, and the printed links."""
    most_tiles = board.rules.track.most_tiles
    buildable_links = [way for way in ways.all_ways() if way.tiles <= most_tiles]
    printed_links = [
        Way(a=link.a, b=link.b, cost=link.cost, tiles=0, printed=link.id) for link in board.links if link.b
    ]
    printed_pairs = {frozenset((way.a, way.b)) for way in printed_links}
    return (*printed_links, *(way for way in buildable_links if frozenset((way.a, way.b)) not in printed_pairs))


def wanted_colours(board: HexBoard) -> dict[str, tuple[str, ...]]:
    """Return city -> the colours that it takes at the start, with its rotor if rotors are used."""
    has_rotors = board.rules.rotors.enabled
    return {
        city.id: (*city.wants, *((city.start,) if has_rotors and city.rotor and city.start else ()))
        for city in board.cities
    }


def find_deliveries(board: HexBoard, links: Iterable[Way]) -> tuple[Delivery, ...]:
    """Return the shortest delivery of each colour from each city, if there is one.

    Args:
        board: The board.
        links: The links that are there.
    """
    built: heavy.networkx.Graph[str] = heavy.networkx.Graph()
    built.add_nodes_from(city.id for city in board.cities)
    built.add_edges_from(sorted((min(way.a, way.b), max(way.a, way.b)) for way in links))
    colours_by_city = wanted_colours(board)
    shortest_deliveries = []
    for colour in GOODS:
        home_cities = {city for city, colours in colours_by_city.items() if colour in colours}
        nearest_homes = _links_to_homes(built, home_cities)
        for city in built:
            links_and_home = (
                _links_to_homes(built, home_cities - {city}) if city in home_cities else nearest_homes
            ).get(city)
            if links_and_home is not None:
                link_count, home_city = links_and_home
                points = link_count * board.rules.delivery.points_per_link
                shortest_deliveries.append(
                    Delivery(city=city, colour=colour, to=home_city, links=link_count, points=points)
                )
    return tuple(sorted(shortest_deliveries, key=lambda one: (one.links, one.city, one.colour)))


def _links_to_homes(built: "heavy.networkx.Graph[str]", homes: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return city -> links to the nearest home, and that home; a cube stops at the first home it reaches (RW-D04)."""
    if not homes:
        return {}
    routes: dict[str, list[str]] = heavy.networkx.multi_source_dijkstra_path(built, sorted(homes))
    return {city: (len(route) - 1, route[0]) for city, route in routes.items()}
