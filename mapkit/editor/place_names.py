"""Places of a document by name: cities, `places.csv`, the gazetteer, coordinates."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from mapkit.editor.document import City, Document, Kind, Line, Stop, ordered
from mapkit.errors import MapkitError
from mapkit.model.base import Point
from mapkit.model.source import CityRow
from mapkit.sources.names import fold
from mapkit.sources.places import PlaceFinder, coordinate_name, coordinate_point

_REMEMBERED = 50_000  # names: all are asked for again after every edit
PlaceId = str
"""What two spellings of a place have in common."""


@lru_cache(maxsize=_REMEMBERED)
def place_id(name: str) -> PlaceId:
    """Return what a place's spellings have in common; names of cities that share a milepost still differ.

    Raises:
        PlaceError: It begins with `@` and is no coordinates.
    """
    point = coordinate_point(name)
    return fold(name) if point is None else coordinate_name(*point)


def city_rows(cities: Mapping[str, City]) -> tuple[CityRow, ...]:
    """Return the rows of `cities.csv` in order, their numbers those of a file without blank lines."""
    return tuple(
        CityRow.model_construct(
            row=number,
            id=key,
            name=c.name,
            region=c.region,
            lon=c.lon,
            lat=c.lat,
            milepost=c.milepost_name,
            weight=c.weight,
        )
        for number, (key, c) in enumerate(ordered(cities), start=2)
    )


def countries_of(document: Document) -> tuple[str, ...]:
    """Return the countries whose gazetteer is asked."""
    setting = document.settings.get("gazetteer.countries")
    value = setting.value if setting else None
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def finder_of(document: Document) -> PlaceFinder:
    """Return what finds places of a document as `mapkit build` does."""
    points: dict[str, Point] = {key: (p.lon, p.lat) for key, p in document.places.items()}
    return PlaceFinder.of(cities=city_rows(document.cities), places=points, countries=countries_of(document))


def find_place(document: Document, name: str) -> tuple[str, float, float]:
    """Return `(canonical name, lon, lat)` of a place, as `finder_of` finds it; only the rows that it means are read.

    Raises:
        PlaceError: It is unknown or ambiguous.
    """
    wanted = fold(name)
    mileposts = {c.milepost_name for c in document.cities.values() if wanted in (fold(c.name), fold(c.milepost_name))}
    cities = {key: c for key, c in document.cities.items() if c.milepost_name in mileposts}
    places = {key: (p.lon, p.lat) for key, p in document.places.items() if fold(key) == wanted}
    return PlaceFinder.of(cities=city_rows(cities), places=places, countries=countries_of(document)).find(name)


def city_spellings(document: Document, name: str) -> set[PlaceId]:
    """Return all ids of the milepost that a city's or milepost's name means; of any other place its own."""
    wanted = place_id(name)
    for city in document.cities.values():
        if wanted in (fold(city.name), fold(city.milepost_name)):
            shared = [c for c in document.cities.values() if fold(c.milepost_name) == fold(city.milepost_name)]
            return {fold(text) for c in shared for text in (c.name, c.milepost_name)}
    return {wanted}


def names_place(document: Document, ident: PlaceId) -> bool:
    """Return whether a city, `places.csv` or a line names a place."""
    return (
        any(ident in (fold(c.name), fold(c.milepost_name)) for c in document.cities.values())
        or ident in map(place_id, document.places)
        or any(ident == place_id(place) for line in document.lines.values() for place, _ in line.stops)
    )


def named_places(document: Document) -> set[PlaceId]:
    """Return the ids of all places that cities, `places.csv` or lines name."""
    out = {fold(text) for c in document.cities.values() for text in (c.name, c.milepost_name)}
    out |= {place_id(key) for key in document.places}
    return out | {place_id(place) for line in document.lines.values() for place, _ in line.stops}


def railroad_problems(lines: Iterable[Line]) -> set[str]:
    """Return what `mapkit build` would refuse of one railroad's lines: kinds that differ, ends at vias, short lines."""
    out: set[str] = set()
    kinds: dict[PlaceId, Kind] = {}
    arms: dict[PlaceId, set[PlaceId]] = {}
    own = list(lines)
    for line in own:
        ids = [place_id(place) for place, _ in line.stops]
        if len(ids) < 2:  # noqa: PLR2004 - a line has two ends
            out.add(f"line {line.name!r} would have one place only")
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


def find_or_none(document: Document, name: str) -> Point | None:
    """Return `(lon, lat)` of a place, or None if it cannot be found."""
    try:
        _, lon, lat = find_place(document, name)
    except MapkitError:
        return None
    return lon, lat


def same_stop(one: Stop, other: Stop) -> bool:
    """Return whether two stops are at the same place."""
    return place_id(one[0]) == place_id(other[0])
