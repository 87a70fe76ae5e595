"""Where cities lie, from a table of names, longitudes and latitudes: enough to judge a chart that has no board."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mapkit.core.errors import SourceError
from mapkit.core.names import fold, slug
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, coordinates, raw_rows
from mapkit.kinds.rail.sources.city_names import KnownCity

_NAMES = ("city", "name")
_COLUMNS = {"lon": "lon", "lng": "lon", "long": "lon", "longitude": "lon", "lat": "lat", "latitude": "lat"}


class CityPlace(NamedTuple):
    """A city and where it lies, degrees (EPSG:4326)."""

    city: KnownCity
    lon: float
    lat: float


def read_city_coordinates(path: Path, *, file: str | None = None) -> tuple[CityPlace, ...]:
    """Read a CSV table with the columns `city` (or `name`), `lon`, `lat`; `id` if there is one; others are left.

    Raises:
        SourceError: A column is missing, a position is not valid, or a city appears twice.
        WorkspaceError: The file is missing or may not be read.
    """
    file = file or str(path)
    rows = raw_rows(read_text(path, name=file), file=file)
    line, head = next(rows)
    at = _columns(head, f"{file}:{line}")
    problems = Problems()
    found: dict[str, CityPlace] = {}
    for number, cells in rows:
        padded = [*cells, *[""] * (len(head) - len(cells))]
        row = Row(file, number, {column: padded[k] for column, k in at.items()})
        name = row.cells["city"]
        ident = row.cells.get("id") or slug(name)
        if not ident or slug(ident) != ident:
            problems.add(row.at(f"{name or ident!r} cannot become an id; use letters and digits in the name"))
            continue
        if ident in found:
            problems.add(row.at(f"{name!r} is listed twice; remove one"))
            continue
        try:
            lon, lat = coordinates(row)
        except SourceError as error:
            problems.extend(error)
            continue
        found[ident] = CityPlace(KnownCity(ident, name), lon, lat)
    problems.raise_if_any()
    return tuple(found.values())


def _columns(head: Sequence[str], where: str) -> dict[str, int]:
    """Return where the columns stand; `city` goes before `name`."""
    folded = [fold(title) for title in head]
    at: dict[str, int] = {}
    for title, column in (*((name, "city") for name in _NAMES), ("id", "id"), *_COLUMNS.items()):
        if title in folded:
            at.setdefault(column, folded.index(title))
    missing = [column for column in ("city", "lon", "lat") if column not in at]
    if missing:
        raise SourceError(f"{where}: column {missing[0]!r} is missing; the columns are city, lon, lat")
    return at
