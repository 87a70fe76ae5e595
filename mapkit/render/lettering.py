"""Widths of text in Helvetica and Arial, so that labels can be placed without a font at hand.

The advance widths are those of the metrics that Adobe published for its base fonts, per 1,000 units of size.
"""

import unicodedata

_REGULAR = {
    " ": 278, "!": 278, "'": 191, "&": 667, "(": 333, ")": 333, ",": 278, "-": 333, ".": 278, "/": 278,
    "A": 667, "B": 667, "C": 722, "D": 722, "E": 667, "F": 611, "G": 778, "H": 722, "I": 278, "J": 500,
    "K": 667, "L": 556, "M": 833, "N": 722, "O": 778, "P": 667, "Q": 778, "R": 722, "S": 667, "T": 611,
    "U": 722, "V": 667, "W": 944, "X": 667, "Y": 667, "Z": 611,
    "c": 500, "f": 278, "i": 222, "j": 222, "k": 500, "l": 222, "m": 833, "r": 333, "s": 500, "t": 278,
    "v": 500, "w": 722, "x": 500, "y": 500, "z": 500,
}  # fmt: skip
_OTHER = 556
_BOLD = 1.06


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text, in the unit of `size`."""
    plain = (ch for ch in unicodedata.normalize("NFD", text) if not unicodedata.combining(ch))
    units = sum(_REGULAR.get(ch, _OTHER) for ch in plain)
    return units * size / 1000 * (_BOLD if bold else 1)
