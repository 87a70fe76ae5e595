"""Widths of texts in the shipped fonts (`mapkit/drawing/fonts`), from a table of advance widths."""

import json
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

Face = Literal["regular", "bold", "italic"]

_DEFAULT_WIDTH: Final = 700
_WIDE_WIDTH: Final = 1000


@lru_cache(maxsize=1 << 16)
def text_width(text: str, size: float, *, bold: bool = False, italic: bool = False) -> float:
    """Return the width of a line of text, in the unit of `size`, without kerning.

    Letters without a glyph are measured by their base characters; East Asian wide characters count as squares. Only
    upright text can be bold.
    """
    table = _load_widths()["italic" if italic else "bold" if bold else "regular"]
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


def missing_characters(text: str, *, face: Face = "regular") -> str:
    """Return the characters of the text without a glyph in the shipped font, each once and sorted."""
    table = _load_widths()[face]
    return "".join(sorted({c for c in unicodedata.normalize("NFC", text) if c not in table and not c.isspace()}))


@cache
def _load_widths() -> dict[Face, dict[str, int]]:
    text = files("mapkit.drawing").joinpath("fonts", "widths.json").read_text(encoding="ascii")
    table: dict[Face, dict[str, int]] = json.loads(text)
    return table
