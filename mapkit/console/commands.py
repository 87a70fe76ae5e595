"""Lazy loading of the commands of the command line.

A table lists the function of each command and a one-sentence description. So `mapkit --help` and the completion of
names in a shell import no module of a command, and these modules may import their dependencies at the top.

Several kinds of boards may have a command of the same name, each with its own options. The board named on the command
line selects one of them.
"""

import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, wraps
from importlib.resources import files
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from mapkit.console.derived import Entry, derived_command
from mapkit.console.options import NAMES_OF_BOARDS, ForceOpt, complete_values, is_written
from mapkit.console.printing import is_plain, print_message, with_moving_line
from mapkit.console.terminal import unescaped
from mapkit.core.addons import is_present
from mapkit.core.outputs.owners import OutputGuard, guard_outputs
from mapkit.core.plurals import join_some
from mapkit.operations.signatures import load_attribute

# Help of commands: usage, panels of commands, options, and examples.
#
# Help is plain text as it is made; on a terminal, headings and names get colours (unless `NO_COLOR` is set).

NARROWEST: Final = 40
WIDEST: Final = 80
"""Columns of help: longer lines are harder to read than they are useful."""
_UNLISTED_OPTION: Final = "show_completion"
_OTHER_COMMANDS: Final = "Commands"
_MOST_OF_NAMES: Final = 30
_HEADING: Final = re.compile(r"^(\S[^\n]*:)$", re.MULTILINE)
_NAME: Final = re.compile(r"^(  )(-{1,2}[\w-]+(?:, -{1,2}[\w-]+)*|[a-z][\w-]*)(?=  |$| [A-Z|\[])", re.MULTILINE)
_BOLD_GREEN, _BOLD_CYAN, _PLAIN = "\x1b[1;32m", "\x1b[1;36m", "\x1b[0m"


