"""The verdict on a payoff chart: findings, and every cell with what is expected of it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from mapkit.core.arrays import median
from mapkit.core.findings import Finding, Place
from mapkit.core.memo import remembered
from mapkit.formats.cells.table import shown
from mapkit.kinds.rail.charts.payoffs.diagnosis import (
    FLAG,
    Diagnosis,
    TooFewAmountsError,
    basis_of,
    diagnose,
    infer_step,
)
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances
from mapkit.kinds.rail.charts.payoffs.readings import chart_of_board, is_computed
from mapkit.kinds.rail.checks.chart_places import place_of
from mapkit.kinds.rail.checks.payoff_chart.findings import payoff_findings
from mapkit.kinds.rail.checks.payoff_chart.form import GRID, ChartForm, ExpectedAmounts, form_findings
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.chart import CellNotRead, PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis, judged

FINEST = 0.01
"""Amounts are kept to the hundredth of a thousand."""


def check_chart(
    chart: PayoffChart,
    *,
    distances: CityDistances | None,
    names: Mapping[str, str],
    step: float | None,
    board: Board | None = None,
    unread: Sequence[CellNotRead] = (),
) -> PayoffDiagnosis:
    """Judge every amount of a chart by all others.

    Args:
        chart: The chart as typed.
        distances: Of its cities, in its order; None to judge it alone.
        names: Names of the cities by id.
        step: The grid of the amounts, thousands; None to infer it, for a board half a thousand or coarser.
        board: The board that the distances are of. What it accepts is accepted in the chart too, where the chart has
            the board's own amounts. Amounts that mapkit computed for it are not judged.
        unread: Cells of the file that hold something else than an amount.

    Returns:
        The diagnosis; of a chart with too few cities or amounts to judge any by the others, what its form says.
    """
    given = np.array(chart.given)
    step = step or infer_step(given, least=FINEST if board is None else GRID)
    computed = _computed_cells(board, chart) if board is not None else None
    is_all_computed = computed is not None and bool(computed.all())
    diagnosis: Diagnosis | None
    try:
        diagnosis = diagnose(given, distances, step=step)
    except TooFewAmountsError:
        diagnosis = None
    twins = np.zeros(given.shape, dtype=bool) if distances is None else distances.twins
    at = {city: k for k, city in enumerate(chart.cities)}
    form = ChartForm(
        given,
        [(city, names.get(city, city)) for city in chart.cities],
        twins,
        step=step,
        square=chart.square,
        computed=is_all_computed,
        lacking=[(city.id, city.name) for city in board.cities if city.id not in chart.cities] if board else (),
        unread={(at[cell.a], at[cell.b]): f"{shown(cell.text)}: {cell.why}" for cell in unread},
        expected=ExpectedAmounts(diagnosis.fit.expected, diagnosis.fit.sd) if diagnosis is not None else None,
    )
    report = payoff_findings(
        chart,
        names,
        form_findings(form),
        diagnosis,
        _places(chart) | {(at[cell.a], at[cell.b]): place_of(cell.where, file=chart.file) for cell in unread},
        accepted=_accepts(board, chart) if board is not None else lambda _: None,
        is_computed=lambda finding: computed is not None and all(computed[cell] for cell in _cells_of(finding, chart)),
    )
    sd = None
    if diagnosis is not None:
        sd = round(median(diagnosis.fit.sd[np.triu(np.isfinite(diagnosis.fit.sd), 1)]), 4)
    return PayoffDiagnosis(
        findings=report.findings,
        checks=report.checks,
        chart=chart.file,
        board=None if board is None else board.id,
        basis=basis_of(distances),
        step=step,
        sd=sd,
        flag=FLAG,
        cities=chart.cities,
        names=tuple(names.get(city, city) for city in chart.cities),
        detours=tuple((chart.cities[i], chart.cities[j]) for i, j in diagnosis.detours) if diagnosis else (),
        cells=_cells(chart.cities, diagnosis, twins, computed) if diagnosis is not None else (),
    )


def judge_board(board: Board, step: float | None = None) -> PayoffDiagnosis:
    """Return the diagnosis of a board's own chart; that of the last board is kept."""
    key = (board.payoffs, board.mileposts, board.segments, board.cities)
    setting = (step, board.id, tuple(board.provenance.accepted.items()))
    for known, found in _LAST:
        if known[0] == setting and all(a is b for a, b in zip(known[1:], key, strict=True)):
            return found
    chart = _own_chart(board)
    distances = board_distances(board, chart.cities)
    names = {city.id: city.name for city in board.cities}
    found = check_chart(chart, distances=distances, names=names, step=step, board=board)
    _LAST[:] = [((setting, *key), found)]
    return found


