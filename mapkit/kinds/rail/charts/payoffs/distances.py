"""Distances between the cities of a chart: by rail, over the ground, in moves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths

Matrix = NDArray[np.float64]
EARTH_MILES = 3958.7613
"""Mean radius (IUGG)."""


@dataclass(frozen=True)
class CityDistances:
    """Distances between the cities of a chart, n x n each, in the order of `cities`; NaN without a route."""

    cities: tuple[str, ...]
    ground: Matrix
    """Great-circle miles."""
    rail: Matrix | None = None
    """Shortest route by rail, miles."""
    moves: Matrix | None = None
    """Fewest mileposts."""

    @property
    def twins(self) -> NDArray[np.bool_]:
        """Pairs that share a milepost, without the diagonal."""
        n = len(self.cities)
        if self.moves is None:
            return np.zeros((n, n), dtype=bool)
        return np.asarray((self.moves == 0) & ~np.eye(n, dtype=bool), dtype=np.bool_)

    @property
    def features(self) -> tuple[Matrix, ...]:
        """Distances for fitting a trend, the most informative first."""
        if self.rail is None or not np.isfinite(self.rail).all():
            return (self.ground,)
        return (self.rail, self.ground)


def great_circle(lon: Sequence[float], lat: Sequence[float]) -> Matrix:
    """Return great-circle miles between all pairs of positions in degrees (EPSG:4326)."""
    longitudes, latitudes = np.radians(np.asarray(lon, dtype=np.float64)), np.radians(np.asarray(lat, dtype=np.float64))
    on_sphere = np.stack(
        [np.cos(latitudes) * np.cos(longitudes), np.cos(latitudes) * np.sin(longitudes), np.sin(latitudes)], axis=1
    )
    chord_lengths = np.sqrt(np.maximum(((on_sphere[:, None] - on_sphere[None]) ** 2).sum(axis=2), 0.0))
    distances_miles: Matrix = 2 * EARTH_MILES * np.arcsin(np.minimum(chord_lengths / 2, 1.0))
    return distances_miles


def board_distances(board: Board, cities: Sequence[str]) -> CityDistances:
    """Return the distances between cities (ids of the board) by all its railroads.

    Rail miles are those of the shortest route in miles, which may differ from the route with the fewest moves.
    """
    index_by_milepost = {m.id: i for i, m in enumerate(board.mileposts)}
    milepost_by_city = {city.id: index_by_milepost[city.milepost] for city in board.cities}
    city_mileposts = [milepost_by_city[city] for city in cities]
    miles_by_ends: dict[tuple[int, int], float] = {}
    for segment in board.segments:
        end_indices = (
            min(index_by_milepost[segment.a], index_by_milepost[segment.b]),
            max(index_by_milepost[segment.a], index_by_milepost[segment.b]),
        )
        if end_indices[0] != end_indices[1]:
            miles_by_ends[end_indices] = min(miles_by_ends.get(end_indices, np.inf), segment.miles)
    milepost_pairs = np.array(sorted(miles_by_ends), dtype=np.int64).reshape(-1, 2)
    pair_miles = np.array([miles_by_ends[a, b] for a, b in milepost_pairs.tolist()])
    sources, source_rows = np.unique(city_mileposts, return_inverse=True)
    rail_miles, moves = (
        find_shortest_paths(milepost_pairs, lengths, len(index_by_milepost), sources)[source_rows][:, city_mileposts]
        for lengths in (pair_miles, np.ones(len(pair_miles)))
    )
    city_places = [board.mileposts[k] for k in city_mileposts]
    ground_miles = great_circle([p.lon for p in city_places], [p.lat for p in city_places])
    return CityDistances(
        tuple(cities),
        ground_miles,
        np.where(np.isinf(rail_miles), np.nan, rail_miles),
        np.where(np.isinf(moves), np.nan, moves),
    )
