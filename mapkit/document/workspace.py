"""Workspaces: folders with source packages, found by name, and with bundles.

A workspace is any folder with `sources/`. Names that it lacks are looked up among the shipped boards, which are part of
the wheel.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapkit.core.errors import MapkitError, UnknownNameError, WorkspaceError, did_you_mean
from mapkit.core.names import board_stem
from mapkit.core.outputs.filenames import exists_as_spelled, is_there
from mapkit.core.outputs.stages import settle_workspace
from mapkit.core.plurals import join_some
from mapkit.formats.files import read_bytes
from mapkit.formats.toml_reading import parse_toml

_PACKAGE_FOLDER = Path(__file__).resolve().parent.parent
_CONFIG_NAME = "board.toml"


@dataclass(frozen=True)
class Workspace:
    """Working folder of a command.

    Args:
        root: The folder; it need not hold anything yet.
    """

    root: Path

    def path(self, given: str | Path) -> Path:
        """Return the path of a named file or folder: from the current folder, else from the workspace."""
        return Path(given) if os.path.exists(given) else self.root / given  # noqa: PTH110 - False where a name is too long

    def board_folder(self, name: str) -> Path:
        """Return the source package of a board, given by name or by path.

        Raises:
            UnknownNameError: No such board here or among the shipped ones; the nearest name is offered.
            WorkspaceError: No source package is in that folder, or its name or that of `board.toml` has other capitals.
        """
        if is_path(name):
            folder = self.path(name)
            if is_there(folder / _CONFIG_NAME):
                return folder
            raise WorkspaceError(f"{name}: no {_CONFIG_NAME} there; give the folder of a source package")
        for folder in (self.root / "sources" / name, shipped_folder() / "sources" / name):
            if exists_as_spelled(folder) and is_there(folder / _CONFIG_NAME):
                return folder
        board_names = self.boards()
        hint = did_you_mean(name, board_names) or (f"; boards are {join_some(board_names)}" if board_names else "")
        raise UnknownNameError(f"board {name!r} is neither in {self.root / 'sources'} nor shipped with mapkit{hint}")

    def is_board_file(self, name: str) -> bool:
        """Return whether a name is a file of a board, rather than a board or a source package."""
        given_path = self.path(name)
        return bool(given_path.suffix) and not given_path.is_dir()

    def board_source(self, name: str) -> Path:
        """Return the source package of a board, or the file of one; raises as `board_folder` does."""
        return self.path(name) if self.is_board_file(name) else self.board_folder(name)

    def own_board_folder(self, name: str) -> Path:
        """Return the source package of an editable board: one of this workspace, or given by its path.

        Raises:
            WorkspaceError: The board is a shipped one.
            UnknownNameError: There is no such board.
        """
        folder = self.board_folder(name)
        if not is_path(name) and folder.parent != self.root / "sources":
            raise WorkspaceError(f"board {name!r} is shipped with mapkit; copy it first: mapkit new NAME --from {name}")
        return folder

    def boards(self, kind: str = "") -> tuple[str, ...]:
        """Return the sorted names of all boards that can be built here.

        Args:
            kind: Only those that do not say that they are of another kind.
        """
        folders = (self.root / "sources", shipped_folder() / "sources")
        config_by_name = {
            path.parent.name: path for folder in reversed(folders) for path in folder.glob(f"*/{_CONFIG_NAME}")
        }
        return tuple(
            sorted(name for name, path in config_by_name.items() if not kind or _stated_kind(path) in ("", kind))
        )

    def only_board(self) -> str | None:
        """Return the name of this folder's own board; None if it has none or several."""
        own_names = self.own_boards()
        return own_names[0] if len(own_names) == 1 else None

    def own_boards(self) -> tuple[str, ...]:
        """Return the names of this folder's own boards, sorted."""
        return tuple(sorted(path.parent.name for path in (self.root / "sources").glob(f"*/{_CONFIG_NAME}")))

    def recent_boards(self) -> tuple[str, ...]:
        """Return the names of this folder's own boards, those edited last first."""
        sources = self.root / "sources"
        edited_at: dict[str, float] = {}
        for name in self.own_boards():
            files = (sources / name / _CONFIG_NAME, sources / f"{name}.journal")
            edited_at[name] = max(file.stat().st_mtime for file in files if file.exists())
        return tuple(sorted(edited_at, key=lambda name: -edited_at[name]))

    def board_title(self, name: str) -> str:
        """Return the title of a board and the kind that it states; its name if `board.toml` cannot be read."""
        config = _read_config(self.board_folder(name) / _CONFIG_NAME)
        kind = f" ({config['kind']})" if "kind" in config else ""
        return f"{config['title']}{kind}" if "title" in config else name

    def bundle_folder(self, board_id: str, variants: Sequence[str] = ()) -> Path:
        """Return the folder of the bundle, `build/<board>+<variant>.../`, with the requested variants."""
        return self.root / "build" / board_stem(board_id, variants)


def is_path(name: str) -> bool:
    """Return whether a name of a board is a path: it has a folder, as in `./usa`, or is one, as `.`."""
    return name in (".", "..") or any(mark in name for mark in ("/", os.sep)) or Path(name).is_absolute()


def open_workspace(root: Path | str | None = None) -> Workspace:
    """Return the workspace in `root`, or in the current folder, after settling what killed commands left there.

    Raises:
        WorkspaceError: The folder does not exist.
    """
    folder = Path(root) if root is not None else Path.cwd()
    if not folder.is_dir():
        raise WorkspaceError(f"{folder}: no such folder; make it, or give another --workspace")
    settle_workspace(folder)
    return Workspace(folder)


def shipped_folder() -> Path:
    """Return the folder with the shipped `sources/`: in the wheel, or in the checkout that runs."""
    wheel_folder = _PACKAGE_FOLDER / "shipped"
    return wheel_folder if wheel_folder.is_dir() else _PACKAGE_FOLDER.parent


def _stated_kind(config: Path) -> str:
    """Return the kind in a `board.toml`; empty if it states none, or cannot be read."""
    return str(_read_config(config).get("kind", ""))


def _read_config(config: Path) -> dict[str, Any]:
    """Return a `board.toml`; empty if it cannot be read, for opening the board reports the mistake."""
    try:
        return parse_toml(read_bytes(config, name=_CONFIG_NAME).decode("utf-8-sig"), file=_CONFIG_NAME)
    except (MapkitError, ValueError):
        return {}
