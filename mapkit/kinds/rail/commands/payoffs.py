"""Commands of the payoff chart (RB-C13); amounts in thousands."""

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.errors import MapkitError
from mapkit.core.plurals import count_noun
from mapkit.document.document import last_rank, sort_rows
from mapkit.document.draft import EXISTS
from mapkit.kinds.rail.charts import late
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import CityId, city_name, has_files, refuse_unknown_id
from mapkit.kinds.rail.compiler.board_rows import payoff_rows
from mapkit.kinds.rail.compiler.boards import Start
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.tables import Payoff, PayoffCity, payoff_key

Thousands = Annotated[float, Field(ge=0, le=1e9)]
Pair = tuple[CityId, CityId]


def amount_text(value: float | None) -> str:
    """Return an amount as written in the chart."""
    return "empty" if value is None else f"{value:.15g}"


def payoffs(draft: Draft) -> "dict[str, Payoff]":
    """Return the cells of the payoff chart."""
    return draft.rows("payoffs", Payoff)  # type: ignore[return-value]


def get_payoff(draft: Draft, a: str, b: str) -> float | None:
    """Return the payoff of a trip from one city to another."""
    payoff_row = payoffs(draft).get(payoff_key(a, b))
    if payoff_row is None:
        return 0.0 if a == b else None
    return payoff_row.thousands if a <= b or payoff_row.below == "same" else payoff_row.below


def set_payoff_both_ways(draft: Draft, a: str, b: str, there: float | None, back: float | None) -> None:
    """Set the payoffs of a trip from one city to another, and back."""
    cell_key = payoff_key(a, b)
    if (there is None and back is None and a != b) or (a == b and there == 0):  # as without a row
        draft.drop("payoffs", cell_key)
        return
    above, below = (there, back) if a <= b else (back, there)
    draft.put("payoffs", cell_key, Payoff(thousands=above, below="same" if above == below else below))


def need_payoff_city(draft: Draft, ident: str) -> None:
    """Refuse a city that is not in the payoff chart.

    Raises:
        CommandError: The nearest is offered.
    """
    if ident not in draft.table("payoff_cities"):
        refuse_unknown_id("city of the payoff chart", ident, draft.table("payoff_cities"))


def rank_before(draft: Draft, ident: str | None) -> float:
    """Return the rank before a city of the payoff chart; after the last if none is given."""
    if ident is None:
        return last_rank(draft.table("payoff_cities"))
    ordered_cities = sort_rows(draft.table("payoff_cities"))
    city_index = next(n for n, (key, _) in enumerate(ordered_cities) if key == ident)
    own_rank = ordered_cities[city_index][1].rank
    return (own_rank + ordered_cities[city_index - 1][1].rank) / 2 if city_index else own_rank - 1


def type_payoffs(draft: Draft) -> None:
    """Write out a computed chart, so that single cells of it can change."""
    if draft.table("payoff_cities"):
        return
    board = draft.index(Start).compiled.board
    draft.rely("payoffs")
    for n, ident in enumerate(board.payoffs.cities, start=1):
        if ident in draft.table("cities"):
            draft.put("payoff_cities", ident, PayoffCity(rank=float(n)))
    for key, row in payoff_rows(board.payoffs):
        if set(key.split("|")) <= draft.table("payoff_cities").keys():
            draft.put("payoffs", key, row)


def put_payoff(draft: Draft, a: str, b: str, thousands: float | None) -> None:
    """Set a cell and its mirror.

    Raises:
        CommandError: One of the cities is not in the chart, or a trip to where it begins would pay.
    """
    for ident in (a, b):
        need_payoff_city(draft, ident)
        draft.rely("cities", ident, "exists")
    if a == b and thousands and has_files(draft):
        raise CommandError(f"a trip from {city_name(draft, a)} to itself pays nothing; choose two cities")
    set_payoff_both_ways(draft, a, b, thousands, thousands)


@command("payoffs")
class SetPayoff(Command):
    """Set the payoff of a trip between two cities, both ways, thousands (RB-C13); without an amount it is empty.

    A chart that was computed is typed from then on.
    """

    kind: Literal["set-payoff"] = "set-payoff"
    a: CityId
    b: CityId
    thousands: Thousands | None = None
    was: Thousands | None = None

    def edit(self, draft: Draft) -> str:
        """Set the cell and its mirror, if they hold the expected amount."""
        type_payoffs(draft)
        current_amount = get_payoff(draft, self.a, self.b)
        put_payoff(draft, self.a, self.b, self.thousands)
        if self.was is not None and current_amount != self.was:
            amount_shown = "missing" if current_amount is None else f"{current_amount:g}"
            raise CommandError(f"{self.a} - {self.b} pays {amount_shown}, not {self.was:g}; correct `was`")
        draft.stamp("payoffs", payoff_key(self.a, self.b))
        return f"Set {city_name(draft, self.a)} - {city_name(draft, self.b)} to {amount_text(self.thousands)}"


