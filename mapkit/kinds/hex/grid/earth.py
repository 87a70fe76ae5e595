"""Position of a grid on the earth: a projection, and the affine map from its plane to millimetres of the grid."""

import math
from collections.abc import Sequence

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.geography.page_map import transformer


class GridEarth(Frozen):
    """Map between degrees and millimetres of a grid.

    A point is projected (`crs`, metres, north positive), then turned, scaled and shifted: `left` and `top` are the
    metres of the grid's top left, and with `turn` the grid is turned clockwise around it by so many degrees.
    """

    crs: str = Field(min_length=1, max_length=1000, description="The projection, as PROJ or EPSG knows it")
    metres_per_mm: float = Field(gt=0)
    left: float
    top: float
    turn: float = Field(default=0.0, ge=-180, le=180)

    def to_grid(self, points: Sequence[Point]) -> list[Point]:
        """Return millimetres of the grid of points in degrees (longitude, latitude)."""
        if not points:
            return []
        lons, lats = zip(*points, strict=True)
        east, north = transformer(self.crs).transform(lons, lats)
        return [self.placed(e, n) for e, n in zip(east, north, strict=True)]

    def to_degrees(self, points: Sequence[Point]) -> list[Point]:
        """Return points in degrees (longitude, latitude) of millimetres of the grid."""
        if not points:
            return []
        plane_points = [self.metres(point) for point in points]
        east, north = zip(*plane_points, strict=True)
        lons, lats = transformer(self.crs).transform(east, north, direction="INVERSE")
        return [(float(lon), float(lat)) for lon, lat in zip(lons, lats, strict=True)]

    def placed(self, east: float, north: float) -> Point:
        """Return millimetres of the grid of a point of the projection's plane, in metres."""
        dx, dy = (east - self.left) / self.metres_per_mm, (self.top - north) / self.metres_per_mm
        cos, sin = self._turned
        return cos * dx + sin * dy, cos * dy - sin * dx

    def metres(self, point: Point) -> Point:
        """Return the point of the projection's plane, in metres, of millimetres of the grid."""
        x, y = point
        cos, sin = self._turned
        return (
            self.left + self.metres_per_mm * (cos * x - sin * y),
            self.top - self.metres_per_mm * (sin * x + cos * y),
        )

    @property
    def _turned(self) -> tuple[float, float]:
        turn = math.radians(self.turn)
        return math.cos(turn), math.sin(turn)
