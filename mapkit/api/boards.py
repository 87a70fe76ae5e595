"""Starting a board, and finding its kind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapkit.document.boards import EXAMPLE
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.kinds.kind import Kind
from mapkit.kinds.registry import DEFAULT, get_kind, kind_of
from mapkit.kinds.starting import new_board


@dataclass(frozen=True)
class NewBoard:
    """A board that was started: its source package, and the files in it."""

    folder: Path
    files: tuple[Path, ...]


def new(name: str, source: str = EXAMPLE, *, kind: str = DEFAULT, workspace: str | Path | None = None) -> NewBoard:
    """Start a new board: a source package in `sources/NAME` that builds as it is.

    Args:
        name: The board's id: letters, digits, hyphens.
        source: `"example"` for the small example, `"empty"`, or the name of a board to copy.
        kind: The kind of the board; a copy keeps its own.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        WorkspaceError: The name cannot be used, or is taken.
        UnknownNameError: There is no board `source`.
        SourceError: There is no such kind.
        OutputError: The files cannot be written; nothing is left of them.
    """
    folder = new_board(open_workspace(workspace), name, source, kind=kind)
    return NewBoard(folder, tuple(sorted(path for path in folder.rglob("*") if path.is_file())))


def kind_of_board(space: Workspace, name: str) -> Kind[Any, Any]:
    """Return the kind of a board of a workspace; a file of a board is of the default kind.

    Raises:
        UnknownNameError: There is no such board.
        SourceError: It is of a kind that there is not.
    """
    given = space.root / name
    if given.suffix and not given.is_dir():
        return get_kind(DEFAULT)
    return kind_of(space.board_folder(name))
