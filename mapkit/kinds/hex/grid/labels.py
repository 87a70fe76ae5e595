"""Labels of hexagons in the styles that printed boards use, and back."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

LabelStyle = Literal["none", "A1", "1A", "18xx", "0101", "01.01"]
"""How hexagons are labelled, columns and rows being counted from 1:

- `A1`: a letter for the column, a number for the row; after Z comes AA.
- `1A`: a number for the column, a letter for the row.
- `18xx`: as on boards of 18xx: a letter along the axis whose lines are straight, and along the other a number that
  grows by two, so that lines which are shifted by half a hexagon have the numbers between.
- `0101`: two digits for the column, two for the row; three where there are more than 99.
- `01.01`: the same with a full stop between.
"""

_LETTERS: Final = 26
_A: Final = ord("A")


@dataclass(frozen=True)
class Lines:
    """What labels need to know of a grid.

    Args:
        columns: How many columns it has.
        rows: How many rows it has.
        flat: Whether hexagons have a flat top, so that columns are straight and rows are not.
        odd: Whether the second, fourth ... line of hexagons is shifted, not the first, third ...
    """

    columns: int
    rows: int
    flat: bool
    odd: bool


def letters(number: int) -> str:
    """Return a number from 1 as letters: 1 is A, 26 is Z, 27 is AA."""
    out = ""
    while number > 0:
        number, rest = divmod(number - 1, _LETTERS)
        out = chr(_A + rest) + out
    return out


def number_of(text: str) -> int:
    """Return the number that letters stand for; they are A to Z."""
    out = 0
    for letter in text:
        out = out * _LETTERS + ord(letter) - _A + 1
    return out


def label(style: LabelStyle, column: int, row: int, lines: Lines) -> str:
    """Return the label of a hexagon; `column` and `row` are counted from 1."""
    match style:
        case "none":
            return ""
        case "A1":
            return f"{letters(column)}{row}"
        case "1A":
            return f"{column}{letters(row)}"
        case "18xx":
            straight, other = (column, row) if lines.flat else (row, column)
            return f"{letters(straight)}{2 * other - (1 if _shifted(straight, lines) == 0 else 0)}"
        case "0101" | "01.01":
            digits = len(str(max(99, lines.columns, lines.rows)))
            return f"{column:0{digits}}{'.' if '.' in style else ''}{row:0{digits}}"


def place_of(style: LabelStyle, text: str, lines: Lines) -> tuple[int, int] | None:
    """Return column and row of a label, counted from 1; None if no hexagon of the grid has it."""
    found = _READERS[style](text.strip().upper(), lines)
    if found is None or not (1 <= found[0] <= lines.columns and 1 <= found[1] <= lines.rows):
        return None
    return found


def _shifted(line: int, lines: Lines) -> int:
    """Return 1 if a line of hexagons is shifted by half of one, 0 if not."""
    return int((line % 2 == 0) == lines.odd)


def _letter_first(text: str, _: Lines) -> tuple[int, int] | None:
    found = re.fullmatch(r"([A-Z]{1,4})(\d{1,6})", text)
    return (number_of(found[1]), int(found[2])) if found else None


def _number_first(text: str, _: Lines) -> tuple[int, int] | None:
    found = re.fullmatch(r"(\d{1,6})([A-Z]{1,4})", text)
    return (int(found[1]), number_of(found[2])) if found else None


def _doubled(text: str, lines: Lines) -> tuple[int, int] | None:
    found = _letter_first(text, lines)
    if found is None:
        return None
    straight, number = found
    other, rest = divmod(number + 1 - _shifted(straight, lines), 2)
    if rest:
        return None
    return (straight, other) if lines.flat else (other, straight)


def _digits(text: str, lines: Lines) -> tuple[int, int] | None:
    digits = len(str(max(99, lines.columns, lines.rows)))
    found = re.fullmatch(rf"(\d{{{digits}}})\.?(\d{{{digits}}})", text)
    return (int(found[1]), int(found[2])) if found else None


def _nothing(_text: str, _lines: Lines) -> None:
    return None


_READERS: Final[dict[LabelStyle, Callable[[str, Lines], tuple[int, int] | None]]] = {
    "none": _nothing,
    "A1": _letter_first,
    "1A": _number_first,
    "18xx": _doubled,
    "0101": _digits,
    "01.01": _digits,
}
