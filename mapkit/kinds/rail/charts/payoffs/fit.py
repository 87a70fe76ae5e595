"""What a payoff should be, from all other payoffs: a robust trend and a smooth surface over pairs of cities.

The payoff of cities i and j is modelled as trend + surface + noise. The trend is a robust regression on distances.
The surface is a Gaussian process over *pairs*: its covariance between the pairs (i, j) and (k, l) is
`c(i, k) c(j, l) + c(i, l) c(j, k)`, with `c` falling exponentially with the distance of two cities. So the payoff of
a pair is learnt from the pairs next to it (Boston - Denver from New York - Denver and Boston - Pueblo), and city
effects, winding lines and missing lines need no terms of their own. Over a full matrix the covariance is a Kronecker
product: with the eigenvectors U of c, smoothing is `U (S * (U' Z U)) U'`, a few products of n x n matrices (Saatci,
Scalable Inference for Structured Gaussian Process Models, 2011, ch. 5). Cells that are missing or set aside are solved
for by conjugate gradients. Leave-one-out predictions have a closed form (Rasmussen & Williams, Gaussian Processes for
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
"""Ranges of the covariance that are tried, as parts of the median distance between cities."""
NOISES = (0.1, 0.2, 0.5, 1.0, 3.0, 10.0)
"""Ratios of noise to surface variance that are tried; less lets a slip pull its neighbours along."""
POWERS = (0.0, 0.25, 0.5)
"""Powers of distance that noise may grow with."""
START = (1, 1, 0)
ASIDE = 3.7
"""Cells further than this many robust standard deviations off are set aside, and judged by the others."""
CLIP = 7.0
"""No cell costs more than this in choosing the parameters, however far off it is."""
SAMPLE = 110
"""Parameters are chosen on this many cities at most."""
MAX_LEVERAGE = 0.995
TOLERANCE = 1e-8
BLOCK = 4_000_000
"""Numbers held at once."""


@dataclass(frozen=True)
class Fit:
    """Leave-one-out predictions: what each cell should be, judged by all the others.

    All matrices are n x n and symmetric, in thousands.
    """

    trend: Matrix
    expected: Matrix
    sd: Matrix
    """Standard deviation of value minus `expected`."""
    used: Mask
    """The cells that the surface was fitted to."""
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


def fit_pairs(
    values: Matrix,
    features: Sequence[Matrix],
    distance: Matrix,
    *,
    excluded: Mask | None = None,
) -> Fit:
    """Fit the model of this module.

    Args:
        values: n x n payoffs in thousands, symmetric; NaN where there is none. The diagonal is ignored.
        features: n x n distances for the trend (rail miles, great-circle miles, moves), the most informative first.
        distance: n x n distances between cities, for the covariance and the growth of noise.
        excluded: Cells not to learn from (twins, structural slips); they are predicted all the same.
    """
    n = len(values)
    usable = np.isfinite(values) & ~np.eye(n, dtype=bool)
    if excluded is not None:
        usable &= ~excluded
    trend, coefficients, near = _trend(values, features, usable)
    spread = _relative(distance, usable)
    setting = _choose(values - trend, usable & near, usable, distance, spread)
    spectrum = _spectrum(distance, setting.reach)
    leverage = _leverage(spectrum.vectors, _shrinkage(spectrum, setting))
    used = usable & near
    for _ in range(3):
        surface, sd = _predict(values - trend, used, spectrum, setting, spread, leverage)
        z = np.abs(values - trend - surface) / sd
        scale = robust_scale(z[np.triu(usable, 1)])
        again = usable & (z <= ASIDE * scale)
        if (again == used).all():
            break
        used = again
    return Fit(
        trend=trend,
        expected=trend + surface,
        sd=sd * scale,
        used=used,
        coefficients=coefficients,
        reach=setting.reach,
        noise=setting.noise,
        power=setting.power,
    )


def _trend(values: Matrix, features: Sequence[Matrix], usable: Mask) -> tuple[Matrix, NDArray[np.float64], Mask]:
    upper = np.triu(usable, 1)
    design = np.stack([np.ones_like(values), *features], axis=2)
    coefficients, _ = fit_robustly(design[upper], values[upper])
    trend = design @ coefficients
    off = np.abs(values - trend)
    near = off <= 2 * ASIDE * robust_scale(off[upper])
    return trend, coefficients, near & usable


def _relative(distance: Matrix, usable: Mask) -> Matrix:
    """Return distances relative to their median, a little above zero: what noise may grow with."""
    middle = median(distance[np.triu(usable, 1)]) or 1.0
    return distance / middle * 0.8 + 0.2


def _choose(residual: Matrix, used: Mask, usable: Mask, distance: Matrix, spread: Matrix) -> _Setting:
    """Choose reach, noise and power by the leave-one-out likelihood, one after the other from a middle start."""
    n = len(residual)
    if n > SAMPLE:
        some = np.sort(np.random.default_rng(n).choice(n, SAMPLE, replace=False))
        at = np.ix_(some, some)
        residual, distance, spread = residual[at], distance[at], spread[at]
        used, usable = used[at], usable[at]
    spectra: dict[float, _Spectrum] = {}
    costs: dict[tuple[int, ...], float] = {}

    def cost(where: tuple[int, ...]) -> float:
        if where not in costs:
            check_cancelled()
            reach = REACHES[where[0]]
            spectra.setdefault(reach, _spectrum(distance, reach))
            setting = _Setting(reach, NOISES[where[1]], POWERS[where[2]])
            leverage = _leverage(spectra[reach].vectors, _shrinkage(spectra[reach], setting))
            surface, sd = _predict(residual, used, spectra[reach], setting, spread, leverage)
            upper = np.triu(usable, 1)
            z = (np.abs(residual - surface) / sd)[upper]
            scale = robust_scale(z)
            costs[where] = float(np.mean(np.minimum((z / scale) ** 2 / 2, CLIP) + np.log(sd[upper] * scale)))
        return costs[where]

    best: tuple[int, ...] = START
    sizes = (len(REACHES), len(NOISES), len(POWERS))
    moved = True
    while moved:
        moved = False
        for axis, step in product(range(3), (1, -1)):
            while True:
                tried = tuple(v + step * (k == axis) for k, v in enumerate(best))
                if not 0 <= tried[axis] < sizes[axis] or cost(tried) >= cost(best) - 1e-4:
                    break
                best, moved = tried, True
    return _Setting(REACHES[best[0]], NOISES[best[1]], POWERS[best[2]])


def _spectrum(distance: Matrix, reach: float) -> _Spectrum:
    n = len(distance)
    middle = median(distance[~np.eye(n, dtype=bool)]) or 1.0
    values, vectors = np.linalg.eigh(np.exp(-distance / (reach * middle)))
    return _Spectrum(vectors, np.maximum(values, 0.0))


def _shrinkage(spectrum: _Spectrum, setting: _Setting) -> Matrix:
    shrink = np.outer(spectrum.values, spectrum.values)
    out: Matrix = shrink / (shrink + setting.noise)
    return out


def _predict(
    residual: Matrix, used: Mask, spectrum: _Spectrum, setting: _Setting, spread: Matrix, leverage: Matrix
) -> tuple[Matrix, Matrix]:
    """Return the surface as the other cells have it, and the relative standard deviation of what is left."""
    scale = spread**setting.power
    shrink, vectors = _shrinkage(spectrum, setting), spectrum.vectors
    filled = _fill(np.where(used, residual, 0.0) / scale, ~used, vectors, shrink)
    smooth = _smooth(filled, vectors, shrink)
    alone = np.where(used, (smooth - leverage * filled) / (1 - leverage), filled)
    return alone * scale, scale / np.sqrt(1 - leverage)


def _smooth(matrix: Matrix, vectors: Matrix, shrink: Matrix) -> Matrix:
    out: Matrix = vectors @ (shrink * (vectors.T @ matrix @ vectors)) @ vectors.T
    return out


def _fill(known: Matrix, gaps: Mask, vectors: Matrix, shrink: Matrix) -> Matrix:
    """Fill gaps so that smoothing leaves them as they are: (I - H) x = H known, by conjugate gradients."""
    right = np.where(gaps, _smooth(known, vectors, shrink), 0.0)
    guess = np.zeros_like(known)
    left = right.copy()
    way = left.copy()
    norm = start = float((left * left).sum())
    for _ in range(60):
        check_cancelled()
        if norm <= TOLERANCE * start or norm == 0:
            break
        image = np.where(gaps, way - _smooth(way, vectors, shrink), 0.0)
        step = norm / float((way * image).sum())
        guess += step * way
        left -= step * image
        last, norm = norm, float((left * left).sum())
        way = left + norm / last * way
    return known + guess


def _leverage(vectors: Matrix, shrink: Matrix) -> Matrix:
    """Return how far each cell pulls its own fitted value, below 1; a pair stands in two cells of the matrix."""
    squares = vectors**2
    count = len(vectors)
    cross = np.zeros((count, count))
    block = max(1, BLOCK // (count * count))
    for start in range(0, count, block):
        check_cancelled()
        rows = slice(start, start + block)
        both = (vectors[rows, None, :] * vectors[None, start:, :]).reshape(-1, count)
        cross[rows, start:] = np.einsum("ka,ka->k", both @ shrink, both).reshape(-1, count - start)
    upper = np.triu(cross)
    out: Matrix = squares @ shrink @ squares.T + upper + np.triu(upper, 1).T
    return np.minimum(out, MAX_LEVERAGE)
