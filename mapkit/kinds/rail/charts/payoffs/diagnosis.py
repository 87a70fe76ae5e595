"""Complete diagnosis of a payoff chart on plain arrays."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from mapkit.core.arrays import median
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.charts.payoffs.detours import additive_constant, detour_bounds, shortest_path_bounds
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.embedding import embed_cities
from mapkit.kinds.rail.charts.payoffs.pair_model import Fit, fit_pairs
from mapkit.kinds.rail.charts.payoffs.regression import fit_robustly, robust_scale
from mapkit.kinds.rail.charts.payoffs.slip_scores import Scores, score_cells
from mapkit.kinds.rail.charts.payoffs.structural_slips import StructuralSlip, find_structure
from mapkit.kinds.rail.charts.payoffs.triangles import Blamed, blame_triangles
from mapkit.kinds.rail.charts.payoffs.typing_slips import TELLING
from mapkit.kinds.rail.model.payoffs.diagnosis import FEWEST_CITIES, TOO_FEW, Basis

Matrix = NDArray[np.float64]

FLAG = 0.09
"""Least probability of an error for a flag; a good chart has on average less than one flag (tests/bench/payoffs)."""
STEPS = (10.0, 5.0, 2.5, 2.0, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02)
MOSTLY = 0.97
"""Least share of amounts on the grid of a chart."""
ON_GRID = 1e-6
FAR = 3.7
"""Least residual, in standard deviations, of a reported amount within its bounds, as in `fit.ASIDE`."""
ALIKE = 0.9
"""Least share of equal amounts in the rows of two cities of one milepost."""
ROUNDED = 0.25
"""Least standard deviation of a rounded amount, in steps."""
ROUNDING = 1.5
"""Largest total rounding error of three amounts, in steps."""
FEWEST_PROOFS = 2
"""Least number of triangles that prove an amount wrong; a single one may be due to another slip."""


class TooFewAmountsError(MapkitError):
    """Error for a chart with too few cities or amounts to judge any by the others."""


@dataclass(frozen=True)
class Diagnosis:
    """Result of the geometric diagnosis of a chart; indices are those of the chart's cities."""

    basis: Basis
    values: Matrix
    """Symmetric chart; NaN for cells that are empty or have two different readings."""
    corrected: Matrix
    """The same with structural slips corrected, as the basis for single cells."""
    fit: Fit
    scores: Scores
    structure: tuple[StructuralSlip, ...]
    paid: NDArray[np.bool_]
    """Cells with an amount to judge, without the diagonal, twins and gaps."""
    step: float
    constant: float
    """Constant to add to each amount to get distances; 0 for a board with known distances."""

    @cached_property
    def triangles(self) -> tuple[int, tuple[Blamed, ...]]:
        """Number of triangle violations beyond rounding and noise, and the cells that explain them."""
        paid_values = np.where(self.paid, self.values, np.nan)
        absolute_z = np.abs((paid_values - self.fit.expected) / self.fit.sd)
        is_upper = np.triu(np.isfinite(self.fit.sd), 1)
        tolerance = max(ROUNDING * self.step, 3 * median(self.fit.sd[is_upper])) + self.constant
        violation_count, blamed_cells = blame_triangles(paid_values, absolute_z, tolerance=tolerance + 1e-9)
        return violation_count, tuple(blamed_cells)

    @property
    def z(self) -> Matrix:
        """Residuals in standard deviations, n x n."""
        standardized: Matrix = (self.corrected - self.fit.expected) / self.fit.sd
        return standardized

    @property
    def detours(self) -> tuple[tuple[int, int], ...]:
        """Unflagged cells far off the expected amount; without a board's track, they may be detours."""
        if self.basis == "board":
            return ()
        cell_scores, absolute_z = self.scores, np.abs(np.nan_to_num(self.z))
        is_unflagged_outlier = (cell_scores.score < FLAG) & (absolute_z[cell_scores.rows, cell_scores.cols] >= FAR)
        return tuple(
            zip(
                cell_scores.rows[is_unflagged_outlier].tolist(),
                cell_scores.cols[is_unflagged_outlier].tolist(),
                strict=True,
            )
        )

    @cached_property
    def proved(self) -> NDArray[np.bool_]:
        """Whether each scored cell is certainly wrong if its score is high: always with a board's track.

        Without track several triangles must prove it, whose other two amounts are not flagged themselves.
        """
        cell_scores = self.scores
        if self.basis == "board":
            return np.ones(len(cell_scores.rows), dtype=bool)
        sound_values = np.where(self.paid, self.corrected, np.nan)
        rows, cols = cell_scores.rows[self.flagged], cell_scores.cols[self.flagged]
        sound_values[rows, cols] = sound_values[cols, rows] = np.nan
        tolerance = ROUNDING * self.step + self.constant + ON_GRID
        first_sides, second_sides = sound_values[cell_scores.rows], sound_values[cell_scores.cols]
        cell_values = self.corrected[cell_scores.rows, cell_scores.cols][:, None]
        is_broken = (cell_values > first_sides + second_sides + tolerance) | (
            cell_values < np.abs(first_sides - second_sides) - tolerance
        )
        return np.asarray(is_broken.sum(axis=1) >= FEWEST_PROOFS, dtype=np.bool_)

    @property
    def order(self) -> NDArray[np.int64]:
        """Indices into `scores`, most suspicious first; of equal scores the larger residual."""
        cell_scores = self.scores
        absolute_z = np.abs(np.nan_to_num(self.z[cell_scores.rows, cell_scores.cols]))
        sorted_indices: NDArray[np.int64] = np.lexsort(
            (cell_scores.cols, cell_scores.rows, -np.round(absolute_z, 6), -np.round(cell_scores.score, 6))
        )
        return sorted_indices

    @property
    def flagged(self) -> NDArray[np.int64]:
        """Part of `order` with scores of at least `FLAG`."""
        return self.order[self.scores.score[self.order] >= FLAG]


