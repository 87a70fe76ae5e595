"""Equal-area metres around a board, in which lines are joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pyproj import Transformer

from mapkit.model.base import Point
from mapkit.trace.noding_arrays import Floats


@dataclass(frozen=True)
class Plane:
    """A Lambert azimuthal equal-area projection, and the way back."""

    to_metres: Transformer

    @classmethod
    def around(cls, points: Sequence[Point]) -> "Plane":
        """Return the plane whose centre is the median of `(lon, lat)`, degrees."""
        lon, lat = np.median(np.array(points), axis=0)
        crs = f"+proj=laea +lon_0={lon:.3f} +lat_0={lat:.3f} +datum=WGS84 +units=m +no_defs"
        return cls(Transformer.from_crs("EPSG:4326", crs, always_xy=True))

    def metres(self, points: Sequence[Point]) -> Floats:
        """Return `(lon, lat)` as metres, shape (n, 2)."""
        lonlat = np.array(points, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(self.to_metres.transform(lonlat[:, 0], lonlat[:, 1]))

    def degrees(self, xy: Floats) -> list[Point]:
        """Return metres as `(lon, lat)`, rounded to a tenth of a metre."""
        lon, lat = self.to_metres.transform(xy[:, 0], xy[:, 1], direction="INVERSE")
        return [(round(float(x), 6), round(float(y), 6)) for x, y in zip(lon, lat, strict=True)]
