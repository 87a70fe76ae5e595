"""Distances from the payoff chart alone: a robust embedding of the cities in a space of few dimensions.

Cities lie on a surface, so a chart of distances embeds in three dimensions, nearly; a cell that is wrong does not.
Gross slips are first drawn back between the bounds that all third cities set, then classical scaling (Torgerson
1952) starts a weighted stress majorization (SMACOF; Borg & Groenen, Modern Multidimensional Scaling, 2005, ch. 8) in
which cells that do not fit lose their weight.
"""

import numpy as np
from numpy.typing import NDArray

from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.regression import TUKEY, robust_scale

Matrix = NDArray[np.float64]
DIMENSIONS = 3
WITNESSES = 120
ROUNDS = 40
INNER = 3
PATIENCE = 6.0
"""Weights are generous at first, so that a city placed badly by the start is not believed to be wrong."""
CAUTION = 0.1
"""The part of third cities whose bounds are not believed."""


def embed(values: Matrix) -> Matrix:
    """Return n x n distances, in the chart's own unit, between cities placed by the chart alone.

    Args:
        values: n x n payoffs, symmetric; NaN is missing. The diagonal is ignored.
    """
    n = len(values)
    bounded = _bounded(values)
    squared = bounded**2
    centred = -0.5 * (squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean())
    strengths, vectors = np.linalg.eigh(centred)
    places = vectors[:, -DIMENSIONS:] * np.sqrt(np.maximum(strengths[-DIMENSIONS:], 1e-9))
    known = np.isfinite(values) & ~np.eye(n, dtype=bool)
    upper = np.triu(known, 1)
    for turn in range(ROUNDS):
        check_cancelled()
        far = _distances(places)
        off = np.where(known, values - far, 0.0)
        patience = max(1.0, PATIENCE * (1 - 2 * turn / ROUNDS))
        unit = off / (patience * TUKEY * robust_scale(off[upper]))
        weights = np.where(known, np.clip(1 - unit**2, 0, 1) ** 2, 0.0)
        laplacian = -weights
        np.fill_diagonal(laplacian, weights.sum(axis=1))
        inverse = _inverse(laplacian)
        last = places
        for _ in range(INNER):
            far = _distances(places)
            pull = -np.where(known, weights * np.nan_to_num(values) / np.maximum(far, 1e-9), 0.0)
            np.fill_diagonal(pull, 0.0)
            np.fill_diagonal(pull, -pull.sum(axis=1))
            places = inverse @ (pull @ places)
        if turn > ROUNDS // 2 and np.abs(places - last).max() < 1e-3:  # noqa: PLR2004
            break
    return _distances(places)


def _inverse(laplacian: Matrix) -> Matrix:
    """Return the pseudo-inverse of a graph's matrix, by the quick way for a graph in one part."""
    n = len(laplacian)
    try:
        return np.asarray(np.linalg.inv(laplacian + 1 / n), dtype=np.float64) - 1 / n
    except np.linalg.LinAlgError:  # a city without an amount that is believed
        return np.asarray(np.linalg.pinv(laplacian, hermitian=True), dtype=np.float64)


def _bounded(values: Matrix) -> Matrix:
    """Return the chart with gaps filled and gross slips drawn back, by what most third cities allow."""
    n = len(values)
    now = values.copy()
    np.fill_diagonal(now, np.nan)
    few = np.arange(n) if n <= WITNESSES else np.sort(np.random.default_rng(n).choice(n, WITNESSES, replace=False))
    usual = float(np.nanmedian(now))
    out = np.zeros((n, n))
    for i in range(n):
        check_cancelled()
        via, there = now[i, few][None, :], now[:, few]
        with np.errstate(invalid="ignore"):
            sums, gaps = np.sort(via + there, axis=1), np.sort(np.abs(via - there), axis=1)
        count = np.isfinite(sums).sum(axis=1)
        low = gaps[np.arange(n), np.maximum(((1 - CAUTION) * count).astype(int) - 1, 0)]
        high = sums[np.arange(n), np.minimum((CAUTION * count).astype(int), len(few) - 1)]
        low, high = np.where(count > 0, low, usual), np.where(count > 0, high, usual)
        middle = (low + high) / 2
        out[i] = np.where(
            np.isfinite(now[i]), np.clip(now[i], np.minimum(low, middle), np.maximum(high, middle)), middle
        )
    out = (out + out.T) / 2
    np.fill_diagonal(out, 0.0)
    return out


def _distances(places: Matrix) -> Matrix:
    gaps: Matrix = np.sqrt(np.maximum(((places[:, None] - places[None]) ** 2).sum(axis=2), 0.0))
    return gaps
