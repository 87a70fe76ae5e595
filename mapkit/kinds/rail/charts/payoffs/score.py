"""The chance that a cell is wrong: a mixture of the chart's own noise and of slips, fitted by EM."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median, quantile
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.detours import Bounds
from mapkit.kinds.rail.charts.payoffs.fit import Fit, Mask, Matrix
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale
from mapkit.kinds.rail.charts.payoffs.slips import TYPED, Slip, SlipOrigins, key, origins

Vector = NDArray[np.float64]

SLIPS = tuple(Slip)
TAIL = 0.96
"""Heavy tails are inferred from this quantile of the absolute residuals, which slips hardly move."""
ROOT_2 = math.sqrt(2)
ROOT = float(np.sqrt(2 * np.pi))
HEAVIER = 1.1
"""Up to this factor beyond the normal ratio, noise counts as normal."""
WIDE = 3.0
"""Rough cells have this many times the standard deviation of the others."""
SHARES = (0.0, 0.01, 0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3)
"""Shares of rough cells that are tried."""
PRIOR = np.array([0.15 if slip is Slip.EXCHANGED else 0.5 for slip in SLIPS])
"""Pseudo-counts of the slips: none is ever held impossible; an exchange accounts for two cells, and noise for many."""
FIRST_CHANCE = 0.005
ROUNDS = 30
SURE = 0.5
MANY = 0.01
"""Where more than this part of the cells is likely wrong, the chart is not as rough as they make it look."""
CHUNK = 20_000
MOST_STEPS = 4_000
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
NEIGHBOURS = len(SIDES)
EXCHANGED = SLIPS.index(Slip.EXCHANGED)
TINY = 1e-300
NEAR = 1e-6
DETOURS = 0.1
"""Share of the trips that detours may make longer than the chart alone, or great-circle miles, can tell."""
CROWDED = 3.0
"""A row with this many times the usual share of cells that are off says nothing of how rough the chart is."""
OFF = 2.0
""" Standard deviations from which a cell counts as off."""
MOST_CROWDED = 0.4
"""Part of the cells in such rows from which on they are the chart's nature."""


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


def score_cells(values: Matrix, fit: Fit, cells: Mask, *, step: float, bounds: Bounds | None = None) -> Scores:
    """Score cells by leave-one-out predictions.

    With p(t) the chance that a true amount is t (noise about the prediction, on the grid), a cell that holds v has
    the likelihood p(v) if it is right, and sum over t of p(t) P(v | t, slip) if a slip befell it; a neighbour's
    value is likely to be one of four, and an unknown slip gives any amount. The weights of the slips are fitted to
    the chart by EM with a weak prior (Dempster, Laird & Rubin 1977); the score is the posterior chance of any slip.

    Two cells that stand side by side and were exchanged are judged together: each holds what the other should.

    Args:
        values: n x n thousands, rows and columns in the order of the chart; NaN is missing.
        fit: Predictions for all cells.
        cells: Which cells to score; those above the diagonal are.
        step: The chart's grid, thousands.
        bounds: Where no track is known: what detours may make of each amount.
    """
    rows, cols = np.nonzero(np.triu(cells & np.isfinite(values), 1))
    value = values[rows, cols]
    mean = fit.expected[rows, cols]
    sd = np.maximum(fit.sd[rows, cols], step / 4)
    plain = _plain((value - mean) / sd, rows, cols, len(values))
    within = None if bounds is None else (bounds.low[rows, cols], bounds.high[rows, cols])
    found = _scored(values, (rows, cols), mean, sd, step, plain, within)
    gross = found.score > SURE
    if gross.mean() > MANY:
        found = _scored(values, (rows, cols), mean, sd, step, plain & ~gross, within)
    return found


def _scored(
    values: Matrix,
    at: tuple[NDArray[np.int64], NDArray[np.int64]],
    mean: Vector,
    sd: Vector,
    step: float,
    plain: Mask,
    within: tuple[Vector, Vector] | None,
) -> Scores:
    """Score cells; those that are `plain` show how rough the chart is."""
    rows, cols = at
    value = values[rows, cols]
    rough, widen = _tail(((value - mean) / sd)[plain])
    sd = sd * widen
    top = float(max(mean.max(initial=step), median(value) * 4 if len(value) else step)) + 6 * float(
        median(sd) if len(sd) else step
    )
    count = min(int(np.ceil(top / step)), MOST_STEPS)
    judge = _Judge(mean, sd, rough, step, count, within)
    right = np.empty(len(value))
    slips = np.zeros((len(value), len(SLIPS)))
    origin = np.zeros((len(value), len(TYPED)))
    table = origins(step, count)
    for start in range(0, len(value), CHUNK):
        check_cancelled()
        part = slice(start, start + CHUNK)
        right[part], slips[part, : len(TYPED)], origin[part] = _likelihoods(value[part], judge, part, table)
    slips[:, SLIPS.index(Slip.NEIGHBOUR)] = _equal_neighbours(values, rows, cols) / NEIGHBOURS
    slips[:, SLIPS.index(Slip.OTHER)] = 1 / count
    exchanges = _exchanges(values, rows, cols, judge.chance)
    weights, wrong, mate = _em(right, slips, exchanges)
    share = slips * weights
    best = share.argmax(axis=1)
    every = np.arange(len(best))
    suggested = np.where(
        best < len(TYPED), origin[every, np.minimum(best, len(TYPED) - 1)], np.maximum(np.round(mean / step), 1) * step
    )
    suggested = np.where(best == EXCHANGED, exchanges.held[every, mate], suggested)
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
        below = (1 - rough) * math.erf(middle / ROOT_2) + rough * math.erf(middle / (WIDE * ROOT_2))
        low, high = (middle, high) if below < part else (low, middle)
    return low


