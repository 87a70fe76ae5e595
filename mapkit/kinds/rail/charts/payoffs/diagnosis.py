"""The whole diagnosis of a payoff chart, on plain arrays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from mapkit.core.arrays import median
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import counted
from mapkit.kinds.rail.charts.payoffs.alone import embed
from mapkit.kinds.rail.charts.payoffs.detours import additive_constant, detour_bounds
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.fit import Fit, fit_pairs
from mapkit.kinds.rail.charts.payoffs.score import Scores, score_cells
from mapkit.kinds.rail.charts.payoffs.slips import TELLING
from mapkit.kinds.rail.charts.payoffs.structure import StructuralSlip, find_structure
from mapkit.kinds.rail.charts.payoffs.triangles import Blamed, blame_triangles
from mapkit.kinds.rail.model.payoffs.diagnosis import FEWEST_CITIES, TOO_FEW, Basis

Matrix = NDArray[np.float64]

FLAG = 0.09
"""Cells with this chance of being wrong are flagged: on a good chart fewer than one a chart (tests/bench/payoffs)."""
STEPS = (10.0, 5.0, 2.5, 2.0, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02)
MOSTLY = 0.97
"""Part of the amounts that must be on a grid for it to be the chart's."""
ON_GRID = 1e-6
FAR = 3.7
"""Standard deviations from which an amount that bounds allow is worth a word; as `fit.ASIDE`."""
ROUNDING = 1.5
"""Three rounded amounts are off by this many steps at most, together."""


class TooFewAmountsError(MapkitError):
    """The chart has too few cities or amounts to judge any by the others."""


@dataclass(frozen=True)
class Diagnosis:
    """What the geometry says about a chart; indices are those of the chart's cities."""

    basis: Basis
    values: Matrix
    """The chart made symmetric; NaN where it is empty or its two readings differ."""
    corrected: Matrix
    """The same with structural slips undone: what single cells were judged in."""
    fit: Fit
    scores: Scores
    structure: tuple[StructuralSlip, ...]
    paid: NDArray[np.bool_]
    """The cells that hold an amount to judge: no diagonal, no twins, no gaps."""
    step: float
    constant: float
    """What is to be added to each amount to get distances; 0 with a board, which knows the distances."""

    @cached_property
    def triangles(self) -> tuple[int, tuple[Blamed, ...]]:
        """The number of triangle violations beyond rounding and noise, and the cells that explain them."""
        lone = np.where(self.paid, self.values, np.nan)
        badness = np.abs((lone - self.fit.expected) / self.fit.sd)
        upper = np.triu(np.isfinite(self.fit.sd), 1)
        tolerance = max(ROUNDING * self.step, 3 * median(self.fit.sd[upper])) + self.constant
        total, blamed = blame_triangles(lone, badness, tolerance=tolerance + 1e-9)
        return total, tuple(blamed)

    @property
    def z(self) -> Matrix:
        """Residuals in standard deviations, n x n."""
        out: Matrix = (self.corrected - self.fit.expected) / self.fit.sd
        return out

    @property
    def detours(self) -> tuple[tuple[int, int], ...]:
        """Cells that are far off what is expected and not flagged: without a board's track, they may be detours."""
        if self.basis == "board":
            return ()
        s, off = self.scores, np.abs(np.nan_to_num(self.z))
        quiet = (s.score < FLAG) & (off[s.rows, s.cols] >= FAR)
        return tuple(zip(s.rows[quiet].tolist(), s.cols[quiet].tolist(), strict=True))

    @property
    def order(self) -> NDArray[np.int64]:
        """Indices into `scores`, most suspicious first; of equal scores the larger residual."""
        s = self.scores
        off = np.abs(np.nan_to_num(self.z[s.rows, s.cols]))
        found: NDArray[np.int64] = np.lexsort((s.cols, s.rows, -np.round(off, 6), -np.round(s.score, 6)))
        return found

    @property
    def flagged(self) -> NDArray[np.int64]:
        """The part of `order` whose score reaches `FLAG`."""
        return self.order[self.scores.score[self.order] >= FLAG]


