"""Row-by-row comparison of documents of any kind; differences as variants; rebased variants."""

import json
from collections import Counter
from itertools import groupby
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import count_noun
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
_MAX_LISTED: Final = 40
_VARIANT_SETTINGS: Final = ("title", "description", "credits", "license")
"""Settings that a variant says of itself, and does not set."""


class RowDifference(Frozen):
    """A difference of two boards in one row; without fields if only one board has the row."""

    table: str
    key: str
    how: Literal["added", "removed", "changed"]
    fields: dict[str, tuple[Any, Any]] = Field(default={}, description="Field -> what it was and is")

    def __str__(self) -> str:
        """Return it as a line."""
        changed_text = ", ".join(
            f"{name} {_value_text(old_value)} to {_value_text(new_value)}"
            for name, (old_value, new_value) in self.fields.items()
        )
        return f"{self.table}, {self.key}: {changed_text or self.how}"


class DocumentDifference(Frozen):
    """Differences between two boards, in the order of tables and rows."""

    a: str
    b: str
    rows: tuple[RowDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.rows

    def title(self) -> str:
        """Return the number of added, removed or changed rows of each table."""
        count_by_change = Counter((row.table, row.how) for row in self.rows)
        return "; ".join(f"{table}: {count} {how}" for (table, how), count in sorted(count_by_change.items()))

    def text(self) -> str:
        """Return it as text for a terminal, limited to the first rows."""
        more_count = len(self.rows) - _MAX_LISTED
        more_lines = [f"and {more_count} more; --json lists all"] if more_count > 0 else []
        return "\n".join((self.title(), *(f"- {row}" for row in self.rows[:_MAX_LISTED]), *more_lines))


def compare_documents(base: Document, after: Document, *, a: str, b: str) -> DocumentDifference:
    """Return the differences between two documents of one kind, regardless of the order of rows.

    Args:
        base: The one.
        after: The other.
        a: What the one is called.
        b: What the other is called.
    """
    rows = []
    for table in sorted({change.table for change in difference(base, after)}):
        old_rows, new_rows = (
            {key: _row_fields(row) for key, row in document.table(table).items()} for document in (base, after)
        )
        for old_key, new_key, fields in compare_rows(old_rows, new_rows):
            change_kind: Literal["added", "removed", "changed"] = (
                "added" if old_key is None else "removed" if new_key is None else "changed"
            )
            rows.append(RowDifference(table=table, key=new_key or old_key or "", how=change_kind, fields=fields))
    return DocumentDifference(a=a, b=b, rows=tuple(sorted(rows, key=lambda row: (row.table, row.key))))


def variant_between(
    model: type[Variant], base: Document, after: Document, *, name: str, title: str, board: str | None
) -> tuple[Variant, tuple[str, ...]]:
    """Return the variant that turns one document into another, and the differences that no operation expresses.

    Args:
        model: The variants of the kind.
        base: The document before.
        after: The document after.
        name: The variant's name.
        title: What it is called.
        board: The board that it is for.
    """
    derivation = Derivation(Draft(base), after)
    derivation.propose_explained(model.commands, f"As on the board {title}")
    remaining = compare_documents(derivation.draft.document, after, a="", b="")
    for table, table_changes in groupby(remaining.rows, key=lambda row: row.table):
        rows = list(table_changes)
        setting_rows = [row for row in rows if table == "settings" and row.key not in _VARIANT_SETTINGS]
        for row in setting_rows:
            value = getattr(after.get(table, row.key), "value", None)
            setting = {"op": "set-settings", "values": {row.key: value}, "reason": f"Set {row.key}"}
            derivation.do(operation_of(model.commands, len(derivation.operations) + 1, setting))
        if table in APART:
            derivation.left += [str(row) for row in rows if row not in setting_rows]
        else:
            label = f"Change {count_noun(len(rows), f'row of {table}', f'rows of {table}')}"
            goal_rows = [_goal_row(after, row) for row in rows]
            set_rows = {"op": "set-rows", "label": label, "rows": goal_rows, "reason": label}
            derivation.do(operation_of(model.commands, len(derivation.operations) + 1, set_rows))
    return model(name=name, title=title, board=board, operations=tuple(derivation.operations)), tuple(derivation.left)


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
    base_variant, _ = variant_between(type(variant), old, new, name="base", title="", board=None)
    base_change = BaseChange(board, base_variant.operations)
    return rebase_variant(variant, Target(lambda: Draft(old)), Target(lambda: Draft(new)), base_change)


def _row_fields(row: Row) -> JsonObject:
    """Return the fields of a row as JSON, without its position."""
    return row.model_dump(mode="json", exclude={"rank"})


def _goal_row(after: Document, changed: RowDifference) -> RowChange:
    row = after.get(changed.table, changed.key)
    fields = None if row is None else {name: value for name, value in _row_fields(row).items() if value is not None}
    return RowChange(table=changed.table, key=changed.key, row=fields)


def _value_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
