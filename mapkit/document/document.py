"""The document of an author as keyed tables of immutable rows.

A `Document` never changes; a command plans a `Patch` and `mapkit.document.changes.apply` gives the next document, which
shares all unchanged rows. Keys are stable ids, so that two people's changes of different rows merge. The `Schema` of a
kind of board lists its tables; this module has the rows that all kinds share.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, ClassVar, Generic, TypeVar, cast

from pydantic import BeforeValidator, JsonValue

from mapkit.core.base import Frozen, JsonObject


class Row(Frozen):
    """A row of a table; `rank` gives its order in the file."""

    rank: float = 0.0
    noun: ClassVar[str] = "row"
    """Noun for people: `railroad`."""
    in_order: ClassVar[bool] = False
    """Whether the order of the rows means something beyond the file."""

    def path(self, key: str) -> tuple[str, ...]:
        """Return the parts of the row's key, so that rows of one chart or railroad can be named together."""
        return self.bare_path(key)

    @classmethod
    def bare_path(cls, key: str) -> tuple[str, ...]:
        """Return the parts of a key without its row."""
        return (key,)


R = TypeVar("R", bound=Row)
L = TypeVar("L", bound=str)


def make_row(kind: type[R], **values: object) -> R:
    """Return a row of known valid values, without validation; all fields but `rank` must be given.

    About ten times as fast as pydantic's constructors, for tables of thousands of rows.
    """
    row = kind.__new__(kind)
    _set_attribute(row, "__dict__", {"rank": 0.0, **values})
    _set_attribute(row, "__pydantic_fields_set__", {*values})
    _set_attribute(row, "__pydantic_extra__", None)
    _set_attribute(row, "__pydantic_private__", None)
    return row


_set_attribute = object.__setattr__


def _split_words(value: object) -> object:
    return tuple(value.split()) if isinstance(value, str) else value


Listed = Annotated[tuple[L, ...], BeforeValidator(_split_words)]
"""A list of words in a field of a row; a file has them with spaces between."""


class Setting(Row):
    """A key of `board.toml`; an empty table is an empty object."""

    noun: ClassVar[str] = ""
    value: JsonValue

    @classmethod
    def bare_path(cls, key: str) -> tuple[str, ...]:
        """Return the parts of a key."""
        return tuple(key.split("."))


class Accepted(Row):
    """An accepted finding, with its reason."""

    noun: ClassVar[str] = "accepted"
    reason: str


class File(Row):
    """Another file of the source package, such as a drawing; `content` is base64."""

    sha256: str
    content: str


@dataclass(frozen=True)
class Schema:
    """Tables of a kind of board.

    Args:
        tables: Table -> its rows, in the order in which they are listed.
        unranked: Tables whose order follows from other tables, or means nothing; their ranks are 0.
        unsent: Table -> fields of its rows that no page is sent.
    """

    tables: Mapping[str, type[Row]]
    unranked: frozenset[str] = frozenset({"settings", "accepted"})
    unsent: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def row_json(self, table: str, row: Row) -> JsonObject:
        """Return a row as plain JSON for a page."""
        return row.model_dump(mode="json", exclude=set(self.unsent.get(table, ())) or None)


@dataclass(frozen=True, slots=True)
class RowOrigin:
    """Origin of a row.

    Args:
        file: The file that it was read from, or the variant's file.
        row: Its row there, as a spreadsheet counts; 0 for a file without rows.
        how: `file` if it stands in a file of the board, `variant` if an operation of a variant made it; of a board
            without sources, what the board says.
        rows: Of a row that was read from several, such as a line from its stops: all of them, in order.
        feature: What of another file it was made from, such as a line of a drawing; empty if nothing.
    """

    file: str
    row: int = 0
    how: str = "file"
    rows: tuple[int, ...] = ()
    feature: str = ""


_NO_ROWS: Mapping[str, Row] = MappingProxyType({})
"""Of a table that is left out: the same object every time, as a table that did not change is."""

RowOrigins = Mapping[tuple[str, str], RowOrigin]
"""(table, key) -> where the row comes from."""


@dataclass(frozen=True, eq=False)
class Document:
    """A source package in an editable form; equal if all tables are.

    Each kind of board has a subclass with its `schema`.

    Args:
        tables: Table -> key -> row; tables that are left out are empty.
        origins: Where rows come from, beside the tables; a row that was changed since it was read has none.
    """

    tables: Mapping[str, Mapping[str, Row]] = field(default_factory=dict)
    origins: RowOrigins = field(default_factory=dict, repr=False)
    schema: ClassVar[Schema] = Schema({})

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table by its name."""
        return self.tables.get(name, _NO_ROWS)

    def get(self, table: str, key: str) -> Row | None:
        """Return a row, or None."""
        return self.table(table).get(key)

    def origin(self, table: str, key: str) -> RowOrigin | None:
        """Return the origin of a row, or None."""
        return self.origins.get((table, key))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Document)
            and self.schema is other.schema
            and all(self.table(name) == other.table(name) for name in self.schema.tables)
        )

    __hash__ = None  # type: ignore[assignment]  # tables are mappings


class TableOf(Generic[R]):
    """Descriptor of a table of a kind's documents, as an attribute with the name of the table."""

    def __set_name__(self, owner: type[object], name: str) -> None:
        self._table = name

    def __get__(self, document: Document, owner: type[object] | None = None) -> Mapping[str, R]:
        """Return the rows by key."""
        return cast("Mapping[str, R]", document.table(self._table))


D = TypeVar("D", bound=Document)


def sort_rows(table: Mapping[str, R]) -> list[tuple[str, R]]:
    """Return the rows of a table in the order of the file, as `(key, row)`."""
    return sorted(table.items(), key=lambda item: (item[1].rank, item[0]))


def last_rank(table: Mapping[str, Row]) -> float:
    """Return a rank after all rows of a table."""
    return max((row.rank for row in table.values()), default=0.0) + 1


def rank_rows(document: D) -> D:
    """Return the document with ranks 1, 2, 3 ..., so that documents of the same files are equal."""
    ordered_rows = {name: sort_rows(document.table(name)) for name in document.schema.tables}
    return document_of_rows(type(document), ordered_rows, document.origins)


def document_of_rows(
    of: type[D], tables: Mapping[str, Iterable[tuple[str, Row]]], origins: RowOrigins | None = None
) -> D:
    """Return a document of ordered rows, with ranks 1, 2, 3 ...

    Args:
        of: The documents of a kind.
        tables: Table -> (key, row) in order.
        origins: Where the rows come from.
    """
    schema = of.schema
    return of({name: dict(_number_rows(schema, name, tables.get(name, ()))) for name in schema.tables}, origins or {})


def _number_rows(schema: Schema, table: str, rows: Iterable[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    for number, (key, row) in enumerate(rows, start=1):
        rank = 0.0 if table in schema.unranked else float(number)
        yield key, row if row.rank == rank else row.model_copy(update={"rank": rank})


def tables_json(document: Document) -> dict[str, dict[str, JsonObject]]:
    """Return the tables as plain JSON for a page."""
    schema = document.schema
    return {
        name: {key: schema.row_json(name, row) for key, row in document.table(name).items()} for name in schema.tables
    }
