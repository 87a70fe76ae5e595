"""Bounds of amounts from third cities, for charts without known track.

Without rail miles or a board, two cities near each other may still be far apart by rail: around a bay, up two valleys,
on an island. Their amount then differs from the estimate of the map, like those of the cities around them. But shortest
paths satisfy the triangle inequality: a trip through any third city is at least as long. An amount between those bounds
is consistent with the rows of both cities, and geometry alone cannot prove it wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import quantile
from mapkit.core.cancellation import check_cancelled

Matrix = NDArray[np.float64]
MOST_PAIRS = 0.9
"""Share of pairs that satisfy the inequality; rounding and slips explain the others."""
DOUBTED = 1
"""Number of third cities with bounds that are ignored, because one of their own amounts may be wrong."""


@dataclass(frozen=True)
class Bounds:
    """Lower and upper bounds of the payoff of each pair, n x n thousands."""

    low: Matrix
    high: Matrix


def additive_constant(values: Matrix) -> float:
    """Return the least constant that makes nearly all pairs satisfy the triangle inequality, thousands.

    A chart may pay a fixed amount less than its distances, so that two trips pay less than the trip that they make up.
    This is the additive constant problem of classical scaling (Torgerson 1952; Cailliez 1983).

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
    """
    pair_excess = values - detour_bounds(values, tolerance=0.0).high
    upper_excess = pair_excess[np.triu(np.isfinite(pair_excess), 1)]
    return max(quantile(upper_excess, MOST_PAIRS), 0.0) if len(upper_excess) else 0.0


def detour_bounds(values: Matrix, *, tolerance: float, constant: float = 0.0) -> Bounds:
    """Return the bounds of each pair from third cities.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        tolerance: Tolerance for rounding and noise, thousands.
        constant: Constant to add to each amount to get distances, thousands.
    """
    n = len(values)
    known_values = values.copy()
    np.fill_diagonal(known_values, np.nan)
    tolerance += constant
    lower_bounds, upper_bounds = np.zeros((n, n)), np.full((n, n), np.inf)
    for i in range(n):
        check_cancelled()
        path_sums, path_differences = (
            known_values[i][None, :] + known_values,
            np.abs(known_values[i][None, :] - known_values),
        )
        path_sums, path_differences = (
            np.where(np.isnan(path_sums), np.inf, path_sums),
            np.where(np.isnan(path_differences), 0.0, path_differences),
        )
        upper_bounds[i] = np.partition(path_sums, DOUBTED, axis=1)[:, DOUBTED]
        lower_bounds[i] = -np.partition(-path_differences, DOUBTED, axis=1)[:, DOUBTED]
    largest_value = np.nanmax(known_values, initial=0.0)
    lower_bounds, upper_bounds = lower_bounds - tolerance, np.minimum(upper_bounds, 2 * largest_value) + tolerance
    return Bounds(np.maximum((lower_bounds + lower_bounds.T) / 2, 0.0), (upper_bounds + upper_bounds.T) / 2)
