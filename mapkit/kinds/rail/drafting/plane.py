"""Plane of a draft: miles east and north of the middle of a region, true in area.

Longitudes are turned so that the region is in one piece, also across the antimeridian.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.formats.degrees import middle_longitude

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Shapes = NDArray[np.object_]

_FULL_TURN: Final = 360.0
_DECIMALS: Final = 4
"""Of coordinates on the plane: so small differences between machines change nothing."""


@dataclass(frozen=True)
class Plane:
    """Plane around a point in degrees."""

    lon_0: float
    lat_0: float

    @classmethod
    def around(cls, points: Sequence[Point]) -> "Plane":
        """Return the plane around the middle of points `(lon, lat)`."""
        lats = [lat for _, lat in points]
        return cls(round(middle_longitude([lon for lon, _ in points]), 1), round((min(lats) + max(lats)) / 2, 1))

    @cached_property
    def _transformer(self) -> "heavy.pyproj.Transformer":
        crs = f"+proj=laea +lat_0={self.lat_0} +lon_0={self.lon_0} +ellps=WGS84 +units=m +no_defs"
        return heavy.pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True)

    def to_plane(self, degrees: Floats) -> Floats:
        """Return points of shape (n, 2) in miles."""
        x, y = self._transformer.transform(degrees[:, 0], degrees[:, 1])
        return np.asarray(np.round(np.column_stack((x, y)) / METRES_PER_MILE, _DECIMALS), dtype=np.float64)

    def to_degrees(self, miles: Floats) -> Floats:
        """Return points of shape (n, 2) in degrees."""
        metres = miles * METRES_PER_MILE
        lon, lat = self._transformer.transform(metres[:, 0], metres[:, 1], direction="INVERSE")
        return np.asarray(np.round(np.column_stack((lon, lat)), 5), dtype=np.float64)

    def turned(self, lon: Floats) -> Floats:
        """Return longitudes within half a turn of the middle."""
        return np.asarray(
            (lon - self.lon_0 + _FULL_TURN / 2) % _FULL_TURN - _FULL_TURN / 2 + self.lon_0, dtype=np.float64
        )

    def shapes_in(self, shapes: Shapes, window: tuple[float, float, float, float]) -> BaseGeometry:
        """Return the union of areas in a window of unwrapped degrees, on the plane."""
        west, south, east, north = window
        box = shapely.box(west, south, east, north)
        clipped_shapes = []
        for shift in (-_FULL_TURN, 0.0, _FULL_TURN):
            left, bottom, right, top = shapely.bounds(shapes).T
            is_near = (left + shift <= east) & (right + shift >= west) & (bottom <= north) & (top >= south)
            if is_near.any():
                shifted_shapes = shapely.transform(shapes[is_near], partial(np.add, np.array((shift, 0.0))))
                window_parts = shapely.segmentize(shapely.intersection(shapely.make_valid(shifted_shapes), box), 1.0)
                clipped_shapes += [shapely.transform(part, self.to_plane) for part in window_parts if not part.is_empty]
        return (
            shapely.union_all(shapely.make_valid(np.array(clipped_shapes, dtype=object)))
            if clipped_shapes
            else shapely.MultiPolygon()
        )
