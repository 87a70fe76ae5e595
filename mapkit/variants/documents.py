"""Documents of any kind compared row by row; a difference as a variant; a variant moved to a changed base."""

import json
from collections import Counter
from itertools import groupby
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import counted
from mapkit.document.changes import compare_rows, difference
from mapkit.document.command import Draft
from mapkit.document.document import Document, Row
from mapkit.document.frame_commands import RowChange
from mapkit.variants.applying import Target
from mapkit.variants.deriving import Derivation
from mapkit.variants.rebase import BaseChange, Rebased, rebase_variant
from mapkit.variants.variant import Variant, operation_of

APART: Final = ("files", "accepted", "settings")
"""Tables that a variant does not set row by row."""
_LISTED: Final = 40
_SAID: Final = ("title", "description", "credits", "license")
"""Settings that a variant says of itself, and does not set."""


class RowDifference(Frozen):
    """A row in which two boards differ; of a row that is there in only one, the fields are left out."""

    table: str
    key: str
    how: Literal["added", "removed", "changed"]
    fields: dict[str, tuple[Any, Any]] = Field(default={}, description="Field -> what it was and is")

    def __str__(self) -> str:
        """Return it as a line."""
        changed = ", ".join(f"{name} {_shown(was)} to {_shown(now)}" for name, (was, now) in self.fields.items())
        return f"{self.table}, {self.key}: {changed or self.how}"


class DocumentDifference(Frozen):
    """What differs between two boards, in the order of tables and rows."""

    a: str
    b: str
    rows: tuple[RowDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.rows

    def title(self) -> str:
        """Return how many rows of each table were added, removed or changed."""
        found = Counter((row.table, row.how) for row in self.rows)
        return "; ".join(f"{table}: {count} {how}" for (table, how), count in sorted(found.items()))

    def text(self) -> str:
        """Return it as text for a terminal; of many rows the first."""
        more = len(self.rows) - _LISTED
        left = [f"and {more} more; --json lists all"] if more > 0 else []
        return "\n".join((self.title(), *(f"- {row}" for row in self.rows[:_LISTED]), *left))


def compare_documents(before: Document, after: Document, *, a: str, b: str) -> DocumentDifference:
    """Return what differs between two documents of one kind; the order of rows does not count.

    Args:
        before: The one.
        after: The other.
        a: What the one is called.
        b: What the other is called.
    """
    rows = []
    for table in sorted({change.table for change in difference(before, after)}):
        one, other = ({key: _stated(row) for key, row in document.table(table).items()} for document in (before, after))
        for was, now, fields in compare_rows(one, other):
            how: Literal["added", "removed", "changed"] = (
                "added" if was is None else "removed" if now is None else "changed"
            )
            rows.append(RowDifference(table=table, key=now or was or "", how=how, fields=fields))
    return DocumentDifference(a=a, b=b, rows=tuple(sorted(rows, key=lambda row: (row.table, row.key))))


def variant_between(
    model: type[Variant], before: Document, after: Document, *, name: str, title: str, board: str | None
) -> tuple[Variant, tuple[str, ...]]:
    """Return the variant that turns one document into another, and what no operation of it says.

    Args:
        model: The variants of the kind.
        before: The document before.
        after: The document after.
        name: The variant's name.
        title: What it is called.
        board: The board that it is for.
    """
    plan = Derivation(Draft(before), after)
    plan.propose_explained(model.commands, f"As on the board {title}")
    found = compare_documents(plan.draft.document, after, a="", b="")
    for table, changed in groupby(found.rows, key=lambda row: row.table):
        rows = list(changed)
        own = [row for row in rows if table == "settings" and row.key not in _SAID]
        for row in own:
            value = getattr(after.get(table, row.key), "value", None)
            setting = {"op": "set-settings", "values": {row.key: value}, "reason": f"Set {row.key}"}
            plan.do(operation_of(model.commands, len(plan.operations) + 1, setting))
        if table in APART:
            plan.left += [str(row) for row in rows if row not in own]
        else:
            label = f"Change {counted(len(rows), f'row of {table}', f'rows of {table}')}"
            goals = [_goal(after, row) for row in rows]
            given = {"op": "set-rows", "label": label, "rows": goals, "reason": label}
            plan.do(operation_of(model.commands, len(plan.operations) + 1, given))
    return model(name=name, title=title, board=board, operations=tuple(plan.operations)), tuple(plan.left)


def rebase_on(variant: Variant, old: Document, new: Document, *, board: str) -> Rebased:
    """Move a variant from one base to another, as `mapkit.variants.rebase.rebase_variant` does.

    Args:
        variant: It fits `old`; its bases are applied to both documents already.
        old: What it was made for.
        new: What it is moved to.
        board: The board's id there.

    Raises:
        VariantError: The variant does not fit `old`.
    """
    own, _ = variant_between(type(variant), old, new, name="base", title="", board=None)
    change = BaseChange(board, own.operations)
    return rebase_variant(variant, Target(lambda: Draft(old)), Target(lambda: Draft(new)), change)


def _stated(row: Row) -> JsonObject:
    """Return the fields of a row as JSON, its place in the order apart."""
    return row.model_dump(mode="json", exclude={"rank"})


def _goal(after: Document, changed: RowDifference) -> RowChange:
    row = after.get(changed.table, changed.key)
    fields = None if row is None else {name: value for name, value in _stated(row).items() if value is not None}
    return RowChange(table=changed.table, key=changed.key, row=fields)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
