"""Checks on the payoff chart (RB-C13)."""

from collections.abc import Iterator
from itertools import combinations

from mapkit.checks.check import Check, Checked, Found
from mapkit.model.findings import Place, Severity

GRID = 0.5
"""Payoffs are printed to the half thousand."""


def _square(c: Checked) -> Iterator[Found]:
    """A payoff chart that has not as many rows as columns, or a row of another length."""
    chart = c.board.payoffs
    count = len(chart.cities)
    if len(chart.thousands) != count:
        yield Found(
            f"the payoff chart has {len(chart.thousands)} rows for {count} columns; it must be square",
            ("rows",),
        )
    for city, row in zip(chart.cities, chart.thousands, strict=False):
        if len(row) != count:
            yield Found(
                f"the payoff row of {city} has {len(row)} amounts for {count} columns; it must be square",
                (city,),
                _at(c, city),
            )


def _complete(c: Checked) -> Iterator[Found]:
    """A city without payoffs, a row that is no city, or a single cell that is empty."""
    chart = c.board.payoffs
    for city in c.board.cities:
        if city.id not in chart.cities:
            yield Found(f"the payoff chart lacks {city.name}; add its row and column", (city.id,))
    for ident in chart.cities:
        if ident not in {city.id for city in c.board.cities}:
            yield Found(f"the payoff chart has {ident!r}, which is no city of the board; remove it", (ident,))
    for row, column, value in _cells(c):
        if value is None:
            yield Found(
                f"the payoff {_pair(c, row, column)} is missing; fill it in",
                (row, column),
                _at(c, row),
                {"value": None, "expected": None, "suggested": _other(c, row, column), "cause": "missing"},
            )


def _symmetric(c: Checked) -> Iterator[Found]:
    """A pair of cities that pays differently in the two directions.

    One of the two cells is a slip. Find out which, and write the right amount in both.
    """
    if c.board.payoffs.thousands == tuple(zip(*c.board.payoffs.thousands, strict=True)):
        return
    value_of = {(row, column): value for row, column, value in _cells(c)}
    for one, other in combinations(c.board.payoffs.cities, 2):
        value, mirror = value_of[one, other], value_of[other, one]
        if value is not None and mirror is not None and value != mirror:
            yield Found(
                f"the payoff {_pair(c, one, other)} is {value:g} in the row of {c.city_names.get(one, one)}, but "
                f"{mirror:g} in the row of {c.city_names.get(other, other)}; find out which is right and write it "
                "in both",
                (one, other),
                _at(c, one),
                {"value": value, "expected": mirror, "suggested": None, "cause": "asymmetric"},
            )


def _diagonal(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 from a city to itself."""
    for row, column, value in _cells(c):
        if row == column and value:
            yield Found(
                f"the payoff {_pair(c, row, column)} is {value:g}; from a city to itself it must be 0",
                (row,),
                _at(c, row),
                {"value": value, "expected": 0, "suggested": 0, "cause": "diagonal"},
            )


def _twins(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 between two cities that share a milepost (RB-C06).

    Nobody travels between them.
    """
    twins = _twin_pairs(c)
    for row, column, value in _cells(c):
        if (row, column) in twins and value:
            yield Found(
                f"the payoff {_pair(c, row, column)} is {value:g}; they share a milepost, so it must be 0 (RB-C06)",
                (row, column),
                _at(c, row),
                {"value": value, "expected": 0, "suggested": 0, "cause": "twins"},
            )


def _grid(c: Checked) -> Iterator[Found]:
    """An amount that is no multiple of half a thousand, which is how the chart is printed."""
    for row, column, value in _cells(c):
        if value is not None and (value / GRID) % 1:
            yield Found(
                f"the payoff {_pair(c, row, column)} is {value:g}, which is no multiple of {GRID:g}; round it",
                (row, column),
                _at(c, row),
                {
                    "value": value,
                    "expected": None,
                    "suggested": round(value / GRID) * GRID,
                    "cause": "off the grid",
                },
            )


def _positive(c: Checked) -> Iterator[Found]:
    """A payoff of 0 or less between cities that lie on different mileposts."""
    twins = _twin_pairs(c)
    for row, column, value in _cells(c):
        if value is not None and row != column and (row, column) not in twins and value <= 0:
            yield Found(
                f"the payoff {_pair(c, row, column)} is {value:g}; between different mileposts it must be more than 0",
                (row, column),
                _at(c, row),
                {
                    "value": value,
                    "expected": None,
                    "suggested": _other(c, row, column) or None,
                    "cause": "not positive",
                },
            )


def _cells(c: Checked) -> Iterator[tuple[str, str, float | None]]:
    chart = c.board.payoffs
    for row, values in zip(chart.cities, chart.thousands, strict=False):
        for column, value in zip(chart.cities, values, strict=False):
            yield row, column, value


def _pair(c: Checked, row: str, column: str) -> str:
    return f"{c.city_names.get(row, row)} - {c.city_names.get(column, column)}"


def _other(c: Checked, row: str, column: str) -> float | None:
    """Return the value of the mirrored cell."""
    chart = c.board.payoffs
    return chart.thousands[chart.cities.index(column)][chart.cities.index(row)]


def _twin_pairs(c: Checked) -> set[tuple[str, str]]:
    return {(one, other) for group in c.cities_at.values() for one in group for other in group if one != other}


def _at(c: Checked, city: str) -> Place:
    return c.place("payoffs", city, at="")


CHECKS = (
    Check("P01", "the chart is square", Severity.ERROR, _square),
    Check("P02", "the chart is complete", Severity.ERROR, _complete, needs=("P01",)),
    Check("P03", "the chart is symmetric", Severity.ERROR, _symmetric, needs=("P01",)),
    Check("P04", "the diagonal is zero", Severity.ERROR, _diagonal, needs=("P01",)),
    Check("P05", "twins pay zero", Severity.ERROR, _twins, needs=("P01",)),
    Check("P06", "amounts are on the half-thousand grid", Severity.ERROR, _grid, needs=("P01",)),
    Check("P07", "amounts are positive elsewhere", Severity.ERROR, _positive, needs=("P01",)),
)
