"""Mileposts, junctions and track pieces from their files, element by element; wrong rows are left out and reported."""

from collections.abc import Callable
from math import inf
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from mapkit.core.base import Point, Slug
from mapkit.core.errors import SourceError
from mapkit.document.document import Row, RowOrigin
from mapkit.formats import tables
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.formats.tables import Problems, coordinates, read_table
from mapkit.kinds.rail.reading.rows import Keyed, Origins
from mapkit.kinds.rail.sources.package import JUNCTIONS, MILEPOSTS, TRACK
from mapkit.kinds.rail.tables import Junction, Milepost, Track

COLUMNS: Final = {
    MILEPOSTS: ("id", "name", "lon", "lat"),
    JUNCTIONS: ("id", "railroad", "lon", "lat"),
    TRACK: ("id", "railroad", "a", "b", "bends"),
}
"""The columns of each file."""
_SLUG: Final = TypeAdapter(Slug)
R = TypeVar("R", bound=Row)


def mileposts(text: str, origins: Origins, problems: Problems) -> Keyed:
    """Return the rows of `mileposts.csv`."""
    return _rows(text, MILEPOSTS, _milepost, origins, problems)


def junctions(text: str, origins: Origins, problems: Problems) -> Keyed:
    """Return the rows of `junctions.csv`."""
    return _rows(text, JUNCTIONS, _junction, origins, problems)


def track(text: str, origins: Origins, problems: Problems) -> Keyed:
    """Return the rows of `track.csv`."""
    return _rows(text, TRACK, _piece, origins, problems)


def _rows(text: str, file: str, make: Callable[[tables.Row], R], origins: Origins, problems: Problems) -> Keyed:
    table = file.removesuffix(".csv")
    out: dict[str, R] = {}
    for row in read_table(text, file=file, required=COLUMNS[file], problems=problems):
        try:
            key, made = _slug(row, "id"), make(row)
        except SourceError as error:
            problems.extend(error)
            continue
        if key in out:
            first = origins[table, key].row
            problems.add(row.at(f"id {key!r} is already in row {first}; remove one, or give it another id"))
            continue
        out[key] = made
        origins[table, key] = RowOrigin(file, row.number)
    return list(out.items())


def _milepost(row: tables.Row) -> Milepost:
    if not row.cells["name"]:
        raise SourceError(row.at("name is empty; give the name to show"))
    lon, lat = coordinates(row)
    return Milepost(name=row.cells["name"], lon=lon, lat=lat)


def _junction(row: tables.Row) -> Junction:
    lon, lat = coordinates(row)
    return Junction(railroad=_slug(row, "railroad"), lon=lon, lat=lat)


def _piece(row: tables.Row) -> Track:
    typed = [part.strip() for part in row.cells["bends"].split(";") if part.strip()]
    bends = tuple(_bend(row, part) for part in typed)
    return Track(railroad=_slug(row, "railroad"), a=_slug(row, "a"), b=_slug(row, "b"), bends=bends)


def _bend(row: tables.Row, text: str) -> Point:
    try:
        lon, lat = map(float, text.split())
    except ValueError:
        lon = lat = inf
    if not (abs(lon) <= LAST_LON and abs(lat) <= LAST_LAT):
        said = "write lon lat in degrees, bends parted by semicolons, such as -87.3 41.2; -87.1 41.4"
        raise SourceError(row.at(f"bends has {text[:80]!r}; {said}"))
    return lon, lat


def _slug(row: tables.Row, column: str) -> str:
    try:
        return _SLUG.validate_python(row.cells[column])
    except ValidationError:
        text = f"{column} is {row.cells[column][:80]!r}; write an id: lower-case letters and digits, joined by hyphens"
        raise SourceError(row.at(text)) from None
