"""Computing a payoff chart from distances, and calibrating the model on any chart."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.regression import estimate
from mapkit.kinds.rail.model.payoffs.model import (
    Calibration,
    ComputedPayoffs,
    ModelName,
    Parameter,
    PayoffModel,
    Residual,
)

Matrix = NDArray[np.float64]

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


def compute_payoffs(model: PayoffModel, distances: CityDistances) -> Matrix:
    """Return the chart of a model, n x n thousands.

    It is symmetric by construction, a multiple of the step everywhere, zero on the diagonal and between twins, and at
    least one step on other trips.

    Raises:
        MapkitError: The model asks for distances that the board has not.
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
    paid = np.triu(np.isfinite(chart) & ~distances.twins, 1)
    if int(paid.sum()) < FEWEST:
        raise MapkitError(f"the chart has {int(paid.sum())} amounts; calibrating takes {FEWEST} at least")
    terms = TERMS[model]
    columns = [np.ones(int(paid.sum())), *(_distance(distances, term)[paid] for term in terms)]
    target = chart[paid]
    found = estimate(np.stack(columns, axis=1), target, loss=loss)
    low, high = found.interval()
    rounded = np.round(found.coefficients, 6)
    fitted = PayoffModel(
        model=model, base=float(rounded[0]), step=step, **dict(zip(terms, map(float, rounded[1:]), strict=True))
    )
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
    chart = compute_payoffs(model, distances)
    return ComputedPayoffs(
        model=model,
        cities=distances.cities,
        thousands=tuple(tuple(map(float, row)) for row in chart),
        calibration=calibration,
    )


def _distance(distances: CityDistances, term: str) -> Matrix:
    """Return a distance in the unit of its rate: hundreds of miles, or moves."""
    found: Matrix | None = getattr(distances, term)
    if found is None or not np.isfinite(found).all():
        raise MapkitError(f"the payoff model needs {term} distances, but some cities are joined by no railroad")
    return found if term == "moves" else found / HUNDRED
