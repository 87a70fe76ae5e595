"""A document that a command may change, and what the command read and wrote on the way."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

from mapkit.core.errors import MapkitError, did_you_mean
from mapkit.document.changes import Change, Patch, tidy
from mapkit.document.document import D, Document, Row, RowOrigin

R = TypeVar("R", bound=Row)
Key = tuple[str, ...]
"""What was read or written: a table, the parts of a key, a field; a shorter key stands for all below it."""

EXISTS = "exists"
ORDER = "order"
GONE = "gone"
"""The value of a row that was removed."""


class RowWritten(NamedTuple):
    """A row that a step put, and the fields that it stated; a row that it removed is None."""

    table: str
    key: str
    row: Row | None
    fields: tuple[str, ...]

    def is_in(self, where: "Document | Draft[Any]") -> bool:
        """Return whether a document or draft has the row, with these fields as they are here."""
        there = where.table(self.table).get(self.key)
        if there is None or self.row is None:
            return there is self.row
        return all(getattr(there, name) == getattr(self.row, name) for name in self.fields)


class CommandError(MapkitError):
    """A command that does not fit the document; nothing was changed."""


class Index:
    """Something calculated from tables of a draft, kept true while rows come and go."""

    tables: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, draft: "Draft[Any]") -> Self:
        """Return the index of a draft as it is now."""
        raise NotImplementedError

    def change(self, table: str, key: str, before: Row | None, after: Row | None) -> None:
        """Follow a row that came, changed or went."""
        raise NotImplementedError


I = TypeVar("I", bound=Index)  # noqa: E741 - an index


@dataclass
class Draft(Generic[D]):
    """A document that commands may change; `patch` says what they did.

    Args:
        base: The document before.
        origin: What rows that are put from now on come from.
    """

    base: D
    origin: RowOrigin | None = None
    reads: set[Key] = field(default_factory=set)
    """What the step in hand relies on."""
    stamped: dict[str, None] = field(default_factory=dict)
    """The tables of which rows were said to come from a step, in the order in which they first were."""
    _tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    _touched: dict[str, dict[str, None]] = field(default_factory=dict)
    """The rows that were ever set, by table."""
    _origins: dict[tuple[str, str], RowOrigin] | None = None
    _indexes: dict[type[Index], Index] = field(default_factory=dict)
    _step: dict[tuple[str, str], Row | None] = field(default_factory=dict)
    _step_origins: dict[tuple[str, str], RowOrigin | None] = field(default_factory=dict)
    _said: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    _items: dict[tuple[str, str], dict[Key, object]] = field(default_factory=dict)
    """Rows of which the step in hand changed single items of a list only: the items, by field and name."""
    _silent: bool = False

    @property
    def document(self) -> D:
        """Return the document as it is now."""
        tables = {**self.base.tables, **{name: dict(rows) for name, rows in self._tables.items()}}
        return type(self.base)(tables, self.base.origins if self._origins is None else dict(self._origins))

    # Looking

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table as it is now."""
        own = self._tables.get(name)
        return self.base.table(name) if own is None else own

    def rows(self, name: str, _row: type[R]) -> Mapping[str, R]:
        """Return a table as it is now, its rows being of the given type."""
        return cast("Mapping[str, R]", self.table(name))

    def get(self, table: str, key: str, *fields: str) -> Row | None:
        """Return a row, or None; what is done then relies on these fields of it, or on all."""
        row = self.table(table).get(key)
        at = self._key(table, key, row)
        self.reads.update((*at, name) for name in fields) if fields else self.reads.add(at)
        return row

    def need(self, table: str, key: str, what: str) -> Row:
        """Return a row that must be there; what is done then relies on that.

        Raises:
            CommandError: It is not; the nearest is offered.
        """
        row = self.table(table).get(key)
        if row is None:
            raise CommandError(f"{what} {key!r} is not on this board{did_you_mean(key, self.table(table))}")
        self.rely_on_row(table, key, row)
        return row

    def rely_on_row(self, table: str, key: str, row: Row) -> None:
        """Note that what is done relies on a row being there, whatever it says."""
        self.reads.add((*self._key(table, key, row), EXISTS))

    def rely(self, table: str, *path: str) -> None:
        """Note that what is done relies on all rows of a table, or on those whose keys begin so."""
        self.reads.add((table, *path))

    def index(self, kind: type[I]) -> I:
        """Return an index, made when it is first asked for."""
        found = self._indexes.get(kind)
        if found is None:
            found = self._indexes[kind] = kind.of(self)
        return cast("I", found)

    def seed(self, index: Index) -> None:
        """Take an index that another draft made."""
        self._indexes[type(index)] = index

    # Changing

    def put(self, table: str, key: str, row: Row) -> None:
        """Add or replace a row."""
        self._set(table, key, row)
        if not self._silent:
            self._stamp(table, key, self.origin)

    def update(self, table: str, key: str, **values: Any) -> None:  # noqa: ANN401 - any field of a row
        """Set fields of a row that is there, checked again; they count as written whatever they were."""
        row = self.table(table)[key]
        self.put(table, key, type(row)(**{**row.__dict__, **values}))
        self._said.setdefault((table, key), set()).update(values)

    def put_item(self, table: str, key: str, row: Row, item: Key, value: object) -> None:
        """Put a row that differs in one item of a list: what is written is the item, not the list.

        Args:
            table: The table.
            key: The row.
            row: With the list as it is then.
            item: The field of the list, and the item's name in it.
            value: The item; `GONE` if it was removed.
        """
        self.put(table, key, row)
        self._items.setdefault((table, key), {})[item] = value

    def drop(self, table: str, key: str) -> None:
        """Remove a row if it is there."""
        if key in self.table(table):
            self._set(table, key, None)
        if not self._silent:
            self._stamp(table, key, None)

    def stamp(self, table: str, key: str) -> None:
        """Say that a row, or what it stands for, comes from the step in hand, though nothing of it changed."""
        self._stamp(table, key, self.origin)

    @contextmanager
    def unstamped(self) -> Iterator[None]:
        """Change rows that go on coming from where they came from."""
        before, self._silent = self._silent, True
        try:
            yield
        finally:
            self._silent = before

    def replace(self, document: Document) -> None:
        """Take all tables of a document."""
        for name in self.base.schema.tables:
            now, wanted = self.table(name), document.table(name)
            if now is wanted:
                continue
            for key in [key for key in now if key not in wanted]:
                self.drop(name, key)
            for key, row in wanted.items():
                if now.get(key) is not row:
                    self.put(name, key, row)

    # What was done

    def patch(self) -> Patch:
        """Return the changes so far."""
        out = []
        for name, keys in self._touched.items():
            for key in keys:
                was, now = self.base.get(name, key), self.table(name).get(key)
                origin = None if self._origins is None or self.origin is None else self._origins.get((name, key))
                out.append(Change.model_construct(table=name, key=key, before=was, after=now, origin=origin))
        return tidy(out)

    def begin(self, origin: RowOrigin | None = None) -> None:
        """Begin a step: what the one before read and wrote is forgotten.

        Args:
            origin: What rows that it puts come from.
        """
        self.origin = origin
        self.reads = set()
        self._step, self._step_origins, self._said, self._items = {}, {}, {}, {}

    def take_back(self) -> None:
        """Undo the step in hand."""
        for (table, key), row in reversed(self._step.items()):
            self._set(table, key, row)
        for at, origin in self._step_origins.items():
            self._stamp(*at, origin)
        self.begin(self.origin)

    def written(self) -> dict[Key, object]:
        """Return what the step in hand wrote, with values: fields, rows that came, rows that are gone."""
        out: dict[Key, object] = {}
        for (table, key), before in self._step.items():
            after = self.table(table).get(key)
            if before is not None and (after is None or before.path(key) != after.path(key)):
                out[table, *before.path(key)] = GONE
            if after is None:
                continue
            at = (table, *after.path(key))
            if (table, key) in self._items:
                out |= {(*at, *item): value for item, value in self._items[table, key].items()}
                continue
            came = before is None or before.path(key) != after.path(key)
            if came:
                out[*at, EXISTS] = "new"
            names = self._fields_stated(table, key, None if came else before, after)
            for name in names or [name for name in type(after).model_fields if name != "rank"]:
                out[*at, name] = ("is", getattr(after, name))
            if after.in_order and (came or before is None or before.rank != after.rank):
                out[table, ORDER] = object()  # never the same as another's
        return out

    def rows_written(self) -> dict[tuple[str, str], Row | None]:
        """Return the rows that the step in hand changed, by table and key, as they are now."""
        now = {(table, key): self.table(table).get(key) for table, key in self._step}
        return {at: row for at, row in now.items() if self._step[at] is not row}

    def rows_stated(self) -> list[RowWritten]:
        """Return the rows that the step in hand changed, with the fields that it changed or stated of them."""
        out = []
        for (table, key), before in self._step.items():
            row = self.table(table).get(key)
            fields = () if row is None else tuple(self._fields_stated(table, key, before, row))
            if fields or (row is None and before is not None):
                out.append(RowWritten(table, key, row, fields))
        return out

    def _fields_stated(self, table: str, key: str, before: Row | None, after: Row) -> list[str]:
        said = self._said.get((table, key), set())
        names = [name for name in type(after).model_fields if name != "rank"]
        return [n for n in names if before is None or n in said or getattr(before, n) != getattr(after, n)]

    def tables_written(self) -> set[str]:
        """Return the tables that the step in hand changed."""
        return {table for table, _ in self.rows_written()}

    def relied(self) -> set[Key]:
        """Return what the step in hand read, except what it wrote itself."""
        wrote = self.written()
        return {key for key in self.reads if not any(key[:n] in wrote for n in range(len(key) + 1))}

    def _key(self, table: str, key: str, row: Row | None) -> Key:
        kind = self.base.schema.tables.get(table, Row)
        return (table, *(row.path(key) if row is not None else kind.bare_path(key)))

    def _set(self, table: str, key: str, row: Row | None) -> None:
        rows = self._tables.get(table)
        if rows is None:
            rows = self._tables[table] = dict(self.base.table(table))
        before = rows.get(key)
        self._touched.setdefault(table, {})[key] = None
        self._step.setdefault((table, key), before)
        if row is None:
            rows.pop(key, None)
        else:
            rows[key] = row
        for index in self._indexes.values():
            if table in index.tables:
                index.change(table, key, before, row)

    def _stamp(self, table: str, key: str, origin: RowOrigin | None) -> None:
        at = (table, key)
        if self._origins is None:
            if origin is None and at not in self.base.origins:
                return
            self._origins = dict(self.base.origins)
        old = self._origins.pop(at, None)  # the latest stand last
        self._step_origins.setdefault(at, old)
        if origin is not None:
            self.stamped[table] = None
            self._origins[at] = origin
