"""What a command is: a frozen model that plans a patch of a document, and a label for the list of steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from pydantic import Field, ValidationError, model_validator

from mapkit.core.base import Frozen
from mapkit.core.characters import describe_character, find_in_data
from mapkit.core.errors import MapkitError, SourceError, did_you_mean
from mapkit.core.invalid import dotted, invalid
from mapkit.core.problems import problem_lines
from mapkit.document.changes import Patch
from mapkit.document.document import Document
from mapkit.document.draft import CommandError, Draft
from mapkit.document.plain import plain_files, read_plain

__all__ = ["Command", "CommandError", "Commands", "Draft", "Former", "Makes", "Names", "Plan", "refusals_in_words"]


MOST_NAMED: Final = 5
"""So many reasons are named when a step is refused."""


@dataclass(frozen=True)
class Names:
    """Says of a field of a command that it holds the id of something that is there, or ids, or ids as keys.

    Args:
        what: Of what: `milepost`, `city` ... in the words of the kind of board.
        by: The field that says of what, if it takes one: the chart of a cell.
    """

    what: str
    by: str = ""


@dataclass(frozen=True)
class Makes:
    """Says of a field of a command that it holds the id of something new.

    Args:
        what: Of what.
    """

    what: str


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
    reason: str = Field(default="", max_length=5000, description="Why; a variant says it of each of its operations")
    topic: ClassVar[str] = ""
    always_prepared: ClassVar[bool] = False
    commands_known: ClassVar["Commands"]
    """The commands of the kind of board that this one belongs to."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_characters(cls, data: Any) -> Any:  # noqa: ANN401 - whatever a command is made of
        if (found := find_in_data(data)) is not None:
            raise ValueError(f"{found[0][:40]!r} holds {describe_character(found[1])}; delete it")
        return data

    @property
    def as_given(self) -> bool:
        """Whether it puts rows as they are given, which only reading them again judges."""
        return False

    def is_prepared(self, draft: "Draft[Any]") -> bool:  # noqa: ARG002 - for subclasses
        """Return whether it works on a draft that its kind of board prepares, which several in a row share."""
        return self.always_prepared

    def plan(self, document: Document) -> Plan:
        """Return what the command does to a document.

        Raises:
            CommandError: It does not fit, or a check would refuse the board that it makes; the text says what and why.
        """
        draft = Draft(document)
        with refusals_in_words():
            label = self.carry_out(draft)
        patch = draft.patch()
        if patch:
            self.commands_known.check_step(draft, patch, as_given=self.as_given)
        return Plan(patch, label)

    @classmethod
    def explain(cls, before: Document, after: Document) -> "Iterable[Command]":  # noqa: ARG003 - for subclasses
        """Yield commands of this kind that may be what led from one document to another.

        A difference is first said by those of which all is so in `after`; what is left is said element by element.
        """
        return ()

    def carry_out(self, draft: "Draft[Any]") -> str:
        """Change a draft of any form and return the label.

        Raises:
            CommandError: The command does not fit.
        """
        with self.commands_known.draft_for(draft, self) as ground:
            return self.edit(ground)

    def edit(self, draft: "Draft[Any]") -> str:
        """Change the draft that the kind of board prepares, and return the label.

        Raises:
            CommandError: The command does not fit.
        """
        raise NotImplementedError


@contextmanager
def refusals_in_words() -> Iterator[None]:
    """Turn a value that a row does not allow into a sentence.

    Raises:
        CommandError: A row refused a value.
    """
    try:
        yield
    except ValidationError as error:
        lines = [invalid(item, where=dotted(item) or "the command") for item in error.errors()[:5]]
        raise CommandError("; ".join(lines)) from error


C = TypeVar("C", bound=Command)
F = TypeVar("F", bound=Callable[[Any], None])


StepCheck = Callable[["Draft[Any]", Patch], None]
"""Refuses, with a CommandError, what a step did."""

DraftContext = Callable[["Draft[Any]"], AbstractContextManager["Draft[Any]"]]
"""Gives the draft on which prepared commands work."""


