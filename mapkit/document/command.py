"""Commands: frozen models that plan a patch of a document, with a label for the list of steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from pydantic import Field, ValidationError, model_validator

from mapkit.core.base import Frozen
from mapkit.core.characters import NAME_KEYS, broken_name_message, describe_character, find_in_data
from mapkit.core.errors import MapkitError, SourceError, did_you_mean
from mapkit.core.invalid import dotted_location, invalid_value_message
from mapkit.core.problems import problem_lines
from mapkit.document.changes import Patch
from mapkit.document.document import Document
from mapkit.document.draft import CommandError, Draft
from mapkit.document.plain_tables import plain_files, read_plain

__all__ = [
    "Command",
    "CommandError",
    "Commands",
    "Draft",
    "Former",
    "Makes",
    "Names",
    "Plan",
    "explain_validation_errors",
]


MOST_NAMED: Final = 5
"""So many reasons are named when a step is refused."""
_NOTHING: Final = "Change nothing"
"""Begins the label of a step without effect."""


@dataclass(frozen=True)
class Names:
    """Annotation of a command's field that holds an existing id, ids, or ids as keys.

    Args:
        what: Of what: `milepost`, `city` ... in the words of the kind of board.
        by: The field that says of what, if it takes one: the chart of a cell.
    """

    what: str
    by: str = ""


@dataclass(frozen=True)
class Makes:
    """Annotation of a command's field that holds a new id.

    Args:
        what: Of what.
    """

    what: str


@dataclass(frozen=True)
class Plan:
    """Effect of a command: the changed rows, and the label for undo."""

    patch: Patch
    label: str


class Command(Frozen):
    """A single step of an author.

    Each subclass has a field `kind` with its own name and plans in `edit`, on a draft of the document.
    """

    kind: str
    reason: str = Field(default="", max_length=5000, description="Why; a variant says it of each of its operations")
    topic: ClassVar[str] = ""
    form: ClassVar[str] = ""
    """Form of the document that it works on, in the words of its kind of board; empty for the document as it is."""
    commands_known: ClassVar["Commands"]
    """The commands of the kind of board that this one belongs to."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_characters(cls, data: Any) -> Any:  # noqa: ANN401 - any JSON
        if (found := find_in_data(data)) is not None:
            raise ValueError(f"{found[0][:40]!r} holds {describe_character(found[1])}; delete it")
        for key in NAME_KEYS & data.keys() if isinstance(data, dict) else ():
            if isinstance(data[key], str) and (message := broken_name_message(key, data[key])):
                raise ValueError(message)
        return data

    @property
    def as_given(self) -> bool:
        """Whether it sets rows unchecked, so that only reading them again validates them."""
        return False

    def form_for(self, draft: "Draft[Any]") -> str:  # noqa: ARG002 - for subclasses
        """Return the form of the draft that it works on; consecutive commands of one form share the draft."""
        return self.form

    def plan(self, document: Document) -> Plan:
        """Return the effect of the command on a document.

        Raises:
            CommandError: It does not fit, or a check would refuse the board that it makes; the text says what and why.
        """
        draft = Draft(document)
        with explain_validation_errors():
            label = self.carry_out(draft)
        patch = draft.patch()
        if patch:
            self.commands_known.check_step(draft, patch, as_given=self.as_given)
        elif not label.startswith(_NOTHING):
            label = f"{_NOTHING}: {label}"
        return Plan(patch, label)

    @classmethod
    def explain(cls, base: Document, after: Document) -> "Iterable[Command]":  # noqa: ARG003 - for subclasses
        """Yield commands of this kind that may have led from one document to another.

        A command is accepted if all its effects are in `after`; the rest is explained element by element.
        """
        return ()

    def carry_out(self, draft: "Draft[Any]") -> str:
        """Change a draft of any form and return the label.

        Raises:
            CommandError: The command does not fit.
        """
        with self.commands_known.draft_for(draft, self) as own_draft:
            return self.edit(own_draft)

    def edit(self, draft: "Draft[Any]") -> str:
        """Change the draft, in the form of the command, and return the label.

        Raises:
            CommandError: The command does not fit.
        """
        raise NotImplementedError


@contextmanager
def explain_validation_errors() -> Iterator[None]:
    """Convert a validation error of a row into a sentence.

    Raises:
        CommandError: A row refused a value.
    """
    try:
        yield
    except ValidationError as error:
        error_lines = [
            invalid_value_message(item, where=dotted_location(item) or "the command") for item in error.errors()[:5]
        ]
        raise CommandError("; ".join(error_lines)) from error


C = TypeVar("C", bound=Command)
F = TypeVar("F", bound=Callable[[Any], None])


StepCheck = Callable[["Draft[Any]", Patch], None]
"""Refuses, with a CommandError, what a step did."""

DraftContext = Callable[["Draft[Any]", str], AbstractContextManager["Draft[Any]"]]
"""Gives the draft in another form."""


