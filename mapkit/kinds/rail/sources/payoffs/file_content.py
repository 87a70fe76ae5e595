"""Content of the file of a payoff chart: tables of cells, or amounts with names in nested data."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, get_args

from mapkit.core.errors import ChoiceError, SourceError, prepend_hints
from mapkit.core.names import fold
from mapkit.formats.cells.blanks import read_blank_separated
from mapkit.formats.cells.data import DATA_KINDS, infer_data_kind, parse_data
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table
from mapkit.formats.cells.text import BLANKS, infer_text_kind, read_text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_start, read_text
from mapkit.formats.page_files import Say, read_compared, read_file_pages, small_digit_warnings
from mapkit.formats.pdf.glyphs import MAX_CHARACTERS
from mapkit.formats.pdf.matrix import no_table_reason, read_matrix_tables, summarize_words
from mapkit.formats.pdf.typed_page import CHARACTER_WIDTH, LINE_HEIGHT, make_typed_page
from mapkit.formats.pdf.word import Page
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.city_names import CityNames, Match
from mapkit.kinds.rail.sources.payoffs.chart_frame import NameFunctions
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import drop_spots
from mapkit.kinds.rail.sources.payoffs.id_names import name_ids
from mapkit.kinds.rail.sources.payoffs.joined_pairs import split_joined_pairs
from mapkit.kinds.rail.sources.payoffs.json_files import find_json_chart
from mapkit.kinds.rail.sources.payoffs.misread_names import correct_misread_names
from mapkit.kinds.rail.sources.payoffs.names_without_board import OwnNames
from mapkit.kinds.rail.sources.payoffs.numbered_names import drop_numbers
from mapkit.kinds.rail.sources.payoffs.table_layouts import AmountBlock
from mapkit.kinds.rail.sources.payoffs.typed_options import BoxOption, part_cells
from mapkit.operations.options import Flag, Hidden

Kind = Literal["tsv", "semicolon", "pipe", "csv", "markdown", "html", "text", "json", "code", "xlsx", "pdf", "picture"]
KINDS: Final = get_args(Kind)
_TYPED: Final = "mapkit.kinds.rail.sources.payoffs.typed_options"
_COMMA_IN_AMOUNT: Final = re.compile(r"(?<=\d),(?=\d)")
_NAMES: Final = "mapkit.kinds.rail.sources.payoffs.id_names"


@dataclass(frozen=True)
class ReadOptions:
    """Settings of the user for a file; everything else is inferred from the file.

    Attributes:
        unit: What 1 in the file is worth; inferred from the numbers if not given.
        decimal: The decimal sign; inferred from the numbers if not given.
        accept: This spelling is that city (id or name); - leaves it out. CITY:CITY=AMOUNT says what a cell of a picture
            shows, - that it is empty. @FILE has one a line. Repeatable.
        accept_ocr: Take letters among digits for the digits they look like: 1O.5 is 10.5.
        names: Names of the cities, if the chart has ids: CSV or JSON of id, name.
        leave_out: Leave out names that match no city of the board, and list them, instead of refusing the file.
        sheet: The sheet, if a workbook has several.
        kind: csv, tsv, semicolon, pipe, markdown, text, json, code, xlsx, pdf, picture; inferred from the file.
        pages: The pages of a PDF that hold the chart; all by default.
        box: Where the chart is on its page: points of a PDF, pixels of a picture, from the top left.
        rows: Names beside the rows, in their order, between commas; @FILE has one a line.
        columns: The same above the columns, as for --rows.
        settled: Confirmed cells of a picture: `(city of the row, city of the column)`, by id or typed name, -> amount
            as in the picture, or empty for an empty cell; `accept` may have them too.
        more: Pictures of further pages of the chart, if the file is a picture of its first page.
        say: Receiver of progress messages of slow steps.
    """

    unit: Annotated[int | None, Flag("-u", "dollars|thousands|N", parse=f"{_TYPED}:parse_unit")] = None
    decimal: Annotated[str | None, Flag("", ".|,", parse=f"{_TYPED}:parse_decimal")] = None
    accept: Annotated[
        Mapping[str, str],
        Flag("-a", "TYPED=CITY", reading="settings", parse=f"{_TYPED}:parse_accepted_cities"),
    ] = field(default_factory=dict)
    accept_ocr: bool = False
    names: Annotated[Mapping[str, str], Flag("", "FILE", parse=f"{_NAMES}:read_id_names")] = field(default_factory=dict)
    leave_out: Annotated[bool, Hidden] = False
    sheet: Annotated[str | None, Flag("", "NAME")] = None
    kind: Annotated[Kind | None, Flag("", "KIND")] = None
    pages: Annotated[Sequence[int], Flag("", "3-4,7", reading="commas", parse=f"{_TYPED}:parse_pages")] = ()
    box: BoxOption = None
    rows: Annotated[Sequence[str], Flag("", "NAMES", reading="commas", parse=f"{_TYPED}:parse_names")] = ()
    columns: Annotated[Sequence[str], Flag("", "NAMES", reading="commas", parse=f"{_TYPED}:parse_names")] = ()
    settled: Annotated[Mapping[tuple[str, str], str], Hidden] = field(default_factory=dict)
    more: Annotated[tuple[Path, ...], Hidden] = ()
    say: Annotated[Say | None, Hidden] = None

    def with_cells(self) -> "ReadOptions":
        """Return options with the accepted cells among the settled ones."""
        names, cells = part_cells(self.accept)
        return replace(self, accept=names, settled={**self.settled, **cells})


class Contents(NamedTuple):
    """Content of a file.

    Args:
        kind: One of `KINDS`.
        parts: Tables, or amounts.
        notes: Notes on omitted and confirmed cells.
        hints: Possible reasons for failures.
        pages: Pages that hold them.
    """

    kind: str
    parts: Sequence[Table | AmountBlock]
    notes: list[str]
    hints: Sequence[str] = ()
    pages: Sequence[Page] = ()


def read_content(
    path: Path,
    file: str,
    options: ReadOptions,
    names: CityNames | OwnNames,
    read: Callable[[Contents], PayoffsRead],
) -> PayoffsRead:
    """Return the result of a reader for the content of a file; a PDF may be read twice."""
    file_kind = options.kind
    if file_kind is not None and file_kind not in KINDS:
        raise SourceError(f"{file}: {file_kind!r} is not a kind of file; kinds are {', '.join(KINDS)}")
    first_bytes = read_start(path, file)
    if not options.more and (file_kind == "xlsx" or (file_kind is None and first_bytes.startswith(ZIP))):
        return read(
            Contents(
                "xlsx", [_separate_names(name_ids(read_xlsx(path, file=file, sheet=options.sheet), options.names))], []
            )
        )
    page_file = read_file_pages(
        path,
        first_bytes,
        file=file,
        kind=file_kind,
        chosen=options.pages,
        box=options.box,
        more=options.more,
        say=options.say,
    )
    if page_file is not None:
        page_kind = page_file.kind
        return read_compared(page_file, lambda pages: read(_read_page_content(pages, page_kind, file, options, names)))
    if options.sheet is not None:
        raise ChoiceError(f"{file}: --sheet {options.sheet!r} is given, but this is not an XLSX workbook")
    try:
        return read(_read_text_content(path, file, file_kind, names, options.names))
    except SourceError:
        typed_contents = _read_typed_columns(path, file, file_kind, names)
        if typed_contents is None:
            raise
        with suppress(SourceError):
            return drop_spots(read(typed_contents))
        raise


def _read_page_content(
    pages: Sequence[Page], kind: str, file: str, options: ReadOptions, names: CityNames | OwnNames
) -> Contents:
    size_hints = small_digit_warnings(pages, file=file, failed=True)
    with prepend_hints(size_hints):
        tables, notes = _read_page_tables(pages, kind, file, names)
    notes += small_digit_warnings(pages, file=file, failed=False)
    page_notes = [
        f"{file}: page {page_number} is {picture_path}"
        for page_number, picture_path in enumerate(options.more, start=2)
    ]
    return Contents(kind, tables, [*page_notes, *notes], size_hints, pages)


def _read_text_content(
    path: Path, file: str, kind: str | None, names: CityNames | OwnNames, id_names: Mapping[str, str]
) -> Contents:
    file_text = read_text(path, name=file, in_pages=True)
    kind = kind or infer_data_kind(file_text, path) or infer_text_kind(file_text)
    name_rating = _name_rating(names) if isinstance(names, CityNames) else None
    if kind in DATA_KINDS:
        is_known = name_functions(names).known if name_rating else None
        data = parse_data(file_text, kind, file=file)
        json_chart, notes = find_json_chart(data, file=file, known=is_known, names=id_names)
        return Contents(kind, [json_chart], notes)
    if kind in ("text", BLANKS):
        table = read_blank_separated(file_text, file=file, fit=name_rating, near=name_functions(names).near)
    else:
        table = read_text_table(file_text, kind, file=file)
    return Contents(table.kind, [_separate_names(name_ids(table, id_names))], [])


def _read_typed_columns(path: Path, file: str, kind: str | None, names: CityNames | OwnNames) -> Contents | None:
    """Return the table of a text whose columns stand below each other; None without such a table."""
    file_text = read_text(path, name=file, in_pages=True)
    has_only_amount_commas = kind is None and set(_COMMA_IN_AMOUNT.sub("", file_text)).isdisjoint(",;\t|")
    text_kind = kind or infer_data_kind(file_text, path) or infer_text_kind(file_text)
    if text_kind not in ("text", BLANKS) and not has_only_amount_commas:
        return None
    page = make_typed_page(file_text)
    if not 0 < len(page.words) < MAX_CHARACTERS:
        return None
    with suppress(SourceError):
        tables, notes = _read_page_tables([page], "pdf", file, names)
        return Contents("text", [_place_in_lines(table, file) for table in tables], notes, (), [page])
    return None


def _place_in_lines(table: Table, file: str) -> Table:
    """Return a table of a text with the line and column of each cell."""

    def place(cell: Cell) -> Cell:
        if cell.spot is None:
            return cell
        left, top, _, _ = cell.spot.box
        return cell._replace(where=f"{file}:{top / LINE_HEIGHT + 1:.0f}:{left / CHARACTER_WIDTH + 1:.0f}")

    return replace(table, rows=tuple(tuple(map(place, row)) for row in table.rows))


def _separate_names(table: Table) -> Table:
    """Return a table with one name per cell, without numbers before it."""
    return replace(table, rows=tuple(split_joined_pairs(drop_numbers(table.rows))))


def _read_page_tables(
    pages: Sequence[Page], kind: str, file: str, names: CityNames | OwnNames
) -> tuple[Sequence[Table], list[str]]:

    def is_city_name(typed: str) -> bool:
        return isinstance(names, CityNames) and names.fit(typed) > 0 and isinstance(names.find(typed), Match)

    matrix_list, notes = read_matrix_tables(pages, file=file, kind=kind, is_known=is_city_name)
    tables = [_separate_names(table) for table in matrix_list]
    if isinstance(names, CityNames):
        tables, correction_notes = correct_misread_names(tables, names, file)
        notes += correction_notes
    tables = [table for table in tables if any(map(_has_digits, table.rows))]
    if isinstance(names, CityNames) and len(tables) > 1:
        is_known = name_functions(names).known
        has_city = [any(is_known(cell.text) for row in table.rows for cell in row) for table in tables]
        first_cells = [
            next(cell for row in table.rows for cell in row if cell.text)
            for table, is_own in zip(tables, has_city, strict=True)
            if not is_own
        ]
        notes += [f"{cell.where}: this table names no city and was left out" for cell in first_cells]
        tables = [table for table, is_own in zip(tables, has_city, strict=True) if is_own]
    if not tables:
        raise SourceError(f"{file}: no chart found: {no_table_reason(pages)}")
    if isinstance(names, CityNames) and not _has_city_name(tables, names):
        raise SourceError(f"{file}: no chart found: {summarize_words(pages)}, and none is a city of {names.board}")
    return tables, notes


def _has_city_name(tables: Sequence[Table], names: CityNames) -> bool:
    is_known = name_functions(names).known
    return any(is_known(cell.text) for table in tables for row in table.rows for cell in row)


def _has_digits(row: Sequence[Cell]) -> bool:
    return any(letter.isdigit() for cell in row for letter in cell.text)


def _name_rating(names: CityNames) -> Callable[[str], int]:
    """Return a function that rates a text as a name: 2 exact, 1 loose or truncated, 0 unknown."""
    return lambda typed: names.fit(typed) or int(names.cut(typed) is not None)


def name_functions(names: CityNames | OwnNames) -> NameFunctions:
    """Return the matching functions for the names in a file."""
    if isinstance(names, OwnNames):
        return NameFunctions(names.key, lambda _: False, lambda _: False, board=False)

    def key(typed: str) -> str:
        name_match = names.find(typed)
        name_match = names.cut(typed) or name_match if isinstance(name_match, str) else name_match
        return name_match.city if isinstance(name_match, Match) and name_match.city else fold(typed)

    def near(typed: str) -> bool:
        return len(typed) <= MAX_TEXT and bool(names.nearest(typed, names.cities))

    def known(typed: str) -> bool:
        return names.fit(typed) > 0 or names.cut(typed) is not None

    return NameFunctions(key, known, near, board=True)
