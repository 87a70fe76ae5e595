"""Finding the place that a station list names: cities, then `places.csv`, then the gazetteer."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from mapkit.core.base import Frozen, Point
from mapkit.core.errors import PlaceError
from mapkit.core.kept import Basis, recalled
from mapkit.core.names import fold
from mapkit.document.plain import TableReader
from mapkit.formats.degrees import LAST_LAT, LAST_LON, outside_world
from mapkit.formats.tables import Row, coordinates
from mapkit.geography.gazetteer import Gazetteer, load_gazetteer
from mapkit.kinds.rail.sources.table_files import FORMS
from mapkit.kinds.rail.tables import City, Place

_COORDINATES = re.compile(r"@([+-]?\d{1,3}(?:\.\d{1,15})?),([+-]?\d{1,2}(?:\.\d{1,15})?)")


def read_places(reader: TableReader) -> dict[str, Place]:
    """Read `places.csv`.

    Args:
        reader: Reads the file, and takes what is wrong.
    """

    def values(row: Row) -> Mapping[str, object]:
        lon, lat = coordinates(row)
        return {"lon": lon, "lat": lat, "note": row.cells.get("note", "")}

    return reader.rows("places", Place, FORMS["places"], values)


def place_points(places: Mapping[str, Place]) -> dict[str, Point]:
    """Return where places lie, `(lon, lat)` by name."""
    return {name: (place.lon, place.lat) for name, place in places.items()}


def city_points(cities: Iterable[City]) -> dict[str, Point]:
    """Return milepost name -> `(lon, lat)` in degrees; twins (RB-C06) share the middle between them."""
    members: dict[str, list[City]] = defaultdict(list)
    for city in cities:
        members[city.milepost_name].append(city)
    return {
        name: (
            round(sum(c.lon for c in group) / len(group), 5),
            round(sum(c.lat for c in group) / len(group), 5),
        )
        for name, group in members.items()
    }


def coordinate_name(lon: float, lat: float) -> str:
    """Return the name of a place that has no other: `@-87.30012,41.20345`, degrees (EPSG:4326)."""
    return f"@{lon:.5f},{lat:.5f}".replace("-0.00000", "0.00000")


def coordinate_point(name: str) -> Point | None:
    """Return `(lon, lat)` of a name like `@-87.30012,41.20345`; None for any other name.

    Raises:
        PlaceError: It begins with `@` and does not go on as coordinates.
    """
    if not name.startswith("@"):
        return None
    found = _COORDINATES.fullmatch(name.replace(" ", ""))
    if found is None:
        raise PlaceError(f"{name[:80]!r} is not a place; write @lon,lat in degrees, such as @-87.30012,41.20345")
    lon, lat = float(found[1]), float(found[2])
    if abs(lon) > LAST_LON or abs(lat) > LAST_LAT:
        raise PlaceError(f"{name[:80]!r}: {outside_world(lon, lat)}")
    return round(lon, 5), round(lat, 5)


Known = tuple[str, Point]
"""A place's canonical name, and where it lies."""


@dataclass(frozen=True)
class KnownPlaces:
    """The board's own places by folded name; cities and their mileposts go before `places.csv`.

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
        """Return what a folded name means, or None."""
        return self.cities.get(folded) or self.places.get(folded)

    def middles(self) -> tuple[Point, ...]:
        """Return where the mileposts of cities lie, sorted."""
        return tuple(sorted({point for _, point in self.cities.values()}))


def known_cities(cities: Iterable[City]) -> dict[str, Known]:
    """Return cities and their mileposts by folded name."""
    rows = list(cities)
    points = city_points(rows)
    known = {fold(city.name): (city.milepost_name, points[city.milepost_name]) for city in rows}
    return known | {fold(name): (name, point) for name, point in points.items()}


def beside(stops: Mapping[int, Point], number: int) -> tuple[Point, ...]:
    """Return where the stops before and after one lie, of those of a line that were found; in order, degrees."""
    before = [at for at in stops if at < number][-1:]
    after = [at for at in stops if at > number][:1]
    return tuple(stops[at] for at in (*before, *after))


class _Places(Frozen):
    """Places by name, as they are kept."""

    found: dict[str, Known]


class PlaceFinder:
    """Finds places by name; the gazetteer is read only when a name needs it.

    Args:
        known: The board's own places; they go before the gazetteer.
        countries: Where the gazetteer looks.
    """

    def __init__(self, known: KnownPlaces, countries: tuple[str, ...]) -> None:
        self.known = known
        self.countries = countries
        self._gazetteer: Gazetteer | None = None
        self._found: dict[str, Known] = {}

    @classmethod
    def of(cls, *, cities: Iterable[City], places: Mapping[str, Point], countries: tuple[str, ...]) -> Self:
        """Return the finder of a board.

        Args:
            cities: The board's cities; a city or its milepost goes before anything else.
            places: `places.csv`, which overrides and completes the gazetteer.
            countries: Where the gazetteer looks.
        """
        return cls(KnownPlaces.of(cities, places), countries)

    @property
    def gazetteer(self) -> Gazetteer:
        """Return the gazetteer of its countries."""
        if self._gazetteer is None:
            self._gazetteer = load_gazetteer(self.countries)
        return self._gazetteer

    def look_up_all(self, names: Iterable[str]) -> None:
        """Find the places of many names at once; what the gazetteer says of them is kept for the next command."""
        asked = sorted({name for name in names if name and not name.startswith("@") and fold(name) not in self.known})
        made = recalled("places", Basis(values=(*self.countries, "", *asked)), _Places, lambda: self._looked_up(asked))
        self._found |= made.found

    def _looked_up(self, names: Iterable[str]) -> "_Places":
        found: dict[str, Known] = {}
        for name in names:
            with suppress(PlaceError):
                if (known := self._look_up(name)) is not None:
                    found[name] = known
        return _Places(found=found)

    def get(self, name: str) -> tuple[str, float, float] | None:
        """Return `(canonical name, lon, lat)` as `find` does, or None for a name that no one place has."""
        if name not in self._found:
            known = None if name.startswith("@") else self.known.get(fold(name))
            try:
                known = known or self._look_up(name)
            except PlaceError:
                known = None
            if known is None:
                return None
            self._found[name] = known
        canonical, (lon, lat) = self._found[name]
        return canonical, lon, lat

    def find(self, name: str, near: Sequence[Point] = ()) -> tuple[str, float, float]:
        """Return `(canonical name, lon, lat)`; the canonical name of a city is its milepost's.

        Args:
            name: The name.
            near: Where the place should be, degrees, for what is offered in place of a name that cannot be used.

        Raises:
            PlaceError: The name is empty, unknown or ambiguous.
        """
        found = self.get(name)
        if found is None:
            raise PlaceError(self.why_not(name, near))
        return found

    def why_not(self, name: str, near: Sequence[Point] = ()) -> str:
        """Return why `get` has no place for a name."""
        if not name:
            return "place is empty; name the place"
        try:
            coordinate_point(name)
        except PlaceError as error:
            return str(error)
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
        found = self.gazetteer.named(name) if name else ()
        if len(found) != 1:
            return None
        place = found[0]
        canonical = place.full_name if fold(name) == fold(place.full_name) else place.name
        return canonical, (place.lon, place.lat)