def diagnose(given: Matrix, distances: CityDistances | None, *, step: float = 0.5) -> Diagnosis:
    """Diagnose a chart.

    Args:
        given: n x n thousands as typed: row city, column city; NaN where there is no amount. Order matters: rows and
            columns that stand side by side are those that are mixed up.
        distances: Of the cities, in the same order; None to judge the chart alone.
        step: The grid of the amounts, thousands.

    Raises:
        MapkitError: The chart has too few cities or amounts to judge any by the others.
    """
    # products of small matrices gain nothing from threads, and lose much where other programs use the cores; the sums
    # come out the same on every number of cores too
    with threadpool_limits(limits=1):
        return _diagnose(given, distances, step)


def _diagnose(given: Matrix, distances: CityDistances | None, step: float) -> Diagnosis:
    values = one_reading(given)
    n = len(values)
    cells = np.isfinite(values) & ~np.eye(n, dtype=bool)
    amounts = int(np.triu(cells).sum())
    if n < FEWEST_CITIES or amounts < 3 * n:
        raise TooFewAmountsError(
            f"the chart has {counted(n, 'city', 'cities')} and {counted(amounts, 'amount')}, {TOO_FEW}"
        )
    twins = np.zeros((n, n), dtype=bool) if distances is None else distances.twins
    cells &= ~twins
    np.fill_diagonal(values, 0.0)
    lone = np.where(cells, values, np.nan)
    constant = additive_constant(lone) if distances is None or distances.rail is None else 0.0
    ground, features = _ground(lone + constant, distances)
    fit = fit_pairs(lone, features, ground)
    structure = tuple(find_structure(lone, fit.trend, fit.expected, step=step))
    corrected = lone.copy()
    for slip in structure:
        for row, col, _, value in slip.cells:
            corrected[row, col] = corrected[col, row] = value
    if structure:
        ground, features = _ground(corrected + constant, distances)
        fit = fit_pairs(corrected, features, ground)
    bounds = None
    if distances is None or distances.rail is None:
        noise = median(fit.sd[np.triu(np.isfinite(fit.sd), 1)])
        bounds = detour_bounds(corrected, tolerance=max(ROUNDING * step, noise), constant=constant)
    scores = score_cells(corrected, fit, cells, step=step, bounds=bounds)
    return Diagnosis(basis_of(distances), values, corrected, fit, scores, structure, cells, step, constant)


def basis_of(distances: CityDistances | None) -> Basis:
    """Return where the distances of a diagnosis come from."""
    return "chart" if distances is None else "coordinates" if distances.rail is None else "board"


def infer_step(given: Matrix, *, least: float = 0.01) -> float:
    """Return the grid of a chart, thousands: the coarsest on which nearly all of its amounts are.

    Args:
        given: n x n thousands; NaN is missing.
        least: The finest grid that may be.
    """
    amounts = given[np.isfinite(given) & (given > 0)]
    for step in STEPS:
        parts = amounts / step
        if step > least and len(amounts) and float(np.mean(np.abs(parts - np.round(parts)) < ON_GRID)) >= MOSTLY:
            return step
    return least


def one_reading(given: Matrix) -> Matrix:
    """Return a symmetric chart: the one reading of each pair, NaN where there is none or two that differ."""
    mirrored = given.T
    out = np.where(np.isnan(given), mirrored, given)
    out[np.isfinite(given) & np.isfinite(mirrored) & (given != mirrored)] = np.nan
    return np.asarray(out, dtype=np.float64)


def shows_origin(diagnosis: Diagnosis, index: int) -> bool:
    """Return whether the slip of a scored cell gives the true amount, and not only the geometry."""
    return diagnosis.scores.slip[index] in TELLING


def _ground(values: Matrix, distances: CityDistances | None) -> tuple[Matrix, tuple[Matrix, ...]]:
    if distances is not None:
        return distances.ground, distances.features
    embedded = embed(values)
    return embedded, (embedded,)
