"""The `mapkit` program: its commands, and the one place where errors become messages and exit codes.

A command's module is loaded when the command is called, so that `mapkit --help` starts at once.
"""

import atexit
import errno
import gc
import os
import signal
import sys
import unicodedata
from typing import Annotated, Any, Final, NoReturn

import typer

from mapkit.api import extra
from mapkit.console.commands import Group, LoadingGroup, Table, hide_entries, merged
from mapkit.console.derived import Entry, extra_entries
from mapkit.console.help import help_width
from mapkit.console.interrupts import answered_at_once, end_at_once
from mapkit.console.printing import print_message, set_output
from mapkit.console.terminal import escaped_output, unescaped
from mapkit.core.characters import describe_character, find_character
from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.core.processes.forked import allow_forks
from mapkit.kinds.registry import command_tables, kind_named, own_boards, owner_named
from mapkit.version import __version__

INTERRUPTED = 130
_NOBODY_READS: Final = {errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE}
"""What writing says when the program that reads has ended, such as `head`."""
_GARBAGE: Final = 50_000
"""New objects after which Python looks for garbage: importing makes many that stay."""
_LAST_WORDS: Final = "mapkit: interrupted; nothing was left half-written\n"
_LIST: Final = {
    "commands": Entry(
        "mapkit.api.commands:list_commands",
        "List the commands of mapkit do, the editor, variants and imports; --json prints their JSON Schemas.",
        show="mapkit.cli.steps:show_commands",
    ),
}
OF_ANY_KIND: Final[Table] = {
    **hide_entries(_LIST),
    "build": Entry("mapkit.cli.boards:build", "Compile, check and draw a board into build/BOARD/."),
    "check": Entry("mapkit.cli.boards:check", "Check a board: network, charts, rules and drawing."),
    "new": Entry("mapkit.cli.boards:new", "Start a new board in sources/NAME, which builds as it is."),
    "edit": Entry("mapkit.cli.edit:edit", "Open a board in the editor, in your browser."),
    "do": Entry(
        "mapkit.api.steps:do",
        "Change a board by commands, which can be undone.",
        show="mapkit.cli.steps:show_steps",
    ),
    "undo": Entry(
        "mapkit.api.steps:undo",
        "Undo steps of a board, the newest first.",
        show="mapkit.cli.steps:show_steps",
    ),
    "redo": Entry(
        "mapkit.api.steps:redo",
        "Do undone steps of a board again.",
        show="mapkit.cli.steps:show_steps",
    ),
    "journal": Entry(
        "mapkit.api.steps:journal",
        "List the steps of a board, and those not yet saved.",
        show="mapkit.cli.steps:show_journal",
    ),
    "doctor": Entry(
        "mapkit.api.doctor:doctor",
        "List what is installed and what commands lack.",
        show="mapkit.cli.doctor:show_installation",
    ),
    **extra_entries(extra),
}
"""The commands for boards of any kind; kinds add their own."""
OF_EACH_KIND: Final[Table] = {
    "list": Group("List themes, formats of export, and commands.", _LIST),
    "variant": Group(
        "Apply, check, compare and move named sets of changes.",
        {
            "list": Entry(
                "mapkit.api.variants:list_variants",
                "List the variants of the workspace and the shipped ones.",
                show="mapkit.cli.variants:show_list",
            ),
            "show": Entry(
                "mapkit.api.variants:read_variant",
                "Show a variant: what it is based on, and its operations with their reasons.",
                show="mapkit.cli.variants:show_variant",
            ),
            "new": Entry(
                "mapkit.api.variants:start_variant",
                "Start a variant: variants/NAME.toml, with one operation to change.",
                show="mapkit.cli.variants:show_started",
            ),
            "apply": Entry(
                "mapkit.api.variants:vary_board",
                "Apply variants to a board and report the result; --out writes the board file.",
                show="mapkit.cli.variants:show_applied",
            ),
            "check": Entry(
                "mapkit.api.variants:check_varied_board",
                "Check that variants fit their board and each other, and check the board that they give.",
                show="mapkit.cli.variants:show_checked",
            ),
            "diff": Entry(
                "mapkit.api.variants:compare",
                "Compare two boards or variants of one kind: how to get from A to B.",
                show="mapkit.cli.variants:show_compared",
            ),
            "rebase": Entry(
                "mapkit.api.variants:rebase_variant",
                "Move a variant to a changed base, and say what no longer fits.",
                show="mapkit.cli.variants:show_rebased",
            ),
        },
    ),
}
"""The commands that each kind has, unless it has one of its own."""


