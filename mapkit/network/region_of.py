"""Which region a milepost belongs to: the one rule, for tints, counts and spacing."""

from collections.abc import Mapping

import numpy as np
from scipy.spatial import cKDTree

from mapkit.errors import UnknownNameError
from mapkit.model.board import Board


def region_of(board: Board, milepost: str) -> str:
    """Return the region of a milepost (RB-C07).

    A city milepost belongs to its city's region; of twins in two regions (RB-C06), to that of the first by id. Any
    other belongs to the region of the city nearest to it along the sphere, as gaps of regions are told apart in
    `[spacing]` (`mapkit.trace.spacing_regions`); of two equally near, the first by region, then by position.

    Raises:
        UnknownNameError: The board has no such milepost, or no cities.
    """
    found = regions_of(board).get(milepost)
    if found is None:
        raise UnknownNameError(f"{milepost!r} is no milepost of the board, or the board has no cities")
    return found


def regions_of(board: Board) -> Mapping[str, str]:
    """Return milepost id -> region id, for every milepost; empty on a board without cities."""
    where = {m.id: (m.lon, m.lat) for m in board.mileposts}
    own: dict[str, str] = {}
    for city in sorted(board.cities, key=lambda c: c.id):
        if city.milepost in where:
            own.setdefault(city.milepost, city.region)
    if not own:
        return {}
    rows = sorted({(region, *where[milepost]) for milepost, region in own.items()})
    tree = cKDTree(_in_space([(lon, lat) for _, lon, lat in rows]))
    others = [m for m in board.mileposts if m.id not in own]
    if others:
        found = tree.query(_in_space([(m.lon, m.lat) for m in others]), k=list(range(1, min(2, len(rows)) + 1)))
        distance, nearest = (np.asarray(part) for part in found)
        tied = np.isclose(distance, distance[:, :1], rtol=0, atol=1e-12)
        first = np.where(tied, nearest, len(rows)).min(axis=1)
        own |= {m.id: rows[i][0] for m, i in zip(others, first.tolist(), strict=True)}
    return own


def _in_space(degrees: list[tuple[float, float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return points on the unit sphere, shape (n, 3), of longitudes and latitudes."""
    lon, lat = np.radians(np.array(degrees, dtype=np.float64)).T
    return np.round(np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))), 12)