@command("payoffs")
class SetPayoffs(Command):
    """Set many cells as one step: `[a, b, thousands]` each; null empties one."""

    kind: Literal["set-payoffs"] = "set-payoffs"
    cells: Annotated[tuple[tuple[CityId, CityId, Thousands | None], ...], Field(min_length=1, max_length=100_000)]

    def edit(self, draft: Draft) -> str:
        """Set all of the cells."""
        type_payoffs(draft)
        for a, b, thousands in self.cells:
            put_payoff(draft, a, b, thousands)
        count_text, distinct_amounts = (
            count_noun(len(self.cells), "payoff"),
            {thousands for _, _, thousands in self.cells},
        )
        is_uniform = len(self.cells) > len(distinct_amounts) == 1
        return f"Fill {count_text} with {amount_text(distinct_amounts.pop())}" if is_uniform else f"Set {count_text}"


@command("payoffs")
class ScalePayoffs(Command):
    """Multiply cells and round them to a grid, in thousands, halves upward; empty cells stay empty.

    Without `pairs` the whole chart is scaled, and no trip between different places then pays less than a step.
    """

    kind: Literal["scale-payoffs"] = "scale-payoffs"
    pairs: Annotated[tuple[Pair, ...], Field(min_length=1, max_length=100_000)] | None = None
    factor: float = Field(default=1.0, gt=0, le=1000)
    step: float = Field(default=0.5, gt=0, le=1000, description="The grid, thousands")

    def edit(self, draft: Draft) -> str:
        """Scale and round the cells, or the whole chart."""
        type_payoffs(draft)
        if self.pairs is None:
            draft.rely("payoffs")
            with draft.unstamped():
                self._scale_cells(draft, list(payoffs(draft)))
            _stamp_all(draft)
            return f"Scale the payoff chart by {self.factor:g}"
        self._scale_cells(draft, sorted({payoff_key(a, b) for a, b in self.pairs if a != b}))
        count_text = count_noun(len(self.pairs), "payoff")
        return f"Round {count_text} to {self.step:g}" if self.factor == 1 else f"Scale {count_text} by {self.factor:g}"

    def _scale_cells(self, draft: Draft, keys: list[str]) -> None:
        for key in keys:
            payoff_row = payoffs(draft).get(key, Payoff())
            if payoff_row.thousands is not None or payoff_row.below != "same":
                amount_below = (
                    payoff_row.below if isinstance(payoff_row.below, str) else self._scale_amount(payoff_row.below)
                )
                draft.put(
                    "payoffs", key, Payoff(thousands=self._scale_amount(payoff_row.thousands), below=amount_below)
                )

    def _scale_amount(self, value: float | None) -> float | None:
        if not value:
            return value
        step_count = math.floor(value * self.factor / self.step + 0.5 + 1e-9)
        return round(float(max(step_count, 1 if self.pairs is None else 0) * self.step), 9)


def _stamp_all(draft: Draft) -> None:
    for ident in draft.table("payoff_cities"):
        draft.stamp("payoff_cities", ident)


