"""Longitude and latitude that somebody exchanged: such a place is far from all cities of a board, or among them."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.kinds.rail.tables import City

FAR_DEGREES: Final = 40.0
"""Coordinates further than this from the middle of the cities are looked at."""
NEAR_DEGREES: Final = 20.0
"""Coordinates as near as this to a city are where they should be, as in the ends of a wide board."""

_Points = NDArray[np.float64]


class Exchanged:
    """Finds points of a board whose longitude and latitude are exchanged."""

    def __init__(self, cities: Iterable[City]) -> None:
        """Take the cities of the board; some may be exchanged themselves. Without any, no point is found."""
        places = np.array([(city.lon, city.lat) for city in cities], dtype=np.float64).reshape(-1, 2)
        self._middle = np.array([median(places[:, 0]), median(places[:, 1])]) if len(places) else None
        self._cities = places[~self._far(places)]

    def among(self, points: _Points) -> NDArray[np.bool_]:
        """Return for each point, `(lon, lat)` in degrees, whether it fits among the cities only exchanged."""
        out = self._far(points)
        for at in np.flatnonzero(out):
            away = self._away(points[at])
            out[at] = away > NEAR_DEGREES and self._away(points[at, ::-1]) < away
        return out

    def one(self, lon: float, lat: float) -> bool:
        """Return `among` of one point."""
        return bool(self.among(np.array([(lon, lat)], dtype=np.float64))[0])

    def _far(self, points: _Points) -> NDArray[np.bool_]:
        """Return which points are far from the middle, and not so if exchanged."""
        if self._middle is None:
            return np.zeros(len(points), dtype=np.bool_)
        away = np.abs(points - self._middle).max(axis=1)
        exchanged = np.abs(points[:, ::-1] - self._middle).max(axis=1)
        far: NDArray[np.bool_] = (away > FAR_DEGREES) & (exchanged < FAR_DEGREES)
        return far

    def _away(self, point: _Points) -> float:
        """Return the degrees to the nearest city that is where it should be."""
        return float(np.abs(self._cities - point).max(axis=1).min(initial=np.inf))


def swapped_message(name: str, lon: float, lat: float) -> str:
    """Say that coordinates look swapped."""
    return (
        f"{name!r} at lon {lon:g}, lat {lat:g} is far from every other city, but near them with lon and lat "
        "swapped; swap them"
    )
