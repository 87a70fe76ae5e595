"""Coordinates of cities from a table of names, longitudes and latitudes, to check a chart without a board."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mapkit.core.errors import SourceError
from mapkit.core.names import fold, slug
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, parse_coordinates, raw_rows
from mapkit.kinds.rail.sources.city_names import KnownCity

_NAME_COLUMNS = ("city", "name")
_COLUMN_ALIASES = {"lon": "lon", "lng": "lon", "long": "lon", "longitude": "lon", "lat": "lat", "latitude": "lat"}


class CityPlace(NamedTuple):
    """City with its position in degrees (EPSG:4326)."""

    city: KnownCity
    lon: float
    lat: float


def read_city_coordinates(path: Path, *, file: str | None = None) -> tuple[CityPlace, ...]:
    """Read a CSV table with columns `city` (or `name`), `lon`, `lat` and optionally `id`; ignore others.

    Raises:
        SourceError: A column is missing, a position is not valid, or a city appears twice.
        WorkspaceError: The file is missing or may not be read.
    """
    file = file or str(path)
    data_rows = raw_rows(read_text(path, name=file), file=file)
    header_row, column_names = next(data_rows)
    index_by_column = _locate_columns(column_names, f"{file}:{header_row}")
    problems = Problems()
    place_by_id: dict[str, CityPlace] = {}
    for row_number, cells in data_rows:
        padded_cells = [*cells, *[""] * (len(column_names) - len(cells))]
        row = Row(
            file, row_number, {column: padded_cells[column_index] for column, column_index in index_by_column.items()}
        )
        city_name = row.cells["city"]
        city_id = row.cells.get("id") or slug(city_name)
        if not city_id or slug(city_id) != city_id:
            problems.add(row.at(f"{city_name or city_id!r} cannot become an id; use letters and digits in the name"))
            continue
        if city_id in place_by_id:
            problems.add(row.at(f"{city_name!r} is listed twice; remove one"))
            continue
        try:
            lon, lat = parse_coordinates(row)
        except SourceError as error:
            problems.extend(error)
            continue
        place_by_id[city_id] = CityPlace(KnownCity(city_id, city_name), lon, lat)
    problems.raise_if_any()
    return tuple(place_by_id.values())


def _locate_columns(head: Sequence[str], where: str) -> dict[str, int]:
    """Return the positions of the columns; `city` takes precedence over `name`."""
    folded_titles = [fold(title) for title in head]
    index_by_column: dict[str, int] = {}
    for title, column in (*((name, "city") for name in _NAME_COLUMNS), ("id", "id"), *_COLUMN_ALIASES.items()):
        if title in folded_titles:
            index_by_column.setdefault(column, folded_titles.index(title))
    missing_columns = [column for column in ("city", "lon", "lat") if column not in index_by_column]
    if missing_columns:
        raise SourceError(f"{where}: column {missing_columns[0]!r} is missing; the columns are city, lon, lat")
    return index_by_column
