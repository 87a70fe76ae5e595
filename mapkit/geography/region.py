"""Naming a region of the earth, by countries and parts of them, by a box, or by an area; and its places.

This is the one way in which commands name a region: `Portugal`, `PT`, `IE,GB-NIR`, a box in degrees that may cross the
antimeridian, and polygons of a file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_TURN: Final = 360.0
LAST_LATITUDE: Final = 80.0
"""Beyond it no railroad runs, and boxes of degrees say little."""


@dataclass(frozen=True)
class NamedRegion:
    """A region by what its author calls it.

    Attributes:
        countries: Their names by ISO 3166 code; all countries where there are none.
        parts: First-level divisions of them, as the gazetteer codes them; all where a country has none here.
        bounds: West, south, east, north in degrees; west is more than east across the antimeridian.
        area: Only what lies in it, degrees.
        called: What the author calls the area.
    """

    countries: dict[str, str]
    parts: dict[str, frozenset[str]]
    bounds: Area | None = None
    area: BaseGeometry | None = None
    called: str = "the area"

    @property
    def name(self) -> str:
        """Return what the region is called, for messages and titles."""
        said = [
            f"{name} ({', '.join(sorted(self.parts[code]))})" if code in self.parts else name
            for code, name in self.countries.items()
        ]
        if said:
            return ", ".join(said)
        if self.bounds is not None:
            return "the box " + ",".join(f"{value:g}" for value in self.bounds)
        return self.called


def countries_of(text: str, *, option: str = "--region") -> dict[str, str]:
    """Return code -> name of the countries of a region: names or codes, separated by commas.

    Args:
        text: What the author wrote.
        option: Where.

    Raises:
        UnknownNameError: There is no such country.
    """
    found = name_region(text, option=option)
    if found.parts:
        code, parts = min(found.parts.items())
        raise UnknownNameError(
            f"{option}: {code}-{min(parts)} is a part of a country; name a whole one, such as {code}"
        )
    return found.countries


def name_region(
    text: str = "",
    *,
    bounds: Area | None = None,
    area: BaseGeometry | None = None,
    called: str = "the area",
    option: str = "--region",
) -> NamedRegion:
    """Return a region: countries and their parts, a box, an area, or what lies in all that are given.

    Args:
        text: Countries by name or code, or parts of them (`GB-NIR`), separated by commas; empty for all.
        bounds: West, south, east, north, degrees.
        area: Polygons, degrees.
        called: What the author calls them.
        option: Where `text` was written.

    Raises:
        UnknownNameError: There is no such country or part, or nothing is named.
    """
    table = shipped_table().countries
    known = {
        fold(word): code
        for code, one in table.items()
        for word in (one.name, one.name.removeprefix("The "), one.iso3, code)
    } | {"uk": "GB"}
    countries: dict[str, str] = {}
    parts: dict[str, set[str]] = {}
    whole: set[str] = set()
    for word in filter(None, (part.strip() for part in text.split(","))):
        code = known.get(fold(word))
        if code is None and "-" in word:
            code = _part(word, known, parts, option)
        elif code is not None:
            whole.add(code)
        if code is None:
            hint = did_you_mean(word, [one.name for one in table.values()])
            raise UnknownNameError(
                f"{option}: no country is called {word!r}{hint}; write its name or its code, such as PT"
            )
        countries[code] = table[code].name
    if not countries and bounds is None and area is None:
        raise UnknownNameError(f"{option} is empty; name a country, such as Portugal")
    kept = {code: frozenset(of) for code, of in sorted(parts.items()) if code not in whole}
    return NamedRegion(countries, kept, bounds, area, called)


def _part(word: str, known: dict[str, str], parts: dict[str, set[str]], option: str) -> str | None:
    """Note a part of a country, such as `GB-NIR`, and return the country; None if there is no such country."""
    head, _, tail = word.partition("-")
    code = known.get(fold(head))
    if code is None or len(head.strip()) > len("USA"):
        return None
    divisions = sorted(shipped_table().divisions(code))
    match = next((one for one in divisions if one.casefold() == tail.strip().casefold()), None)
    if match is None:
        hint = did_you_mean(tail, divisions)
        raise UnknownNameError(
            f"{option}: {shipped_table().countries[code].name} has no part {tail!r}{hint}; "
            f"there are {', '.join(divisions)}"
        )
    parts.setdefault(code, set()).add(match)
    return code


def places_in(region: NamedRegion) -> tuple[GazetteerPlace, ...]:
    """Return the places of a region, the most people first."""
    table = shipped_table()
    rows = [
        np.arange(of.start, of.stop) for code in sorted(region.countries or table.countries) if (of := table.rows(code))
    ]
    numbers = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    lon, lat, _ = (np.asarray(column)[numbers] for column in table.columns())
    lon, lat = lon / PER_DEGREE, lat / PER_DEGREE
    inside = np.ones(len(numbers), np.bool_)
    if region.bounds is not None:
        inside &= _in_box(lon, lat, region.bounds)
    if region.area is not None:
        shapely.prepare(region.area)
        inside &= shapely.contains_xy(region.area, lon, lat)
    found = [table.place(int(row)) for row in numbers[inside]]
    kept = [one for one in found if one.country not in region.parts or one.division in region.parts[one.country]]
    return tuple(sorted(set(kept), key=lambda one: (-one.population, one.full_name, one.lon, one.lat)))


def _in_box(lon: Floats, lat: Floats, bounds: Area) -> Flags:
    west, south, east, north = bounds
    across = (lon >= west) | (lon <= east) if west > east else (lon >= west) & (lon <= east)
    inside: Flags = across & (lat >= south) & (lat <= north)
    return inside


def middle_longitude(longitudes: Sequence[float]) -> float:
    """Return the longitude opposite the widest gap between some, so that none of them is far from it."""
    sorted_ones = sorted({round(lon, 6) % _TURN for lon in longitudes})
    gaps = [(after - before, before) for before, after in pairwise([*sorted_ones, sorted_ones[0] + _TURN])]
    widest, before = max(gaps)
    middle = (before + widest / 2 + _TURN / 2) % _TURN
    return middle - _TURN if middle > _TURN / 2 else middle
