"""Cells of a picture that the rest of the chart speaks against: they are doubted, never changed."""

from typing import Final

import numpy as np

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.diagnosis import Diagnosis, diagnose, infer_step
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, PayoffReading, PayoffsRead
from mapkit.kinds.rail.sources.payoffs.doubts import amount_of

_MOST: Final = 0.02
"""Part of the cells that may be doubted so; a chart with more of them does not follow distances."""
_COARSEST: Final = 0.5
PICTURE: Final = "picture"

Pair = tuple[int, int]


def doubted_by_others(found: PayoffsRead, distances: CityDistances | None) -> PayoffsRead:
    """Return what was read with more cells in doubt, and what doubtful ones may say ranked, by all other amounts.

    A cell is doubted if the payoff model or the triangles that it is a side of say that it is probably wrong. One with
    a mirror image is not: the picture says it twice, or both are in doubt.

    Args:
        found: What was read.
        distances: Of its cities, in the order of the chart; None to judge it alone.
    """
    chart = found.chart
    pictured = {(r.row, r.col): r for r in chart.readings if r.spot is not None and r.spot.how == PICTURE}
    if not pictured:
        return found
    given = np.array(chart.given)
    try:
        judged = diagnose(given, distances, step=infer_step(given, least=_COARSEST))
    except MapkitError:  # too small to judge
        return found
    expected = judged.fit.expected
    at = {city: k for k, city in enumerate(chart.cities)}
    old = [
        _ranked(cell, expected[at[cell.a], at[cell.b]], given[at[cell.b], at[cell.a]], found.unit)
        for cell in found.in_doubt
    ]
    known = {(cell.a, cell.b) for cell in old}
    lone = {cell: r for cell, r in pictured.items() if np.isnan(given[cell[::-1]])}
    new = [
        _doubt(chart.cities, lone[cell], why)
        for pair, why in _spoken_against(judged).items()
        for cell in (pair, pair[::-1])
        if cell in lone and (chart.cities[cell[0]], chart.cities[cell[1]]) not in known
    ]
    if len(new) > _MOST * len(pictured):
        new = []
    return found.model_copy(update={"in_doubt": tuple(sorted([*old, *new], key=lambda cell: (at[cell.a], at[cell.b])))})


def is_pictured(found: PayoffsRead) -> bool:
    """Say whether any cell was read from a picture."""
    return any(reading.spot is not None and reading.spot.how == PICTURE for reading in found.chart.readings)


def _spoken_against(judged: Diagnosis) -> dict[Pair, str]:
    """Return the cells that are probably wrong, and why."""
    out: dict[Pair, str] = {}
    _, blamed = judged.triangles
    for cell in blamed:
        size = "more" if cell.too_large else "less"
        out[cell.row, cell.col] = (
            f"{cell.explained} other ways between the two cities say that it is {size} than it pays"
        )
    scores = judged.scores
    for k in judged.flagged.tolist():
        pair = int(scores.rows[k]), int(scores.cols[k])
        out[pair] = f"all other amounts lead one to expect about {judged.fit.expected[pair]:.1f}"
    return out


def _doubt(cities: tuple[str, ...], reading: PayoffReading, why: str) -> CellInDoubt:
    assert reading.spot is not None  # noqa: S101 - it stands in a picture
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


def _ranked(cell: CellInDoubt, expected: float, mirrored: float, unit: int) -> CellInDoubt:
    """Return a cell in doubt with what it may say besides: what its mirror image says, then the nearest to expected."""
    if np.isnan(expected):
        return cell
    first, *others = cell.candidates or ("",)
    values = {text: amount_of(text, unit) for text in others}
    ranked = sorted(others, key=lambda text: (values[text] != mirrored, abs((values[text] or 0.0) - expected)))
    return cell.model_copy(update={"candidates": tuple([first, *ranked] if cell.candidates else ())})
