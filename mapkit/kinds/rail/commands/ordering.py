"""The order of rows."""

from typing import Literal

from pydantic import Field

from mapkit.document.document import ordered
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command


@command("document")
class Reorder(Command):
    """Put rows of a table in an order; rows that are not named follow as they were."""

    kind: Literal["reorder"] = "reorder"
    table: Literal["railroads", "regions", "cities", "payoff_cities", "lines", "places"]
    keys: tuple[str, ...] = Field(min_length=1)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        if len(set(self.keys)) != len(self.keys):
            raise CommandError("a row is named twice; name each once")
        for key in self.keys:
            draft.need(self.table, key, "row")
        rest = [key for key, _ in ordered(draft.table(self.table)) if key not in set(self.keys)]
        for number, key in enumerate((*self.keys, *rest), start=1):
            if draft.table(self.table)[key].rank != number:
                draft.update(self.table, key, rank=float(number))
        return f"Reorder {self.table.replace('_', ' ')}"
