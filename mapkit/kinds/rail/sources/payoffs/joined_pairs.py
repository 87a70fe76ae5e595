"""Split of joined pairs: `Porto - Braga` in one cell or in three, with a dash, an arrow or a slash."""

import re
from collections.abc import Sequence
from typing import Final

from mapkit.formats.cells.table import Cell
from mapkit.kinds.rail.sources.payoffs.chart_frame import is_amount, is_filled, is_name

Row = tuple[Cell, ...]

_JOINS: Final = r"(?:[-–—]+|->|→|<->|↔|/|to)"  # noqa: RUF001
_JOIN: Final = re.compile(_JOINS)
_PAIR: Final = re.compile(rf"(\S(?:.*?\S)?)\s+{_JOINS}\s+(\S.*)")
_NEARLY_ALL: Final = 0.9


def split_joined_pairs(rows: Sequence[Row]) -> list[Row]:
    """Return rows with the two names of each pair in separate cells, if nearly all rows have joined pairs."""
    split_rows = [_split_pair(row) for row in rows]
    is_split = [
        split_row is not None
        for row, split_row in zip(rows[1:], split_rows[1:], strict=True)
        if any(map(is_filled, row))
    ]
    if not any(is_split) or sum(is_split) < _NEARLY_ALL * len(is_split):
        return list(rows)
    separated_rows = [row if split_row is None else split_row for row, split_row in zip(rows, split_rows, strict=True)]
    if split_rows[0] is None and len(rows[0]) > 1:
        first_cell, *other_cells = rows[0]
        separated_rows[0] = (first_cell, first_cell._replace(text=""), *other_cells)
    return separated_rows


def _split_pair(row: Row) -> Row | None:
    """Return a row of a joined pair and amounts with separate names; None for other rows."""
    filled_cells = [cell for cell in row if is_filled(cell)]
    if len(filled_cells) > 1 and is_name(filled_cells[0]) and all(map(is_amount, filled_cells[1:])):
        pair_match = _PAIR.fullmatch(filled_cells[0].text)
        if pair_match:
            return (
                filled_cells[0]._replace(text=pair_match[1]),
                filled_cells[0]._replace(text=pair_match[2]),
                *filled_cells[1:],
            )
    is_three_cells = (
        len(filled_cells) > 3  # noqa: PLR2004
        and is_name(filled_cells[0])
        and is_name(filled_cells[2])
        and all(map(is_amount, filled_cells[3:]))
    )
    return (filled_cells[0], *filled_cells[2:]) if is_three_cells and _JOIN.fullmatch(filled_cells[1].text) else None
