"""Commands of the destination charts (RB-C14)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Slug
from mapkit.core.errors import SourceError
from mapkit.document.command import Names
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.chart_solving import (
    cells,
    city_chances_of,
    need_chart,
    region_ids,
    shares_from_weights,
    solve_charts,
)
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import RegionId, city_name, need_city, need_region, region_name
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.sources.chart_tables import parse_odds
from mapkit.kinds.rail.tables import Cell, Declared, Wanted, cell_key, wanted_key

Parity = Literal["odd", "even"]
Total = Annotated[int, Field(ge=2, le=12)]
Item = Annotated[str, Names("item", by="chart")]
Weights = dict[Annotated[Slug, Names("city or region")], Annotated[float, Field(ge=0, le=1e9)]]


def chart_name(draft: Draft, chart: str) -> str:
    """Return the title of a chart."""
    return "Region chart" if chart == REGIONS else region_name(draft, chart)


def item_name(draft: Draft, chart: str, item: str | None) -> str:
    """Return the name of a cell's item."""
    if item is None:
        return "empty"
    return region_name(draft, item) if chart == REGIONS else city_name(draft, item)


def start_chart(draft: Draft, chart: str) -> None:
    """Give a chart its 22 cells if it has none.

    Raises:
        CommandError: There is no such chart.
    """
    if chart != REGIONS:
        need_region(draft, chart)
    for total in map(int, SUMS):
        for parity in ("odd", "even"):
            cell_id = cell_key(chart, parity, total)
            if cell_id not in draft.table("destinations"):
                draft.put("destinations", cell_id, Cell(item=None))


def put_cell(draft: Draft, chart: str, parity: str, total: int, item: str | None) -> None:
    """Set a cell.

    Raises:
        CommandError: The chart or the item is not there.
    """
    start_chart(draft, chart)
    if item is not None:
        (need_region if chart == REGIONS else need_city)(draft, item)
    draft.put("destinations", cell_key(chart, parity, total), Cell(item=item))


@command("destinations")
class SetDestination(Command):
    """Set a cell of a destination chart to a city, or of the region chart to a region (RB-C14); none empties it.

    The checks report a city of another region.
    """

    kind: Literal["set-destination"] = "set-destination"
    chart: RegionId
    parity: Parity
    total: Total
    item: Item | None = None
    was: Item | None = None

    def edit(self, draft: Draft) -> str:
        """Set the cell, if it holds the expected item."""
        row = cells(draft).get(cell_key(self.chart, self.parity, self.total))
        current_item = None if row is None else row.item
        if self.was is not None and current_item != self.was:
            raise CommandError(
                f"{self.chart}, {self.parity} {self.total} is {current_item!r}, not {self.was!r}; correct `was`"
            )
        put_cell(draft, self.chart, self.parity, self.total, self.item)
        item_text = item_name(draft, self.chart, self.item)
        return f"Set {chart_name(draft, self.chart)} {self.parity} {self.total} to {item_text}"


@command("destinations")
class SwapDestinations(Command):
    """Exchange two cells of one destination chart, each `[parity, total]`."""

    kind: Literal["swap-destinations"] = "swap-destinations"
    chart: RegionId
    a: tuple[Parity, Total]
    b: tuple[Parity, Total]

    def edit(self, draft: Draft) -> str:
        """Exchange the items of the two cells."""
        if self.a == self.b:
            raise CommandError(f"{self.a[0]} {self.a[1]} is swapped with itself; name two cells")
        start_chart(draft, self.chart)
        first_key, second_key = cell_key(self.chart, *self.a), cell_key(self.chart, *self.b)
        swapped_rows = [draft.get("destinations", key) for key in (second_key, first_key)]
        for key, row in zip((first_key, second_key), swapped_rows, strict=True):
            draft.put("destinations", key, Cell(item=row.item if isinstance(row, Cell) else None))
        return f"Swap {chart_name(draft, self.chart)} {self.a[0]} {self.a[1]} and {self.b[0]} {self.b[1]}"


@command("destinations")
class SetChart(Command):
    """Set a whole chart: an item, or null, by sum, for odd and even; cells that are left out become empty."""

    kind: Literal["set-chart"] = "set-chart"
    chart: str
    odd: Mapping[str, str | None]
    even: Mapping[str, str | None]

    def edit(self, draft: Draft) -> str:
        """Set all cells of the chart."""
        for parity, column in (("odd", self.odd), ("even", self.even)):
            unknown = sorted(set(column) - set(SUMS))
            if unknown:
                raise CommandError(f"sum {unknown[0]!r} is impossible; two dice make 2 to 12")
            for total in SUMS:
                put_cell(draft, self.chart, parity, int(total), column.get(total))
        return f"Set chart {chart_name(draft, self.chart)}"


