"""Evidence of the payoff chart for a link: amounts that fit the distances by rail better with it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.charts.payoffs.board_readings import merged_amounts
from mapkit.kinds.rail.charts.payoffs.regression import fit_robustly
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths

_MAX_COST: Final = 3.0
"""Largest cost of an amount, in standard deviations, so that slips in the chart do not decide."""
_MIN_AMOUNTS: Final = 10
_UNREACHED: Final = 1e6
"""Miles between cities that no track joins."""


class ChartEvidence:
    """Amounts of a board by its distances, for comparison with those that a further link gives."""

    def __init__(self, board: Board, ids: Sequence[str], xyz: Floats) -> None:
        """Fit the amounts.

        Args:
            board: The board.
            ids: Ids of its mileposts.
            xyz: Their positions, geocentric miles.
        """
        self._number = {ident: number for number, ident in enumerate(ids)}
        self._xyz = xyz
        self._amounts = np.empty((0, 0))
        ends = np.array(
            [(self._number[s.a], self._number[s.b]) for s in board.segments if s.a != s.b], dtype=np.int64
        ).reshape(-1, 2)
        milepost_of = {city.id: self._number[city.milepost] for city in board.cities}
        is_known = np.array([city in milepost_of for city in board.payoffs.cities], dtype=bool)
        amounts = merged_amounts(board.payoffs)[np.ix_(is_known, is_known)]
        if not len(ends) or np.isfinite(amounts).sum() < 2 * _MIN_AMOUNTS:
            return
        miles = np.array([s.miles for s in board.segments if s.a != s.b])
        straight_miles = np.linalg.norm(xyz[ends[:, 0]] - xyz[ends[:, 1]], axis=1)
        self._ratio = float(np.median(miles / np.maximum(straight_miles, 1e-6)))
        cities = np.array([milepost_of[city] for city in board.payoffs.cities if city in milepost_of])
        to_mileposts = find_shortest_paths(ends, miles, len(ids), cities)
        self._to_mileposts = np.where(np.isfinite(to_mileposts), to_mileposts, _UNREACHED)
        self._miles = self._to_mileposts[:, cities]
        is_paid = np.triu(np.isfinite(amounts) & (self._miles > 0), 1)
        is_reached = is_paid & (self._miles < _UNREACHED)
        if is_reached.sum() < _MIN_AMOUNTS:
            return
        design = np.stack([np.ones_like(self._miles), self._miles], axis=2)
        self._coefficients, _ = fit_robustly(design[is_reached], amounts[is_reached])
        self._scale = 1.0
        residuals = np.abs(self._cost(amounts, self._miles, np.inf)[is_reached])
        self._scale = max(1.4826 * float(np.median(residuals)), 1e-6)
        self._amounts, self._is_paid = amounts, is_paid
        self._gain = lru_cache(maxsize=None)(self._measure_gain)

    def _cost(self, amounts: Floats, miles: Floats, most: float = _MAX_COST) -> Floats:
        base, per_mile = self._coefficients.tolist()
        cost: Floats = np.minimum(np.abs(amounts - base - per_mile * miles) / self._scale, most)
        return cost

    def gain(self, a: str, b: str) -> tuple[float, int]:
        """Return how much better the amounts fit with a link, in standard deviations, and how many it changes."""
        if not self._amounts.size:
            return 0.0, 0
        return self._gain(*sorted((self._number[a], self._number[b])))

    def _measure_gain(self, a: int, b: int) -> tuple[float, int]:
        link_miles = self._ratio * float(np.linalg.norm(self._xyz[a] - self._xyz[b]))
        to_a, to_b = self._to_mileposts[:, a], self._to_mileposts[:, b]
        one_way = to_a[:, None] + to_b[None] + link_miles
        miles = np.minimum(one_way, one_way.T)
        is_changed = self._is_paid & (miles < self._miles - 1)
        if not is_changed.any():
            return 0.0, 0
        amounts = self._amounts[is_changed]
        costs = self._cost(amounts, self._miles[is_changed]) - self._cost(amounts, miles[is_changed])
        return float(costs.sum()), int(is_changed.sum())
