"""How far the ink of a line of text reaches above and below its baseline in the shipped fonts.

Coarser than the glyphs and never smaller: three heights and three depths are enough to keep names apart. A test
measures every character that the fonts have.
"""

import unicodedata
from typing import Final

ASCENT: Final = 0.87
"""Above the baseline, as a part of the font size: letters with a stem, dots on i and j, brackets."""
_CAPITALS: Final = 0.78
_ACCENTED: Final = 1.19
DESCENT: Final = 0.24
"""Below the baseline: g, j, p, q, y and brackets."""
_LEVEL: Final = 0.03
_HOOKED: Final = 0.33
CAP_HEIGHT: Final = 0.69

_TALL: Final = frozenset("`ij$()/[]\\^{|}¦")
_DEEP: Final = frozenset("gjpqy@Q,;$%()/[]\\_{}|J¡¢¦§µ¶¿þß")
_ASCII: Final = 127


def text_extent(text: str, size: float) -> tuple[float, float]:
    """Return how far a text reaches above and below its baseline, in the unit of `size`."""
    up = down = 0.0
    for char in unicodedata.normalize("NFC", text):
        up, down = max(up, _above(char)), max(down, _below(char))
    return up * size, down * size


def _above(char: str) -> float:
    if ord(char) > _ASCII:
        return _ACCENTED
    return ASCENT if char in _TALL else _CAPITALS


def _below(char: str) -> float:
    base, *marks = list(unicodedata.normalize("NFD", char))
    if any(unicodedata.combining(m) in _UNDER for m in marks) or (ord(base) > _ASCII and base not in _DEEP):
        return _HOOKED
    return DESCENT if base in _DEEP else _LEVEL


_UNDER: Final = frozenset({202, 214, 218, 220, 222, 240})
"""Canonical combining classes of marks attached or set below."""
