"""Commands of the payoff chart (RB-C13)."""

from typing import Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.commands.naming import city_name
from mapkit.editor.document import Payoff, payoff_key

Amount = float | None


def amount_text(value: float | None) -> str:
    """Return an amount as the chart writes it."""
    return "empty" if value is None else f"{value:.15g}"


def put_payoff(draft: Draft, a: str, b: str, thousands: float | None) -> None:
    """Set a cell and its mirror.

    Raises:
        CommandError: One of the cities is not in the chart.
    """
    for city in (a, b):
        draft.need("payoff_cities", city, "payoff chart: city")
    if a == b and thousands not in (0, None):
        raise CommandError(f"a trip from {city_name(draft, a)} to itself pays nothing; choose two cities")
    key = payoff_key(a, b)
    if a == b:
        draft.drop("payoffs", key)
    else:
        draft.put("payoffs", key, Payoff(thousands=thousands))


@command("payoffs")
class SetPayoff(Command):
    """Set what a trip between two cities pays, in thousands; null empties the cell."""

    kind: Literal["set-payoff"] = "set-payoff"
    a: str
    b: str
    thousands: float | None = Field(ge=0, le=1e9)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        put_payoff(draft, self.a, self.b, self.thousands)
        return f"Set {city_name(draft, self.a)} - {city_name(draft, self.b)} to {amount_text(self.thousands)}"
