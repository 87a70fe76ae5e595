"""Distances from the payoff chart alone: a robust embedding of the cities in three dimensions.

Cities lie on a surface, so a chart of distances almost embeds in three dimensions, but not its wrong cells. Gross
errors are first clipped to the bounds of all third cities. Then classical scaling (Torgerson 1952) starts a weighted
stress majorization (SMACOF; Borg & Groenen, Modern Multidimensional Scaling, 2005, ch. 8), in which cells that do not
fit lose their weight.
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
"""Initial factor of the tolerance of weights, so that cells of a badly placed city keep their weight at first."""
CAUTION = 0.1
"""Share of third cities with bounds that are ignored."""


def embed_cities(values: Matrix) -> Matrix:
    """Return n x n distances, in the chart's own unit, between cities placed by the chart alone.

    Args:
        values: n x n payoffs, symmetric; NaN is missing. The diagonal is ignored.
    """
    n = len(values)
    bounded_values = _clip_to_bounds(values)
    squared_values = bounded_values**2
    centred_gram = -0.5 * (
        squared_values - squared_values.mean(axis=0) - squared_values.mean(axis=1)[:, None] + squared_values.mean()
    )
    eigenvalues, eigenvectors = np.linalg.eigh(centred_gram)
    positions = eigenvectors[:, -DIMENSIONS:] * np.sqrt(np.maximum(eigenvalues[-DIMENSIONS:], 1e-9))
    is_known = np.isfinite(values) & ~np.eye(n, dtype=bool)
    is_known_pair = np.triu(is_known, 1)
    for round_number in range(ROUNDS):
        check_cancelled()
        distances = _pairwise_distances(positions)
        residuals = np.where(is_known, values - distances, 0.0)
        tolerance_factor = max(1.0, PATIENCE * (1 - 2 * round_number / ROUNDS))
        scaled_residuals = residuals / (tolerance_factor * TUKEY * robust_scale(residuals[is_known_pair]))
        weights = np.where(is_known, np.clip(1 - scaled_residuals**2, 0, 1) ** 2, 0.0)
        laplacian = -weights
        np.fill_diagonal(laplacian, weights.sum(axis=1))
        laplacian_inverse = _invert_laplacian(laplacian)
        last_positions = positions
        for _ in range(INNER):
            distances = _pairwise_distances(positions)
            pull_matrix = -np.where(is_known, weights * np.nan_to_num(values) / np.maximum(distances, 1e-9), 0.0)
            np.fill_diagonal(pull_matrix, 0.0)
            np.fill_diagonal(pull_matrix, -pull_matrix.sum(axis=1))
            positions = laplacian_inverse @ (pull_matrix @ positions)
        if round_number > ROUNDS // 2 and np.abs(positions - last_positions).max() < 1e-3:  # noqa: PLR2004
            break
    return _pairwise_distances(positions)


def _invert_laplacian(laplacian: Matrix) -> Matrix:
    """Return the pseudo-inverse of a graph Laplacian, by a fast method for a connected graph."""
    n = len(laplacian)
    try:
        return np.asarray(np.linalg.inv(laplacian + 1 / n), dtype=np.float64) - 1 / n
    except np.linalg.LinAlgError:  # a city without any amount of positive weight
        return np.asarray(np.linalg.pinv(laplacian, hermitian=True), dtype=np.float64)


def _clip_to_bounds(values: Matrix) -> Matrix:
    """Return the chart with gaps filled and gross errors clipped to the bounds of most third cities."""
    n = len(values)
    known_values = values.copy()
    np.fill_diagonal(known_values, np.nan)
    witness_cities = (
        np.arange(n) if n <= WITNESSES else np.sort(np.random.default_rng(n).choice(n, WITNESSES, replace=False))
    )
    median_value = float(np.nanmedian(known_values))
    bounded_values = np.zeros((n, n))
    for i in range(n):
        check_cancelled()
        values_to_witnesses, values_from_witnesses = (
            known_values[i, witness_cities][None, :],
            known_values[:, witness_cities],
        )
        with np.errstate(invalid="ignore"):
            sums, gaps = (
                np.sort(values_to_witnesses + values_from_witnesses, axis=1),
                np.sort(np.abs(values_to_witnesses - values_from_witnesses), axis=1),
            )
        witness_counts = np.isfinite(sums).sum(axis=1)
        lower_bounds = gaps[np.arange(n), np.maximum(((1 - CAUTION) * witness_counts).astype(int) - 1, 0)]
        upper_bounds = sums[np.arange(n), np.minimum((CAUTION * witness_counts).astype(int), len(witness_cities) - 1)]
        lower_bounds, upper_bounds = (
            np.where(witness_counts > 0, lower_bounds, median_value),
            np.where(witness_counts > 0, upper_bounds, median_value),
        )
        midpoints = (lower_bounds + upper_bounds) / 2
        bounded_values[i] = np.where(
            np.isfinite(known_values[i]),
            np.clip(known_values[i], np.minimum(lower_bounds, midpoints), np.maximum(upper_bounds, midpoints)),
            midpoints,
        )
    bounded_values = (bounded_values + bounded_values.T) / 2
    np.fill_diagonal(bounded_values, 0.0)
    return bounded_values


def _pairwise_distances(places: Matrix) -> Matrix:
    distances: Matrix = np.sqrt(np.maximum(((places[:, None] - places[None]) ** 2).sum(axis=2), 0.0))
    return distances
