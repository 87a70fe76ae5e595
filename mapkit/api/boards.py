"""Starting a board, and finding its kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from mapkit.core.checks import AnyCheck
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import EXAMPLE
from mapkit.document.workspace import Workspace as OpenedWorkspace
from mapkit.document.workspace import open_workspace
from mapkit.kinds.kind import Built, Judged, Kind, RegionAsked
from mapkit.kinds.registry import DEFAULT, get_kind, kind_of
from mapkit.kinds.starting import new_board, new_region_board
from mapkit.operations.options import BoardName, Flag, Output, Variants, Workspace


@dataclass(frozen=True)
class NewBoard:
    """New board: its source package, the files in it, and notes for its author."""

    folder: Path
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def new(
    name: str,
    source: str = EXAMPLE,
    *,
    kind: str = DEFAULT,
    region: RegionAsked | None = None,
    workspace: str | Path | None = None,
) -> NewBoard:
    """Start a new board: a source package in `sources/NAME` that builds as it is.

    Args:
        name: The board's id: letters, digits, hyphens.
        source: `"example"` for the small example, `"empty"`, or the name of a board to copy.
        kind: The kind of the board; a copy keeps its own.
        region: Of what region of the earth the board is to be, in place of `source`.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        WorkspaceError: The name cannot be used, or is taken.
        UnknownNameError: There is no board `source`.
        SourceError: There is no such kind.
        ChoiceError: Boards of the kind are not made from a region, or its sizes do not fit.
        OutputError: The files cannot be written; nothing is left of them.
    """
    space, notes = open_workspace(workspace), tuple[str, ...]()
    if region is None:
        folder = new_board(space, name, source, kind=kind)
    else:
        folder, notes = new_region_board(space, name, region, kind=kind)
    return NewBoard(folder, tuple(sorted(path for path in folder.rglob("*") if path.is_file())), notes)


@dataclass(frozen=True)
class CheckedBoard:
    """Result of `check_board`: the board and the report of its checks."""

    found: Judged
    kind: Kind[Any, Any]

    @property
    def checks(self) -> Sequence[AnyCheck]:
        """Return the checks of its kind of board."""
        return self.kind.all_checks()


def build_board(
    name: BoardName,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    out: Annotated[Path | None, Output("-o", "FOLDER", "Write the bundle there, not to build/BOARD/.")] = None,
    allow_errors: Annotated[bool, Flag(help="Write the bundle even if the checks find errors.")] = False,
    progress: Progress = quiet,
) -> Built:
    """Compile, check and draw a board of any kind, and write its bundle; all files or none.

    With variants the bundle goes to build/BOARD+VARIANT.../.
    The bundle: board.json, board.svg, payoffs.csv, destinations.csv, findings.json, report.json, and bundle.json with
    their hashes. All files are written or none; with errors in the checks, none (amounts that are only doubted, P08 to
    P11, do not count).

    Args:
        name: A board of the workspace or a shipped one, the folder of a source package, or a `board.json`.
        variants: Variants to apply, in order.
        workspace: The folder that holds `sources/`; the current folder by default.
        out: The folder of the bundle; `build/BOARD/` in the workspace by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The sources cannot be used as they are, or the checks found errors; nothing was written.
        MapkitError: There is no such board or variant, or the folder cannot be written.
    """
    space = open_workspace(workspace)
    return kind_of_board(space, str(name)).build(
        space, str(name), variants=variants, out=out, allow_errors=allow_errors, progress=progress
    )


def check_board(
    name: str,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    drawing: bool = True,
    progress: Progress = quiet,
) -> CheckedBoard:
    """Check a board of any kind; what of its sources cannot be used is among the findings.

    Args:
        name: As for `build_board`.
        variants: As for `build_board`.
        workspace: As for `build_board`.
        drawing: Whether to lay the board out and check its drawing too, which takes longest.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: There is no such board or variant.
    """
    space = open_workspace(workspace)
    kind = kind_of_board(space, name)
    found = kind.judge(space, name, variants=variants, drawing=drawing, progress=progress)
    return CheckedBoard(found, kind)


def kind_of_board(space: OpenedWorkspace, name: str) -> Kind[Any, Any]:
    """Return the kind of a board of a workspace; a file of a board is of the default kind.

    Raises:
        UnknownNameError: There is no such board.
        SourceError: It is of a kind that there is not.
    """
    if space.is_board_file(name):
        return get_kind(DEFAULT)
    return kind_of(space.board_folder(name))
