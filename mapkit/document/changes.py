"""Changes of rows: applying, inverting, joining and comparing patches."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from typing_extensions import TypedDict

from mapkit.core.base import Frozen, JsonObject
from mapkit.document.document import D, Document, Row, RowOrigin, RowOrigins, Schema

K = TypeVar("K")


class Change(Frozen):
    """What a row was and is, None where there is none; and where the new row comes from, if that is known."""

    table: str
    key: str
    before: Row | None
    after: Row | None
    origin: RowOrigin | None = None

    @property
    def at(self) -> tuple[str, str]:
        """Return table and key."""
        return self.table, self.key


Patch = tuple[Change, ...]
"""Changes of different rows, sorted by table and key."""


class Conflict(Frozen):
    """A row that two have changed differently; values are the rows as JSON, None is deleted."""

    table: str
    key: str
    mine: JsonObject | None
    theirs: JsonObject | None

    def shown(self) -> "ShownConflict":
        """Return it as pages get it."""
        return {"table": self.table, "key": self.key, "mine": self.mine, "theirs": self.theirs}


class ShownConflict(TypedDict):
    """A row that two have changed differently, as pages get it; null is deleted."""

    table: str
    key: str
    mine: JsonObject | None
    theirs: JsonObject | None


class TableChange(TypedDict):
    """A row that changed, as pages get it; `after` is null for one that is gone."""

    table: str
    key: str
    after: JsonObject | None


def apply(document: D, patch: Patch) -> D:
    """Return the document after a patch; rows are set whatever they were, and come from where the patch says."""
    tables: dict[str, Mapping[str, Row]] = dict(document.tables)
    fresh: dict[str, dict[str, Row]] = {}
    for change in patch:
        if change.table not in fresh:
            fresh[change.table] = dict(document.table(change.table))
        if change.after is None:
            fresh[change.table].pop(change.key, None)
        else:
            fresh[change.table][change.key] = change.after
    tables.update(fresh)
    return type(document)(tables, _origins(document.origins, patch))


def _origins(origins: RowOrigins, patch: Patch) -> RowOrigins:
    """Return where rows come from after a patch: a row that it changes has no origin but one that it gives."""
    if not any(change.origin is not None or change.at in origins for change in patch):
        return origins
    out = dict(origins)
    for change in patch:
        if change.origin is not None and change.after is not None:
            out[change.at] = change.origin
        else:
            out.pop(change.at, None)
    return out


def with_origins(document: D, read: Document, keys: Iterable[tuple[str, str]] | None = None) -> D:
    """Return a document whose rows come from where the same rows of another come.

    Args:
        document: The document.
        read: What was read from files.
        keys: The rows to look at; all, and none but these keep an origin, by default.
    """
    looked = read.origins if keys is None else keys
    same = {at: read.origins[at] for at in looked if at in read.origins and same_rows(read.get(*at), document.get(*at))}
    if keys is not None and not same:
        return document
    return type(document)(document.tables, same if keys is None else {**document.origins, **same})


def invert(patch: Patch) -> Patch:
    """Return the patch that takes this one back."""
    return tuple(Change.model_construct(table=c.table, key=c.key, before=c.after, after=c.before) for c in patch)


def compose(patches: Iterable[Patch]) -> Patch:
    """Return one patch that does what these do one after the other."""
    out: dict[tuple[str, str], Change] = {}
    for patch in patches:
        for change in patch:
            first = out.get(change.at)
            before = change.before if first is None else first.before
            out[change.at] = Change.model_construct(
                table=change.table, key=change.key, before=before, after=change.after, origin=change.origin
            )
    return tidy(out.values())


def tidy(changes: Iterable[Change]) -> Patch:
    """Return changes sorted, those that change nothing left out."""
    return tuple(sorted((c for c in changes if c.before != c.after), key=lambda c: c.at))


def difference(before: Document, after: Document) -> Patch:
    """Return the patch that leads from one document to another."""
    return tuple(_differences(before, after))


def _differences(before: Document, after: Document) -> Iterator[Change]:
    for name in sorted(after.schema.tables):
        old, new = before.table(name), after.table(name)
        if old is new:
            continue
        for key in sorted({*old, *new}):
            was, now = old.get(key), new.get(key)
            if was is not now and was != now:
                yield Change.model_construct(table=name, key=key, before=was, after=now)


def changed_values(before: Mapping[K, Any], after: Mapping[K, Any]) -> dict[K, tuple[Any, Any]]:
    """Return key -> what it was and is, in the order of `after`, where that differs; what is not there is None."""
    keys = [*after, *(key for key in before if key not in after)]
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def compare_rows(
    before: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Mapping[str, Any]],
    same: Mapping[str, str] | None = None,
) -> Iterator[tuple[str | None, str | None, dict[str, tuple[Any, Any]]]]:
    """Yield the rows that were removed, added and changed: the old key, the new key, the fields that differ.

    Args:
        before: Key -> fields of the rows before.
        after: The same after.
        same: Old key -> new key of the rows that both have; equal keys by default.
    """
    known = {key: key for key in before if key in after} if same is None else same
    yield from ((key, None, {}) for key in sorted(before) if key not in known)
    taken = set(known.values())
    yield from ((None, key, {}) for key in sorted(after) if key not in taken)
    for old, new in sorted(known.items(), key=lambda pair: pair[1]):
        if fields := changed_values(before[old], after[new]):
            yield old, new, fields


def same_rows(one: Row | None, other: Row | None) -> bool:
    """Return whether two rows say the same, wherever they stand in their file."""
    if one is None or other is None:
        return one is other
    return one == other or one.model_copy(update={"rank": other.rank}) == other


def row_json(row: Row | None) -> JsonObject | None:
    """Return a row as plain JSON."""
    return None if row is None else row.model_dump(mode="json")


def patch_json(patch: Patch) -> list[dict[str, Any]]:
    """Return a patch as plain JSON, both sides."""
    return [{"table": c.table, "key": c.key, "before": row_json(c.before), "after": row_json(c.after)} for c in patch]


def wire_changes(patch: Patch, schema: Schema) -> list[TableChange]:
    """Return what pages need of a patch."""
    return [
        {
            "table": c.table,
            "key": c.key,
            "after": None if c.after is None else schema.row_json(c.table, c.after),
        }
        for c in patch
    ]


def patch_of(data: Iterable[Mapping[str, Any]], schema: Schema) -> Patch:
    """Return a patch from its JSON.

    Raises:
        KeyError: There is no such table.
        TypeError: A key is not a text.
        ValidationError: A row is wrong.
    """
    return tuple(
        Change.model_construct(
            table=item["table"],
            key=_key(item["key"]),
            before=_row(schema, item["table"], item["before"]),
            after=_row(schema, item["table"], item["after"]),
        )
        for item in data
    )


def _key(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError(data)
    return data


def _row(schema: Schema, table: str, data: object) -> Row | None:
    return None if data is None else schema.tables[table].model_validate(data)
