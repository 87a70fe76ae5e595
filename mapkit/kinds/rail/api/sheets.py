"""Drawing the sheets that players need beside the board."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.plurals import join_some
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.drawing.sheet import PAPERS, Sheet
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.kinds.rail.api.loading import load, stem_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.sheets import GROUPS, sheets
from mapkit.kinds.rail.render.sheets.files import list_sheet_files
from mapkit.kinds.rail.render.words import in_language
from mapkit.operations.options import BoardName, Flag, Language, Output, Theme, Variants, Workspace

_Name = TypeVar("_Name", bound=str)


@dataclass(frozen=True)
class WrittenSheets:
    """The sheets of a board, and where their files are."""

    board: Board
    sheets: tuple[Sheet, ...]
    folder: Path
    files: tuple[Path, ...]

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        return {"board": self.board.id, "folder": str(self.folder), "files": [str(path) for path in self.files]}


def write_sheets(
    board: Any | BoardName,  # noqa: ANN401 - a `Board`
    *,
    only: Annotated[Sequence[str], Flag("", "GROUP[,GROUP...]", reading="commas")] = (),
    paper: Annotated[str, Flag("", "a4|letter|a5|half-letter")] = "a4",
    theme: Theme = OWN,
    language: Language = OWN,
    out: Annotated[str | Path | None, Output("-o", "FOLDER")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> WrittenSheets:
    """Draw charts, deeds, cards and pads for players.

    Pages are of the paper's size, cards 63 x 88 mm; sheets.json lists them with their backs. A chart that the board
    lacks has no sheet. All files are written or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        only: Of reference, rules, destinations, payoffs, deeds, engines, chips, pads (all by default), and money.
        paper: The size of pages.
        out: Write the files there, not to sheets/BOARD/.

    Raises:
        UnknownNameError: There is no such board, variant, group, paper or theme.
        MapkitError: As for `load`.
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
    drawn = sheets(found, apply_board_sizes(looks, found), size, only=groups)
    files = list_sheet_files(drawn)
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
    raise ChoiceError(f"no {what} is called {name!r}{did_you_mean(name, known)}; there are {join_some(known)}")
