"""Control points: pairs of a pixel in a picture and a position on the earth.

`control_points.csv` has the columns `x, y` (pixels or drawing units, y downward), then either `lon, lat`
(degrees, EPSG:4326) or `city` (a name, looked up as in station lists), and optionally `note`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError, SourceError
from mapkit.core.outputs.filenames import is_there
from mapkit.document.plain_tables import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, parse_coordinates, parse_number
from mapkit.geography.gazetteer import known_countries
from mapkit.kinds.rail import tables
from mapkit.kinds.rail.model.source import LAST_PIXEL, BoardConfig, ControlPoint
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.places import PlaceFinder, place_points, read_places
from mapkit.kinds.rail.sources.table_files import CITIES, CONTROL_POINTS, FORMS, PLACES

MAX_POINTS = 1000


@dataclass(frozen=True)
class ControlFile:
    """Control points of a file, and the configuration of its board, if any."""

    path: Path
    points: tuple[ControlPoint, ...]
    config: BoardConfig | None


def load_control_points(path: Path) -> ControlFile:
    """Read a file of control points, or the one in a source package.

    Next to a `board.toml`, cities are looked up as in that board's station lists: in its cities, its `places.csv`, and
    the gazetteer of its countries. Otherwise the gazetteer of all countries is used.

    Args:
        path: The file, or the folder of a source package that holds `control_points.csv`.

    Raises:
        SourceError: A row is wrong, a city cannot be looked up, or a table of the source package is wrong.
        WorkspaceError: The file is missing or may not be read.
    """
    control_file = path / CONTROL_POINTS if path.is_dir() else path
    text = read_text(control_file, name=control_file.name)
    config, place_finder = _read_surroundings(control_file.parent)
    return ControlFile(control_file, parse_control_points(text, file=control_file.name, finder=place_finder), config)


def parse_control_points(text: str, *, file: str, finder: PlaceFinder) -> tuple[ControlPoint, ...]:
    """Return the control points of a file, in its order.

    Args:
        text: The file's text.
        file: Its name for messages.
        finder: Looks up the column `city`.

    Raises:
        SourceError: A cell is not a number, a row has no place or two places, or a city cannot be looked up; the error
            lists every problem of the file.
    """
    reader = TableReader({file: text})
    table_points = read_control_points(reader, file)
    row_numbers = [reader.origins["control_points", key].row for key in table_points]
    problems = Problems(kept=True)
    placed_points = place_control_points(table_points.values(), finder, file=file, rows=row_numbers, problems=problems)
    reader.note("control_points", SourceError(problems.found))
    reader.raise_if_any()
    return placed_points


def _read_surroundings(folder: Path) -> tuple[BoardConfig | None, PlaceFinder]:
    if not is_there(folder / CONFIG_FILE):
        return None, PlaceFinder.of(cities=(), places={}, countries=tuple(sorted(known_countries())))
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    cities = load_cities(folder, config)[0] if (folder / CITIES).exists() else {}
    place_positions: dict[str, Point] = {}
    if (folder / PLACES).exists():
        reader = TableReader({PLACES: read_text(folder / PLACES, name=PLACES)})
        place_rows = read_places(reader)
        reader.raise_if_any()
        place_positions = place_points(place_rows)
    return config, PlaceFinder.of(cities=cities.values(), places=place_positions, countries=config.gazetteer.countries)


def read_control_points(reader: TableReader, file: str = CONTROL_POINTS) -> dict[str, tables.ControlPoint]:
    """Read a table of control points in file order, without looking up cities.

    Args:
        reader: Reader of the file, which collects its problems.
        file: The file.
    """
    control_points = reader.rows(
        "control_points", tables.ControlPoint, replace(FORMS["control_points"], file=file), _row_values
    )
    row_count = len(reader.parsed("control_points", file)) - 1
    if row_count > MAX_POINTS:
        problem_text = f"{file}: {row_count} control points are more than the limit of {MAX_POINTS}; keep the best"
        reader.note("control_points", SourceError(problem_text))
    return control_points


def _row_values(row: Row) -> Mapping[str, object]:
    x, y = parse_number(row, "x", like="512.5"), parse_number(row, "y", like="512.5")
    if max(abs(x), abs(y)) > LAST_PIXEL:
        raise SourceError(row.at(f"x {x:g}, y {y:g} is outside any picture; correct it"))
    cells = {"lon": "", "lat": "", "city": "", "note": ""} | row.cells
    has_position = bool(cells["lon"] or cells["lat"])
    if has_position and cells["city"]:
        raise SourceError(
            row.at(f"both city {cells['city']!r} and lon, lat; give only one (a name for lon, lat can go into note)")
        )
    if not has_position and not cells["city"]:
        raise SourceError(row.at("no place; give lon and lat, or a city"))
    lon, lat = parse_coordinates(Row(row.file, row.number, cells)) if has_position else (None, None)
    return {"x": x, "y": y, "lon": lon, "lat": lat, "city": cells["city"], "note": cells["note"]}


def place_control_points(
    points: Iterable[tables.ControlPoint],
    finder: PlaceFinder,
    *,
    file: str = CONTROL_POINTS,
    rows: Sequence[int] | None = None,
    problems: Problems,
) -> tuple[ControlPoint, ...]:
    """Return control points with their positions.

    Args:
        points: The rows of a table.
        finder: Looks up cities.
        file: The file of the table.
        rows: Their rows there; those of a file without blank lines by default.
        problems: Collector of the names that cannot be looked up.
    """
    placed_points: list[ControlPoint] = []
    for point_index, point in enumerate(points):
        row_number = point_index + 2 if rows is None else rows[point_index]
        if point.lon is not None and point.lat is not None:
            name, lon, lat = point.note, point.lon, point.lat
        else:
            try:
                name, lon, lat = finder.find(point.city)
            except PlaceError as error:
                problems.add(f"{file}:{row_number}: {error}")
                continue
        placed_points.append(ControlPoint(file=file, row=row_number, name=name, x=point.x, y=point.y, lon=lon, lat=lat))
    return tuple(placed_points)
