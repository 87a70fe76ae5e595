"""Control points: places of which a picture's pixel and the position on the earth are both known.

`control_points.csv` has the columns `x, y` (pixels or drawing units, y downward), then either `lon, lat`
(degrees, EPSG:4326) or `city` (a name, looked up as a station list's), and `note` if wanted.
"""

from dataclasses import dataclass
from pathlib import Path

from mapkit.core.errors import PlaceError, SourceError
from mapkit.core.filenames import is_there
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, coordinates, number, read_table
from mapkit.geography.gazetteer import known_countries
from mapkit.kinds.rail.model.source import LAST_PIXEL, BoardConfig, ControlPoint
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.places import FILE as PLACES
from mapkit.kinds.rail.sources.places import PlaceFinder, read_places

FILE = "control_points.csv"
MAX_POINTS = 1000


@dataclass(frozen=True)
class ControlFile:
    """A file of control points as read, and the configuration of the board that it belongs to, if any."""

    path: Path
    points: tuple[ControlPoint, ...]
    config: BoardConfig | None


def load_control_points(path: Path) -> ControlFile:
    """Read a file of control points, or the one in a source package.

    Beside a `board.toml` cities are looked up as that board's station lists do: its cities, its `places.csv`, the
    gazetteer of its countries. Elsewhere the gazetteer of all countries is used.

    Args:
        path: The file, or the folder of a source package that holds `control_points.csv`.

    Raises:
        SourceError: A row is wrong, a city cannot be looked up, or a table of the source package is wrong.
        WorkspaceError: The file is missing or may not be read.
    """
    file = path / FILE if path.is_dir() else path
    text = read_text(file, name=file.name)
    config, finder = _surroundings(file.parent)
    return ControlFile(file, read_control_points(text, file=file.name, finder=finder), config)


def _surroundings(folder: Path) -> tuple[BoardConfig | None, PlaceFinder]:
    if not is_there(folder / CONFIG_FILE):
        return None, PlaceFinder.of(cities=(), places={}, countries=tuple(sorted(known_countries())))
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    cities = load_cities(folder, config) if (folder / CITIES).exists() else []
    places = read_places(read_text(folder / PLACES, name=PLACES), file=PLACES) if (folder / PLACES).exists() else {}
    return config, PlaceFinder.of(cities=cities, places=places, countries=config.gazetteer.countries)


def read_control_points(
    text: str, *, file: str, finder: PlaceFinder, problems: Problems | None = None
) -> tuple[ControlPoint, ...]:
    """Read a table of control points, in the order of the file.

    Args:
        text: The file's text.
        file: Its name for messages.
        finder: Looks up the column `city`.
        problems: Takes what is wrong, and the rest is read; without it all is refused.

    Raises:
        SourceError: A cell is not a number, a row has no place or two, or a city cannot be looked up; every problem
            of the file is listed.
    """
    out: list[ControlPoint] = []
    problems = problems or Problems()
    rows = read_table(text, file=file, required=("x", "y"), optional=("lon", "lat", "city", "note"), problems=problems)
    for row in rows:
        try:
            out.append(_control_point(row, finder))
        except PlaceError as error:
            problems.add(row.at(str(error)))
        except SourceError as error:
            problems.extend(error)
    if len(rows) > MAX_POINTS:
        problems.add(f"{file}: {len(rows)} control points are more than the limit of {MAX_POINTS}; keep the best")
    problems.raise_if_any()
    return tuple(out)


def _control_point(row: Row, finder: PlaceFinder) -> ControlPoint:
    x, y = number(row, "x", like="512.5"), number(row, "y", like="512.5")
    if max(abs(x), abs(y)) > LAST_PIXEL:
        raise SourceError(row.at(f"x {x:g}, y {y:g} is outside any picture; correct it"))
    cells = {"lon": "", "lat": "", "city": "", "note": ""} | row.cells
    placed = bool(cells["lon"] or cells["lat"])
    if placed and cells["city"]:
        raise SourceError(
            row.at(f"both city {cells['city']!r} and lon, lat; give only one (a name for lon, lat can go into note)")
        )
    if not placed and not cells["city"]:
        raise SourceError(row.at("no place; give lon and lat, or a city"))
    if cells["city"]:
        name, lon, lat = finder.find(cells["city"])
    else:
        lon, lat = coordinates(Row(row.file, row.number, cells))
        name = cells["note"]
    return ControlPoint(file=row.file, row=row.number, name=name, x=x, y=y, lon=lon, lat=lat)
