"""What track that nobody knows may make of an amount: anything that the rows of its two cities allow.

Where neither rail miles nor a board are known, two cities that lie near each other may still be far apart by rail:
around a bay, up two valleys, on an island. Then their amount is off what the map says, and so are those of the cities
around them. But shortest ways keep the triangle inequality: a trip through any third city is at least as long. An
amount between those bounds agrees with the rows of both cities, and no geometry can call it wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import quantile
from mapkit.core.cancellation import check_cancelled

Matrix = NDArray[np.float64]
MOST_PAIRS = 0.9
"""Pairs that keep the inequality; rounding and slips make the others break it."""
DOUBTED = 1
"""Third cities whose bounds are not believed: one of their own amounts may be wrong."""


@dataclass(frozen=True)
class Bounds:
    """The least and the most that each pair may pay, n x n thousands."""

    low: Matrix
    high: Matrix


def additive_constant(values: Matrix) -> float:
    """Return the least amount that makes nearly all pairs keep the triangle inequality if each gets it, thousands.

    A chart may pay a fixed amount less than its distances say, so that two trips pay less than the one that they make
    up. Classical scaling knows this as the additive constant problem (Torgerson 1952; Cailliez 1983).

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
    """
    excess = values - detour_bounds(values, tolerance=0.0).high
    upper = excess[np.triu(np.isfinite(excess), 1)]
    return max(quantile(upper, MOST_PAIRS), 0.0) if len(upper) else 0.0


def detour_bounds(values: Matrix, *, tolerance: float, constant: float = 0.0) -> Bounds:
    """Return the bounds that third cities set to each pair.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        tolerance: What rounding and noise explain, thousands.
        constant: What is to be added to each amount to get distances, thousands.
    """
    n = len(values)
    now = values.copy()
    np.fill_diagonal(now, np.nan)
    tolerance += constant
    low, high = np.zeros((n, n)), np.full((n, n), np.inf)
    for i in range(n):
        check_cancelled()
        sums, gaps = now[i][None, :] + now, np.abs(now[i][None, :] - now)
        sums, gaps = np.where(np.isnan(sums), np.inf, sums), np.where(np.isnan(gaps), 0.0, gaps)
        high[i] = np.partition(sums, DOUBTED, axis=1)[:, DOUBTED]
        low[i] = -np.partition(-gaps, DOUBTED, axis=1)[:, DOUBTED]
    top = np.nanmax(now, initial=0.0)
    low, high = low - tolerance, np.minimum(high, 2 * top) + tolerance
    return Bounds(np.maximum((low + low.T) / 2, 0.0), (high + high.T) / 2)
