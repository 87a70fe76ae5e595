"""CSV tables of a source package: a header, then rows that know their line number."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import TypeVar

from pydantic import ValidationError

from mapkit.errors import SourceError, did_you_mean
from mapkit.model.base import Frozen
from mapkit.sources.names import fold

MAX_ROWS = 500_000
LAST_LON, LAST_LAT = 180.0, 90.0
Model = TypeVar("Model", bound=Frozen)


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

    limit: int = 50
    found: list[str] = field(default_factory=list)

    def add(self, message: str) -> None:
        """Note a problem."""
        self.found.append(message)

    def extend(self, error: SourceError) -> None:
        """Note the problems of an error."""
        self.found.extend(error.problems)

    def raise_if_any(self) -> None:
        """Raise all of them as one.

        Raises:
            SourceError: There is at least one problem.
        """
        if self.found:
            more = len(self.found) - self.limit
            tail = [f"... and {more} more problems"] if more > 0 else []
            raise SourceError([*self.found[: self.limit], *tail])


def raw_rows(text: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield `(line number, stripped cells)` of each row that is not blank.

    Raises:
        SourceError: A quote is not closed, or the table has too many rows, or none.
    """
    reader = csv.reader(StringIO(text, newline="\n"), strict=True)
    count, filled = 0, False
    try:
        for cells in reader:
            count += 1
            if count > MAX_ROWS:
                raise SourceError(f"{file}:{reader.line_num}: more than {MAX_ROWS} rows; split the file")
            if any(cell.strip() for cell in cells):
                filled = True
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise SourceError(f"{file}:{reader.line_num}: {error}; check the quotes of this row") from error
    if not filled:
        raise SourceError(f"{file}:1: only empty rows; fill the table in or remove the file")


def read_table(text: str, *, file: str, required: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """Read a table whose header must hold the required columns and no unknown ones.

    Raises:
        SourceError: A column is missing, unknown or doubled, a row is too long, or there are no rows.
    """
    rows = raw_rows(text, file=file)
    number, header = next(rows)
    known = {*required, *optional}
    for name in header:
        if name not in known:
            hint = did_you_mean(name, known) or f"; the columns are {', '.join((*required, *optional))}"
            raise SourceError(f"{file}:{number}: unknown column {name!r}{hint}")
        if header.count(name) > 1:
            raise SourceError(f"{file}:{number}: column {name!r} stands twice; remove one")
    missing = [name for name in required if name not in header]
    if missing:
        raise SourceError(f"{file}:{number}: column {missing[0]!r} is missing; add it to the header")
    out: list[Row] = []
    problems = Problems()
    for number, cells in rows:
        if len(cells) > len(header):
            problems.add(
                f"{file}:{number}: {len(cells)} cells, but the header has {len(header)} columns; "
                "quote a cell that holds a comma"
            )
            continue
        padded = cells + [""] * (len(header) - len(cells))
        out.append(Row(file, number, dict(zip(header, padded, strict=True))))
    problems.raise_if_any()
    if not out:
        raise SourceError(f"{file}:{number}: no rows below the header; add some or remove the file")
    return out


def number(row: Row, column: str) -> float:
    """Return a cell as a finite number.

    Raises:
        SourceError: It is empty or no number.
    """
    text = row.cells[column]
    if not text:
        raise SourceError(row.at(f"{column} is empty; give a number"))
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SourceError(row.at(f"{column} is {text!r}, which is no number; write it like 39.95"))
    return value


def coordinates(row: Row) -> tuple[float, float]:
    """Return `(lon, lat)` of a row in degrees (EPSG:4326).

    Raises:
        SourceError: A cell is empty, no number, outside the world, or the two look swapped.
    """
    lon, lat = number(row, "lon"), number(row, "lat")
    if abs(lon) > LAST_LON or abs(lat) > LAST_LAT:
        swapped = abs(lat) <= LAST_LON and abs(lon) <= LAST_LAT
        cure = "exchange them if they are swapped" if swapped else "correct it"
        raise SourceError(row.at(f"lon {lon:g}, lat {lat:g} is outside the world (lon -180..180, lat -90..90); {cure}"))
    return lon, lat


def checked(model: type[Model], row: Row, **values: object) -> Model:
    """Return a row as a model.

    Raises:
        SourceError: A value is wrong; each is named with its row.
    """
    try:
        return model.model_validate({"row": row.number, **values})
    except ValidationError as error:
        raise SourceError(
            [
                row.at(
                    f"{'.'.join(map(str, item['loc']))} is {item['input']!r}: "
                    f"{item['msg'][:1].lower()}{item['msg'][1:]}"
                )
                for item in error.errors()
            ]
        ) from error


def refuse_doubles(problems: Problems, file: str, column: str, values: list[tuple[int, str]]) -> None:
    """Note the values of a column, as `(row, value)`, that stand twice: ids as they are, names as `fold` compares."""
    first: dict[str, int] = {}
    for row, value in values:
        key = fold(value) if column != "id" else value
        if key in first:
            problems.add(f"{file}:{row}: {column} {value!r} stands in row {first[key]} already; rename one")
        first.setdefault(key, row)
