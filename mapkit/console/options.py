"""Options and arguments that several commands share, named once."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.document.workspace import open_workspace

BoardArg = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A board of the workspace or a shipped one (usa), the folder of a source package, or a board.json.",
    ),
]
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
VariantOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--variant", metavar="NAME", help="Apply this variant, or the file of one (.toml); may be repeated, in order."
    ),
]
ThemeOpt = Annotated[
    str, typer.Option("--theme", "-t", metavar="NAME|FILE", help="A theme (mapkit themes), or a file of one (.toml).")
]


def board_or_only(board: str | None, workspace: Path | None) -> str:
    """Return the board that is given, or else the only one of the workspace.

    Raises:
        typer.BadParameter: None is given, and the workspace has none of its own or several.
    """
    place = open_workspace(workspace)
    chosen = board or place.only_board()
    if chosen is None:
        raise typer.BadParameter(
            f"say which board is meant, such as --board {place.boards()[0]}; there are {', '.join(place.boards())}",
            param_hint="--board",
        )
    return chosen
