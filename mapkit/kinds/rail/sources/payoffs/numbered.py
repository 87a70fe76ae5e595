"""Names with numbers before them in one cell, `12 Boston` or `12. Boston`, that count up along a row or a column."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from mapkit.formats.cells.table import Cell

Row = tuple[Cell, ...]

_NUMBERED: Final = re.compile(r"[(#]?(\d{1,3})[.):]?\s+([^\W\d].*)")
_FEWEST: Final = 4


def without_numbers(rows: Sequence[Row]) -> list[Row]:
    """Return rows without the numbers of names, where at least four in a line count up by one."""
    width = max(map(len, rows), default=0)
    counted = {at for row in range(len(rows)) for at in _counted(rows, [(row, k) for k in range(len(rows[row]))])}
    for k in range(width):
        counted.update(_counted(rows, [(row, k) for row in range(len(rows)) if k < len(rows[row])]))
    return [
        tuple(_bare(cell) if (r, k) in counted else cell for k, cell in enumerate(row)) for r, row in enumerate(rows)
    ]


def _counted(rows: Sequence[Row], line: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the places in a line whose names have numbers that count up; none if they do not."""
    found = [(at, int(hit[1])) for at in line if (hit := _NUMBERED.fullmatch(rows[at[0]][at[1]].text))]
    counts = len(found) >= _FEWEST and all(b - a == 1 for (_, a), (_, b) in pairwise(found))
    return [at for at, _ in found] if counts else []


def _bare(cell: Cell) -> Cell:
    hit = _NUMBERED.fullmatch(cell.text)
    return cell._replace(text=hit[2]) if hit else cell
