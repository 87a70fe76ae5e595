"""Rows of any table as one step: what importers and variants change in many tables at once."""

from typing import Any, Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.commands.settings import check_config
from mapkit.editor.document import TABLES, last_rank
from mapkit.errors import did_you_mean
from mapkit.model.base import Frozen

MAX_ROWS = 100_000


class RowChange(Frozen):
    """A row as it is to be; null removes it."""

    table: str = Field(max_length=40)
    key: str = Field(min_length=1, max_length=1000)
    row: dict[str, Any] | None

    def put(self, draft: Draft, *, rank: float = 0.0) -> None:
        """Set or remove the row; one that does not say its `rank` gets this.

        Raises:
            CommandError: There is no such table.
        """
        if self.table not in TABLES:
            raise CommandError(f"no table {self.table!r}{did_you_mean(self.table, TABLES)}")
        if self.row is None:
            draft.drop(self.table, self.key)
        else:
            draft.put(self.table, self.key, TABLES[self.table].model_validate({"rank": rank, **self.row}))


@command("document")
class SetRows(Command):
    """Set and remove rows of any tables as one step; what does not fit together is told by the checks.

    A row that does not say its `rank` stays where it is, a new one comes last.
    """

    kind: Literal["set-rows"] = "set-rows"
    label: str = Field(min_length=1, max_length=200)
    rows: tuple[RowChange, ...] = Field(min_length=1, max_length=MAX_ROWS)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        last: dict[str, float] = {}
        for change in self.rows:
            if change.table == "files":
                raise CommandError("files of a board are not set row by row; use the commands of lines")
            there = draft.table(change.table) if change.table in TABLES else {}
            old = there.get(change.key)
            if old is None:
                start = last.get(change.table)
                last[change.table] = last_rank(there) if start is None else start + 1
            change.put(draft, rank=last[change.table] if old is None else old.rank)
        if any(change.table in ("settings", "regions", "accepted") for change in self.rows):
            check_config(draft)
        return self.label
