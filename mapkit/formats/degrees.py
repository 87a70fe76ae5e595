"""Degrees of longitude and latitude: their bounds, and what to say of what lies beyond."""

from typing import Final

LAST_LON: Final = 180.0
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
