"""Slips of many cells at once: a shifted or repeated row, two exchanged cities, a mis-scaled city.

Each is a hypothesis that assigns an expected amount to each cell. Its gain is the sum over its cells of the cost
without a slip minus the cost under the hypothesis, where the cost of a residual of z standard deviations is z^2/2,
bounded: a bounded log likelihood ratio. The best slip is corrected, and the search begins again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.cancellation import check_cancelled
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale

Matrix = NDArray[np.float64]

BOUND = 8.0
"""Largest cost of a cell: four standard deviations."""
MARGIN = 2.0
"""Least gain above the logarithm of the number of hypotheses; charts with only single slips stay far below."""
EXCHANGE = 10.0
"""Cost of an exchange of two neighbours; below it, both cells are better explained without an exchange."""
SHORTEST = 3
"""Least number of cells of a shift."""
FEWEST_REPEATED = 5
"""Least number of cells of a repeated row."""
NEARLY_ALL = 0.9
"""Least share of equal amounts in a repeated row."""
MOST = 16
"""Largest number of corrected structural slips."""
SCALES = (10.0, 0.1, 100.0, 0.01, 1.609344, 1 / 1.609344)
"""Factors of confused units: tens, and kilometres for miles."""
LEAST_SCALE = 0.07
"""Least logarithm of a factor; smaller ones may be due to a city's winding lines."""
FAR_SCALE = 3.5
"""Least distance of a slip's factor from those of other cities, in robust standard deviations."""


class Structure(StrEnum):
    """Kind of a slip of many cells."""

    SHIFTED = "shifted from here on"
    REPEATED = "repeated row"
    EXCHANGED = "two cities exchanged"
    SCALED = "mis-scaled row"


@dataclass(frozen=True)
class StructuralSlip:
    """Slip of many cells, and its correction.

    `cells` has row, column, present and corrected value (NaN if the true amount is lost); the row is the city of the
    slip.
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
        trend: Prediction of each cell by distances alone, independent of a city's own cells.
        expected: Prediction of each cell by all other cells.
        step: The chart's grid, thousands.
    """
    n = len(values)
    current_values = values.copy()
    np.fill_diagonal(current_values, np.nan)
    robust_sd = max(robust_scale((current_values - trend)[np.isfinite(current_values)]), step / 2)
    min_gain = float(np.log(8.0 * n * n)) + MARGIN
    structural_slips: list[StructuralSlip] = []
    while len(structural_slips) < MOST:
        check_cancelled()
        own_cost = np.fmin(
            _bounded_cost(current_values - trend, robust_sd), _bounded_cost(current_values - expected, robust_sd)
        )
        best_slip = max(
            (
                *_find_shifts(
                    current_values,
                    (trend, expected),
                    _excuse_exchanges(current_values, expected, own_cost, robust_sd),
                    robust_sd,
                ),
                *_find_repeats(current_values, own_cost, min_gain),
                *_find_exchanges(current_values, trend, robust_sd),
                *_find_scales(current_values, trend, own_cost, robust_sd, step),
            ),
            key=lambda slip: slip.gain,
            default=None,
        )
        if best_slip is None or best_slip.gain < min_gain:
            break
        structural_slips.append(best_slip)
        for row, col, _, value in best_slip.cells:
            current_values[row, col] = current_values[col, row] = value
    return _merge_slips(structural_slips)


def _merge_slips(slips: list[StructuralSlip]) -> list[StructuralSlip]:
    """Return slips with one for each chain of exchanges, and for both halves of a shifted row."""
    merged_slips: list[StructuralSlip] = []
    for slip in slips:
        for k, earlier in enumerate(merged_slips):
            is_chain = slip.kind is Structure.EXCHANGED and not set(slip.cities).isdisjoint(earlier.cities)
            is_same_row = slip.kind is Structure.SHIFTED and slip.cities[0] == earlier.cities[0]
            if earlier.kind is not slip.kind or earlier.shift != slip.shift or not (is_chain or is_same_row):
                continue
            cells = {(min(i, j), max(i, j)): (i, j, old, new) for i, j, old, new in earlier.cells}
            for i, j, old, new in slip.cells:
                key = (min(i, j), max(i, j))
                cells[key] = (i, j, cells[key][2] if key in cells else old, new)
            all_cities = sorted({*slip.cities, *earlier.cities})
            merged_slips[k] = replace(
                earlier,
                cities=tuple(all_cities) if is_chain else (slip.cities[0], min(slip.cities[1], earlier.cities[1])),
                gain=earlier.gain + slip.gain,
                cells=tuple(cells.values()),
            )
            break
        else:
            merged_slips.append(slip)
    return merged_slips


def _bounded_cost(residual: Matrix, sd: float) -> Matrix:
    bounded_costs: Matrix = np.minimum((residual / sd) ** 2 / 2, BOUND)
    return bounded_costs


