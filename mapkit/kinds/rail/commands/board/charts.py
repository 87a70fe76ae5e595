"""Commands of the payoff chart, in thousands, and of destination cells."""

import math
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import counted
from mapkit.document.command import Names
from mapkit.document.document import ordered
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs, model_of, rows_of
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.readings import amounts
from mapkit.kinds.rail.commands.board.base import CityId, ElementCommand, RegionId, city, region
from mapkit.kinds.rail.commands.board.regions import payoff_city
from mapkit.kinds.rail.commands.board.solving import cells, chances, need_chart, region_ids, solve, weighed
from mapkit.kinds.rail.commands.command import CommandError, Draft, command
from mapkit.kinds.rail.commands.naming import city_name
from mapkit.kinds.rail.compiler.boards import Start
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.tables import Cell, Payoff, payoff_key

Thousands = Annotated[float, Field(ge=0, le=10_000)]
Parity = Literal["odd", "even"]
Total = Annotated[int, Field(ge=2, le=12)]
Item = Annotated[Slug, Names("item", by="chart")]
Weights = dict[Annotated[Slug, Names("city or region")], Annotated[float, Field(ge=0, le=1e9)]]


def payoffs(draft: Draft) -> "dict[str, Payoff]":
    """Return the cells of the payoff chart."""
    return draft.rows("payoffs", Payoff)  # type: ignore[return-value]


def pays(draft: Draft, a: str, b: str) -> float | None:
    """Return what a trip pays from one city to another."""
    row = payoffs(draft).get(payoff_key(a, b))
    if row is None:
        return 0.0 if a == b else None
    return row.thousands if a <= b or row.below == "same" else row.below


def set_pays(draft: Draft, a: str, b: str, there: float | None, back: float | None) -> None:
    """Set what a trip pays from one city to another, and back."""
    key = payoff_key(a, b)
    if (there is None and back is None and a != b) or (a == b and there == 0):  # as without a row
        draft.drop("payoffs", key)
        return
    above, below = (there, back) if a <= b else (back, there)
    draft.put("payoffs", key, Payoff(thousands=above, below="same" if above == below else below))


@command("elements", op="set-payoff")
class ChangePayoff(ElementCommand):
    """Set what a trip between two cities pays, both ways, thousands (RB-C13); without `value` the cell is missing."""

    kind: Literal["change-payoff"] = "change-payoff"
    a: CityId
    b: CityId
    was: Thousands | None = None
    value: Thousands | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        for ident in (self.a, self.b):
            payoff_city(draft, ident)
            draft.rely("cities", ident, "exists")
        now = pays(draft, self.a, self.b)
        if self.was is not None and now != self.was:
            said = "missing" if now is None else f"{now:g}"
            raise CommandError(f"{self.a} - {self.b} pays {said}, not {self.was:g}; correct `was`")
        set_pays(draft, self.a, self.b, self.value, self.value)
        draft.stamp("payoffs", payoff_key(self.a, self.b))
        said = "empty" if self.value is None else f"{self.value:g}"
        return f"Set {city_name(draft, self.a)} - {city_name(draft, self.b)} to {said}"


@command("elements", op="scale-payoffs")
class ScalePayoffChart(ElementCommand):
    """Multiply the payoff chart, and round to the grid; no trip between different places pays less than a step."""

    kind: Literal["scale-payoff-chart"] = "scale-payoff-chart"
    factor: float = Field(gt=0, le=1000)
    step: float = Field(default=0.5, gt=0, le=10, description="The grid, thousands")

    def change(self, draft: Draft) -> str:
        """Plan it; half a step goes up."""
        draft.rely("payoffs")
        with draft.unstamped():
            for key, row in list(payoffs(draft).items()):
                below = row.below if row.below == "same" else self._scaled(row.below)
                draft.put("payoffs", key, Payoff(thousands=self._scaled(row.thousands), below=below))
        _stamp_all(draft)
        return f"Scale the payoff chart by {self.factor:g}"

    def _scaled(self, value: float | None) -> float | None:
        if not value:
            return value
        return float(max(math.floor(value * self.factor / self.step + 0.5 + 1e-9), 1.0) * self.step)


def _stamp_all(draft: Draft) -> None:
    for ident in draft.table("payoff_cities"):
        draft.stamp("payoff_cities", ident)


@command("elements")
class RecomputePayoffs(ElementCommand):
    """Compute the payoff chart of the board as it is then, by a model of distances.

    Without `model` it is the board's own: that of `[payoffs]` in `board.toml`, else one fitted to the chart before.
    `cells` computes all amounts, or only those that are missing.
    """

    kind: Literal["recompute-payoffs"] = "recompute-payoffs"
    model: PayoffModel | None = None
    cells: Literal["all", "missing"] = "all"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        order = tuple(key for key, _ in ordered(draft.table("payoff_cities")))
        if not set(order) <= set(draft.table("cities")):
            raise CommandError("the payoff chart has cities that are not on the board; remove them first")
        for table in ("payoffs", "mileposts", "junctions", "track", "railroads", "cities", "regions"):
            draft.rely(table)
        before = draft.index(Start).compiled
        try:
            live = compile_document(draft.document, board_id=before.id, before=before)
            model = self.model or _own_model(before.board)
            chart = rows_of(compute_payoffs(model, board_distances(live.board, order)))
        except MapkitError as error:
            raise CommandError(str(error)) from error
        with draft.unstamped():
            for i, one in enumerate(order):
                for j in range(i, len(order)):
                    there, back = chart[i][j], chart[j][i]
                    if self.cells == "missing":
                        typed = pays(draft, one, order[j]), pays(draft, order[j], one)
                        there, back = (
                            new if old is None else old for old, new in zip(typed, (there, back), strict=True)
                        )
                    set_pays(draft, one, order[j], there, back)
        _stamp_all(draft)
        return "Compute the payoff chart"


