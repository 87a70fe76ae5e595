"""Which source package is edited: one of the workspace; a shipped board is copied there first."""

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import OutputError, WorkspaceError
from mapkit.core.outputs.filenames import taken, why_no_id
from mapkit.document.workspace import Workspace

_TITLE = re.compile(r'^title = ".*"$', re.MULTILINE)
EXAMPLE: Final = "example"
"""A new board begins with the small example."""
NOTHING: Final = "empty"
"""A new board begins with nothing."""
IN_PAGE: Final = "page"
"""A new board begins with what its author chooses on the page."""


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


def free_folder(space: Workspace, name: str) -> Path:
    """Return where a new board will be.

    Raises:
        WorkspaceError: The name is not an id, or the folder is there already.
    """
    if why := why_no_id(name, "a board"):
        raise WorkspaceError(why)
    folder = space.root / "sources" / name
    if there := taken(folder):
        raise WorkspaceError(f"{there} already exists; choose another name, or remove it first")
    return folder


def folder_files(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a source package as they are, by path."""
    found = sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def make_board(folder: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Make a source package of files, aside first; its title becomes the name.

    Raises:
        OutputError: It cannot be written; nothing is left of it.
    """
    stage: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".mapkit-", dir=folder.parent))
        for path, data in files.items():
            target = stage / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        config = stage / "board.toml"
        title = name.replace("-", " ").capitalize()
        text = _TITLE.sub(f'title = "{title}"', config.read_text(encoding="utf-8"), count=1)
        config.write_text(text, encoding="utf-8", newline="\n")
        stage.chmod(0o755)
        stage.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror or error}; nothing is left of it") from error
    finally:
        if stage is not None:
            shutil.rmtree(stage, ignore_errors=True)
