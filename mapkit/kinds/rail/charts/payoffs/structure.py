"""Slips that move many cells at once: a shifted row, two cities exchanged, a city's amounts mis-scaled.

Each is a hypothesis that says which expected amount each cell should be judged by. Its gain is the sum over its cells
of cost under "all is well" minus cost under the hypothesis, where the cost of a residual of z standard deviations is
z^2/2, bounded: a bounded log likelihood ratio. The best is undone, and the search begins again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale

Matrix = NDArray[np.float64]

BOUND = 8.0
"""A cell's cost at most: four standard deviations."""
MARGIN = 2.0
"""Gain wanted beyond the logarithm of the number of hypotheses tried; charts with single slips only stay far below."""
EXCHANGE = 10.0
"""What an exchange of two neighbours costs: with so much less, both are better explained as they stand."""
SHORTEST = 3
"""Cells a shift has at least."""
MOST = 16
"""Structural slips undone at most."""
SCALES = (10.0, 0.1, 100.0, 0.01, 1.609344, 1 / 1.609344)
"""Factors of units taken for others: tens, and kilometres for miles."""
LEAST_SCALE = 0.07
"""Smaller factors are a city's own winding lines as likely as a slip."""
FAR_SCALE = 3.5
"""Factors this many robust standard deviations from the other cities' are slips."""


class Structure(StrEnum):
    """What may have happened to many cells."""

    SHIFTED = "shifted from here on"
    EXCHANGED = "two cities exchanged"
    SCALED = "mis-scaled row"


@dataclass(frozen=True)
class StructuralSlip:
    """A slip of many cells, and how it was undone.

    `cells` holds row, column, value as it stands and as it should be (NaN where the true amount is lost), row being
    the city of the slip.
    """

    kind: Structure
    cities: tuple[int, ...]
    gain: float
    cells: tuple[tuple[int, int, float, float], ...]
    shift: int = 0
    factor: float = 1.0


def find_structure(values: Matrix, trend: Matrix, expected: Matrix, *, step: float) -> list[StructuralSlip]:
    """Return structural slips, the clearest first.

    Args:
        values: n x n thousands, symmetric, in chart order; NaN is missing. The diagonal is ignored.
        trend: What each cell should be by distances alone, so that a city's own cells have no say.
        expected: What each cell should be by all other cells.
        step: The chart's grid, thousands.
    """
    n = len(values)
    now = values.copy()
    np.fill_diagonal(now, np.nan)
    sd = max(robust_scale((now - trend)[np.isfinite(now)]), step / 2)
    wanted = float(np.log(8.0 * n * n)) + MARGIN
    found: list[StructuralSlip] = []
    while len(found) < MOST:
        check_cancelled()
        own = np.fmin(_cost(now - trend, sd), _cost(now - expected, sd))
        best = max(
            (
                *_shifts(now, (trend, expected), _without_exchanges(now, expected, own, sd), sd),
                *_exchanges(now, trend, sd),
                *_scales(now, trend, own, sd, step),
            ),
            key=lambda slip: slip.gain,
            default=None,
        )
        if best is None or best.gain < wanted:
            break
        found.append(best)
        for row, col, _, value in best.cells:
            now[row, col] = now[col, row] = value
    return found


def _cost(residual: Matrix, sd: float) -> Matrix:
    out: Matrix = np.minimum((residual / sd) ** 2 / 2, BOUND)
    return out


def _without_exchanges(now: Matrix, expected: Matrix, own: Matrix, sd: float) -> Matrix:
    """Return the costs with two neighbours excused that fit when exchanged: that alone does not make a shift.

    Each of the two takes its part of what they cost exchanged, and of the price of an exchange.
    """
    out = own.copy()
    for axis in (0, 1):
        one, other = ([slice(None)] * 2 for _ in range(2))
        one[axis], other[axis] = slice(None, -1), slice(1, None)
        a, b = tuple(one), tuple(other)
        exchanged = _cost(now[b] - expected[a], sd) + _cost(now[a] - expected[b], sd) + EXCHANGE
        share = exchanged / np.maximum(own[a] + own[b], EXCHANGE)
        better = np.where(np.isfinite(share), np.minimum(share, 1.0), 1.0)
        out[a] = np.fmin(out[a], own[a] * better)
        out[b] = np.fmin(out[b], own[b] * better)
    return out


def _shifts(now: Matrix, judges: tuple[Matrix, Matrix], own: Matrix, sd: float) -> Iterator[StructuralSlip]:
    """Yield the best shift of each direction and half: from a start to the row's end or to the diagonal.

    A cell may be excused by either judge under the hypothesis, as it may without it.
    """
    n = len(now)
    columns = np.arange(n)
    below = columns[None, :] < columns[:, None]
    above = columns[None, :] > columns[:, None]
    for half, direction in ((below, 1), (below, -1), (above, 1), (above, -1)):
        source = np.clip(columns - direction, 0, n - 1)
        usable = half & half[:, source] & (source != columns)[None, :] & np.isfinite(now)
        shifted = np.fmin(*(_cost(now - judge[:, source], sd) for judge in judges))
        gain = np.where(usable, own - shifted, 0.0)
        gain = np.where(np.isfinite(gain), gain, 0.0)
        total = np.cumsum(gain[:, ::-1], axis=1)[:, ::-1]
        length = np.cumsum(usable[:, ::-1], axis=1)[:, ::-1]
        total = np.where((length >= SHORTEST) & usable, total, -np.inf)
        row, start = np.unravel_index(int(total.argmax()), total.shape)
        if np.isfinite(total[row, start]):
            yield _shift(now, half, int(row), int(start), direction, float(total[row, start]))


