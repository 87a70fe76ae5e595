"""Findings on the form of a payoff chart (P02 to P07): gaps, halves that differ, amounts that cannot be.

`mapkit check`, `mapkit payoffs check` and the editor all call `form_findings`. Each pair of cities is
reported once, as the cell above the diagonal; the cell below only if it has a different amount.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.checks import Found
from mapkit.core.plurals import join_some
from mapkit.kinds.rail.charts.payoffs.row_slips import RowSlip

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = list[tuple[int, int]]
NEAR = 1e-6
FEWEST = 3
"""A city of a smaller chart has one trip at most, so an empty row is an empty cell."""
GRID = 0.5
"""Payoffs of a board are printed to the half thousand."""


class ExpectedAmounts(NamedTuple):
    """Amounts suggested by all other cells, n x n thousands, and their standard deviations."""

    mean: Matrix
    sd: Matrix


@dataclass(frozen=True)
class ChartForm:
    """Payoff chart, with the references for checks of its form.

    Args:
        given: n x n thousands as typed, without slips of rows: row city, column city; NaN where there is no amount.
        cities: Ids and names, in the order of the chart.
        twins: Pairs that share a milepost, n x n.
        step: The grid of the amounts, thousands.
        square: Whether both halves are to be filled.
        row_slips: Slips of rows and columns, which the other half shows.
        computed: Whether mapkit computed all amounts; then only unconnected trips are findings.
        lacking: Ids and names of the cities of the board that are not in the chart.
        unread: Cells without a readable amount, with the reason.
        cure: The advice on missing amounts, such as `; fill it in`.
        expected: Amounts suggested by all others, if the chart was judged.
        explained: Cells of slips of many cells, whose faults are not reported one by one.
    """

    given: Matrix
    cities: Sequence[tuple[str, str]]
    twins: Mask
    step: float
    square: bool = True
    row_slips: Sequence[RowSlip] = ()
    computed: bool = False
    lacking: Sequence[tuple[str, str]] = ()
    unread: Mapping[tuple[int, int], str] = field(default_factory=dict)
    cure: str = ""
    expected: ExpectedAmounts | None = None
    explained: AbstractSet[tuple[int, int]] = frozenset()

    def drop_explained(self, cells: Cells) -> Cells:
        """Return the cells outside slips of many cells."""
        return [cell for cell in cells if cell not in self.explained]

    def expect_amount(self, cell: tuple[int, int]) -> tuple[float | None, float | None]:
        """Return the amount expected of a cell, and that on the grid."""
        if cell[0] == cell[1] or self.twins[cell]:
            return 0.0, 0.0
        if self.expected is None:
            return None, None
        mean_amount = float(self.expected.mean[cell])
        return mean_amount, max(float(np.round(mean_amount / self.step)), 1.0) * self.step

    def found(
        self,
        cell: tuple[int, int],
        says: str,
        cause: str,
        *,
        suggested: float | None,
        more: str = "",
        hint: bool = True,
    ) -> Found:
        """Return a finding on a cell; with a hint, its message gives the expected amount if that is known."""
        (row_city, row_name), (column_city, column_name) = self.cities[cell[0]], self.cities[cell[1]]
        mean = self.expect_amount(cell)[0]
        hint_text = (
            "" if mean is None or not hint or self.expected is None else f"; about {max(mean, 0):.1f} is expected"
        )
        return Found(
            f"the payoff {row_name} - {column_name} {says}{hint_text}{more}",
            (row_city,) if row_city == column_city else (row_city, column_city),
            data={
                "value": None if np.isnan(self.given[cell]) else float(self.given[cell]),
                "expected": None if mean is None else round(mean, 2),
                "suggested": suggested,
                "cause": cause,
            },
        )


def find_form_faults(form: ChartForm) -> Iterator[tuple[str, Found]]:
    """Yield the code and the finding of every cell in wrong form."""
    yield from (("P02", form_finding) for form_finding in _find_lacking_cities(form))
    if form.computed:
        yield from (("P02", form_finding) for form_finding in _find_cut_off_cities(form))
        return
    yield from (("P02", form_finding) for form_finding in _find_missing_amounts(form))
    yield from (("P03", _describe_row_slip(form, slip)) for slip in form.row_slips)
    if np.isfinite(form.given).any():
        yield from (("P03", form_finding) for form_finding in _find_asymmetric_pairs(form))
        given = form.given
        for i, j in find_paid_diagonal_cells(given):
            problem_text = f"is {given[i, j]:g}; from a city to itself it must be 0"
            yield "P04", form.found((i, j), problem_text, "diagonal", suggested=0.0, hint=False)
        for i, j in form.drop_explained(find_paid_twin_cells(given, form.twins)):
            problem_text = f"is {given[i, j]:g}; they share a milepost, so it must be 0"
            yield "P05", form.found((i, j), problem_text, "twins", suggested=0.0, hint=False)
        for i, j in form.drop_explained(find_off_grid_cells(given, form.step)):
            suggested_amount = form.expect_amount((i, j))[1]
            if suggested_amount is None:
                suggested_amount = round(float(given[i, j]) / form.step) * form.step
            problem_text = f"is {given[i, j]:g}, which is not a multiple of {form.step:g}; round it"
            yield "P06", form.found((i, j), problem_text, "off the grid", suggested=suggested_amount)
        for i, j in form.drop_explained(find_nonpositive_cells(given, form.twins)):
            suggested_amount = form.expect_amount((i, j))[1]
            if suggested_amount is None and given[j, i] > 0:
                suggested_amount = float(given[j, i])
            problem_text = f"is {given[i, j]:g}; between different mileposts it must be more than 0"
            yield "P07", form.found((i, j), problem_text, "not positive", suggested=suggested_amount)


def _describe_row_slip(form: ChartForm, slip: RowSlip) -> Found:
    (city, city_name), (other, other_name) = form.cities[slip.city], form.cities[slip.others[0]]
    names = join_some((form.cities[k][1] for k in (slip.city, *slip.others)), ", " if slip.others[1:] else " and ")
    text = {
        "exchanged": f"the {slip.axis}s of {names} are exchanged; exchange their names",
        "repeated": f"the {slip.axis} of {city_name} repeats that of {other_name}; write its own amounts",
        "shifted": f"the {slip.axis} of {city_name} is shifted by one cell from {other_name} on; move it back",
    }[slip.kind]
    text += ", as the other half of the chart shows" if form.square else ", as the gaps in the triangle show"
    return Found(text, (city,) if city == other else (city, other), data=_MISSING_DATA | {"cause": slip.kind})


def _find_lacking_cities(form: ChartForm) -> Iterator[Found]:
    """Yield the cities of the board that the chart lacks; if these are most, one finding for all."""
    if len(form.lacking) > len(form.cities):
        yield Found(
            f"{len(form.lacking)} of the {len(form.lacking) + len(form.cities)} cities "
            f"({join_some(name for _, name in form.lacking)}) are not in the payoff chart; is it the chart "
            "of this board?",
            ("chart",),
            data=_MISSING_DATA,
        )
        return
    for city, city_name in form.lacking:
        yield Found(f"{city_name} is not in the payoff chart{form.cure}", (city,), data=_MISSING_DATA)


def _find_cut_off_cities(form: ChartForm) -> Iterator[Found]:
    """Yield the groups of cities not connected with the largest group, with trips that cannot be computed."""
    for city_group in group_connected_cities(form.given)[1:]:
        shown_names = [form.cities[k][1] for k in city_group[:_SHOWN_CITIES]]
        more_text = f" and {len(city_group) - _SHOWN_CITIES} more" if len(city_group) > _SHOWN_CITIES else ""
        yield Found(
            f"trips between {', '.join(shown_names)}{more_text} and the other {len(form.cities) - len(city_group)} "
            "cities have no payoff, because no railroad connects them; connect them by a line, or choose a model with "
            "ground miles in [payoffs]",
            tuple(form.cities[k][0] for k in city_group),
            data={"cause": "missing"},
        )


def _find_missing_amounts(form: ChartForm) -> Iterator[Found]:
    """Yield the cities and the cells without an amount."""
    blank_rows = find_blank_cities(form.given)
    if blank_rows and len(blank_rows) == len(form.cities):
        yield Found(f"the payoff chart has no amounts{form.cure}", ("chart",), data={"cause": "missing"})
        return
    for i in blank_rows:
        city, city_name = form.cities[i]
        yield Found(f"the payoff chart has no amounts for {city_name}{form.cure}", (city,), data=_MISSING_DATA)
    for cell, unread_reason in sorted(form.unread.items()):
        mirrored_amount = float(form.given[cell[1], cell[0]])
        suggested_amount = form.expect_amount(cell)[1] if np.isnan(mirrored_amount) else mirrored_amount
        yield form.found(
            cell, f"was not read: {unread_reason}", "missing", suggested=suggested_amount, more="; correct the cell"
        )
    empty_cells = form.drop_explained(find_empty_cells(form.given, square=form.square))
    is_known = np.isfinite(form.given) & ~np.eye(len(form.given), dtype=bool)
    is_half_row = ~is_known.any(axis=1) & is_known.any(axis=0)
    unread_rows = {row for row, _ in form.unread}
    half_rows = [i for i in np.flatnonzero(is_half_row).tolist() if i not in unread_rows] if form.square else []
    for i in half_rows:
        city, city_name = form.cities[i]
        yield Found(
            f"the row of {city_name} is empty, but its column is not; copy the amounts", (city,), data=_MISSING_DATA
        )
    for i, j in empty_cells:
        if (i, j) in form.unread or (j, i) in form.unread or (i in half_rows and not np.isnan(form.given[j, i])):
            continue
        mirrored_amount, suggested_amount, problem_text = (
            float(form.given[j, i]),
            form.expect_amount((i, j))[1],
            "is missing",
        )
        if not np.isnan(mirrored_amount):
            row_name, column_name = form.cities[i][1], form.cities[j][1]
            problem_text, suggested_amount = (
                f"is empty in the row of {row_name}, but {mirrored_amount:g} in the row of {column_name}",
                mirrored_amount,
            )
        yield form.found((i, j), problem_text, "missing", suggested=suggested_amount, more=form.cure)


def _find_asymmetric_pairs(form: ChartForm) -> Iterator[Found]:
    """Yield the pairs with two different cells."""
    for i, j in find_asymmetric_cells(form.given):
        upper_amount, lower_amount = float(form.given[i, j]), float(form.given[j, i])
        upper_row, lower_row = form.cities[i][1], form.cities[j][1]
        problem_text = f"is {upper_amount:g} in the row of {upper_row}, but {lower_amount:g} in the row of {lower_row}"
        suggested_amount, cure_text = None, ""
        if form.expected is not None:
            mean_amount, amount_sd = float(form.expected.mean[i, j]), float(form.expected.sd[i, j])
            suggested_amount, chance = choose_likelier_reading(upper_amount, lower_amount, mean_amount, amount_sd)
            cure_text = f", so {suggested_amount:g} is more likely ({chance:.0%})"
        cure_text += "; find out which is right, and write it in both"
        pair_finding = form.found((i, j), problem_text, "asymmetric", suggested=suggested_amount, more=cure_text)
        data = {**(pair_finding.data or {}), "mirrored": lower_amount}
        yield replace(pair_finding, data=data | {"expected": lower_amount} if form.expected is None else data)


_SHOWN_CITIES = 5
_MISSING_DATA = {"value": None, "expected": None, "suggested": None, "cause": "missing"}


def group_connected_cities(given: Matrix) -> list[tuple[int, ...]]:
    """Return the cities of a computed chart in groups with amounts between them, the largest first."""
    ungrouped_cities = set(range(len(given)))
    city_groups: list[tuple[int, ...]] = []
    for city in range(len(given)):
        if city in ungrouped_cities:
            city_group = tuple(k for k in sorted(ungrouped_cities) if k == city or not np.isnan(given[city, k]))
            ungrouped_cities -= {*city_group}
            city_groups.append(city_group)
    return sorted(city_groups, key=lambda group: -len(group))


def choose_likelier_reading(one: float, other: float, expected: float, sd: float) -> tuple[float, float]:
    """Return the likelier of two readings of a cell, and its chance of being the right one."""
    log_odds = (((one - expected) / sd) ** 2 - ((other - expected) / sd) ** 2) / 2
    first_chance = float(1 / (1 + np.exp(np.clip(log_odds, -50, 50))))
    return (one, first_chance) if first_chance >= 0.5 else (other, 1 - first_chance)  # noqa: PLR2004


def find_blank_cities(given: Matrix) -> list[int]:
    """Return the cities without an amount to or from any other, in a chart of three cities or more.

    Args:
        given: n x n amounts, row city, column city; NaN where there is none.
    """
    if len(given) < FEWEST:
        return []
    is_blank = np.isnan(given) | np.eye(len(given), dtype=bool)
    return np.nonzero(is_blank.all(axis=0) & is_blank.all(axis=1))[0].tolist()


def find_empty_cells(given: Matrix, *, square: bool) -> Cells:
    """Return the cells without an amount: pairs that have none, and single cells of a square; no cell of blank cities.

    Args:
        given: As for `blank_cities`.
        square: Whether both halves are to be filled.
    """
    is_empty = np.isnan(given) & ~np.eye(len(given), dtype=bool)
    blank_rows = find_blank_cities(given)
    is_empty[blank_rows, :] = is_empty[:, blank_rows] = False
    both_empty = is_empty & is_empty.T
    return _list_cells(np.triu(both_empty) | (is_empty & ~both_empty if square else False))


def find_asymmetric_cells(given: Matrix) -> Cells:
    """Return the pairs with two different cells."""
    return _list_cells(np.triu(np.isfinite(given) & np.isfinite(given.T) & (given != given.T)))


def find_paid_diagonal_cells(given: Matrix) -> Cells:
    """Return the cells on the diagonal with an amount other than 0."""
    return _list_cells(np.eye(len(given), dtype=bool) & np.isfinite(given) & (given != 0))


def find_paid_twin_cells(given: Matrix, twins: Mask) -> Cells:
    """Return the cells of twins with an amount other than 0."""
    return _drop_mirrored_cells(given, twins & np.isfinite(given) & (given != 0))


def find_off_grid_cells(given: Matrix, step: float) -> Cells:
    """Return the cells with an amount that is not a multiple of the step; the diagonal and twins too."""
    step_counts = np.nan_to_num(given) / step
    return _drop_mirrored_cells(given, np.abs(step_counts - np.round(step_counts)) > NEAR)


def find_nonpositive_cells(given: Matrix, twins: Mask) -> Cells:
    """Return the cells between different mileposts with 0 or less."""
    with np.errstate(invalid="ignore"):
        return _drop_mirrored_cells(given, (given <= 0) & ~twins & ~np.eye(len(given), dtype=bool))


def _drop_mirrored_cells(given: Matrix, wrong: Mask) -> Cells:
    """Return the wrong cells; of two mirrored ones with the same amount, only the one above the diagonal."""
    return _list_cells(np.triu(wrong) | (np.tril(wrong, -1) & (given != given.T)))


def _list_cells(mask: Mask) -> Cells:
    rows, cols = np.nonzero(mask)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))
