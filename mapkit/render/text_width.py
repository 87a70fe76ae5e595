"""How wide a text is: advance widths of Helvetica and Arial, in thousandths of the font size."""

import unicodedata
from typing import Final

_FIRST: Final = 32
_REGULAR: Final = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 "
    "944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 "
    "333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD: Final = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 "
    "944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 "
    "389 556 333 611 556 778 556 556 500 389 280 389 584"
)
_WIDTHS: Final = {False: tuple(map(int, _REGULAR.split())), True: tuple(map(int, _BOLD.split()))}
_OTHER: Final = 700
_WIDE: Final = 1000


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text, in the unit of `size`.

    Letters with accents count as their base letters, East Asian wide characters as squares.
    """
    table = _WIDTHS[bold]
    total = 0
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.combining(char):
            continue
        index = ord(char) - _FIRST
        if 0 <= index < len(table):
            total += table[index]
        else:
            total += _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER
    return total * size / 1000
