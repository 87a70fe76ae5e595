"""Equal-area plane around a board, in metres, for joining lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.formats.degrees import TURN, middle_longitude
from mapkit.formats.lines.bends import find_bends
from mapkit.formats.lines.seam import unwrap_vertices, wrap_vertices
from mapkit.kinds.rail.trace.noding.arrays import Floats
from mapkit.kinds.rail.trace.source import Source

_MAX_BEND_SHARE: Final = 0.1
"""In snapping distances: how far an edge may be from where it is drawn."""


@dataclass(frozen=True)
class Plane:
    """Lambert azimuthal equal-area projection and its inverse."""

    to_metres: "heavy.pyproj.Transformer"

    @classmethod
    def around(cls, points: Sequence[Point] | Floats) -> "Plane":
        """Return the plane centred on the median of `(lon, lat)`, degrees, also across longitude 180."""
        lonlat = np.array(points, dtype=np.float64)
        if np.ptp(lonlat[:, 0]) > TURN / 2:
            western_edge = middle_longitude(lonlat[:, 0].tolist()) - TURN / 2
            lonlat[:, 0] = (lonlat[:, 0] - western_edge) % TURN + western_edge
        lon, lat = np.median(lonlat, axis=0)
        crs = f"+proj=laea +lon_0={lon:.3f} +lat_0={lat:.3f} +datum=WGS84 +units=m +no_defs"
        return cls(heavy.pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True))

    def metres(self, points: Sequence[Point] | Floats) -> Floats:
        """Convert `(lon, lat)` to metres, shape (n, 2)."""
        lonlat = np.array(points, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(self.to_metres.transform(lonlat[:, 0], lonlat[:, 1]))

    def degrees(self, xy: Floats, *, decimals: int = 6) -> list[Point]:
        """Convert metres to `(lon, lat)`, rounded to a tenth of a metre, or finer."""
        lon, lat = self.to_metres.transform(xy[:, 0], xy[:, 1], direction="INVERSE")
        # The inverse series is accurate to about a millimetre. Subtracting its error once makes the round trip exact,
        # so that joining lines that are joined already moves nothing.
        round_trip = self.to_metres.transform(*self.to_metres.transform(lon, lat), direction="INVERSE")
        lon, lat = 2 * lon - round_trip[0], 2 * lat - round_trip[1]
        return [(round(float(x), decimals), round(float(y), decimals)) for x, y in zip(lon, lat, strict=True)]


def bend_lines(
    lines: Sequence[Sequence[Point]], source: Source, to_degrees: Callable[[Floats], Floats] | None = None
) -> list[tuple[Point, ...]]:
    """Convert lines to degrees, with extra vertices so that they stay straight where they are drawn.

    An edge is straight on the plane around the cities, and at most a tenth of the snapping distance from its drawn
    course: the straight line between its ends in degrees, or in the pixels of a picture.

    Args:
        lines: Their vertices as drawn.
        source: Its cities and settings.
        to_degrees: From pixels to degrees; None for lines in degrees, across longitude 180 the shorter way.
    """
    vertex_counts = np.array([len(line) for line in lines], dtype=np.int64)
    drawn_xy = np.array([point for line in lines for point in line], dtype=np.float64).reshape(-1, 2)
    line_of_vertex = np.repeat(np.arange(len(lines)), vertex_counts)
    convert_to_degrees = to_degrees or wrap_vertices
    degrees = convert_to_degrees(drawn_xy)
    plane = Plane.around(
        [(city.lon, city.lat) for city in source.cities.values()] or (degrees if len(degrees) else [(0.0, 0.0)])
    )
    bend_points, insert_before = find_bends(
        unwrap_vertices(drawn_xy, line_of_vertex) if to_degrees is None else drawn_xy,
        line_of_vertex,
        to_degrees=convert_to_degrees,
        to_plane=plane.metres,
        most=_MAX_BEND_SHARE * source.config.tracing.snap_mi * METRES_PER_MILE,
    )
    line_ends = np.cumsum(vertex_counts)
    split_indices = line_ends + np.searchsorted(insert_before, line_ends)
    bent_vertices = np.insert(degrees, insert_before, bend_points, axis=0)
    return (
        [tuple((float(x), float(y)) for x, y in vertices) for vertices in np.split(bent_vertices, split_indices[:-1])]
        if lines
        else []
    )
