"""CSV tables of a source package: a header, and rows with line numbers."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO

from mapkit.core.characters import NAME_KEYS, broken_name_message, refuse_characters
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.plurals import count_noun, join_some
from mapkit.formats.degrees import judge_place

MAX_ROWS = 500_000
_DECIMAL_COMMA = re.compile(r"^(-?\d+),(?!000$)(\d+)$")
"""A number with a decimal comma; `20,000` may be meant as twenty thousand, and is left for the reader to refuse."""
_IN_THOUSANDS = re.compile(r"[+-]?\d{1,3}\.000")


@dataclass(frozen=True)
class Row:
    """A row of a table: stripped cells by column, with file and line number."""

    file: str
    number: int
    cells: dict[str, str]

    def at(self, message: str) -> str:
        """Return `file:row: message`."""
        return f"{self.file}:{self.number}: {message}"


@dataclass
class Problems:
    """Collector of problems, so that an author sees every mistake at once."""

    found: list[str] = field(default_factory=list)
    kept: bool = False
    """Whether invalid parts are skipped and the rest is used; otherwise the problems are raised in the end."""

    def add(self, message: str) -> None:
        """Add a problem."""
        self.found.append(message)

    def extend(self, error: SourceError) -> None:
        """Add the problems of an error."""
        self.found.extend(error.problems)

    def raise_if_any(self) -> None:
        """Raise all problems as one error, unless they are kept.

        Raises:
            SourceError: There is at least one problem.
        """
        if self.found and not self.kept:
            raise SourceError(self.found)


def column_separator(text: str) -> str:
    """Return what separates the columns of a table, by its header: a comma, else a semicolon or a tab."""
    header = text.lstrip("\n").partition("\n")[0]
    return next((sign for sign in ",;\t" if sign in header), ",")


def raw_rows(text: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield `(line number, stripped cells)` of each row that is not blank.

    Trailing empty columns, as spreadsheets write them, are dropped from the header, and from each row beyond it.
    Columns may be separated by tabs, or by semicolons; numbers then have decimal commas.

    Raises:
        SourceError: A quote is not closed, the table has too many rows or none, or holds a character that no text may
            hold.
    """
    refuse_characters(text, file=file)
    separator = column_separator(text)
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=separator, strict=True)
    row_count, column_count = 0, 0
    try:
        for raw_cells in reader:
            row_count += 1
            if row_count > MAX_ROWS:
                raise SourceError(f"{file}:{reader.line_num}: more than {MAX_ROWS} rows; split the file")
            cells = [cell.strip() for cell in raw_cells]
            if separator == ";":
                cells = [_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in cells]
            if not any(cells):
                continue
            while len(cells) > column_count and not cells[-1]:
                cells.pop()
            column_count = column_count or len(cells)
            yield reader.line_num, cells
    except csv.Error as error:
        raise SourceError(f"{file}:{reader.line_num}: {error}; check the quotes of this row") from error
    if not column_count:
        raise SourceError(f"{file}:1: only empty rows; fill the table in or remove the file")


RawRows = Sequence[tuple[int, list[str]]]
"""`(line number, stripped cells)` of each row that is not blank, the header first."""


def read_table(
    text: str | RawRows,
    *,
    file: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    problems: Problems | None = None,
    empty: bool = False,
) -> list[Row]:
    """Read a table with all required columns in its header and no unknown ones.

    Args:
        text: The file's text, or its rows as `raw_rows` gives them.
        file: Its name for messages.
        required: Columns that it must have.
        optional: Columns that it may have.
        problems: Takes what is wrong with single rows; without it that is refused.
        empty: Whether a header alone will do.

    Raises:
        SourceError: A column is missing, unknown or doubled, a row is too long, or there are no rows.
    """
    rows = raw_rows(text, file=file) if isinstance(text, str) else iter(text)
    number, header = next(rows)
    known_columns = {*required, *optional}
    for name in header:
        if name not in known_columns:
            hint = did_you_mean(name, known_columns) or f"; the columns are {join_some((*required, *optional))}"
            raise SourceError(f"{file}:{number}: unknown column {name!r}{hint}")
        if header.count(name) > 1:
            raise SourceError(f"{file}:{number}: column {name!r} appears twice; remove one")
    missing_columns = [name for name in required if name not in header]
    if missing_columns:
        raise SourceError(f"{file}:{number}: column {missing_columns[0]!r} is missing; add it to the header")
    name_columns = [name for name in header if name in NAME_KEYS]
    table_rows: list[Row] = []
    problems = problems or Problems()
    for number, cells in rows:
        if len(cells) > len(header):
            problems.add(
                f"{file}:{number}: {count_noun(len(cells), 'cell')}, but the header has "
                f"{count_noun(len(header), 'column')}; quote a cell that holds a comma"
            )
            continue
        padded_cells = cells + [""] * (len(header) - len(cells))
        row = Row(file, number, dict(zip(header, padded_cells, strict=True)))
        for name in name_columns:
            if message := broken_name_message(name, row.cells[name]):
                problems.add(row.at(message))
        table_rows.append(row)
    problems.raise_if_any()
    if not (table_rows or empty or problems.kept):
        raise SourceError(f"{file}:{number}: no rows below the header; add some or remove the file")
    return table_rows


def parse_decimal(text: str) -> float | None:
    """Return a text as a finite number; None for any other text, such as digits of other scripts, or `1_000`."""
    if not text.isascii() or "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_number(row: Row, column: str, *, like: str = "39.95") -> float:
    """Return a cell as a finite number.

    Args:
        row: The row.
        column: The cell's column.
        like: A value that a person would write there, for the message.

    Raises:
        SourceError: It is empty or not a number.
    """
    cell_text = row.cells[column]
    if not cell_text:
        raise SourceError(row.at(f"{column} is empty; give a number, such as {like}"))
    value = parse_decimal(cell_text)
    if value is None:
        raise SourceError(row.at(f"{column} is {cell_text!r}, which is not a number; write it like {like}"))
    return value


def parse_whole(row: Row, column: str, *, like: str) -> int:
    """Return a cell as a whole number.

    Args:
        row: The row.
        column: The cell's column.
        like: A value that a person would write there, for the message.

    Raises:
        SourceError: It is empty, not a number, or not a whole one.
    """
    value = parse_number(row, column, like=like)
    if value != int(value) or _IN_THOUSANDS.fullmatch(row.cells[column]):
        raise SourceError(row.at(f"{column} is {row.cells[column]!r}; write a whole number, such as {like}"))
    return int(value)


def parse_coordinates(row: Row) -> tuple[float, float]:
    """Return `(lon, lat)` of a row in degrees (EPSG:4326).

    Raises:
        SourceError: A cell is empty, not a number, outside the world, or the two look swapped.
    """
    lon, lat = parse_number(row, "lon", like="-73.75"), parse_number(row, "lat", like="42.65")
    if problem := judge_place(lon, lat):
        raise SourceError(row.at(problem))
    return lon, lat
