"""Doubts about cells of a picture that contradict the rest of the chart; they are never changed."""

from typing import Final

import numpy as np

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.diagnosis import Diagnosis, diagnose, infer_step
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, PayoffReading, PayoffsRead
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import candidate_amount

_MAX_SHARE: Final = 0.02
"""Largest share of doubted cells; a chart with more of them does not follow distances."""
_COARSEST_STEP: Final = 0.5
PICTURE: Final = "picture"

Pair = tuple[int, int]


def doubt_by_others(found: PayoffsRead, distances: CityDistances | None) -> PayoffsRead:
    """Return the read chart with more doubtful cells, and with candidates ranked by all other amounts.

    A cell is doubted if the payoff model or its triangles indicate that it is probably wrong. A cell with a mirror
    image is not doubted: the picture has it twice, or both are doubtful already.

    Args:
        found: The result of reading.
        distances: Distances of its cities, in the order of the chart; None to judge it alone.
    """
    chart = found.chart
    reading_by_cell = {(r.row, r.col): r for r in chart.readings if r.spot is not None and r.spot.how == PICTURE}
    if not reading_by_cell:
        return found
    given_amounts = np.array(chart.given)
    try:
        chart_diagnosis = diagnose(given_amounts, distances, step=infer_step(given_amounts, least=_COARSEST_STEP))
    except MapkitError:  # too small to judge
        return found
    expected_amounts = chart_diagnosis.fit.expected
    index_by_city = {city: k for k, city in enumerate(chart.cities)}
    ranked_doubts = [
        _rank_candidates(
            cell,
            expected_amounts[index_by_city[cell.a], index_by_city[cell.b]],
            given_amounts[index_by_city[cell.b], index_by_city[cell.a]],
            found.unit,
        )
        for cell in found.in_doubt
    ]
    doubted_pairs = {(cell.a, cell.b) for cell in ranked_doubts}
    single_readings = {cell: r for cell, r in reading_by_cell.items() if np.isnan(given_amounts[cell[::-1]])}
    new_doubts = [
        _make_doubt(chart.cities, single_readings[cell], reason)
        for pair, reason in _find_improbable(chart_diagnosis).items()
        for cell in (pair, pair[::-1])
        if cell in single_readings and (chart.cities[cell[0]], chart.cities[cell[1]]) not in doubted_pairs
    ]
    if len(new_doubts) > _MAX_SHARE * len(reading_by_cell):
        new_doubts = []
    return found.model_copy(
        update={
            "in_doubt": tuple(
                sorted([*ranked_doubts, *new_doubts], key=lambda cell: (index_by_city[cell.a], index_by_city[cell.b]))
            )
        }
    )


def is_pictured(found: PayoffsRead) -> bool:
    """Return whether any cell was read from a picture."""
    return any(reading.spot is not None and reading.spot.how == PICTURE for reading in found.chart.readings)


def _find_improbable(judged: Diagnosis) -> dict[Pair, str]:
    """Return the cells that are probably wrong, with reasons."""
    reason_by_pair: dict[Pair, str] = {}
    _, blamed_cells = judged.triangles
    for cell in blamed_cells:
        comparison = "more" if cell.too_large else "less"
        reason_by_pair[cell.row, cell.col] = (
            f"{cell.explained} other ways between the two cities say that it is {comparison} than it pays"
        )
    scores = judged.scores
    for k in judged.flagged.tolist():
        pair = int(scores.rows[k]), int(scores.cols[k])
        reason_by_pair[pair] = f"all other amounts lead one to expect about {judged.fit.expected[pair]:.1f}"
    return reason_by_pair


def _make_doubt(cities: tuple[str, ...], reading: PayoffReading, why: str) -> CellInDoubt:
    assert reading.spot is not None  # noqa: S101 - it was read from a picture
    return CellInDoubt(
        a=cities[reading.row],
        b=cities[reading.col],
        where=reading.where,
        text=reading.text,
        why=why,
        candidates=(reading.text,),
        page=reading.spot.page,
        box=reading.spot.box,
    )


def _rank_candidates(cell: CellInDoubt, expected: float, mirrored: float, unit: int) -> CellInDoubt:
    """Return a doubtful cell with its candidates ranked: its mirror image first, then the nearest to expected."""
    if np.isnan(expected):
        return cell
    first_candidate, *other_candidates = cell.candidates or ("",)
    amount_by_text = {text: candidate_amount(text, unit) for text in other_candidates}
    ranked_candidates = sorted(
        other_candidates,
        key=lambda text: (amount_by_text[text] != mirrored, abs((amount_by_text[text] or 0.0) - expected)),
    )
    return cell.model_copy(
        update={"candidates": tuple([first_candidate, *ranked_candidates] if cell.candidates else ())}
    )
