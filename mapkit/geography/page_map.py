"""Conversion of degrees to millimetres of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.geography.projection import Projection

if TYPE_CHECKING:
    from mapkit.core.arrays import Floats


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

    def to_degrees(self, points: "Floats") -> "tuple[Floats, Floats]":
        """Return the longitudes and latitudes of points of the page, shape (n, 2); infinite off the map."""
        p = self.projection
        east_m = (points[:, 0] - p.offset_x_mm) / p.scale_mm_per_m
        north_m = (p.offset_y_mm - points[:, 1]) / p.scale_mm_per_m
        lon, lat = transformer(p.crs).transform(east_m, north_m, direction="INVERSE")
        return lon, lat

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
