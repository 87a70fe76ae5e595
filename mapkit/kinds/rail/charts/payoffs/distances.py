"""Distances between the cities of a chart: by rail, over the ground, in moves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.ways import least_ways

Matrix = NDArray[np.float64]
EARTH_MILES = 3958.7613
"""Mean radius (IUGG)."""


@dataclass(frozen=True)
class CityDistances:
    """Distances between the cities of a chart, n x n each, in the order of `cities`; NaN where there is no way."""

    cities: tuple[str, ...]
    ground: Matrix
    """Great-circle miles."""
    rail: Matrix | None = None
    """Shortest way by rail, miles."""
    moves: Matrix | None = None
    """Fewest mileposts."""

    @property
    def twins(self) -> NDArray[np.bool_]:
        """Pairs that share a milepost; the diagonal is not among them."""
        n = len(self.cities)
        if self.moves is None:
            return np.zeros((n, n), dtype=bool)
        return np.asarray((self.moves == 0) & ~np.eye(n, dtype=bool), dtype=np.bool_)

    @property
    def features(self) -> tuple[Matrix, ...]:
        """The distances that a trend is fitted to, the most informative first."""
        if self.rail is None or not np.isfinite(self.rail).all():
            return (self.ground,)
        return (self.rail, self.ground)


def great_circle(lon: Sequence[float], lat: Sequence[float]) -> Matrix:
    """Return great-circle miles between all pairs of positions in degrees (EPSG:4326)."""
    east, north = np.radians(np.asarray(lon, dtype=np.float64)), np.radians(np.asarray(lat, dtype=np.float64))
    on_sphere = np.stack([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)], axis=1)
    chord = np.sqrt(np.maximum(((on_sphere[:, None] - on_sphere[None]) ** 2).sum(axis=2), 0.0))
    out: Matrix = 2 * EARTH_MILES * np.arcsin(np.minimum(chord / 2, 1.0))
    return out


def board_distances(board: Board, cities: Sequence[str]) -> CityDistances:
    """Return the distances between cities (ids of the board) by all its railroads.

    Rail miles are of the shortest way in miles, which need not be the way of fewest moves.
    """
    index = {m.id: i for i, m in enumerate(board.mileposts)}
    milepost = {city.id: index[city.milepost] for city in board.cities}
    at = [milepost[city] for city in cities]
    shortest: dict[tuple[int, int], float] = {}
    for segment in board.segments:
        ends = (min(index[segment.a], index[segment.b]), max(index[segment.a], index[segment.b]))
        if ends[0] != ends[1]:
            shortest[ends] = min(shortest.get(ends, np.inf), segment.miles)
    pairs = np.array(sorted(shortest), dtype=np.int64).reshape(-1, 2)
    miles = np.array([shortest[a, b] for a, b in pairs.tolist()])
    sources, where = np.unique(at, return_inverse=True)
    rail, moves = (
        least_ways(pairs, lengths, len(index), sources)[where][:, at] for lengths in (miles, np.ones(len(miles)))
    )
    places = [board.mileposts[k] for k in at]
    ground = great_circle([p.lon for p in places], [p.lat for p in places])
    return CityDistances(
        tuple(cities), ground, np.where(np.isinf(rail), np.nan, rail), np.where(np.isinf(moves), np.nan, moves)
    )
