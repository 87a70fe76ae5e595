"""Regions of mileposts: the one rule, for tints, counts and spacing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.base import Point
from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.model.board import Board, City, Milepost

_TIED: Final = 1e-12
"""Cities whose distances on the unit sphere differ by no more are equally near."""


def find_regions(board: Board) -> Mapping[str, str]:
    """Return milepost id -> region id, for every milepost; empty on a board without cities."""
    return milepost_regions(board.cities, {m.id: m for m in board.mileposts})


def milepost_regions(cities: Iterable[City], mileposts: Mapping[str, Milepost]) -> Mapping[str, str]:
    """Return the region of each milepost; empty without cities.

    Args:
        cities: The cities.
        mileposts: The mileposts by id.
    """
    own = city_regions(cities, mileposts)
    centres = region_centres(own, mileposts)
    others = {key: (m.lon, m.lat) for key, m in mileposts.items() if key not in own}
    return {**own, **nearest_regions(others, centres)} if own else {}


Centre = tuple[str, float, float]
"""A region, and where a city of it lies, degrees."""


def city_regions(cities: Iterable[City], mileposts: Mapping[str, Milepost]) -> dict[str, str]:
    """Return the regions of mileposts with cities."""
    own: dict[str, str] = {}
    for city in sorted(cities, key=lambda c: c.id):
        if city.milepost in mileposts:
            own.setdefault(city.milepost, city.region)
    return own


def region_centres(own: Mapping[str, str], mileposts: Mapping[str, Milepost]) -> tuple[Centre, ...]:
    """Return where the cities of each region lie, sorted."""
    return tuple(sorted({(region, mileposts[key].lon, mileposts[key].lat) for key, region in own.items()}))


def nearest_regions(points: Mapping[str, Point], centres: Sequence[Centre]) -> dict[str, str]:
    """Return the region of the nearest city of each point `(lon, lat)`; of equally near ones the first counts."""
    if not points or not centres:
        return {}
    city, _ = find_nearest(
        _in_space(list(points.values())), _in_space([(lon, lat) for _, lon, lat in centres]), tied=_TIED
    )
    return {key: centres[i][0] for key, i in zip(points, city.tolist(), strict=True)}


def _in_space(degrees: list[tuple[float, float]]) -> Floats:
    """Return points on the unit sphere, shape (n, 3), of longitudes and latitudes."""
    lon, lat = np.radians(np.array(degrees, dtype=np.float64)).T
    return np.round(np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))), 12)
