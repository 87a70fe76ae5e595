"""Places of a document by name: cities, `places.csv`, the gazetteer, coordinates."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from mapkit.core.base import Point
from mapkit.core.errors import MapkitError, PlaceError
from mapkit.core.memo import memoize_by_identity
from mapkit.core.names import fold
from mapkit.document.document import sort_rows
from mapkit.geography.country_names import country_code
from mapkit.kinds.rail.sources.places import PlaceFinder, coordinate_name, coordinate_point
from mapkit.kinds.rail.tables import City, Kind, Line, Place, RailDocument, Stop

_REMEMBERED = 50_000  # names: all are asked for again after every edit
PlaceId = str
"""What two spellings of a place have in common."""


@lru_cache(maxsize=_REMEMBERED)
def place_id(name: str) -> PlaceId:
    """Return the common key of a place's spellings; names of cities at one milepost still differ.

    Raises:
        PlaceError: It begins with `@` and does not go on as coordinates.
    """
    point = coordinate_point(name)
    return fold(name) if point is None else coordinate_name(*point)


def _in_order(cities: Mapping[str, City]) -> list[City]:
    return [city for _, city in sort_rows(cities)]


def countries_of(document: RailDocument) -> tuple[str, ...]:
    """Return the countries searched in the gazetteer."""
    setting = document.settings.get("gazetteer.countries")
    value = setting.value if setting else None
    return tuple(country_code(str(one)) for one in value) if isinstance(value, list) else ()


def finder_of(document: RailDocument, more: Mapping[str, Point] = MappingProxyType({})) -> PlaceFinder:
    """Return the place finder of a document, as `mapkit build` uses it.

    Args:
        document: The document.
        more: Places to find as if they were in `places.csv`, before what it says.
    """
    points: dict[str, Point] = {**{key: (p.lon, p.lat) for key, p in document.places.items()}, **more}
    return PlaceFinder.of(cities=_in_order(document.cities), places=points, countries=countries_of(document))


def find_place(document: RailDocument, name: str) -> tuple[str, float, float]:
    """Return `(canonical name, lon, lat)` of a place, as `finder_of` finds it; only the rows that it means are read.

    Raises:
        PlaceError: It is unknown or ambiguous.
    """
    wanted = fold(name)
    mileposts = {document.cities[key].milepost_name for key in city_keys(document.cities).get(wanted, ())}
    cities = {key: c for key, c in document.cities.items() if c.milepost_name in mileposts} if mileposts else {}
    rows = {key: document.places[key] for key in place_keys(document.places).get(wanted, ())}
    places = {key: (row.lon, row.lat) for key, row in rows.items()}
    return PlaceFinder.of(cities=_in_order(cities), places=places, countries=countries_of(document)).find(name)


@memoize_by_identity(8)
def city_keys(cities: Mapping[str, City]) -> Mapping[str, tuple[str, ...]]:
    """Return the cities that a folded name means as their own or their milepost's."""
    out: dict[str, tuple[str, ...]] = {}
    for key, city in cities.items():
        for name in {fold(city.name), fold(city.milepost_name)}:
            out[name] = (*out.get(name, ()), key)
    return out


@memoize_by_identity(8)
def place_keys(places: Mapping[str, Place]) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of `places.csv` by their folded names."""
    out: dict[str, tuple[str, ...]] = dict(zip(map(fold, places), zip(places, strict=True), strict=True))
    if len(out) < len(places):  # some are spelled alike
        out = {}
        for key in places:
            out[fold(key)] = (*out.get(fold(key), ()), key)
    return out


@memoize_by_identity(20_000)
def stop_ids(line: Line) -> tuple[PlaceId, ...]:
    """Return the ids of the places of a line, in order; of `@` without coordinates the folded name."""
    return tuple(_stop_id(place) for place, _ in line.stops)


@memoize_by_identity(20_000)
def line_places(line: Line) -> frozenset[PlaceId]:
    """Return the ids of the places of a line."""
    return frozenset(stop_ids(line))


def _stop_id(place: str) -> PlaceId:
    try:
        return place_id(place)
    except PlaceError:
        return fold(place)


def city_spellings(document: RailDocument, name: str) -> set[PlaceId]:
    """Return all ids of the milepost that a city's or milepost's name means; of any other place its own."""
    wanted = place_id(name)
    meant = city_keys(document.cities).get(wanted)
    if not meant:
        return {wanted}
    post = fold(document.cities[meant[0]].milepost_name)
    shared = [c for c in document.cities.values() if fold(c.milepost_name) == post]
    return {fold(text) for c in shared for text in (c.name, c.milepost_name)}


def names_place(document: RailDocument, ident: PlaceId) -> bool:
    """Return whether a city, `places.csv` or a line names a place."""
    return (
        ident in city_keys(document.cities)
        or ident in place_keys(document.places)
        or any(ident in line_places(line) for line in document.lines.values())
    )


def named_places(document: RailDocument) -> set[PlaceId]:
    """Return the ids of all places that cities, `places.csv` or lines name."""
    return {*city_keys(document.cities), *place_keys(document.places)}.union(*map(line_places, document.lines.values()))


def railroad_problems(lines: Iterable[Line]) -> set[str]:
    """Return the problems of one railroad's lines in a build: mixed kinds, ends at vias, short lines."""
    out: set[str] = set()
    kinds: dict[PlaceId, Kind] = {}
    arms: dict[PlaceId, set[PlaceId]] = {}
    own = list(lines)
    for line in own:
        ids = stop_ids(line)
        if len(ids) < 2:  # noqa: PLR2004 - a line has two ends
            out.add(f"line {line.name!r} would have only one place")
        for ident, (place, kind) in zip(ids, line.stops, strict=True):
            if kinds.setdefault(ident, kind) != kind:
                out.add(f"{place!r} would be milepost and via of one railroad; make it the same on all its lines")
        for one, other in pairwise(ids):
            if one == other:
                out.add(f"line {line.name!r} would name {line.stops[ids.index(one)][0]!r} twice in a row")
            arms.setdefault(one, set()).add(other)
            arms.setdefault(other, set()).add(one)
    for line in own:
        for place, kind in (line.stops[0], line.stops[-1]) if line.stops else ():
            if kind == "via" and len(arms.get(place_id(place), ())) < 2:  # noqa: PLR2004 - it goes on somewhere
                out.add(f"line {line.name!r} would end at {place!r}, a bend; end it at a milepost")
    return out


def find_or_none(document: RailDocument, name: str) -> Point | None:
    """Return `(lon, lat)` of a place, or None if it cannot be found."""
    try:
        _, lon, lat = find_place(document, name)
    except MapkitError:
        return None
    return lon, lat


def same_stop(one: Stop, other: Stop) -> bool:
    """Return whether two stops are at the same place."""
    return place_id(one[0]) == place_id(other[0])
