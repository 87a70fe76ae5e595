"""How wide a text is in the shipped fonts (`mapkit/drawing/fonts`), from a table of their advance widths."""

import json
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

Face = Literal["regular", "bold", "italic"]

_OTHER: Final = 700
_WIDE: Final = 1000


@lru_cache(maxsize=1 << 16)
def text_width(text: str, size: float, *, bold: bool = False, italic: bool = False) -> float:
    """Return the width of a line of text, in the unit of `size`, kerning aside.

    Letters that the fonts lack count by their parts; East Asian wide characters as squares. Only upright text
    can be bold.
    """
    table = _widths()["italic" if italic else "bold" if bold else "regular"]
    total = 0
    for char in unicodedata.normalize("NFC", text):
        width = table.get(char)
        if width is None:
            parts = [c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c)]
            width = sum(table.get(c, _other(c)) for c in parts)
        total += width
    return total * size / 1000


def missing_characters(text: str, *, face: Face = "regular") -> str:
    """Return the characters of the text, each once and sorted, that the shipped font has no glyph for."""
    table = _widths()[face]
    return "".join(sorted({c for c in unicodedata.normalize("NFC", text) if c not in table and not c.isspace()}))


def _other(char: str) -> int:
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER


@cache
def _widths() -> dict[Face, dict[str, int]]:
    text = files("mapkit.drawing").joinpath("fonts", "widths.json").read_text(encoding="ascii")
    table: dict[Face, dict[str, int]] = json.loads(text)
    return table
