"""Names of mileposts, and where they lie."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from mapkit.core.names import without_state
from mapkit.kinds.rail.sources.places import city_points
from mapkit.kinds.rail.tables import City

Spot = tuple[Literal["city", "dot"], float, float]
"""The kind of a milepost, and where it lies, degrees (EPSG:4326)."""


def towns_of(cities: Iterable[City]) -> dict[str, Spot]:
    """Return the kind and place of the mileposts of cities, by the full name of the place."""
    return {name: ("city", lon, lat) for name, (lon, lat) in city_points(cities).items()}


def taken_names(
    kinds: Mapping[str, str], cities: Iterable[str], codes: frozenset[str] = frozenset()
) -> Mapping[str, int]:
    """Return how many want each short name.

    Args:
        kinds: `city` or `dot` by the full name of the place.
        cities: The names of the cities.
        codes: Codes of divisions that names to show go without, beside those that look like states.
    """
    taken = Counter(without_state(place, codes) for place, kind in kinds.items() if kind == "dot")
    taken.update({*cities, *(place for place, kind in kinds.items() if kind == "city")})
    return dict(taken)


def shown_names(
    kinds: Mapping[str, str], taken: Mapping[str, int], codes: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Return the names to show: dots without their state where that leaves them distinct (as a build does)."""
    out = {}
    for place, kind in kinds.items():
        bare = without_state(place, codes)
        out[place] = bare if kind == "dot" and taken[bare] == 1 else place
    return out
