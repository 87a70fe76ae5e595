"""Changes of rows: applying, inverting, composing and comparing patches."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from typing_extensions import TypedDict

from mapkit.core.base import Frozen, JsonObject
from mapkit.document.document import D, Document, Row, RowOrigin, RowOrigins, Schema

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Change:
    """Old and new state of a row, None if absent; and the origin of the new row, if known."""

    table: str
    key: str
    before: Row | None
    after: Row | None
    origin: RowOrigin | None = None

    @property
    def at(self) -> tuple[str, str]:
        """Table and key."""
        return self.table, self.key


Patch = tuple[Change, ...]
"""Changes of different rows, sorted by table and key."""


class Conflict(Frozen):
    """A row with two different changes; values are rows as JSON, None if deleted."""

    table: str
    key: str
    mine: JsonObject | None
    theirs: JsonObject | None

    def shown(self) -> "ShownConflict":
        """Return it in the form for pages."""
        return {"table": self.table, "key": self.key, "mine": self.mine, "theirs": self.theirs}


class ShownConflict(TypedDict):
    """A row with two different changes, in the form for pages; null if deleted."""

    table: str
    key: str
    mine: JsonObject | None
    theirs: JsonObject | None


class TableChange(TypedDict):
    """A changed row, in the form for pages; `after` is null if it is deleted."""

    table: str
    key: str
    after: JsonObject | None


def apply(document: D, patch: Patch) -> D:
    """Return the document after a patch; rows are set regardless of their old state, with the origins of the patch."""
    tables: dict[str, Mapping[str, Row]] = dict(document.tables)
    changed_tables: dict[str, dict[str, Row]] = {}
    for change in patch:
        if change.table not in changed_tables:
            changed_tables[change.table] = dict(document.table(change.table))
        if change.after is None:
            changed_tables[change.table].pop(change.key, None)
        else:
            changed_tables[change.table][change.key] = change.after
    tables.update(changed_tables)
    return type(document)(tables, _patched_origins(document.origins, patch))


def _patched_origins(origins: RowOrigins, patch: Patch) -> RowOrigins:
    """Return the origins of rows after a patch: a changed row has only the origin that the patch gives."""
    if not any(change.origin is not None or change.at in origins for change in patch):
        return origins
    new_origins = dict(origins)
    for change in patch:
        if change.origin is not None and change.after is not None:
            new_origins[change.at] = change.origin
        else:
            new_origins.pop(change.at, None)
    return new_origins


def copy_origins(document: D, read: Document, keys: Iterable[tuple[str, str]] | None = None) -> D:
    """Return a document with the origins of the equal rows of another.

    Args:
        document: The document.
        read: What was read from files.
        keys: The rows to look at; all, and none but these keep an origin, by default.
    """
    row_keys = read.origins if keys is None else keys
    same_origins = {
        at: read.origins[at] for at in row_keys if at in read.origins and same_rows(read.get(*at), document.get(*at))
    }
    if keys is not None and not same_origins:
        return document
    return type(document)(document.tables, same_origins if keys is None else {**document.origins, **same_origins})


def invert(patch: Patch) -> Patch:
    """Return the inverse patch."""
    return tuple(Change(table=c.table, key=c.key, before=c.after, after=c.before) for c in patch)


def rebase_patch(document: Document, patch: Patch) -> Patch:
    """Return a patch with the same new rows, from the rows of a document."""
    return tuple(
        Change(table=c.table, key=c.key, before=document.get(c.table, c.key), after=c.after, origin=c.origin)
        for c in patch
    )


def compose(patches: Iterable[Patch]) -> Patch:
    """Return one patch with the effect of several in a row."""
    change_by_row: dict[tuple[str, str], Change] = {}
    for patch in patches:
        for change in patch:
            first = change_by_row.get(change.at)
            before = change.before if first is None else first.before
            change_by_row[change.at] = Change(
                table=change.table, key=change.key, before=before, after=change.after, origin=change.origin
            )
    return tidy_changes(change_by_row.values())


def tidy_changes(changes: Iterable[Change]) -> Patch:
    """Return changes sorted, without those that change nothing."""
    return tuple(sorted((c for c in changes if c.before != c.after), key=lambda c: c.at))


def difference(base: Document, after: Document) -> Patch:
    """Return the patch that leads from one document to another."""
    return tuple(_find_differences(base, after))


def _find_differences(base: Document, after: Document) -> Iterator[Change]:
    for name in sorted(after.schema.tables):
        old_rows, new_rows = base.table(name), after.table(name)
        if old_rows is new_rows:
            continue
        for key in sorted({*old_rows, *new_rows}):
            old_row, new_row = old_rows.get(key), new_rows.get(key)
            if old_row is not new_row and old_row != new_row:
                yield Change(table=name, key=key, before=old_row, after=new_row)


def changed_values(old: Mapping[K, Any], after: Mapping[K, Any]) -> dict[K, tuple[Any, Any]]:
    """Return key -> old and new value where they differ, in the order of `after`; absent values are None."""
    all_keys = [*after, *(key for key in old if key not in after)]
    return {key: (old.get(key), after.get(key)) for key in all_keys if old.get(key) != after.get(key)}


def compare_rows(
    old: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Mapping[str, Any]],
    same: Mapping[str, str] | None = None,
) -> Iterator[tuple[str | None, str | None, dict[str, tuple[Any, Any]]]]:
    """Yield the removed, added and changed rows: old key, new key, differing fields.

    Args:
        old: Key -> fields of the rows before.
        after: The same after.
        same: Old key -> new key of the rows that both have; equal keys by default.
    """
    new_key_by_old = {key: key for key in old if key in after} if same is None else same
    yield from ((key, None, {}) for key in sorted(old) if key not in new_key_by_old)
    used_keys = set(new_key_by_old.values())
    yield from ((None, key, {}) for key in sorted(after) if key not in used_keys)
    for old_key, new_key in sorted(new_key_by_old.items(), key=lambda pair: pair[1]):
        if changed_fields := changed_values(old[old_key], after[new_key]):
            yield old_key, new_key, changed_fields


def same_rows(one: Row | None, other: Row | None) -> bool:
    """Return whether two rows are equal apart from their position in the file."""
    if one is None or other is None:
        return one is other
    return type(one) is type(other) and {**one.__dict__, "rank": other.rank} == other.__dict__


def row_json(row: Row | None) -> JsonObject | None:
    """Return a row as plain JSON."""
    return None if row is None else row.model_dump(mode="json")


def patch_json(patch: Patch) -> list[dict[str, Any]]:
    """Return a patch as plain JSON, both sides."""
    return [{"table": c.table, "key": c.key, "before": row_json(c.before), "after": row_json(c.after)} for c in patch]


def wire_changes(patch: Patch, schema: Schema) -> list[TableChange]:
    """Return a patch in the form for pages."""
    return [
        {
            "table": c.table,
            "key": c.key,
            "after": None if c.after is None else schema.row_json(c.table, c.after),
        }
        for c in patch
    ]


def patch_from_json(data: Iterable[Mapping[str, Any]], schema: Schema) -> Patch:
    """Return a patch from its JSON.

    Raises:
        KeyError: There is no such table.
        TypeError: A key is not a text.
        ValidationError: A row is wrong.
    """
    return tuple(
        Change(
            table=item["table"],
            key=_checked_key(item["key"]),
            before=_row_from_json(schema, item["table"], item["before"]),
            after=_row_from_json(schema, item["table"], item["after"]),
        )
        for item in data
    )


def _checked_key(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError(data)
    return data


def _row_from_json(schema: Schema, table: str, data: object) -> Row | None:
    return None if data is None else schema.tables[table].model_validate(data)
