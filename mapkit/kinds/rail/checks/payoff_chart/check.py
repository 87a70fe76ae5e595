"""Verdict on a payoff chart: findings, and every cell with its expected amount."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from mapkit.core.arrays import median
from mapkit.core.findings import Finding
from mapkit.core.memo import memoize_by_identity
from mapkit.formats.cells.table import quote_text
from mapkit.kinds.rail.charts.payoffs.board_readings import chart_of_board, is_computed
from mapkit.kinds.rail.charts.payoffs.diagnosis import (
    FLAG,
    Diagnosis,
    TooFewAmountsError,
    basis_of,
    diagnose,
    find_equal_rows,
    infer_step,
)
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances
from mapkit.kinds.rail.charts.payoffs.row_slips import undo_row_slips
from mapkit.kinds.rail.checks.chart_places import parse_cell_place
from mapkit.kinds.rail.checks.payoff_chart.findings import list_payoff_findings
from mapkit.kinds.rail.checks.payoff_chart.form import GRID, ChartForm, ExpectedAmounts, find_form_faults
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.chart import CellNotRead, PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis, finding_data

FINEST = 0.01
"""Finest step of amounts, thousands."""


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
        board: The board of the distances. Findings that it accepts are accepted in the chart too, if the chart has the
            board's own amounts there. Amounts computed by mapkit are not judged.
        unread: Cells of the file without a readable amount.

    Returns:
        The diagnosis; for a chart with too few cities or amounts to judge, only the findings on its form.
    """
    given_amounts, row_slips = undo_row_slips(np.array(chart.given), distances)
    step = step or infer_step(given_amounts, least=FINEST if board is None else GRID)
    computed_cells = _find_computed_cells(board, chart) if board is not None else None
    is_all_computed = computed_cells is not None and bool(computed_cells.all())
    diagnosis: Diagnosis | None
    try:
        diagnosis = diagnose(given_amounts, distances, step=step)
    except TooFewAmountsError:
        diagnosis = None
    twin_cells = distances.twins if distances and distances.moves is not None else find_equal_rows(given_amounts)
    city_index = {city: k for k, city in enumerate(chart.cities)}
    chart_form = ChartForm(
        given_amounts,
        [(city, names.get(city, city)) for city in chart.cities],
        twin_cells,
        step=step,
        square=chart.square,
        row_slips=row_slips,
        computed=is_all_computed,
        lacking=[(city.id, city.name) for city in board.cities if city.id not in chart.cities] if board else (),
        unread={(city_index[cell.a], city_index[cell.b]): f"{quote_text(cell.text)}: {cell.why}" for cell in unread},
        expected=ExpectedAmounts(diagnosis.fit.expected, diagnosis.fit.sd) if diagnosis is not None else None,
        explained={
            cell
            for slip in (diagnosis.structure if diagnosis is not None else ())
            for row, col, *_ in slip.cells
            for cell in ((row, col), (col, row))
        },
    )
    chart_report = list_payoff_findings(
        chart,
        names,
        find_form_faults(chart_form),
        diagnosis,
        {(reading.row, reading.col): parse_cell_place(reading.where, file=chart.file) for reading in chart.readings}
        | {(city_index[cell.a], city_index[cell.b]): parse_cell_place(cell.where, file=chart.file) for cell in unread},
        accepted=_make_acceptance_lookup(board, chart) if board is not None else lambda _: None,
        is_computed=lambda finding: (
            computed_cells is not None and all(computed_cells[cell] for cell in _finding_cells(finding, chart))
        ),
    )
    median_sd = None
    if diagnosis is not None:
        median_sd = round(median(diagnosis.fit.sd[np.triu(np.isfinite(diagnosis.fit.sd), 1)]), 4)
    return PayoffDiagnosis(
        findings=chart_report.findings,
        checks=chart_report.checks,
        chart=chart.file,
        board=None if board is None else board.id,
        basis=basis_of(distances),
        step=step,
        sd=median_sd,
        flag=FLAG,
        cities=chart.cities,
        names=tuple(names.get(city, city) for city in chart.cities),
        detours=tuple((chart.cities[i], chart.cities[j]) for i, j in diagnosis.detours) if diagnosis else (),
        cells=_judge_cells(chart.cities, diagnosis, twin_cells, computed_cells) if diagnosis is not None else (),
    )