PANELS: Final = {
    "Start": ("new", "draft", "import", "edit", "build"),
    "Change": ("do", "undo", "redo", "journal", "variant"),
    "Check": ("check", "report", "route", "place", "colours", "trace"),
    "Draw and print": ("draw", "sheets", "print", "picture"),
    "Charts": ("payoffs", "destinations", "railroads"),
    "Play": ("rules", "playtest", "referee"),
    "Exchange": ("export", "scan"),
    "More": ("list", "schema", "doctor"),
}
"""What a user wants -> the commands for it."""


class Commands(LoadingGroup):
    """All commands."""

    panels = PANELS

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - those of any group
        table = {**OF_ANY_KIND, **merged(command_tables(OF_EACH_KIND), kind_named)}
        super().__init__(table=table, identify=owner_named, own_boards=own_boards, **settings)


app = typer.Typer(
    name="mapkit",
    cls=Commands,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Make, check and draw boards of railroad games.",
    epilog="Exit codes: 0 done, 1 wrong input, 2 wrong usage. Start with: mapkit build usa",
    context_settings={"terminal_width": help_width()},
)


def program() -> None:
    """Run `main` as a program that Ctrl-C ends at once."""
    try:
        main(alone=True)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            end_at_once(INTERRUPTED)
        raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done; Python takes its objects apart


def main(*, alone: bool = False) -> None:
    """Run the program; a MapkitError becomes a message and exit code 1, or 2 for a choice that there is not.

    Args:
        alone: Whether nothing else runs in this process, so that copies of it may work beside it.
    """
    gc.set_threshold(_GARBAGE)
    atexit.register(gc.freeze)  # Python would look for garbage twice before the system takes all memory back at once
    _write_utf_8()
    with escaped_output():
        _refuse_control_characters()
        _run(alone=alone)


def _run(*, alone: bool) -> None:
    try:
        with answered_at_once(_last_words, INTERRUPTED):
            if alone:
                allow_forks()
            app()
    except MapkitError as error:
        print_message(f"mapkit: {error}")
        sys.exit(2 if isinstance(error, ChoiceError) else 1)
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as end:  # Typer turns Ctrl-C into an exit without a word
        if end.code == INTERRUPTED:
            _interrupted()
        raise
    except OSError as error:
        if error.errno not in _NOBODY_READS:
            raise
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        if KeyboardInterrupt.__name__ in str(error):  # pydantic wraps a Ctrl-C that comes while it builds a model
            _interrupted()
        raise


def _write_utf_8() -> None:
    """Print UTF-8 on every system, and no letter may end the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _refuse_control_characters() -> None:
    """End with exit code 2 where an argument holds a control character; a line break or a tab may stand in JSON."""
    for number, argument in enumerate(sys.argv[1:], start=1):
        character = find_character(argument)
        if character is not None and unicodedata.category(character) == "Cc":
            print_message(
                f"mapkit: argument {number} is {argument!r}, which holds {describe_character(character)}; delete it"
            )
            sys.exit(2)


def _interrupted() -> NoReturn:
    sys.stderr.write(_LAST_WORDS)
    sys.exit(INTERRUPTED)


def _last_words() -> None:
    """Report the interrupt on a fresh line."""
    stream = unescaped(sys.stderr)
    stream.write(f"\r\x1b[2K\x1b[?25h{_LAST_WORDS}" if stream.isatty() else _LAST_WORDS)
    stream.flush()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mapkit {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print no tables, colours or moving lines.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not say what is being done.")] = False,
) -> None:
    """Make, check and draw boards of railroad games."""
    set_output(plain=plain, quiet=quiet)
