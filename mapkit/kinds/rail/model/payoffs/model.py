"""Models that compute payoff charts, and their fit to a chart."""

from typing import Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, Slug

ModelName = Literal["rail", "rail-ground", "ground", "moves", "rail-ground-moves"]
"""Which distances a payoff is made of."""


class PayoffModel(Frozen):
    """`[payoffs]` of `board.toml`: thousands = base + sum of rates times distances, rounded to the grid."""

    model: ModelName = "rail"
    base: float = Field(default=0.0, ge=-1000, le=1000, description="Thousands for any trip")
    rail: float = Field(default=0.0, ge=-1000, le=1000, description="Thousands per 100 rail miles")
    ground: float = Field(default=0.0, ge=-1000, le=1000, description="Thousands per 100 great-circle miles")
    moves: float = Field(default=0.0, ge=-1000, le=1000, description="Thousands per move")
    step: float = Field(default=0.5, gt=0, le=10, description="The grid; also the least amount, thousands")


CLASSIC: Final = PayoffModel(model="rail", base=-0.2, rail=1.1)
"""What a chart is computed by where nobody says: the printed United States chart, as `mapkit payoffs compute usa
--calibrate` fits it (base -0.2194, rail 1.1022, R2 0.9881), rounded to one decimal place."""


class Parameter(Frozen):
    """An estimate with its 95 % interval (sandwich standard errors)."""

    name: str
    value: float
    low: float
    high: float


class Residual(Frozen):
    """Cell that a model does not explain, thousands."""

    a: Slug
    b: Slug
    value: float
    computed: float


class Calibration(Frozen):
    """Fit of a model to a chart; twins and cities' own cells are left out."""

    model: PayoffModel
    loss: Literal["huber", "tukey"]
    cells: int
    r2: float = Field(description="Part of the variance of the amounts that the rounded model explains")
    rmse: float = Field(description="Root mean square residual, thousands")
    parameters: tuple[Parameter, ...]
    largest: tuple[Residual, ...]


class ComputedPayoffs(Frozen):
    """Computed chart, symmetric, zero on the diagonal and between twins; thousands.

    An amount is None where the model needs a way by rail and there is none.
    """

    model: PayoffModel
    cities: tuple[Slug, ...]
    thousands: tuple[tuple[float | None, ...], ...]
    calibration: Calibration | None = None
    mean: float | None = Field(default=None, description="What a trip pays on average by the odds, thousands")
    filled: int | None = Field(default=None, description="How many empty cells of the board's own chart were computed")
    written: tuple[str, ...] = Field(default=(), description="Files of the board that were written")
