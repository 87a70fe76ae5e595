"""Removal of consecutive numbers before names in one cell, `12 Boston` or `12. Boston`."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from mapkit.formats.cells.table import Cell

Row = tuple[Cell, ...]

_NUMBERED_NAME: Final = re.compile(r"[(#]?(\d{1,3})[.):]?\s+([^\W\d].*)")
_MIN_NUMBERS: Final = 4


def drop_numbers(rows: Sequence[Row]) -> list[Row]:
    """Return rows without the numbers of names, where at least four in a line are consecutive."""
    width = max(map(len, rows), default=0)
    numbered_places = {
        numbered_place
        for row in range(len(rows))
        for numbered_place in _find_numbered(rows, [(row, column_index) for column_index in range(len(rows[row]))])
    }
    for column_index in range(width):
        numbered_places.update(
            _find_numbered(rows, [(row, column_index) for row in range(len(rows)) if column_index < len(rows[row])])
        )
    return [
        tuple(
            _strip_number(cell) if (r, column_index) in numbered_places else cell
            for column_index, cell in enumerate(row)
        )
        for r, row in enumerate(rows)
    ]


def _find_numbered(rows: Sequence[Row], line: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the places in a line with consecutively numbered names, or an empty list."""
    place_numbers = [
        (cell_place, int(number_match[1]))
        for cell_place in line
        if (number_match := _NUMBERED_NAME.fullmatch(rows[cell_place[0]][cell_place[1]].text))
    ]
    is_counting = len(place_numbers) >= _MIN_NUMBERS and all(b - a == 1 for (_, a), (_, b) in pairwise(place_numbers))
    return [cell_place for cell_place, _ in place_numbers] if is_counting else []


def _strip_number(cell: Cell) -> Cell:
    number_match = _NUMBERED_NAME.fullmatch(cell.text)
    return cell._replace(text=number_match[2]) if number_match else cell
