"""Checks on the payoff chart (RB-C13)."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import counted
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.checks.empty_payoffs import amounts, cure, found_empty
from mapkit.kinds.rail.checks.payoff_chart import form
from mapkit.kinds.rail.checks.payoff_chart.form import GRID
from mapkit.kinds.rail.model.payoffs.model import CLASSIC


def _square(c: Checked) -> Iterator[Found]:
    """A payoff chart whose rows and columns differ in number, or with a row of another length."""
    chart = c.board.payoffs
    count = len(chart.cities)
    if len(chart.thousands) != count:
        yield Found(
            f"the payoff chart has {counted(len(chart.thousands), 'row')} but "
            f"{counted(count, 'column')}; it must be square",
            ("rows",),
        )
    for city, row in zip(chart.cities, chart.thousands, strict=False):
        if len(row) != count:
            yield Found(
                f"the payoff row of {city} has {counted(len(row), 'amount')} but the chart has "
                f"{counted(count, 'column')}; it must be square",
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
    ids, given = c.board.payoffs.cities, amounts(c)
    for i, j in form.two_readings(given):
        yield Found(
            f"the payoff {_pair(c, ids[i], ids[j])} is {given[i, j]:g} in the row of {_name(c, ids[i])}, but "
            f"{given[j, i]:g} in the row of {_name(c, ids[j])}; find out which is right, and write it in both",
            (ids[i], ids[j]),
            _at(c, ids[i]),
            {"value": float(given[i, j]), "expected": float(given[j, i]), "suggested": None, "cause": "asymmetric"},
        )


def _diagonal(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 from a city to itself."""
    ids, given = c.board.payoffs.cities, amounts(c)
    for i, _ in form.paid_to_itself(given):
        yield Found(
            f"the payoff {_pair(c, ids[i], ids[i])} is {given[i, i]:g}; from a city to itself it must be 0",
            (ids[i],),
            _at(c, ids[i]),
            {"value": float(given[i, i]), "expected": 0, "suggested": 0, "cause": "diagonal"},
        )


def _twins(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 between two cities that share a milepost (RB-C06).

    Nobody travels between them.
    """
    ids, given = c.board.payoffs.cities, amounts(c)
    for i, j in form.paid_between_twins(given, _twin_cells(c)):
        yield Found(
            f"the payoff {_pair(c, ids[i], ids[j])} is {given[i, j]:g}; they share a milepost, so it must be 0 "
            "(RB-C06)",
            (ids[i], ids[j]),
            _at(c, ids[i]),
            {"value": float(given[i, j]), "expected": 0, "suggested": 0, "cause": "twins"},
        )


def _grid(c: Checked) -> Iterator[Found]:
    """An amount that is not a multiple of half a thousand, which is how the chart is printed."""
    ids, given = c.board.payoffs.cities, amounts(c)
    for i, j in form.off_the_grid(given, GRID):
        value = float(given[i, j])
        yield Found(
            f"the payoff {_pair(c, ids[i], ids[j])} is {value:g}, which is not a multiple of {GRID:g}; round it",
            (ids[i],) if i == j else (ids[i], ids[j]),
            _at(c, ids[i]),
            {"value": value, "expected": None, "suggested": round(value / GRID) * GRID, "cause": "off the grid"},
        )


def _positive(c: Checked) -> Iterator[Found]:
    """A payoff of 0 or less between cities that lie on different mileposts."""
    ids, given = c.board.payoffs.cities, amounts(c)
    for i, j in form.not_positive(given, _twin_cells(c)):
        other = float(given[j, i])
        yield Found(
            f"the payoff {_pair(c, ids[i], ids[j])} is {given[i, j]:g}; between different mileposts it must be more "
            "than 0",
            (ids[i], ids[j]),
            _at(c, ids[i]),
            {
                "value": float(given[i, j]),
                "expected": None,
                "suggested": other if other > 0 else None,
                "cause": "not positive",
            },
        )


def _name(c: Checked, city: str) -> str:
    return c.city_names.get(city, city)


def _pair(c: Checked, row: str, column: str) -> str:
    return f"{_name(c, row)} - {_name(c, column)}"


def _twin_cells(c: Checked) -> form.Mask:
    """Return the cells of two cities that share a milepost."""
    at = {city: number for number, city in enumerate(c.board.payoffs.cities)}
    out = np.zeros((len(at), len(at)), dtype=bool)
    for group in c.cities_at.values():
        for one, other in permutations([at[city] for city in group if city in at], 2):
            out[one, other] = True
    return out


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
