"""The whole diagnosis of a payoff chart, on plain arrays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.alone import embed
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.fit import Fit, fit_pairs
from mapkit.kinds.rail.charts.payoffs.score import Scores, score_cells
from mapkit.kinds.rail.charts.payoffs.slips import TYPED
from mapkit.kinds.rail.charts.payoffs.structure import StructuralSlip, find_structure
from mapkit.kinds.rail.charts.payoffs.triangles import Blamed, blame_triangles

Matrix = NDArray[np.float64]

FLAG = 0.09
"""Cells with this chance of being wrong are flagged: on a good chart fewer than one a chart (tests/bench/payoffs)."""
FEWEST = 8
"""Cities a chart must have: below, every model fits."""
ROUNDING = 1.5
"""Three rounded amounts are off by this many steps at most, together."""


@dataclass(frozen=True)
class Diagnosis:
    """What the geometry says about a chart; indices are those of the chart's cities."""

    basis: str
    """`board`, `coordinates` or `chart`: where distances come from."""
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

    @cached_property
    def triangles(self) -> tuple[int, tuple[Blamed, ...]]:
        """The number of triangle violations beyond rounding and noise, and the cells that explain them."""
        lone = np.where(self.paid, self.values, np.nan)
        badness = np.abs((lone - self.fit.expected) / self.fit.sd)
        upper = np.triu(np.isfinite(self.fit.sd), 1)
        tolerance = max(ROUNDING * self.step, 3 * float(np.median(self.fit.sd[upper])))
        total, blamed = blame_triangles(lone, badness, tolerance=tolerance + 1e-9)
        return total, tuple(blamed)

    @property
    def z(self) -> Matrix:
        """Residuals in standard deviations, n x n."""
        out: Matrix = (self.corrected - self.fit.expected) / self.fit.sd
        return out

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
    if n < FEWEST or int(np.triu(cells).sum()) < 3 * n:
        raise MapkitError(
            f"the chart has {n} cities and {int(np.triu(cells).sum())} amounts to compare; judging amounts by one "
            f"another takes {FEWEST} cities and 3 amounts a city at least"
        )
    twins = np.zeros((n, n), dtype=bool) if distances is None else distances.twins
    cells &= ~twins
    np.fill_diagonal(values, 0.0)
    lone = np.where(cells, values, np.nan)
    ground, features = _ground(lone, distances)
    fit = fit_pairs(lone, features, ground)
    structure = tuple(find_structure(lone, fit.trend, fit.expected, step=step))
    corrected = lone.copy()
    for slip in structure:
        for row, col, _, value in slip.cells:
            corrected[row, col] = corrected[col, row] = value
    if structure:
        ground, features = _ground(corrected, distances)
        fit = fit_pairs(corrected, features, ground)
    scores = score_cells(corrected, fit, cells, step=step)
    basis = "chart" if distances is None else "coordinates" if distances.rail is None else "board"
    return Diagnosis(basis, values, corrected, fit, scores, structure, cells, step)


def one_reading(given: Matrix) -> Matrix:
    """Return a symmetric chart: the one reading of each pair, NaN where there is none or two that differ."""
    mirrored = given.T
    out = np.where(np.isnan(given), mirrored, given)
    out[np.isfinite(given) & np.isfinite(mirrored) & (given != mirrored)] = np.nan
    return np.asarray(out, dtype=np.float64)


def better_reading(one: float, other: float, expected: float, sd: float) -> tuple[float, float]:
    """Return the likelier of two readings of a cell, and the chance that it is the right one of the two."""
    off = (((one - expected) / sd) ** 2 - ((other - expected) / sd) ** 2) / 2
    chance = float(1 / (1 + np.exp(np.clip(off, -50, 50))))
    return (one, chance) if chance >= 0.5 else (other, 1 - chance)  # noqa: PLR2004


def tells_origin(diagnosis: Diagnosis, index: int) -> bool:
    """Return whether the slip of a scored cell tells the true amount, and not only the geometry."""
    return diagnosis.scores.slip[index] in TYPED


def _ground(values: Matrix, distances: CityDistances | None) -> tuple[Matrix, tuple[Matrix, ...]]:
    if distances is not None:
        return distances.ground, distances.features
    embedded = embed(values)
    return embedded, (embedded,)
