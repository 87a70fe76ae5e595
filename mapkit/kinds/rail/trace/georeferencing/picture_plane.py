"""Between degrees and the plane of a projection, for pictures of the earth; what has no place becomes NaN."""

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
_ROUNDING: Final = 1e-9
_FARTHEST_M: Final = 1e8  # twice round the earth; Mercator puts a pole further off


def plane_crs(points: Sequence[ControlPoint], projection: str | ProjectionConfig = DEFAULT_PROJECTION) -> str:
    """Return the CRS in whose plane to fit.

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
            hint = did_you_mean(projection, PROJECTIONS) or f"; known are {', '.join(PROJECTIONS)}"
            raise SourceError(f"projection {projection!r} is unknown{hint}, or give a PROJ string or EPSG:n")
        return projection
    lon, lat = _middle(points)
    if projection == "azimuthal":
        return f"+proj=laea +lat_0={lat:g} +lon_0={lon:g} +datum=WGS84 +units=m +no_defs"
    lats = [p.lat for p in points] or [0.0]
    sixth = (max(lats) - min(lats)) / 6
    low, high = round(min(lats) + sixth, 2), round(max(lats) - sixth, 2)
    if projection in ("albers", "lambert"):
        if abs(low + high) < 1:  # a cone needs its two parallels on one side of the equator
            low = high = max(low, 1.0)
        parallels = {"lat_1": low, "lat_2": high}
    else:
        parallels = {"lat_1": round((low + high) / 2, 2)}
    return crs_of(ProjectionConfig.model_validate({"name": projection, "lon_0": lon, "lat_0": lat, **parallels}))


def _middle(points: Sequence[ControlPoint]) -> tuple[float, float]:
    """Return the middle of points on the sphere in whole hundredths of a degree, right across longitude 180 too."""
    if not points:
        return 0.0, 0.0
    lon, lat = np.radians([(p.lon, p.lat) for p in points]).T
    x, y, z = (np.cos(lat) * np.cos(lon)).sum(), (np.cos(lat) * np.sin(lon)).sum(), np.sin(lat).sum()
    middle = np.degrees([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))])
    return round(float(middle[0]), 2), round(float(middle[1]), 2)


def project(crs: str, lonlat: Array) -> Array:
    """Take `(lon, lat)` in degrees, shape (n, 2), to the plane; what lies far beyond the earth's size has no place."""
    out = np.column_stack(transformer(crs).transform(lonlat[:, 0], lonlat[:, 1]))
    known = np.isfinite(out).all(axis=1) & (np.abs(out).max(axis=1, initial=0.0) < _FARTHEST_M)
    return np.where(known[:, None], out, np.nan)


def unproject(crs: str, plane: Array) -> Array:
    """Take points of the plane, shape (n, 2), to `(lon, lat)` in degrees."""
    # PROJ brings a NaN back as it is, or as infinity
    lon, lat = transformer(crs).transform(plane[:, 0], plane[:, 1], direction="INVERSE")
    out = np.column_stack([lon, lat])
    out[np.abs(out[:, 1]) > LAST_LAT + _ROUNDING] = np.nan  # some projections go on beyond the poles
    out[:, 1] = np.clip(out[:, 1], -LAST_LAT, LAST_LAT)
    return np.where(np.isfinite(out).all(axis=1)[:, None], out, np.nan)


def miles_apart(one: Array, other: Array) -> Array:
    """Return geodesic distances in statute miles; NaN where a position is."""
    out = np.full(len(one), np.nan)
    known = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1)
    metres = geod().inv(one[known, 0], one[known, 1], other[known, 0], other[known, 1])[2]
    out[known] = np.asarray(metres) / METRES_PER_MILE
    return out
