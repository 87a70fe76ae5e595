"""The chance that a cell is wrong: a mixture of the chart's own noise and of slips, fitted by EM."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.kinds.rail.charts.payoffs.fit import Fit, Mask, Matrix
from mapkit.kinds.rail.charts.payoffs.slips import TYPED, Slip, SlipOrigins, key, origins

Vector = NDArray[np.float64]

SLIPS = tuple(Slip)
TAIL = 0.96
"""Heavy tails are inferred from this quantile of the absolute residuals, which slips hardly move."""
ROOT = float(np.sqrt(2 * np.pi))
HEAVIER = 1.1
"""Up to this factor beyond the normal ratio, noise counts as normal."""
WIDE = 3.0
"""Rough cells have this many times the standard deviation of the others."""
SHARES = (0.0, 0.01, 0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3)
"""Shares of rough cells that are tried."""
PRIOR = 0.5
"""Pseudo-count of each slip: none is ever held impossible."""
FIRST_CHANCE = 0.005
ROUNDS = 30
CHUNK = 20_000
MOST_STEPS = 4_000
NEIGHBOURS = 4


@dataclass(frozen=True)
class Scores:
    """For each scored cell (i < j): the chance of being wrong, the slip that explains it best, what it suggests."""

    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    score: Vector
    slip: tuple[Slip, ...]
    """The likeliest slip, whatever the score."""
    suggested: Vector
    slip_chances: Mapping[Slip, float]
    rough: float
    """Share of the cells whose noise is three times that of the others; 0 is normal noise."""


def score_cells(values: Matrix, fit: Fit, cells: Mask, *, step: float) -> Scores:
    """Score cells by leave-one-out predictions.

    With p(t) the chance that a true amount is t (noise about the prediction, on the grid), a cell that holds v has
    the likelihood p(v) if it is right, and sum over t of p(t) P(v | t, slip) if a slip befell it; a neighbour's
    value is likely to be one of four, and an unknown slip gives any amount. The weights of the slips are fitted to
    the chart by EM with a weak prior (Dempster, Laird & Rubin 1977); the score is the posterior chance of any slip.

    Args:
        values: n x n thousands, rows and columns in the order of the chart; NaN is missing.
        fit: Predictions for all cells.
        cells: Which cells to score; those above the diagonal are.
        step: The chart's grid, thousands.
    """
    rows, cols = np.nonzero(np.triu(cells & np.isfinite(values), 1))
    value = values[rows, cols]
    mean = fit.expected[rows, cols]
    sd = np.maximum(fit.sd[rows, cols], step / 4)
    rough, widen = _tail((value - mean) / sd)
    sd = sd * widen
    top = float(max(mean.max(initial=step), np.median(value) * 4 if len(value) else step)) + 6 * float(
        np.median(sd) if len(sd) else step
    )
    count = min(int(np.ceil(top / step)), MOST_STEPS)
    right = np.empty(len(value))
    slips = np.zeros((len(value), len(SLIPS)))
    origin = np.zeros((len(value), len(TYPED)))
    table = origins(step, count)
    for start in range(0, len(value), CHUNK):
        part = slice(start, start + CHUNK)
        right[part], slips[part, : len(TYPED)], origin[part] = _likelihoods(
            value[part], mean[part], sd[part], rough, step, count, table
        )
    slips[:, SLIPS.index(Slip.NEIGHBOUR)] = _equal_neighbours(values, rows, cols) / NEIGHBOURS
    slips[:, SLIPS.index(Slip.OTHER)] = 1 / count
    weights, wrong = _em(right, slips)
    share = slips * weights
    best = share.argmax(axis=1)
    plain = np.maximum(np.round(mean / step), 1) * step
    suggested = np.where(best < len(TYPED), origin[np.arange(len(best)), np.minimum(best, len(TYPED) - 1)], plain)
    return Scores(
        rows=rows,
        cols=cols,
        score=wrong,
        slip=tuple(SLIPS[k] for k in best),
        suggested=suggested,
        slip_chances={slip: float(w) for slip, w in zip(SLIPS, weights, strict=True)},
        rough=rough,
    )


def _quantile(part: float, rough: float) -> float:
    """Return the quantile of the absolute residual, in standard deviations of the smooth cells, by bisection."""
    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        below = (1 - rough) * (2 * heavy.special.ndtr(middle) - 1) + rough * (2 * heavy.special.ndtr(middle / WIDE) - 1)
        low, high = (middle, high) if below < part else (low, middle)
    return low


def _tail(z: Vector) -> tuple[float, float]:
    """Return the share of rough cells, and the factor to the smooth cells' scale, from two quantiles.

    A chart that people computed by hand is rougher in some cells than in others, and a cell that is merely rough
    is not wrong. Quantiles short of the last hundredths tell how rough, whatever the slips are.
    """
    if len(z) < 50:  # noqa: PLR2004 - too few to tell a tail
        return 0.0, 1.0
    middle, far = np.quantile(np.abs(z), [0.5, TAIL])
    ratio = far / max(middle, 1e-9)
    normal = float(heavy.special.ndtri(0.5 + TAIL / 2) / heavy.special.ndtri(0.75))
    if ratio <= normal * HEAVIER:
        return 0.0, 1.0
    rough = min(SHARES, key=lambda share: abs(_quantile(TAIL, share) / _quantile(0.5, share) - ratio))
    return rough, float(middle / _quantile(0.5, rough))


def _density(z: Vector, rough: float) -> Vector:
    found: Vector = np.exp(-(z**2) / 2) * ((1 - rough) / ROOT)
    if rough:
        found += np.exp(-((z / WIDE) ** 2) / 2) * (rough / WIDE / ROOT)
    return found


def _likelihoods(
    value: Vector,
    mean: Vector,
    sd: Vector,
    rough: float,
    step: float,
    count: int,
    table: Mapping[Slip, Mapping[int, SlipOrigins]],
) -> tuple[Vector, Vector, Vector]:
    """Return the likelihood of being right, that of each recognisable slip, and the likeliest true amount for each."""
    grid = np.arange(1, count + 1) * step
    chance = _density((grid[None, :] - mean[:, None]) / sd[:, None], rough)
    total = np.maximum(chance.sum(axis=1), 1e-300)
    chance /= total[:, None]
    right = _density((value - mean) / sd, rough) / total
    slips = np.zeros((len(value), len(TYPED)))
    origin = np.zeros((len(value), len(TYPED)))
    keys = np.round(value * 100).astype(np.int64)
    order = np.argsort(keys, kind="stable")
    unique, starts = np.unique(keys[order], return_index=True)
    for found, cells in zip(unique, np.split(order, starts[1:]), strict=True):
        for k, slip in enumerate(TYPED):
            sources = table[slip].get(int(found))
            if sources is None:
                continue
            weighed = chance[np.ix_(cells, sources.steps)] * sources.chances
            slips[cells, k] = weighed.sum(axis=1)
            origin[cells, k] = grid[sources.steps[weighed.argmax(axis=1)]]
    return right, slips, origin


def _equal_neighbours(values: Matrix, rows: NDArray[np.int64], cols: NDArray[np.int64]) -> Vector:
    """Count the neighbours of each cell, above, below, left and right, that hold the same amount.

    Amounts on the diagonal are not neighbours.
    """
    n = len(values)
    padded = np.full((n + 2, n + 2), np.nan)
    padded[1:-1, 1:-1] = np.where(np.eye(n, dtype=bool), np.nan, values)
    here = values[rows, cols]
    around = [padded[rows + 1 + dr, cols + 1 + dc] for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    equal = np.stack([np.abs(a - here) < 1e-9 for a in around])  # noqa: PLR2004
    return np.asarray(equal.sum(axis=0), dtype=np.float64)


def _em(right: Vector, slips: Vector) -> tuple[Vector, Vector]:
    """Return the weights of the slips, and for each cell the chance that one befell it."""
    count = len(right)
    weights = np.full(slips.shape[1], FIRST_CHANCE / slips.shape[1])
    wrong = np.zeros(count)
    for _ in range(ROUNDS):
        share = slips * weights
        some = share.sum(axis=1)
        all_ = some + (1 - weights.sum()) * right
        last, wrong = wrong, some / np.maximum(all_, 1e-300)
        if np.abs(wrong - last).max(initial=0.0) < 1e-4:  # noqa: PLR2004
            break
        weights = ((share / np.maximum(all_, 1e-300)[:, None]).sum(axis=0) + PRIOR) / (count + PRIOR * len(weights))
        weights = np.minimum(weights, 0.2)
    return weights, wrong


def same(one: float, other: float) -> bool:
    """Return whether two amounts are equal to the hundredth."""
    return key(one) == key(other)
