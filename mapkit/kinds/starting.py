"""Starting a new board of any kind, from its small example, from nothing, or as a copy of another board."""

from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, WorkspaceError
from mapkit.document.boards import EXAMPLE, NOTHING, folder_files, make_board, new_board_folder
from mapkit.document.workspace import Workspace, shipped_folder
from mapkit.kinds.kind import RegionAsked
from mapkit.kinds.registry import DEFAULT, get_kind, kind_of

_WORLD: Final = (-180.0, -90.0, 180.0, 90.0)


def new_board(space: Workspace, name: str, source: str = EXAMPLE, *, kind: str = DEFAULT) -> Path:
    """Make `sources/<name>/` in a workspace and return it; the title becomes the name.

    Args:
        space: The workspace.
        name: The new board's id.
        source: `example`, `empty`, or the name of a board to copy.
        kind: The kind of the board, if it is not a copy.

    Raises:
        WorkspaceError: The name is not an id, taken, or that of a shipped board.
        UnknownNameError: There is no board `source`.
        ChoiceError: The board to copy is of another kind.
        SourceError: There is no such kind.
        OutputError: It cannot be written; nothing is left of it.
    """
    folder = _new_folder(space, name)
    if source in (EXAMPLE, NOTHING):
        files = get_kind(kind, file="--kind").new_files(example=source == EXAMPLE)
    else:
        copied = space.board_folder(source)
        copied_kind = kind_of(copied)
        if kind not in (DEFAULT, copied_kind.name):
            raise ChoiceError(f"a copy of {source} has the kind {copied_kind.name!r}; leave out --kind {kind}")
        files = folder_files(copied, copied_kind.patterns)
    make_board(folder, name, files)
    return folder


def new_region_board(space: Workspace, name: str, asked: RegionAsked, *, kind: str) -> tuple[Path, tuple[str, ...]]:
    """Create `sources/<name>/` in a workspace for a region of the earth; return it with notes for its author.

    Args:
        space: The workspace.
        name: The new board's id.
        asked: Of what region it is to be.
        kind: The kind of the board.

    Raises:
        WorkspaceError: The name is not an id, taken, or that of a shipped board.
        ChoiceError: Boards of this kind are not made so, or the sizes do not fit.
        UnknownNameError: There is no such region.
        SourceError: There is no such kind.
        OutputError: It cannot be written; nothing is left of it.
    """
    folder = _new_folder(space, name)
    files, notes = get_kind(kind, file="--kind").region_files(name, asked)
    make_board(folder, name, files)
    return folder, notes


def new_board_of_file(space: Workspace, name: str, file: Path, *, crs: str = "") -> Path:
    """Make `sources/<name>/` in a workspace of a file of lines or of a whole board, and return it.

    Args:
        space: The workspace.
        name: The new board's id.
        file: Lines in degrees, or a board that was exported.
        crs: The CRS of a file that states none, or `latlon`.

    Raises:
        WorkspaceError: The name is not an id, taken, or that of a shipped board.
        NoCrsError: The file's CRS must be named.
        SourceError: The file cannot be used.
        OutputError: It cannot be written; nothing is left of it.
    """
    folder = _new_folder(space, name)
    get_kind(DEFAULT).import_board(space, name, file, crs=crs)
    return folder


def _new_folder(space: Workspace, name: str) -> Path:
    """Return the folder of a new board, which must not hide a shipped one."""
    folder = new_board_folder(space, name)
    if (shipped_folder() / "sources" / name).is_dir():
        raise WorkspaceError(
            f"{name!r} is a board that is shipped with mapkit; choose another name, such as mapkit new my-{name}, or "
            f"copy it: mapkit new my-{name} --from {name}"
        )
    return folder


def parse_bounds(text: str) -> tuple[float, float, float, float]:
    """Return west, south, east and north in degrees.

    Raises:
        ValueError: They are not four numbers, or not a box on the earth.
    """
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        west = south = east = north = 0.0
    if not (_WORLD[0] <= west < east <= _WORLD[2] and _WORLD[1] <= south < north <= _WORLD[3]):
        raise ValueError(f"{text!r} is not west, south, east and north in degrees; write such as -10,36,-6,43")
    return west, south, east, north
