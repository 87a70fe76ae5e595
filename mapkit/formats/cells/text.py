"""Cells of text files: comma, tab, semicolon or bar between them, Markdown tables, or blanks as in copied text."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from itertools import islice

from mapkit.core.errors import SourceError
from mapkit.formats.cells.html_tables import is_html, read_html_table
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.formats.marks import FRACTION

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
