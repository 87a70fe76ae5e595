"""Documents of any kind compared row by row; a difference as a variant; a variant moved to a changed base."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.errors import VariantError
from mapkit.core.plurals import counted
from mapkit.document.changes import Change, difference, row_json
from mapkit.document.command import Command, CommandError, Draft
from mapkit.document.document import Document
from mapkit.document.frame_commands import RowChange
from mapkit.variants.applying import carry_out
from mapkit.variants.rebased import Fate, Rebased, RebasedOperation
from mapkit.variants.variant import Variant, operation_of

_APART: Final = ("files", "accepted", "settings")
"""Tables that a variant does not set row by row."""
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

    def summary(self) -> str:
        """Return how many rows of each table were added, removed or changed."""
        found = Counter((row.table, row.how) for row in self.rows)
        return "; ".join(f"{table}: {count} {how}" for (table, how), count in sorted(found.items()))


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
    model: type[Variant], before: Document, after: Document, *, name: str, title: str, board: str
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
    operations: list[Command] = []
    changes = _meant(before, after)
    left = []
    for table in dict.fromkeys(change.table for change in changes):
        own = [change for change in changes if change.table == table]
        if table == "settings":
            for change in own:
                if change.key in ("title", "description", "credits", "license"):
                    left.append(str(_row_difference(change)))
                    continue
                value = getattr(change.after, "value", None)
                given = {"op": "set-setting", "key": change.key, "value": value, "reason": f"Set {change.key}"}
                operations.append(operation_of(model.commands, len(operations) + 1, given))
        elif table in _APART:
            left += [str(_row_difference(change)) for change in own]
        else:
            label = f"Change {counted(len(own), f'row of {table}', f'rows of {table}')}"
            given = {"op": "set-rows", "label": label, "rows": [_as_row(change) for change in own], "reason": label}
            operations.append(operation_of(model.commands, len(operations) + 1, given))
    return model(name=name, title=title, board=board, operations=tuple(operations)), tuple(left)


def rebase_on(variant: Variant, old: Document, new: Document) -> Rebased:
    """Move a variant from one base to another.

    Each operation is carried out on the new base after the ones that fit. It is *done already* if the new base has all
    that it would change, and *no longer fits* if it cannot be carried out; both are left out of the variant. One that
    *overrides* stays: the new base has set the same fields to something else.

    Args:
        variant: It fits `old`; its bases are applied to both documents already.
        old: What it was made for.
        new: What it is moved to.

    Raises:
        VariantError: The variant does not fit `old`.
    """
    before, after = Draft(old), Draft(new)
    changed = {change.at: change for change in difference(old, new)}
    kept: list[Command] = []
    fates: list[RebasedOperation] = []
    for number, operation in enumerate(variant.operations, start=1):
        was = _carried_out(before, operation)
        if isinstance(was, str):
            raise VariantError(
                f"variant {variant.name}: operation {number} ({operation.kind}) does not fit the base that it was made "
                f"for: {was}"
            )
        now = _carried_out(after, operation)
        fate: Fate = "fits"
        text = ""
        if all(_has(new, change) for change in was):
            fate, text = "done already", "the new base already has it"
        elif isinstance(now, str):
            fate, text = "no longer fits", now
        elif over := next((change for change in now if _overrides(change, changed)), None):
            fate, text = "overrides", f"the new base has another {over.table} row {over.key}"
        if fate in ("fits", "overrides"):
            kept.append(operation)
        fates.append(RebasedOperation(number=number, op=operation.kind, fate=fate, text=text))
    return Rebased(variant=variant.model_copy(update={"operations": tuple(kept)}), operations=tuple(fates))


def _carried_out(draft: Draft[Any], operation: Command) -> tuple[Change, ...] | str:
    """Carry an operation out, and return what it changed, or why it does not fit."""
    start = draft.document
    try:
        carry_out(draft, operation)
    except CommandError as error:
        return str(error)
    return difference(start, draft.document)


def _has(document: Document, change: Change) -> bool:
    """Whether a document has what a change leads to."""
    row = document.get(change.table, change.key)
    if row is None or change.after is None:
        return row is None and change.after is None
    was = row_json(change.before) or {}
    now, here = row_json(change.after) or {}, row_json(row) or {}
    return all(here.get(name) == value for name, value in now.items() if was.get(name) != value and name not in _NEVER)


def _overrides(change: Change, changed: dict[tuple[str, str], Change]) -> bool:
    """Whether a change of a variant sets a field that the base has set too."""
    base = changed.get(change.at)
    if base is None or base.before is None or base.after is None or change.before is None or change.after is None:
        return False
    return bool(_fields(base).keys() & _fields(change).keys())


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
