"""Checks on terrain, edges and links."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check

_SHOWN = 5


def _at_sea(c: CheckedHexes) -> Iterator[Found]:
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


def _cut_off(c: CheckedHexes) -> Iterator[Found]:
    """Cities that no track can join to the largest group of cities, and that are not ports.

    Nothing can be delivered to them or from them. A printed link counts as track; a port of an island is reached by sea
    where the board says how, so it needs a printed link too, but its author is asked only once.
    """
    for group in c.groups[1:]:
        for ident in group:
            city = c.cities[ident]
            cure = "add a link or a ferry" if city.port else "make it a port with a link, or open the ground between"
            message = f"{city.name} cannot be linked to the other cities; {cure}"
            yield Found(message, (ident,), c.place("cities", ident))


def _far(c: CheckedHexes) -> Iterator[Found]:
    """A city with no other city that one action can link to it (RW-B01).

    Track that does not reach a city by the end of the turn is removed (RW-B08), so such a link needs two actions in one
    turn, and its city is often left until late.
    """
    most = c.board.rules.track.most_tiles
    joined = {end for link in c.board.links for end in (link.a, link.b)}
    nearest: dict[str, int] = {}
    for way in c.ways.all_ways():
        for end in (way.a, way.b):
            nearest[end] = min(nearest.get(end, way.tiles), way.tiles)
    for city in c.board.cities:
        tiles = nearest.get(city.id)
        if tiles is not None and tiles > most and city.id not in joined:
            message = (
                f"the cheapest link of {city.name} takes {tiles} tiles, and an action lays {most}; add a city between"
            )
            yield Found(message, (city.id,), c.place("cities", city.id), {"tiles": tiles})


def _out_of_reach(c: CheckedHexes) -> Iterator[Found]:
    """Land where track may be laid, but that no track from a city can reach.

    It is shut in by sea, blocked hexagons or impassable edges: nobody can ever use it.
    """
    reached = c.ways.reached()
    if not c.board.cities:
        return
    lost = [
        hexagon.id
        for hexagon, known in zip(c.board.hexes, reached, strict=True)
        if not known and c.terrain[hexagon.id].cost is not None
    ]
    for group in c.together(lost):
        names = ", ".join(group[:_SHOWN]) + (f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else "")
        message = f"no track can reach {names}; put a city there, open a way, or block the ground"
        yield Found(message, (group[0],), c.place("hexes", group[0]), {"hexes": len(group)})


def _idle_edges(c: CheckedHexes) -> Iterator[Found]:
    """An edge with a ridge or a cost where no track can cross it, or an impassable one with a cost.

    A ridge between sea and land, or a price for a crossing that is forbidden, is most likely on the wrong edge.
    """
    homes = {city.hex for city in c.board.cities}
    for edge in c.board.edges:
        closed = [one for one in edge.hexes if c.terrain[one].cost is None and one not in homes]
        if "impassable" in edge.kinds and edge.cost:
            message = f"the edge {edge.id} is impassable and has a cost; take one of them away"
            yield Found(message, (edge.id,), c.place("edges", edge.id))
        elif closed and ("ridge" in edge.kinds or edge.cost) and "ferry" not in edge.kinds:
            message = f"no track crosses the edge {edge.id}, for none is laid in {closed[0]}; move what lies on it"
            yield Found(message, (edge.id,), c.place("edges", edge.id))


def _dry_ports(c: CheckedHexes) -> Iterator[Found]:
    """A port without water beside it."""
    for city in c.board.cities:
        if city.port and not any(c.terrain[one].wet or c.terrain[one].id == "water" for one in c.around(city.hex)):
            message = (
                f"{city.name} is a port, but no water is around hexagon {city.hex}; paint some, or make it no port"
            )
            yield Found(message, (city.id,), c.place("cities", city.id))


def _apart(c: CheckedHexes) -> Iterator[Found]:
    """Cities of one group of twins that do not lie side by side, or a group of one city."""
    groups: dict[str, list[str]] = {}
    for city in c.board.cities:
        if city.twins:
            groups.setdefault(city.twins, []).append(city.id)
    for name, group in groups.items():
        near = {c.cities[one].hex: c.around(c.cities[one].hex) for one in group}
        for ident in group:
            if not any(other in near[c.cities[ident].hex] for other in near):
                message = (
                    f"{c.cities[ident].name} lies beside no other city of the twins {name!r}; move it or end the group"
                )
                yield Found(message, (ident,), c.place("cities", ident))


def _broken_lines(c: CheckedHexes) -> Iterator[Found]:
    """A major line with two cities in succession that no track can join."""
    groups = {ident: number for number, group in enumerate(c.groups) for ident in group}
    for line in c.board.lines:
        for one, other in zip(line.cities, line.cities[1:], strict=False):
            if groups[one] != groups[other]:
                names = f"{c.cities[one].name} and {c.cities[other].name}"
                message = (
                    f"{line.name} needs track between {names}, which cannot be linked; change the line or the ground"
                )
                yield Found(message, (line.id, one, other), c.place("lines", line.id))


CHECKS = (
    hex_check("H01", Severity.WARNING, "cities stand on land", _at_sea),
    hex_check("H02", Severity.ERROR, "every city can be linked to the others", _cut_off),
    hex_check("H03", Severity.WARNING, "one action can link every city to another", _far),
    hex_check("H04", Severity.WARNING, "track can reach all land", _out_of_reach),
    hex_check("H05", Severity.WARNING, "what lies on an edge matters", _idle_edges),
    hex_check("H06", Severity.WARNING, "ports lie at water", _dry_ports),
    hex_check("H07", Severity.WARNING, "twins lie side by side", _apart),
    hex_check("H08", Severity.ERROR, "major lines can be built", _broken_lines),
)
