"""Commands of the payoff chart (RB-C13); amounts in thousands."""

import math
from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.plurals import counted
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.naming import city_name
from mapkit.kinds.rail.tables import Payoff, PayoffCity, payoff_key

Amount = Annotated[float, Field(ge=0, le=1e9)]
Pair = tuple[str, str]
Pairs = Annotated[tuple[Pair, ...], Field(min_length=1, max_length=100_000)]


def amount_text(value: float | None) -> str:
    """Return an amount as the chart writes it."""
    return "empty" if value is None else f"{value:.15g}"


def put_payoff(draft: Draft, a: str, b: str, thousands: float | None) -> None:
    """Set a cell and its mirror.

    Raises:
        CommandError: One of the cities is not in the chart.
    """
    for city in (a, b):
        draft.need("payoff_cities", city, "the payoff chart's city")
    key = payoff_key(a, b)
    if a == b:
        if thousands not in (0, None):
            raise CommandError(f"a trip from {city_name(draft, a)} to itself pays nothing; choose two cities")
        draft.drop("payoffs", key)
    elif thousands is None:
        draft.drop("payoffs", key)
    else:
        draft.put("payoffs", key, Payoff(thousands=thousands))


def payoff_of(draft: Draft, a: str, b: str) -> float | None:
    """Return what a cell says, in thousands."""
    return draft.rows("payoffs", Payoff).get(payoff_key(a, b), Payoff()).thousands


def on_grid(value: float, step: float) -> float:
    """Return the nearest multiple of a step, halves upward; sums of decimals do not show."""
    return round(math.floor(value / step + 0.5 + 1e-9) * step, 9)


@command("payoffs")
class SetPayoff(Command):
    """Set what a trip between two cities pays, in thousands; null empties the cell."""

    kind: Literal["set-payoff"] = "set-payoff"
    a: str
    b: str
    thousands: Amount | None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        put_payoff(draft, self.a, self.b, self.thousands)
        return f"Set {city_name(draft, self.a)} - {city_name(draft, self.b)} to {amount_text(self.thousands)}"


@command("payoffs")
class SetPayoffs(Command):
    """Set many cells as one step: `[a, b, thousands]` each."""

    kind: Literal["set-payoffs"] = "set-payoffs"
    cells: Annotated[tuple[tuple[str, str, Amount | None], ...], Field(min_length=1, max_length=100_000)]

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for a, b, thousands in self.cells:
            put_payoff(draft, a, b, thousands)
        return f"Set {counted(len(self.cells), 'payoff')}"


@command("payoffs")
class FillPayoffs(Command):
    """Set all given cells to one amount; null empties them."""

    kind: Literal["fill-payoffs"] = "fill-payoffs"
    pairs: Pairs
    thousands: Amount | None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for a, b in self.pairs:
            if a != b:
                put_payoff(draft, a, b, self.thousands)
        return f"Fill {counted(len(self.pairs), 'payoff')} with {amount_text(self.thousands)}"


@command("payoffs")
class ScalePayoffs(Command):
    """Multiply cells and round them to a grid, in thousands; empty cells stay empty."""

    kind: Literal["scale-payoffs"] = "scale-payoffs"
    pairs: Pairs
    factor: float = Field(gt=0, le=1000)
    step: float = Field(default=0.5, gt=0, le=1000)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        _round(draft, self.pairs, self.factor, self.step)
        return f"Scale {counted(len(self.pairs), 'payoff')} by {self.factor:g}"


@command("payoffs")
class RoundPayoffs(Command):
    """Round cells to a grid, in thousands, halves upward; empty cells stay empty."""

    kind: Literal["round-payoffs"] = "round-payoffs"
    pairs: Pairs
    step: float = Field(default=0.5, gt=0, le=1000)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        _round(draft, self.pairs, 1.0, self.step)
        return f"Round {counted(len(self.pairs), 'payoff')} to {self.step:g}"


def _round(draft: Draft, pairs: tuple[Pair, ...], factor: float, step: float) -> None:
    for key in sorted({payoff_key(a, b) for a, b in pairs if a != b}):
        a, b = key.split("|")
        value = payoff_of(draft, a, b)
        if value is not None:
            put_payoff(draft, a, b, on_grid(value * factor, step))


@command("payoffs")
class StartPayoffs(Command):
    """Give the board a payoff chart of all its cities; cities that it lacks are added, their cells empty."""

    kind: Literal["start-payoffs"] = "start-payoffs"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for city in sorted(draft.table("cities"), key=lambda key: (draft.table("cities")[key].rank, key)):
            add_to_chart(draft, city)
        return "Start the payoff chart"


@command("payoffs")
class ClearPayoffs(Command):
    """Take the payoff chart out, so that it is computed by `[payoffs]`."""

    kind: Literal["clear-payoffs"] = "clear-payoffs"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for table in ("payoffs", "payoff_cities"):
            for key in list(draft.table(table)):
                draft.drop(table, key)
        return "Clear the payoff chart"


def add_to_chart(draft: Draft, city: str) -> None:
    """Add a row and a column for a city, cells empty, if there are none."""
    if city not in draft.table("payoff_cities"):
        draft.put("payoff_cities", city, PayoffCity(rank=last_rank(draft.table("payoff_cities"))))


def drop_from_chart(draft: Draft, city: str) -> int:
    """Drop a city's row and column; return how many amounts went."""
    keys = [key for key in draft.table("payoffs") if city in key.split("|")]
    for key in keys:
        draft.drop("payoffs", key)
    draft.drop("payoff_cities", city)
    return len(keys)
