"""Checks on terrain, edges and links."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check

_MOST_SHOWN = 5


def _find_cities_at_sea(c: CheckedHexes) -> Iterator[Found]:
    """A city in a hexagon of sea or of blocked terrain.

    Track may still end at the city, but players see a city in the water, and a New City or a card may need the hexagon.
    """
    for city in c.board.cities:
        terrain = c.terrain[city.hex]
        if terrain.cost is None:
            message = (
                f"{city.name} is in hexagon {city.hex}, which is {terrain.name}; paint the hexagon or move the city"
            )
            yield Found(message, (city.id,), c.place("cities", city.id))


def _find_cut_off_cities(c: CheckedHexes) -> Iterator[Found]:
    """Cities that no track can join to the largest group of cities.

    Nothing can be delivered to them or from them. A printed link counts as track; a port of an island is reached by sea
    where the board says how, so it needs a printed link too, but its author is asked only once.
    """
    for group in c.groups[1:]:
        for ident in group:
            city = c.cities[ident]
            cure = "add a link or a ferry" if city.port else "make it a port with a link, or open the ground between"
            message = f"{city.name} cannot be linked to the other cities; {cure}"
            yield Found(message, (ident,), c.place("cities", ident))


def _find_remote_cities(c: CheckedHexes) -> Iterator[Found]:
    """A city with no other city that one action can link to it (RW-B01).

    Track that does not reach a city by the end of the turn is removed (RW-B08), so such a link needs two actions in one
    turn, and its city is often left until late.
    """
    most_tiles = c.board.rules.track.most_tiles
    linked_cities = {end for link in c.board.links for end in (link.a, link.b)}
    tiles_by_city: dict[str, int] = {}
    for way in c.links:
        for end in (way.a, way.b):
            tiles_by_city[end] = min(tiles_by_city.get(end, way.tiles), way.tiles)
    for city in c.board.cities:
        tiles = tiles_by_city.get(city.id)
        if tiles is not None and tiles > most_tiles and city.id not in linked_cities:
            message = (
                f"the cheapest link of {city.name} takes {tiles} tiles, and an action lays {most_tiles}; "
                "add a city between"
            )
            yield Found(message, (city.id,), c.place("cities", city.id), {"tiles": tiles})


def _find_unreachable_land(c: CheckedHexes) -> Iterator[Found]:
    """Land where track may be laid, but that no track from a city can reach.

    It is shut in by sea, blocked hexagons or impassable edges: nobody can ever use it.
    """
    is_reached = c.ways.reached()
    if not c.board.cities:
        return
    unreached_hexes = [
        hexagon.id
        for hexagon, is_hex_reached in zip(c.board.hexes, is_reached, strict=True)
        if not is_hex_reached and c.terrain[hexagon.id].cost is not None
    ]
    for group in c.together(unreached_hexes):
        hex_names = ", ".join(group[:_MOST_SHOWN]) + (
            f" and {len(group) - _MOST_SHOWN} more" if len(group) > _MOST_SHOWN else ""
        )
        message = f"no track can reach {hex_names}; put a city there, open a way, or block the ground"
        yield Found(message, (group[0],), c.place("hexes", group[0]), {"hexes": len(group)})


def _find_idle_edges(c: CheckedHexes) -> Iterator[Found]:
    """An edge with a ridge or a cost where no track can cross it, or an impassable one with a cost.

    A ridge between sea and land, or a price for a crossing that is forbidden, is most likely on the wrong edge.
    """
    city_hexes = {city.hex for city in c.board.cities}
    for edge in c.board.edges:
        closed_hexes = [hex_id for hex_id in edge.hexes if c.terrain[hex_id].cost is None and hex_id not in city_hexes]
        if "impassable" in edge.kinds and edge.cost:
            message = f"the edge {edge.id} is impassable and has a cost; take one of them away"
            yield Found(message, (edge.id,), c.place("edges", edge.id))
        elif closed_hexes and ("ridge" in edge.kinds or edge.cost) and "ferry" not in edge.kinds:
            message = (
                f"no track crosses the edge {edge.id}, for none is laid in {closed_hexes[0]}; move what lies on it"
            )
            yield Found(message, (edge.id,), c.place("edges", edge.id))


def _find_dry_ports(c: CheckedHexes) -> Iterator[Found]:
    """A port without water beside it."""
    for city in c.board.cities:
        if city.port and not any(
            c.terrain[neighbour].wet or c.terrain[neighbour].id == "water" for neighbour in c.around(city.hex)
        ):
            message = (
                f"{city.name} is a port, but no water is around hexagon {city.hex}; paint some, or make it no port"
            )
            yield Found(message, (city.id,), c.place("cities", city.id))


def _find_separate_twins(c: CheckedHexes) -> Iterator[Found]:
    """Cities of one group of twins that do not lie side by side, or a group of one city."""
    cities_by_twins: dict[str, list[str]] = {}
    for city in c.board.cities:
        if city.twins:
            cities_by_twins.setdefault(city.twins, []).append(city.id)
    for twins_name, group in cities_by_twins.items():
        neighbours_by_hex = {c.cities[city_id].hex: c.around(c.cities[city_id].hex) for city_id in group}
        for ident in group:
            if not any(twin_hex in neighbours_by_hex[c.cities[ident].hex] for twin_hex in neighbours_by_hex):
                message = (
                    f"{c.cities[ident].name} lies beside no other city of the twins {twins_name!r}; "
                    "move it or end the group"
                )
                yield Found(message, (ident,), c.place("cities", ident))


def _find_broken_lines(c: CheckedHexes) -> Iterator[Found]:
    """A major line with two cities in succession that no track can join."""
    group_by_city = {ident: number for number, group in enumerate(c.groups) for ident in group}
    for line in c.board.lines:
        for start_city, end_city in zip(line.cities, line.cities[1:], strict=False):
            if group_by_city[start_city] != group_by_city[end_city]:
                city_names = f"{c.cities[start_city].name} and {c.cities[end_city].name}"
                message = (
                    f"{line.name} needs track between {city_names}, which cannot be linked; "
                    "change the line or the ground"
                )
                yield Found(message, (line.id, start_city, end_city), c.place("lines", line.id))


CHECKS = (
    hex_check("H01", Severity.WARNING, "cities stand on land", _find_cities_at_sea),
    hex_check("H02", Severity.ERROR, "every city can be linked to the others", _find_cut_off_cities),
    hex_check("H03", Severity.WARNING, "one action can link every city to another", _find_remote_cities),
    hex_check("H04", Severity.WARNING, "track can reach all land", _find_unreachable_land),
    hex_check("H05", Severity.WARNING, "what lies on an edge matters", _find_idle_edges),
    hex_check("H06", Severity.WARNING, "ports lie at water", _find_dry_ports),
    hex_check("H07", Severity.WARNING, "twins lie side by side", _find_separate_twins),
    hex_check("H08", Severity.ERROR, "major lines can be built", _find_broken_lines),
)
