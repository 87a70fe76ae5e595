"""Vertices of lines on both sides of the seam at longitude 180."""

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.formats.degrees import LAST_LON, TURN


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
