"""Checks on the payoff chart (RB-C13)."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.checks.empty_payoffs import cure, found_empty
from mapkit.kinds.rail.model.payoffs.model import CLASSIC

GRID = 0.5
"""Payoffs are printed to the half thousand."""


def _square(c: Checked) -> Iterator[Found]:
    """A payoff chart whose rows and columns differ in number, or with a row of another length."""
    chart = c.board.payoffs
    count = len(chart.cities)
    if len(chart.thousands) != count:
        yield Found(
            f"the payoff chart has {len(chart.thousands)} rows but {count} columns; it must be square",
            ("rows",),
        )
    for city, row in zip(chart.cities, chart.thousands, strict=False):
        if len(row) != count:
            yield Found(
                f"the payoff row of {city} has {len(row)} amounts but the chart has {count} columns; it must be square",
                (city,),
                _at(c, city),
            )


def _complete(c: Checked) -> Iterator[Found]:
    """A city without payoffs, a row that is not a city, or a single cell that is empty.

    In a computed chart, trips between cities that no railroad connects have no amount. The message lists the cities
    that are cut off.
    """
    chart = c.board.payoffs
    for city in c.board.cities:
        if city.id not in chart.cities:
            yield Found(f"{city.name} is not in the payoff chart; {cure(c)}", (city.id,))
    known = {city.id for city in c.board.cities}
    for ident in chart.cities:
        if ident not in known:
            yield Found(f"the payoff chart has {ident!r}, which is not a city of the board; remove it", (ident,))
    yield from found_empty(c)


def _by_default(c: Checked) -> Iterator[Found]:
    """A payoff chart that the author neither typed nor gave a model for (RB-C13).

    mapkit then pays as the printed chart of the United States does, an amount for each 100 miles by rail. On a smaller
    map that is too little for a game of the usual length, which V08 reports.
    """
    origins = c.board.provenance.elements.get("payoffs", {}).values()
    if any(origin.how == "computed" and origin.file is None for origin in origins):
        yield Found(
            f"there is no payoff chart, so mapkit computes one: {CLASSIC.rail:g} thousand per 100 miles by rail, less "
            f"{-CLASSIC.base:g}; add [payoffs] to board.toml (mapkit payoffs compute {c.board.id} --into table), "
            "or type charts/payoffs.csv",
            ("chart",),
            Place(file="board.toml"),
        )


def _symmetric(c: Checked) -> Iterator[Found]:
    """Two cities whose trip pays differently in the two directions.

    One of the two cells is wrong. Find out which, and write the right amount in both.
    """
    if c.board.payoffs.thousands == tuple(zip(*c.board.payoffs.thousands, strict=True)):
        return
    value_of = {(row, column): value for row, column, value in _cells(c)}
    for one, other in combinations(c.board.payoffs.cities, 2):
        value, mirror = value_of[one, other], value_of[other, one]
        if value is not None and mirror is not None and value != mirror:
            yield Found(
                f"the payoff {_pair(c, one, other)} is {value:g} in the row of {c.city_names.get(one, one)}, but "
                f"{mirror:g} in the row of {c.city_names.get(other, other)}; find out which is right, and write it "
                "in both",
                (one, other),
                _at(c, one),
                {"value": value, "expected": mirror, "suggested": None, "cause": "asymmetric"},
            )


def _diagonal(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 from a city to itself."""
    chart = c.board.payoffs
    for number, city in enumerate(chart.cities):
        if value := chart.thousands[number][number]:
            yield Found(
                f"the payoff {_pair(c, city, city)} is {value:g}; from a city to itself it must be 0",
                (city,),
                _at(c, city),
                {"value": value, "expected": 0, "suggested": 0, "cause": "diagonal"},
            )


def _twins(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 between two cities that share a milepost (RB-C06).

    Nobody travels between them.
    """
    number = {city: number for number, city in enumerate(c.board.payoffs.cities)}
    for row, column in sorted(_twin_pairs(c)):
        value = c.board.payoffs.thousands[number[row]][number[column]] if {row, column} <= number.keys() else None
        if value:
            yield Found(
                f"the payoff {_pair(c, row, column)} is {value:g}; they share a milepost, so it must be 0 (RB-C06)",
                (row, column),
                _at(c, row),
                {"value": value, "expected": 0, "suggested": 0, "cause": "twins"},
            )


def _grid(c: Checked) -> Iterator[Found]:
    """An amount that is not a multiple of half a thousand, which is how the chart is printed."""
    for row, column, value in _cells_that_are(_off_the_grid, c):
        yield Found(
            f"the payoff {_pair(c, row, column)} is {value:g}, which is not a multiple of {GRID:g}; round it",
            (row, column),
            _at(c, row),
            {"value": value, "expected": None, "suggested": round(value / GRID) * GRID, "cause": "off the grid"},
        )


def _off_the_grid(value: float | None) -> bool:
    return value is not None and bool((value / GRID) % 1)


def _positive(c: Checked) -> Iterator[Found]:
    """A payoff of 0 or less between cities that lie on different mileposts."""
    twins = _twin_pairs(c)
    for row, column, value in _cells_that_are(_not_positive, c):
        if row != column and (row, column) not in twins:
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


def _not_positive(value: float | None) -> bool:
    return value is not None and value <= 0


def _cells(c: Checked) -> Iterator[tuple[str, str, float | None]]:
    chart = c.board.payoffs
    for row, values in zip(chart.cities, chart.thousands, strict=False):
        for column, value in zip(chart.cities, values, strict=False):
            yield row, column, value


def _cells_that_are(wrong: Callable[[float | None], bool], c: Checked) -> Iterator[tuple[str, str, Any]]:
    """Yield the cells with an amount that a function finds wrong; it is called once for each amount."""
    chart = c.board.payoffs
    amounts = {value for value in set().union(*chart.thousands) if wrong(value)}
    if not amounts:
        return
    for number, (row, values) in enumerate(zip(chart.cities, chart.thousands, strict=False)):
        if values[number] in amounts:
            yield row, row, values[number]
        if amounts.isdisjoint(values[:number] + values[number + 1 :]):
            continue
        for column, value in zip(chart.cities, values, strict=False):
            if column != row and value in amounts:
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
    listed("P01", _square),
    listed("P02", _complete),
    listed("P03", _symmetric),
    listed("P04", _diagonal),
    listed("P05", _twins),
    listed("P06", _grid),
    listed("P07", _positive),
    listed("P13", _by_default),
)
