"""Lists of pairs in which a dash, an arrow or a slash joins the two names: `Porto - Braga` in one cell, or in three."""

import re
from collections.abc import Sequence
from typing import Final

from mapkit.formats.cells.table import Cell
from mapkit.kinds.rail.sources.payoffs.frame import filled, is_amount, is_name

Row = tuple[Cell, ...]

_JOINS: Final = r"(?:[-–—]+|->|→|<->|↔|/|to)"  # noqa: RUF001
_JOIN: Final = re.compile(_JOINS)
_PAIR: Final = re.compile(rf"(\S(?:.*?\S)?)\s+{_JOINS}\s+(\S.*)")
_MOST: Final = 0.9


def with_pairs_apart(rows: Sequence[Row]) -> list[Row]:
    """Return rows with the two names of each pair in cells of their own, if nearly all are of that form."""
    apart = [_apart(row) for row in rows]
    body = [split is not None for row, split in zip(rows[1:], apart[1:], strict=True) if any(map(filled, row))]
    if not any(body) or sum(body) < _MOST * len(body):
        return list(rows)
    out = [row if split is None else split for row, split in zip(rows, apart, strict=True)]
    if apart[0] is None and len(rows[0]) > 1:
        first, *rest = rows[0]
        out[0] = (first, first._replace(text=""), *rest)
    return out


def _apart(row: Row) -> Row | None:
    """Return a row of a joined pair and amounts with the names apart; None if it is something else."""
    cells = [cell for cell in row if filled(cell)]
    if len(cells) > 1 and is_name(cells[0]) and all(map(is_amount, cells[1:])):
        found = _PAIR.fullmatch(cells[0].text)
        if found:
            return (cells[0]._replace(text=found[1]), cells[0]._replace(text=found[2]), *cells[1:])
    three = len(cells) > 3 and is_name(cells[0]) and is_name(cells[2]) and all(map(is_amount, cells[3:]))  # noqa: PLR2004
    return (cells[0], *cells[2:]) if three and _JOIN.fullmatch(cells[1].text) else None