def _plain(z: Vector, rows: NDArray[np.int64], cols: NDArray[np.int64], count: int) -> Mask:
    """Return the cells outside rows in which far more are off than usual: those rows are full of slips."""
    off = np.abs(z) > OFF * robust_scale(z)
    ends = np.concatenate([rows, cols])
    cells = np.bincount(ends, minlength=count)
    share = np.bincount(ends, weights=np.concatenate([off, off]), minlength=count) / np.maximum(cells, 1)
    usual = median(share[cells > 0]) if cells.any() else 0.0
    crowded = (share > CROWDED * usual) & (share * cells > usual * cells + CROWDED * np.sqrt(usual * cells + 1))
    plain: Mask = ~(crowded[rows] | crowded[cols])
    return plain if plain.mean() > 1 - MOST_CROWDED else np.ones(len(z), dtype=bool)


def _tail(z: Vector) -> tuple[float, float]:
    """Return the share of rough cells, and the factor to the smooth cells' scale, from two quantiles.

    A chart that people computed by hand is rougher in some cells than in others, and a cell that is merely rough
    is not wrong. Quantiles short of the last hundredths show how rough, whatever the slips are.
    """
    if len(z) < 50:  # noqa: PLR2004 - too few to tell a tail
        return 0.0, 1.0
    off = np.abs(z)
    middle, far = quantile(off, 0.5), quantile(off, TAIL)
    ratio = far / max(middle, 1e-9)
    normal = _quantile(TAIL, 0.0) / _quantile(0.5, 0.0)
    if ratio <= normal * HEAVIER:
        return 0.0, 1.0
    rough = min(SHARES, key=lambda share: abs(_quantile(TAIL, share) / _quantile(0.5, share) - ratio))
    return rough, float(middle / _quantile(0.5, rough))


def _density(z: Vector, rough: float) -> Vector:
    found: Vector = np.exp(-(z**2) / 2) * ((1 - rough) / ROOT)
    if rough:
        found += np.exp(-((z / WIDE) ** 2) / 2) * (rough / WIDE / ROOT)
    return found


class _Judge:
    """The chance that each cell should hold an amount, by what is expected of it.

    Where no track is known, a cell may also pay for a detour: anything that its bounds allow.

    Args:
        mean: What is expected.
        sd: Standard deviations.
        rough: Share of rough cells.
        step: The grid.
        count: The true amounts are `step`, ..., `count * step`.
        within: Bounds.
    """

    def __init__(
        self, mean: Vector, sd: Vector, rough: float, step: float, count: int, within: tuple[Vector, Vector] | None
    ) -> None:
        self.mean, self.sd, self.rough, self.within = mean, sd, rough, within
        self.grid = np.arange(1, count + 1, dtype=np.float64) * step
        self.total = np.empty(len(mean))
        for start in range(0, len(mean), CHUNK):
            part = slice(start, start + CHUNK)
            self.total[part] = self._density(self.grid[None, :], part).sum(axis=1)
        self.total = np.maximum(self.total, TINY)
        if within is not None:
            self.room = np.maximum(np.floor(within[1] / step) - np.ceil(within[0] / step) + 1, 1.0)

    def _density(self, amount: Vector, part: slice) -> Vector:
        return _density((amount - self.mean[part, None]) / self.sd[part, None], self.rough)

    def chances(self, amount: Vector, part: slice) -> Vector:
        """Return the chance of amounts, k x m, for the k cells of a part; `amount` is 1 x m, or k x m."""
        found = self._density(amount, part) / self.total[part, None]
        if self.within is None:
            return found
        low, high = (bound[part, None] for bound in self.within)
        inside = (amount >= low - NEAR) & (amount <= high + NEAR)
        return np.asarray((1 - DETOURS) * found + DETOURS * inside / self.room[part, None], dtype=np.float64)

    def chance(self, amount: Vector) -> Vector:
        """Return the chance of one amount for each cell."""
        return self.chances(amount[:, None], slice(None))[:, 0]


