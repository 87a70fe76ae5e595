"""Drawing the sheets that players need beside the board."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.document.workspace import open_workspace
from mapkit.drawing.sheet import PAPERS, Sheet
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.kinds.rail.api.loading import load, stem_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.own_theme import dressed
from mapkit.kinds.rail.render.sheets import GROUPS, sheets
from mapkit.kinds.rail.render.sheets.files import sheet_files
from mapkit.kinds.rail.render.words import in_language

_Name = TypeVar("_Name", bound=str)


@dataclass(frozen=True)
class WrittenSheets:
    """The sheets of a board, and where their files are."""

    board: Board
    sheets: tuple[Sheet, ...]
    folder: Path
    files: tuple[Path, ...]


def write_sheets(  # noqa: PLR0913 - each is an option of the command
    board: Board | str | Path,
    *,
    variants: Sequence[str] = (),
    only: Collection[str] = (),
    paper: str = "a4",
    theme: str = OWN,
    language: str = OWN,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
    progress: Progress = lambda _stage: None,
) -> WrittenSheets:
    """Draw the sheets of a board and write them as SVG files, all or none.

    Args:
        board: A board, or the name or file of one, as for `mapkit.load`.
        variants: As for `mapkit.load`; only for a board by name.
        only: Groups of sheets, of `mapkit.kinds.rail.render.sheets.GROUPS`; all but money by default.
        paper: `a4` or `letter`.
        theme: `board` for the one that the board's author chose, the name of a theme, or the file of one (`.toml`),
            looked for in the workspace.
        language: As in `Look`.
        out: The folder for the files; `sheets/BOARD/` of the workspace by default, with variants
            `sheets/BOARD+VARIANT.../`.
        workspace: As for `mapkit.load`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant, group, paper or theme.
        MapkitError: As for `mapkit.load`.
        OutputError: The folder cannot be written; what was there is unchanged.
    """
    size = _one_of(paper, PAPERS, "paper")
    looks = find_theme(theme, folder=Path(workspace or "."))
    groups = [_one_of(name, GROUPS, "group of sheets") for name in only]
    found = (
        board if isinstance(board, Board) else load(board, variants=variants, workspace=workspace, progress=progress)
    )
    found = in_language(found, language)
    progress("drawing the sheets")
    drawn = sheets(found, dressed(looks, found), size, only=groups)
    files = sheet_files(drawn)
    folder = (
        Path(out) if out is not None else open_workspace(workspace).root / "sheets" / stem_of(found, board, variants)
    )
    progress("writing")
    write_files(folder, files)
    return WrittenSheets(found, drawn, folder, tuple(folder / name for name in files))


def _one_of(name: str, known: Collection[_Name], what: str) -> _Name:
    for one in known:
        if one == name:
            return one
    raise ChoiceError(f"no {what} is called {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
