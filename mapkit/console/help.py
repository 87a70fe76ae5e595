"""Help of commands: usage, panels of commands, options, and examples.

Help is plain text as it is made; on a terminal, headings and names get colours (unless `NO_COLOR` is set).
"""

import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from mapkit.console.printing import is_plain
from mapkit.console.terminal import unescaped
from mapkit.operations.signatures import load_attribute

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
