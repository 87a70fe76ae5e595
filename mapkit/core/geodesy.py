"""Lengths and areas on the earth (WGS 84 ellipsoid)."""

from collections.abc import Sequence
from functools import cache

from mapkit.core import heavy
from mapkit.core.base import Point

METRES_PER_MILE = 1609.344
MILES_PER_DEGREE = 69.1
"""Of latitude, on average."""


@cache
def geod() -> "heavy.pyproj.Geod":
    """Return the ellipsoid for all measurements."""
    return heavy.pyproj.Geod(ellps="WGS84")


def line_miles(line: Sequence[Point]) -> float:
    """Return the geodesic length of a line of `(lon, lat)` in statute miles."""
    lons, lats = zip(*line, strict=True)
    return float(geod().line_length(lons, lats)) / METRES_PER_MILE
