"""The whole check of a payoff chart: from what was read of it to a diagnosis with findings, cells and places."""

import re
from collections.abc import Callable, Mapping

import numpy as np
from pydantic import TypeAdapter

from mapkit.core.arrays import median
from mapkit.core.errors import MapkitError
from mapkit.core.findings import Finding, Place
from mapkit.core.memo import remembered
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, diagnose, infer_step
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances
from mapkit.kinds.rail.charts.payoffs.readings import chart_of_board
from mapkit.kinds.rail.checks.payoff_chart.findings import payoff_findings
from mapkit.kinds.rail.checks.payoff_chart.form import GRID
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis, judged

FINEST = 0.01
"""Amounts are kept to the hundredth of a thousand."""
_PLACE = re.compile(r"(?P<file>.+?):(?:(?P<row>\d+):\d+|(?P<path>\$.*|page \d.*))", re.DOTALL)


def check_chart(
    chart: PayoffChart,
    *,
    distances: CityDistances | None,
    names: Mapping[str, str],
    step: float | None,
    board: Board | None = None,
) -> PayoffDiagnosis:
    """Judge every amount of a chart by all others.

    Args:
        chart: The chart as typed.
        distances: Of its cities, in its order; None to judge it alone.
        names: Names of the cities by id.
        step: The grid of the amounts, thousands; None to infer it, for a board half a thousand or coarser.
        board: The board that the distances are of. What it accepts is accepted in the chart too, where the chart has
            the board's own amounts.

    Raises:
        MapkitError: The chart has too few cities or amounts to judge any by the others.
    """
    given = np.array(chart.given)
    step = step or infer_step(given, least=FINEST if board is None else GRID)
    try:
        found = diagnose(given, distances, step=step)
    except MapkitError as error:
        raise MapkitError(f"{chart.file}: {error}") from error
    twins = np.zeros(given.shape, dtype=bool) if distances is None else distances.twins
    report = payoff_findings(
        chart,
        names,
        found,
        twins,
        _places(chart),
        lacking=[city.id for city in board.cities if city.id not in chart.cities] if board is not None else (),
        accepted=_accepts(board, chart) if board is not None else lambda _: None,
    )
    sd = found.fit.sd[np.triu(np.isfinite(found.fit.sd), 1)]
    return PayoffDiagnosis(
        findings=report.findings,
        checks=report.checks,
        chart=chart.file,
        board=None if board is None else board.id,
        basis=found.basis,
        step=step,
        sd=round(median(sd), 4),
        flag=FLAG,
        cities=chart.cities,
        names=tuple(names.get(city, city) for city in chart.cities),
        detours=tuple((chart.cities[i], chart.cities[j]) for i, j in found.detours),
        cells=_cells(chart.cities, found, twins),
    )


def judge_board(board: Board, step: float | None = None) -> PayoffDiagnosis:
    """Return the diagnosis of a board's own chart; that of the last board is kept.

    Raises:
        MapkitError: The chart is too small to judge.
    """
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


def _accepts(board: Board, chart: PayoffChart) -> Callable[[Finding], str | None]:
    """Return what says why a finding is right: the board accepts it, and the chart has the board's amounts there."""
    accepted = board.provenance.accepted
    own = _own_chart(board).aligned(chart.cities)
    same = (own == chart.given) | np.isnan(chart.given)
    at = {city: k for k, city in enumerate(chart.cities)}

    def why(finding: Finding) -> str | None:
        reason = accepted.get(finding.id)
        if reason is None:
            return None
        pairs = [(cell["a"], cell["b"]) for cell in judged(finding).get("cells", [])]
        cells = [(at[a], at[b]) for a, b in pairs or [(finding.elements[0], finding.elements[-1])]]
        return reason if all(same[i, j] and same[j, i] for i, j in cells) else None

    return why


def _cells(cities: tuple[str, ...], found: Diagnosis, twins: np.typing.NDArray[np.bool_]) -> tuple[JudgedCell, ...]:
    scores = found.scores
    at = {(i, j): k for k, (i, j) in enumerate(zip(scores.rows.tolist(), scores.cols.tolist(), strict=True))}
    rows, cols = np.nonzero(np.triu(~twins, 1))
    values = found.values[rows, cols].tolist()
    expected, sd = found.fit.expected[rows, cols].round(3).tolist(), found.fit.sd[rows, cols].tolist()
    score, suggested = scores.score.round(4).tolist(), scores.suggested.tolist()
    out = []
    for n, (i, j) in enumerate(zip(rows.tolist(), cols.tolist(), strict=True)):
        k = at.get((i, j))
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
    places: dict[str, Place] = {}
    out = {}
    for reading in chart.readings:
        found = _PLACE.fullmatch(reading.where)
        where = reading.where if found is None or found["path"] else reading.where.rpartition(":")[0]
        if where not in places:
            row = int(found["row"]) if found and found["row"] else None
            places[where] = Place(file=found["file"] if found else chart.file, row=row, path=found and found["path"])
        out[reading.row, reading.col] = places[where]
    return out
