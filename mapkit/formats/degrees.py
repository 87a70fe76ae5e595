"""Degrees of longitude and latitude: their bounds, the seam at longitude 180, and what to say of what lies beyond."""

from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

LAST_LON: Final = 180.0
TURN: Final = 360.0
LAST_LAT: Final = 90.0


def outside_world(lon: float, lat: float, *, cure: str = "correct it") -> str:
    """Return the sentence about a place that is not in the world; it may be if the two are exchanged.

    Args:
        lon: In degrees (EPSG:4326).
        lat: Likewise.
        cure: What to do if they are not exchanged either.
    """
    swapped = abs(lat) <= LAST_LON and abs(lon) <= LAST_LAT
    cure = "exchange them if they are swapped" if swapped else cure
    return f"lon {lon:g}, lat {lat:g} is outside the world (lon -180..180, lat -90..90); {cure}"


def wrap_vertices(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `(lon, lat)` with longitudes of up to a turn from -180 (exclusive) to 180; others stay as they are."""
    lon = vertices[:, 0]
    turns = np.where((lon > LAST_LON) & (lon <= TURN), -1.0, np.where((lon <= -LAST_LON) & (lon >= -TURN), 1.0, 0.0))
    return np.column_stack((lon + turns * TURN, vertices[:, 1]))


def unwrap_vertices(vertices: NDArray[np.float64], of: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `(lon, lat)` of lines without jumps at longitude 180: each goes on beyond, the shorter way.

    Args:
        vertices: Degrees, shape (n, 2).
        of: The line of each vertex, in order, shape (n,).
    """
    first = np.diff(of, prepend=-1) != 0
    turns = np.where(first, 0.0, np.round(np.diff(vertices[:, 0], prepend=vertices[:1, 0]) / TURN))
    total = np.cumsum(turns)
    line = np.cumsum(first) - 1
    return np.column_stack((vertices[:, 0] - TURN * (total - total[first][line]), vertices[:, 1]))


def unwrap_lines(lines: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return LineStrings and points in degrees without jumps at longitude 180."""
    vertices, of = shapely.get_coordinates(lines, return_index=True)
    return np.asarray(shapely.set_coordinates(lines.copy(), unwrap_vertices(vertices, of)), dtype=object)
