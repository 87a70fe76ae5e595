"""Pictures and printouts of card games, as functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.names import board_stem
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.drawing.theme.steps import adjusted
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import known_language
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.render.cards import KINDS, all_faces, card_groups
from mapkit.kinds.cards.render.face import back_face, face_svg
from mapkit.kinds.cards.render.job import CardJob, card_size
from mapkit.kinds.cards.render.rules_pages import rule_sheets
from mapkit.kinds.cards.render.sheet import draw_cards as drawn_cards
from mapkit.kinds.cards.render.tokens import token_sheets
from mapkit.kinds.cards.render.track import track_sheets
from mapkit.press.job import PrintJob, Printout
from mapkit.press.parts import PrintedParts, checked_name, pale, write_printout
from mapkit.press.write import KINDS as PICTURES
from mapkit.press.write import picture_bytes, write_picture

PAGES: Final = ("rules", "track", "tokens")
"""What `only` takes beside `cards`, sorts of cards, ids of sheets and what they begin with."""


@dataclass(frozen=True)
class CardLook:
    """How cards are drawn.

    Attributes:
        theme: The name of a theme, or the file of one (`.toml`).
        language: `en`, `es`, `es-MX`, `pt` or `pt-BR`.
        size: `poker`, `bridge`, `mini`, `tarot`, or millimetres such as `60x110`.
        brightness: -1 for darker, 1 for brighter than the theme.
        contrast: 1 for higher contrast.
        dpi: Dots per inch of PNG files.
        fonts: How an SVG brings its fonts along: `name`, `embed` or `paths`.
    """

    theme: str = CLASSIC.name
    language: str = LANGUAGES[0]
    size: str = "poker"
    brightness: int = 0
    contrast: int = 0
    dpi: float = 150.0
    fonts: str = "name"


@dataclass(frozen=True)
class PrintedCards:
    """A printed game: what was printed, the PDF with what is on which page, and the files, the PDF first."""

    game: CardGame
    printout: Printout
    files: tuple[Path, ...]


def draw_cards(
    name: str,
    *,
    out: str | Path | None = None,
    each: str | None = None,
    look: CardLook | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Draw the cards of a game: side by side in one picture, or each face and back in a file of its own.

    Args:
        name: As for `load_cards`.
        out: The file; its name ends in `.svg`, `.png` or `.pdf`. By default `GAME-THEME.svg` in the current folder.
            With `each`, the folder; `GAME-cards` by default.
        each: `svg`, `png` or `pdf`: draw a file a card instead.
        look: Theme, language, size of cards, resolution and fonts.
        variants: As for `load_cards`.
        workspace: As for `load_cards`; themes are looked for there too.

    Returns:
        What was written, and what its user should know.

    Raises:
        ChoiceError: There is no such theme, language, size, fonts or kind of picture.
        OutputError: A file cannot be written; what was there is unchanged.
        MapkitError: As for `load_cards`.
    """
    look = look or CardLook()
    theme = adjusted(_theme(look.theme, workspace), look.brightness, look.contrast)
    language = known_language(look.language) or LANGUAGES[0]
    size = card_size(look.size)
    if each is not None and each not in PICTURES:
        raise ChoiceError(f"{each!r} is not a kind of picture{did_you_mean(each, PICTURES)}; {', '.join(PICTURES)} are")
    game = load_cards(name, variants=variants, workspace=workspace).board
    job = CardJob(game, theme, size, language=language)
    stem = board_stem(game.id, variants)
    if each is not None:
        return _drawn_each(job, Path(out or f"{stem}-cards"), each, look)
    path = Path(out or f"{stem}-{theme.name}.svg")
    if path.suffix.lower().removeprefix(".") not in PICTURES:
        raise ChoiceError(f"{path.name}: a picture's name ends in {', '.join(f'.{known}' for known in PICTURES)}")
    return (path,), write_picture(drawn_cards(job), path, dpi=look.dpi, fonts=look.fonts, name=game.id)


def print_cards(
    name: str,
    job: PrintJob,
    *,
    out: str | Path,
    parts: PrintedParts | None = None,
    size: str = "poker",
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> PrintedCards:
    """Write the rules, the track, the tokens and the cards of a game as one PDF to print and play; all files or none.

    Args:
        name: As for `load_cards`.
        job: Paper, margin, bleed, backs.
        out: The PDF's path.
        parts: What is printed, and how it looks; everything in the classic theme and in English by default.
        size: Of cards, as in `CardLook`.
        variants: As for `load_cards`.
        workspace: As for `load_cards`; themes are looked for there too.
        progress: Called with the name of each stage as it begins.

    Raises:
        PrintError: The job does not fit the paper, or a picture cannot be drawn; nothing was written.
        ChoiceError: There is no such theme, language, size or part.
        OutputError: A file could not be written; what was there is unchanged.
        MapkitError: As for `load_cards`.
    """
    path = checked_name(job, out)
    parts = parts or PrintedParts()
    theme = _theme(parts.theme, workspace)
    theme = pale(theme) if parts.low_ink else theme
    language = known_language(parts.language) or LANGUAGES[0]
    measured = card_size(size)
    game = load_cards(name, variants=variants, workspace=workspace).board
    progress("drawing")
    paper, _ = job.for_sheets
    made = CardJob(game, theme, measured, "letter" if paper in ("letter", "tabloid") else "a4", language)
    sheets = _chosen(made, parts, cards=not job.booklet)
    printout, files = write_printout(
        None, sheets, job, path, title=game.title, words=made.words, dpi=parts.dpi, progress=progress
    )
    return PrintedCards(game, printout, files)


def _theme(name: str, workspace: str | Path | None) -> Theme:
    return CLASSIC if name == OWN else find_theme(name, folder=Path(workspace or ".")) or CLASSIC


def _drawn_each(job: CardJob, folder: Path, kind: str, look: CardLook) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    files: dict[str, bytes] = {}
    notes: dict[str, None] = {}
    for face in (*all_faces(job), *(back_face(job, sort) for sort in KINDS)):
        svg, _ = face_svg(job, face)
        data, said = picture_bytes(svg, kind, dpi=look.dpi, fonts=look.fonts, name=face.id)
        files[f"{face.id}.{kind}"] = data
        notes |= dict.fromkeys(said)
    write_files(folder, files)
    return tuple(folder / name for name in sorted(files)), tuple(notes)


def _chosen(job: CardJob, parts: PrintedParts, *, cards: bool) -> list[Sheet]:
    """Return the sheets that are wanted: by group, by sort of card, by id, or by what ids begin with."""
    pages = {"rules": rule_sheets(job), "track": track_sheets(job), "tokens": token_sheets(job)}
    rows = [({name, sheet.id}, sheet) for name, sheets in pages.items() for sheet in sheets]
    if cards or parts.only:
        for kind, sheets in card_groups(job):
            rows += [({"cards", kind, sheet.id, _stem(sheet.id)}, sheet) for sheet in sheets]
    known = list(dict.fromkeys([*PAGES, "cards", *KINDS, *(name for names, _ in rows for name in sorted(names))]))
    for name in parts.only:
        if name not in known:
            listed = ", ".join((*PAGES, "cards", *KINDS))
            raise ChoiceError(
                f"part {name!r} is unknown{did_you_mean(name, known)}; parts are {listed}, and ids of sheets"
            )
    asked = {*parts.only}
    return [sheet for names, sheet in rows if not asked or asked & names]


def _stem(ident: str) -> str:
    """Return the id of cards that look alike."""
    head, _, number = ident.rpartition("-")
    return head if number.isdecimal() else ident
