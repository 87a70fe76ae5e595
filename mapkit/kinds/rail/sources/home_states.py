"""States of a city, from gazetteer places of its name nearby."""

from functools import lru_cache
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.geography.gazetteer import load_gazetteer

_COUNTRIES: Final = ("CA", "US")
_NEAR_MILES: Final = 40.0


@lru_cache(maxsize=10_000)
def home_states(name: str, point: Point) -> frozenset[str]:
    """Return the postal codes, in lower case, of the states with a place of this name near a point.

    Args:
        name: The name, without a state.
        point: Position of the city, degrees.

    Returns:
        Several codes for a city on a border; none if the gazetteer has no such place there.
    """
    return frozenset(
        place.division.casefold()
        for place in load_gazetteer(_COUNTRIES).named(name)
        if place.division and line_miles((point, (place.lon, place.lat))) <= _NEAR_MILES
    )
