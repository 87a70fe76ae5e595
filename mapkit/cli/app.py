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
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from mapkit.api import extra
from mapkit.console.commands import Group, LoadingGroup, Table, hide_entries, merged
from mapkit.console.derived import Entry, entries_of, extra_entries
from mapkit.console.help import help_width
from mapkit.console.interrupts import answered_at_once, end_at_once
from mapkit.console.printing import print_message, set_output, without_rules
from mapkit.console.terminal import escaped_output, unescaped
from mapkit.core.addons import explain_missing
from mapkit.core.characters import describe_character, find_character
from mapkit.core.errors import ChoiceError, MapkitError, explain_cut_modules
from mapkit.core.processes.forked import allow_forks
from mapkit.kinds.registry import command_tables, kind_named, own_boards, owner_named
from mapkit.version import __version__

INTERRUPTED = 130
_NOBODY_READS: Final = {errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE}
"""What writing says when the program that reads has ended, such as `head`."""
_LAST_STREAM: Final = 2
_CURES: Final = {
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "it is a link that leads to itself; remove it",
    errno.ENOSPC: "free some space, or choose another folder",
    errno.EDQUOT: "free some space, or choose another folder",
    errno.EFBIG: "the system allows no larger files; raise the limit (ulimit -f), or choose another folder",
    errno.EROFS: "choose a folder that you may write to",
    errno.EIO: "the disk or drive is damaged; choose another one",
    errno.EMFILE: "too many files are open; raise the limit (ulimit -n)",
    errno.ENFILE: "too many files are open; close other programs",
}
"""Faults of the system that no reader or writer foresaw -> what to do."""
_GARBAGE: Final = 50_000
"""New objects after which Python looks for garbage: importing makes many that stay."""
_LAST_WORDS: Final = "mapkit: interrupted; nothing was left half-written\n"
_ANYWHERE: Final = ("--plain", "--quiet", "-q", "--verbose")
"""Options of the program that may also stand after a command's name."""
_entry: Final = entries_of("mapkit.api", "mapkit.cli")
_LIST: Final = {
    "commands": _entry(
        "commands:list_commands",
        "steps:show_commands",
        "List the commands of mapkit do, the editor, variants and imports; --json prints their JSON Schemas.",
    ),
    "checks": _entry("checks:list_checks", "steps:show_checks", "List the checks of boards, or explain some of them."),
}
OF_ANY_KIND: Final[Table] = {
    **hide_entries({"commands": _LIST["commands"]}),
    "build": _entry("boards:build_board", "boards:show_built", "Compile, check and draw a board into build/BOARD/."),
    "check": _entry("boards:check_board", "boards:show_checked", "Check a board: network, charts, rules and drawing."),
    "verify": _entry("bundles:verify", "boards:show_verified", "Verify that the files of a bundle belong together."),
    "new": _entry("boards:new", "boards:show_new", "Start a new board in sources/NAME, which builds as it is."),
    "edit": Entry("mapkit.cli.edit:edit", "Open a board in the editor, in your browser.", stays=True),
    "do": _entry("steps:do", "steps:show_steps", "Change a board by commands, which can be undone."),
    "undo": _entry("steps:undo", "steps:show_steps", "Undo steps of a board, the newest first."),
    "redo": _entry("steps:redo", "steps:show_steps", "Do undone steps of a board again."),
    "journal": _entry("steps:journal", "steps:show_journal", "List the steps of a board, and those not yet saved."),
    "doctor": _entry(
        "doctor:doctor", "doctor:show_installation", "List what is installed, and inspect a board's files."
    ),
    **extra_entries(extra),
}
"""The commands for boards of any kind; kinds add their own."""
OF_EACH_KIND: Final[Table] = {
    "list": Group("List themes, formats, commands and checks.", _LIST),
    "variant": Group(
        "Apply, check, compare and move named sets of changes.",
        {
            "list": _entry(
                "variants:list_variants",
                "variants:show_list",
                "List the variants of the workspace and the shipped ones.",
            ),
            "show": _entry(
                "variants:read_variant",
                "variants:show_variant",
                "Show a variant: what it is based on, and its operations with their reasons.",
            ),
            "new": _entry(
                "variants:start_variant",
                "variants:show_started",
                "Start a variant: variants/NAME.toml, with one operation to change.",
            ),
            "apply": _entry(
                "variants:vary_board",
                "variants:show_applied",
                "Apply variants to a board and report the result; --out writes the board file.",
            ),
            "check": _entry(
                "variants:check_varied_board",
                "variants:show_checked",
                "Check that variants fit their board and each other, and check the board that they give.",
            ),
            "diff": _entry(
                "variants:compare",
                "variants:show_compared",
                "Compare two boards or variants of one kind: how to get from A to B.",
            ),
            "rebase": _entry(
                "variants:rebase_variant",
                "variants:show_rebased",
                "Move a variant to a changed base, and say what no longer fits.",
            ),
        },
    ),
}
"""The commands that each kind has, unless it has one of its own."""


