"""Equal-area metres around a board, in which lines are joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.formats.degrees import TURN
from mapkit.geography.region import middle_longitude
from mapkit.kinds.rail.trace.noding.arrays import Floats


@dataclass(frozen=True)
class Plane:
    """A Lambert azimuthal equal-area projection, and the way back."""

    to_metres: "heavy.pyproj.Transformer"

    @classmethod
    def around(cls, points: Sequence[Point]) -> "Plane":
        """Return the plane whose centre is the median of `(lon, lat)`, degrees, across longitude 180 too."""
        lonlat = np.array(points, dtype=np.float64)
        if np.ptp(lonlat[:, 0]) > TURN / 2:
            east_of = middle_longitude(lonlat[:, 0].tolist()) - TURN / 2
            lonlat[:, 0] = (lonlat[:, 0] - east_of) % TURN + east_of
        lon, lat = np.median(lonlat, axis=0)
        crs = f"+proj=laea +lon_0={lon:.3f} +lat_0={lat:.3f} +datum=WGS84 +units=m +no_defs"
        return cls(heavy.pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True))

    def metres(self, points: Sequence[Point]) -> Floats:
        """Return `(lon, lat)` as metres, shape (n, 2)."""
        lonlat = np.array(points, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(self.to_metres.transform(lonlat[:, 0], lonlat[:, 1]))

    def degrees(self, xy: Floats, *, decimals: int = 6) -> list[Point]:
        """Return metres as `(lon, lat)`, rounded to a tenth of a metre, or finer."""
        lon, lat = self.to_metres.transform(xy[:, 0], xy[:, 1], direction="INVERSE")
        # The series of the inverse is good to about a millimetre: taking its error off once makes the way there and
        # back exact, so that joining what is joined already moves nothing.
        again = self.to_metres.transform(*self.to_metres.transform(lon, lat), direction="INVERSE")
        lon, lat = 2 * lon - again[0], 2 * lat - again[1]
        return [(round(float(x), decimals), round(float(y), decimals)) for x, y in zip(lon, lat, strict=True)]
