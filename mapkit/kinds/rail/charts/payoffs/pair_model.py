"""Expected payoffs from all other payoffs: a robust trend and a Gaussian process over pairs of cities.

The payoff of cities i and j is modelled as trend + surface + noise. The trend is a robust regression on distances.
The surface is a Gaussian process over *pairs*: its covariance between the pairs (i, j) and (k, l) is
`c(i, k) c(j, l) + c(i, l) c(j, k)`, with `c` falling exponentially with the distance of two cities. So the payoff of
a pair is learnt from the pairs next to it (Boston - Denver from New York - Denver and Boston - Pueblo), and city
effects, winding lines and missing lines need no terms of their own. Over a full matrix the covariance is a Kronecker
product: with the eigenvectors U of c, smoothing is `U (S * (U' Z U)) U'`, a few products of n x n matrices (Saatci,
Scalable Inference for Structured Gaussian Process Models, 2011, ch. 5). Cells that are missing or set aside are solved
by conjugate gradients. Leave-one-out predictions have a closed form (Rasmussen & Williams, Gaussian Processes for
Machine Learning, 2006, 5.4.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.regression import fit_robustly, robust_scale

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

REACHES = (0.125, 0.25, 0.5, 1.0, 2.0)
"""Candidate ranges of the covariance, relative to the median distance between cities."""
NOISES = (0.1, 0.2, 0.5, 1.0, 3.0, 10.0)
"""Candidate ratios of noise to surface variance; with lower ratios, a slip would distort its neighbours."""
POWERS = (0.0, 0.25, 0.5)
"""Candidate powers of distance for the growth of noise."""
START = (1, 1, 0)
ASIDE = 3.7
"""Least residual, in robust standard deviations, of cells that are excluded and only predicted."""
CLIP = 7.0
"""Largest cost of a cell in the choice of parameters."""
SAMPLE = 110
"""Largest number of cities for the choice of parameters."""
MAX_LEVERAGE = 0.995
TOLERANCE = 1e-8
BLOCK = 4_000_000
"""Largest number of values in memory at once."""


@dataclass(frozen=True)
class Fit:
    """Leave-one-out predictions of each cell by all the others.

    All matrices are n x n and symmetric, in thousands.
    """

    trend: Matrix
    expected: Matrix
    sd: Matrix
    """Standard deviation of value minus `expected`."""
    used: Mask
    """Cells that the surface was fitted to."""
    coefficients: NDArray[np.float64]
    reach: float
    noise: float
    power: float


@dataclass(frozen=True)
class _Setting:
    reach: float
    noise: float
    power: float


@dataclass(frozen=True)
class _Spectrum:
    vectors: Matrix
    values: NDArray[np.float64]


def fit_pairs(values: Matrix, features: Sequence[Matrix], distance: Matrix) -> Fit:
    """Fit the model of this module.

    Args:
        values: n x n payoffs in thousands, symmetric; NaN is missing. The diagonal is ignored.
        features: n x n distances for the trend (rail miles, great-circle miles, moves), the most informative first.
        distance: n x n distances between cities, for the covariance and the growth of noise.
    """
    n = len(values)
    is_usable = np.isfinite(values) & ~np.eye(n, dtype=bool)
    trend, coefficients, is_near_trend = _fit_trend(values, features, is_usable)
    median_distance = median(distance[np.triu(is_usable, 1)]) or 1.0
    relative_distance = distance / median_distance * 0.8 + 0.2
    setting = _choose_setting(values - trend, is_usable & is_near_trend, is_usable, distance, relative_distance)
    spectrum = _compute_spectrum(distance, setting.reach)
    leverage = _compute_leverage(spectrum.vectors, _compute_shrinkage(spectrum, setting))
    is_used = is_usable & is_near_trend
    for _ in range(3):
        surface, sd = _predict(values - trend, is_used, spectrum, setting, relative_distance, leverage)
        z = np.abs(values - trend - surface) / sd
        residual_scale = robust_scale(z[np.triu(is_usable, 1)])
        is_used_next = is_usable & (z <= ASIDE * residual_scale)
        if (is_used_next == is_used).all():
            break
        is_used = is_used_next
    return Fit(
        trend=trend,
        expected=trend + surface,
        sd=sd * residual_scale,
        used=is_used,
        coefficients=coefficients,
        reach=setting.reach,
        noise=setting.noise,
        power=setting.power,
    )


def _fit_trend(values: Matrix, features: Sequence[Matrix], usable: Mask) -> tuple[Matrix, NDArray[np.float64], Mask]:
    is_upper = np.triu(usable, 1)
    design_matrix = np.stack([np.ones_like(values), *features], axis=2)
    coefficients, _ = fit_robustly(design_matrix[is_upper], values[is_upper])
    trend = design_matrix @ coefficients
    trend_residuals = np.abs(values - trend)
    is_near = trend_residuals <= 2 * ASIDE * robust_scale(trend_residuals[is_upper])
    return trend, coefficients, is_near & usable


def _choose_setting(residual: Matrix, is_used: Mask, is_usable: Mask, distance: Matrix, spread: Matrix) -> _Setting:
    """Choose reach, noise and power by the leave-one-out likelihood, by coordinate descent."""
    n = len(residual)
    if n > SAMPLE:
        sampled_cities = np.sort(np.random.default_rng(n).choice(n, SAMPLE, replace=False))
        sample_index = np.ix_(sampled_cities, sampled_cities)
        residual, distance, spread = residual[sample_index], distance[sample_index], spread[sample_index]
        is_used, is_usable = is_used[sample_index], is_usable[sample_index]
    spectrum_by_reach: dict[float, _Spectrum] = {}
    cost_by_setting: dict[tuple[int, ...], float] = {}

    def cost(where: tuple[int, ...]) -> float:
        if where not in cost_by_setting:
            check_cancelled()
            reach = REACHES[where[0]]
            spectrum_by_reach.setdefault(reach, _compute_spectrum(distance, reach))
            setting = _Setting(reach, NOISES[where[1]], POWERS[where[2]])
            leverage = _compute_leverage(
                spectrum_by_reach[reach].vectors, _compute_shrinkage(spectrum_by_reach[reach], setting)
            )
            surface, sd = _predict(residual, is_used, spectrum_by_reach[reach], setting, spread, leverage)
            is_upper = np.triu(is_usable, 1)
            z = (np.abs(residual - surface) / sd)[is_upper]
            residual_scale = robust_scale(z)
            cost_by_setting[where] = float(
                np.mean(np.minimum((z / residual_scale) ** 2 / 2, CLIP) + np.log(sd[is_upper] * residual_scale))
            )
        return cost_by_setting[where]

    best_indices: tuple[int, ...] = START
    grid_sizes = (len(REACHES), len(NOISES), len(POWERS))
    has_moved = True
    while has_moved:
        has_moved = False
        for axis, step in product(range(3), (1, -1)):
            while True:
                tried_indices = tuple(grid_index + step * (k == axis) for k, grid_index in enumerate(best_indices))
                if not 0 <= tried_indices[axis] < grid_sizes[axis] or cost(tried_indices) >= cost(best_indices) - 1e-4:
                    break
                best_indices, has_moved = tried_indices, True
    return _Setting(REACHES[best_indices[0]], NOISES[best_indices[1]], POWERS[best_indices[2]])


def _compute_spectrum(distance: Matrix, reach: float) -> _Spectrum:
    n = len(distance)
    median_distance = median(distance[~np.eye(n, dtype=bool)]) or 1.0
    values, vectors = np.linalg.eigh(np.exp(-distance / (reach * median_distance)))
    return _Spectrum(vectors, np.maximum(values, 0.0))


def _compute_shrinkage(spectrum: _Spectrum, setting: _Setting) -> Matrix:
    eigenvalue_products = np.outer(spectrum.values, spectrum.values)
    shrink_factors: Matrix = eigenvalue_products / (eigenvalue_products + setting.noise)
    return shrink_factors


def _predict(
    residual: Matrix, is_used: Mask, spectrum: _Spectrum, setting: _Setting, spread: Matrix, leverage: Matrix
) -> tuple[Matrix, Matrix]:
    """Return the leave-one-out surface, and the relative standard deviation of the residuals."""
    noise_scale = spread**setting.power
    shrink, vectors = _compute_shrinkage(spectrum, setting), spectrum.vectors
    known_residual = np.where(is_used, residual, 0.0) / noise_scale
    gaps = ~is_used
    # Fill gaps with fixed points of smoothing: solve (I - H) x = H known by conjugate gradients.
    right_side = np.where(gaps, _smooth_matrix(known_residual, vectors, shrink), 0.0)
    solution = np.zeros_like(known_residual)
    remainder = right_side.copy()
    direction = remainder.copy()
    norm = start_norm = float((remainder * remainder).sum())
    for _ in range(60):
        check_cancelled()
        if norm <= TOLERANCE * start_norm or norm == 0:
            break
        direction_image = np.where(gaps, direction - _smooth_matrix(direction, vectors, shrink), 0.0)
        step = norm / float((direction * direction_image).sum())
        solution += step * direction
        remainder -= step * direction_image
        previous_norm, norm = norm, float((remainder * remainder).sum())
        direction = remainder + norm / previous_norm * direction
    filled_residual = known_residual + solution
    smooth_surface = _smooth_matrix(filled_residual, vectors, shrink)
    left_out_surface = np.where(
        is_used, (smooth_surface - leverage * filled_residual) / (1 - leverage), filled_residual
    )
    return left_out_surface * noise_scale, noise_scale / np.sqrt(1 - leverage)


def _smooth_matrix(matrix: Matrix, vectors: Matrix, shrink: Matrix) -> Matrix:
    smoothed: Matrix = vectors @ (shrink * (vectors.T @ matrix @ vectors)) @ vectors.T
    return smoothed


def _compute_leverage(vectors: Matrix, shrink: Matrix) -> Matrix:
    """Return the leverage of each cell, below 1; a pair counts as two cells of the matrix."""
    squared_vectors = vectors**2
    count = len(vectors)
    cross_terms = np.zeros((count, count))
    block_rows = max(1, BLOCK // (count * count))
    for block_start in range(0, count, block_rows):
        check_cancelled()
        rows = slice(block_start, block_start + block_rows)
        vector_products = (vectors[rows, None, :] * vectors[None, block_start:, :]).reshape(-1, count)
        cross_terms[rows, block_start:] = np.einsum("ka,ka->k", vector_products @ shrink, vector_products).reshape(
            -1, count - block_start
        )
    upper_cross = np.triu(cross_terms)
    leverage: Matrix = squared_vectors @ shrink @ squared_vectors.T + upper_cross + np.triu(upper_cross, 1).T
    return np.minimum(leverage, MAX_LEVERAGE)
