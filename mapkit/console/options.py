"""Options and arguments that several commands share, named once."""

import re
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mapkit.core.outputs.filenames import invalid_reason, is_device

_COMPLETION: Final = "mapkit.api.completion"
_COMPLETED: Final = re.compile(
    r"\b(BOARD|VARIANT|THEME|FORMAT|FROM|TO|CITY|PLACE|PA|RAILROAD|TAG)\b|^[AB]$|^[a-z0-9-]+[|,]"
)
"""Names of values that a shell completes."""


def _holdable(value: Path | None) -> Path | None:
    """Refuse, before any work, file names that some system cannot store; existing files keep theirs.

    Raises:
        BadParameter: The name is not one for every system.
    """
    name = "" if value is None else value.name
    if value is None or name in ("", "..") or (not is_device(name) and value.exists()):
        return value
    if why := invalid_reason(name):
        raise typer.BadParameter(f"{name!r} cannot be the name of a file on every system: {why}; choose another name")
    return value


def complete_values(command: Any) -> None:  # noqa: ANN401 - Typer exports no type of it
    """Let a shell complete the values of a command by their names in the help; the module is loaded when it asks."""

    def complete(ctx: Any, parameter: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - as above
        found: list[str] = import_module(_COMPLETION).complete_value(ctx, parameter.metavar, incomplete)
        return found

    for parameter in command.params:
        if _COMPLETED.search(parameter.metavar or ""):
            parameter._custom_shell_complete = complete  # noqa: SLF001 - Typer sets it from a function alone


def written_option(*names: str, metavar: str, help: str) -> Any:  # noqa: A002, ANN401 - as Typer has it
    """Return the option of a file or folder that a command writes."""
    return typer.Option(*names, metavar=metavar, help=help, callback=_holdable)


def is_written(hint: object) -> bool:
    """Return whether a parameter's type is that of a file or folder that a command writes."""
    return any(getattr(option, "callback", None) is _holdable for option in getattr(hint, "__metadata__", ()))


NAMES_OF_BOARDS: Final = frozenset({"board", "a", "target", "names"})
"""Parameters that name a board, or variants of one."""
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
