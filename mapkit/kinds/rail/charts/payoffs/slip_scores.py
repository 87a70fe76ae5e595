"""Probability that a cell is wrong: a mixture of the chart's own noise and of slips, fitted by EM."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median, quantile
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.detours import Bounds
from mapkit.kinds.rail.charts.payoffs.pair_model import Fit, Mask, Matrix
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale
from mapkit.kinds.rail.charts.payoffs.typing_slips import TYPED, Slip, SlipOrigins, find_origins

Vector = NDArray[np.float64]

SLIPS = tuple(Slip)
TAIL = 0.96
"""Quantile of the absolute residuals for the inference of heavy tails; slips hardly affect it."""
ROOT_2 = math.sqrt(2)
ROOT = float(np.sqrt(2 * np.pi))
HEAVIER = 1.1
"""Largest factor above the normal ratio at which noise counts as normal."""
WIDE = 3.0
"""Ratio of the standard deviation of rough cells to that of the others."""
SHARES = (0.0, 0.01, 0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3)
"""Candidate shares of rough cells."""
PRIOR = np.array([0.15 if slip is Slip.EXCHANGED else 0.5 for slip in SLIPS])
"""Pseudo-counts of the slips, so that none is impossible; lower for exchanges, which noise often imitates."""
FIRST_CHANCE = 0.005
ROUNDS = 30
SURE = 0.5
MANY = 0.01
"""Share of probably wrong cells above which roughness is estimated again without them."""
CHUNK = 20_000
MOST_STEPS = 4_000
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
NEIGHBOURS = len(SIDES)
EXCHANGED = SLIPS.index(Slip.EXCHANGED)
TINY = 1e-300
NEAR = 1e-6
DETOURS = 0.1
"""Share of trips with detours that neither the chart alone nor great-circle miles can predict."""
CROWDED = 3.0
"""Ratio to the usual share of outliers at which a row is ignored in the estimate of roughness."""
OFF = 2.0
"""Least residual of an outlier, in standard deviations."""
MOST_CROWDED = 0.4
"""Share of cells in such rows above which they are typical of the chart and not ignored."""


@dataclass(frozen=True)
class Scores:
    """For each scored cell (i < j): the probability of an error, the likeliest slip, and the suggested amount."""

    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    score: Vector
    slip: tuple[Slip, ...]
    """Likeliest slip, regardless of the score."""
    suggested: Vector
    rough: float
    """Share of the cells with three times the noise of the others; 0 is normal noise."""


def score_cells(values: Matrix, fit: Fit, cells: Mask, *, step: float, bounds: Bounds | None = None) -> Scores:
    """Score cells by leave-one-out predictions.

    With p(t) the probability of a true amount t (noise about the prediction, on the grid), a cell with amount v has the
    likelihood p(v) if it is correct, and sum over t of p(t) P(v | t, slip) after a slip; a neighbour's value is one of
    four, and an unknown slip gives any amount. The weights of the slips are fitted to the chart by EM with a weak prior
    (Dempster, Laird & Rubin 1977); the score is the posterior probability of any slip.

    Two adjacent exchanged cells are judged together: each has the amount of the other.

    Args:
        values: n x n thousands, rows and columns in the order of the chart; NaN is missing.
        fit: Predictions for all cells.
        cells: Cells to score; only those above the diagonal are used.
        step: The chart's grid, thousands.
        bounds: Without known track, the bounds of each amount with detours.
    """
    rows, cols = np.nonzero(np.triu(cells & np.isfinite(values), 1))
    cell_values = values[rows, cols]
    cell_means = fit.expected[rows, cols]
    cell_sds = fit.sd[rows, cols]
    is_plain = _find_plain_cells((cell_values - cell_means) / cell_sds, rows, cols, len(values))
    cell_bounds = None if bounds is None else Bounds(bounds.low[rows, cols], bounds.high[rows, cols], bounds.outside)
    cell_scores = _score_with_roughness(values, (rows, cols), cell_means, cell_sds, step, is_plain, cell_bounds)
    is_gross = cell_scores.score > SURE
    if is_gross.mean() > MANY:
        cell_scores = _score_with_roughness(
            values, (rows, cols), cell_means, cell_sds, step, is_plain & ~is_gross, cell_bounds
        )
    return cell_scores


def _score_with_roughness(
    values: Matrix,
    cell_index: tuple[NDArray[np.int64], NDArray[np.int64]],
    mean: Vector,
    sd: Vector,
    step: float,
    is_plain: Mask,
    within: Bounds | None,
) -> Scores:
    """Score cells, with the roughness of the chart estimated from the plain ones."""
    rows, cols = cell_index
    cell_values = values[rows, cols]
    rough_share, sd_factor = _estimate_tail(((cell_values - mean) / sd)[is_plain])
    sd = np.maximum(sd * sd_factor, np.minimum(sd, step / 4))
    largest_amount = float(
        max(mean.max(initial=step), median(cell_values) * 4 if len(cell_values) else step)
    ) + 6 * float(median(sd) if len(sd) else step)
    amount_count = min(int(np.ceil(largest_amount / step)), MOST_STEPS)
    amount_judge = _AmountJudge(mean, sd, rough_share, step, amount_count, within)
    right_likelihoods = np.empty(len(cell_values))
    slip_likelihoods = np.zeros((len(cell_values), len(SLIPS)))
    likely_origins = np.zeros((len(cell_values), len(TYPED)))
    origins_by_slip = find_origins(step, amount_count)
    for chunk_start in range(0, len(cell_values), CHUNK):
        check_cancelled()
        chunk = slice(chunk_start, chunk_start + CHUNK)
        right_likelihoods[chunk], slip_likelihoods[chunk, : len(TYPED)], likely_origins[chunk] = _slip_likelihoods(
            cell_values[chunk], amount_judge, chunk, origins_by_slip
        )
    slip_likelihoods[:, SLIPS.index(Slip.NEIGHBOUR)] = _count_equal_neighbours(values, rows, cols) / NEIGHBOURS
    slip_likelihoods[:, SLIPS.index(Slip.OTHER)] = 1 / amount_count
    exchanges = _find_exchanges(values, rows, cols, amount_judge.chance)
    slip_weights, wrong_chances, exchanged_side = _run_em(right_likelihoods, slip_likelihoods, exchanges)
    weighted_slips = slip_likelihoods * slip_weights
    best_slips = weighted_slips.argmax(axis=1)
    all_indices = np.arange(len(best_slips))
    suggested_amounts = np.where(
        best_slips < len(TYPED),
        likely_origins[all_indices, np.minimum(best_slips, len(TYPED) - 1)],
        np.maximum(np.round(mean / step), 1) * step,
    )
    suggested_amounts = np.where(
        best_slips == EXCHANGED, exchanges.held[all_indices, exchanged_side], suggested_amounts
    )
    return Scores(
        rows=rows,
        cols=cols,
        score=wrong_chances,
        slip=tuple(SLIPS[k] for k in best_slips),
        suggested=suggested_amounts,
        rough=rough_share,
    )


def _mixture_quantile(share: float, rough_share: float) -> float:
    """Return a quantile of the absolute residual in standard deviations of the smooth cells, by bisection."""
    low, high = 0.0, 20.0
    for _ in range(50):
        midpoint = (low + high) / 2
        share_below = (1 - rough_share) * math.erf(midpoint / ROOT_2) + rough_share * math.erf(
            midpoint / (WIDE * ROOT_2)
        )
        low, high = (midpoint, high) if share_below < share else (low, midpoint)
    return low


def _find_plain_cells(z: Vector, rows: NDArray[np.int64], cols: NDArray[np.int64], count: int) -> Mask:
    """Return the cells outside rows with so many outliers that they are probably full of slips."""
    is_outlier = np.abs(z) > OFF * robust_scale(z)
    cell_ends = np.concatenate([rows, cols])
    cells_by_row = np.bincount(cell_ends, minlength=count)
    outlier_share = np.bincount(
        cell_ends, weights=np.concatenate([is_outlier, is_outlier]), minlength=count
    ) / np.maximum(cells_by_row, 1)
    usual_share = median(outlier_share[cells_by_row > 0]) if cells_by_row.any() else 0.0
    is_crowded = (outlier_share > CROWDED * usual_share) & (
        outlier_share * cells_by_row > usual_share * cells_by_row + CROWDED * np.sqrt(usual_share * cells_by_row + 1)
    )
    is_plain: Mask = ~(is_crowded[rows] | is_crowded[cols])
    return is_plain if is_plain.mean() > 1 - MOST_CROWDED else np.ones(len(z), dtype=bool)


def _estimate_tail(z: Vector) -> tuple[float, float]:
    """Return the share of rough cells, and the factor to the smooth cells' scale, from two quantiles.

    A chart computed by hand is rougher in some cells than in others, and a rough cell is not a wrong one. Quantiles
    below the last hundredths measure the roughness independently of slips.
    """
    if len(z) < 50:  # noqa: PLR2004 - too few to tell a tail
        return 0.0, 1.0
    absolute_z = np.abs(z)
    median_z, tail_z = quantile(absolute_z, 0.5), quantile(absolute_z, TAIL)
    tail_ratio = tail_z / max(median_z, 1e-9)
    normal_ratio = _mixture_quantile(TAIL, 0.0) / _mixture_quantile(0.5, 0.0)
    if tail_ratio <= normal_ratio * HEAVIER:
        return 0.0, 1.0
    rough_share = min(
        SHARES, key=lambda share: abs(_mixture_quantile(TAIL, share) / _mixture_quantile(0.5, share) - tail_ratio)
    )
    return rough_share, float(median_z / _mixture_quantile(0.5, rough_share))


class _AmountJudge:
    """Probability of each amount in each cell, from its expected amount.

    Without known track, a cell may also pay for a detour: any amount within its bounds.

    Args:
        mean: Expected amounts.
        sd: Standard deviations.
        rough: Share of rough cells.
        step: The grid.
        count: The true amounts are `step`, ..., `count * step`.
        within: Bounds.
    """

    def __init__(self, mean: Vector, sd: Vector, rough: float, step: float, count: int, within: Bounds | None) -> None:
        self.mean, self.sd, self.rough, self.within = mean, sd, rough, within
        self.grid = np.arange(1, count + 1, dtype=np.float64) * step
        self.total = np.empty(len(mean))
        for chunk_start in range(0, len(mean), CHUNK):
            chunk = slice(chunk_start, chunk_start + CHUNK)
            self.total[chunk] = self._density(self.grid[None, :], chunk).sum(axis=1)
        self.total = np.maximum(self.total, TINY)
        if within is not None:
            self.room = np.maximum(np.floor(within.high / step) - np.ceil(within.low / step) + 1, 1.0)

    def _density(self, amount: Vector, cell_slice: slice) -> Vector:
        z = (amount - self.mean[cell_slice, None]) / self.sd[cell_slice, None]
        density: Vector = np.exp(-(z**2) / 2) * ((1 - self.rough) / ROOT)
        if self.rough:
            density += np.exp(-((z / WIDE) ** 2) / 2) * (self.rough / WIDE / ROOT)
        return density

    def chances(self, amount: Vector, part: slice) -> Vector:
        """Return the probability of amounts, k x m, for the k cells of a part; `amount` is 1 x m, or k x m."""
        chance_by_noise = self._density(amount, part) / self.total[part, None]
        if self.within is None:
            return chance_by_noise
        low, high = self.within.low[part, None], self.within.high[part, None]
        is_inside = (amount >= low - NEAR) & (amount <= high + NEAR)
        chance_by_noise *= np.where(is_inside, 1 - DETOURS, (1 - DETOURS) * self.within.outside)
        return np.asarray(chance_by_noise + DETOURS * is_inside / self.room[part, None], dtype=np.float64)

    def chance(self, amount: Vector) -> Vector:
        """Return the probability of one amount for each cell."""
        return self.chances(amount[:, None], slice(None))[:, 0]


def _slip_likelihoods(
    value: Vector, judge: _AmountJudge, cell_slice: slice, table: Mapping[Slip, Mapping[int, SlipOrigins]]
) -> tuple[Vector, Vector, Vector]:
    """Return the likelihoods of a correct cell and of each slip of digits, and the likeliest true amount for each."""
    grid_amounts = judge.grid
    grid_chances = judge.chances(grid_amounts[None, :], cell_slice)
    right_likelihoods = judge.chances(value[:, None], cell_slice)[:, 0]
    slip_likelihoods = np.zeros((len(value), len(TYPED)))
    likely_origins = np.zeros((len(value), len(TYPED)))
    amount_keys = np.round(value * 100).astype(np.int64)
    sorted_cells = np.argsort(amount_keys, kind="stable")
    unique, starts = np.unique(amount_keys[sorted_cells], return_index=True)
    for amount_key, cells in zip(unique, np.split(sorted_cells, starts[1:]), strict=True):
        for slip_index, slip in enumerate(TYPED):
            slip_origins = table[slip].get(int(amount_key))
            if slip_origins is None:
                continue
            weighted_chances = grid_chances[np.ix_(cells, slip_origins.steps)] * slip_origins.chances
            slip_likelihoods[cells, slip_index] = weighted_chances.sum(axis=1)
            likely_origins[cells, slip_index] = grid_amounts[slip_origins.steps[weighted_chances.argmax(axis=1)]]
    return right_likelihoods, slip_likelihoods, likely_origins


def _count_equal_neighbours(values: Matrix, rows: NDArray[np.int64], cols: NDArray[np.int64]) -> Vector:
    """Count the adjacent cells (above, below, left and right) with the same amount.

    Amounts on the diagonal do not count.
    """
    n = len(values)
    padded_values = np.full((n + 2, n + 2), np.nan)
    padded_values[1:-1, 1:-1] = np.where(np.eye(n, dtype=bool), np.nan, values)
    cell_values = values[rows, cols]
    neighbour_values = [padded_values[rows + 1 + dr, cols + 1 + dc] for dr, dc in SIDES]
    is_equal = np.stack([np.abs(a - cell_values) < 1e-9 for a in neighbour_values])  # noqa: PLR2004
    return np.asarray(is_equal.sum(axis=0), dtype=np.float64)


@dataclass(frozen=True)
class _CellExchanges:
    """Each cell with its neighbours: above, below, left, right; m x 4 each."""

    other: NDArray[np.int64]
    """Index of the neighbour; arbitrary where `joint` is 0."""
    held: Vector
    """Amount of the neighbour."""
    joint: Vector
    """Likelihood of both amounts if the two were exchanged; 0 without a neighbour with a different amount."""
    back: NDArray[np.int64]
    """Side of the neighbour at which the cell is."""

    def of(self, alone: Vector, weight: float, last: Vector) -> Vector:
        """Return the likelihood of each cell if it was exchanged with each of its neighbours, m x 4.

        A neighbour may have been exchanged with another neighbour instead, which then explains its amount. Likelihoods
        are therefore passed from cell to cell (belief propagation; Pearl 1988).

        Args:
            alone: The likelihood of each cell without exchanges.
            weight: The weight of exchanges among the slips.
            last: The result of the last round.
        """
        other_exchanges = weight * (last.sum(axis=1)[self.other] - last[self.other, self.back])
        exchange_likelihoods: Vector = self.joint / NEIGHBOURS / np.maximum(alone[self.other] + other_exchanges, TINY)
        return exchange_likelihoods


def _find_exchanges(
    values: Matrix, rows: NDArray[np.int64], cols: NDArray[np.int64], likelihood_of: Callable[[Vector], Vector]
) -> _CellExchanges:
    """Return the exchanges with neighbours and their likelihoods.

    Args:
        values: The chart.
        rows: Rows of the scored cells.
        cols: Columns of the scored cells.
        likelihood_of: Returns the likelihood of an amount for each scored cell.
    """
    n = len(values)
    padded_index = np.full((n + 2, n + 2), -1, dtype=np.int64)
    padded_index[rows + 1, cols + 1] = padded_index[cols + 1, rows + 1] = np.arange(len(rows))
    neighbour_index = np.stack([padded_index[rows + 1 + dr, cols + 1 + dc] for dr, dc in SIDES], axis=1)
    cell_values = values[rows, cols]
    neighbour_values = np.where(neighbour_index < 0, np.nan, cell_values[neighbour_index])
    neighbour_fits = np.stack([likelihood_of(neighbour_values[:, side]) for side in range(NEIGHBOURS)], axis=1)
    joint_likelihoods, back_sides = np.zeros(neighbour_values.shape), np.zeros(neighbour_values.shape, dtype=np.int64)
    cell_indices = np.arange(len(rows))
    for side, (dr, dc) in enumerate(SIDES):
        opposite_side = SIDES.index((-dr, -dc))
        # across the diagonal, the mirrored cell of a neighbour is scored, and its sides are swapped
        transposed_side = SIDES.index((-dc, -dr))
        side_neighbours = neighbour_index[:, side]
        back_sides[:, side] = np.where(
            neighbour_index[side_neighbours, opposite_side] == cell_indices, opposite_side, transposed_side
        )
        neighbour_likelihoods = neighbour_fits[side_neighbours, back_sides[:, side]]
        joint_likelihoods[:, side] = np.where(
            (side_neighbours >= 0) & (neighbour_values[:, side] != cell_values),
            neighbour_fits[:, side] * neighbour_likelihoods,
            0.0,
        )
    return _CellExchanges(
        np.maximum(neighbour_index, 0), np.nan_to_num(neighbour_values), np.nan_to_num(joint_likelihoods), back_sides
    )


def _run_em(
    correct_likelihoods: Vector, slips: Vector, exchanges: _CellExchanges
) -> tuple[Vector, Vector, NDArray[np.int64]]:
    """Return the weights of the slips, the probability of a slip in each cell, and the likeliest exchanged neighbour.

    Fills in the column of exchanges in `slips`.
    """
    count = len(correct_likelihoods)
    slip_weights = FIRST_CHANCE * PRIOR / PRIOR.sum()
    wrong_chances = np.zeros(count)
    exchanges_by_side = np.zeros(exchanges.joint.shape)
    for _ in range(ROUNDS):
        slips[:, EXCHANGED] = 0.0
        right_weighted = (1 - slip_weights.sum()) * correct_likelihoods
        exchanges_by_side = exchanges.of(
            (slips * slip_weights).sum(axis=1) + right_weighted, float(slip_weights[EXCHANGED]), exchanges_by_side
        )
        slips[:, EXCHANGED] = exchanges_by_side.sum(axis=1)
        weighted_slips = slips * slip_weights
        slip_total = weighted_slips.sum(axis=1)
        total_likelihood = slip_total + right_weighted
        last_chances, wrong_chances = wrong_chances, slip_total / np.maximum(total_likelihood, TINY)
        if np.abs(wrong_chances - last_chances).max(initial=0.0) < 1e-4:  # noqa: PLR2004
            break
        slip_weights = ((weighted_slips / np.maximum(total_likelihood, TINY)[:, None]).sum(axis=0) + PRIOR) / (
            count + PRIOR.sum()
        )
        slip_weights = np.minimum(slip_weights, 0.2)
    return slip_weights, wrong_chances, exchanges_by_side.argmax(axis=1)
