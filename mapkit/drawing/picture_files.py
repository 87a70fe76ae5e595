"""Writer of pictures as SVG, PNG or PDF, by the suffix of the name."""

from pathlib import Path
from typing import Final, Literal

from mapkit.core.errors import ChoiceError, PrintError, did_you_mean
from mapkit.core.output import write_files
from mapkit.drawing import press
from mapkit.drawing.embedded_fonts import embed_fonts, missing_in_embedded
from mapkit.drawing.svg_file import missing_letters, substituted_letters
from mapkit.drawing.text_width import SANS

Fonts = Literal["name", "embed", "paths"]
FONTS: Final[tuple[Fonts, ...]] = ("name", "embed", "paths")
"""How an SVG has its fonts: named only, carried in the file, or texts as outlines."""

KINDS: Final = ("svg", "png", "pdf")
DPI: Final = 300.0


def picture_bytes(
    svg: str, kind: str, *, dpi: float = DPI, fonts: str = "name", name: str = "the picture"
) -> tuple[bytes, tuple[str, ...]]:
    """Return a picture as a file of some kind, and notes for its user.

    Args:
        svg: The text of an SVG file.
        kind: `svg`, `png` or `pdf`.
        dpi: Of a PNG.
        fonts: Of an SVG: `name`, `embed` or `paths`.
        name: For messages.

    Raises:
        PrintError: The kind or `fonts` is unknown, or the picture cannot be drawn.
    """
    if kind not in KINDS:
        raise ChoiceError(
            f"{name}: {kind!r} is not a kind of picture{did_you_mean(kind, KINDS)}; {', '.join(KINDS)} are"
        )
    if fonts not in FONTS:
        raise ChoiceError(f"fonts {fonts!r}: choose one of {', '.join(FONTS)}{did_you_mean(fonts, FONTS)}")
    letter_notes = missing_letter_notes(svg, name)
    if kind == "png":
        return press.svg_to_png(svg, dpi, name=name), letter_notes
    if kind == "pdf":
        return press.svg_to_pdf(svg, name), letter_notes
    if fonts == "paths":
        return press.replace_text_by_outlines(svg, name).encode("utf-8"), letter_notes
    if fonts == "embed":
        letter_notes = _note_letters(missing_in_embedded(svg, name), "the embedded fonts lack these letters")
        return embed_fonts(svg, name).encode("utf-8"), letter_notes
    return svg.encode("utf-8"), letter_notes


def write_picture(
    svg: str, path: Path, *, dpi: float = DPI, fonts: str = "name", name: str = "the picture"
) -> tuple[str, ...]:
    """Write a picture as `.svg`, `.png` or `.pdf`, by the suffix of the file; return notes for its user.

    Args:
        svg: The text of an SVG file.
        path: Where to.
        dpi: Of a PNG.
        fonts: Of an SVG: `name`, `embed` or `paths`.
        name: What the picture is called in messages.

    Raises:
        PrintError: As for `picture_bytes`; nothing was written.
        OutputError: The file could not be written; what was there is unchanged.
    """
    file_kind = path.suffix.lower().removeprefix(".")
    if file_kind not in KINDS:
        raise PrintError(f"{path}: the name does not end in one of {', '.join(f'.{known}' for known in KINDS)}")
    picture_data, notes = picture_bytes(svg, file_kind, dpi=dpi, fonts=fonts, name=name)
    write_files(path.parent, {path.name: picture_data})
    return notes


def missing_letter_notes(svg: str, name: str = "the picture") -> tuple[str, ...]:
    """Return notes about letters of a picture that all shipped fonts lack, or those of its theme.

    Raises:
        PrintError: As for `read_picture`.
    """
    notes = _note_letters(missing_letters(svg, name), "the fonts lack these letters")
    for family, letters in substituted_letters(svg, name).items():
        notes += _note_letters(letters, f"{family} lacks these letters; {SANS} draws them")
    return notes


def _note_letters(letters: str, what: str) -> tuple[str, ...]:
    return (f"{what}: {' '.join(letters)}",) if letters else ()