def _excuse_exchanges(values: Matrix, expected: Matrix, own_costs: Matrix, sd: float) -> Matrix:
    """Return the costs with exchanged neighbours excused, because these alone do not make a shift.

    Each of the two gets its share of their cost when exchanged, including the cost of an exchange.
    """
    excused_costs = own_costs.copy()
    for axis in (0, 1):
        first_slices, second_slices = ([slice(None)] * 2 for _ in range(2))
        first_slices[axis], second_slices[axis] = slice(None, -1), slice(1, None)
        first_cells, second_cells = tuple(first_slices), tuple(second_slices)
        exchanged_cost = (
            _bounded_cost(values[second_cells] - expected[first_cells], sd)
            + _bounded_cost(values[first_cells] - expected[second_cells], sd)
            + EXCHANGE
        )
        cost_share = exchanged_cost / np.maximum(own_costs[first_cells] + own_costs[second_cells], EXCHANGE)
        excused_share = np.where(np.isfinite(cost_share), np.minimum(cost_share, 1.0), 1.0)
        excused_costs[first_cells] = np.fmin(excused_costs[first_cells], own_costs[first_cells] * excused_share)
        excused_costs[second_cells] = np.fmin(excused_costs[second_cells], own_costs[second_cells] * excused_share)
    return excused_costs


def _find_shifts(
    values: Matrix, judges: tuple[Matrix, Matrix], own_costs: Matrix, sd: float
) -> Iterator[StructuralSlip]:
    """Yield the best shift of each direction and half: from a start to the row's end or to the diagonal.

    The lower cost of both judges counts under the hypothesis, as it does without it.
    """
    n = len(values)
    columns = np.arange(n)
    is_below = columns[None, :] < columns[:, None]
    is_above = columns[None, :] > columns[:, None]
    for is_in_half, direction in ((is_below, 1), (is_below, -1), (is_above, 1), (is_above, -1)):
        source_columns = np.clip(columns - direction, 0, n - 1)
        is_usable = (
            is_in_half & is_in_half[:, source_columns] & (source_columns != columns)[None, :] & np.isfinite(values)
        )
        shifted_cost = np.fmin(*(_bounded_cost(values - judge[:, source_columns], sd) for judge in judges))
        cell_gain = np.where(is_usable, own_costs - shifted_cost, 0.0)
        cell_gain = np.where(np.isfinite(cell_gain), cell_gain, 0.0)
        total_gain = np.cumsum(cell_gain[:, ::-1], axis=1)[:, ::-1]
        shift_length = np.cumsum(is_usable[:, ::-1], axis=1)[:, ::-1]
        total_gain = np.where((shift_length >= SHORTEST) & is_usable, total_gain, -np.inf)
        row, start_column = np.unravel_index(int(total_gain.argmax()), total_gain.shape)
        if np.isfinite(total_gain[row, start_column]):
            yield _make_shift(
                values, is_in_half, int(row), int(start_column), direction, float(total_gain[row, start_column])
            )


def _make_shift(
    values: Matrix, half: NDArray[np.bool_], row: int, start: int, direction: int, gain: float
) -> StructuralSlip:
    """Return a shift: cell j has the amount of cell j - direction, from `start` to the end of the half row."""
    half_columns = np.nonzero(half[row])[0]
    first_column = start - 1 if direction > 0 and start - 1 >= half_columns[0] else start
    shifted_columns = [int(c) for c in half_columns if c >= first_column]
    shifted_cells = []
    for column in shifted_columns:
        holder = column + direction
        is_inside = (
            holder in shifted_columns and holder >= start if direction > 0 else start <= holder <= int(half_columns[-1])
        )
        true_value = float(values[row, holder]) if is_inside else float("nan")
        if direction < 0 and column == start and start - 1 >= half_columns[0]:
            true_value = float("nan")  # the omitted amount
        shifted_cells.append((row, column, float(values[row, column]), true_value))
    return StructuralSlip(Structure.SHIFTED, (row, start), gain, tuple(shifted_cells), shift=direction)


def _find_repeats(values: Matrix, own_costs: Matrix, min_gain: float) -> Iterator[StructuralSlip]:
    """Yield the rows, and halves of rows, that repeat another row's amounts though these do not fit."""
    n = len(values)
    columns = np.arange(n)
    is_known = np.isfinite(values)
    for is_in_half in (
        is_known & (columns[None, :] < columns[:, None]),
        is_known & (columns[None, :] > columns[:, None]),
        is_known,
    ):
        for row in np.nonzero(np.where(is_in_half, own_costs, 0.0).sum(axis=1) >= min_gain)[0].tolist():
            is_compared = is_in_half & is_in_half[row]
            is_equal = is_compared & (values == values[row])
            is_equal[row] = False
            compared_count, equal_count = is_compared.sum(axis=1), is_equal.sum(axis=1)
            is_repeat = (equal_count >= np.maximum(FEWEST_REPEATED, NEARLY_ALL * compared_count)) & (
                2 * compared_count >= is_in_half[row].sum()
            )
            gains = np.where(is_repeat, np.where(is_equal, own_costs[row] - own_costs, 0.0).sum(axis=1), -np.inf)
            source = int(gains.argmax())
            if np.isfinite(gains[source]):
                lost_cells = tuple(
                    (row, int(j), float(values[row, j]), float("nan"))
                    for j in np.nonzero(is_in_half[row])[0]
                    if is_equal[source, j] or j == source
                )
                yield StructuralSlip(Structure.REPEATED, (row, source), float(gains[source]), lost_cells)


