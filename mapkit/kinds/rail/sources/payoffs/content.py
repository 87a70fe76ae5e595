"""What stands in the file of a payoff chart: tables of cells, or amounts that nested data names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from mapkit.core.errors import SourceError, with_hints
from mapkit.core.names import fold
from mapkit.formats.cells.blanks import blank_separated
from mapkit.formats.cells.data import DATA_KINDS, data_kind, parse_data
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table
from mapkit.formats.cells.text import BLANKS, DELIMITERS, text_kind, text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_text, start_of
from mapkit.formats.pdf.matrix import matrix_tables, nothing_found, words_seen
from mapkit.formats.pdf.word import Page
from mapkit.formats.recognising.scanned import Say, pages_of_file, read_compared, too_small
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.city_names import CityNames, Match
from mapkit.kinds.rail.sources.payoffs.apart import with_pairs_apart
from mapkit.kinds.rail.sources.payoffs.frame import Names
from mapkit.kinds.rail.sources.payoffs.grid import AmountBlock
from mapkit.kinds.rail.sources.payoffs.json_files import chart_of_json
from mapkit.kinds.rail.sources.payoffs.misread import with_known_names
from mapkit.kinds.rail.sources.payoffs.numbered import without_numbers
from mapkit.kinds.rail.sources.payoffs.own_names import OwnNames

KINDS = (*DELIMITERS, "markdown", "html", "text", *DATA_KINDS, "xlsx", "pdf", "picture")


@dataclass(frozen=True)
class ReadOptions:
    """What the user says about a file; everything else is inferred from the file.

    Args:
        unit: Currency units that 1 in the file stands for.
        decimal: `.` or `,`.
        accept: Typed names -> id or name of the city meant (without a board, another name in the file), or empty to
            leave the city out.
        sheet: Sheet of a workbook.
        kind: One of `KINDS`.
        accept_ocr: Take letters among digits for the digits that they look like, in all cells.
        pages: The pages of a PDF that are read, from 1; all by default.
        settled: What cells of a picture say: `(city of the row, city of the column)`, by id or typed name, -> amount
            as it stands there, or empty for an empty cell.
        more: Pictures of further pages of the chart, where the file is a picture of its first.
        leave_out: Leave out names that fit no city of the board, and list them, in place of refusing the file.
        say: Told what is being done where that takes long.
    """

    unit: int | None = None
    decimal: str | None = None
    accept: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    kind: str | None = None
    accept_ocr: bool = False
    pages: tuple[int, ...] = ()
    settled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    more: tuple[Path, ...] = ()
    leave_out: bool = False
    say: Say | None = None


class Contents(NamedTuple):
    """What is in a file.

    Args:
        kind: One of `KINDS`.
        parts: Tables, or amounts.
        notes: What was left out or settled.
        hints: What may be why it is not read.
    """

    kind: str
    parts: Sequence[Table | AmountBlock]
    notes: list[str]
    hints: Sequence[str] = ()


def read_content(
    path: Path,
    file: str,
    options: ReadOptions,
    names: CityNames | OwnNames,
    read: Callable[[Contents], PayoffsRead],
) -> PayoffsRead:
    """Return what a reader makes of the content of a file; that of a PDF may be read twice."""
    kind = options.kind
    if kind is not None and kind not in KINDS:
        raise SourceError(f"{file}: {kind!r} is not a kind of file; kinds are {', '.join(KINDS)}")
    start = start_of(path, file)
    if not options.more and (kind == "xlsx" or (kind is None and start.startswith(ZIP))):
        return read(Contents("xlsx", [_with_bare_names(read_xlsx(path, file=file, sheet=options.sheet))], []))
    found = pages_of_file(path, start, file=file, kind=kind, chosen=options.pages, more=options.more, say=options.say)
    if found is not None:
        shape = found.kind
        return read_compared(found, lambda pages: read(_content_of_pages(pages, shape, file, options, names)))
    if options.sheet is not None:
        raise SourceError(f"{file}: --sheet {options.sheet!r} is given, but this is not an XLSX workbook")
    return read(_content_of_text(path, file, kind, names))


def _content_of_pages(
    pages: Sequence[Page], kind: str, file: str, options: ReadOptions, names: CityNames | OwnNames
) -> Contents:
    hints = too_small(pages, file=file, failed=True)
    with with_hints(hints):
        tables, notes = _tables_of_pages(pages, kind, file, names)
    notes += too_small(pages, file=file, failed=False)
    named = [f"{file}: page {number} is {other}" for number, other in enumerate(options.more, start=2)]
    return Contents(kind, tables, [*named, *notes], hints)


def _content_of_text(path: Path, file: str, kind: str | None, names: CityNames | OwnNames) -> Contents:
    text = read_text(path, name=file, in_pages=True)
    kind = kind or data_kind(text, path) or text_kind(text)
    fit = _fit_of(names) if isinstance(names, CityNames) else None
    if kind in DATA_KINDS:
        known = names_of(names).known if fit else None
        found, notes = chart_of_json(parse_data(text, kind, file=file), file=file, known=known)
        return Contents(kind, [found], notes)
    if kind in ("text", BLANKS):
        table = blank_separated(text, file=file, fit=fit, near=names_of(names).near)
    else:
        table = text_table(text, kind, file=file)
    return Contents(table.kind, [_with_bare_names(table)], [])


def _with_bare_names(table: Table) -> Table:
    """Return a table with each name in a cell of its own: without a number before it, or another name beside it."""
    return replace(table, rows=tuple(with_pairs_apart(without_numbers(table.rows))))


def _tables_of_pages(
    pages: Sequence[Page], kind: str, file: str, names: CityNames | OwnNames
) -> tuple[Sequence[Table], list[str]]:
    found, notes = matrix_tables(pages, file=file, kind=kind)
    tables = [_with_bare_names(table) for table in found]
    if isinstance(names, CityNames):
        tables, more = with_known_names(tables, names, file)
        notes += more
    tables = [table for table in tables if any(map(_has_digits, table.rows))]
    if isinstance(names, CityNames) and len(tables) > 1:
        known = names_of(names).known
        own = [any(known(cell.text) for row in table.rows for cell in row) for table in tables]
        others = [_first(table) for table, is_own in zip(tables, own, strict=True) if not is_own]
        notes += [f"{cell.where}: this table names no city and was left out" for cell in others]
        tables = [table for table, is_own in zip(tables, own, strict=True) if is_own]
    if not tables:
        raise SourceError(f"{file}: no chart found: {nothing_found(pages)}")
    if isinstance(names, CityNames) and not _names_a_city(tables, names):
        raise SourceError(f"{file}: no chart found: {words_seen(pages)}, and none is a city of {names.board}")
    return tables, notes


def _names_a_city(tables: Sequence[Table], names: CityNames) -> bool:
    known = names_of(names).known
    return any(known(cell.text) for table in tables for row in table.rows for cell in row)


def _has_digits(row: Sequence[Cell]) -> bool:
    return any(letter.isdigit() for cell in row for letter in cell.text)


def _first(table: Table) -> Cell:
    return next(cell for row in table.rows for cell in row if cell.text)


def _fit_of(names: CityNames) -> Callable[[str], int]:
    """Return what says how well a text is known as a name: 2 as spelled, 1 loosely or cut short, 0 not."""
    return lambda typed: names.fit(typed) or int(names.cut(typed) is not None)


def names_of(names: CityNames | OwnNames) -> Names:
    """Return what is known of the names in a file."""
    if isinstance(names, OwnNames):
        return Names(names.key, lambda _: False, lambda _: False, board=False)

    def key(typed: str) -> str:
        found = names.find(typed)
        found = names.cut(typed) or found if isinstance(found, str) else found
        return found.city if isinstance(found, Match) and found.city else fold(typed)

    def near(typed: str) -> bool:
        return len(typed) <= MAX_TEXT and bool(names.nearest(typed, names.cities))

    def known(typed: str) -> bool:
        return names.fit(typed) > 0 or names.cut(typed) is not None

    return Names(key, known, near, board=True)
