"""The places of lines, found as a build finds them, and found again only where something changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.editor.document import City, Document, Line, Place
from mapkit.editor.live.railroads import Line as FoundLine
from mapkit.editor.live.railroads import Problem, Stop
from mapkit.editor.place_names import city_rows
from mapkit.errors import PlaceError
from mapkit.model.base import Point
from mapkit.model.source import CityRow
from mapkit.sources.names import fold
from mapkit.sources.places import PlaceFinder

_FAILED: dict[tuple[tuple[str, ...], str], str] = {}
"""Names that a gazetteer lacks, for looking for near names takes long."""
_MOST_FAILED = 10_000


@dataclass(frozen=True)
class Found:
    """The lines of a document with their places, by line id, and what was not found."""

    cities: tuple[CityRow, ...]
    lines: Mapping[str, FoundLine]
    problems: tuple[Problem, ...]
    city_table: Mapping[str, City] = field(repr=False)
    place_table: Mapping[str, Place] = field(repr=False)
    line_table: Mapping[str, Line] = field(repr=False)
    countries: tuple[str, ...] = ()
    finder: PlaceFinder = field(repr=False, kw_only=True)
    lost: Mapping[str, tuple[Problem, ...]] = field(repr=False, kw_only=True)


def find_places(document: Document, countries: tuple[str, ...], before: Found | None = None) -> Found:
    """Find the places of all lines.

    Args:
        document: The document.
        countries: Where the gazetteer looks (ISO 3166 alpha-2).
        before: What was found in an earlier document; what cannot have changed is taken from it.
    """
    same = (
        before is not None
        and before.city_table is document.cities
        and before.place_table is document.places
        and before.countries == countries
    )
    if before is not None and same and before.line_table is document.lines:
        return before
    if before is not None and same:
        cities, finder = before.cities, before.finder
    else:
        same_cities = before is not None and before.city_table is document.cities
        cities = before.cities if before is not None and same_cities else city_rows(document.cities)
        finder = _finder(document, cities, countries, before)
    moved: frozenset[str] | None = None  # None: any name
    if before is not None and before.countries == countries:
        moved = frozenset() if same else finder.known.differs(before.finder.known)
    lines: dict[str, FoundLine] = {}
    lost: dict[str, tuple[Problem, ...]] = {}
    for key, line in document.lines.items():
        old = before.lines.get(key) if before is not None else None
        if (
            before is not None
            and old is not None
            and moved is not None
            and before.line_table.get(key) is line
            and (not moved or moved.isdisjoint(fold(place) for place, _ in line.stops))
        ):
            lines[key] = old
            if key in before.lost:
                lost[key] = before.lost[key]
            continue
        found, missing = _found(key, line, finder, countries)
        lines[key] = old if old == found else found
        if missing:
            lost[key] = missing
    return Found(
        cities=cities,
        lines=lines,
        problems=tuple(problem for key in sorted(lost) for problem in lost[key]),
        city_table=document.cities,
        place_table=document.places,
        line_table=document.lines,
        countries=countries,
        finder=finder,
        lost=lost,
    )


def _finder(
    document: Document, cities: tuple[CityRow, ...], countries: tuple[str, ...], before: Found | None
) -> PlaceFinder:
    """Return what finds the places of a document; what an earlier one found is not gone through again."""
    if before is not None and before.countries == countries:
        old, new = before.place_table, document.places
        moved: dict[str, Point | None] = {}
        if old is not new:
            moved |= {name: (row.lon, row.lat) for name, row in new.items() if old.get(name) is not row}
            moved |= dict.fromkeys(old.keys() - new.keys())
        known = before.finder.known.following(cities=None if cities is before.cities else cities, places=moved)
        if known is not None:
            return PlaceFinder(known, countries)
    points = {name: (row.lon, row.lat) for name, row in document.places.items()}
    return PlaceFinder.of(cities=cities, places=points, countries=countries)


def _found(
    key: str, line: Line, finder: PlaceFinder, countries: tuple[str, ...]
) -> tuple[FoundLine, tuple[Problem, ...]]:
    stops: list[Stop] = []
    missing: list[Problem] = []
    typed: list[int] = []
    for number, (name, kind) in enumerate(line.stops):
        try:
            place, lon, lat = find_place(finder, name, countries)
        except PlaceError as error:
            missing.append(Problem("lines", key, str(error)))
            continue
        stops.append(Stop(place, kind, lon, lat))
        typed.append(number)
    return FoundLine(key, line.name, tuple(stops), tuple(typed)), tuple(missing)


def find_place(finder: PlaceFinder, name: str, countries: tuple[str, ...]) -> tuple[str, float, float]:
    """Return full name, longitude and latitude of a place, quick to say so again if there is none.

    Raises:
        PlaceError: The name is empty, unknown or ambiguous.
    """
    known = _FAILED.get((countries, name))
    if known is not None and not finder.knows(name):
        raise PlaceError(known)
    try:
        return finder.find(name)
    except PlaceError as error:
        if len(_FAILED) < _MOST_FAILED:
            _FAILED[countries, name] = str(error)
        raise
