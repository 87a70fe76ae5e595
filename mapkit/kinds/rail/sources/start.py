"""Files of a new railroad board: a small example, or an empty board, of a region of the earth or of none yet."""

from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Final

import numpy as np

from mapkit.core.base import Area, Point
from mapkit.core.errors import ChoiceError, UnknownNameError
from mapkit.document.boards import folder_files
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.page_map import transformer
from mapkit.geography.region import LAST_LATITUDE, middle_longitude, name_region, places_in
from mapkit.kinds.kind import RegionAsked
from mapkit.kinds.rail.sources.projections import crs_of, projection_toml, suitable_projection

PATTERNS: Final = ("board.toml", "*.csv", "charts/*.csv", "lines/*", "drawings/*", "layers/*")
"""Where the files of a source package are."""
_OPEN_PROJECTION: Final = "# without this table mapkit chooses a projection that suits the board\n# [projection]\n"
_OPEN_COUNTRIES: Final = '# [gazetteer]\n# countries = ["IE", "GB"]'
_OPEN_EXTENT: Final = "# extent = [-10.7, 51.3, -5.3, 55.5]"
_OPEN_PAGE: Final = "width = 900\nheight = 600"
_PAGE_MM2: Final = 840 * 470
"""Area of the map on the page of an empty board, inside its margins and above its legend."""
_SLENDER: Final = 0.5
_OUTLIERS: Final = 0.001
_MARGINS_MM: Final = (60, 130)
_TURN: Final = 360.0
_HALF_TURN: Final = 180.0


def empty_files() -> dict[str, bytes]:
    """Return the files of a board without railroads, cities and region."""
    return _files("empty")


def empty_region_files(asked: RegionAsked) -> dict[str, bytes]:
    """Return the files of a board of a region, without railroads and cities.

    Projection, page, gazetteer and extent are those of the places of the region.

    Raises:
        ChoiceError: A size of hexagon boards is given.
        UnknownNameError: There is no such region, or nobody lives there.
    """
    if any(size is not None for size in (asked.cell_km, asked.columns, asked.cities, asked.mountains)):
        raise ChoiceError(
            "--hex-km, --columns, --cities and --mountains are for boards of hexagons; leave them out, or draft cities "
            "too with mapkit draft"
        )
    region = name_region(asked.region, bounds=asked.bounds)
    places = [place for place in places_in(region) if abs(place.lat) <= LAST_LATITUDE]
    if not places:
        raise UnknownNameError(f"--region: the gazetteer has no place in {region.name}; name a larger region")
    points = _without_outliers(places)
    projection = suitable_projection(points)
    width, height = _page_size(crs_of(projection), points)
    west, south, east, north = _extent(points)
    countries = ", ".join(f'"{code}"' for code in sorted(region.countries))
    text = empty_files()["board.toml"].decode()
    start = text.index(_OPEN_PROJECTION)
    end = text.index("\n\n", start)
    text = text.replace(text[start:end], "\n".join(projection_toml(projection)))
    text = text.replace(_OPEN_COUNTRIES, f"[gazetteer]\ncountries = [{countries}]")
    text = text.replace(_OPEN_EXTENT, f"extent = [{west:g}, {south:g}, {east:g}, {north:g}]")
    return {"board.toml": text.replace(_OPEN_PAGE, f"width = {width}\nheight = {height}").encode()}


def _without_outliers(places: Sequence[GazetteerPlace]) -> list[Point]:
    """Return the points of places without those beyond 999 of 1,000 people in any direction, such as remote islands.

    Longitudes are within half a turn of the middle.
    """
    people = np.array([max(place.population, 1) for place in places], dtype=np.float64)
    middle = middle_longitude([place.lon for place in places])
    lons = np.array([place.lon for place in places])
    lons = (lons - middle + _HALF_TURN) % _TURN - _HALF_TURN + middle
    points = np.column_stack((lons, [place.lat for place in places]))
    kept = np.ones(len(points), dtype=np.bool_)
    for values in points.T:
        order = np.argsort(values, kind="stable")
        share = np.cumsum(people[order]) / people.sum()
        kept[order[(share < _OUTLIERS) | (share - people[order] / people.sum() > 1 - _OUTLIERS)]] = False
    return [(lon, lat) for lon, lat in points[kept].tolist()]


def _page_size(crs: str, points: Sequence[Point]) -> tuple[int, int]:
    """Return width and height of the page in millimetres, to the centimetre, in the shape of the region."""
    lons, lats = zip(*points, strict=True)
    east, north = transformer(crs).transform(lons, lats)
    shape = (max(east) - min(east)) / max(max(north) - min(north), 1.0)
    shape = min(max(shape, _SLENDER), 1 / _SLENDER)
    inside = (_PAGE_MM2 * shape) ** 0.5, (_PAGE_MM2 / shape) ** 0.5
    width, height = (round((side + margin) / 10) * 10 for side, margin in zip(inside, _MARGINS_MM, strict=True))
    return width, height


def _extent(points: Sequence[Point]) -> Area:
    """Return the box of points, west, south, east and north; across longitude 180, the part on the side of most."""
    (west, south), (east, north) = np.min(points, axis=0).tolist(), np.max(points, axis=0).tolist()
    west, east = max(west, -_HALF_TURN), min(east, _HALF_TURN)
    return round(west, 1), round(south, 1), round(east, 1), round(north, 1)


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    return _files("template")


def _files(folder: str) -> dict[str, bytes]:
    with as_file(files("mapkit.kinds.rail.sources").joinpath(folder)) as found:
        return folder_files(found, PATTERNS)