_LAST: list[tuple[tuple[object, ...], PayoffDiagnosis]] = []


@remembered(1)
def _own_chart(board: Board) -> PayoffChart:
    return chart_of_board(board, name=board.id)


def _computed_cells(board: Board, chart: PayoffChart) -> NDArray[np.bool_] | None:
    """Return the cells that hold what mapkit computed for the board; None if the board's chart was typed."""
    if not is_computed(board):
        return None
    own = _own_chart(board).aligned(chart.cities)
    computed: NDArray[np.bool_] = (own == chart.given) | np.isnan(chart.given)
    return computed


def _cells_of(finding: Finding, chart: PayoffChart) -> list[tuple[int, int]]:
    """Return the cells that a finding is about, both halves; none of a city that is not in the chart."""
    at = {city: k for k, city in enumerate(chart.cities)}
    pairs = [(cell["a"], cell["b"]) for cell in judged(finding).get("cells", [])]
    pairs = pairs or [(finding.elements[0], finding.elements[-1])]
    cells = [(at[a], at[b]) for a, b in pairs if a in at and b in at]
    return [cell for i, j in cells for cell in ((i, j), (j, i))]


def _accepts(board: Board, chart: PayoffChart) -> Callable[[Finding], str | None]:
    """Return what says why a finding is right: the board accepts it, and the chart has the board's amounts there."""
    accepted = board.provenance.accepted
    own = _own_chart(board).aligned(chart.cities)
    same = (own == chart.given) | np.isnan(chart.given)

    def why(finding: Finding) -> str | None:
        reason = finding.accepted_reason(accepted)
        return reason if reason is not None and all(same[cell] for cell in _cells_of(finding, chart)) else None

    return why


def _cells(
    cities: tuple[str, ...], found: Diagnosis, twins: NDArray[np.bool_], computed: NDArray[np.bool_] | None
) -> tuple[JudgedCell, ...]:
    scores = found.scores
    at = {(i, j): k for k, (i, j) in enumerate(zip(scores.rows.tolist(), scores.cols.tolist(), strict=True))}
    rows, cols = np.nonzero(np.triu(~twins, 1))
    values = found.values[rows, cols].tolist()
    expected, sd = found.fit.expected[rows, cols].round(3).tolist(), found.fit.sd[rows, cols].tolist()
    score, suggested = scores.score.round(4).tolist(), scores.suggested.tolist()
    out = []
    for n, (i, j) in enumerate(zip(rows.tolist(), cols.tolist(), strict=True)):
        k = at.get((i, j)) if computed is None or not computed[i, j] else None
        out.append(
            {
                "a": cities[i],
                "b": cities[j],
                "value": None if values[n] != values[n] else values[n],
                "expected": expected[n],
                "sd": max(round(sd[n], 4), 1e-4),
                "score": None if k is None else score[k],
                "slip": "" if k is None else str(scores.slip[k]),
                "suggested": None if k is None else suggested[k],
            }
        )
    return TypeAdapter(tuple[JudgedCell, ...]).validate_python(out)


def _places(chart: PayoffChart) -> dict[tuple[int, int], Place]:
    """Return the file and row of each cell, both halves; a JSON file has paths."""
    return {(reading.row, reading.col): place_of(reading.where, file=chart.file) for reading in chart.readings}
