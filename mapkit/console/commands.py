"""Lazy loading of the commands of the command line.

A table lists the function of each command and a one-sentence description. So `mapkit --help` and the completion of
names in a shell import no module of a command, and these modules may import their dependencies at the top.

Several kinds of boards may have a command of the same name, each with its own options. The board named on the command
line selects one of them.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, get_type_hints

import typer

from mapkit.console.board_option import BOARD_OPTION, OwnBoards, with_board
from mapkit.console.derived import Entry, derived_command
from mapkit.console.help import HelpfulCommand, HelpfulGroup
from mapkit.console.options import NAMES_OF_BOARDS, ForceOpt, complete_values, is_written
from mapkit.console.printing import print_message, with_moving_line
from mapkit.core.addons import is_present
from mapkit.core.outputs.owners import OutputGuard, guard_outputs
from mapkit.operations.signatures import load_attribute


@dataclass(frozen=True)
class Group:
    """A group of commands in a table.

    Attributes:
        about: Its help.
        commands: Its commands by name.
        otherwise: The default command: `mapkit playtest usa` means `mapkit playtest run usa`.
        addon: Package of the add-on that its commands need.
    """

    about: str
    commands: Mapping[str, Entry]
    otherwise: str = ""
    addon: str = ""


Table = Mapping[str, Entry | Group]

Find = Callable[[Mapping[str, object]], str | None]
"""Returns the kind of the board named in a command's parameter values, or None without a board."""


Identify = Callable[[Mapping[str, object]], tuple[str, frozenset[str]] | None]
"""Returns the board named in a command's parameter values, with its variants, and the ids of all boards."""


@dataclass(frozen=True)
class ByKind:
    """A command that several kinds of boards have, each with its own options.

    Attributes:
        entries: Kind -> its command; the first is the default if no board is named.
        find: Returns the kind of the named board.
    """

    entries: Mapping[str, Entry]
    find: Find


@dataclass(frozen=True)
class GroupByKind:
    """A group with commands of several kinds of boards."""

    about: str
    commands: Mapping[str, Entry | ByKind]
    otherwise: str


Merged = Mapping[str, Entry | Group | ByKind | GroupByKind]


