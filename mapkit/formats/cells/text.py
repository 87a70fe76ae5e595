"""Cells of text files: comma, tab, semicolon or bar between them, Markdown tables, or blanks as in copied text."""

import csv
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from itertools import islice
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.formats.marks import FRACTION

# Cells of tables in web pages (HTML).

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


DELIMITERS = {"tsv": "\t", "semicolon": ";", "pipe": "|", "csv": ","}
BLANKS = "blanks"
MOST = 0.8
_SAMPLE_LINES = 400
_MARKDOWN_RULE = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?")
_DIGIT_PATTERN = re.compile(r"\d")
_TWO_AMOUNTS = re.compile(rf"\d[)*]?[ \t]+(?!{FRACTION})[$£€]?\d")
_ESCAPED_BAR = re.compile(r"(?<!\\)\|")
_EMPHASIS_PATTERN = re.compile(r"^(\*\*|__|\*|_|`)(.+)\1$")


def infer_text_kind(text: str) -> str:
    """Return the layout of a text: a key of `DELIMITERS`, `markdown`, `html`, or `blanks`.

    Tabs and semicolons take precedence over commas, which may be part of amounts. Commas do not separate cells if the
    text between them looks like several amounts (`500 10`).
    """
    if is_html(text):
        return "html"
    sample_lines = list(islice((line for line in text.split("\n") if line.strip()), _SAMPLE_LINES))
    if any("|" in line and _MARKDOWN_RULE.fullmatch(line.strip()) for line in sample_lines):
        return "markdown"
    for kind, mark in DELIMITERS.items():
        delimited_lines = [line for line in sample_lines if mark in line]
        with_amounts = [
            line for line in sample_lines if mark in line or _DIGIT_PATTERN.search(line)
        ]  # a city alone shows nothing
        if (
            not delimited_lines
            or len(delimited_lines) < MOST * len(with_amounts)
            or (kind == "csv" and _has_commas_in_amounts(delimited_lines))
        ):
            continue
        return kind
    return BLANKS


def _has_commas_in_amounts(lines: list[str]) -> bool:
    parts = [part for line in lines for part in line.split(",")]
    return sum(_TWO_AMOUNTS.search(part) is not None for part in parts) > len(parts) / 10


def read_text_table(text: str, kind: str, *, file: str) -> Table:
    """Read the table of a text of any kind that `text_kind` returns, except `blanks`.

    Raises:
        SourceError: The text is not such a table.
    """
    if kind == "markdown":
        return read_markdown(text, file=file)
    return read_html_table(text, file=file) if kind == "html" else read_delimited(text, kind, file=file)


def read_delimited(text: str, kind: str, *, file: str) -> Table:
    """Read cells between delimiters, quoted as in CSV.

    Raises:
        SourceError: A quote is not closed, or there are too many cells or none.
    """
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=DELIMITERS[kind], strict=True)
    rows: list[tuple[Cell, ...]] = []
    cell_count = 0
    try:
        for cells in reader:
            line_number = reader.line_num
            cell_count += len(cells)
            if cell_count > MAX_CELLS:
                break
            line_place = f"{file}:{line_number}:"
            rows.append(tuple([Cell(cell.strip(), line_place + str(k)) for k, cell in enumerate(cells, start=1)]))
    except csv.Error as error:
        raise SourceError(f"{file}:{reader.line_num}: {error}; check the quotes of this row") from error
    if cell_count > MAX_CELLS:
        raise SourceError(
            f"{file}: more than {MAX_CELLS:,} cells; a chart of 1000 cities has that many, so split the file"
        )
    return Table(kind, checked_rows(rows, file=file))


def read_markdown(text: str, *, file: str) -> Table:
    """Read the table of a Markdown text; text around it is left alone.

    Raises:
        SourceError: There is no table, or more than one.
    """
    numbered_lines = list(enumerate(text.split("\n"), start=1))
    blocks = [
        block
        for block in _split_blocks(numbered_lines)
        if any(_MARKDOWN_RULE.fullmatch(line.strip()) for _, line in block)
    ]
    if len(blocks) != 1:
        where = ", ".join(str(block[0][0]) for block in blocks)
        raise SourceError(
            f"{file}: {f'tables begin in lines {where}' if blocks else 'no Markdown table'}; keep the chart's alone"
        )
    rows = [
        tuple(
            Cell(_strip_emphasis(part), f"{file}:{number}:{k}") for k, part in enumerate(_split_at_bars(line), start=1)
        )
        for number, line in blocks[0]
        if not _MARKDOWN_RULE.fullmatch(line.strip())
    ]
    return Table("markdown", checked_rows(rows, file=file), placed=True)


def _split_blocks(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    open_block: list[tuple[int, str]] = []
    for number, line in [*lines, (0, "")]:
        if "|" in line:
            open_block.append((number, line))
        elif open_block:
            yield open_block
            open_block = []


def _split_at_bars(line: str) -> list[str]:
    inner_text = line.strip().removeprefix("|")
    parts = _ESCAPED_BAR.split(inner_text)
    return parts[:-1] if len(parts) > 1 and not parts[-1].strip() and inner_text.endswith("|") else parts


def _strip_emphasis(part: str) -> str:
    unescaped_text = part.strip().replace("\\|", "|")
    emphasis = _EMPHASIS_PATTERN.match(unescaped_text)
    return emphasis[2].strip() if emphasis else unescaped_text