def _find_exchanges(values: Matrix, trend: Matrix, sd: float) -> Iterator[StructuralSlip]:
    """Yield the best exchange of two cities' amounts."""
    n = len(values)
    misfit_cost = np.zeros((n, n))
    corner_costs = np.zeros((n, n, 2))
    for a in range(n):
        check_cancelled()
        row_costs = _bounded_cost(values[a] - trend, sd)  # row b: a's amounts judged as b's
        row_costs = np.where(np.isfinite(row_costs), row_costs, 0.0)
        misfit_cost[a] = row_costs.sum(axis=1)
        corner_costs[a, :, 0] = row_costs[:, a]
        corner_costs[a, :, 1] = np.diagonal(row_costs)
        misfit_cost[a] -= row_costs[:, a] + np.where(np.arange(n) == a, 0.0, np.diagonal(row_costs))
    own_misfit = np.diagonal(misfit_cost)
    pair_costs = _bounded_cost(values - trend, sd)
    pair_costs = np.where(np.isfinite(pair_costs), pair_costs, 0.0)
    exchange_gain = (
        (own_misfit[:, None] - pair_costs) + (own_misfit[None, :] - pair_costs) - misfit_cost - misfit_cost.T
    )
    exchange_gain[np.tril_indices(n)] = -np.inf
    a, b = (int(k) for k in np.unravel_index(int(exchange_gain.argmax()), exchange_gain.shape))
    if np.isfinite(exchange_gain[a, b]) and a != b:
        exchanged_cells = [
            (own_city, j, float(values[own_city, j]), float(values[other_city, j]))
            for own_city, other_city in ((a, b), (b, a))
            for j in range(n)
            if j not in (a, b)
        ]
        yield StructuralSlip(Structure.EXCHANGED, (a, b), float(exchange_gain[a, b]), tuple(exchanged_cells))


def _find_scales(values: Matrix, trend: Matrix, own_costs: Matrix, sd: float, step: float) -> Iterator[StructuralSlip]:
    """Yield the best factor of a city's amounts: of all of them, and of either half of its row."""
    n = len(values)
    columns = np.arange(n)
    is_known = np.isfinite(values) & (trend > 2 * sd)
    trend_ratio = np.where(is_known, values / np.where(is_known, trend, 1.0), np.nan)
    is_in_row = is_known
    for is_in_part in (
        is_in_row,
        is_known & (columns[None, :] < columns[:, None]),
        is_known & (columns[None, :] > columns[:, None]),
    ):
        has_enough = is_in_part.sum(axis=1) >= 2 * SHORTEST
        if not has_enough.any():
            continue
        median_ratio = np.full(n, 1.0)
        for city in np.nonzero(has_enough)[0]:
            median_ratio[city] = max(median(trend_ratio[city, is_in_part[city]]), 1e-6)
        log_ratios = np.log(median_ratio)
        usual_deviation = robust_scale(log_ratios[has_enough] - median(log_ratios[has_enough]))
        best_scale: tuple[float, int, float] | None = None
        for city in np.nonzero(has_enough)[0]:
            if abs(log_ratios[city]) < LEAST_SCALE or abs(log_ratios[city]) < FAR_SCALE * usual_deviation:
                continue
            scale_factor = min(SCALES, key=lambda f: abs(np.log(f) - log_ratios[city]))
            scale_factor = (
                scale_factor
                if abs(np.log(scale_factor) - log_ratios[city]) < LEAST_SCALE
                else float(median_ratio[city])
            )
            city_columns = is_in_part[city]
            scaled_cost = _bounded_cost(values[city, city_columns] / scale_factor - trend[city, city_columns], sd)
            scale_gain = float((own_costs[city, city_columns] - scaled_cost).sum())
            if best_scale is None or scale_gain > best_scale[0]:
                best_scale = (scale_gain, int(city), scale_factor)
        if best_scale is not None:
            scale_gain, chosen_city, scale_factor = best_scale
            is_scaled = np.isfinite(values[chosen_city]) & (
                is_in_part[chosen_city] if is_in_part is not is_in_row else columns != chosen_city
            )
            scaled_cells = tuple(
                (
                    chosen_city,
                    int(j),
                    float(values[chosen_city, j]),
                    float(max(np.round(values[chosen_city, j] / scale_factor / step), 1) * step),
                )
                for j in np.nonzero(is_scaled)[0]
            )
            yield StructuralSlip(Structure.SCALED, (chosen_city,), scale_gain, scaled_cells, factor=scale_factor)
