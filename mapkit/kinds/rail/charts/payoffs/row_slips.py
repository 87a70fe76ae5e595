"""Slips of rows or columns that the form of a chart shows: exchanged, repeated, or shifted from some cell on.

In a square the other half shows what was meant: each city's amounts stand in its row and in its column. In a triangle
exchanged rows leave gaps, and pairs with two amounts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.charts.payoffs.distances import CityDistances

Matrix = NDArray[np.float64]

_FEWEST: Final = 5
"""Least number of cells that a slip explains."""
_NEARLY_ALL: Final = 0.9


@dataclass(frozen=True)
class RowSlip:
    """Slip of a row or a column.

    Args:
        axis: `row` or `column`.
        kind: `exchanged` with another city's, `repeated` from another city's, or `shifted` from a city on.
        city: Index of the city.
        other: Index of the other city, or of the first one whose amount is shifted.
    """

    axis: Literal["row", "column"]
    kind: Literal["exchanged", "repeated", "shifted"]
    city: int
    other: int


def undo_row_slips(given: Matrix, distances: CityDistances | None) -> tuple[Matrix, list[RowSlip]]:
    """Return a chart without slips of rows, and the slips.

    Args:
        given: n x n thousands as typed; NaN where there is no amount.
        distances: Of its cities, to tell rows that are exchanged or shifted from columns.
    """
    mended, slips = given.copy(), list[RowSlip]()
    if (exchange := _find_exchange_in_triangle(given, distances)) is not None:
        return exchange[0], [exchange[1]]
    while len(slips) < len(given) and (slip := next(_find_slips(mended, distances), None)):
        slips.append(slip)
        half = mended if slip.axis == "row" else mended.T
        start = slip.other if slip.kind == "shifted" else 0
        for city in (slip.city, slip.other) if slip.kind == "exchanged" else (slip.city,):
            half[city, start:] = half.T[city, start:]
            if np.isfinite(half[city, city]):
                half[city, city] = 0.0
        if slip.kind == "exchanged":
            pair = np.ix_((slip.city, slip.other), (slip.city, slip.other))
            shared = np.nanmax(np.where(np.isfinite(given[pair]), given[pair], 0.0))
            half[slip.city, slip.other] = half[slip.other, slip.city] = shared
    return mended, slips


def _find_exchange_in_triangle(given: Matrix, distances: CityDistances | None) -> tuple[Matrix, RowSlip] | None:
    """Return a triangle with the rows or columns of two cities exchanged, if that closes gaps; None if it does not."""
    fault_count = _count_form_faults(given)
    for city in np.flatnonzero(np.nan_to_num(np.diagonal(given))).tolist():
        orders = [_exchange(np.arange(len(given)), city, other) for other in range(len(given)) if other != city]
        counts = [_count_form_faults(given[order]) for order in orders]
        best = int(np.argmin(counts))
        if counts[best] > fault_count - 2:
            continue
        other, order = best + (best >= city), orders[best]
        mended = {"row": given[order], "column": given[:, order]}
        axis: Literal["row", "column"] = "row"
        if distances is not None and _misfit(mended["column"], distances) < _misfit(mended["row"], distances):
            axis = "column"
        return mended[axis], RowSlip(axis, "exchanged", city, other)
    return None


def _count_form_faults(given: Matrix) -> int:
    """Count the pairs without exactly one amount, and the amounts on the diagonal."""
    is_known = np.isfinite(given)
    return int(np.triu(is_known == is_known.T, 1).sum() + np.count_nonzero(np.nan_to_num(np.diagonal(given))))


def _exchange(order: NDArray[np.int64], city: int, other: int) -> NDArray[np.int64]:
    order[[city, other]] = other, city
    return order


def _misfit(given: Matrix, distances: CityDistances) -> float:
    """Return how little the amounts follow the distances, from 0 to 2."""
    is_known = np.isfinite(given)
    return 1 - float(np.corrcoef(given[is_known], distances.ground[is_known])[0, 1])


def _find_slips(given: Matrix, distances: CityDistances | None) -> Iterator[RowSlip]:
    differs = np.isfinite(given) & np.isfinite(given.T) & (given != given.T)
    for city in np.argsort(-differs.sum(axis=1), kind="stable").tolist():
        if differs[city].sum() < _FEWEST:
            return
        for axis, half in (("row", given), ("column", given.T)):
            for other in range(len(given)):
                if other == city or not _fits(half[city], half.T[other], (city, other)):
                    continue
                if _fits(half[other], half.T[city], (city, other)):
                    yield RowSlip(_choose_axis(given, city, other, distances), "exchanged", city, other)
                elif _fits(half[other], half.T[other], (city, other)):
                    yield RowSlip("row" if axis == "row" else "column", "repeated", city, other)
        axis = _choose_axis(given, city, city, distances)
        half = given if axis == "row" else given.T
        if (start := _find_shift(half[city], half.T[city], city)) is not None:
            yield RowSlip(axis, "shifted", city, start)


def _fits(amounts: Matrix, meant: Matrix, without: tuple[int, ...]) -> bool:
    """Return whether nearly all amounts are as meant, without those of some cities."""
    is_compared = np.isfinite(amounts) & np.isfinite(meant)
    is_compared[list(without)] = False
    equal_count = int((amounts == meant)[is_compared].sum())
    return equal_count >= max(_FEWEST, _NEARLY_ALL * int(is_compared.sum()))


def _find_shift(amounts: Matrix, meant: Matrix, city: int) -> int | None:
    """Return the first column from which amounts are those of the column before or behind; None without any."""
    meant = meant.copy()
    meant[city] = 0.0
    is_own = amounts == meant
    for late in (True, False):
        is_moved = np.zeros(len(amounts), dtype=bool)
        if late:
            is_moved[1:] = amounts[1:] == meant[:-1]
        else:
            is_moved[:-1] = amounts[:-1] == meant[1:]
            is_moved[-1] = not is_own[-1]
        gains = np.cumsum((is_moved.astype(int) - is_own.astype(int))[::-1])[::-1]
        start = len(gains) - 1 - int(np.argmax(gains[::-1]))
        rest = slice(start, None)
        if (
            gains[start] >= _FEWEST
            and is_moved[rest].mean() >= _NEARLY_ALL
            and (start == 0 or is_own[:start].mean() >= _NEARLY_ALL)
        ):
            return start - 1 if late and start and np.isnan(amounts[start - 1]) else start
    return None


def _choose_axis(given: Matrix, city: int, other: int, distances: CityDistances | None) -> Literal["row", "column"]:
    """Return whether the rows or the columns of two cities are wrong: those that fit the distances less."""
    if distances is None:
        return "row"
    ground = distances.ground[city]
    errors = [
        1 - float(np.corrcoef(amounts[is_known], ground[is_known])[0, 1])
        for amounts in (given[city], given[:, city])
        for is_known in [np.isfinite(amounts) & (np.arange(len(amounts)) != city) & (np.arange(len(amounts)) != other)]
    ]
    return "row" if errors[0] >= errors[1] else "column"
