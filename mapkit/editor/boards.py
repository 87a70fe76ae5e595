"""Which source package is edited: one of the workspace; a shipped board is copied there first."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.errors import OutputError
from mapkit.sources.start import EMPTY, start_board
from mapkit.sources.workspace import Workspace

EXAMPLE: Final = "example"
"""A new board begins with the small example."""
NOTHING: Final = "empty"
"""A new board begins with nothing."""


@dataclass(frozen=True)
class EditedBoard:
    """A source package that may be changed, and whether it was copied from a shipped board just now."""

    folder: Path
    copied: bool


def board_to_edit(space: Workspace, name: str) -> EditedBoard:
    """Return the source package of a board; a shipped one is copied to `sources/` of the workspace.

    Raises:
        UnknownNameError: There is no such board.
        OutputError: The copy cannot be written; nothing is left of it.
    """
    folder = space.board_folder(name)
    own = space.root / "sources" / name
    if len(Path(name).parts) > 1 or folder == own:
        return EditedBoard(folder, copied=False)
    stage: Path | None = None
    try:
        own.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".mapkit-", dir=own.parent))
        shutil.copytree(folder, stage, dirs_exist_ok=True, copy_function=shutil.copyfile)
        stage.chmod(0o755)
        stage.rename(own)
    except OSError as error:
        raise OutputError(f"{own}: cannot be made: {error.strerror or error}; nothing is left of it") from error
    finally:
        if stage is not None:
            shutil.rmtree(stage, ignore_errors=True)
    return EditedBoard(own, copied=True)


def new_board(space: Workspace, name: str, source: str) -> Path:
    """Make a new board and return its source package.

    Args:
        space: The workspace.
        name: The new board's id.
        source: `example`, `empty`, or the name of a board to copy.

    Raises:
        WorkspaceError: The name is no id, or taken.
        UnknownNameError: There is no board `source`.
        OutputError: It cannot be written; nothing is left of it.
    """
    return start_board(space, name, source=None if source == EXAMPLE else EMPTY if source == NOTHING else source)
