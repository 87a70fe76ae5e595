"""Widths of texts in the shipped fonts, from tables of advance widths."""

import json
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, get_args

Face = Literal["regular", "bold", "italic"]
FACES: Final[tuple[Face, ...]] = get_args(Face)

Family = Literal["Fira Sans Condensed", "Old Standard TT", "Jost", "Alegreya", "Nunito"]
"""The type families that mapkit has, by their names in style sheets."""
FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
SANS: Final[Family] = "Fira Sans Condensed"
"""The usual family, which also draws letters that another one lacks."""

_DEFAULT_WIDTH: Final = 700
_WIDE_WIDTH: Final = 1000


@lru_cache(maxsize=1 << 16)
def text_width(text: str, size: float, *, bold: bool = False, italic: bool = False, family: Family = SANS) -> float:
    """Return the width of a line of text, in the unit of `size`, without kerning.

    Letters without a glyph are measured by their base characters; East Asian wide characters count as squares. Only
    upright text can be bold.
    """
    table = _load_widths(family)["italic" if italic else "bold" if bold else "regular"]
    total_width = 0
    for char in unicodedata.normalize("NFC", text):
        width = table.get(char)
        if width is None:
            base_characters = [c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c)]
            width = sum(
                table.get(c, (_WIDE_WIDTH if unicodedata.east_asian_width(c) in "WF" else _DEFAULT_WIDTH))
                for c in base_characters
            )
        total_width += width
    return total_width * size / 1000


def missing_characters(text: str, *, face: Face = "regular", family: Family = SANS) -> str:
    """Return the characters of the text without a glyph in a shipped font, each once and sorted."""
    table = load_metrics(family)[face]
    return "".join(sorted({c for c in unicodedata.normalize("NFC", text) if c not in table and not c.isspace()}))


def family_folder(family: Family) -> Path:
    """Return the folder of a family's fonts, widths and licence."""
    folder = Path(str(files("mapkit.drawing")))
    return folder / "fonts" if family == SANS else folder / "families" / family.lower().replace(" ", "-")


@cache
def load_metrics(family: Family) -> dict[str, Any]:
    """Return a family's table: face -> character -> width; `reach` -> character -> reach above and below its baseline.

    In thousandths of the font size; of the usual family, `text_extent` has the reach.
    """
    table: dict[str, Any] = json.loads((family_folder(family) / "widths.json").read_text(encoding="ascii"))
    return table


@cache
def _load_widths(family: Family) -> dict[Face, dict[str, int]]:
    """Return the widths by face and character, those of the usual family for letters that this one lacks."""
    return {face: load_metrics(SANS)[face] | load_metrics(family)[face] for face in FACES}