@dataclass(frozen=True)
class Former:
    """A command of an earlier version, translated when it is read.

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
        """Return the command with current names and keys."""
        current_data = {
            **self.defaults,
            **{self.keys.get(key, key): value for key, value in data.items()},
            "kind": self.name,
        }
        if self.convert is not None:
            self.convert(current_data)
        return current_data


def _accept_all(_draft: object) -> None:
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
        self._check_settings: Callable[[Any], None] = _accept_all
        self._check_rows: Callable[[Any], None] | None = None
        self._check_step: Callable[[Any, Patch], None] | None = None
        self._convert: DraftContext | None = None
        self._own_keys: frozenset[str] = frozenset({"accepted"})
        self._former_commands: Mapping[str, Former] = {}

    def _load_commands(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load()

    @property
    def _all_commands(self) -> dict[str, type[Command]]:
        self._load_commands()
        return self._registered

    @property
    def own_keys(self) -> frozenset[str]:
        """First parts of keys of `board.toml` that are rows of other tables."""
        self._load_commands()
        return self._own_keys

    def __getitem__(self, kind: str) -> type[Command]:
        return self._all_commands[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_commands)

    def __len__(self) -> int:
        return len(self._all_commands)

    def command(self, topic: str, *, form: str = "") -> Callable[[type[C]], type[C]]:
        """Register a command under its kind.

        Args:
            topic: Groups commands in lists.
            form: Form of the document that it works on, to which the kind of board converts drafts and back.
        """

        def register(cls: type[C]) -> type[C]:
            cls.topic, cls.form, cls.commands_known = topic, form, self
            self._registered[str(cls.model_fields["kind"].default)] = cls
            return cls

        return register

    def forget(self, kind: str) -> None:
        """Remove a command."""
        self._all_commands.pop(kind)

    def renamed_from(self, table: "Mapping[str, Former]") -> None:
        """Register names and keys of earlier versions, by former name, in addition to known ones."""
        self._former_commands = {**self._former_commands, **table}

    def current(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the JSON of a command with current names and keys."""
        self._load_commands()
        former_command = self._former_commands.get(str(data.get("kind")))
        if former_command is not None and (not former_command.having or former_command.having & data.keys()):
            data = former_command.today(data)
        if isinstance(data.get("commands"), list | tuple):
            data = {
                **data,
                "commands": [
                    current_command
                    for batch_command in data["commands"]
                    for current_command in self._current_parts(batch_command)
                ],
            }
        return data

    def _current_parts(self, one: object) -> "list[object]":
        """Return the current commands for one of a batch; a former command of several is flattened into the batch."""
        if not isinstance(one, Mapping):
            return [one]
        current_data = self.current(one)
        return [*current_data["commands"]] if current_data["kind"] == "batch" != one.get("kind") else [current_data]

    def checks_settings(self, *own_keys: str) -> Callable[[F], F]:
        """Register a function that raises an error for forbidden settings of `board.toml` in a draft.

        Args:
            own_keys: First parts of keys that are rows of tables of their own, beside `accepted`.
        """

        def register(function: F) -> F:
            self._own_keys |= {*own_keys}
            self._check_settings = function
            return function

        return register

    def checks_rows(self, function: F) -> F:
        """Register a function that raises an error for rows of a draft that cannot be written and read again."""
        self._check_rows = function
        return function

    def checks_steps(self, function: "StepCheck") -> "StepCheck":
        """Register a function that raises an error for a step that a check of the board would reject."""
        self._check_step = function
        return function

    def converts(self, function: "DraftContext") -> "DraftContext":
        """Register the context manager that converts drafts to a form and back."""
        self._convert = function
        return function

    def draft_for(self, draft: Draft[Any], command: Command) -> AbstractContextManager[Draft[Any]]:
        """Return the draft for a command; its changes are in `draft` at the end."""
        self._load_commands()
        form = command.form_for(draft)
        return self._convert(draft, form) if self._convert is not None and form else nullcontext(draft)

    def check_settings(self, draft: Draft[Any]) -> None:
        """Raise an error for forbidden settings of `board.toml`.

        Raises:
            CommandError: A key is unknown, or a value wrong.
        """
        self._load_commands()
        self._check_settings(draft)

    def check_rows(self, draft: Draft[Any]) -> None:
        """Raise an error for rows that cannot be written and read again.

        Raises:
            MapkitError: The files would be refused.
        """
        self._load_commands()
        if self._check_rows is not None:
            self._check_rows(draft)
            return
        document = draft.document
        files, _ = plain_files(document)
        _, problems = read_plain(type(document), files)
        if problems:
            raise SourceError(problem_lines(problems))

    def check_step(self, draft: Draft[Any], patch: Patch, *, as_given: bool) -> None:
        """Raise an error for a step that a check of the board would reject, in the same words.

        Args:
            draft: With the step.
            patch: What it changes.
            as_given: Whether it puts rows as they are given.

        Raises:
            CommandError: A check would reject the step.
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
        command_kind = data["kind"]
        if command_kind not in self._all_commands:
            raise CommandError(f"no command {command_kind!r}{did_you_mean(command_kind, self._all_commands)}")
        with explain_validation_errors():
            return self._all_commands[command_kind].model_validate(data)
