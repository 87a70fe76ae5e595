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
        kind: `exchanged` with other cities', `repeated` from another city's, or `shifted` from a city on.
        city: Index of the city.
        others: Indices of the other cities, or of the first one whose amount is shifted.
    """

    axis: Literal["row", "column"]
    kind: Literal["exchanged", "repeated", "shifted"]
    city: int
    others: tuple[int, ...]


def undo_row_slips(given: Matrix, distances: CityDistances | None) -> tuple[Matrix, list[RowSlip]]:
    """Return a chart without slips of rows, and the slips.

    Args:
        given: n x n thousands as typed; NaN where there is no amount.
        distances: Of its cities, to tell rows that are exchanged or shifted from columns.
    """
    slips = list[RowSlip]()
    corrected = given.copy()
    if len(given) < _FEWEST:
        return corrected, slips
    for find_exchange in (_find_exchange_in_triangle, _find_exchange_in_square):
        if (exchange := find_exchange(corrected, distances)) is not None:
            corrected = exchange[0]
            slips.append(exchange[1])
    while len(slips) < len(given) and (slip := next(_find_slips(corrected, distances), None)):
        slips.append(slip)
        half = corrected if slip.axis == "row" else corrected.T
        start = slip.others[0] if slip.kind == "shifted" else 0
        half[slip.city, start:] = half.T[slip.city, start:]
        if np.isfinite(half[slip.city, slip.city]):
            half[slip.city, slip.city] = 0.0
    return corrected, slips


def _find_exchange_in_triangle(given: Matrix, distances: CityDistances | None) -> tuple[Matrix, RowSlip] | None:
    """Return a triangle with the rows or columns of two cities exchanged, if that closes gaps; None if it does not."""
    fault_count = _count_form_faults(given)
    for city in np.flatnonzero(np.nan_to_num(np.diagonal(given))).tolist():
        orders = [_exchange(np.arange(len(given)), city, other) for other in range(len(given)) if other != city]
        counts = [_count_form_faults(given[order]) for order in orders]
        best = int(np.argmin(counts))
        if counts[best] > fault_count - 2:
            continue
        return _make_exchange(given, orders[best], distances)
    return None


def _find_exchange_in_square(given: Matrix, distances: CityDistances | None) -> tuple[Matrix, RowSlip] | None:
    """Return a square with its rows or columns in the order that makes it symmetric; None if none does.

    The order of the rows does not change the sorted amounts of a column, so these show the row of the same city.
    """
    differs = np.isfinite(given) & np.isfinite(given.T) & (given != given.T)
    moved = np.flatnonzero(differs.sum(axis=1) >= _FEWEST)
    rows, columns = np.sort(np.nan_to_num(given[moved]), axis=1), np.sort(np.nan_to_num(given.T[moved]), axis=1)
    sources = np.arange(len(given))
    for k, city in enumerate(moved.tolist()):
        gaps = np.abs(rows - columns[k]).sum(axis=1)
        candidates = moved[gaps == gaps.min()].tolist()
        unused = [candidate for candidate in candidates if candidate not in sources[moved[:k]]]
        sources[city] = city if city in candidates else (unused or candidates)[0]
    in_cycle = np.arange(len(given))
    for _ in in_cycle:
        in_cycle = np.unique(sources[in_cycle])
    order = np.arange(len(given))
    order[in_cycle] = sources[in_cycle]
    corrected = given[order]
    differs_after = np.isfinite(corrected) & np.isfinite(corrected.T) & (corrected != corrected.T)
    if (order == np.arange(len(given))).all() or differs_after.sum() > (1 - _NEARLY_ALL) * differs.sum():
        return None
    return _make_exchange(given, order, distances)


def _make_exchange(given: Matrix, order: NDArray[np.int64], distances: CityDistances | None) -> tuple[Matrix, RowSlip]:
    corrected = {"row": given[order], "column": given[:, np.argsort(order)]}
    axis: Literal["row", "column"] = "row"
    if distances is not None and _misfit(corrected["column"], distances) < _misfit(corrected["row"], distances):
        axis = "column"
    first, *others = np.flatnonzero(order != np.arange(len(given))).tolist()
    return corrected[axis], RowSlip(axis, "exchanged", first, tuple(others))


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
    if is_known.sum() < _FEWEST or np.ptp(given[is_known]) == 0:
        return 1.0
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
                if _fits(half[other], half.T[other], (city, other)):
                    yield RowSlip("row" if axis == "row" else "column", "repeated", city, (other,))
        axis = _choose_axis(given, city, distances)
        half = given if axis == "row" else given.T
        if (start := _find_shift(half[city], half.T[city], city)) is not None:
            yield RowSlip(axis, "shifted", city, (start,))


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
        first = start - 1 if late and start and np.isnan(amounts[start - 1]) else start
        if (
            gains[start] >= _FEWEST
            and is_moved[start:].mean() >= _NEARLY_ALL
            and (first == 0 or is_own[:first].mean() >= _NEARLY_ALL)
        ):
            return first
    return None


def _choose_axis(given: Matrix, city: int, distances: CityDistances | None) -> Literal["row", "column"]:
    """Return whether the row or the column of a city is wrong: the one that fits the distances less."""
    if distances is None:
        return "row"
    ground = distances.ground[city]
    errors = [
        1 - float(np.corrcoef(amounts[is_known], ground[is_known])[0, 1])
        for amounts in (given[city], given[:, city])
        for is_known in [np.isfinite(amounts) & (np.arange(len(amounts)) != city)]
    ]
    return "row" if errors[0] >= errors[1] else "column"