@command("destinations")
class ClearCharts(Command):
    """Take typed charts out, all of them or one, so that they are solved from weights."""

    kind: Literal["clear-charts"] = "clear-charts"
    chart: str | None = None

    def edit(self, draft: Draft) -> str:
        """Drop the cells of the charts."""
        for key in [k for k in draft.table("destinations") if self.chart in (None, k.split("/")[0])]:
            draft.drop("destinations", key)
        return "Clear charts" if self.chart is None else f"Clear chart {chart_name(draft, self.chart)}"


@command("destinations")
class SetDeclared(Command):
    """Declare the odds of an item in a chart, `15/72`, `20.83%` or `0.2083`; null removes them."""

    kind: Literal["set-declared"] = "set-declared"
    chart: str
    item: str
    odds: str | None

    def edit(self, draft: Draft) -> str:
        """Set or drop the declared odds of the item."""
        is_region_chart = self.chart == REGIONS
        if not is_region_chart:
            draft.need("regions", self.chart, "chart")
        draft.need("regions" if is_region_chart else "cities", self.item, "region" if is_region_chart else "city")
        declared_key = f"{self.chart}/{self.item}"
        name = item_name(draft, self.chart, self.item)
        if self.odds is None:
            draft.drop("declared", declared_key)
            return f"Clear declared odds of {name}"
        if not is_region_chart and getattr(draft.table("cities")[self.item], "region", "") != self.chart:
            raise CommandError(f"{name} is not in {chart_name(draft, self.chart)}; choose its own chart")
        try:
            parse_odds(self.odds, "odds")
        except SourceError as error:
            raise CommandError(str(error)) from error
        declared_row = draft.table("declared").get(declared_key)
        rank = declared_row.rank if declared_row else last_rank(draft.table("declared"))
        draft.put(
            "declared", declared_key, Declared(chart=self.chart, item=self.item, odds=self.odds.strip(), rank=rank)
        )
        return f"Declare {name} {self.odds.strip()}"


@command("destinations")
class SetWanted(Command):
    """Set the target of a solved chart for a city or region, as in `charts/wanted.csv`; all empty removes it."""

    kind: Literal["set-wanted"] = "set-wanted"
    name: str = Field(min_length=1, max_length=200)
    chart: str = Field(default="", max_length=200)
    weight: str = Field(default="", max_length=40)
    least: str = Field(default="", max_length=40)
    most: str = Field(default="", max_length=40)
    exactly: str = Field(default="", max_length=40)
    avoid: str = Field(default="", max_length=400)
    cells: str = Field(default="", max_length=400)

    def edit(self, draft: Draft) -> str:
        """Set or drop the target."""
        target_key = wanted_key(self.chart, self.name)
        target_values = self.model_dump(exclude={"kind", "reason", "name", "chart"})
        if not any(target_values.values()):
            draft.drop("wanted", target_key)
            return f"Clear wish of {self.name}"
        target_row = draft.table("wanted").get(target_key)
        rank = target_row.rank if target_row else last_rank(draft.table("wanted"))
        draft.put("wanted", target_key, Wanted(name=self.name, chart=self.chart, **target_values, rank=rank))
        return f"Wish for {self.name}"


@command("destinations")
class SolveDestinations(Command):
    """Solve destination charts again: those named, or all.

    Without `weights` every city and region keeps its old chances as far as the cells allow; with them, a city has the
    given weight (1 if none), and a region the sum of its cities unless it is named too.
    """

    kind: Literal["solve-destinations"] = "solve-destinations"
    charts: tuple[RegionId, ...] = ()
    weights: Weights = Field(default_factory=dict)

    def edit(self, draft: Draft) -> str:
        """Solve the charts from the weights, or from the chances of the draft."""
        solved_charts = self.charts or (REGIONS, *region_ids(draft))
        for chart in solved_charts:
            need_chart(draft, chart)
        label = "Solve the destination charts"
        if not self.weights:
            draft.rely("destinations")
            solve_charts(draft, solved_charts, city_chances_of(draft))
            return label
        region_weights = {r: Fraction(str(w)) for r, w in self.weights.items() if r in draft.table("regions")}
        draft.rely("cities")
        solve_charts(draft, solved_charts, shares_from_weights(draft, self.weights), region_weights)
        return label
