"""Projections of `[projection]`: PROJ strings, choice for a region, and distortion."""

import math
from collections.abc import Sequence
from typing import Final

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.formats.degrees import middle_longitude
from mapkit.geography.land_plane import PLANE, PLANE_CRS
from mapkit.kinds.rail.model.source import ProjectionConfig

_TALL_RATIO: Final = 0.85
"""Ratio of width to height below which a region is drawn around a meridian."""
_TROPIC_DEGREES: Final = 12.0
"""Distance from the equator within which parallels are almost straight."""
_WORLD_DEGREES: Final = 100.0
"""Range of latitudes above which no conic projection fits."""
_TURN_DEGREES: Final = 360.0
MOST_CONVERGENCE: Final = 20.0
"""Largest angle, in degrees, between north and the top of the page in the middle of the cities."""
MOST_STRETCH: Final = 1.2
"""Largest ratio of scales between cities, relative to that of a suitable projection."""


_PROJ_TEMPLATES: Final = {
    "albers": "+proj=aea +lat_1={lat_1:g} +lat_2={lat_2:g} +lat_0={lat_0:g} +lon_0={lon_0:g}",
    "lambert": "+proj=lcc +lat_1={lat_1:g} +lat_2={lat_2:g} +lat_0={lat_0:g} +lon_0={lon_0:g}",
    "mercator": "+proj=merc +lon_0={lon_0:g} +lat_ts={lat_1:g}",
    "transverse-mercator": "+proj=tmerc +lat_0={lat_0:g} +lon_0={lon_0:g}",
    "plate-carree": "+proj=eqc +lat_ts={lat_1:g} +lon_0={lon_0:g}",
}
_DATUM: Final = " +datum=WGS84 +units=m +no_defs"


def crs_of(config: ProjectionConfig) -> str:
    """Return the PROJ string (or given CRS) of a `[projection]` table that is not `auto`."""
    if config.name == "crs":
        return config.crs or ""
    if config.name == PLANE:
        return PLANE_CRS
    return _PROJ_TEMPLATES[config.name].format(**config.model_dump()) + _DATUM


def choose_projection(*, lon_0: float, lat_0: float, parallels: Point, size: Point) -> ProjectionConfig:
    """Return a transverse Mercator projection for tall and tropical regions, else a conic one.

    Args:
        lon_0: Longitude of the middle of the region, degrees.
        lat_0: Latitude of the middle, degrees.
        parallels: South and north of the region, degrees.
        size: Its width and height, in any unit.
    """
    (south, north), (width, height) = parallels, size
    if width < height * _TALL_RATIO or max(abs(south), abs(north)) < _TROPIC_DEGREES:
        return ProjectionConfig(name="transverse-mercator", lat_0=lat_0, lon_0=lon_0)
    sixth_degrees = (north - south) / 6
    return ProjectionConfig(
        name="albers",
        lat_1=round(south + sixth_degrees, 1),
        lat_2=round(north - sixth_degrees, 1),
        lat_0=lat_0,
        lon_0=lon_0,
    )


def turn_from_seam(projection: ProjectionConfig, points: Sequence[Point]) -> ProjectionConfig:
    """Return a projection turned to the middle of points that its seam cuts apart, else the same.

    The seam is the meridian opposite `lon_0`. Points that lie on both sides of it, and would fill less than half of the
    width around another meridian, are drawn around that one.
    """
    if projection.name in {"auto", "crs", PLANE} or not points:
        return projection
    lon_0 = round(middle_longitude([lon for lon, _ in points]), 1)
    width, turned_width = (
        max(relative_lons) - min(relative_lons)
        for middle in (projection.lon_0, lon_0)
        for relative_lons in ([(lon - middle + _TURN_DEGREES / 2) % _TURN_DEGREES for lon, _ in points],)
    )
    return projection.model_copy(update={"lon_0": lon_0}) if turned_width < width / 2 else projection


def suitable_projection(points: Sequence[Point]) -> ProjectionConfig:
    """Return a projection that suits points `(lon, lat)` in degrees."""
    lats = [lat for _, lat in points]
    south, north = min(lats), max(lats)
    lon_0, lat_0 = round(middle_longitude([lon for lon, _ in points]), 1), round((south + north) / 2, 1)
    relative_lons = [(lon - lon_0 + _TURN_DEGREES / 2) % _TURN_DEGREES for lon, _ in points]
    width, height = max(relative_lons) - min(relative_lons), north - south
    if height > _WORLD_DEGREES or (abs(south + north) < height / 2 and width > height > 2 * _TROPIC_DEGREES):
        return ProjectionConfig(name="plate-carree", lon_0=lon_0)  # a cone needs one side of the equator
    return choose_projection(
        lon_0=lon_0, lat_0=lat_0, parallels=(south, north), size=(width * math.cos(math.radians(lat_0)), height)
    )


def stretch_and_convergence(crs: str, points: Sequence[Point]) -> Point:
    """Return the distortion of a projection around points; infinite stretch if it cannot show them.

    Args:
        crs: PROJ string or code.
        points: `(lon, lat)` in degrees.

    Returns:
        The ratio of the largest scale to the smallest, and the angle between north and the top of the page in the
        middle of the points, degrees.
    """
    np = heavy.numpy
    lats = [latitudes for _, latitudes in points]
    middle_point = middle_longitude([longitudes for longitudes, _ in points]), (min(lats) + max(lats)) / 2
    longitudes, latitudes = np.array([*points, middle_point], dtype=np.float64).T
    try:
        scale_factors = heavy.pyproj.Proj(crs).get_factors(longitudes, latitudes)
    except heavy.pyproj.exceptions.ProjError:
        return math.inf, 0.0
    min_scale, max_scale = (
        np.min(scale_factors.tissot_semiminor),
        np.max(scale_factors.tissot_semimajor),
    )
    convergence = float(np.ravel(scale_factors.meridian_convergence)[-1])
    if not (np.isfinite([max_scale, convergence]).all() and min_scale > 0):
        return math.inf, 0.0
    return float(max_scale / min_scale), convergence


def projection_toml(projection: ProjectionConfig) -> list[str]:
    """Return the table `[projection]` of `board.toml`."""
    parameter_names = {
        "albers": ("lat_1", "lat_2", "lat_0", "lon_0"),
        "transverse-mercator": ("lat_0", "lon_0"),
        "plate-carree": ("lon_0",),
    }[projection.name]
    return [
        "[projection]",
        f'name = "{projection.name}"',
        *(f"{parameter_name} = {getattr(projection, parameter_name):g}" for parameter_name in parameter_names),
    ]
