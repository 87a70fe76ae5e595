"""Options and arguments that several commands share, named once."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mapkit.core.outputs.filenames import is_device, trouble

_COMPLETION: Final = "mapkit.cli.completion"


def _holdable(value: Path | None) -> Path | None:
    """Refuse, before any work, file names that some system cannot store; existing files keep theirs.

    Raises:
        BadParameter: The name is not one for every system.
    """
    name = "" if value is None else value.name
    if value is None or name in ("", "..") or (not is_device(name) and value.exists()):
        return value
    if why := trouble(name):
        raise typer.BadParameter(f"{name!r} cannot be the name of a file on every system: {why}; choose another name")
    return value


def completer(where: str) -> Callable[[Any, str], list[str]]:
    """Return a function that completes a value in a shell; the module `where` is loaded when a shell asks."""
    module, _, function = where.partition(":")

    def complete(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - Typer exports no type of it
        found: list[str] = getattr(import_module(module), function)(ctx, incomplete)
        return found

    return complete


def written_option(*names: str, metavar: str, help: str) -> Any:  # noqa: A002, ANN401 - as Typer has it
    """Return the option of a file or folder that a command writes."""
    return typer.Option(*names, metavar=metavar, help=help, callback=_holdable)


def is_written(hint: object) -> bool:
    """Return whether a parameter's type is that of a file or folder that a command writes."""
    return any(getattr(option, "callback", None) is _holdable for option in getattr(hint, "__metadata__", ()))


NAMES_OF_BOARDS: Final = frozenset({"board", "a", "target", "names"})
"""Parameters that name a board, or variants of one."""
BoardArg = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A board of the workspace or a shipped one (usa), the folder of a source package, or a board.json.",
    ),
]
ForceOpt = Annotated[bool, typer.Option("--force", help="Replace files of other boards and variants too.")]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print the library's own result as JSON.")]
WorkspaceOpt = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="FOLDER",
        help="The folder that holds sources/ and build/; the current one by default.",
    ),
]
YesOpt = Annotated[bool, typer.Option("--yes", help="Place more mileposts by rule than boards have (1,000).")]
VariantOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="NAME",
        autocompletion=completer(f"{_COMPLETION}:complete_variant"),
        help="Apply this variant, or the file of one (.toml); may be repeated, in order.",
    ),
]
LanguageOpt = Annotated[
    str,
    typer.Option(
        "--language", metavar="TAG", help="Words in en, es, es-MX, pt or pt-BR; as board.toml says by default."
    ),
]
ThemeOpt = Annotated[
    str,
    typer.Option(
        "--theme",
        "-t",
        metavar="NAME|FILE",
        autocompletion=completer(f"{_COMPLETION}:complete_theme"),
        help="A theme (mapkit list themes), or a file of one (.toml).",
    ),
]
