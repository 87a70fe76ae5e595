"""A mutable draft of a document that records the reads and writes of commands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

from mapkit.core.errors import MapkitError, did_you_mean
from mapkit.document.changes import Change, Patch, tidy_changes
from mapkit.document.document import D, Document, Row, RowOrigin

R = TypeVar("R", bound=Row)
Key = tuple[str, ...]
"""A read or written item: a table, the parts of a key, a field; a shorter key stands for all below it."""

EXISTS = "exists"
ORDER = "order"
GONE = "gone"
"""The value of a row that was removed."""


class RowWritten(NamedTuple):
    """A row set by a step, with the fields that it stated; None for a removed row."""

    table: str
    key: str
    row: Row | None
    fields: tuple[str, ...]

    def is_in(self, where: "Document | Draft[Any]") -> bool:
        """Return whether a document or draft has the row with equal values of these fields."""
        present_row = where.table(self.table).get(self.key)
        if present_row is None or self.row is None:
            return present_row is self.row
        return all(getattr(present_row, name) == getattr(self.row, name) for name in self.fields)


class CommandError(MapkitError):
    """A command does not fit the document; nothing was changed."""


class Index:
    """Index calculated from tables of a draft, updated as rows change."""

    tables: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, draft: "Draft[Any]") -> Self:
        """Return the index of a draft in its current state."""
        raise NotImplementedError

    def change(self, table: str, key: str, old_row: Row | None, after: Row | None) -> None:
        """Update the index for an added, changed or removed row."""
        raise NotImplementedError


I = TypeVar("I", bound=Index)  # noqa: E741 - an index


@dataclass
class Draft(Generic[D]):
    """A mutable document; `patch` returns its changes.

    Args:
        base: The document before.
        origin: What rows that are put from now on come from.
    """

    base: D
    origin: RowOrigin | None = None
    reads: set[Key] = field(default_factory=set)
    """Reads of the current step."""
    stamped: dict[str, None] = field(default_factory=dict)
    """The tables of which rows were said to come from a step, in the order in which they first were."""
    _tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    _touched_rows: dict[str, dict[str, None]] = field(default_factory=dict)
    """The rows that were ever set, by table."""
    _origins: dict[tuple[str, str], RowOrigin] | None = None
    _indexes: dict[type[Index], Index] = field(default_factory=dict)
    _rows_before_step: dict[tuple[str, str], Row | None] = field(default_factory=dict)
    _origins_before_step: dict[tuple[str, str], RowOrigin | None] = field(default_factory=dict)
    _stated_fields: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    _written_items: dict[tuple[str, str], dict[Key, object]] = field(default_factory=dict)
    """Rows of which the step in hand changed single items of a list only: the items, by field and name."""
    _keep_origins: bool = False

    @property
    def document(self) -> D:
        """The document in its current state."""
        tables = {**self.base.tables, **{name: dict(rows) for name, rows in self._tables.items()}}
        return type(self.base)(tables, self.base.origins if self._origins is None else dict(self._origins))

    # Looking

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table in its current state."""
        changed_rows = self._tables.get(name)
        return self.base.table(name) if changed_rows is None else changed_rows

    def rows(self, name: str, _row: type[R]) -> Mapping[str, R]:
        """Return a table in its current state, with rows of the given type."""
        return cast("Mapping[str, R]", self.table(name))

    def get(self, table: str, key: str, *fields: str) -> Row | None:
        """Return a row, or None, and record a read of these fields of it, or of all."""
        row = self.table(table).get(key)
        read_key = self._read_key(table, key, row)
        self.reads.update((*read_key, name) for name in fields) if fields else self.reads.add(read_key)
        return row

    def need(self, table: str, key: str, what: str) -> Row:
        """Return a row that must exist, and record a read of its existence.

        Raises:
            CommandError: It is not; the nearest is offered.
        """
        row = self.table(table).get(key)
        if row is None:
            raise CommandError(f"{what} {key!r} is not on this board{did_you_mean(key, self.table(table))}")
        self.rely_on_row(table, key, row)
        return row

    def rely_on_row(self, table: str, key: str, row: Row) -> None:
        """Record a read of a row's existence."""
        self.reads.add((*self._read_key(table, key, row), EXISTS))

    def rely(self, table: str, *path: str) -> None:
        """Record a read of all rows of a table, or of those with keys that begin with a path."""
        self.reads.add((table, *path))

    def index(self, kind: type[I]) -> I:
        """Return an index, created on first use."""
        existing_index = self._indexes.get(kind)
        if existing_index is None:
            existing_index = self._indexes[kind] = kind.of(self)
        return cast("I", existing_index)

    def seed(self, index: Index) -> None:
        """Adopt an index of another draft."""
        self._indexes[type(index)] = index

    # Changing

    def put(self, table: str, key: str, row: Row) -> None:
        """Add or replace a row."""
        self._set_row(table, key, row)
        if not self._keep_origins:
            self._set_origin(table, key, self.origin)

    def update(self, table: str, key: str, **values: Any) -> None:  # noqa: ANN401 - any field of a row
        """Set fields of an existing row, with validation; they count as written even if unchanged."""
        row = self.table(table)[key]
        self.put(table, key, type(row)(**{**row.__dict__, **values}))
        self._stated_fields.setdefault((table, key), set()).update(values)

    def put_item(self, table: str, key: str, row: Row, item: Key, value: object) -> None:
        """Put a row that differs in one item of a list, recorded as a write of the item rather than the list.

        Args:
            table: The table.
            key: The row.
            row: With the list as it is then.
            item: The field of the list, and the item's name in it.
            value: The item; `GONE` if it was removed.
        """
        self.put(table, key, row)
        self._written_items.setdefault((table, key), {})[item] = value

    def drop(self, table: str, key: str) -> None:
        """Remove a row if it exists."""
        if key in self.table(table):
            self._set_row(table, key, None)
        if not self._keep_origins:
            self._set_origin(table, key, None)

    def stamp(self, table: str, key: str) -> None:
        """Set the current step as origin of a row, even if it is unchanged."""
        self._set_origin(table, key, self.origin)

    @contextmanager
    def unstamped(self) -> Iterator[None]:
        """Change rows without changing their origins."""
        previous_value, self._keep_origins = self._keep_origins, True
        try:
            yield
        finally:
            self._keep_origins = previous_value

    def replace(self, document: Document) -> None:
        """Replace all tables by those of a document."""
        for name in self.base.schema.tables:
            current_rows, wanted_rows = self.table(name), document.table(name)
            if current_rows is wanted_rows:
                continue
            for key in [key for key in current_rows if key not in wanted_rows]:
                self.drop(name, key)
            for key, row in wanted_rows.items():
                if current_rows.get(key) is not row:
                    self.put(name, key, row)

    # What was done

    def patch(self) -> Patch:
        """Return the changes so far."""
        changes = []
        for name, keys in self._touched_rows.items():
            for key in keys:
                old_row, new_row = self.base.get(name, key), self.table(name).get(key)
                origin = None if self._origins is None or self.origin is None else self._origins.get((name, key))
                changes.append(Change(table=name, key=key, before=old_row, after=new_row, origin=origin))
        return tidy_changes(changes)

    def begin(self, origin: RowOrigin | None = None) -> None:
        """Begin a step, and forget the reads and writes of the previous one.

        Args:
            origin: What rows that it puts come from.
        """
        self.origin = origin
        self.reads = set()
        self._rows_before_step, self._origins_before_step, self._stated_fields, self._written_items = {}, {}, {}, {}

    def take_back(self) -> None:
        """Undo the current step."""
        for (table, key), row in reversed(self._rows_before_step.items()):
            self._set_row(table, key, row)
        for at, origin in self._origins_before_step.items():
            self._set_origin(*at, origin)
        self.begin(self.origin)

    def written(self) -> dict[Key, object]:
        """Return the writes of the current step with values: fields, new rows, removed rows."""
        value_by_key: dict[Key, object] = {}
        for (table, key), before in self._rows_before_step.items():
            after = self.table(table).get(key)
            if before is not None and (after is None or before.path(key) != after.path(key)):
                value_by_key[table, *before.path(key)] = GONE
            if after is None:
                continue
            row_key = (table, *after.path(key))
            if (table, key) in self._written_items:
                value_by_key |= {(*row_key, *item): value for item, value in self._written_items[table, key].items()}
                continue
            is_new = before is None or before.path(key) != after.path(key)
            if is_new:
                value_by_key[*row_key, EXISTS] = "new"
            field_names = self._fields_stated(table, key, None if is_new else before, after)
            for name in field_names or [name for name in type(after).model_fields if name != "rank"]:
                value_by_key[*row_key, name] = ("is", getattr(after, name))
            if after.in_order and (is_new or before is None or before.rank != after.rank):
                value_by_key[table, ORDER] = object()  # never the same as another's
        return value_by_key

    def rows_written(self) -> dict[tuple[str, str], Row | None]:
        """Return the rows changed by the current step, by table and key, in their current state."""
        row_by_key = {(table, key): self.table(table).get(key) for table, key in self._rows_before_step}
        return {at: row for at, row in row_by_key.items() if self._rows_before_step[at] is not row}

    def rows_stated(self) -> list[RowWritten]:
        """Return the rows changed by the current step, with the fields that it changed or stated."""
        stated_rows = []
        for (table, key), before in self._rows_before_step.items():
            row = self.table(table).get(key)
            fields = () if row is None else tuple(self._fields_stated(table, key, before, row))
            if fields or (row is None and before is not None):
                stated_rows.append(RowWritten(table, key, row, fields))
        return stated_rows

    def _fields_stated(self, table: str, key: str, old_row: Row | None, after: Row) -> list[str]:
        stated_fields = self._stated_fields.get((table, key), set())
        field_names = [name for name in type(after).model_fields if name != "rank"]
        return [
            n for n in field_names if old_row is None or n in stated_fields or getattr(old_row, n) != getattr(after, n)
        ]

    def tables_written(self) -> set[str]:
        """Return the tables changed by the current step."""
        return {table for table, _ in self.rows_written()}

    def relied(self) -> set[Key]:
        """Return the reads of the current step, except of its own writes."""
        own_writes = self.written()
        return {key for key in self.reads if not any(key[:n] in own_writes for n in range(len(key) + 1))}

    def _read_key(self, table: str, key: str, row: Row | None) -> Key:
        row_type = self.base.schema.tables.get(table, Row)
        return (table, *(row.path(key) if row is not None else row_type.bare_path(key)))

    def _set_row(self, table: str, key: str, row: Row | None) -> None:
        rows = self._tables.get(table)
        if rows is None:
            rows = self._tables[table] = dict(self.base.table(table))
        old_row = rows.get(key)
        self._touched_rows.setdefault(table, {})[key] = None
        self._rows_before_step.setdefault((table, key), old_row)
        if row is None:
            rows.pop(key, None)
        else:
            rows[key] = row
        for index in self._indexes.values():
            if table in index.tables:
                index.change(table, key, old_row, row)

    def _set_origin(self, table: str, key: str, origin: RowOrigin | None) -> None:
        row_key = (table, key)
        if self._origins is None:
            if origin is None and row_key not in self.base.origins:
                return
            self._origins = dict(self.base.origins)
        old_origin = self._origins.pop(row_key, None)  # the latest stand last
        self._origins_before_step.setdefault(row_key, old_origin)
        if origin is not None:
            self.stamped[table] = None
            self._origins[row_key] = origin
