"""Cells of foreign tables, independent of the file format."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from mapkit.core.characters import describe_character, find_character
from mapkit.core.errors import SourceError

MAX_CELLS = 1_000_000
MAX_TEXT = 200
"""Longest text of a cell that messages repeat, and longest name or amount that is looked at."""


class Spot(NamedTuple):
    """Place of a cell on a page, and how it was read there.

    Args:
        page: The page, from 1.
        box: Left, top, right and bottom, from the top left corner of the page as it is shown: points of a PDF, pixels
            of a picture.
        confidence: How sure the reading is, from 0 to 1.
        how: `text`: the PDF says it; `picture`: it was read from one; `accepted`: the user says it.
        doubt: Why it is doubtful; empty if it is not.
        candidates: What it may say where that is doubtful, the likeliest first.
    """

    page: int
    box: tuple[float, float, float, float]
    confidence: float
    how: str
    doubt: str = ""
    candidates: tuple[str, ...] = ()


class Cell(NamedTuple):
    """A cell of a file, stripped.

    Args:
        text: What was typed; a number of a spreadsheet as it would be shown, with a point.
        where: `file:row:column`, both from 1, `file:$.path` in JSON, or `file:page 2, row 3, column 4`.
        number: The number, where the file itself says that it is one.
        problem: Why the cell cannot be taken as it stands; empty if it can.
        spot: Where on a page it stands; None in files without pages.
    """

    text: str
    where: str
    number: float | None = None
    problem: str = ""
    spot: Spot | None = None


@dataclass(frozen=True)
class Table:
    """Rows of cells of one file or sheet, blank rows left out.

    Args:
        kind: `csv`, `tsv`, `semicolon`, `pipe`, `markdown`, `xlsx`, `json`, `pdf` or `picture`.
        rows: The cells, row by row; rows may differ in length.
        placed: True if an empty cell at the end of a row may be left out, so that a short row is not a sign of a
            cell that was dropped.
        notes: What the reader wants said.
    """

    kind: str
    rows: tuple[tuple[Cell, ...], ...]
    placed: bool = False
    notes: tuple[str, ...] = field(default=())


def checked_rows(rows: Sequence[tuple[Cell, ...]], *, file: str) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows that are not blank.

    Raises:
        SourceError: There is none, there are more than a million cells, or one holds a character that no text may hold.
    """
    if sum(map(len, rows)) > MAX_CELLS:
        raise SourceError(
            f"{file}: more than {MAX_CELLS:,} cells; a chart of 1000 cities has that many, so split the file"
        )
    for cell in (cell for row in rows for cell in row):
        if (character := find_character(cell.text)) is not None:
            raise SourceError(f"{cell.where}: {quote_text(cell.text)} holds {describe_character(character)}; delete it")
    filled_rows = tuple(row for row in rows if any(cell.text or cell.problem for cell in row))
    if not filled_rows:
        raise SourceError(f"{file}: only empty cells; fill the table in")
    return filled_rows


def transpose_rows(rows: Sequence[Sequence[Cell]]) -> list[tuple[Cell, ...]]:
    """Return the columns of a table as rows; short rows are filled with empty cells."""
    return list(zip_longest(*rows, fillvalue=Cell("", rows[0][0].where if rows and rows[0] else "")))


def quote_text(text: str) -> str:
    """Return a text in quotes for messages, shortened where it is long."""
    return repr(text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "...")
