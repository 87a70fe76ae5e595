"""Operations of variants on the charts: payoffs in thousands, destination cells."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.model.base import Frozen, Slug
from mapkit.model.payoff_model import PayoffModel
from mapkit.model.variant_board import Op

Thousands = Annotated[float, Field(ge=0, le=10_000)]
Parity = Literal["odd", "even"]
Total = Annotated[int, Field(ge=2, le=12)]


class SetPayoff(Op):
    """Set what a trip between two cities pays, both ways, thousands (RB-C13); without `value` the cell is missing."""

    op: Literal["set-payoff"] = "set-payoff"
    a: Slug
    b: Slug
    was: Thousands | None = None
    value: Thousands | None = None


class ScalePayoffs(Op):
    """Multiply the payoff chart, and round to the grid; no trip between different places pays less than a step."""

    op: Literal["scale-payoffs"] = "scale-payoffs"
    factor: float = Field(gt=0, le=1000)
    step: float = Field(default=0.5, gt=0, le=10, description="The grid, thousands")


class RecomputePayoffs(Op):
    """Compute the payoff chart of the board as it is then, by a model of distances."""

    op: Literal["recompute-payoffs"] = "recompute-payoffs"
    model: PayoffModel


class ImportPayoffs(Op):
    """Take the payoff chart of a file beside the variant; the reader fills in `cities` and `thousands`.

    Cities that the file does not name keep their cells.
    """

    op: Literal["import-payoffs"] = "import-payoffs"
    file: str | None = Field(default=None, max_length=1000, description="Path, relative to the variant's folder")
    cities: tuple[Slug, ...] = ()
    thousands: tuple[tuple[Thousands | None, ...], ...] = ()

    @model_validator(mode="after")
    def _square(self) -> Self:
        if self.file is None and not self.cities:
            raise ValueError("give a file, or cities and thousands")
        if len(self.thousands) != len(self.cities) or any(len(row) != len(self.cities) for row in self.thousands):
            raise ValueError("thousands has a row and a column for each of cities")
        return self


class SetDestination(Op):
    """Set a cell of a destination chart, or empty it; `chart` is `regions` or a region (RB-C14)."""

    op: Literal["set-destination"] = "set-destination"
    chart: Slug
    parity: Parity
    total: Total
    was: Slug | None = None
    value: Slug | None = None


class ChartCell(Frozen):
    """A cell of a destination chart."""

    parity: Parity
    total: Total


class SwapDestinations(Op):
    """Exchange two cells of a destination chart."""

    op: Literal["swap-destinations"] = "swap-destinations"
    chart: Slug
    first: ChartCell
    second: ChartCell


class SolveDestinations(Op):
    """Solve destination charts anew: those named, or all.

    Without `weights` every city and region keeps its old chances as far as the cells allow; with them, a city weighs
    what is given (1 where not), and a region the sum of its cities unless it is named too.
    """

    op: Literal["solve-destinations"] = "solve-destinations"
    charts: tuple[Slug, ...] = ()
    weights: dict[Slug, Annotated[float, Field(ge=0, le=1e9)]] = Field(default_factory=dict)
