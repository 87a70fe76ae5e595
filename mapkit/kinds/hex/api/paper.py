"""Pictures and printouts of hexagon boards, as functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.names import board_stem
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.drawing.theme.steps import adjusted
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import known_language
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.hex.api.boards import load_hexes
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.cards import card_sheets
from mapkit.kinds.hex.render.pieces.cutting import cutting_sheets
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.rules_pages import rule_pages
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.press.job import PrintJob, Printout
from mapkit.press.parts import PrintedParts, checked_name, pale, write_printout
from mapkit.press.write import KINDS, write_picture

PARTS: Final = ("board", "rules", "pieces", "cards")
"""What `only` takes, beside ids of sheets and what they begin with; all is printed if nothing is named."""


@dataclass(frozen=True)
class HexLook:
    """How a board of hexagons is drawn.

    Attributes:
        theme: The name of a theme, or the file of one (`.toml`).
        language: `en`, `es`, `es-MX`, `pt` or `pt-BR`.
        brightness: -1 for darker, 1 for brighter than the theme.
        contrast: 1 for higher contrast.
        dpi: Dots per inch of a PNG.
        fonts: How an SVG brings its fonts along: `name`, `embed` or `paths`.
    """

    theme: str = CLASSIC.name
    language: str = LANGUAGES[0]
    brightness: int = 0
    contrast: int = 0
    dpi: float = 150.0
    fonts: str = "name"


@dataclass(frozen=True)
class PrintedHexes:
    """A printed board: what was printed, the PDF with what is on which page, and the files, the PDF first."""

    board: HexBoard
    printout: Printout
    files: tuple[Path, ...]


def draw_hexes(
    name: str,
    *,
    out: str | Path | None = None,
    look: HexLook | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
) -> tuple[Path, tuple[str, ...]]:
    """Draw a board as SVG, PNG or PDF.

    Args:
        name: As for `load_hexes`.
        out: The file; its name ends in `.svg`, `.png` or `.pdf`. By default `BOARD-THEME.svg` in the current folder.
        look: Theme, language, resolution and fonts.
        variants: As for `load_hexes`.
        workspace: As for `load_hexes`; themes are looked for there too.

    Returns:
        What was written, and what its user should know.

    Raises:
        ChoiceError: There is no such theme, language, fonts or kind of picture (the end of the file's name).
        OutputError: The file cannot be written.
        MapkitError: As for `load_hexes`.
    """
    look = look or HexLook()
    theme = adjusted(_theme(look.theme, workspace), look.brightness, look.contrast)
    language = known_language(look.language) or LANGUAGES[0]
    board = load_hexes(name, variants=variants, workspace=workspace).board
    path = Path(out or f"{board_stem(board.id, variants)}-{theme.name}.svg")
    if path.suffix.lower().removeprefix(".") not in KINDS:
        raise ChoiceError(f"{path.name}: a picture's name ends in {', '.join(f'.{known}' for known in KINDS)}")
    drawn = draw_board(board, theme, language)
    return path, write_picture(drawn, path, dpi=look.dpi, fonts=look.fonts, name=board.id)


def print_hexes(
    name: str,
    job: PrintJob,
    *,
    out: str | Path,
    parts: PrintedParts | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> PrintedHexes:
    """Write a board, its rules, pieces and cards as one PDF to print and play; all files or none.

    Args:
        name: As for `load_hexes`.
        job: Paper, tiles, bleed, scale.
        out: The PDF's path.
        parts: What is printed, and how it looks; everything in the classic theme and in English by default.
        variants: As for `load_hexes`.
        workspace: As for `load_hexes`; themes are looked for there too.
        progress: Called with the name of each stage as it begins.

    Raises:
        PrintError: The job does not fit the paper, or a picture cannot be drawn; nothing was written.
        ChoiceError: There is no such theme, language or part.
        OutputError: A file could not be written; what was there is unchanged.
        MapkitError: As for `load_hexes`.
    """
    path = checked_name(job, out)
    parts = parts or PrintedParts()
    theme = _theme(parts.theme, workspace)
    theme = pale(theme) if parts.low_ink else theme
    language = known_language(parts.language) or LANGUAGES[0]
    board = load_hexes(name, variants=variants, workspace=workspace).board
    progress("drawing")
    paper, _ = job.for_sheets
    factor = job.factor(lay_out_sheet(board).width)
    made = HexJob(_scaled(board, factor), theme, "letter" if paper in ("letter", "tabloid") else "a4", language)
    sheets = _chosen({"rules": rule_pages(made), "pieces": cutting_sheets(made), "cards": card_sheets(made)}, parts)
    if job.booklet and not parts.only:
        sheets = [sheet for sheet in sheets if sheet.id.startswith("rules")]  # the others are cut out
    wanted = not parts.only or "board" in parts.only
    picture = draw_board(board, theme, language) if wanted else None
    printout, files = write_printout(
        picture, sheets, job, path, title=board.title, words=made.words, dpi=parts.dpi, progress=progress
    )
    return PrintedHexes(board, printout, files)


def _theme(name: str, workspace: str | Path | None) -> Theme:
    return CLASSIC if name == OWN else find_theme(name, folder=Path(workspace or ".")) or CLASSIC


def _scaled(board: HexBoard, factor: float) -> HexBoard:
    """Return a board whose hexagons have the size that they are printed in, so that tiles fit them."""
    if factor == 1.0:
        return board
    grid = HexGrid.model_validate({**board.grid.model_dump(), "size_mm": board.grid.size_mm * factor})
    return board.model_copy(update={"grid": grid})


def _chosen(groups: dict[str, list[Sheet]], parts: PrintedParts) -> list[Sheet]:
    """Return the sheets that are wanted: by group, by id, or by what their ids begin with, such as `tiles`."""
    rows = [(group, sheet.id, sheet.id.partition("-")[0], sheet) for group, some in groups.items() for sheet in some]
    known = list(dict.fromkeys([*PARTS, *(stem for _, _, stem, _ in rows), *(ident for _, ident, _, _ in rows)]))
    for name in parts.only:
        if name not in known:
            raise ChoiceError(
                f"part {name!r} is unknown{did_you_mean(name, known)}; parts are {', '.join(PARTS)}, and ids of sheets"
            )
    asked = {*parts.only}
    return [sheet for group, ident, stem, sheet in rows if not asked or asked & {group, ident, stem}]
