"""Checks of a board against the earth that it shows; a board that lies nowhere has nothing to compare."""

from collections.abc import Iterator
from typing import Final

import shapely

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.core.names import fold
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.geodata.surroundings import Surroundings, surroundings
from mapkit.kinds.hex.model.terrain import PLAINS, known_terrains

_TOWN: Final = 20_000
"""Smaller places are not missed on a board."""
_MUCH: Final = 0.25
"""A place that is left out is named from this share of the largest place of its hexagon."""
_LAND: Final = 0.3
"""Below this share of land a city stands in the sea."""
_RIVER: Final = 0.75
"""A river is much of a hexagon from this length on, in hexagons from side to side."""
_AWAY: Final = 1.5
"""A river on an edge is far from its course beyond this distance, in hexagons from side to side."""
_SHOWN: Final = 3


def _around(c: CheckedHexes) -> Surroundings | None:
    earth = c.board.earth
    return None if earth is None else surroundings(c.board.grid, earth, _TOWN)


def _art(c: CheckedHexes) -> Iterator[Found]:
    """A hexagon that shows water or mountains and costs as other ground, or a river on an edge far from any river.

    The true course of a river does not follow hexagons, so a picture and its costs are told apart on purpose: players
    pay for what a hexagon is, and are misled where the picture shows something else.
    """
    terrains = known_terrains()
    by_art = {word: row.id for row in terrains.values() for word in row.art}
    for hexagon in c.board.hexes:
        shown = {by_art[word] for word in hexagon.art.lower().split() if word in by_art}
        row = terrains.get(hexagon.terrain)
        if shown and row is not None and row.cost is not None and hexagon.terrain not in shown:
            message = (
                f"hexagon {hexagon.id} shows {hexagon.art!r} and costs as {hexagon.terrain}; "
                "paint it, or change the column art"
            )
            yield Found(message, (hexagon.id,), c.place("hexes", hexagon.id))
    around = _around(c)
    if around is None or around.rivers.is_empty:
        return
    for edge in c.board.edges:
        known = c.board.grid.edge_named(edge.id)
        if "river" in edge.kinds and known is not None:
            away = around.rivers.distance(shapely.Point(c.board.grid.middle(known))) / c.board.grid.size_mm
            if away > _AWAY:
                message = (
                    f"the river on the edge {edge.id} is {away:.1f} hexagons from the nearest main river of the map; "
                    "move it, or accept this for a smaller river"
                )
                yield Found(message, (edge.id,), c.place("edges", edge.id), {"hexagons": round(away, 2)})


def _dry_rivers(c: CheckedHexes) -> Iterator[Found]:
    """Hexagons through which a main river runs that cost no more than plains, with no river on their edges.

    The picture shows the river there, so players expect to pay for it. Neighbouring hexagons are one finding.
    """
    around = _around(c)
    if around is None or around.rivers.is_empty:
        return
    marked = {name for edge in c.board.edges if "river" in edge.kinds for name in edge.hexes}
    homes = {city.hex for city in c.board.cities}
    dry = [
        hexagon.id
        for hexagon, length in zip(c.board.hexes, around.river_lengths, strict=True)
        if length >= _RIVER and hexagon.terrain == PLAINS and hexagon.id not in marked and hexagon.id not in homes
    ]
    for group in c.together(dry):
        names = ", ".join(group[:_SHOWN]) + (f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else "")
        message = f"a main river runs through {names}, which costs as plains; paint water, or set rivers on edges"
        yield Found(message, (group[0],), c.place("hexes", group[0]), {"hexes": len(group)})


def _wet_cities(c: CheckedHexes) -> Iterator[Found]:
    """A city in a hexagon of land that is mostly sea or lake on the earth."""
    around = _around(c)
    if around is None:
        return
    for city in c.board.cities:
        cube = c.board.grid.hex_of(city.hex)
        if cube is not None and c.terrain[city.hex].cost is not None:
            land = around.land_share(cube)
            if land < _LAND:
                message = (
                    f"{city.name} is in hexagon {city.hex}, of which {land:.0%} is land on the earth; "
                    "move it to the shore, or accept that the hexagon is painted as land"
                )
                yield Found(message, (city.id,), c.place("cities", city.id), {"land": round(land, 3)})


def _shared(c: CheckedHexes) -> Iterator[Found]:
    """Large places that lie in the hexagon of a city, so that the board leaves them out."""
    around = _around(c)
    if around is None:
        return
    called = {fold(city.name) for city in c.board.cities}
    for city in c.board.cities:
        here = around.places.get(city.hex, ())
        own = next((place for place in here if fold(place.name) == fold(city.name)), here[0] if here else None)
        lost = [
            place.name
            for place in here
            if place != own
            and own is not None
            and place.country == own.country
            and fold(place.name) not in called
            and place.population >= _MUCH * own.population
        ]
        if lost:
            names = " and ".join(lost) if len(lost) <= 2 else f"{', '.join(lost[:2])} and {len(lost) - 2} more"  # noqa: PLR2004
            message = (
                f"{names} {'lies' if len(lost) == 1 else 'lie'} in hexagon {city.hex} with {city.name}; "
                "put one beside it with add-city, use smaller hexagons, or accept this"
            )
            yield Found(message, (city.id,), c.place("cities", city.id), {"places": len(lost)})


CHECKS = (
    hex_check("H21", Severity.WARNING, "art and costs agree", _art),
    hex_check("H22", Severity.NOTE, "main rivers cost something", _dry_rivers),
    hex_check("H23", Severity.NOTE, "cities stand on land of the earth", _wet_cities),
    hex_check("H24", Severity.NOTE, "large places have a city of their own", _shared),
)
