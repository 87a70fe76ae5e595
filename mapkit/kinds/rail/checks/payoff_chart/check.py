"""The whole check of a payoff chart: from what was read of it to a diagnosis with findings, cells and places."""

import re
from collections.abc import Mapping

import numpy as np
from pydantic import TypeAdapter

from mapkit.core.findings import Place
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, diagnose
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.checks.payoff_chart.findings import payoff_findings
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis

_ROW = re.compile(r"^(?P<file>.+):(?P<row>\d+):\d+$", re.DOTALL)


def check_chart(
    chart: PayoffChart,
    *,
    distances: CityDistances | None,
    names: Mapping[str, str],
    step: float,
    board: str | None = None,
) -> PayoffDiagnosis:
    """Judge every amount of a chart by all others.

    Args:
        chart: The chart as typed.
        distances: Of its cities, in its order; None to judge it alone.
        names: Names of the cities by id.
        step: The grid of the amounts, thousands.
        board: Id of the board that the distances are of.

    Raises:
        MapkitError: The chart has too few cities or amounts to judge any by the others.
    """
    given = np.array(chart.given)
    found = diagnose(given, distances, step=step)
    twins = np.zeros(given.shape, dtype=bool) if distances is None else distances.twins
    report = payoff_findings(given, chart.cities, names, found, twins, _places(chart))
    sd = found.fit.sd[np.triu(np.isfinite(found.fit.sd), 1)]
    return PayoffDiagnosis(
        findings=report.findings,
        checks=report.checks,
        chart=chart.file,
        board=board,
        basis=found.basis,
        step=step,
        sd=round(float(np.median(sd)), 4),
        flag=FLAG,
        cities=chart.cities,
        names=tuple(names.get(city, city) for city in chart.cities),
        cells=_cells(chart.cities, found, twins),
    )


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
    """Return the file and row of each cell, both halves; a JSON file has no rows."""
    places: dict[str, Place] = {}
    out = {}
    for reading in chart.readings:
        where = reading.where.rpartition(":")[0]
        if where not in places:
            told = _ROW.match(reading.where)
            places[where] = Place(file=told["file"], row=int(told["row"])) if told else Place(file=chart.file)
        out[reading.row, reading.col] = places[where]
    return out
