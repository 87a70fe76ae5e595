"""Printing a board with its sheets, and turning pictures into PDF or PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, PrintError, did_you_mean
from mapkit.core.progress import Progress
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import find_theme
from mapkit.drawing.theme.theme import Theme
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.own_theme import dressed
from mapkit.kinds.rail.render.sheets import GROUPS
from mapkit.kinds.rail.render.sheets import sheets as make_sheets
from mapkit.kinds.rail.render.words import in_language, words_of
from mapkit.press.job import PrintJob, Printout
from mapkit.press.parts import PrintedParts, checked_name, pale, write_printout
from mapkit.press.separation import read_profile
from mapkit.press.write import KINDS, write_picture

PARTS: Final = ("board", "sheets", "cards", "money")
"""What `only` takes, beside ids of sheets; the first three are printed if nothing is named."""

_LOOSE: Final = ("chips", "pad-")
"""Sheets to cut out or to write on; a booklet leaves them out unless their ids are named."""


@dataclass(frozen=True)
class Printed:
    """A printed board.

    Attributes:
        board: What was printed.
        printout: The PDF, what is on which page, what its user should know.
        files: What was written, the PDF first.
    """

    board: Board
    printout: Printout
    files: tuple[Path, ...]


def print_board(
    board: Board | str | Path,
    job: PrintJob,
    *,
    out: str | Path,
    parts: PrintedParts | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = lambda _stage: None,
) -> Printed:
    """Write a board, its sheets and cards as one PDF to print and play; all files or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        job: Paper, tiles, bleed, scale.
        out: The PDF's path.
        parts: What is printed, and how it looks; everything in the board's own theme by default.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        PrintError: The job does not fit the paper, or a picture cannot be drawn; nothing was written.
        UnknownNameError: There is no such board, theme or part.
        OutputError: A file could not be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError and WorkspaceError.
    """
    path = checked_name(job, out)
    parts = parts or PrintedParts()
    if job.cmyk is not None:
        read_profile(job.cmyk)  # before the board is laid out, which takes long
    theme = find_theme(parts.theme, folder=Path(workspace or "."))
    loaded = (
        board if isinstance(board, Board) else load(board, variants=variants, workspace=workspace, progress=progress)
    )
    loaded = in_language(loaded, parts.language)
    dress = dressed(theme, loaded)
    look = pale(dress) if parts.low_ink else dress
    progress("drawing")
    sheets = _sheets(loaded, look, job)
    if job.booklet and not {*parts.only} & {sheet.id for sheet in sheets}:
        sheets = tuple(sheet for sheet in sheets if not sheet.id.startswith(_LOOSE))
    picture, chosen = _chosen(loaded, look, sheets, parts.only)
    printout, files = write_printout(
        picture, chosen, job, path, title=loaded.title, words=words_of(loaded), dpi=parts.dpi, progress=progress
    )
    return Printed(loaded, printout, files)


def convert_picture(
    source: str | Path, *, to: str = "pdf", out: str | Path | None = None, dpi: float = 300.0, fonts: str = "name"
) -> tuple[Path, tuple[str, ...]]:
    """Turn an SVG file into PDF, PNG, or SVG with other fonts.

    Args:
        source: The SVG file.
        to: `pdf`, `png` or `svg`.
        out: Where to; beside the file by default, with the other ending.
        dpi: Of a PNG.
        fonts: Of an SVG: `name`, `embed`, `paths`.

    Returns:
        What was written, and what its user should know.

    Raises:
        PrintError: The file is not an SVG or cannot be drawn; or `out` is the file itself.
        WorkspaceError: The file is missing or may not be read.
        SourceError: It is not a UTF-8.
        OutputError: The file could not be written.
    """
    path = Path(source)
    if to not in KINDS:
        raise ChoiceError(f"{to!r} is not a kind of picture{did_you_mean(to, KINDS)}; {', '.join(KINDS)} are")
    target = Path(out) if out is not None else path.with_suffix(f".{to}")
    if target.resolve() == path.resolve():
        raise PrintError(f"{path}: would be written over; say with --out where to")
    if target.suffix.lower() != f".{to}":
        raise PrintError(f"{target}: the name of a {to.upper()} ends in .{to}")
    svg = read_text(path, name=str(path))
    return target, write_picture(svg, target, dpi=dpi, fonts=fonts, name=str(path))


def _sheets(board: Board, theme: Theme, job: PrintJob) -> tuple[Sheet, ...]:
    name, _ = job.for_sheets
    return make_sheets(board, theme, "letter" if name in ("letter", "tabloid") else "a4", only=GROUPS)


def _chosen(
    board: Board, theme: Theme, sheets: Sequence[Sheet], only: Sequence[str]
) -> tuple[str | None, tuple[Sheet, ...]]:
    """Return the board's drawing, unless it is not wanted, and the sheets that are."""
    ids = [sheet.id for sheet in sheets]
    for name in only:
        if name not in PARTS and name not in ids:
            known = (*PARTS, *ids)
            raise ChoiceError(
                f"part {name!r} is unknown{did_you_mean(name, known)}; parts are {', '.join(PARTS)}, and ids of sheets"
            )
    chosen = tuple(sheet for sheet in sheets if sheet.id in only or _part(sheet) in (only or PARTS[:3]))
    drawn = render_board(board, theme=theme) if not only or "board" in only else None
    return drawn, chosen


def _part(sheet: Sheet) -> str:
    """Return the part of a printout that a sheet belongs to."""
    if sheet.id.startswith("money-"):
        return "money"
    return "sheets" if sheet.kind == "page" else "cards"
