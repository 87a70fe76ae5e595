"""Checks of a board against the earth that it shows; a board without position on the earth passes."""

from collections.abc import Iterator
from typing import Final

import shapely

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.core.names import fold
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.geodata.surroundings import Surroundings, load_surroundings
from mapkit.kinds.hex.model.terrain import PLAINS, known_terrains

_SMALLEST_TOWN: Final = 20_000
"""Smaller places are not missed on a board."""
_LARGE_SHARE: Final = 0.25
"""A place that is left out is named from this share of the largest place of its hexagon."""
_LEAST_LAND_SHARE: Final = 0.3
"""Below this share of land a city stands in the sea."""
_RIVER_LENGTH_HEXES: Final = 0.75
"""A river is much of a hexagon from this length on, in hexagons from side to side."""
_MOST_RIVER_SHIFT_HEXES: Final = 1.5
"""A river on an edge is far from its course beyond this distance, in hexagons from side to side."""
_MOST_SHOWN: Final = 3


def _read_surroundings(c: CheckedHexes) -> Surroundings | None:
    earth = c.board.earth
    return None if earth is None else load_surroundings(c.board.grid, earth, _SMALLEST_TOWN)


def _find_misleading_art(c: CheckedHexes) -> Iterator[Found]:
    """A hexagon that shows water or mountains and costs as other ground, or a river on an edge far from any river.

    The true course of a river does not follow hexagons, so a picture and its costs are told apart on purpose: players
    pay for what a hexagon is, and are misled where the picture shows something else.
    """
    terrains = known_terrains()
    terrain_by_word = {word: terrain_row.id for terrain_row in terrains.values() for word in terrain_row.art}
    for hexagon in c.board.hexes:
        shown_terrains = {terrain_by_word[word] for word in hexagon.art.lower().split() if word in terrain_by_word}
        terrain_row = terrains.get(hexagon.terrain)
        if (
            shown_terrains
            and terrain_row is not None
            and terrain_row.cost is not None
            and hexagon.terrain not in shown_terrains
        ):
            message = (
                f"hexagon {hexagon.id} shows {hexagon.art!r} and costs as {hexagon.terrain}; "
                "paint it, or change the column art"
            )
            yield Found(message, (hexagon.id,), c.place("hexes", hexagon.id))
    board_surroundings = _read_surroundings(c)
    if board_surroundings is None or board_surroundings.rivers.is_empty:
        return
    for edge in c.board.edges:
        named_edge = c.board.grid.edge_named(edge.id)
        if "river" in edge.kinds and named_edge is not None:
            river_distance_hexes = (
                board_surroundings.rivers.distance(shapely.Point(c.board.grid.middle(named_edge)))
                / c.board.grid.size_mm
            )
            if river_distance_hexes > _MOST_RIVER_SHIFT_HEXES:
                message = (
                    f"the river on the edge {edge.id} is {river_distance_hexes:.1f} hexagons from the nearest "
                    "main river of the map; "
                    "move it, or accept this for a smaller river"
                )
                yield Found(
                    message, (edge.id,), c.place("edges", edge.id), {"hexagons": round(river_distance_hexes, 2)}
                )


def _find_dry_rivers(c: CheckedHexes) -> Iterator[Found]:
    """Hexagons with a main river that cost no more than plains, without a river on their edges.

    The picture shows the river there, so players expect to pay for it. Neighbouring hexagons are one finding.
    """
    board_surroundings = _read_surroundings(c)
    if board_surroundings is None or board_surroundings.rivers.is_empty:
        return
    river_hexes = {name for edge in c.board.edges if "river" in edge.kinds for name in edge.hexes}
    city_hexes = {city.hex for city in c.board.cities}
    dry_hexes = [
        hexagon.id
        for hexagon, length in zip(c.board.hexes, board_surroundings.river_lengths, strict=True)
        if length >= _RIVER_LENGTH_HEXES
        and hexagon.terrain == PLAINS
        and hexagon.id not in river_hexes
        and hexagon.id not in city_hexes
    ]
    for group in c.together(dry_hexes):
        hex_names = ", ".join(group[:_MOST_SHOWN]) + (
            f" and {len(group) - _MOST_SHOWN} more" if len(group) > _MOST_SHOWN else ""
        )
        message = f"a main river runs through {hex_names}, which costs as plains; paint water, or set rivers on edges"
        yield Found(message, (group[0],), c.place("hexes", group[0]), {"hexes": len(group)})


def _find_wet_cities(c: CheckedHexes) -> Iterator[Found]:
    """A city in a hexagon of land that is mostly sea or lake on the earth."""
    board_surroundings = _read_surroundings(c)
    if board_surroundings is None:
        return
    for city in c.board.cities:
        cube = c.board.grid.hex_of(city.hex)
        if cube is not None and c.terrain[city.hex].cost is not None:
            land_share = board_surroundings.land_share(cube)
            if land_share < _LEAST_LAND_SHARE:
                message = (
                    f"{city.name} is in hexagon {city.hex}, of which {land_share:.0%} is land on the earth; "
                    "move it to the shore, or accept that the hexagon is painted as land"
                )
                yield Found(message, (city.id,), c.place("cities", city.id), {"land": round(land_share, 3)})


def _find_missing_places(c: CheckedHexes) -> Iterator[Found]:
    """Large places in the hexagon of a city, and so left out of the board."""
    board_surroundings = _read_surroundings(c)
    if board_surroundings is None:
        return
    city_names = {fold(city.name) for city in c.board.cities}
    for city in c.board.cities:
        hex_places = board_surroundings.places.get(city.hex, ())
        city_place = next(
            (place for place in hex_places if fold(place.name) == fold(city.name)),
            hex_places[0] if hex_places else None,
        )
        missing_places = [
            place.name
            for place in hex_places
            if place != city_place
            and city_place is not None
            and place.country == city_place.country
            and fold(place.name) not in city_names
            and place.population >= _LARGE_SHARE * city_place.population
        ]
        if missing_places:
            extra = missing_places[2:]
            place_names = (
                f"{', '.join(missing_places[:2])} and {len(extra)} more" if extra else " and ".join(missing_places)
            )
            message = (
                f"{place_names} {'lies' if len(missing_places) == 1 else 'lie'} in hexagon {city.hex} with "
                f"{city.name}; "
                "put one beside it with add-city, use smaller hexagons, or accept this"
            )
            yield Found(message, (city.id,), c.place("cities", city.id), {"places": len(missing_places)})


CHECKS = (
    hex_check("H21", Severity.WARNING, "art and costs agree", _find_misleading_art),
    hex_check("H22", Severity.NOTE, "main rivers cost something", _find_dry_rivers),
    hex_check("H23", Severity.NOTE, "cities stand on land of the earth", _find_wet_cities),
    hex_check("H24", Severity.NOTE, "large places have a city of their own", _find_missing_places),
)
