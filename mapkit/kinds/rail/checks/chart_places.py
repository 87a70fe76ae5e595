"""Locations of chart cells in files."""

import re
from functools import lru_cache
from typing import Final

from mapkit.core.findings import Place

_WHERE_PATTERN: Final = re.compile(r"(?P<file>.+?):(?:(?P<row>\d+):\d+|(?P<path>\$.*|page \d.*))", re.DOTALL)


def parse_cell_place(where: str, *, file: str) -> Place:
    """Return the place of a chart cell.

    Args:
        where: `file:row:column`, `file:$.path`, or `file:page 1, row 2, column 3`.
        file: The file, if `where` names none.
    """
    where_match = _WHERE_PATTERN.fullmatch(where)
    return (
        _make_row_place(file, where_match["file"], where_match["row"], where_match["path"])
        if where_match
        else Place(file=file or None)
    )


@lru_cache(maxsize=4096)
def _make_row_place(file: str, named: str, row: str | None, path: str | None) -> Place:
    return Place(file=named or file, row=int(row) if row else None, path=path)
