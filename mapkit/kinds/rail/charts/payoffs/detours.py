"""Bounds of amounts from third cities, for charts without known track.

Without rail miles or a board, two cities near each other may still be far apart by rail: around a bay, up two valleys,
on an island. Their amount then differs from the estimate of the map, like those of the cities around them. But shortest
paths satisfy the triangle inequality: a trip through any third city is at least as long. An amount between those bounds
is consistent with the rows of both cities, and geometry alone cannot prove it wrong. A chart of shortest paths breaks
no triangle except by rounding and slips; there, an amount outside those bounds is nearly always wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import quantile
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.triangles import blame_triangles

Matrix = NDArray[np.float64]
MOST_PAIRS = 0.9
"""Share of pairs that satisfy the inequality; rounding and slips explain the others."""
DOUBTED = 1
"""Number of third cities with bounds that are ignored, because one of their own amounts may be wrong."""
MOST_BLAMED = 0.03
"""Largest share of amounts that explain triangle violations in a chart of shortest paths."""
MOST_OUTSIDE = 0.01
"""Largest share of other amounts outside their bounds in such a chart."""
FEWEST_BROKEN = 3
"""Least number of violations explained by a cell; rounding alone explains none in such a chart."""
ROUNDED = 1e-9
"""Error of sums of amounts, thousands."""


@dataclass(frozen=True)
class Bounds:
    """Lower and upper bounds of the payoff of each pair, n x n thousands."""

    low: Matrix
    high: Matrix
    outside: float = 1.0
    """Factor to the chance of a correct amount outside its bounds; 1 if noise breaks triangles too."""


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


def detour_bounds(values: Matrix, *, tolerance: float, constant: float = 0.0, doubted: int = DOUBTED) -> Bounds:
    """Return the bounds of each pair from third cities.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        tolerance: Tolerance for rounding and noise, thousands.
        constant: Constant to add to each amount to get distances, thousands.
        doubted: Number of third cities with bounds that are ignored.
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
        upper_bounds[i] = np.partition(path_sums, doubted, axis=1)[:, doubted]
        lower_bounds[i] = -np.partition(-path_differences, doubted, axis=1)[:, doubted]
    largest_value = np.nanmax(known_values, initial=0.0)
    lower_bounds, upper_bounds = lower_bounds - tolerance, np.minimum(upper_bounds, 2 * largest_value) + tolerance
    return Bounds(np.maximum((lower_bounds + lower_bounds.T) / 2, 0.0), (upper_bounds + upper_bounds.T) / 2)


def shortest_path_bounds(values: Matrix, badness: Matrix, *, tolerance: float, constant: float) -> Bounds | None:
    """Return the bounds of each pair in a chart of shortest paths; None for a chart with more noise than rounding.

    Amounts that explain triangle violations bound no other pair.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        badness: As for `blame_triangles`.
        tolerance: Largest total rounding error of three amounts, thousands.
        constant: Constant to add to each amount to get distances, thousands.
    """
    is_upper = np.triu(np.isfinite(values), 1)
    amount_count = int(is_upper.sum())
    blamed_cells = blame_triangles(values, badness, tolerance=tolerance + constant + ROUNDED, fewest=FEWEST_BROKEN)[1]
    if len(blamed_cells) > MOST_BLAMED * amount_count:
        return None
    unblamed_values = values.copy()
    for cell in blamed_cells:
        unblamed_values[cell.row, cell.col] = unblamed_values[cell.col, cell.row] = np.nan
    outside_share = 0.0
    for doubted in (DOUBTED, 0):
        bounds = detour_bounds(unblamed_values, tolerance=tolerance, constant=constant, doubted=doubted)
        is_outside = (unblamed_values < bounds.low - ROUNDED) | (unblamed_values > bounds.high + ROUNDED)
        outside_share = float((is_upper & is_outside).sum()) / amount_count
        if doubted and outside_share > MOST_OUTSIDE:
            return None
    return Bounds(bounds.low, bounds.high, outside_share + 1 / amount_count)