def judge_board(board: Board, step: float | None = None) -> PayoffDiagnosis:
    """Return the diagnosis of a board's own chart; that of the last board is cached."""
    chart_inputs = (board.payoffs, board.mileposts, board.segments, board.cities)
    check_settings = (step, board.id, tuple(board.provenance.accepted.items()))
    for cached_inputs, chart_diagnosis in _LAST_DIAGNOSIS:
        if cached_inputs[0] == check_settings and all(
            a is b for a, b in zip(cached_inputs[1:], chart_inputs, strict=True)
        ):
            return chart_diagnosis
    own_chart = _get_own_chart(board)
    distances = board_distances(board, own_chart.cities)
    city_names = {city.id: city.name for city in board.cities}
    chart_diagnosis = check_chart(own_chart, distances=distances, names=city_names, step=step, board=board)
    _LAST_DIAGNOSIS[:] = [((check_settings, *chart_inputs), chart_diagnosis)]
    return chart_diagnosis


_LAST_DIAGNOSIS: list[tuple[tuple[object, ...], PayoffDiagnosis]] = []


@memoize_by_identity(1)
def _get_own_chart(board: Board) -> PayoffChart:
    return chart_of_board(board, name=board.id)


def _find_computed_cells(board: Board, chart: PayoffChart) -> NDArray[np.bool_] | None:
    """Return the cells that hold the amounts computed for the board; None if the board's chart was typed."""
    if not is_computed(board):
        return None
    own_amounts = _get_own_chart(board).aligned(chart.cities)
    is_computed_cell: NDArray[np.bool_] = (own_amounts == chart.given) | np.isnan(chart.given)
    return is_computed_cell


def _finding_cells(finding: Finding, chart: PayoffChart) -> list[tuple[int, int]]:
    """Return the cells of a finding, both halves; none of a city that is not in the chart."""
    city_index = {city: k for k, city in enumerate(chart.cities)}
    city_pairs = [(cell["a"], cell["b"]) for cell in finding_data(finding).get("cells", [])]
    city_pairs = city_pairs or [(finding.elements[0], finding.elements[-1])]
    upper_cells = [(city_index[a], city_index[b]) for a, b in city_pairs if a in city_index and b in city_index]
    return [cell for i, j in upper_cells for cell in ((i, j), (j, i))]


def _make_acceptance_lookup(board: Board, chart: PayoffChart) -> Callable[[Finding], str | None]:
    """Return a function from a finding to the board's reason for accepting it, where chart and board agree."""
    accepted_reasons = board.provenance.accepted
    own_amounts = _get_own_chart(board).aligned(chart.cities)
    is_same = (own_amounts == chart.given) | np.isnan(chart.given)

    def why(finding: Finding) -> str | None:
        reason = finding.accepted_reason(accepted_reasons)
        return reason if reason is not None and all(is_same[cell] for cell in _finding_cells(finding, chart)) else None

    return why


def _judge_cells(
    cities: tuple[str, ...],
    diagnosis: Diagnosis,
    is_twin: NDArray[np.bool_],
    is_computed_cell: NDArray[np.bool_] | None,
) -> tuple[JudgedCell, ...]:
    cell_scores = diagnosis.scores
    score_index = {
        (i, j): score_number
        for score_number, (i, j) in enumerate(zip(cell_scores.rows.tolist(), cell_scores.cols.tolist(), strict=True))
    }
    rows, cols = np.nonzero(np.triu(~is_twin, 1))
    cell_values = diagnosis.values[rows, cols].tolist()
    expected_amounts, expected_sd = (
        diagnosis.fit.expected[rows, cols].round(3).tolist(),
        diagnosis.fit.sd[rows, cols].tolist(),
    )
    score_values, suggested_amounts = cell_scores.score.round(4).tolist(), cell_scores.suggested.tolist()
    cell_rows = []
    for cell_number, (i, j) in enumerate(zip(rows.tolist(), cols.tolist(), strict=True)):
        score_number = score_index.get((i, j)) if is_computed_cell is None or not is_computed_cell[i, j] else None
        cell_rows.append(
            {
                "a": cities[i],
                "b": cities[j],
                "value": None if cell_values[cell_number] != cell_values[cell_number] else cell_values[cell_number],
                "expected": expected_amounts[cell_number],
                "sd": max(round(expected_sd[cell_number], 4), 1e-4),
                "score": None if score_number is None else score_values[score_number],
                "slip": "" if score_number is None else str(cell_scores.slip[score_number]),
                "suggested": None if score_number is None else suggested_amounts[score_number],
            }
        )
    return TypeAdapter(tuple[JudgedCell, ...]).validate_python(cell_rows)