def diagnose(given: Matrix, distances: CityDistances | None, *, step: float = 0.5) -> Diagnosis:
    """Diagnose a chart.

    Args:
        given: n x n thousands as typed: row city, column city; NaN for missing amounts. The order matters, because
            adjacent rows and columns are the ones that get mixed up.
        distances: Distances of the cities, in the same order; None to judge the chart alone.
        step: The grid of the amounts, thousands.

    Raises:
        MapkitError: The chart has too few cities or amounts to judge any by the others.
    """
    # products of small matrices gain nothing from threads, and suffer if other programs use the cores; a single thread
    # also gives the same sums for every number of cores
    with threadpool_limits(limits=1):
        return _diagnose_chart(given, distances, step)


def _diagnose_chart(given_chart: Matrix, distances: CityDistances | None, step: float) -> Diagnosis:
    symmetric_values = merge_readings(given_chart)
    city_count = len(symmetric_values)
    is_judged = np.isfinite(symmetric_values) & ~np.eye(city_count, dtype=bool)
    amount_count = int(np.triu(is_judged).sum())
    if city_count < FEWEST_CITIES or amount_count < 3 * city_count:
        raise TooFewAmountsError(
            f"the chart has {count_noun(city_count, 'city', 'cities')} and "
            f"{count_noun(amount_count, 'amount')}, {TOO_FEW}"
        )
    is_twins = np.zeros((city_count, city_count), dtype=bool) if distances is None else distances.twins
    is_judged &= ~is_twins
    np.fill_diagonal(symmetric_values, 0.0)
    paid_values = np.where(is_judged, symmetric_values, np.nan)
    added_constant = additive_constant(paid_values) if distances is None or distances.rail is None else 0.0
    ground_distances, features = _ground_and_features(paid_values + added_constant, distances)
    fit = fit_pairs(paid_values, features, ground_distances)
    structural_slips = tuple(find_structure(paid_values, fit.trend, fit.expected, step=step))
    corrected_values = paid_values.copy()
    for slip in structural_slips:
        for row, col, _, value in slip.cells:
            corrected_values[row, col] = corrected_values[col, row] = value
    if structural_slips:
        ground_distances, features = _ground_and_features(corrected_values + added_constant, distances)
        fit = fit_pairs(corrected_values, features, ground_distances)
    fit = replace(fit, sd=np.maximum(fit.sd, ROUNDED * step))
    pair_bounds = None
    if distances is None or distances.rail is None:
        median_sd = median(fit.sd[np.triu(np.isfinite(fit.sd), 1)])
        pair_bounds = shortest_path_bounds(
            corrected_values,
            np.abs((corrected_values - fit.expected) / fit.sd),
            tolerance=ROUNDING * step,
            constant=added_constant,
        ) or detour_bounds(corrected_values, tolerance=max(ROUNDING * step, median_sd), constant=added_constant)
    scores = score_cells(corrected_values, fit, is_judged, step=step, bounds=pair_bounds)
    return Diagnosis(
        basis_of(distances),
        symmetric_values,
        corrected_values,
        fit,
        scores,
        structural_slips,
        is_judged,
        step,
        added_constant,
    )


