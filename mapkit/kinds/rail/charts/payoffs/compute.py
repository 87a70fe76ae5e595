"""Computation of a payoff chart from distances, and calibration of its model on any chart."""

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
"""Limit of rates in thousands, as in the fields of `PayoffModel`."""


def compute_payoffs(model: PayoffModel, distances: CityDistances) -> Matrix:
    """Return the chart of a model, n x n thousands; NaN without a route for a distance of the model.

    It is symmetric by construction, a multiple of the step everywhere, zero on the diagonal and between twins, and at
    least one step on other trips.

    Raises:
        MapkitError: The distances that the model needs were not measured.
    """
    raw_amounts = np.full(distances.ground.shape, model.base)
    for term in TERMS[model.model]:
        raw_amounts += getattr(model, term) * _distance_in_rate_units(distances, term)
    raw_amounts = (raw_amounts + raw_amounts.T) / 2
    # round half up, as people do, not half to even
    payoff_chart = np.maximum(np.floor(raw_amounts / model.step + 0.5 + 1e-9), 1.0) * model.step
    payoff_chart[distances.twins] = 0.0
    np.fill_diagonal(payoff_chart, 0.0)
    return np.asarray(payoff_chart, dtype=np.float64)


def calibrate(
    chart: Matrix,
    distances: CityDistances,
    *,
    model: ModelName = "rail",
    step: float = 0.5,
    loss: Literal["huber", "tukey"] = "tukey",
) -> Calibration:
    """Fit a model to a chart by regression robust against misprints.

    Args:
        chart: n x n thousands, symmetric, NaN where there is none.
        distances: Distances of the same cities in the same order.
        model: The distances that make up a payoff.
        step: The grid of the computed chart, thousands.
        loss: `huber`, or `tukey` (an MM-estimate started from Huber's).

    Raises:
        MapkitError: The chart has too few amounts, or the board lacks the distances.
    """
    terms = TERMS[model]
    distances_by_term = [_distance_in_rate_units(distances, term) for term in terms]
    is_paid = np.triu(np.isfinite(chart) & ~distances.twins & np.isfinite(sum(distances_by_term)), 1)
    if int(is_paid.sum()) < FEWEST:
        raise MapkitError(
            f"the chart has {int(is_paid.sum())} amounts between cities that railroads join; "
            f"calibrating takes {FEWEST} at "
            "least"
        )
    regressors = [np.ones(int(is_paid.sum())), *(distance[is_paid] for distance in distances_by_term)]
    target_amounts = chart[is_paid]
    regression = estimate(np.stack(regressors, axis=1), target_amounts, loss=loss)
    low_values, high_values = regression.interval()
    rounded_coefficients = np.round(regression.coefficients, 6)
    fitted_model = _make_model(model, step, dict(zip(("base", *terms), map(float, rounded_coefficients), strict=True)))
    computed_amounts = compute_payoffs(fitted_model, distances)[is_paid]
    residuals = target_amounts - computed_amounts
    rows, cols = np.nonzero(is_paid)
    largest_indices = np.lexsort((cols, rows, -np.round(np.abs(residuals), 6)))[:LARGEST]
    return Calibration(
        model=fitted_model,
        loss=loss,
        cells=len(target_amounts),
        r2=round(float(1 - (residuals**2).sum() / ((target_amounts - target_amounts.mean()) ** 2).sum()), 6),
        rmse=round(float(np.sqrt((residuals**2).mean())), 6),
        parameters=tuple(
            Parameter(
                name=parameter_name, value=round(float(coefficient), 6), low=round(float(a), 6), high=round(float(b), 6)
            )
            for parameter_name, coefficient, a, b in zip(
                ("base", *terms), regression.coefficients, low_values, high_values, strict=True
            )
        ),
        largest=tuple(
            Residual(
                a=distances.cities[rows[k]],
                b=distances.cities[cols[k]],
                value=float(target_amounts[k]),
                computed=float(computed_amounts[k]),
            )
            for k in largest_indices
        ),
    )


def compute_chart(
    model: PayoffModel, distances: CityDistances, calibration: Calibration | None = None
) -> ComputedPayoffs:
    """Return the chart of a model as a value."""
    return ComputedPayoffs(
        model=model,
        cities=distances.cities,
        thousands=matrix_to_rows(compute_payoffs(model, distances)),
        calibration=calibration,
    )


def matrix_to_rows(chart: Matrix) -> Rows:
    """Return a chart as rows, with None for missing amounts."""
    return tuple(tuple(None if np.isnan(value) else float(value) for value in row) for row in chart)


def choose_model(own: PayoffModel | None, chart: Matrix, distances: CityDistances) -> PayoffModel:
    """Return the model of a board's missing amounts.

    It is the one in `[payoffs]`; else a model of rail miles, fitted to the board's own chart; else, if the chart has
    too few amounts, `CLASSIC`.

    Args:
        own: The model in `[payoffs]`.
        chart: n x n thousands, symmetric, NaN where there is none.
        distances: Of the same cities in the same order.
    """
    if own is not None:
        return own
    try:
        return calibrate(chart, distances).model
    except MapkitError:
        return CLASSIC


def scale_model(model: PayoffModel, factor: float) -> PayoffModel:
    """Return a model with amounts larger by a factor, before rounding to the grid."""
    scaled_rates = {
        rate_name: round(getattr(model, rate_name) * factor, 6) for rate_name in ("base", *TERMS[model.model])
    }
    return _make_model(model.model, model.step, scaled_rates)


def _make_model(model: ModelName, step: float, rates: Mapping[str, float]) -> PayoffModel:
    """Return a model; raise an error for a rate above the limit."""
    for rate_name, rate in rates.items():
        if not abs(rate) <= MOST_RATE:
            raise MapkitError(f"{rate_name} would be {rate:g} thousand, and a model may say {MOST_RATE:g} at most")
    return PayoffModel.model_validate({"model": model, "step": step, **rates})


def _distance_in_rate_units(distances: CityDistances, term: str) -> Matrix:
    """Return a distance in the unit of its rate, hundreds of miles or moves; NaN without a route."""
    term_distances: Matrix | None = getattr(distances, term)
    if term_distances is None:
        raise MapkitError(f"the payoff model needs {term} distances, and there are none")
    return term_distances if term == "moves" else term_distances / HUNDRED
