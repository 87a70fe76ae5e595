"""Labels of hexagons in the styles of printed boards, and their parsing."""

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

_LETTER_COUNT: Final = 26
_FIRST_LETTER: Final = ord("A")


@dataclass(frozen=True)
class Lines:
    """Properties of a grid that labels depend on.

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


def number_to_letters(number: int) -> str:
    """Return a number from 1 as letters: 1 is A, 26 is Z, 27 is AA."""
    letter_text = ""
    while number > 0:
        number, letter_index = divmod(number - 1, _LETTER_COUNT)
        letter_text = chr(_FIRST_LETTER + letter_index) + letter_text
    return letter_text


def letters_to_number(text: str) -> int:
    """Return the number of letters A to Z."""
    number = 0
    for letter in text:
        number = number * _LETTER_COUNT + ord(letter) - _FIRST_LETTER + 1
    return number


def make_label(style: LabelStyle, column: int, row: int, lines: Lines) -> str:
    """Return the label of a hexagon; `column` and `row` are counted from 1."""
    match style:
        case "none":
            return ""
        case "A1":
            return f"{number_to_letters(column)}{row}"
        case "1A":
            return f"{column}{number_to_letters(row)}"
        case "18xx":
            straight_number, cross_number = (column, row) if lines.flat else (row, column)
            half_step = 1 if _is_shifted(straight_number, lines) == 0 else 0
            return f"{number_to_letters(straight_number)}{2 * cross_number - half_step}"
        case "0101" | "01.01":
            digit_count = len(str(max(99, lines.columns, lines.rows)))
            return f"{column:0{digit_count}}{'.' if '.' in style else ''}{row:0{digit_count}}"


def parse_label(style: LabelStyle, text: str, lines: Lines) -> tuple[int, int] | None:
    """Return column and row of a label, counted from 1; None if it is not on the grid."""
    column_and_row = _PARSERS[style](text.strip().upper(), lines)
    if column_and_row is None or not (1 <= column_and_row[0] <= lines.columns and 1 <= column_and_row[1] <= lines.rows):
        return None
    return column_and_row


def _is_shifted(line: int, lines: Lines) -> int:
    """Return 1 if a line of hexagons is shifted by half of one, 0 if not."""
    return int((line % 2 == 0) == lines.odd)


def _parse_letter_first(text: str, _: Lines) -> tuple[int, int] | None:
    match = re.fullmatch(r"([A-Z]{1,4})(\d{1,6})", text)
    return (letters_to_number(match[1]), int(match[2])) if match else None


def _parse_number_first(text: str, _: Lines) -> tuple[int, int] | None:
    match = re.fullmatch(r"(\d{1,6})([A-Z]{1,4})", text)
    return (int(match[1]), letters_to_number(match[2])) if match else None


def _parse_doubled(text: str, lines: Lines) -> tuple[int, int] | None:
    letter_and_number = _parse_letter_first(text, lines)
    if letter_and_number is None:
        return None
    straight_number, number = letter_and_number
    cross_number, remainder = divmod(number + 1 - _is_shifted(straight_number, lines), 2)
    if remainder:
        return None
    return (straight_number, cross_number) if lines.flat else (cross_number, straight_number)


def _parse_digits(text: str, lines: Lines) -> tuple[int, int] | None:
    digit_count = len(str(max(99, lines.columns, lines.rows)))
    match = re.fullmatch(rf"(\d{{{digit_count}}})\.?(\d{{{digit_count}}})", text)
    return (int(match[1]), int(match[2])) if match else None


def _parse_nothing(_text: str, _lines: Lines) -> None:
    return None


_PARSERS: Final[dict[LabelStyle, Callable[[str, Lines], tuple[int, int] | None]]] = {
    "none": _parse_nothing,
    "A1": _parse_letter_first,
    "1A": _parse_number_first,
    "18xx": _parse_doubled,
    "0101": _parse_digits,
    "01.01": _parse_digits,
}
