"""Regions of the earth by countries and their parts, by a box, or by an area; and the places in them.

All commands specify regions in this way: `Portugal`, `PT`, `IE,GB-NIR`, a box in degrees that may cross the
antimeridian, or polygons of a file.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import join_some
from mapkit.geography.country_names import codes_by_name, fold_region, hint_region
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LAST_LATITUDE: Final = 80.0
"""Beyond it no railroad runs, and boxes of degrees say little."""


@dataclass(frozen=True)
class NamedRegion:
    """A region as named by its author.

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
        """Name of the region, for messages and titles."""
        country_texts = [
            f"{name} ({', '.join(sorted(self.parts[code]))})" if code in self.parts else name
            for code, name in self.countries.items()
        ]
        if country_texts:
            return ", ".join(country_texts)
        if self.bounds is not None:
            return "the box " + ",".join(f"{value:g}" for value in self.bounds)
        return self.called


def parse_countries(text: str) -> dict[str, str]:
    """Return code -> name of the countries of a region, given as names or codes, separated by commas.

    Args:
        text: What the author wrote.

    Raises:
        UnknownNameError: There is no such country.
    """
    region = parse_region(text)
    if region.parts:
        country_code, parts = min(region.parts.items())
        raise UnknownNameError(
            f"--region: {country_code}-{min(parts)} is a part of {region.countries[country_code]}; "
            f"name a whole country, such as {country_code}"
        )
    return region.countries


def parse_region(
    text: str = "",
    *,
    bounds: Area | None = None,
    area: BaseGeometry | None = None,
    called: str = "the area",
    option: str = "--region",
) -> NamedRegion:
    """Return a region: countries and their parts, a box, an area, or the intersection of those given.

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
    known_codes = codes_by_name()
    countries: dict[str, str] = {}
    parts: dict[str, set[str]] = {}
    whole_countries: set[str] = set()
    for word in filter(None, (part.strip() for part in text.split(","))):
        codes = known_codes.get(fold_region(word)) or _find_part(word, option)
        if codes is None:
            raise UnknownNameError(
                f"{option}: no country is called {word!r}{hint_region(word)}; write its name or its code, such as PT"
            )
        for code in codes:
            country_code, _, division = code.partition("-")
            countries[country_code] = table[country_code].name
            if division:
                parts.setdefault(country_code, set()).add(division)
            else:
                whole_countries.add(country_code)
    if not countries and bounds is None and area is None:
        raise UnknownNameError(f"{option} is empty; name a country, such as Portugal")
    parts_by_country = {
        code: frozenset(division_codes) for code, division_codes in sorted(parts.items()) if code not in whole_countries
    }
    return NamedRegion(countries, parts_by_country, bounds, area, called)


def _find_part(word: str, option: str) -> tuple[str, ...] | None:
    """Return the code of a part of a country, such as `GB-NIR`; None for an unknown country."""
    country_text, _, part_text = word.partition("-")
    code = (codes_by_name().get(fold(country_text)) or ("",))[0]
    if not part_text or code not in shipped_table().countries or len(country_text.strip()) > len("USA"):
        return None
    divisions = sorted(shipped_table().divisions(code))
    matching_division = next(
        (division for division in divisions if division.casefold() == part_text.strip().casefold()), None
    )
    if matching_division is None:
        hint = did_you_mean(part_text, divisions)
        raise UnknownNameError(
            f"{option}: {shipped_table().countries[code].name} has no part {part_text!r}{hint}; "
            f"there are {join_some(divisions)}"
        )
    return (f"{code}-{matching_division}",)


def places_in(region: NamedRegion) -> tuple[GazetteerPlace, ...]:
    """Return the places of a region, the most people first."""
    table = shipped_table()
    country_rows = [
        np.arange(country_range.start, country_range.stop)
        for code in sorted(region.countries or table.countries)
        if (country_range := table.rows(code))
    ]
    row_numbers = np.concatenate(country_rows) if country_rows else np.zeros(0, np.int64)
    lon, lat, _ = (np.asarray(column)[row_numbers] for column in table.columns())
    lon, lat = lon / PER_DEGREE, lat / PER_DEGREE
    is_inside = np.ones(len(row_numbers), np.bool_)
    if region.bounds is not None:
        is_inside &= _is_in_box(lon, lat, region.bounds)
    if region.area is not None:
        shapely.prepare(region.area)
        is_inside &= shapely.contains_xy(region.area, lon, lat)
    found_places = [table.place(int(row)) for row in row_numbers[is_inside]]
    kept_places = [
        place
        for place in found_places
        if place.country not in region.parts or place.division in region.parts[place.country]
    ]
    return tuple(sorted(set(kept_places), key=lambda one: (-one.population, one.full_name, one.lon, one.lat)))


def _is_in_box(lon: Floats, lat: Floats, bounds: Area) -> Flags:
    west, south, east, north = bounds
    is_between = (lon >= west) | (lon <= east) if west > east else (lon >= west) & (lon <= east)
    is_inside: Flags = is_between & (lat >= south) & (lat <= north)
    return is_inside
