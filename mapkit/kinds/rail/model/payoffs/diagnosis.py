"""Results of checking a payoff chart, and corrections accepted from them."""

from typing import Final, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from mapkit.core.base import Frozen, Slug
from mapkit.core.findings import CheckReport, Finding
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt

Basis = Literal["board", "coordinates", "chart"]
"""Where distances come from: rail and great-circle miles, great-circle miles alone, or the chart itself."""
FEWEST_CITIES: Final = 8
"""Cities of a chart whose amounts can be judged by one another: with fewer, every model fits."""
TOO_FEW: Final = f"too few to judge amounts by one another; give {FEWEST_CITIES} cities and 3 amounts a city at least"


class CellOfSlip(TypedDict):
    """Amount explained by a slip, and the amount suggested in its place; thousands."""

    a: str
    b: str
    value: float | None
    suggested: float | None


class JudgedData(TypedDict, total=False):
    """Data of a finding on a payoff chart: of an amount, or of the cells of a slip of many."""

    value: float | None
    expected: float | None
    suggested: float | None
    cause: str
    score: float | None
    mirrored: float
    cells: list[CellOfSlip]


def finding_data(finding: Finding) -> JudgedData:
    """Return the data of a finding of `check_chart`."""
    return cast("JudgedData", finding.data)


class JudgedCell(Frozen):
    """Two cities and the payoff that all other amounts predict for them; thousands."""

    a: Slug
    b: Slug
    value: float | None = Field(description="As it stands; None: no amount, or two that differ")
    expected: float = Field(description="What the other amounts say")
    sd: float = Field(description="Standard deviation of value minus expected", gt=0)
    score: float | None = Field(description="Chance that the amount is wrong; None: not judged")
    slip: str = Field(description="What explains the amount best, if it is wrong")
    suggested: float | None = Field(description="What should stand there, if it is wrong")


class PayoffDiagnosis(CheckReport):
    """All findings on a payoff chart, and every cell with its expected amount."""

    chart: str = Field(description="The file, as given")
    board: Slug | None = Field(description="Id of the board whose geometry judged")
    basis: Basis
    step: float = Field(description="The grid of the amounts, thousands", gt=0)
    sd: float | None = Field(
        description="Median standard deviation of what is expected, thousands; null if there are too few amounts",
        gt=0,
    )
    flag: float = Field(description="Cells with this score or more are findings P08")
    cities: tuple[Slug, ...] = Field(description="In the order of the chart")
    names: tuple[str, ...] = Field(description="Names of the cities, in the same order")
    detours: tuple[tuple[Slug, Slug], ...] = Field(
        description="Without a board: far off what is expected, yet the rows of both cities allow it; nobody can tell"
    )
    cells: tuple[JudgedCell, ...] = Field(description="Pairs of cities but twins, by row, then column")
    left_out: tuple[NameLeftOut, ...] = Field(default=(), description="Names in the file that fit no city")
    in_doubt: tuple[CellInDoubt, ...] = Field(
        default=(), description="Cells that a picture leaves in doubt; they were judged as first read"
    )


class Correction(Frozen):
    """Operation `set-payoff` of a variant file."""

    finding: str = Field(description="Id of the finding that was accepted")
    a: Slug
    b: Slug
    was: float | None = Field(description="Thousands; None where nothing stood")
    value: float
    reason: str


class PayoffRepairs(Frozen):
    """Accepted corrections, and the variant file that makes them."""

    board: str
    corrections: tuple[Correction, ...]
    variant: str = Field(description="The text of the variant file (TOML)")
    cells: int = Field(default=0, ge=0, description="Cells corrected in the chart, if it was written")
