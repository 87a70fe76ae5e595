"""Which board a command is about."""

from pathlib import Path

import typer

from mapkit.document.workspace import open_workspace


def board_or_only(board: str | None, workspace: Path | None) -> str:
    """Return the board that is given, or else the only one of the workspace.

    Raises:
        typer.BadParameter: None is given, and the workspace has none of its own or several.
    """
    place = open_workspace(workspace)
    chosen = board or place.only_board()
    if chosen is None:
        known = place.boards("rail")
        raise typer.BadParameter(
            f"say which board is meant, such as --board {known[0]}; there are {', '.join(known)}",
            param_hint="--board",
        )
    return chosen
