"""Findings on the form of a payoff chart (P02 to P07): gaps, halves that differ, amounts that cannot be.

`mapkit check`, `mapkit payoffs check` and the editor all call `form_findings`. A pair of cities is found once, as the
cell above the diagonal; the cell below it is found too where it holds another amount.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.checks import Found

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = list[tuple[int, int]]
NEAR = 1e-6
FEWEST = 3
"""A city of a smaller chart has one trip at most, so an empty row is an empty cell."""
GRID = 0.5
"""Payoffs of a board are printed to the half thousand."""


class ExpectedAmounts(NamedTuple):
    """The amounts that all other cells suggest, n x n thousands, and their standard deviations."""

    mean: Matrix
    sd: Matrix


@dataclass(frozen=True)
class ChartForm:
    """A payoff chart, with what its form is checked against.

    Args:
        given: n x n thousands as typed: row city, column city; NaN where there is no amount.
        cities: Ids and names, in the order of the chart.
        twins: Pairs that share a milepost, n x n.
        step: The grid of the amounts, thousands.
        square: Whether both halves are to be filled.
        computed: Whether mapkit computed all amounts; then only trips that no way connects are findings.
        lacking: Ids and names of the cities of the board that are not in the chart.
        unread: Cells that hold something else than an amount, and what is wrong with it.
        cure: The advice on missing amounts, such as `; fill it in`.
        expected: What all other amounts suggest, if the chart was judged.
    """

    given: Matrix
    cities: Sequence[tuple[str, str]]
    twins: Mask
    step: float
    square: bool = True
    computed: bool = False
    lacking: Sequence[tuple[str, str]] = ()
    unread: Mapping[tuple[int, int], str] = field(default_factory=dict)
    cure: str = ""
    expected: ExpectedAmounts | None = None

    def likely(self, cell: tuple[int, int]) -> tuple[float | None, float | None]:
        """Return what is expected of a cell, and that on the grid."""
        if cell[0] == cell[1] or self.twins[cell]:
            return 0.0, 0.0
        if self.expected is None:
            return None, None
        mean = float(self.expected.mean[cell])
        return mean, max(float(np.round(mean / self.step)), 1.0) * self.step

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
        """Return a finding on a cell; with a hint it says what is expected there, if that is known."""
        (row, row_name), (column, column_name) = self.cities[cell[0]], self.cities[cell[1]]
        mean = self.likely(cell)[0]
        shown = "" if mean is None or not hint or self.expected is None else f"; about {max(mean, 0):.1f} is expected"
        return Found(
            f"the payoff {row_name} - {column_name} {says}{shown}{more}",
            (row,) if row == column else (row, column),
            data={
                "value": None if np.isnan(self.given[cell]) else float(self.given[cell]),
                "expected": None if mean is None else round(mean, 2),
                "suggested": suggested,
                "cause": cause,
            },
        )


def form_findings(form: ChartForm) -> Iterator[tuple[str, Found]]:
    """Yield the code and the finding of every cell whose form is wrong."""
    for city, name in form.lacking:
        yield "P02", Found(f"{name} is not in the payoff chart{form.cure}", (city,), data=_MISSING)
    if form.computed:
        yield from (("P02", found) for found in _cut_off(form))
        return
    yield from (("P02", found) for found in _missing(form))
    if np.isfinite(form.given).any():
        yield from (("P03", found) for found in _asymmetric(form))
        yield from _impossible(form)


def _cut_off(form: ChartForm) -> Iterator[Found]:
    """Yield the groups of cities that no way connects with the largest group: their trips cannot be computed."""
    for group in joined_cities(form.given)[1:]:
        names = [form.cities[k][1] for k in group[:_SHOWN]]
        more = f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else ""
        yield Found(
            f"trips between {', '.join(names)}{more} and the other {len(form.cities) - len(group)} cities have no "
            "payoff, because no railroad connects them; connect them by a line, or choose a model with ground miles in "
            "[payoffs]",
            tuple(form.cities[k][0] for k in group),
            data={"cause": "missing"},
        )


def _missing(form: ChartForm) -> Iterator[Found]:
    """Yield the cities and the cells without an amount."""
    blank = blank_cities(form.given)
    if blank and len(blank) == len(form.cities):
        yield Found(f"the payoff chart has no amounts{form.cure}", ("chart",), data={"cause": "missing"})
        return
    for i in blank:
        city, name = form.cities[i]
        yield Found(f"the payoff chart has no amounts for {name}{form.cure}", (city,), data=_MISSING)
    for cell, why in sorted(form.unread.items()):
        mirrored = float(form.given[cell[1], cell[0]])
        suggested = form.likely(cell)[1] if np.isnan(mirrored) else mirrored
        yield form.found(cell, f"was not read: {why}", "missing", suggested=suggested, more="; correct the cell")
    for i, j in gaps(form.given, square=form.square):
        if (i, j) in form.unread or (j, i) in form.unread:
            continue
        mirrored, suggested, says = float(form.given[j, i]), form.likely((i, j))[1], "is missing"
        if not np.isnan(mirrored):
            row, column = form.cities[i][1], form.cities[j][1]
            says, suggested = f"is empty in the row of {row}, but {mirrored:g} in the row of {column}", mirrored
        yield form.found((i, j), says, "missing", suggested=suggested, more=form.cure)


def _asymmetric(form: ChartForm) -> Iterator[Found]:
    """Yield the pairs whose two cells differ."""
    for i, j in two_readings(form.given):
        upper, lower = float(form.given[i, j]), float(form.given[j, i])
        says = f"is {upper:g} in the row of {form.cities[i][1]}, but {lower:g} in the row of {form.cities[j][1]}"
        suggested, more = None, ""
        if form.expected is not None:
            mean, sd = float(form.expected.mean[i, j]), float(form.expected.sd[i, j])
            suggested, chance = better_reading(upper, lower, mean, sd)
            more = f", so {suggested:g} is more likely ({chance:.0%})"
        more += "; find out which is right, and write it in both"
        found = form.found((i, j), says, "asymmetric", suggested=suggested, more=more)
        data = {**(found.data or {}), "mirrored": lower}
        yield replace(found, data=data | {"expected": lower} if form.expected is None else data)


def _impossible(form: ChartForm) -> Iterator[tuple[str, Found]]:
    """Yield the codes and findings of amounts that no trip can pay."""
    given = form.given
    for i, j in paid_to_itself(given):
        says = f"is {given[i, j]:g}; from a city to itself it must be 0"
        yield "P04", form.found((i, j), says, "diagonal", suggested=0.0, hint=False)
    for i, j in paid_between_twins(given, form.twins):
        says = f"is {given[i, j]:g}; they share a milepost, so it must be 0 (RB-C06)"
        yield "P05", form.found((i, j), says, "twins", suggested=0.0, hint=False)
    for i, j in off_the_grid(given, form.step):
        suggested = form.likely((i, j))[1]
        if suggested is None:
            suggested = round(float(given[i, j]) / form.step) * form.step
        says = f"is {given[i, j]:g}, which is not a multiple of {form.step:g}; round it"
        yield "P06", form.found((i, j), says, "off the grid", suggested=suggested)
    for i, j in not_positive(given, form.twins):
        suggested = form.likely((i, j))[1]
        if suggested is None and given[j, i] > 0:
            suggested = float(given[j, i])
        says = f"is {given[i, j]:g}; between different mileposts it must be more than 0"
        yield "P07", form.found((i, j), says, "not positive", suggested=suggested)


_SHOWN = 5
_MISSING = {"value": None, "expected": None, "suggested": None, "cause": "missing"}


def joined_cities(given: Matrix) -> list[tuple[int, ...]]:
    """Return the cities of a computed chart in groups with amounts between them, the largest first."""
    left = set(range(len(given)))
    groups: list[tuple[int, ...]] = []
    for city in range(len(given)):
        if city in left:
            group = tuple(k for k in sorted(left) if k == city or not np.isnan(given[city, k]))
            left -= {*group}
            groups.append(group)
    return sorted(groups, key=lambda group: -len(group))


def better_reading(one: float, other: float, expected: float, sd: float) -> tuple[float, float]:
    """Return the likelier of two readings of a cell, and the chance that it is the right one of the two."""
    off = (((one - expected) / sd) ** 2 - ((other - expected) / sd) ** 2) / 2
    chance = float(1 / (1 + np.exp(np.clip(off, -50, 50))))
    return (one, chance) if chance >= 0.5 else (other, 1 - chance)  # noqa: PLR2004


def blank_cities(given: Matrix) -> list[int]:
    """Return the cities without an amount to or from any other, in a chart of three cities or more.

    Args:
        given: n x n amounts, row city, column city; NaN where there is none.
    """
    if len(given) < FEWEST:
        return []
    empty = np.isnan(given) | np.eye(len(given), dtype=bool)
    return np.nonzero(empty.all(axis=0) & empty.all(axis=1))[0].tolist()


def gaps(given: Matrix, *, square: bool) -> Cells:
    """Return the cells without an amount: pairs that have none, and single cells of a square; no cell of blank cities.

    Args:
        given: As for `blank_cities`.
        square: Whether both halves are to be filled.
    """
    empty = np.isnan(given) & ~np.eye(len(given), dtype=bool)
    blank = blank_cities(given)
    empty[blank, :] = empty[:, blank] = False
    both = empty & empty.T
    return _listed(np.triu(both) | (empty & ~both if square else False))


def two_readings(given: Matrix) -> Cells:
    """Return the pairs whose two cells differ."""
    return _listed(np.triu(np.isfinite(given) & np.isfinite(given.T) & (given != given.T)))


def paid_to_itself(given: Matrix) -> Cells:
    """Return the cells on the diagonal with an amount other than 0."""
    return _listed(np.eye(len(given), dtype=bool) & np.isfinite(given) & (given != 0))


def paid_between_twins(given: Matrix, twins: Mask) -> Cells:
    """Return the cells of twins with an amount other than 0."""
    return _once(given, twins & np.isfinite(given) & (given != 0))


def off_the_grid(given: Matrix, step: float) -> Cells:
    """Return the cells whose amount is not a multiple of the step; the diagonal and twins too."""
    parts = np.nan_to_num(given) / step
    return _once(given, np.abs(parts - np.round(parts)) > NEAR)


def not_positive(given: Matrix, twins: Mask) -> Cells:
    """Return the cells between different mileposts with 0 or less."""
    with np.errstate(invalid="ignore"):
        return _once(given, (given <= 0) & ~twins & ~np.eye(len(given), dtype=bool))


def _once(given: Matrix, wrong: Mask) -> Cells:
    """Return the wrong cells; of two mirrored ones that hold the same amount, the one above the diagonal."""
    return _listed(np.triu(wrong) | (np.tril(wrong, -1) & (given != given.T)))


def _listed(mask: Mask) -> Cells:
    rows, cols = np.nonzero(mask)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))