def _likelihoods(
    value: Vector, judge: _Judge, part: slice, table: Mapping[Slip, Mapping[int, SlipOrigins]]
) -> tuple[Vector, Vector, Vector]:
    """Return the likelihood of being right, that of each slip of digits, and the likeliest true amount for each."""
    grid = judge.grid
    chance = judge.chances(grid[None, :], part)
    right = judge.chances(value[:, None], part)[:, 0]
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
    around = [padded[rows + 1 + dr, cols + 1 + dc] for dr, dc in SIDES]
    equal = np.stack([np.abs(a - here) < 1e-9 for a in around])  # noqa: PLR2004
    return np.asarray(equal.sum(axis=0), dtype=np.float64)


@dataclass(frozen=True)
class _Exchanges:
    """Each cell with its neighbours: above, below, left, right; m x 4 each."""

    other: NDArray[np.int64]
    """Index of the neighbour; any where `joint` is 0."""
    held: Vector
    """What the neighbour holds."""
    joint: Vector
    """The likelihood of both amounts if the two were exchanged; 0 without a neighbour that holds another amount."""
    back: NDArray[np.int64]
    """Which neighbour of the neighbour the cell is."""

    def of(self, alone: Vector, weight: float, last: Vector) -> Vector:
        """Return the likelihood of each cell if it was exchanged with each of its neighbours, m x 4.

        A neighbour may have been exchanged with a neighbour of its own instead: what that explains does not count
        for this one. So likelihoods are passed on from cell to cell (belief propagation; Pearl 1988).

        Args:
            alone: The likelihood of each cell by all else that may be.
            weight: Of exchanges among the slips.
            last: What this returned in the last round.
        """
        without = weight * (last.sum(axis=1)[self.other] - last[self.other, self.back])
        found: Vector = self.joint / NEIGHBOURS / np.maximum(alone[self.other] + without, TINY)
        return found


def _exchanges(
    values: Matrix, rows: NDArray[np.int64], cols: NDArray[np.int64], right: Callable[[Vector], Vector]
) -> _Exchanges:
    """Return what exchanges with neighbours would explain.

    Args:
        values: The chart.
        rows: Of the scored cells.
        cols: Of the scored cells.
        right: Gives the likelihood that each scored cell should hold an amount.
    """
    n = len(values)
    index = np.full((n + 2, n + 2), -1, dtype=np.int64)
    index[rows + 1, cols + 1] = index[cols + 1, rows + 1] = np.arange(len(rows))
    other = np.stack([index[rows + 1 + dr, cols + 1 + dc] for dr, dc in SIDES], axis=1)
    value = values[rows, cols]
    held = np.where(other < 0, np.nan, value[other])
    fits = np.stack([right(held[:, side]) for side in range(NEIGHBOURS)], axis=1)
    joint, backs = np.zeros(held.shape), np.zeros(held.shape, dtype=np.int64)
    here = np.arange(len(rows))
    for side, (dr, dc) in enumerate(SIDES):
        back = SIDES.index((-dr, -dc))
        # over the diagonal a neighbour's mirrored cell is the one that is scored, and its sides are turned
        turned = SIDES.index((-dc, -dr))
        mate = other[:, side]
        backs[:, side] = np.where(other[mate, back] == here, back, turned)
        mirrored = fits[mate, backs[:, side]]
        joint[:, side] = np.where((mate >= 0) & (held[:, side] != value), fits[:, side] * mirrored, 0.0)
    return _Exchanges(np.maximum(other, 0), np.nan_to_num(held), np.nan_to_num(joint), backs)


def _em(right: Vector, slips: Vector, exchanges: _Exchanges) -> tuple[Vector, Vector, NDArray[np.int64]]:
    """Return the weights of the slips, the chance that one befell each cell, and with which neighbour it was exchanged.

    The column of exchanges in `slips` is filled in.
    """
    count = len(right)
    weights = FIRST_CHANCE * PRIOR / PRIOR.sum()
    wrong = np.zeros(count)
    by_side = np.zeros(exchanges.joint.shape)
    for _ in range(ROUNDS):
        slips[:, EXCHANGED] = 0.0
        good = (1 - weights.sum()) * right
        by_side = exchanges.of((slips * weights).sum(axis=1) + good, float(weights[EXCHANGED]), by_side)
        slips[:, EXCHANGED] = by_side.sum(axis=1)
        share = slips * weights
        some = share.sum(axis=1)
        all_ = some + good
        last, wrong = wrong, some / np.maximum(all_, TINY)
        if np.abs(wrong - last).max(initial=0.0) < 1e-4:  # noqa: PLR2004
            break
        weights = ((share / np.maximum(all_, TINY)[:, None]).sum(axis=0) + PRIOR) / (count + PRIOR.sum())
        weights = np.minimum(weights, 0.2)
    return weights, wrong, by_side.argmax(axis=1)


def same(one: float, other: float) -> bool:
    """Return whether two amounts are equal to the hundredth."""
    return key(one) == key(other)
