"""Checks on the payoff chart (RB-C13)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import counted
from mapkit.kinds.rail.charts.payoffs.diagnosis import infer_step
from mapkit.kinds.rail.charts.payoffs.readings import is_computed
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.checks.payoff_chart.form import GRID, ChartForm, form_findings
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
    known = {city.id for city in c.board.cities}
    for ident in c.board.payoffs.cities:
        if ident not in known:
            yield Found(f"the payoff chart has {ident!r}, which is not a city of the board; remove it", (ident,))
    yield from _form_findings(c, "P02")


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
    yield from _form_findings(c, "P03")


def _diagonal(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 from a city to itself."""
    yield from _form_findings(c, "P04")


def _twins(c: Checked) -> Iterator[Found]:
    """A payoff other than 0 between two cities that share a milepost (RB-C06).

    Nobody travels between them.
    """
    yield from _form_findings(c, "P05")


def _grid(c: Checked) -> Iterator[Found]:
    """An amount that is not a multiple of the chart's step.

    The step is the coarsest on which 97 % of the amounts are; half a thousand, as charts are printed, or coarser.
    """
    yield from _form_findings(c, "P06")


def _positive(c: Checked) -> Iterator[Found]:
    """A payoff of 0 or less between cities that lie on different mileposts."""
    yield from _form_findings(c, "P07")


def _form_findings(c: Checked, code: str) -> Iterator[Found]:
    """Yield the findings of one code on the form of the chart; those of a computed chart have the rows of cities."""
    payoffs = c.board.payoffs
    given = np.array(payoffs.thousands, dtype=np.float64)
    computed = is_computed(c.board)
    form = ChartForm(
        given,
        [(city, c.city_names.get(city, city)) for city in payoffs.cities],
        _twin_cells(c),
        step=infer_step(given, least=GRID),
        computed=computed,
        lacking=[(city.id, city.name) for city in c.board.cities if city.id not in payoffs.cities],
        cure=f"; {_cure(c)}",
    )
    for found_code, found in form_findings(form):
        if found_code == code:
            city = found.elements[0]
            yield replace(found, place=c.place("cities", city, at="") if computed else _at(c, city))


def _cure(c: Checked) -> str:
    """Return what to do about amounts that are not there."""
    if c.board.variants:
        return 'fill it in with set-payoff, or let mapkit compute it: recompute-payoffs with cells = "missing"'
    return f"fill it in, or let mapkit compute it: mapkit payoffs compute {c.board.id} --missing --into chart"


def _twin_cells(c: Checked) -> NDArray[np.bool_]:
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
