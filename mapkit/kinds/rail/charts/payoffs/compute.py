"""Computing a payoff chart from distances, and calibrating the model on any chart."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.regression import estimate
from mapkit.kinds.rail.model.payoffs.model import (
    CLASSIC,
    Calibration,
    ComputedPayoffs,
    ModelName,
    Parameter,
    PayoffModel,
    Residual,
)

Matrix = NDArray[np.float64]
Rows = tuple[tuple[float | None, ...], ...]

TERMS: Mapping[ModelName, tuple[Literal["rail", "ground", "moves"], ...]] = {
    "rail": ("rail",),
    "rail-ground": ("rail", "ground"),
    "ground": ("ground",),
    "moves": ("moves",),
    "rail-ground-moves": ("rail", "ground", "moves"),
}
HUNDRED = 100.0
LARGEST = 20
FEWEST = 10
MOST_RATE = 1000.0
"""Thousands; as the fields of `PayoffModel` have it."""


def compute_payoffs(model: PayoffModel, distances: CityDistances) -> Matrix:
    """Return the chart of a model, n x n thousands; NaN where the model needs a distance and there is no way.

    It is symmetric by construction, a multiple of the step everywhere, zero on the diagonal and between twins, and at
    least one step on other trips.

    Raises:
        MapkitError: The distances that the model needs were not measured.
    """
    raw = np.full(distances.ground.shape, model.base)
    for term in TERMS[model.model]:
        raw += getattr(model, term) * _distance(distances, term)
    raw = (raw + raw.T) / 2
    # half a step goes up, as people round, not to the even one
    chart = np.maximum(np.floor(raw / model.step + 0.5 + 1e-9), 1.0) * model.step
    chart[distances.twins] = 0.0
    np.fill_diagonal(chart, 0.0)
    return np.asarray(chart, dtype=np.float64)


def calibrate(
    chart: Matrix,
    distances: CityDistances,
    *,
    model: ModelName = "rail",
    step: float = 0.5,
    loss: Literal["huber", "tukey"] = "tukey",
) -> Calibration:
    """Fit a model to a chart by robust regression, so that misprints have no say.

    Args:
        chart: n x n thousands, symmetric, NaN where there is none.
        distances: Of the same cities in the same order.
        model: Which distances a payoff is made of.
        step: The grid of the computed chart, thousands.
        loss: `huber`, or `tukey` (an MM-estimate started from Huber's).

    Raises:
        MapkitError: The chart has too few amounts, or the board has not the distances.
    """
    terms = TERMS[model]
    by_term = [_distance(distances, term) for term in terms]
    paid = np.triu(np.isfinite(chart) & ~distances.twins & np.isfinite(sum(by_term)), 1)
    if int(paid.sum()) < FEWEST:
        raise MapkitError(
            f"the chart has {int(paid.sum())} amounts between cities that a way joins; calibrating takes {FEWEST} at "
            "least"
        )
    columns = [np.ones(int(paid.sum())), *(distance[paid] for distance in by_term)]
    target = chart[paid]
    found = estimate(np.stack(columns, axis=1), target, loss=loss)
    low, high = found.interval()
    rounded = np.round(found.coefficients, 6)
    fitted = _sound(model, step, dict(zip(("base", *terms), map(float, rounded), strict=True)))
    computed = compute_payoffs(fitted, distances)[paid]
    off = target - computed
    rows, cols = np.nonzero(paid)
    order = np.lexsort((cols, rows, -np.round(np.abs(off), 6)))[:LARGEST]
    return Calibration(
        model=fitted,
        loss=loss,
        cells=len(target),
        r2=round(float(1 - (off**2).sum() / ((target - target.mean()) ** 2).sum()), 6),
        rmse=round(float(np.sqrt((off**2).mean())), 6),
        parameters=tuple(
            Parameter(name=name, value=round(float(v), 6), low=round(float(a), 6), high=round(float(b), 6))
            for name, v, a, b in zip(("base", *terms), found.coefficients, low, high, strict=True)
        ),
        largest=tuple(
            Residual(
                a=distances.cities[rows[k]],
                b=distances.cities[cols[k]],
                value=float(target[k]),
                computed=float(computed[k]),
            )
            for k in order
        ),
    )


def computed_chart(
    model: PayoffModel, distances: CityDistances, calibration: Calibration | None = None
) -> ComputedPayoffs:
    """Return the chart of a model as a value."""
    return ComputedPayoffs(
        model=model,
        cities=distances.cities,
        thousands=rows_of(compute_payoffs(model, distances)),
        calibration=calibration,
    )


def rows_of(chart: Matrix) -> Rows:
    """Return a chart as rows, None where there is no amount."""
    return tuple(tuple(None if np.isnan(value) else float(value) for value in row) for row in chart)


def model_of(own: PayoffModel | None, chart: Matrix, distances: CityDistances) -> PayoffModel:
    """Return the model that a board's missing amounts are computed by.

    It is the one in `[payoffs]`; else one of rail miles, fitted to the board's own chart; else, where the chart has too
    few amounts for that, `CLASSIC`.

    Args:
        own: What `[payoffs]` says.
        chart: n x n thousands, symmetric, NaN where there is none.
        distances: Of the same cities in the same order.
    """
    if own is not None:
        return own
    try:
        return calibrate(chart, distances).model
    except MapkitError:
        return CLASSIC


def scaled(model: PayoffModel, factor: float) -> PayoffModel:
    """Return a model whose amounts, before they are rounded to the grid, are larger by a factor."""
    rates = {name: round(getattr(model, name) * factor, 6) for name in ("base", *TERMS[model.model])}
    return _sound(model.model, model.step, rates)


def _sound(model: ModelName, step: float, rates: Mapping[str, float]) -> PayoffModel:
    """Return a model, unless a rate is larger than a model may say."""
    for name, rate in rates.items():
        if not abs(rate) <= MOST_RATE:
            raise MapkitError(f"{name} would be {rate:g} thousand, and a model may say {MOST_RATE:g} at most")
    return PayoffModel.model_validate({"model": model, "step": step, **rates})


def _distance(distances: CityDistances, term: str) -> Matrix:
    """Return a distance in the unit of its rate, hundreds of miles or moves; NaN where there is no way."""
    found: Matrix | None = getattr(distances, term)
    if found is None:
        raise MapkitError(f"the payoff model needs {term} distances, and there are none")
    return found if term == "moves" else found / HUNDRED
