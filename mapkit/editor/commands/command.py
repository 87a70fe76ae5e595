"""What a command is: a frozen model that plans a patch of a document, and a label for the list of steps."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, cast

from pydantic import ValidationError

from mapkit.editor.changes import Change, Patch, tidy
from mapkit.editor.document import TABLES, Document, Row
from mapkit.errors import MapkitError, did_you_mean
from mapkit.model.base import Frozen

R = TypeVar("R", bound=Row)


class CommandError(MapkitError):
    """A command that does not fit the document; nothing was changed."""


@dataclass(frozen=True)
class Plan:
    """What a command would do: the changed rows, and what undo will say it undoes."""

    patch: Patch
    label: str


class Command(Frozen):
    """Something that an author does in one step.

    Each subclass has a field `kind` with its own name and plans in `edit`, on a draft of the document.
    """

    kind: str
    topic: ClassVar[str] = ""

    def plan(self, document: Document) -> Plan:
        """Return what the command does to a document.

        Raises:
            CommandError: It does not fit; the text says what and why.
        """
        draft = Draft(document)
        with told():
            label = self.edit(draft)
        return Plan(draft.patch(), label)

    def edit(self, draft: "Draft") -> str:
        """Change the draft and return the label.

        Raises:
            CommandError: The command does not fit.
        """
        raise NotImplementedError


@contextmanager
def told() -> Iterator[None]:
    """Turn a value that a row does not allow into a sentence.

    Raises:
        CommandError: A row refused a value.
    """
    try:
        yield
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, item['loc'])) or 'the command'} is {item['input']!r}: "
            f"{item['msg'][:1].lower()}{item['msg'][1:]}"
            for item in error.errors()[:5]
        ]
        raise CommandError("; ".join(lines)) from error


@dataclass
class Draft:
    """A document that a command may change; `patch` says what it did."""

    base: Document
    _tables: dict[str, dict[str, Row]] = field(default_factory=dict)

    @property
    def document(self) -> Document:
        """Return the document as it is now."""
        return Document({**self.base.tables, **{name: dict(rows) for name, rows in self._tables.items()}})

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table as it is now."""
        return self._tables.get(name, self.base.table(name))

    def rows(self, name: str, _row: type[R]) -> Mapping[str, R]:
        """Return a table as it is now, its rows being of the given type."""
        return cast("Mapping[str, R]", self.table(name))

    def put(self, table: str, key: str, row: Row) -> None:
        """Add or replace a row."""
        self._own(table)[key] = row

    def update(self, table: str, key: str, **values: Any) -> None:  # noqa: ANN401 - any field of a row
        """Change fields of a row that is there, checked again."""
        row = self.table(table)[key]
        self.put(table, key, type(row).model_validate(row.model_dump() | values))

    def drop(self, table: str, key: str) -> None:
        """Remove a row if it is there."""
        self._own(table).pop(key, None)

    def replace(self, document: Document) -> None:
        """Take all tables of a document."""
        for name in TABLES:
            if self.table(name) is not document.table(name):
                self._tables[name] = dict(document.table(name))

    def patch(self) -> Patch:
        """Return the changes so far."""
        out = []
        for name, rows in self._tables.items():
            before = self.base.table(name)
            for key in {*before, *rows}:
                was, now = before.get(key), rows.get(key)
                if was is not now:
                    out.append(Change.model_construct(table=name, key=key, before=was, after=now))
        return tidy(out)

    def _own(self, table: str) -> dict[str, Row]:
        if table not in self._tables:
            self._tables[table] = dict(self.base.table(table))
        return self._tables[table]

    def need(self, table: str, key: str, what: str) -> Row:
        """Return a row that must be there.

        Raises:
            CommandError: It is not; the nearest is offered.
        """
        row = self.table(table).get(key)
        if row is None:
            raise CommandError(f"{what} {key!r} is not on this board{did_you_mean(key, self.table(table))}")
        return row


def read_command(data: object) -> Command:
    """Return a command from its JSON, `{"kind": "set-payoff", ...}`.

    Raises:
        CommandError: There is no such kind, or a field is unknown, missing or wrong.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise CommandError('a command is a JSON object with a "kind", such as {"kind": "set-payoff", ...}')
    kind = data["kind"]
    if kind not in COMMANDS:
        raise CommandError(f"no command {kind!r}{did_you_mean(kind, COMMANDS)}")
    with told():
        return COMMANDS[kind].model_validate(data)


COMMANDS: dict[str, type[Command]] = {}
"""All commands by kind; the modules of `mapkit.editor.commands` fill it."""

C = TypeVar("C", bound=Command)


def command(topic: str) -> Callable[[type[C]], type[C]]:
    """Register a command under its kind; `topic` groups commands in lists."""

    def register(cls: type[C]) -> type[C]:
        kind = str(cls.model_fields["kind"].default)
        cls.topic = topic
        COMMANDS[kind] = cls
        return cls

    return register
