"""Places of cells of charts in files."""

import re
from functools import lru_cache
from typing import Final

from mapkit.core.findings import Place

_PLACE: Final = re.compile(r"(?P<file>.+?):(?:(?P<row>\d+):\d+|(?P<path>\$.*|page \d.*))", re.DOTALL)


def place_of(where: str, *, file: str) -> Place:
    """Return the place of a cell.

    Args:
        where: `file:row:column`, `file:$.path`, or `file:page 1, row 2, column 3`.
        file: The file, if `where` names none.
    """
    found = _PLACE.fullmatch(where)
    return _row_place(file, found["file"], found["row"], found["path"]) if found else Place(file=file or None)


@lru_cache(maxsize=4096)
def _row_place(file: str, named: str, row: str | None, path: str | None) -> Place:
    return Place(file=named or file, row=int(row) if row else None, path=path)