def basis_of(distances: CityDistances | None) -> Basis:
    """Return the source of the distances of a diagnosis."""
    return "chart" if distances is None else "coordinates" if distances.rail is None else "board"


def infer_step(given: Matrix, *, least: float = 0.01) -> float:
    """Return the grid of a chart, thousands: the coarsest with nearly all of its amounts.

    Args:
        given: n x n thousands; NaN is missing.
        least: The finest possible grid.
    """
    positive_amounts = given[np.isfinite(given) & (given > 0)]
    for step in STEPS:
        amounts_in_steps = positive_amounts / step
        if (
            step > least
            and len(positive_amounts)
            and float(np.mean(np.abs(amounts_in_steps - np.round(amounts_in_steps)) < ON_GRID)) >= MOSTLY
        ):
            return step
    return least


def merge_readings(given: Matrix) -> Matrix:
    """Return a symmetric chart with the reading of each pair; NaN without one, or with two that differ."""
    mirrored = given.T
    symmetric_values = np.where(np.isnan(given), mirrored, given)
    symmetric_values[np.isfinite(given) & np.isfinite(mirrored) & (given != mirrored)] = np.nan
    return np.asarray(symmetric_values, dtype=np.float64)


def find_equal_rows(given: Matrix) -> NDArray[np.bool_]:
    """Return the pairs that pay nothing and have the same amounts to other cities, as cities of one milepost have."""
    values = merge_readings(given)
    is_equal = np.zeros(values.shape, dtype=bool)
    for i, j in np.argwhere(np.triu(values == 0, 1)).tolist():
        is_shared = np.isfinite(values[i]) & np.isfinite(values[j])
        is_shared[[i, j]] = False
        equal_count = int((values[i, is_shared] == values[j, is_shared]).sum())
        is_equal[i, j] = is_equal[j, i] = equal_count >= ALIKE * max(int(is_shared.sum()), 1)
    return is_equal


def shows_origin(diagnosis: Diagnosis, index: int) -> bool:
    """Return whether the slip of a scored cell, and not only the geometry, gives the true amount."""
    return diagnosis.scores.slip[index] in TELLING


def _ground_and_features(values: Matrix, distances: CityDistances | None) -> tuple[Matrix, tuple[Matrix, ...]]:
    if distances is not None:
        return distances.ground, _choose_features(values, distances)
    embedded_distances = embed_cities(values)
    return embedded_distances, (embedded_distances,)


def _choose_features(values: Matrix, distances: CityDistances) -> tuple[Matrix, ...]:
    """Return the distances of the trend: moves in place of rail miles if they fit better."""
    features = distances.features
    if len(features) == 1 or distances.moves is None:
        return features
    by_moves = (distances.moves, *features[1:])
    is_known = np.triu(np.isfinite(values), 1)
    scales = []
    for candidate in (features, by_moves):
        design = np.stack([np.ones(int(is_known.sum())), *(feature[is_known] for feature in candidate)], axis=1)
        scales.append(robust_scale(values[is_known] - design @ fit_robustly(design, values[is_known])[0]))
    return by_moves if scales[1] < scales[0] else features
