"""The places of lines, found as a build finds them, and found again only where something changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.core.problems import Problem
from mapkit.document.document import ordered
from mapkit.kinds.rail.compiler.railroads import FoundLine, FoundStop
from mapkit.kinds.rail.sources.places import PlaceFinder, beside
from mapkit.kinds.rail.tables import City, Line, Milepost, Place, RailDocument

_FAILED: dict[tuple[tuple[str, ...], str, tuple[Point, ...]], str] = {}
"""Names that a gazetteer lacks, for looking for near names takes long."""
_MOST_FAILED = 10_000


@dataclass(frozen=True)
class FoundPlaces:
    """The lines of a document with their places, by line id, and what was not found."""

    loose_cities: Mapping[str, City]
    """Those that stand at no milepost of the table."""
    lines: Mapping[str, FoundLine]
    problems: tuple[Problem, ...]
    milepost_table: Mapping[str, Milepost] = field(repr=False)
    city_table: Mapping[str, City] = field(repr=False)
    place_table: Mapping[str, Place] = field(repr=False)
    line_table: Mapping[str, Line] = field(repr=False)
    countries: tuple[str, ...] = ()
    finder: PlaceFinder = field(repr=False, kw_only=True)
    lost: Mapping[str, tuple[Problem, ...]] = field(repr=False, kw_only=True)
    folded: Mapping[str, frozenset[str]] = field(repr=False, kw_only=True)
    """The names that each line has, folded."""


def find_places(document: RailDocument, countries: tuple[str, ...], before: FoundPlaces | None = None) -> FoundPlaces:
    """Find the places of all lines.

    Args:
        document: The document.
        countries: Where the gazetteer looks (ISO 3166 alpha-2).
        before: What was found in an earlier document; what cannot have changed is taken from it.
    """
    same = (
        before is not None
        and before.milepost_table is document.mileposts
        and before.city_table is document.cities
        and before.place_table is document.places
        and before.countries == countries
    )
    if before is not None and same and before.line_table is document.lines:
        return before
    finder = before.finder if before is not None and same else _finder(document, countries, before)
    if before is None:
        finder.look_up_all(name for line in document.lines.values() for name, _ in line.stops)
    moved: frozenset[str] | None = None  # None: any name
    if before is not None and before.countries == countries and before.milepost_table is document.mileposts:
        moved = frozenset() if same else finder.known.differs(before.finder.known)
    lines: dict[str, FoundLine] = {}
    lost: dict[str, tuple[Problem, ...]] = {}
    folded: dict[str, frozenset[str]] = {}
    for key, line in document.lines.items():
        old = before.lines.get(key) if before is not None else None
        if (
            before is not None
            and old is not None
            and moved is not None
            and before.line_table.get(key) is line
            and (not moved or moved.isdisjoint(before.folded[key]))
        ):
            folded[key] = before.folded[key]
            lines[key] = old
            if key in before.lost:
                lost[key] = before.lost[key]
            continue
        found, missing = _found(key, line, finder, document.mileposts)
        folded[key] = frozenset(fold(place) for place, _ in line.stops)
        lines[key] = old if old == found else found
        if missing:
            lost[key] = missing
    return FoundPlaces(
        loose_cities=_loose(document),
        lines=lines,
        problems=tuple(problem for key in sorted(lost) for problem in lost[key]),
        milepost_table=document.mileposts,
        city_table=document.cities,
        place_table=document.places,
        line_table=document.lines,
        countries=countries,
        finder=finder,
        lost=lost,
        folded=folded,
    )


def in_file_order(lines: Mapping[str, Line]) -> list[tuple[str, Line]]:
    """Return lines in the order of the files and of their rows there."""
    return sorted(lines.items(), key=lambda item: (item[1].file, item[1].rank, item[0]))


def _finder(document: RailDocument, countries: tuple[str, ...], before: FoundPlaces | None) -> PlaceFinder:
    """Return what finds the places of a document; what an earlier one found is not gone through again."""
    cities = [city for _, city in ordered(document.cities)]
    if before is not None and before.countries == countries:
        old, new = before.place_table, document.places
        moved: dict[str, Point | None] = {}
        if old is not new:
            moved |= {name: (row.lon, row.lat) for name, row in new.items() if old.get(name) is not row}
            moved |= dict.fromkeys(old.keys() - new.keys())
        new_cities = None if document.cities is before.city_table else cities
        known = before.finder.known.following(cities=new_cities, places=moved)
        if known is not None:
            return PlaceFinder(known, countries)
    points = {name: (row.lon, row.lat) for name, row in document.places.items()}
    return PlaceFinder.of(cities=cities, places=points, countries=countries)


def _loose(document: RailDocument) -> Mapping[str, City]:
    """Return the cities that stand at no milepost of the table."""
    posts = document.mileposts
    if not posts:
        return document.cities
    return {
        key: city
        for key, city in document.cities.items()
        if city.milepost_name not in posts and slug(city.milepost_name) not in posts
    }


def _found(
    key: str, line: Line, finder: PlaceFinder, posts: Mapping[str, Milepost]
) -> tuple[FoundLine, tuple[Problem, ...]]:
    """Find the places of a line; one whose name gives the id of a milepost of the table is that milepost."""
    stops: dict[int, FoundStop] = {}
    lost: list[int] = []
    for number, (name, kind) in enumerate(line.stops):
        found = _post(posts, name) or finder.get(name)
        if found is None:
            lost.append(number)
            continue
        place, lon, lat = _post(posts, found[0]) or found
        stops[number] = FoundStop(place, kind, lon, lat)
    missing: list[Problem] = []
    points = {number: (stop.lon, stop.lat) for number, stop in stops.items()}
    for number in lost:
        said = _why_not(finder, line.stops[number][0], beside(points, number) or finder.known.middles())
        missing.append(Problem("lines", key, said, part=number))
    return FoundLine(key, line.name, tuple(stops.values()), tuple(stops), lost=bool(missing)), tuple(missing)


def _post(posts: Mapping[str, Milepost], name: str) -> tuple[str, float, float] | None:
    """Return the milepost of the table whose id a name gives, under one name whatever its spelling."""
    key = slug(name) if posts else ""
    row = posts.get(key)
    return None if row is None else (row.name if slug(row.name) == key else key, row.lon, row.lat)


def _why_not(finder: PlaceFinder, name: str, near: tuple[Point, ...]) -> str:
    """Return why a name has no place, quick to say so again."""
    key = (finder.countries, name, near)
    if key not in _FAILED:
        if len(_FAILED) >= _MOST_FAILED:
            _FAILED.clear()
        _FAILED[key] = finder.why_not(name, near)
    return _FAILED[key]
