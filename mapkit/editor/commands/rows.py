"""Rows of any table as one step: what importers and variants change in many tables at once."""

from typing import Any, Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.commands.settings import check_config
from mapkit.editor.document import TABLES
from mapkit.errors import did_you_mean
from mapkit.model.base import Frozen

MAX_ROWS = 100_000


class RowChange(Frozen):
    """A row as it is to be; null removes it. A row without `rank` stays where it is, a new one comes last."""

    table: str
    key: str = Field(min_length=1, max_length=400)
    row: dict[str, Any] | None


@command("document")
class SetRows(Command):
    """Set and remove rows of any tables as one step; what does not fit together is told by the checks."""

    kind: Literal["set-rows"] = "set-rows"
    label: str = Field(min_length=1, max_length=200)
    rows: tuple[RowChange, ...] = Field(min_length=1, max_length=MAX_ROWS)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for change in self.rows:
            if change.table not in TABLES or change.table == "files":
                raise CommandError(f"no table {change.table!r}{did_you_mean(change.table, TABLES)}")
            if change.row is None:
                draft.drop(change.table, change.key)
                continue
            there = draft.table(change.table)
            old = there.get(change.key)
            last = max((row.rank for row in there.values()), default=0.0) + 1
            rank = old.rank if old is not None else last
            draft.put(change.table, change.key, TABLES[change.table].model_validate({"rank": rank, **change.row}))
        if any(change.table in ("settings", "regions", "accepted") for change in self.rows):
            check_config(draft)
        return self.label
