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


def wrap_longitudes(lon: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return longitudes of up to a turn within -180 (exclusive) and 180; others stay as they are."""
    shift = np.where((lon > LAST_LON) & (lon <= TURN), -TURN, np.where((lon <= -LAST_LON) & (lon >= -TURN), TURN, 0.0))
    return lon + shift


def unwrap_lines(lines: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return lines in degrees without jumps at longitude 180: each goes on beyond, the shorter way.

    Args:
        lines: LineStrings and points.
    """
    vertices, of = shapely.get_coordinates(lines, return_index=True)
    turns = np.round(np.diff(vertices[:, 0], prepend=vertices[:1, 0]) / TURN)
    first = np.diff(of, prepend=-1) != 0
    turns[first] = 0.0
    total = np.cumsum(turns)
    vertices[:, 0] -= TURN * (total - total[first][of])
    return np.asarray(shapely.set_coordinates(lines.copy(), vertices), dtype=object)
