"""Source packages for editing, in the workspace; a shipped board is copied there first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import WorkspaceError
from mapkit.core.output import write_folder
from mapkit.core.outputs.filenames import find_existing, invalid_id_reason
from mapkit.document.toml_file import CONFIG_FILE
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


def prepare_board(space: Workspace, name: str) -> EditedBoard:
    """Return the source package of a board; a shipped one is copied to `sources/` of the workspace.

    Raises:
        UnknownNameError: There is no such board.
        OutputError: The copy cannot be written; nothing is left of it.
    """
    folder = space.board_folder(name)
    own_folder = space.root / "sources" / name
    if len(Path(name).parts) > 1 or folder == own_folder:
        return EditedBoard(folder, copied=False)
    write_folder(own_folder, folder_files(folder, ("**/*",)))
    return EditedBoard(own_folder, copied=True)


def new_board_folder(space: Workspace, name: str) -> Path:
    """Return the folder of a new board.

    Raises:
        WorkspaceError: The name is not an id, or the folder is there already.
    """
    if reason := invalid_id_reason(name, "a board"):
        raise WorkspaceError(reason)
    folder = space.root / "sources" / name
    if existing_path := find_existing(folder):
        raise WorkspaceError(f"{existing_path} already exists; choose another name, or remove it first")
    return folder


def folder_files(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a source package unchanged, by path."""
    file_paths = sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in file_paths}


_SMALL_WORDS: Final = frozenset(
    (
        "a",
        "and",
        "da",
        "de",
        "del",
        "do",
        "du",
        "e",
        "et",
        "in",
        "la",
        "las",
        "le",
        "les",
        "los",
        "of",
        "on",
        "the",
        "und",
    )
)
"""Words that are not capitalised inside a title."""


def make_board(folder: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Create a source package from files atomically; its title becomes the name.

    Raises:
        OutputError: It cannot be written; nothing is left of it.
    """
    first, *others = name.split("-")
    title = " ".join([first.title(), *(word if word in _SMALL_WORDS else word.title() for word in others)])
    config_text = _TITLE_LINE.sub(f'title = "{title}"', files[CONFIG_FILE].decode(), count=1)
    write_folder(folder, {**files, CONFIG_FILE: config_text})
