"""Files of a new railroad board: a small example, or an empty board with or without a region."""

import tomllib
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np

from mapkit.core.base import Area, Point
from mapkit.core.errors import ChoiceError, UnknownNameError
from mapkit.document.boards import folder_files
from mapkit.formats.degrees import middle_longitude
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.page_map import transformer
from mapkit.geography.region import LAST_LATITUDE, parse_region, places_in
from mapkit.kinds.kind import RegionAsked
from mapkit.kinds.rail.sources.projections import crs_of, projection_toml, suitable_projection
from mapkit.kinds.rail.sources.table_files import PATTERNS

_OPEN_PROJECTION: Final = "# without this table mapkit chooses a projection that suits the board\n# [projection]\n"
_OPEN_COUNTRIES: Final = '# [gazetteer]\n# countries = ["IE", "GB"]'
_OPEN_EXTENT: Final = "# extent = [-10.7, 51.3, -5.3, 55.5]"
_OPEN_CHARTS: Final = "# [destinations]\n# solve = true"
_OPEN_PAGE: Final = "width = 900\nheight = 600"
_PAGE_MM2: Final = 840 * 470
"""Area of the map on the page of an empty board, without margins and legend."""
_MIN_ASPECT: Final = 0.5
_OUTLIER_SHARE: Final = 0.001
_MARGINS_MM: Final = (60, 130)
_TURN_DEGREES: Final = 360.0
_HALF_TURN_DEGREES: Final = 180.0


def empty_files() -> dict[str, bytes]:
    """Return the files of a board without railroads, cities and region."""
    return _read_template("empty")


def empty_region_files(asked: RegionAsked) -> dict[str, bytes]:
    """Return the files of a board of a region, without railroads and cities.

    Projection, page, gazetteer and extent follow from the places of the region.

    Raises:
        ChoiceError: A size of hexagon boards is given.
        UnknownNameError: There is no such region, or it has no inhabitants.
    """
    if any(hex_size is not None for hex_size in (asked.cell_km, asked.columns, asked.cities, asked.mountains)):
        raise ChoiceError(
            "--hex-km, --columns, --cities and --mountains are for boards of hexagons; leave them out, or draft cities "
            "too with mapkit draft"
        )
    region = parse_region(asked.region, bounds=asked.bounds)
    region_places = [place for place in places_in(region) if abs(place.lat) <= LAST_LATITUDE]
    if not region_places:
        raise UnknownNameError(f"--region: the gazetteer has no place in {region.name}; name a larger region")
    region_points = _without_outliers(region_places)
    projection = suitable_projection(region_points)
    width, height = _page_size(crs_of(projection), region_points)
    west, south, east, north = _points_extent(region_points)
    country_codes = sorted(region.countries or {place.country for place in region_places})
    countries = ", ".join(f'"{code}"' for code in country_codes)
    config_text = empty_files()["board.toml"].decode()
    table_start = config_text.index(_OPEN_PROJECTION)
    table_end = config_text.index("\n\n", table_start)
    config_text = config_text.replace(config_text[table_start:table_end], "\n".join(projection_toml(projection)))
    config_text = config_text.replace(_OPEN_COUNTRIES, f"[gazetteer]\ncountries = [{countries}]")
    config_text = config_text.replace(_OPEN_EXTENT, f"extent = [{west:g}, {south:g}, {east:g}, {north:g}]")
    config_text = config_text.replace(_OPEN_CHARTS, "[destinations]\nsolve = true")
    return {"board.toml": config_text.replace(_OPEN_PAGE, f"width = {width}\nheight = {height}").encode()}


def region_settings(asked: RegionAsked) -> dict[str, Any]:
    """Return the settings by key that `empty_region_files` has for a region; raises as it does."""
    config = tomllib.loads(empty_region_files(asked)["board.toml"].decode())
    return {
        f"{group}.{name}": value
        for group in ("projection", "page", "gazetteer")
        for name, value in config[group].items()
        if (group, name) not in {("page", "margin"), ("page", "legend")}
    }


def _without_outliers(places: Sequence[GazetteerPlace]) -> list[Point]:
    """Return the points of places, without the outermost 0.1 % of people in each direction (remote islands).

    Longitudes are within half a turn of the middle.
    """
    people = np.array([max(place.population, 1) for place in places], dtype=np.float64)
    middle_lon = middle_longitude([place.lon for place in places])
    lons = np.array([place.lon for place in places])
    lons = (lons - middle_lon + _HALF_TURN_DEGREES) % _TURN_DEGREES - _HALF_TURN_DEGREES + middle_lon
    place_points = np.column_stack((lons, [place.lat for place in places]))
    is_kept = np.ones(len(place_points), dtype=np.bool_)
    for coordinates in place_points.T:
        sorted_indices = np.argsort(coordinates, kind="stable")
        people_share = np.cumsum(people[sorted_indices]) / people.sum()
        is_kept[
            sorted_indices[
                (people_share < _OUTLIER_SHARE)
                | (people_share - people[sorted_indices] / people.sum() > 1 - _OUTLIER_SHARE)
            ]
        ] = False
    return [(lon, lat) for lon, lat in place_points[is_kept].tolist()]


def _page_size(crs: str, points: Sequence[Point]) -> tuple[int, int]:
    """Return width and height of the page in millimetres, to the centimetre, in the shape of the region."""
    lons, lats = zip(*points, strict=True)
    eastings, northings = transformer(crs).transform(lons, lats)
    aspect = (max(eastings) - min(eastings)) / max(max(northings) - min(northings), 1.0)
    aspect = min(max(aspect, _MIN_ASPECT), 1 / _MIN_ASPECT)
    map_size_mm = (_PAGE_MM2 * aspect) ** 0.5, (_PAGE_MM2 / aspect) ** 0.5
    page_width, page_height = (
        round((map_side + margin_mm) / 10) * 10 for map_side, margin_mm in zip(map_size_mm, _MARGINS_MM, strict=True)
    )
    return page_width, page_height


def _points_extent(points: Sequence[Point]) -> Area:
    """Return the box of points (west, south, east, north), clipped at longitude 180."""
    (west, south), (east, north) = np.min(points, axis=0).tolist(), np.max(points, axis=0).tolist()
    west, east = max(west, -_HALF_TURN_DEGREES), min(east, _HALF_TURN_DEGREES)
    return round(west, 1), round(south, 1), round(east, 1), round(north, 1)


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    return _read_template("template")


def _read_template(folder: str) -> dict[str, bytes]:
    with as_file(files("mapkit.kinds.rail.sources").joinpath(folder)) as template_folder:
        return folder_files(template_folder, PATTERNS)
