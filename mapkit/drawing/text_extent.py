"""Upper bounds of the ascent and descent of texts in the shipped fonts.

The bounds of the usual family are coarse but never too small: three heights and three depths are enough to keep names
apart. A test measures every character of the fonts.
"""

import unicodedata
from typing import Final

from mapkit.drawing.text_width import SANS, Family, load_metrics

ASCENT: Final = 0.87
"""Above the baseline, as a part of the font size: letters with a stem, dots on i and j, brackets."""
_CAPITAL_ASCENT: Final = 0.78
_ACCENTED_ASCENT: Final = 1.19
DESCENT: Final = 0.24
"""Below the baseline: g, j, p, q, y and brackets."""
_LEVEL_DESCENT: Final = 0.03
_HOOKED_DESCENT: Final = 0.33
CAP_HEIGHT: Final = 0.69

_TALL_CHARACTERS: Final = frozenset("`ij$()/[]\\^{|}¦")
_DEEP_CHARACTERS: Final = frozenset("gjpqy@Q,;$%()/[]\\_{}|J¡¢¦§µ¶¿þß")
_LAST_ASCII: Final = 127


def text_extent(text: str, size: float, family: Family = SANS) -> tuple[float, float]:
    """Return the reach of a text above and below its baseline, in the unit of `size`."""
    reach_by_character = load_metrics(family).get("reach", {})
    ascent = descent = 0.0
    for char in unicodedata.normalize("NFC", text):
        above, below = reach_by_character.get(char, (1000 * _ascent_of(char), 1000 * _descent_of(char)))
        ascent, descent = max(ascent, above / 1000), max(descent, below / 1000)
    return ascent * size, descent * size


def _ascent_of(char: str) -> float:
    if ord(char) > _LAST_ASCII:
        return _ACCENTED_ASCENT
    return ASCENT if char in _TALL_CHARACTERS else _CAPITAL_ASCENT


def _descent_of(char: str) -> float:
    base, *marks = list(unicodedata.normalize("NFD", char))
    if any(unicodedata.combining(m) in _LOWER_MARK_CLASSES for m in marks) or (
        ord(base) > _LAST_ASCII and base not in _DEEP_CHARACTERS
    ):
        return _HOOKED_DESCENT
    return DESCENT if base in _DEEP_CHARACTERS else _LEVEL_DESCENT


_LOWER_MARK_CLASSES: Final = frozenset({202, 214, 218, 220, 222, 240})
"""Canonical combining classes of marks attached or set below."""