def _own_model(board: Board) -> PayoffModel:
    """Return the model that a board's own chart is nearest to."""
    known = {city.id for city in board.cities}
    if not known.issuperset(board.payoffs.cities):
        raise CommandError("the payoff chart has cities that are not on the board, so no model fits it; give `model`")
    return model_of(None, amounts(board.payoffs), board_distances(board, board.payoffs.cities))


@command("elements")
class ImportPayoffs(ElementCommand):
    """Take the payoff chart of a file beside the variant; the reader fills in `cities` and `thousands`.

    Cities that the file does not name keep their cells.
    """

    kind: Literal["import-payoffs"] = "import-payoffs"
    file: str | None = Field(default=None, max_length=1000, description="Path, relative to the variant's folder")
    cities: tuple[CityId, ...] = ()
    thousands: tuple[tuple[Thousands | None, ...], ...] = ()

    @model_validator(mode="after")
    def _square(self) -> Self:
        if self.file is None and not self.cities:
            raise ValueError("give a file, or cities and thousands")
        if len(self.thousands) != len(self.cities) or any(len(row) != len(self.cities) for row in self.thousands):
            raise ValueError("thousands has a row and a column for each of cities")
        return self

    def change(self, draft: Draft) -> str:
        """Plan it."""
        if not self.cities:
            raise CommandError(f"the file {self.file} was not read; apply the variant by its name or path")
        for ident in self.cities:
            payoff_city(draft, ident)
        with draft.unstamped():
            for i, one in enumerate(self.cities):
                for j in range(i, len(self.cities)):
                    set_pays(draft, one, self.cities[j], self.thousands[i][j], self.thousands[j][i])
        for ident in self.cities:
            draft.stamp("payoff_cities", ident)
        return f"Take payoffs of {counted(len(self.cities), 'city', 'cities')}"


@command("elements")
class SetDestination(ElementCommand):
    """Set a cell of a destination chart, or empty it; `chart` is `regions` or a region (RB-C14)."""

    kind: Literal["set-destination"] = "set-destination"
    chart: RegionId
    parity: Parity
    total: Total
    was: Item | None = None
    value: Item | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        need_chart(draft, self.chart)
        key = f"{self.chart}/{self.parity}/{self.total}"
        row = cells(draft).get(key)
        now = None if row is None else row.item
        if self.was is not None and now != self.was:
            raise CommandError(f"{self.chart}, {self.parity} {self.total} is {now!r}, not {self.was!r}; correct `was`")
        if self.value is not None:
            if self.chart == REGIONS:
                region(draft, self.value)
            else:
                found = city(draft, self.value)
                draft.get("cities", self.value, "region")
                if found.region != self.chart:
                    raise CommandError(f"{self.value!r} is a city of {found.region!r}, not of {self.chart!r}")
        draft.put("destinations", key, Cell(item=self.value))
        return f"Set {self.chart} {self.parity} {self.total} to {self.value or 'empty'}"


class ChartCell(Frozen):
    """A cell of a destination chart."""

    parity: Parity
    total: Total


@command("elements")
class SwapDestinations(ElementCommand):
    """Exchange two cells of a destination chart."""

    kind: Literal["swap-destinations"] = "swap-destinations"
    chart: RegionId
    first: ChartCell
    second: ChartCell

    def change(self, draft: Draft) -> str:
        """Plan it."""
        need_chart(draft, self.chart)
        one, other = self.first, self.second
        if one == other:
            raise CommandError(f"{one.parity} {one.total} is swapped with itself; name two cells")
        first, second = (f"{self.chart}/{cell.parity}/{cell.total}" for cell in (one, other))
        contents = [draft.get("destinations", key) for key in (second, first)]
        for key, row in zip((first, second), contents, strict=True):
            draft.put("destinations", key, Cell(item=row.item if isinstance(row, Cell) else None))
        return f"Swap two cells of {self.chart}"


@command("elements")
class SolveDestinations(ElementCommand):
    """Solve destination charts again: those named, or all.

    Without `weights` every city and region keeps its old chances as far as the cells allow; with them, a city weighs
    what is given (1 where not), and a region the sum of its cities unless it is named too.
    """

    kind: Literal["solve-destinations"] = "solve-destinations"
    charts: tuple[RegionId, ...] = ()
    weights: Weights = Field(default_factory=dict)

    def change(self, draft: Draft) -> str:
        """Plan it."""
        charts = self.charts or (REGIONS, *region_ids(draft))
        for chart in charts:
            need_chart(draft, chart)
        label = "Solve the destination charts"
        if not self.weights:
            draft.rely("destinations")
            solve(draft, charts, chances(draft))
            return label
        regions = {r: Fraction(str(w)) for r, w in self.weights.items() if r in draft.table("regions")}
        draft.rely("cities")
        solve(draft, charts, weighed(draft, self.weights), regions)
        return label
