"""Starting a new source package, from the small example or as a copy of another board."""

import re
import shutil
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from mapkit.errors import OutputError, WorkspaceError
from mapkit.sources.names import slug
from mapkit.sources.workspace import Workspace

_TITLE = re.compile(r'^title = ".*"$', re.MULTILINE)
EMPTY: Final = ""
"""As the board to copy: none, so that the new one has neither railroads nor cities."""

_EMPTY = """\
title = "New board"
licence = "CC-BY-4.0"
credits = ["Land, lakes and borders: Natural Earth, public domain"]

[projection]
name = "albers" # or lambert, mercator, transverse-mercator, plate-carree, or crs with crs = "EPSG:..."
lat_1 = 29.5
lat_2 = 45.5
lat_0 = 37.5
lon_0 = -96

# millimetres; the legend strip lies below the map
[page]
width = 900
height = 600
margin = 30
legend = 70

# countries (ISO codes) in which the place names of the station lists are looked up
[gazetteer]
countries = ["US"]

[[regions]]
id = "region-1"
name = "Region 1"
short = "R1"
colour = "#cbdff0"

# Findings of "mapkit check" that are right as they are: "id" = "reason"
[accepted]
"""
_PARTS = ("board.toml", "*.csv", "charts/*.csv", "lines/*")


def start_board(space: Workspace, name: str, *, source: str | None = None) -> Path:
    """Make `sources/<name>/` in a workspace and return it; the title becomes the name.

    Args:
        space: The workspace.
        name: The new board's id.
        source: A board to copy, or `EMPTY`; the small example by default.

    Raises:
        WorkspaceError: The name is no id, or the folder is there already.
        UnknownNameError: There is no board `source`.
        OutputError: The folder cannot be written; nothing is left of it.
    """
    folder = free_folder(space, name)
    if source == EMPTY:
        _stage(lambda stage: (stage / "board.toml").write_text(_EMPTY, encoding="utf-8", newline="\n"), folder, name)
    elif source is not None:
        _copy(space.board_folder(source), folder, name)
    else:
        with as_file(files("mapkit.sources").joinpath("template")) as template:
            _copy(template, folder, name)
    return folder


def free_folder(space: Workspace, name: str) -> Path:
    """Return where a new board will be.

    Raises:
        WorkspaceError: The name is no id, or the folder is there already.
    """
    if not name or slug(name) != name:
        hint = f"; try {slug(name)!r}" if slug(name) else ""
        raise WorkspaceError(f"{name!r} is no name for a board: use small letters, digits and hyphens{hint}")
    folder = space.root / "sources" / name
    if folder.exists():
        raise WorkspaceError(f"{folder} is there already; choose another name, or remove it first")
    return folder


def _copy(origin: Path, folder: Path, name: str) -> None:
    def copied(stage: Path) -> None:
        for path in sorted(p for part in _PARTS for p in origin.glob(part) if p.is_file()):
            target = stage / path.relative_to(origin)
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(path.read_bytes())

    _stage(copied, folder, name)


def _stage(fill: Callable[[Path], object], folder: Path, name: str) -> None:
    """Make a source package aside and move it into its place, with its title."""
    stage: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".mapkit-", dir=folder.parent))
        fill(stage)
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
