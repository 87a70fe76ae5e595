"""Longitude and latitude in degrees: bounds, the seam at longitude 180, and messages about places beyond."""

from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

LAST_LON: Final = 180.0
TURN: Final = 360.0
LAST_LAT: Final = 90.0
LAST_BOARD_LAT: Final = 85.0
"""Beyond it a degree of longitude is too short to draw by."""


def judge_place(lon: float, lat: float, *, cure: str = "correct it") -> str | None:
    """Return why a place cannot be on a board; None if it can. Swapped coordinates are mentioned if they explain it.

    Args:
        lon: In degrees (EPSG:4326).
        lat: Likewise.
        cure: What to do if they are not exchanged either.
    """
    if abs(lon) <= LAST_LON and abs(lat) <= LAST_BOARD_LAT:
        return None
    if abs(lon) <= LAST_LON and abs(lat) <= LAST_LAT:
        cure = cure if "--crs" in cure else "remove what lies beyond, or exchange them if they are swapped"
        return f"lon {lon:g}, lat {lat:g} is too near a pole for a board (lat -85..85); {cure}"
    is_swapped = abs(lat) <= LAST_LON and abs(lon) <= LAST_LAT
    cure = "exchange them if they are swapped" if is_swapped and "--crs" not in cure else cure
    return f"lon {lon:g}, lat {lat:g} is outside the world (lon -180..180, lat -90..90); {cure}"


def wrap_vertices(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `(lon, lat)` with longitudes of up to a turn from -180 (exclusive) to 180; others stay as they are."""
    lon = vertices[:, 0]
    turns = np.where((lon > LAST_LON) & (lon <= TURN), -1.0, np.where((lon <= -LAST_LON) & (lon >= -TURN), 1.0, 0.0))
    return np.column_stack((lon + turns * TURN, vertices[:, 1]))


def unwrap_vertices(vertices: NDArray[np.float64], of: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `(lon, lat)` of lines without jumps at longitude 180: longitudes continue beyond, the shorter way.

    Args:
        vertices: Degrees, shape (n, 2).
        of: The line of each vertex, in order, shape (n,).
    """
    is_first = np.diff(of, prepend=-1) != 0
    turns = np.where(is_first, 0.0, np.round(np.diff(vertices[:, 0], prepend=vertices[:1, 0]) / TURN))
    turn_totals = np.cumsum(turns)
    line_indices = np.cumsum(is_first) - 1
    return np.column_stack(
        (vertices[:, 0] - TURN * (turn_totals - turn_totals[is_first][line_indices]), vertices[:, 1])
    )


def unwrap_lines(lines: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return LineStrings and points in degrees without jumps at longitude 180."""
    vertices, of = shapely.get_coordinates(lines, return_index=True)
    return np.asarray(shapely.set_coordinates(lines.copy(), unwrap_vertices(vertices, of)), dtype=object)