@command("payoffs")
class RecomputePayoffs(Command):
    """Compute the payoff chart of the changed board by a model of distances.

    Without `model` it is the board's own: that of `[payoffs]` in `board.toml`, else one fitted to the chart before.
    `cells` computes all amounts, or only those that are missing.
    """

    kind: Literal["recompute-payoffs"] = "recompute-payoffs"
    model: PayoffModel | None = None
    cells: Literal["all", "missing"] = "all"

    def edit(self, draft: Draft) -> str:
        """Set the amounts of the model, all or only in empty cells."""
        type_payoffs(draft)
        city_order = tuple(key for key, _ in sort_rows(draft.table("payoff_cities")))
        if not set(city_order) <= set(draft.table("cities")):
            raise CommandError("the payoff chart has cities that are not on the board; remove them first")
        _rely_on_distances(draft)
        compiled_before = draft.index(Start).compiled
        try:
            compiled_now = compiled_before.recompile(draft.document)
            payoff_model = self.model or compiled_now.settings.config.payoffs or _fit_own_model(compiled_before.board)
            computed_chart = late.matrix_to_rows(
                late.compute_payoffs(payoff_model, late.board_distances(compiled_now.board, city_order))
            )
        except MapkitError as error:
            raise CommandError(str(error)) from error
        with draft.unstamped():
            for i, city_id in enumerate(city_order):
                for j in range(i, len(city_order)):
                    there, back = computed_chart[i][j], computed_chart[j][i]
                    if self.cells == "missing":
                        current_amounts = (
                            get_payoff(draft, city_id, city_order[j]),
                            get_payoff(draft, city_order[j], city_id),
                        )
                        there, back = (
                            computed_amount if current_amount is None else current_amount
                            for current_amount, computed_amount in zip(current_amounts, (there, back), strict=True)
                        )
                    set_payoff_both_ways(draft, city_id, city_order[j], there, back)
        _stamp_all(draft)
        return "Compute the payoff chart"


def _rely_on_distances(draft: Draft) -> None:
    """Record reads of the distances between cities: of track, and of the places of mileposts and cities.

    Prices, names and colours are not read, so that operations on them contradict no computed chart.
    """
    for table in ("payoffs", "track"):
        draft.rely(table)
    for table, field_names in (
        ("mileposts", ("lon", "lat")),
        ("junctions", ("lon", "lat")),
        ("cities", ("lon", "lat", "milepost")),
    ):
        for key in draft.table(table):
            draft.get(table, key, EXISTS, *field_names)


def _fit_own_model(board: Board) -> PayoffModel:
    """Return the model nearest to a board's own chart."""
    city_ids = {city.id for city in board.cities}
    if not city_ids.issuperset(board.payoffs.cities):
        raise CommandError("the payoff chart has cities that are not on the board, so no model fits it; give `model`")
    return late.choose_model(
        None, late.merged_amounts(board.payoffs), late.board_distances(board, board.payoffs.cities)
    )


@command("payoffs")
class ImportPayoffs(Command):
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

    def edit(self, draft: Draft) -> str:
        """Set the amounts of the file's cities."""
        if not self.cities:
            raise CommandError(f"the file {self.file} was not read; apply the variant by its name or path")
        type_payoffs(draft)
        for ident in self.cities:
            need_payoff_city(draft, ident)
        with draft.unstamped():
            for i, city_id in enumerate(self.cities):
                for j in range(i, len(self.cities)):
                    set_payoff_both_ways(draft, city_id, self.cities[j], self.thousands[i][j], self.thousands[j][i])
        for ident in self.cities:
            draft.stamp("payoff_cities", ident)
        return f"Take payoffs of {count_noun(len(self.cities), 'city', 'cities')}"


@command("payoffs")
class StartPayoffs(Command):
    """Give the board a payoff chart of all its cities; missing cities are added with empty cells."""

    kind: Literal["start-payoffs"] = "start-payoffs"

    def edit(self, draft: Draft) -> str:
        """Add the missing cities to the payoff chart."""
        for city_id in sorted(draft.table("cities"), key=lambda key: (draft.table("cities")[key].rank, key)):
            add_to_chart(draft, city_id)
        return "Start the payoff chart"


@command("payoffs")
class ClearPayoffs(Command):
    """Remove the payoff chart, so that it is computed by `[payoffs]`."""

    kind: Literal["clear-payoffs"] = "clear-payoffs"

    def edit(self, draft: Draft) -> str:
        """Drop all amounts and cities of the payoff chart."""
        for table in ("payoffs", "payoff_cities"):
            for key in list(draft.table(table)):
                draft.drop(table, key)
        return "Clear the payoff chart"


def add_to_chart(draft: Draft, city: str) -> None:
    """Add a row and a column for a city, cells empty, if there are none."""
    if city not in draft.table("payoff_cities"):
        draft.put("payoff_cities", city, PayoffCity(rank=last_rank(draft.table("payoff_cities"))))


def drop_from_chart(draft: Draft, city: str) -> int:
    """Drop a city's row and column; return the number of dropped amounts."""
    payoff_keys = [key for key in draft.table("payoffs") if city in key.split("|")]
    for key in payoff_keys:
        draft.drop("payoffs", key)
    draft.drop("payoff_cities", city)
    return len(payoff_keys)