PANELS: Final = {
    "Start": ("new", "draft", "import", "edit", "build"),
    "Change": ("match", "lines", "do", "undo", "redo", "journal", "variant"),
    "Check": ("check", "verify", "report", "route", "place", "colours", "trace"),
    "Draw and exchange": ("draw", "sheets", "print", "picture", "export", "scan"),
    "Charts": ("payoffs", "destinations", "railroads"),
    "Play": ("rules", "playtest", "referee"),
    "More": ("list", "schema", "doctor"),
}
"""What a user wants -> the commands for it."""


class Commands(LoadingGroup):
    """All commands."""

    panels = PANELS

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - those of any group
        table = {**OF_ANY_KIND, **merged(command_tables(OF_EACH_KIND), kind_named)}
        super().__init__(table=table, identify=owner_named, own_boards=own_boards, **settings)

    def make_context(self, *words: Any, **settings: Any) -> Any:  # noqa: ANN401 - Typer exports no type of it
        """Parse the options of the program; Typer would abort without a reason if a module of its own is cut off."""
        with explain_cut_modules():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run a command, likewise."""
        with explain_cut_modules():
            return super().invoke(ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer exports no type of it
        """Read the options of the program, wherever they stand before `--`."""
        end = args.index("--") if "--" in args else len(args)
        moved = [word for word in args[:end] if word in _ANYWHERE]
        kept = [word for number, word in enumerate(args) if number >= end or word not in _ANYWHERE]
        return super().parse_args(ctx, moved + kept)


app = typer.Typer(
    name="mapkit",
    cls=Commands,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Make, check and draw boards of railroad games. Start: mapkit build usa. Exit codes: 0 done, 1 wrong input, 2 "
    "wrong usage.",
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
    is_unheard = _open_closed_streams()
    _write_utf_8()
    with escaped_output():
        _refuse_control_characters()
        _refuse_surroundings(is_unheard=is_unheard)
        try:
            with answered_at_once(_last_words, INTERRUPTED):
                if alone:
                    allow_forks()
                _call_app()
        except MapkitError as error:
            print_message(f"mapkit: {without_rules(str(error))}")
            sys.exit(2 if isinstance(error, ChoiceError) else 1)
        except KeyboardInterrupt:
            _interrupted()
        except SystemExit as end:  # Typer turns Ctrl-C into an exit without a word
            if end.code == INTERRUPTED:
                _interrupted()
            raise
        except OSError as error:
            _explain_system_fault(error)
            sys.exit(1)
        except Exception as error:
            if KeyboardInterrupt.__name__ in str(error):  # pydantic wraps a Ctrl-C that comes while it builds a model
                _interrupted()
            raise


def _call_app() -> None:
    try:
        app()
    except ModuleNotFoundError as error:
        if missing := explain_missing(error):
            raise missing from error
        raise


def _explain_system_fault(error: OSError) -> None:
    """Print a fault of the system with its cure; raise any other again."""
    if error.errno in _NOBODY_READS:
        sys.stderr.close()
    elif error.errno in _CURES:
        where = error.filename if error.filename is not None else "the output"
        print_message(f"mapkit: {where}: {error.strerror}; {_CURES[error.errno]}")
        if error.filename is None:
            with suppress(OSError):  # what could not be written is not tried again
                unescaped(sys.stdout).close()
    else:
        raise error


def _open_closed_streams() -> bool:
    """Open the standard streams that are closed as the null device; return whether standard output was closed.

    Otherwise the next file that a command opens would be standard output to libraries.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _LAST_STREAM:
        pass
    os.close(descriptor)
    is_unheard = sys.stdout is None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
    return is_unheard


def _refuse_surroundings(*, is_unheard: bool) -> None:
    """Raise an error where no command can work: nobody hears it, or its folder is gone."""
    reason = "standard output is closed; open it, or send it to a file" if is_unheard else ""
    try:
        Path.cwd()
    except OSError:
        reason = "the current folder was deleted, or may not be read; change to another one"
    if reason:
        print_message(f"mapkit: {reason}")
        sys.exit(1)


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
    verbose: Annotated[bool, typer.Option("--verbose", help="Name the rows of the rules too, such as RB-F03.")] = False,
) -> None:
    """Make, check and draw boards of railroad games."""
    set_output(plain=plain, quiet=quiet, verbose=verbose)