@dataclass(frozen=True)
class Former:
    """A command of an earlier version, which is translated when it is read.

    Args:
        name: Its name today.
        keys: Former key -> key of today.
        defaults: Former defaults that are no longer those of the command.
        having: Keys that show the former command, where its name is still used.
        convert: Changes the values that need more than another key.
    """

    name: str
    keys: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    having: frozenset[str] = frozenset()
    convert: Callable[[dict[str, Any]], None] | None = None

    def today(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the command in the names and keys of today."""
        out = {**self.defaults, **{self.keys.get(key, key): value for key, value in data.items()}, "kind": self.name}
        if self.convert is not None:
            self.convert(out)
        return out


def _nothing(_draft: object) -> None:
    """Refuse nothing."""


class Commands(Mapping[str, type[Command]]):
    """The commands of a kind of board, by their own kind; its modules register them.

    Args:
        load: Imports these modules. It is called when the commands are first asked for, so that programs which change
            nothing do not wait for them.
    """

    def __init__(self, load: "Callable[[], object] | None" = None) -> None:
        self._load = load
        self._registered: dict[str, type[Command]] = {}
        self._check_settings: Callable[[Any], None] = _nothing
        self._check_rows: Callable[[Any], None] | None = None
        self._check_step: Callable[[Any, Patch], None] | None = None
        self._prepare: DraftContext | None = None
        self._own_keys: frozenset[str] = frozenset({"accepted"})
        self._former: Mapping[str, Former] = {}

    def _loaded(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load()

    @property
    def _known(self) -> dict[str, type[Command]]:
        self._loaded()
        return self._registered

    @property
    def own_keys(self) -> frozenset[str]:
        """First parts of keys of `board.toml` that are rows of other tables."""
        self._loaded()
        return self._own_keys

    def __getitem__(self, kind: str) -> type[Command]:
        return self._known[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def command(self, topic: str, *, prepared: bool = False) -> Callable[[type[C]], type[C]]:
        """Register a command under its kind.

        Args:
            topic: Groups commands in lists.
            prepared: Whether it always works on a draft that the kind of board prepares.
        """

        def register(cls: type[C]) -> type[C]:
            cls.topic, cls.always_prepared, cls.commands_known = topic, prepared, self
            self._registered[str(cls.model_fields["kind"].default)] = cls
            return cls

        return register

    def forget(self, kind: str) -> None:
        """Take a command out again."""
        self._known.pop(kind)

    def renamed_from(self, table: "Mapping[str, Former]") -> None:
        """Register names and keys of earlier versions, by former name, beside those that are known."""
        self._former = {**self._former, **table}

    def current(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the JSON of a command in the names and keys of today."""
        self._loaded()
        former = self._former.get(str(data.get("kind")))
        if former is not None and (not former.having or former.having & data.keys()):
            data = former.today(data)
        if isinstance(data.get("commands"), list | tuple):
            data = {**data, "commands": [own for one in data["commands"] for own in self._current_parts(one)]}
        return data

    def _current_parts(self, one: object) -> "list[object]":
        """Return the commands of today for one of a batch; a former command of several is not a batch of its own."""
        if not isinstance(one, Mapping):
            return [one]
        today = self.current(one)
        return [*today["commands"]] if today["kind"] == "batch" != one.get("kind") else [today]

    def checks_settings(self, *own_keys: str) -> Callable[[F], F]:
        """Register what refuses, on a draft, settings that `board.toml` may not have.

        Args:
            own_keys: First parts of keys that are rows of tables of their own, beside `accepted`.
        """

        def register(function: F) -> F:
            self._own_keys |= {*own_keys}
            self._check_settings = function
            return function

        return register

    def checks_rows(self, function: F) -> F:
        """Register what refuses, on a draft, rows that could not be written and read again."""
        self._check_rows = function
        return function

    def checks_steps(self, function: "StepCheck") -> "StepCheck":
        """Register what refuses, on a draft, what a check of the board would refuse outright."""
        self._check_step = function
        return function

    def prepares(self, function: "DraftContext") -> "DraftContext":
        """Register the context manager that prepares drafts for commands that ask for it."""
        self._prepare = function
        return function

    def draft_for(self, draft: Draft[Any], command: Command) -> AbstractContextManager[Draft[Any]]:
        """Return the draft on which a command works; what was done there is in `draft` at the end."""
        self._loaded()
        return nullcontext(draft) if self._prepare is None or not command.is_prepared(draft) else self._prepare(draft)

    def check_settings(self, draft: Draft[Any]) -> None:
        """Refuse settings that `board.toml` may not have.

        Raises:
            CommandError: A key is unknown, or a value wrong.
        """
        self._loaded()
        self._check_settings(draft)

    def check_rows(self, draft: Draft[Any]) -> None:
        """Refuse rows that could not be written and read again.

        Raises:
            MapkitError: The files would be refused.
        """
        self._loaded()
        if self._check_rows is not None:
            self._check_rows(draft)
            return
        document = draft.document
        files, _ = plain_files(document)
        _, problems = read_plain(type(document), files)
        if problems:
            raise SourceError(problem_lines(problems))

    def check_step(self, draft: Draft[Any], patch: Patch, *, as_given: bool) -> None:
        """Refuse a step that a check of the board would refuse outright, in the same words.

        Args:
            draft: With the step.
            patch: What it changes.
            as_given: Whether it puts rows as they are given.

        Raises:
            CommandError: It would.
        """
        if as_given:
            try:
                self.check_rows(draft)
            except CommandError:
                raise
            except SourceError as error:
                raise CommandError("; ".join(error.problems[:MOST_NAMED])) from error
            except MapkitError as error:
                raise CommandError(str(error)) from error
        if self._check_step is not None:
            self._check_step(draft, patch)

    def read(self, data: object) -> Command:
        """Return a command from its JSON, `{"kind": "set-payoff", ...}`.

        Raises:
            CommandError: There is no such kind, or a field is unknown, missing or wrong, or a text holds a
                character that no text may hold.
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
            raise CommandError('a command is a JSON object with a "kind", such as {"kind": "set-payoff", ...}')
        data = self.current(data)
        kind = data["kind"]
        if kind not in self._known:
            raise CommandError(f"no command {kind!r}{did_you_mean(kind, self._known)}")
        with refusals_in_words():
            return self._known[kind].model_validate(data)
