"""Finder of the places in station lists: cities, then `places.csv`, then the gazetteer."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from mapkit.core.base import Frozen, Point
from mapkit.core.errors import PlaceError
from mapkit.core.kept import Basis, recalled
from mapkit.core.names import fold
from mapkit.document.plain_tables import TableReader
from mapkit.formats.degrees import judge_place
from mapkit.formats.tables import Row, parse_coordinates
from mapkit.geography.gazetteer import Gazetteer, load_gazetteer
from mapkit.kinds.rail.sources.table_files import FORMS
from mapkit.kinds.rail.tables import City, Place

_COORDINATES = re.compile(r"@([+-]?\d{1,3}(?:\.\d{1,15})?),([+-]?\d{1,2}(?:\.\d{1,15})?)", re.ASCII)


def read_places(reader: TableReader) -> dict[str, Place]:
    """Read `places.csv`.

    Args:
        reader: Reader of the file, which collects its problems.
    """

    def values(row: Row) -> Mapping[str, object]:
        lon, lat = parse_coordinates(row)
        return {"lon": lon, "lat": lat, "note": row.cells.get("note", "")}

    return reader.rows("places", Place, FORMS["places"], values)


def place_points(places: Mapping[str, Place]) -> dict[str, Point]:
    """Return the positions of places, `(lon, lat)` by name."""
    return {name: (place.lon, place.lat) for name, place in places.items()}


def city_points(cities: Iterable[City]) -> dict[str, Point]:
    """Return milepost name -> `(lon, lat)` in degrees; twins (RB-C06) share the midpoint."""
    cities_by_milepost: dict[str, list[City]] = defaultdict(list)
    for city in cities:
        cities_by_milepost[city.milepost_name].append(city)
    return {
        name: (
            round(sum(c.lon for c in milepost_cities) / len(milepost_cities), 5),
            round(sum(c.lat for c in milepost_cities) / len(milepost_cities), 5),
        )
        for name, milepost_cities in cities_by_milepost.items()
    }


def coordinate_name(lon: float, lat: float) -> str:
    """Return the name of a place without a name: `@-87.30012,41.20345`, degrees (EPSG:4326)."""
    return f"@{lon:.5f},{lat:.5f}".replace("-0.00000", "0.00000")


def coordinate_point(name: str) -> Point | None:
    """Return `(lon, lat)` of a name like `@-87.30012,41.20345`; None for any other name.

    Raises:
        PlaceError: It begins with `@`, but has no coordinates after it.
    """
    if not name.startswith("@"):
        return None
    coordinate_match = _COORDINATES.fullmatch(name.replace(" ", ""))
    if coordinate_match is None:
        raise PlaceError(f"{name[:80]!r} is not a place; write @lon,lat in degrees, such as @-87.30012,41.20345")
    lon, lat = float(coordinate_match[1]), float(coordinate_match[2])
    if problem := judge_place(lon, lat):
        raise PlaceError(f"{name[:80]!r}: {problem}")
    return round(lon, 5), round(lat, 5)


Known = tuple[str, Point]
"""Canonical name and position of a place."""


@dataclass(frozen=True)
class KnownPlaces:
    """Board's own places by folded name; cities and their mileposts take precedence over `places.csv`.

    Args:
        places: The rows of `places.csv`.
        cities: Mileposts, by the names of themselves and their cities.
    """

    places: Mapping[str, Known]
    cities: Mapping[str, Known]

    @classmethod
    def of(cls, cities: Iterable[City], places: Mapping[str, Point]) -> Self:
        """Return the places of a board."""
        return cls({fold(name): (name, point) for name, point in places.items()}, known_cities(cities))

    def __contains__(self, folded: object) -> bool:
        return folded in self.cities or folded in self.places

    def get(self, folded: str) -> Known | None:
        """Return the place with a folded name, or None."""
        return self.cities.get(folded) or self.places.get(folded)

    def values(self) -> Iterator[Known]:
        """Yield all places; a city in `places.csv` comes twice."""
        yield from self.cities.values()
        yield from self.places.values()

    def middles(self) -> tuple[Point, ...]:
        """Return the positions of the mileposts of cities, sorted."""
        return tuple(sorted({point for _, point in self.cities.values()}))


def known_cities(cities: Iterable[City]) -> dict[str, Known]:
    """Return cities and their mileposts by folded name."""
    rows = list(cities)
    points = city_points(rows)
    known = {fold(city.name): (city.milepost_name, points[city.milepost_name]) for city in rows}
    return known | {fold(name): (name, point) for name, point in points.items()}


def neighbouring_stops(stops: Mapping[int, Point], number: int) -> tuple[Point, ...]:
    """Return the nearest found stops before and after a stop of a line; in order, degrees."""
    stop_before = [stop_number for stop_number in stops if stop_number < number][-1:]
    stop_after = [stop_number for stop_number in stops if stop_number > number][:1]
    return tuple(stops[stop_number] for stop_number in (*stop_before, *stop_after))


class _CachedPlaces(Frozen):
    """Places by name, in the form of the cache."""

    found: dict[str, Known]


class PlaceFinder:
    """Finder of places by name; it loads the gazetteer only when a name needs it.

    Args:
        known: The board's own places, which take precedence over the gazetteer.
        countries: Countries of the gazetteer.
        is_invented: Whether the land is invented, for messages.
    """

    def __init__(self, known: KnownPlaces, countries: tuple[str, ...], *, is_invented: bool = False) -> None:
        self.known = known
        self.countries = countries
        self.is_invented = is_invented
        self._gazetteer: Gazetteer | None = None
        self._found: dict[str, Known] = {}

    @classmethod
    def of(cls, *, cities: Iterable[City], places: Mapping[str, Point], countries: tuple[str, ...]) -> Self:
        """Return the finder of a board.

        Args:
            cities: The board's cities; a city or its milepost takes precedence over anything else.
            places: `places.csv`, which overrides and completes the gazetteer.
            countries: Countries of the gazetteer.
        """
        return cls(KnownPlaces.of(cities, places), countries)

    @property
    def gazetteer(self) -> Gazetteer:
        """Return the gazetteer of its countries."""
        if self._gazetteer is None:
            self._gazetteer = load_gazetteer(self.countries)
        return self._gazetteer

    def look_up_all(self, names: Iterable[str]) -> None:
        """Find the places of many names at once; results of the gazetteer are cached for the next command."""
        unknown_names = sorted(
            {name for name in names if name and not name.startswith("@") and fold(name) not in self.known}
        )
        cached_places = recalled(
            "places",
            Basis(values=(*self.countries, "", *unknown_names)),
            _CachedPlaces,
            lambda: self._look_up_each(unknown_names),
        )
        self._found |= cached_places.found

    def _look_up_each(self, names: Iterable[str]) -> "_CachedPlaces":
        place_by_name: dict[str, Known] = {}
        for name in names:
            with suppress(PlaceError):
                if (known_place := self._look_up(name)) is not None:
                    place_by_name[name] = known_place
        return _CachedPlaces(found=place_by_name)

    def get(self, name: str) -> tuple[str, float, float] | None:
        """Return `(canonical name, lon, lat)` like `find`, or None for an unknown or ambiguous name."""
        if name not in self._found:
            known_place = None if name.startswith("@") else self.known.get(fold(name))
            try:
                known_place = known_place or self._look_up(name)
            except PlaceError:
                known_place = None
            if known_place is None:
                return None
            self._found[name] = known_place
        canonical, (lon, lat) = self._found[name]
        return canonical, lon, lat

    def find(self, name: str, near: Sequence[Point] = ()) -> tuple[str, float, float]:
        """Return `(canonical name, lon, lat)`; the canonical name of a city is that of its milepost.

        Args:
            name: The name.
            near: Expected positions, degrees, for suggestions in place of an unusable name.

        Raises:
            PlaceError: The name is empty, unknown or ambiguous.
        """
        known_place = self.get(name)
        if known_place is None:
            raise PlaceError(self.why_not(name, near))
        return known_place

    def why_not(self, name: str, near: Sequence[Point] = ()) -> str:
        """Return the reason why `get` has no place for a name."""
        if not name:
            return "place is empty; name the place"
        try:
            coordinate_point(name)
        except PlaceError as error:
            return str(error)
        if self.is_invented:
            return f"place {name!r} is nowhere in this land; give a dot of the drawing this title, and import it again"
        if not self.countries:
            return (
                f"place {name!r} cannot be looked up: board.toml names no country; write such as countries = "
                '["IE"] under [gazetteer], or add the place to places.csv'
            )
        return self.gazetteer.why_not(name, near)

    def _look_up(self, name: str) -> Known | None:
        point = coordinate_point(name)
        if point is not None:
            return coordinate_name(*point), point
        gazetteer_places = self.gazetteer.named(name) if name else ()
        if len(gazetteer_places) != 1:
            return None
        gazetteer_place = gazetteer_places[0]
        canonical = gazetteer_place.full_name if fold(name) == fold(gazetteer_place.full_name) else gazetteer_place.name
        return canonical, (gazetteer_place.lon, gazetteer_place.lat)
