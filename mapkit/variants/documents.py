"""Documents of any kind compared row by row; a difference as a variant; a variant moved to a changed base."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import counted
from mapkit.document.changes import Change, difference, row_json
from mapkit.document.command import Draft
from mapkit.document.document import Document
from mapkit.document.frame_commands import RowChange
from mapkit.variants.applying import Target
from mapkit.variants.deriving import Derivation
from mapkit.variants.rebase import BaseChange, Rebased, rebase_variant
from mapkit.variants.variant import Variant, operation_of

APART: Final = ("files", "accepted", "settings")
"""Tables that a variant does not set row by row."""
_LISTED: Final = 40
_NEVER: Final = frozenset({"rank"})


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
    return DocumentDifference(a=a, b=b, rows=tuple(_row_difference(change) for change in _meant(before, after)))


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
    changes = _meant(plan.draft.document, after)
    for table in dict.fromkeys(change.table for change in changes):
        own = [change for change in changes if change.table == table]
        if table == "settings":
            for change in own:
                if change.key in ("title", "description", "credits", "license"):
                    plan.left.append(str(_row_difference(change)))
                    continue
                value = getattr(change.after, "value", None)
                given = {"op": "set-setting", "key": change.key, "value": value, "reason": f"Set {change.key}"}
                plan.do(operation_of(model.commands, len(plan.operations) + 1, given))
        elif table in APART:
            plan.left += [str(_row_difference(change)) for change in own]
        else:
            label = f"Change {counted(len(own), f'row of {table}', f'rows of {table}')}"
            given = {"op": "set-rows", "label": label, "rows": [_as_row(change) for change in own], "reason": label}
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


def _meant(before: Document, after: Document) -> list[Change]:
    """Return the changes that are more than another order of rows."""
    found = difference(before, after)
    return [one for one in found if one.before is None or one.after is None or _fields(one)]


def _fields(change: Change) -> dict[str, tuple[Any, Any]]:
    was = row_json(change.before) or {}
    now = row_json(change.after) or {}
    names = [name for name in {**was, **now} if name not in _NEVER and was.get(name) != now.get(name)]
    return {name: (was.get(name), now.get(name)) for name in names}


def _row_difference(change: Change) -> RowDifference:
    if change.before is None or change.after is None:
        how: Literal["added", "removed"] = "added" if change.before is None else "removed"
        return RowDifference(table=change.table, key=change.key, how=how)
    return RowDifference(table=change.table, key=change.key, how="changed", fields=_fields(change))


def _as_row(change: Change) -> RowChange:
    row: JsonObject | None = None
    if change.after is not None:
        row = dict(_without_rank(row_json(change.after) or {}))
    return RowChange(table=change.table, key=change.key, row=row)


def _without_rank(row: JsonObject) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in row.items() if name not in _NEVER and value is not None)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
