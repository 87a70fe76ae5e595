"""Cells of tables in web pages (HTML)."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows

_PAGE_START: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE | re.DOTALL
)
_MOST_SPANNED: Final = 1000
_DIGIT: Final = re.compile(r"\d")


def is_html(text: str) -> bool:
    """Return whether a text is a web page, or a table of one."""
    return _PAGE_START.match(text) is not None


def read_html_table(text: str, *, file: str) -> Table:
    """Read the tables of a web page with numbers, or else all, as one.

    A name that spans several columns or rows is in the first one; a spanning amount has a `problem`.

    Raises:
        SourceError: There is no table, or one has too many cells.
    """
    parser = _TableParser(file)
    parser.feed(text)
    parser.close()
    filled_tables = [table for table in parser.tables if any(cell.text for _, row in table for cell in row)]
    numeric_tables = [
        table for table in filled_tables if any(_DIGIT.search(cell.text) for _, row in table for cell in row)
    ]
    if not filled_tables:
        raise SourceError(f"{file}: a web page without a table; save the chart as CSV")
    rows = [tuple(row) for table in numeric_tables or filled_tables for _, row in table]
    return Table("html", checked_rows(rows, file=file), placed=True)


class _TableParser(HTMLParser):
    """Parser that collects the rows of all tables, including tables nested in cells."""

    def __init__(self, file: str) -> None:
        super().__init__(convert_charrefs=True)
        self.file = file
        self.tables: list[list[tuple[int, list[Cell]]]] = []
        self._open: list[_OpenTable] = []
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open.append(_OpenTable())
            self.tables.append(self._open[-1].rows)
        elif self._open and tag == "tr":
            self._end_cell()
            self._open[-1].begin_row(self.getpos()[0])
        elif self._open and tag in ("td", "th"):
            given = dict(attrs)
            self._end_cell()  # its end tag may be left out
            self._open[-1].begin_cell(
                self.getpos()[0], _parse_span(given.get("colspan")), _parse_span(given.get("rowspan"))
            )
        elif self._open and tag == "br":
            self._open[-1].texts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if not self._open:
            return
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if tag == "table":
            self._open.pop()

    def _end_cell(self) -> None:
        self._count += self._open[-1].end_cell(self.file)
        if self._count > MAX_CELLS:
            raise SourceError(f"{self.file}: more than {MAX_CELLS:,} cells; split the file")

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1].texts.append(data)


class _OpenTable:
    """A table that is still being read."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, list[Cell]]] = []
        self.texts: list[str] = []
        self._cell: tuple[int, int, int] | None = None
        self._taken: dict[int, int] = {}
        """Column -> the rows below that a cell above reaches into."""

    def begin_row(self, line: int) -> None:
        self._taken = {column: rows - 1 for column, rows in self._taken.items() if rows > 1}
        self.rows.append((line, []))

    def begin_cell(self, line: int, wide: int, high: int) -> None:
        if not self.rows:
            self.begin_row(line)
        self._cell, self.texts = (line, wide, high), []

    def end_cell(self, file: str) -> int:
        """Put the open cell into its row; return the number of added cells."""
        if self._cell is None:
            return 0
        (line, wide, high), self._cell = self._cell, None
        row, text = self.rows[-1][1], " ".join("".join(self.texts).split())
        previous_length = len(row)
        is_spanned = wide > 1 or high > 1
        problem = "an amount in several cells; split the cells" if is_spanned and _DIGIT.search(text) else ""
        row.extend(self._fill_spanned_cells(row, file, line))
        for k in range(wide):
            column_index = len(row)
            where = f"{file}:{line}:{column_index + 1}"
            row.append(Cell("", where) if k else Cell(text, where, problem=problem))
            if high > 1:
                self._taken[column_index] = high
        return len(row) - previous_length

    def _fill_spanned_cells(self, row: list[Cell], file: str, line: int) -> Iterator[Cell]:
        column_index = len(row)
        while self._taken.get(column_index, 0) and column_index < _MOST_SPANNED:
            yield Cell("", f"{file}:{line}:{column_index + 1}")
            column_index += 1


def _parse_span(attribute_value: str | None) -> int:
    if attribute_value is None or not attribute_value.isdecimal() or len(attribute_value) > len(str(_MOST_SPANNED)) + 1:
        return 1
    return max(1, min(int(attribute_value), _MOST_SPANNED))
