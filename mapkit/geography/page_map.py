"""Conversion of degrees to millimetres of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.geography.projection import Projection


@cache
def transformer(crs: str) -> "heavy.pyproj.Transformer":
    """Return the transformer from `(lon, lat)` in degrees to the plane of a CRS."""
    return heavy.pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True)


@dataclass(frozen=True)
class PageMap:
    """Conversion of `(lon, lat)` in degrees to `(x, y)` in millimetres, y downward.

    Args:
        projection: The CRS, scale and offset, as the board file states them.
    """

    projection: Projection

    def to_page(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Project many points at once, rounded to a hundredth of a millimetre."""
        if not points:
            return ()
        lons, lats = zip(*points, strict=True)
        p = self.projection
        east, north = transformer(p.crs).transform(lons, lats)
        return tuple(
            (
                round(p.offset_x_mm + p.scale_mm_per_m * e, 2),
                round(p.offset_y_mm - p.scale_mm_per_m * n, 2),
            )
            for e, n in zip(east, north, strict=True)
        )
