"""CSV tables of a source package: a header, then rows that know their line number."""

import csv
import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from io import StringIO

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.plurals import counted
from mapkit.formats.degrees import LAST_LAT, LAST_LON, outside_world

MAX_ROWS = 500_000


@dataclass(frozen=True)
class Row:
    """A row of a table: cells by column, stripped, and where it stands."""

    file: str
    number: int
    cells: dict[str, str]

    def at(self, message: str) -> str:
        """Return `file:row: message`."""
        return f"{self.file}:{self.number}: {message}"


@dataclass
class Problems:
    """Collects what is wrong, so that an author sees every mistake at once."""

    found: list[str] = field(default_factory=list)
    kept: bool = False
    """Whether what is wrong is left out and the rest is read; else it is refused in the end."""

    def add(self, message: str) -> None:
        """Note a problem."""
        self.found.append(message)

    def extend(self, error: SourceError) -> None:
        """Note the problems of an error."""
        self.found.extend(error.problems)

    def raise_if_any(self) -> None:
        """Raise all of them as one, unless they are kept.

        Raises:
            SourceError: There is at least one problem.
        """
        if self.found and not self.kept:
            raise SourceError(self.found)


def raw_rows(text: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield `(line number, stripped cells)` of each row that is not blank.

    Empty columns at the end, which spreadsheets write, are left out: those of the header, and of each row beyond it.

    Raises:
        SourceError: A quote is not closed, the table has too many rows or none, or holds a character that no text may
            hold.
    """
    refuse_characters(text, file=file)
    reader = csv.reader(StringIO(text, newline="\n"), strict=True)
    count, width = 0, 0
    try:
        for typed in reader:
            count += 1
            if count > MAX_ROWS:
                raise SourceError(f"{file}:{reader.line_num}: more than {MAX_ROWS} rows; split the file")
            cells = [cell.strip() for cell in typed]
            if not any(cells):
                continue
            while len(cells) > width and not cells[-1]:
                cells.pop()
            width = width or len(cells)
            yield reader.line_num, cells
    except csv.Error as error:
        raise SourceError(f"{file}:{reader.line_num}: {error}; check the quotes of this row") from error
    if not width:
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
    """Read a table whose header must hold the required columns and no unknown ones.

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
    known = {*required, *optional}
    _refuse_other_separators(header, known, f"{file}:{number}")
    for name in header:
        if name not in known:
            hint = did_you_mean(name, known) or f"; the columns are {', '.join((*required, *optional))}"
            raise SourceError(f"{file}:{number}: unknown column {name!r}{hint}")
        if header.count(name) > 1:
            raise SourceError(f"{file}:{number}: column {name!r} appears twice; remove one")
    missing = [name for name in required if name not in header]
    if missing:
        raise SourceError(f"{file}:{number}: column {missing[0]!r} is missing; add it to the header")
    out: list[Row] = []
    problems = problems or Problems()
    for number, cells in rows:
        if len(cells) > len(header):
            problems.add(
                f"{file}:{number}: {counted(len(cells), 'cell')}, but the header has {counted(len(header), 'column')}; "
                "quote a cell that holds a comma"
            )
            continue
        padded = cells + [""] * (len(header) - len(cells))
        out.append(Row(file, number, dict(zip(header, padded, strict=True))))
    problems.raise_if_any()
    if not (out or empty or problems.kept):
        raise SourceError(f"{file}:{number}: no rows below the header; add some or remove the file")
    return out


def _refuse_other_separators(header: Sequence[str], known: AbstractSet[str], where: str) -> None:
    """Refuse a table whose cells are separated by semicolons or tabs, as spreadsheets of many countries save it.

    Raises:
        SourceError: A cell of the header holds several columns, joined by another separator.
    """
    for separator, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        cells = [cell.strip().strip('"') for cell in separator.join(header).split(separator)]
        if any(separator in cell for cell in header) and known & set(cells):
            raise SourceError(
                f"{where}: the columns are separated by {name}; save the table as CSV with commas, "
                "and numbers with decimal points"
            )


def number(row: Row, column: str, *, like: str = "39.95") -> float:
    """Return a cell as a finite number.

    Args:
        row: The row.
        column: The cell's column.
        like: A value that a person would write there, for the message.

    Raises:
        SourceError: It is empty or not a number.
    """
    text = row.cells[column]
    if not text:
        raise SourceError(row.at(f"{column} is empty; give a number, such as {like}"))
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SourceError(row.at(f"{column} is {text!r}, which is not a number; write it like {like}"))
    return value


def whole(row: Row, column: str, *, like: str) -> int:
    """Return a cell as a whole number.

    Args:
        row: The row.
        column: The cell's column.
        like: A value that a person would write there, for the message.

    Raises:
        SourceError: It is empty, not a number, or not a whole one.
    """
    value = number(row, column, like=like)
    if value != int(value):
        raise SourceError(row.at(f"{column} is {row.cells[column]!r}; write a whole number, such as {like}"))
    return int(value)


def coordinates(row: Row) -> tuple[float, float]:
    """Return `(lon, lat)` of a row in degrees (EPSG:4326).

    Raises:
        SourceError: A cell is empty, not a number, outside the world, or the two look swapped.
    """
    lon, lat = number(row, "lon", like="-73.75"), number(row, "lat", like="42.65")
    if abs(lon) > LAST_LON or abs(lat) > LAST_LAT:
        raise SourceError(row.at(outside_world(lon, lat)))
    return lon, lat