def _shift(now: Matrix, half: NDArray[np.bool_], row: int, start: int, direction: int, gain: float) -> StructuralSlip:
    """Return a shift: cell j holds the amount of cell j - direction, from `start` to the end of the half row."""
    columns = np.nonzero(half[row])[0]
    first = start - 1 if direction > 0 and start - 1 >= columns[0] else start
    touched = [int(c) for c in columns if c >= first]
    cells = []
    for column in touched:
        holder = column + direction
        inside = holder in touched and holder >= start if direction > 0 else start <= holder <= int(columns[-1])
        value = float(now[row, holder]) if inside else float("nan")
        if direction < 0 and column == start and start - 1 >= columns[0]:
            value = float("nan")  # the amount that was left out
        cells.append((row, column, float(now[row, column]), value))
    return StructuralSlip(Structure.SHIFTED, (row, start), gain, tuple(cells), shift=direction)


def _exchanges(now: Matrix, trend: Matrix, sd: float) -> Iterator[StructuralSlip]:
    """Yield the best exchange of two cities' amounts."""
    n = len(now)
    misfit = np.zeros((n, n))
    corner = np.zeros((n, n, 2))
    for a in range(n):
        check_cancelled()
        cost = _cost(now[a] - trend, sd)  # row b: a's amounts judged as b's
        cost = np.where(np.isfinite(cost), cost, 0.0)
        misfit[a] = cost.sum(axis=1)
        corner[a, :, 0] = cost[:, a]
        corner[a, :, 1] = np.diagonal(cost)
        misfit[a] -= cost[:, a] + np.where(np.arange(n) == a, 0.0, np.diagonal(cost))
    right = np.diagonal(misfit)
    pair = _cost(now - trend, sd)
    pair = np.where(np.isfinite(pair), pair, 0.0)
    gain = (right[:, None] - pair) + (right[None, :] - pair) - misfit - misfit.T
    gain[np.tril_indices(n)] = -np.inf
    a, b = (int(k) for k in np.unravel_index(int(gain.argmax()), gain.shape))
    if np.isfinite(gain[a, b]) and a != b:
        cells = [
            (one, j, float(now[one, j]), float(now[other, j]))
            for one, other in ((a, b), (b, a))
            for j in range(n)
            if j not in (a, b)
        ]
        yield StructuralSlip(Structure.EXCHANGED, (a, b), float(gain[a, b]), tuple(cells))


def _scales(now: Matrix, trend: Matrix, own: Matrix, sd: float, step: float) -> Iterator[StructuralSlip]:
    """Yield the best factor of a city's amounts: of all of them, and of either half of its row."""
    n = len(now)
    columns = np.arange(n)
    known = np.isfinite(now) & (trend > 2 * sd)
    ratio = np.where(known, now / np.where(known, trend, 1.0), np.nan)
    whole = known
    for half in (whole, known & (columns[None, :] < columns[:, None]), known & (columns[None, :] > columns[:, None])):
        enough = half.sum(axis=1) >= 2 * SHORTEST
        if not enough.any():
            continue
        middle = np.full(n, 1.0)
        for city in np.nonzero(enough)[0]:
            middle[city] = max(median(ratio[city, half[city]]), 1e-6)
        logs = np.log(middle)
        usual = robust_scale(logs[enough] - median(logs[enough]))
        best: tuple[float, int, float] | None = None
        for city in np.nonzero(enough)[0]:
            if abs(logs[city]) < LEAST_SCALE or abs(logs[city]) < FAR_SCALE * usual:
                continue
            factor = min(SCALES, key=lambda f: abs(np.log(f) - logs[city]))
            factor = factor if abs(np.log(factor) - logs[city]) < LEAST_SCALE else float(middle[city])
            at = half[city]
            cost = _cost(now[city, at] / factor - trend[city, at], sd)
            gain = float((own[city, at] - cost).sum())
            if best is None or gain > best[0]:
                best = (gain, int(city), factor)
        if best is not None:
            gain, chosen, factor = best
            kept = np.isfinite(now[chosen]) & (half[chosen] if half is not whole else columns != chosen)
            cells = tuple(
                (chosen, int(j), float(now[chosen, j]), float(max(np.round(now[chosen, j] / factor / step), 1) * step))
                for j in np.nonzero(kept)[0]
            )
            yield StructuralSlip(Structure.SCALED, (chosen,), gain, cells, factor=factor)
