"""Checks on the payoff chart (RB-C13)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.charts.payoffs.board_readings import is_computed
from mapkit.kinds.rail.charts.payoffs.diagnosis import infer_step
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.row_slips import undo_row_slips
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.checks.payoff_chart.form import GRID, ChartForm, find_form_faults
from mapkit.kinds.rail.model.payoffs.model import CLASSIC


def _find_chart_not_square(c: CheckedRails) -> Iterator[Found]:
    """A payoff chart with different numbers of rows and columns, or with a row of another length."""
    chart = c.board.payoffs
    city_count = len(chart.cities)
    if len(chart.thousands) != city_count:
        yield Found(
            f"the payoff chart has {count_noun(len(chart.thousands), 'row')} but "
            f"{count_noun(city_count, 'column')}; it must be square",
            ("rows",),
        )
    for city, row in zip(chart.cities, chart.thousands, strict=False):
        if len(row) != city_count:
            yield Found(
                f"the payoff row of {city} has {count_noun(len(row), 'amount')} but the chart has "
                f"{count_noun(city_count, 'column')}; it must be square",
                (city,),
                _row_place(c, city),
            )


def _find_missing_amount(c: CheckedRails) -> Iterator[Found]:
    """A city without payoffs, a row that is not a city, or a single cell that is empty.

    In a computed chart, trips between cities that no railroad connects have no amount. The message lists the cities
    that are cut off.
    """
    city_ids = {city.id for city in c.board.cities}
    for city_id in c.board.payoffs.cities:
        if city_id not in city_ids:
            yield Found(f"the payoff chart has {city_id!r}, which is not a city of the board; remove it", (city_id,))
    yield from _form_findings(c, "P02")


def _find_default_amounts(c: CheckedRails) -> Iterator[Found]:
    """A payoff chart computed by default, as the author neither typed it nor gave a model for it (RB-C13).

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


def _find_asymmetric_amount(c: CheckedRails) -> Iterator[Found]:
    """Two cities with different payoffs in the two directions.

    One of the two cells is wrong. Find out which, and write the right amount in both.
    """
    yield from _form_findings(c, "P03")


def _find_city_pays_itself(c: CheckedRails) -> Iterator[Found]:
    """A payoff other than 0 from a city to itself."""
    yield from _form_findings(c, "P04")


def _find_twins_pay_each_other(c: CheckedRails) -> Iterator[Found]:
    """A payoff other than 0 between two cities that share a milepost (RB-C06).

    Nobody travels between them.
    """
    yield from _form_findings(c, "P05")


def _find_amount_off_step(c: CheckedRails) -> Iterator[Found]:
    """An amount that is not a multiple of the chart's step.

    The step is the coarsest on which 97 % of the amounts are; half a thousand, as charts are printed, or coarser.
    """
    yield from _form_findings(c, "P06")


def _find_amount_not_positive(c: CheckedRails) -> Iterator[Found]:
    """A payoff of 0 or less between cities that lie on different mileposts."""
    yield from _form_findings(c, "P07")


def _form_findings(c: CheckedRails, code: str) -> Iterator[Found]:
    """Yield the findings of one code on the form of the chart; those of a computed chart have the rows of cities."""
    payoffs = c.board.payoffs
    typed_amounts = np.array(payoffs.thousands, dtype=np.float64)
    given_amounts, row_slips = undo_row_slips(typed_amounts, None)
    if row_slips:
        given_amounts, row_slips = undo_row_slips(typed_amounts, board_distances(c.board, payoffs.cities))
    chart_is_computed = is_computed(c.board)
    chart_form = ChartForm(
        given_amounts,
        [(city_id, c.city_names.get(city_id, city_id)) for city_id in payoffs.cities],
        _mark_twin_cells(c),
        step=infer_step(given_amounts, least=GRID),
        row_slips=row_slips,
        computed=chart_is_computed,
        lacking=[(city_id.id, city_id.name) for city_id in c.board.cities if city_id.id not in payoffs.cities],
        cure=f"; {_missing_amount_cure(c)}",
    )
    for found_code, form_finding in find_form_faults(chart_form):
        if found_code == code:
            city_id = form_finding.elements[0]
            yield replace(
                form_finding, place=c.place("cities", city_id, at="") if chart_is_computed else _row_place(c, city_id)
            )


def _missing_amount_cure(c: CheckedRails) -> str:
    """Return the advice on missing amounts."""
    if c.board.variants:
        return 'fill it in with set-payoff, or let mapkit compute it: recompute-payoffs with cells = "missing"'
    return f"fill it in, or let mapkit compute it: mapkit payoffs compute {c.board.id} --missing --into chart"


def _mark_twin_cells(c: CheckedRails) -> NDArray[np.bool_]:
    """Return the cells of two cities that share a milepost."""
    city_index = {city: number for number, city in enumerate(c.board.payoffs.cities)}
    is_twin = np.zeros((len(city_index), len(city_index)), dtype=bool)
    for group in c.cities_at.values():
        for first_index, second_index in permutations([city_index[city] for city in group if city in city_index], 2):
            is_twin[first_index, second_index] = True
    return is_twin


def _row_place(c: CheckedRails, city: str) -> Place:
    return c.place("payoffs", city, at="")


CHECKS = (
    make_listed_check("P01", _find_chart_not_square),
    make_listed_check("P02", _find_missing_amount),
    make_listed_check("P03", _find_asymmetric_amount),
    make_listed_check("P04", _find_city_pays_itself),
    make_listed_check("P05", _find_twins_pay_each_other),
    make_listed_check("P06", _find_amount_off_step),
    make_listed_check("P07", _find_amount_not_positive),
    make_listed_check("P13", _find_default_amounts),
)
