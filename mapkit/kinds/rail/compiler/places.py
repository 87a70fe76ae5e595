"""The places of lines, found as a build finds them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.core.problems import Problem
from mapkit.document.document import sort_rows
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.railroads import FoundLine, FoundStop
from mapkit.kinds.rail.compiler.settings import setting
from mapkit.kinds.rail.sources.places import Known, KnownPlaces, PlaceFinder, known_cities, neighbouring_stops
from mapkit.kinds.rail.tables import City, Line, Milepost, Place

NO_PLACES: Final = KnownPlaces({}, {})
_ALL: Final = ""
"""The key of places of all cities."""
_FEW: Final = 20
"""Names that are looked up without the cache on disk."""


@dataclass(frozen=True)
class FoundPlaces:
    """Lines of a document with their places, by line id, and the names not found."""

    lines: Mapping[str, FoundLine]
    problems: tuple[Problem, ...]


@tracked
def find_places(db: Reader) -> FoundPlaces:
    """Find the places of all lines."""
    found = found_lines(db)
    lost = [key for key, (_, missing) in found.items() if missing]
    return FoundPlaces(
        {key: line for key, (line, _) in found.items()},
        tuple(problem for key in sorted(lost) for problem in found[key][1]),
    )


@tracked
def found_lines(db: Reader) -> Mapping[str, tuple[FoundLine, tuple[Problem, ...]]]:
    """Find the places of each line."""
    is_invented = setting(db, "projection").land_plane is not None
    cities = _city_places(db)
    return db.each(
        _found, db.table("lines"), _named_places(db), db.table("mileposts"), cities, countries(db), is_invented
    )


def countries(db: Reader) -> tuple[str, ...]:
    """Return where the gazetteer looks (ISO 3166 alpha-2)."""
    return tuple(setting(db, "gazetteer").countries)


@tracked
def _named_places(db: Reader) -> Mapping[str, Known | None]:
    """Return the place of each name in lines: a city, a row of `places.csv`, or an entry of the gazetteer."""
    points = db.each(_point, db.table("places"))
    return db.each(_named, _typed_names(db), known_city_names(db), _folded_places(db), points, _gazetteer_places(db))


@tracked
def _typed_names(db: Reader) -> dict[str, str]:
    """Return the names in lines."""
    return {name: name for line in db.table("lines").values() for name, _ in line.stops}


@tracked
def known_city_names(db: Reader) -> dict[str, Known]:
    """Return cities and their mileposts by folded name."""
    return known_cities(city for _, city in sort_rows(db.table("cities")))


@tracked
def _city_places(db: Reader) -> dict[str, tuple[Point, ...]]:
    """Return where the mileposts of cities lie, sorted, under one key."""
    return {_ALL: KnownPlaces({}, known_city_names(db)).middles()}


@tracked
def _place_names(db: Reader) -> tuple[str, ...]:
    """Return the names of `places.csv`."""
    return tuple(db.table("places"))


@tracked
def _folded_places(db: Reader) -> dict[str, str]:
    """Return the names of `places.csv` by folded name."""
    return {fold(name): name for name in _place_names(db)}


@tracked
def _folded_cities(db: Reader) -> frozenset[str]:
    """Return the folded names of cities and their mileposts."""
    return frozenset(known_city_names(db))


@tracked
def _gazetteer_places(db: Reader) -> Mapping[str, Known | None]:
    """Return the gazetteer's entries for the names unknown to the board."""
    cities, places = _folded_cities(db), _folded_places(db)
    names = {n: n for n in _typed_names(db) if n.startswith("@") or not (fold(n) in cities or fold(n) in places)}
    return db.batch(_look_up, names, countries(db))


def _look_up(names: Mapping[str, str], countries: tuple[str, ...]) -> dict[str, Known | None]:
    finder = PlaceFinder(NO_PLACES, countries)
    if len(names) > _FEW:
        finder.look_up_all(names)
    found = {name: finder.get(name) for name in names}
    return {name: None if place is None else (place[0], (place[1], place[2])) for name, place in found.items()}


def _point(_name: str, place: Place) -> Point:
    return place.lon, place.lat


def _named(
    name: str,
    _same: str,
    cities: Mapping[str, Known],
    folded_places: Mapping[str, str],
    points: Mapping[str, Point],
    gazetteer: Mapping[str, Known | None],
) -> Known | None:
    if not name.startswith("@"):
        folded = fold(name)
        if known := cities.get(folded):
            return known
        if (place := folded_places.get(folded)) is not None:
            return place, points[place]
    return gazetteer[name]


@tracked
def loose_cities(db: Reader) -> Mapping[str, City]:
    """Return the cities that stand at no milepost of the table."""
    posts, cities = db.table("mileposts"), db.table("cities")
    if not posts:
        return cities
    return {
        key: city
        for key, city in cities.items()
        if city.milepost_name not in posts and slug(city.milepost_name) not in posts
    }


def in_file_order(lines: Mapping[str, Line]) -> list[tuple[str, Line]]:
    """Return lines in the order of the files and of their rows there."""
    return sorted(lines.items(), key=lambda item: (item[1].file, item[1].rank, item[0]))


def _found(
    key: str,
    line: Line,
    named: Mapping[str, Known | None],
    posts: Mapping[str, Milepost],
    cities: Mapping[str, tuple[Point, ...]],
    countries: tuple[str, ...],
    is_invented: bool,  # noqa: FBT001 - passed on by `each`
) -> tuple[FoundLine, tuple[Problem, ...]]:
    """Find the places of a line; a name that gives the id of a table's milepost means that milepost."""
    stops: dict[int, FoundStop] = {}
    lost: list[int] = []
    for number, (name, kind) in enumerate(line.stops):
        found = _post(posts, name)
        if found is None and (known := named[name]) is not None:
            found = _post(posts, known[0]) or (known[0], *known[1])
        if found is None:
            lost.append(number)
            continue
        place, lon, lat = found
        stops[number] = FoundStop(place, kind, lon, lat)
    missing: list[Problem] = []
    points = {number: (stop.lon, stop.lat) for number, stop in stops.items()}
    for number in lost:
        near = neighbouring_stops(points, number) or cities[_ALL]
        said = _why_not(countries, line.stops[number][0], near, is_invented=is_invented)
        missing.append(Problem("lines", key, said, part=number))
    return FoundLine(key, line.name, tuple(stops.values()), tuple(stops), lost=bool(missing)), tuple(missing)


def _post(posts: Mapping[str, Milepost], name: str) -> tuple[str, float, float] | None:
    """Return the table's milepost with the id of a name, under one spelling."""
    key = slug(name)
    row = posts.get(key)
    return None if row is None else (post_name(key, row), row.lon, row.lat)


def post_name(key: str, post: Milepost) -> str:
    """Return the name by which lines find a milepost of the table: its own, or its id."""
    return post.name if slug(post.name) == key else key


@lru_cache(maxsize=10_000)
def _why_not(countries: tuple[str, ...], name: str, near: tuple[Point, ...], *, is_invented: bool) -> str:
    """Return why the gazetteer has no place for a name; looking for near names takes long."""
    return PlaceFinder(NO_PLACES, countries, is_invented=is_invented).why_not(name, near)
