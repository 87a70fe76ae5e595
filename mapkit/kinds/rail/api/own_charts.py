"""Charts that are a board's own."""

from pathlib import Path
from typing import Final

from mapkit.document.workspace import open_workspace

BOARD_FILE: Final = "board.json"
"""A board that was built."""


def is_board(chart: str | Path, *, workspace: str | Path | None = None) -> bool:
    """Return whether a chart is named by its board, as for `load`: by name, by folder, or by a `board.json`."""
    path = Path(chart)
    return path.is_dir() or path.name == BOARD_FILE or str(chart) in open_workspace(workspace).boards()


def board_of_chart(chart: str | Path, table: str, *, workspace: str | Path | None = None) -> str | Path | None:
    """Return the board whose own chart is given.

    Args:
        chart: A board, or a file.
        table: The path of the chart in a source package.
        workspace: As for `load`.

    Returns:
        The board, as for `load`; None if the chart is any other file.
    """
    path = Path(chart)
    if not path.is_file() or path.name == BOARD_FILE:
        own = is_board(chart, workspace=workspace)
        return (path.resolve() if path.exists() else chart) if own else None
    package = path.resolve().parent.parent
    return package if (package / table).exists() and (package / table).samefile(path) else None
