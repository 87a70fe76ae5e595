"""Longitude and latitude in degrees: bounds, the seam at longitude 180, and messages about places beyond."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

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
        limits = f"lat -{LAST_BOARD_LAT:g}..{LAST_BOARD_LAT:g}"
        return f"lon {lon:g}, lat {lat:g} is too near a pole for a board ({limits}); {cure}"
    is_swapped = abs(lat) <= LAST_LON and abs(lon) <= LAST_LAT
    cure = "exchange them if they are swapped" if is_swapped and "--crs" not in cure else cure
    return f"lon {lon:g}, lat {lat:g} is outside the world (lon -180..180, lat -90..90); {cure}"


def middle_longitude(longitudes: Sequence[float]) -> float:
    """Return the longitude opposite the widest gap between some longitudes, so that none of them is far from it."""
    sorted_longitudes = sorted({round(lon, 6) % TURN for lon in longitudes})
    gaps = [
        (gap_end - gap_start, gap_start)
        for gap_start, gap_end in pairwise([*sorted_longitudes, sorted_longitudes[0] + TURN])
    ]
    widest_gap, gap_start = max(gaps)
    middle = (gap_start + widest_gap / 2 + TURN / 2) % TURN
    return middle - TURN if middle > TURN / 2 else middle
