"""Source packages for editing, in the workspace; a shipped board is copied there first."""

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

_TITLE_LINE = re.compile(r'^title = ".*"$', re.MULTILINE)
EXAMPLE: Final = "example"
"""A new board begins with the small example."""
NOTHING: Final = "empty"
"""A new board begins with nothing."""
IN_PAGE: Final = "page"
"""A new board begins with what its author chooses on the page."""


@dataclass(frozen=True)
class EditedBoard:
    """An editable source package, and whether it was just copied from a shipped board."""

    folder: Path
    copied: bool


def board_to_edit(space: Workspace, name: str) -> EditedBoard:
    """Return the source package of a board; a shipped one is copied to `sources/` of the workspace.

    Raises:
        UnknownNameError: There is no such board.
        OutputError: The copy cannot be written; nothing is left of it.
    """
    folder = space.board_folder(name)
    own_folder = space.root / "sources" / name
    if len(Path(name).parts) > 1 or folder == own_folder:
        return EditedBoard(folder, copied=False)
    staging_folder: Path | None = None
    try:
        own_folder.parent.mkdir(parents=True, exist_ok=True)
        staging_folder = Path(tempfile.mkdtemp(prefix=".mapkit-", dir=own_folder.parent))
        shutil.copytree(folder, staging_folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
        staging_folder.chmod(0o755)
        staging_folder.rename(own_folder)
    except OSError as error:
        raise OutputError(f"{own_folder}: cannot be made: {error.strerror or error}; nothing is left of it") from error
    finally:
        if staging_folder is not None:
            shutil.rmtree(staging_folder, ignore_errors=True)
    return EditedBoard(own_folder, copied=True)


def free_folder(space: Workspace, name: str) -> Path:
    """Return the folder of a new board.

    Raises:
        WorkspaceError: The name is not an id, or the folder is there already.
    """
    if reason := why_no_id(name, "a board"):
        raise WorkspaceError(reason)
    folder = space.root / "sources" / name
    if existing_path := taken(folder):
        raise WorkspaceError(f"{existing_path} already exists; choose another name, or remove it first")
    return folder


def folder_files(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a source package unchanged, by path."""
    file_paths = sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in file_paths}


def make_board(folder: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Create a source package from files atomically; its title becomes the name.

    Raises:
        OutputError: It cannot be written; nothing is left of it.
    """
    staging_folder: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging_folder = Path(tempfile.mkdtemp(prefix=".mapkit-", dir=folder.parent))
        for path, data in files.items():
            target = staging_folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        config = staging_folder / "board.toml"
        title = name.replace("-", " ").capitalize()
        text = _TITLE_LINE.sub(f'title = "{title}"', config.read_text(encoding="utf-8"), count=1)
        config.write_text(text, encoding="utf-8", newline="\n")
        staging_folder.chmod(0o755)
        staging_folder.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror or error}; nothing is left of it") from error
    finally:
        if staging_folder is not None:
            shutil.rmtree(staging_folder, ignore_errors=True)