def hide_entries(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return commands under former names, hidden: they still work, but help does not list them."""
    return {name: replace(entry, hidden=True) for name, entry in entries.items()}


def with_own(of_each: Table, own: Table) -> Table:
    """Return the common commands, overridden by those of one kind; groups of the same name are merged."""
    out = {**of_each, **own}
    for name, part in of_each.items():
        mine = own.get(name)
        if isinstance(part, Group) and isinstance(mine, Group):
            out[name] = Group(mine.about, {**part.commands, **mine.commands}, mine.otherwise)
    return out


def merged(tables: Iterable[tuple[str, Table]], find: Find) -> Merged:
    """Merge the commands of all kinds; different commands of the same name become one `ByKind`.

    Commands of deleted add-ons are left out.

    Args:
        tables: Kind -> its commands, the default kind first.
        find: Returns the kind of the board named on the command line.
    """
    parts: dict[str, dict[str, Entry | Group]] = {}
    for kind, table in tables:
        for name, part in table.items():
            if not part.addon or is_present(part.addon):
                parts.setdefault(name, {})[kind] = replace(part, addon="")
    return {name: _one(found, find) for name, found in parts.items()}


def _one(found: Mapping[str, Entry | Group], find: Find) -> Entry | Group | ByKind | GroupByKind:
    first = next(iter(found.values()))
    if isinstance(first, Entry) and all(part == first for part in found.values()):
        return first
    if len(found) == 1:
        return first
    entries = {kind: part for kind, part in found.items() if isinstance(part, Entry)}
    groups = {kind: part for kind, part in found.items() if isinstance(part, Group)}
    if isinstance(first, Entry) or entries:
        if groups:
            raise TypeError("a command of one kind is a group of another")
        return ByKind(entries, find)
    inside = merged(((kind, group.commands) for kind, group in groups.items()), find)
    commands = {name: part for name, part in inside.items() if isinstance(part, Entry | ByKind)}
    return GroupByKind(first.about, commands, first.otherwise)


class NotLoaded(HelpfulCommand):
    """Stub of a command; the function is imported when the command is called."""

    def __init__(self, name: str, entry: Entry, identify: Identify, own_boards: OwnBoards, group: str) -> None:
        super().__init__(name, help=entry.short, hidden=entry.hidden)
        self.entry = entry
        self.title = f"{group} {name}".strip()
        self.identify = identify
        self.own_boards = own_boards

    def load(self, args: Sequence[str] = ()) -> Any:  # noqa: ANN401 - Typer does not export the type of its commands
        """Import the command's function and return the command.

        Args:
            args: The arguments after the command's name.
        """
        del args
        entry = self.entry
        function = derived_command(self.title, entry) if entry.show else load_attribute(entry.where)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        called = with_board(with_force(function, self.identify), self.own_boards)
        if not entry.stays:
            called = with_moving_line(called, self.title)
        alone.command(self.name, cls=HelpfulCommand)(called)
        command = typer.main.get_command(alone)
        complete_values(command)
        return command

    def insert_board(self, command: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as above
        """Return the arguments with the board before a list that stands in its place, as in `lines add "A, B"`."""
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        lists = [one.name for one in arguments[1:] if one.required and one.nargs != 1]
        if not lists or arguments[0].name != "board":
            return args
        values = _read_leniently(command, args)
        first, option = values["board"], values[BOARD_OPTION]
        if not first or any(values[name] for name in lists):
            return args
        if option:
            return [option, *args]
        own, (_, boards) = self.own_boards(values.get("workspace")), self.identify(values) or ("", ())
        if len(own) != 1 or first in boards or os.path.isdir(first):  # noqa: PTH112 - False where a name is too long
            return args
        print_message(f"board: {own[0]}")
        return [own[0], *args]


class NotChosen(NotLoaded):
    """Stub of a command of several kinds of boards; the board on the command line selects one."""

    def __init__(self, name: str, several: ByKind, identify: Identify, own_boards: OwnBoards, group: str) -> None:
        super().__init__(name, next(iter(several.entries.values())), identify, own_boards, group)
        self.find = several.find
        self.kinds = {
            kind: NotLoaded(name, entry, identify, own_boards, group) for kind, entry in several.entries.items()
        }

    def load(self, args: Sequence[str] = ()) -> Any:  # noqa: ANN401 - as above
        """Return the command for the kind of the board on the command line, by default that of the first kind."""
        for kind, stub in self.kinds.items():
            command = stub.load()
            if self.find(_arguments(command, args)) == kind:
                command.siblings = {name: other.load for name, other in self.kinds.items() if name != kind}
                return command
        command = super().load()
        others = ", ".join(kind for kind in list(self.kinds)[1:])
        command.epilog = (
            f"Boards of other kinds ({others}) have options of their own: add --help to a line with a board."
        )
        return command


def with_force(function: Callable[..., Any], identify: Identify) -> Callable[..., Any]:
    """Return a command's function, with the option `--force` added if it writes files and takes a board."""
    hints = get_type_hints(function, include_extras=True)
    written = [name for name, hint in hints.items() if is_written(hint)]
    if not written or NAMES_OF_BOARDS.isdisjoint(hints):
        return function

    @wraps(function)
    def guarded(*, force: bool, **values: object) -> object:
        targets = tuple(value.absolute() for name in written if isinstance(value := values.get(name), Path))
        owner = identify(values) if targets else None
        with guard_outputs(None if owner is None else OutputGuard(*owner, targets, force)):
            return function(**values)

    parameters = [
        *signature(function, eval_str=False).parameters.values(),
        Parameter("force", Parameter.KEYWORD_ONLY, default=False, annotation=ForceOpt),
    ]
    parameters = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    setattr(guarded, "__signature__", signature(function).replace(parameters=parameters))  # noqa: B010 - no type has it
    guarded.__annotations__ = {**function.__annotations__, "force": ForceOpt}
    return guarded


def _arguments(command: Any, args: Sequence[str]) -> dict[str, object]:  # noqa: ANN401 - as above
    """Return a command's arguments, board and workspace from its command line, without validating the line."""
    names = {param.name for param in command.params if param.param_type_name == "argument"} | {"board", "workspace"}
    values = _read_leniently(command, args)
    given = {name: value for name, value in values.items() if name in names}
    return given | ({"board": other} if (other := values.get(BOARD_OPTION)) else {})


def _read_leniently(command: Any, args: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401 - as above
    lenient = {"resilient_parsing": True, "ignore_unknown_options": True, "allow_extra_args": True}
    with command.make_context(command.name, list(args), **lenient) as context:
        return dict(context.params)


class LoadingGroup(HelpfulGroup):
    """Group that loads a command when it is called or its help is asked for."""

    def __init__(
        self,
        *,
        table: Merged,
        identify: Identify = lambda _: None,
        own_boards: OwnBoards = lambda _: (),
        otherwise: str = "",
        group: str = "",
        **settings: Any,  # noqa: ANN401 - of any group
    ) -> None:
        super().__init__(**settings)
        self.otherwise = otherwise
        for name, entry in table.items():
            if isinstance(entry, Entry):
                self.commands[name] = NotLoaded(name, entry, identify, own_boards, group)
            elif isinstance(entry, ByKind):
                self.commands[name] = NotChosen(name, entry, identify, own_boards, group)
            else:
                self.commands[name] = LoadingGroup(
                    table=entry.commands,
                    identify=identify,
                    own_boards=own_boards,
                    otherwise=entry.otherwise,
                    group=name,
                    name=name,
                    help=entry.about,
                    no_args_is_help=True,
                    rich_markup_mode=None,
                )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """Load and return the command that is called; the completion of its options relies on this, too."""
        if self.otherwise and args[0] not in self.commands:
            args = [self.otherwise, *args]
        name, command, rest = super().resolve_command(ctx, args)
        if not isinstance(command, NotLoaded):
            return name, command, rest
        loaded = command.load(rest)
        return name, loaded, rest if ctx.resilient_parsing else command.insert_board(loaded, rest)
