"""Projection between degrees and a plane, for pictures of the earth; unplaceable points become NaN."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.formats.degrees import LAST_LAT
from mapkit.geography.page_map import transformer
from mapkit.kinds.rail.model.source import ControlPoint, ProjectionConfig
from mapkit.kinds.rail.sources.projections import crs_of
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array

DEFAULT_PROJECTION: Final = "azimuthal"
PROJECTIONS: Final = ("azimuthal", "albers", "lambert", "mercator", "transverse-mercator", "plate-carree")
"""Names that `plane_crs` knows; each is centred on the control points."""
_LAT_ROUNDING: Final = 1e-9
_FARTHEST_M: Final = 1e8  # twice round the earth; Mercator puts a pole further off


def plane_crs(points: Sequence[ControlPoint], projection: str | ProjectionConfig = DEFAULT_PROJECTION) -> str:
    """Return the CRS of the plane to fit in.

    Args:
        points: The control points, on which a named projection is centred.
        projection: One of `PROJECTIONS`, a board's `[projection]`, or any PROJ string or `EPSG:n`.
    """
    if isinstance(projection, ProjectionConfig) and projection.name != "auto":
        return crs_of(projection)
    if isinstance(projection, ProjectionConfig):
        projection = DEFAULT_PROJECTION
    if projection not in PROJECTIONS:
        if ":" not in projection and "=" not in projection:
            known_hint = did_you_mean(projection, PROJECTIONS) or f"; known are {', '.join(PROJECTIONS)}"
            raise SourceError(f"projection {projection!r} is unknown{known_hint}, or give a PROJ string or EPSG:n")
        return projection
    lon, lat = _mean_position(points)
    if projection == "azimuthal":
        return f"+proj=laea +lat_0={lat:g} +lon_0={lon:g} +datum=WGS84 +units=m +no_defs"
    lats = [p.lat for p in points] or [0.0]
    lat_sixth = (max(lats) - min(lats)) / 6
    low_parallel, high_parallel = round(min(lats) + lat_sixth, 2), round(max(lats) - lat_sixth, 2)
    if projection in ("albers", "lambert"):
        if abs(low_parallel + high_parallel) < 1:  # a cone needs its two parallels on one side of the equator
            low_parallel = high_parallel = max(low_parallel, 1.0)
        parallels = {"lat_1": low_parallel, "lat_2": high_parallel}
    else:
        parallels = {"lat_1": round((low_parallel + high_parallel) / 2, 2)}
    return crs_of(ProjectionConfig.model_validate({"name": projection, "lon_0": lon, "lat_0": lat, **parallels}))


def _mean_position(points: Sequence[ControlPoint]) -> tuple[float, float]:
    """Return the mean position on the sphere to a hundredth of a degree, also across longitude 180."""
    if not points:
        return 0.0, 0.0
    lon, lat = np.radians([(p.lon, p.lat) for p in points]).T
    x, y, z = (np.cos(lat) * np.cos(lon)).sum(), (np.cos(lat) * np.sin(lon)).sum(), np.sin(lat).sum()
    mean_lonlat = np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    return round(float(mean_lonlat[0]), 2), round(float(mean_lonlat[1]), 2)


def project(crs: str, lonlat: Array) -> Array:
    """Project `(lon, lat)` in degrees, shape (n, 2), to the plane; NaN far beyond the earth's size."""
    plane_xy = np.column_stack(transformer(crs).transform(lonlat[:, 0], lonlat[:, 1]))
    is_placed = np.isfinite(plane_xy).all(axis=1) & (np.abs(plane_xy).max(axis=1, initial=0.0) < _FARTHEST_M)
    return np.where(is_placed[:, None], plane_xy, np.nan)


def unproject(crs: str, plane: Array) -> Array:
    """Convert points of the plane, shape (n, 2), to `(lon, lat)` in degrees."""
    # PROJ brings a NaN back as it is, or as infinity
    lon, lat = transformer(crs).transform(plane[:, 0], plane[:, 1], direction="INVERSE")
    lonlat = np.column_stack([lon, lat])
    lonlat[np.abs(lonlat[:, 1]) > LAST_LAT + _LAT_ROUNDING] = np.nan  # some projections go on beyond the poles
    lonlat[:, 1] = np.clip(lonlat[:, 1], -LAST_LAT, LAST_LAT)
    return np.where(np.isfinite(lonlat).all(axis=1)[:, None], lonlat, np.nan)


def geodesic_distances_mi(one: Array, other: Array) -> Array:
    """Return geodesic distances in statute miles; NaN where a position is NaN."""
    distances_mi = np.full(len(one), np.nan)
    is_placed = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1)
    distances_m = geod().inv(one[is_placed, 0], one[is_placed, 1], other[is_placed, 0], other[is_placed, 1])[2]
    distances_mi[is_placed] = np.asarray(distances_m) / METRES_PER_MILE
    return distances_mi