def help_width() -> int:
    """Return the columns of help on this terminal."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST)) - 2


@cache
def read_examples() -> Mapping[str, tuple[str, ...]]:
    """Return the examples of each command, `variant apply`: whole lines of a shell."""
    data = tomllib.loads(files("mapkit.console").joinpath("examples.toml").read_text(encoding="utf-8"))
    return {name: tuple(line.rstrip() for line in lines) for name, lines in data.items()}


def colour_help(text: str) -> str:
    """Return help with colours of a terminal: headings, and names of commands and options."""
    coloured = _HEADING.sub(rf"{_BOLD_GREEN}\1{_PLAIN}", text)
    return _NAME.sub(rf"\1{_BOLD_CYAN}\2{_PLAIN}", coloured)


def _print_on_terminal(text: str) -> str:
    """Print help in colours and end, on a terminal; elsewhere return it."""
    terminal = unescaped(sys.stdout)
    if terminal is sys.stdout or is_plain(terminal) or "NO_COLOR" in os.environ:
        return text
    terminal.write(colour_help(text) + "\n")
    raise typer.Exit


def _write_options(command: Any, context: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer exports no types of them
    records: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and parameter.name != _UNLISTED_OPTION:
            name = _format_argument(parameter).strip("[]") if parameter.param_type_name == "argument" else record[0]
            records[parameter.param_type_name].append((name, record[1].removesuffix("  [required]")))
    for heading, rows in (("Arguments", records["argument"]), ("Options", records["option"])):
        _write_rows(formatter, heading, rows)


def _write_rows(formatter: Any, heading: str, rows: list[tuple[str, str]]) -> None:  # noqa: ANN401 - as above
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows, col_max=min(_MOST_OF_NAMES, formatter.width // 3))


def _format_argument(parameter: Any) -> str:  # noqa: ANN401 - as above
    name = (parameter.metavar or parameter.name.upper()).strip("[]").removesuffix("...").removesuffix("]")
    name += "..." if parameter.nargs != 1 else ""
    return name if parameter.required else f"[{name}]"


class HelpfulCommand(TyperCommand):
    """Command with examples at the end of its help, and with mapkit's words for wrong values.

    Attributes:
        siblings: Kind of board -> function that loads the command of the same name for such boards.
    """

    siblings: Mapping[str, Callable[[], Any]] = {}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer exports no type of it
        """Read the options.

        Raises:
            BadParameter: A value is wrong, or a flag is given with its opposite.
        """
        given = set(args[: args.index("--")] if "--" in args else args)
        for option in () if ctx.resilient_parsing else self.params:
            both = [flag for flags in (option.opts, option.secondary_opts) for flag in flags[:1] if flag in given]
            if len(both) > 1:
                raise typer.BadParameter(f"{' and '.join(both)} contradict each other; give one of them", ctx=ctx)
        try:
            return super().parse_args(ctx, args)
        except Exception as error:  # Typer exports no type of most
            self._improve_message(error)
            raise

    def _improve_message(self, error: Any) -> None:  # noqa: ANN401 - as above
        """Put an error of pydantic in mapkit's words, and name the kind of boards that has an unknown option."""
        if hasattr(error.__cause__, "errors") and error.message.startswith("Input should be"):
            item = error.__cause__.errors()[0]
            error.message = f"{item['input']!r}: {load_attribute('mapkit.core.invalid:value_cure')(item)}"
        elif hasattr(error, "possibilities"):
            for kind, load in self.siblings.items():
                if any(error.option_name in option.opts for option in load().params):
                    error.message += f"; it is for boards of kind {kind}"
                    error.possibilities = None
                    return

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """Return the parts of its usage: options, then arguments."""
        return [
            "[OPTIONS]",
            *(_format_argument(one) for one in self.get_params(ctx) if one.param_type_name == "argument"),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write its arguments and options."""
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write its examples, then its epilog."""
        lines = read_examples().get(ctx.command_path.partition(" ")[2], ())
        if lines:
            with formatter.section("Examples"):
                for line in lines:
                    formatter.write(f"  {line}\n")
        super().format_epilog(ctx, formatter)

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - as above
        """Return its help; on a terminal, print it in colours and end."""
        return _print_on_terminal(super().get_help(ctx))


class HelpfulGroup(TyperGroup):
    """Group of commands with help in panels, one whole sentence for each command."""

    panels: Mapping[str, Iterable[str]] = {}
    """Heading -> names of commands; all other commands come last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write its commands, then its options."""
        shown = {name: command for name, command in self.commands.items() if not command.hidden}
        column = max(map(len, shown), default=0)
        for heading, names in self.panels.items():
            rows = [(name.ljust(column), shown.pop(name).help or "") for name in names if name in shown]
            _write_rows(formatter, heading, rows)
        _write_rows(formatter, _OTHER_COMMANDS, [(name.ljust(column), one.help or "") for name, one in shown.items()])
        _write_options(self, ctx, formatter)

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - as above
        """Return its help; on a terminal, print it in colours and end."""
        return _print_on_terminal(super().get_help(ctx))


# Board of a command: its first argument, `--board`, or left out where the workspace has only one.
#
# All commands about one board get these forms here.

OwnBoards = Callable[[object], Sequence[str]]
"""Returns the own boards of a workspace: a folder, or None for the current one."""
BOARD_OPTION: Final = "board_option"
_HELP: Final = "The board: of the workspace or a shipped one, the folder of a source package, or a board.json."
OptionalBoardArg = Annotated[
    str | None,
    typer.Argument(
        metavar="BOARD",
        help=f"{_HELP} May be left out where the workspace has one board.",
        show_default=False,
    ),
]
BoardOpt = Annotated[
    str | None,
    typer.Option(
        "--board",
        "-b",
        metavar="BOARD",
        help="The same as the argument BOARD.",
    ),
]


def _choose_only_board(own: Sequence[str]) -> str:
    """Return the only board of a workspace, and name it on stderr.

    Raises:
        typer.BadParameter: The workspace has no board of its own, or several.
    """
    if len(own) == 1:
        print_message(f"board: {own[0]}")
        return own[0]
    there = f"this folder has {join_some(own)}" if own else "this folder has none of its own; shipped is usa"
    raise typer.BadParameter(f"say which board is meant: {there}", param_hint="BOARD")


def with_board(function: Callable[..., Any], own_boards: OwnBoards) -> Callable[..., Any]:
    """Let the function of a command take its board in each form; return others unchanged.

    Args:
        function: The function; one that needs a board has a parameter `board` without default, one with a default may
            do without.
        own_boards: Returns the boards of a workspace.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters
    marks = getattr(hints.get("board"), "__metadata__", ())
    is_argument = not any(isinstance(mark, typer.models.OptionInfo) for mark in marks)
    needed = "board" in hints and parameters["board"].default is Parameter.empty
    if not needed and ("board" not in hints or not is_argument):
        return function

    @wraps(function)
    def with_chosen_board(**values: Any) -> object:  # noqa: ANN401 - those of any command
        named, other = values.pop("board"), values.pop(BOARD_OPTION, None)
        if named and other and named != other:
            raise typer.BadParameter(f"the board is {named!r} and {other!r}; give one of them", param_hint="--board")
        chosen = named or other
        if needed and not chosen:
            chosen = _choose_only_board(own_boards(values.get("workspace")))
        return function(board=chosen, **values)

    changed = {name: one.replace(kind=Parameter.KEYWORD_ONLY) for name, one in parameters.items()}
    argument = OptionalBoardArg if needed else hints["board"]
    if is_argument:
        changed["board"] = changed["board"].replace(default=None, annotation=argument)
        changed[BOARD_OPTION] = Parameter(BOARD_OPTION, Parameter.KEYWORD_ONLY, default=None, annotation=BoardOpt)
    else:
        changed["board"] = changed["board"].replace(default=None)
    setattr(with_chosen_board, "__signature__", signature(function).replace(parameters=[*changed.values()]))  # noqa: B010
    with_chosen_board.__annotations__ = {**hints, "board": argument if is_argument else hints["board"]}
    if is_argument:
        with_chosen_board.__annotations__[BOARD_OPTION] = BoardOpt
    return with_chosen_board


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
