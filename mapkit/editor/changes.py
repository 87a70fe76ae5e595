"""Changes of rows: applying, inverting, joining and comparing patches."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mapkit.editor.document import TABLES, Document, Row
from mapkit.model.base import Frozen


class Change(Frozen):
    """What a row was and is; None where there is none."""

    table: str
    key: str
    before: Row | None
    after: Row | None

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
    mine: dict[str, Any] | None
    theirs: dict[str, Any] | None


def apply(document: Document, patch: Patch) -> Document:
    """Return the document after a patch; rows are set whatever they were."""
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
    return Document(tables)


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
                table=change.table, key=change.key, before=before, after=change.after
            )
    return tidy(out.values())


def tidy(changes: Iterable[Change]) -> Patch:
    """Return changes sorted, those that change nothing left out."""
    return tuple(sorted((c for c in changes if c.before != c.after), key=lambda c: c.at))


def difference(before: Document, after: Document) -> Patch:
    """Return the patch that leads from one document to another."""
    return tuple(_differences(before, after))


def _differences(before: Document, after: Document) -> Iterator[Change]:
    for name in sorted(TABLES):
        old, new = before.table(name), after.table(name)
        if old is new:
            continue
        for key in sorted({*old, *new}):
            was, now = old.get(key), new.get(key)
            if was is not now and was != now:
                yield Change.model_construct(table=name, key=key, before=was, after=now)


def same_rows(one: Row | None, other: Row | None) -> bool:
    """Return whether two rows say the same, wherever they stand in their file."""
    if one is None or other is None:
        return one is other
    return one == other or one.model_copy(update={"rank": other.rank}) == other


def row_json(row: Row | None) -> dict[str, Any] | None:
    """Return a row as plain JSON."""
    return None if row is None else row.model_dump(mode="json")


def patch_json(patch: Patch) -> list[dict[str, Any]]:
    """Return a patch as plain JSON, both sides."""
    return [{"table": c.table, "key": c.key, "before": row_json(c.before), "after": row_json(c.after)} for c in patch]


def wire_changes(patch: Patch) -> list[dict[str, Any]]:
    """Return what pages need of a patch: `{table, key, after}`; contents of files are left out."""
    return [
        {
            "table": c.table,
            "key": c.key,
            "after": None
            if c.after is None
            else c.after.model_dump(mode="json", exclude={"content"} if c.table == "files" else None),
        }
        for c in patch
    ]


def patch_of(data: Iterable[Mapping[str, Any]]) -> Patch:
    """Return a patch from its JSON.

    Raises:
        KeyError: There is no such table.
        TypeError: A key is no text.
        ValidationError: A row is wrong.
    """
    return tuple(
        Change.model_construct(
            table=item["table"],
            key=_key(item["key"]),
            before=_row(item["table"], item["before"]),
            after=_row(item["table"], item["after"]),
        )
        for item in data
    )


def _key(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError(data)
    return data


def _row(table: str, data: object) -> Row | None:
    return None if data is None else TABLES[table].model_validate(data)
