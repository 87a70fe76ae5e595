"""Readers of destination charts (RB-C14) in CSV, TSV, Markdown, XLSX, JSON, PDF and pictures.

Layouts: one row per sum with columns for odd and even, of one chart or several; a long list of cells; one column per
chart with a row for each of the 22 rolls; charts side by side, each with an odd and an even column.
`mapkit.kinds.rail.sources.destinations.text` reads text copied from a page,
`mapkit.kinds.rail.sources.destinations.pages` reads pages.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import SourceError, prepend_hints
from mapkit.core.names import fold, slug
from mapkit.formats.cells.aligned import read_aligned_pages, read_aligned_text
from mapkit.formats.cells.data import infer_data_kind, parse_data
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, quote_text
from mapkit.formats.cells.text import BLANKS, DELIMITERS, infer_text_kind, read_text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_start, read_text
from mapkit.formats.page_files import Say, read_file_pages, small_digit_warnings
from mapkit.formats.pdf.matrix import summarize_words
from mapkit.formats.pdf.word import Page
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.sources.chart_tables import parse_odds
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, describe_unknown_name, find_similar_name
from mapkit.kinds.rail.sources.destinations.nested import nested_cells
from mapkit.kinds.rail.sources.destinations.pages import page_table, word_to_cell
from mapkit.kinds.rail.sources.destinations.table import parse_sums, table_cells
from mapkit.kinds.rail.sources.destinations.text import Fit, text_cells
from mapkit.kinds.rail.sources.destinations.vocabulary import PARITIES, REGION_WORDS, SUM_WORDS
from mapkit.kinds.rail.sources.payoffs.typed_options import BoxOption
from mapkit.operations.options import Flag, Hidden

_HEADER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "chart": ("chart", "table", "region"),
    "sum": SUM_WORDS,
    "column": ("column", "parity", "oddeven", "reddie", "colour", "color"),
    "name": ("name", "city", "destination", "gives", "result", "item"),
    "odds": ("odds", "chance", "declared", "probability"),
    "odd": tuple(word for word, parity in PARITIES.items() if parity == "odd"),
    "even": tuple(word for word, parity in PARITIES.items() if parity == "even"),
}
_ROLL: Final = re.compile(r"(odd|even|o|e)[\s:/-]*(\d{1,2})|(\d{1,2})[\s:/-]*(odd|even|o|e)")
_ROW_NUMBER: Final = re.compile(r"\[?(\d+)(?:,?\])?")
_SUM_FIRST: Final = re.compile(r"\s*(?:(?:odd|even)[\s:/-]*)?\d{1,2}\s", re.IGNORECASE)
_UNNAMED_CHART: Final = "chart"
_TYPED: Final = "mapkit.kinds.rail.sources.payoffs.typed_options"
_MIN_NAMES: Final = 6
"""Least number of different names of a chart without odd and even; a page of text contains sums by chance."""
_MAX_TITLE_ROWS: Final = 10
_MIN_LETTERS: Final = 4
"""Letters of a name of which one may be misread."""
_MAX_CHARTS: Final = 200


@dataclass(frozen=True)
class KnownNames:
    """Names of a board: regions as `(id, name)`, and cities as such pairs or with more data."""

    regions: Sequence[tuple[str, str]]
    cities: Sequence[tuple[str, str] | KnownCity]
    board: str = "the board"


@dataclass(frozen=True)
class ChartsRead:
    """Charts that were read, and declared odds if the file has some (chart -> item -> odds)."""

    charts: dict[str, DestinationChart]
    declared: dict[str, dict[str, Fraction]]
    names: dict[str, str]
    notes: tuple[str, ...] = ()
    """Corrections and omissions."""
    left_out: tuple[NameLeftOut, ...] = ()
    """Names that the board does not have, if such names may be left out."""
    places: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """Chart, `odd` or `even`, and sum -> `file:row:column`, or the equivalent in files without rows."""


@dataclass
class _TypedCharts:
    """Names as typed in cells by chart, before they are looked up."""

    cells: dict[str, dict[tuple[str, int], Cell]] = field(default_factory=dict)
    odds: dict[str, dict[str, tuple[Cell, str]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def put(self, chart: str, parity: str, total: int, cell: Cell, problems: Problems) -> None:
        if cell.problem:
            problems.add(f"{cell.where}: {cell.problem}")
            return
        chart_cells = self.cells.setdefault(chart, {})
        if (parity, total) in chart_cells:
            problems.add(
                f"{cell.where}: {parity} {total} of {chart!r} is already at "
                f"{chart_cells[parity, total].where}; remove one"
            )
        chart_cells[parity, total] = cell


@dataclass(frozen=True)
class ChartOptions:
    """Settings of the user for a file of destination charts; everything else is inferred.

    Attributes:
        chart: The chart, if the file does not name it.
        sheet: The sheet, if a workbook has several.
        accept: This spelling is that region or city (id or name); - leaves the cell empty. Repeatable.
        leave_out: Exit 0 even if the board lacks names; their cells stay empty.
        pages: The pages of a PDF that hold the chart; all by default.
        box: Where the charts are on their page: points of a PDF, pixels of a picture, from the top left.
        say: Receiver of progress messages of slow steps.
    """

    chart: Annotated[str | None, Flag("", "NAME")] = None
    sheet: Annotated[str | None, Flag("", "NAME")] = None
    accept: Annotated[
        Mapping[str, str] | None,
        Flag("-a", "TYPED=NAME", reading="settings", parse=f"{_TYPED}:parse_accepted_names"),
    ] = None
    pages: Annotated[Sequence[int], Flag("", "3-4,7", reading="commas", parse=f"{_TYPED}:parse_pages")] = ()
    box: BoxOption = None
    leave_out: bool = False
    say: Annotated[Say | None, Hidden] = None


def read_destination_file(
    path: Path, *, file: str | None = None, known: KnownNames | None = None, options: ChartOptions | None = None
) -> ChartsRead:
    """Read destination charts.

    Args:
        path: The file; `.xlsx` and `.json` are recognised by the suffix, PDFs and pictures by their first bytes; other
            files are text.
        file: Name of the file in messages; its path by default.
        known: A board's names; without them ids are made from the names in the file.
        options: Settings of the user.

    Raises:
        ChoiceError: It is a picture, and the extra for pictures is not installed.
        SourceError: The layout is unknown, or a name, sum or cell is wrong; the error lists every problem.
        WorkspaceError: The file is missing or may not be read.
    """
    chart_options = options or ChartOptions()
    file = file or str(path)
    unnamed_chart = chart_options.chart or _UNNAMED_CHART
    problems = Problems()
    name_finder = _NameFinder(known, chart_options.accept or {}, leave_out=chart_options.leave_out)
    first_bytes = read_start(path, file)
    page_file = read_file_pages(
        path, first_bytes, file=file, chosen=chart_options.pages, box=chart_options.box, say=chart_options.say
    )
    size_hints: list[str] = []
    page_hints: list[str] = []
    if page_file is not None:
        size_hints = small_digit_warnings(page_file.pages, file=file, failed=True)
        page_hints = _suggest_pages(page_file.pages, page_file.kind, file, chart_options)
        with prepend_hints(size_hints):
            typed_charts = _read_pages(page_file.pages, page_file.kind, file, unnamed_chart, name_finder, problems)
    elif first_bytes.startswith(ZIP) or path.suffix.casefold() == ".xlsx":
        typed_charts = _read_table(
            read_xlsx(path, file=file, sheet=chart_options.sheet), file, unnamed_chart, name_finder, problems
        )
    else:
        text = read_text(path, name=file, in_pages=True)
        data_format = infer_data_kind(text, path)
        table_or_text = _split_table(text, file) if data_format is None else None
        if data_format is not None:
            typed_charts = _read_data(
                parse_data(text, data_format, file=file), file, unnamed_chart, name_finder, problems
            )
        elif table_or_text is not None:
            typed_charts = _read_first_clean(
                _list_text_readers(text, table_or_text, file, unnamed_chart, name_finder), name_finder, problems
            )
    with prepend_hints([*size_hints, *page_hints]):
        problems.raise_if_any()
    with prepend_hints(size_hints):
        return _resolve_names(typed_charts, name_finder, file)


def _suggest_pages(pages: Sequence[Page], kind: str, file: str, options: ChartOptions) -> list[str]:
    """Return a hint to choose pages of a PDF, if the user has chosen none."""
    if kind != "pdf" or options.pages or len(pages) < 2:  # noqa: PLR2004
        return []
    return [f"{file}: {len(pages)} pages are read; if the charts are on some of them, name those with --pages"]


def _read_pages(
    pages: Sequence[Page], kind: str, file: str, alone: str, finder: "_NameFinder", problems: Problems
) -> _TypedCharts:
    def read_strips(own_problems: Problems) -> _TypedCharts:
        table, notes = page_table(pages, file=file, kind=kind, roll=_parse_roll)
        return _read_page_table(table, notes, pages, file, alone, finder, own_problems)

    def read_aligned(own_problems: Problems) -> _TypedCharts:
        table = read_aligned_pages(pages, word_to_cell, file=file, kind=kind)
        return _read_page_table(table, [], pages, file, alone, finder, own_problems)

    return _read_first_clean((read_strips, read_aligned), finder, problems)


def _read_page_table(
    table: Table,
    notes: Sequence[str],
    pages: Sequence[Page],
    file: str,
    alone: str,
    finder: "_NameFinder",
    problems: Problems,
) -> _TypedCharts:
    typed_charts = _TypedCharts()
    table, correction_notes = finder.corrected(table, file)
    typed_charts.notes = [*notes, *correction_notes]
    unclear_cells = _read_by_headings(typed_charts, table, file, alone, finder, problems)
    if unclear_cells and not typed_charts.cells and not _is_chart(unclear_cells, finder):
        raise SourceError(
            f"{file}: no destination chart found: {summarize_words(pages)}, but no names beside sums from 2 to 12"
        )
    return typed_charts


def _list_text_readers(
    text: str, table_or_text: Table | str, file: str, alone: str, finder: "_NameFinder"
) -> Sequence[Callable[[Problems], _TypedCharts]]:
    """Return the readers to try for a text: for a table or for lines of names, then for aligned columns."""

    def read_lines(problems: Problems) -> _TypedCharts:
        typed_charts = _TypedCharts()
        for text_cell in text_cells(text, file=file, alone=alone, fits=finder.fits(), problems=problems):
            typed_charts.put(*text_cell, problems)
        return typed_charts

    def read_aligned(gap: int, problems: Problems) -> _TypedCharts:
        return _read_table(read_aligned_text(text, file=file, gap=gap), file, alone, finder, problems)

    first_reader = (
        partial(_read_table, table_or_text, file, alone, finder) if isinstance(table_or_text, Table) else read_lines
    )
    return first_reader, partial(read_aligned, 2), partial(read_aligned, 1)


def _read_first_clean(
    readers: Sequence[Callable[[Problems], _TypedCharts]], finder: "_NameFinder", problems: Problems
) -> _TypedCharts:
    """Return the charts of the first reader without a problem or an unknown name, else of the first reader.

    Readers without a problem are next best if they know the names of all charts.

    Raises:
        SourceError: No reader does without a problem, and the first finds no chart.
    """
    outcomes: list[tuple[_TypedCharts, Problems] | SourceError] = []
    without_problems: list[_TypedCharts] = []
    for read_charts in readers:
        own_problems = Problems()
        try:
            typed_charts = read_charts(own_problems)
        except SourceError as error:
            outcomes.append(error)
            continue
        outcomes.append((typed_charts, own_problems))
        if not own_problems.found and finder.knows_charts(typed_charts.cells):
            if finder.knows_items(typed_charts.cells):
                return typed_charts
            without_problems.append(typed_charts)
    if without_problems:
        return without_problems[0]
    if isinstance(outcomes[0], SourceError):
        raise outcomes[0]
    typed_charts, own_problems = outcomes[0]
    problems.found += own_problems.found
    return typed_charts


def _is_chart(unclear: Sequence[Cell], finder: "_NameFinder") -> bool:
    """Return whether cells beside sums on a page are of a chart: with known names, one of them is."""
    cell_names = {fold(cell.text) for cell in unclear}
    if finder.free:
        return len(cell_names) >= _MIN_NAMES
    _, of_item = finder.fits()
    return any(of_item(name) for name in cell_names)


def _split_table(text: str, file: str) -> Table | str:
    """Return the cells of a table, or text that is not a table."""
    text_format = infer_text_kind(text)
    if text_format == BLANKS or (text_format in DELIMITERS and _SUM_FIRST.match(text)):
        return text
    return read_text_table(text, text_format, file=file)


def _read_table(table: Table, file: str, alone: str, finder: "_NameFinder", problems: Problems) -> _TypedCharts:
    typed_charts = _TypedCharts()
    table = _drop_row_numbers(table)
    header_index, column_by_role = _find_header(table)
    data_rows = list(table.rows[header_index + 1 :])
    while (
        data_rows
        and sum(bool(cell.text) for cell in data_rows[-1]) == 1
        and not any(c.text[:1].isdigit() for c in data_rows[-1])
    ):
        data_rows.pop()  # a note below the table
    if {"sum", "odd", "even"} <= set(column_by_role) and not _has_more_headings(data_rows, finder):
        chart_name = alone
        for row in data_rows:
            chart_name = _cell_at(row, column_by_role.get("chart")).text or chart_name
            for dice_sum in _parse_row_sums(_cell_at(row, column_by_role["sum"]), problems):
                for parity in ("odd", "even"):
                    typed_charts.put(chart_name, parity, dice_sum, _cell_at(row, column_by_role[parity]), problems)
    elif "name" in column_by_role and ("sum" in column_by_role or "odds" in column_by_role):
        for row in data_rows:
            _read_cell_row(typed_charts, row, column_by_role, alone, problems)
    else:
        _read_by_headings(typed_charts, table, file, alone, finder, problems)
    return typed_charts


def _drop_row_numbers(table: Table) -> Table:
    """Return a table without a first column of row numbers, which other programs print from 0 or 1 on."""
    numbers = [match[1] for row in table.rows if row and (match := _ROW_NUMBER.fullmatch(row[0].text))]
    first_texts = [row[0].text for row in table.rows if row and row[0].text]
    if len(numbers) <= len(SUMS) or len(first_texts) - len(numbers) > 1:
        return table
    first = int(numbers[0])
    if first > 1 or numbers != [str(number) for number in range(first, first + len(numbers))]:
        return table
    return replace(table, rows=tuple(row[1:] for row in table.rows if any(cell.text for cell in row[1:])))


def _find_header(table: Table) -> tuple[int, dict[str, int]]:
    """Return the index of the header row, perhaps below titles, and the columns of its known words."""
    for row_index, row in enumerate(table.rows[:_MAX_TITLE_ROWS]):
        column_by_role = {
            role_name: column_index
            for column_index, cell in enumerate(row)
            for role_name, role_words in _HEADER_WORDS.items()
            if fold(cell.text) in role_words
        }
        if (
            {"sum", "odd", "even"} <= set(column_by_role)
            and (sorted(parity for cell in row if (parity := PARITIES.get(fold(cell.text)))) == ["even", "odd"])
        ) or ("name" in column_by_role and {"sum", "odds"} & set(column_by_role)):
            return row_index, column_by_role
    return 0, {}


def _cell_at(row: Sequence[Cell], index: int | None) -> Cell:
    return row[index] if index is not None and index < len(row) else Cell("", row[0].where if row else "")


def _read_cell_row(
    reading: _TypedCharts, row: Sequence[Cell], role: Mapping[str, int], alone: str, problems: Problems
) -> None:
    chart_name = _cell_at(row, role.get("chart")).text or alone
    name_cell = _cell_at(row, role["name"])
    odds_cell = _cell_at(row, role.get("odds"))
    if odds_cell.text:
        reading.odds.setdefault(chart_name, {})[name_cell.text] = (name_cell, odds_cell.text)
    if "sum" not in role:
        return
    sum_cell = _cell_at(row, role["sum"])
    parity_text = _cell_at(row, role.get("column")).text
    rolls = [_parse_roll(f"{parity_text} {dice_sum}") for dice_sum in parse_sums(sum_cell.text)] or [
        _parse_roll(f"{parity_text} {sum_cell.text}")
    ]
    for parsed_roll in rolls:
        if parsed_roll is None:
            problems.add(
                f"{sum_cell.where}: {quote_text(sum_cell.text)} is not a roll; write odd or even and a sum of 2 to 12"
            )
            return
        reading.put(chart_name, *parsed_roll, name_cell, problems)


def _read_by_headings(
    reading: _TypedCharts, table: Table, file: str, alone: str, finder: "_NameFinder", problems: Problems
) -> list[Cell]:
    """Read a table by the headings of its columns; return names without a known parity."""
    of_chart, of_item = finder.fits()
    chart_cells, unclear_cells = table_cells(
        table, alone=alone, fits=(of_chart, of_item), roll=_parse_roll, problems=problems
    )
    for cell in unclear_cells[:1]:
        problems.add(
            f"{cell.where}: nothing says whether {quote_text(cell.text)} is odd or even; write that above the column"
        )
    for chart_cell in chart_cells:
        reading.put(*chart_cell, problems)
    if not chart_cells and not unclear_cells:
        header_row = table.rows[0]
        raise SourceError(
            f"{file}: the header is {', '.join(quote_text(cell.text) for cell in header_row[:6])}; write chart, "
            "sum, odd, even, "
            "or chart, column, sum, name, or roll and then a column a chart"
        )
    return unclear_cells


def _parse_roll(text: str) -> tuple[str, int] | None:
    roll_match = _ROLL.fullmatch(text.strip().casefold())
    if not roll_match:
        return None
    parity_text, sum_text = (roll_match[1], roll_match[2]) if roll_match[1] else (roll_match[4], roll_match[3])
    if sum_text not in SUMS:
        return None
    return ("odd" if parity_text.startswith("o") else "even"), int(sum_text)


def _parse_row_sums(cell: Cell, problems: Problems) -> Sequence[int]:
    sums = parse_sums(cell.text)
    if not sums:
        problems.add(f"{cell.where}: {quote_text(cell.text)} is not a sum; two dice make 2 to 12")
    return sums


def _has_more_headings(rows: Sequence[Sequence[Cell]], finder: "_NameFinder") -> bool:
    """Return whether a row names another chart above its own columns."""
    of_chart, _ = finder.fits()
    return any(
        (sum(bool(cell.text) for cell in row) == 1 and any(of_chart(cell.text) for cell in row))
        or sum(fold(cell.text) in PARITIES for cell in row) > 1
        for row in rows
    )


def _read_data(data: Plain, file: str, alone: str, finder: "_NameFinder", problems: Problems) -> _TypedCharts:
    """Read nested data: `{chart: {odd: {"2": name}, even: {...}}}`, optionally with odds, or any other shape.

    Columns may be lists of 11, and the charts may be in a board file.
    """
    typed_charts = _TypedCharts()
    whole_data = data
    for chart_key in ("destinations", "destination_charts", "charts"):
        if isinstance(data, dict) and isinstance(data.get(chart_key), dict):
            data = data[chart_key]
    if not isinstance(data, dict) or not any(_has_columns(possible_chart) for possible_chart in (data, *data.values())):
        for nested_cell in nested_cells(
            whole_data, file=file, alone=alone, of_chart=finder.fits()[0], roll=_parse_roll
        ):
            typed_charts.put(*nested_cell, problems)
        if not typed_charts.cells:
            raise SourceError(f"{file}: no chart in it; write an object with odd and even for each chart")
        return typed_charts
    columns_by_chart = {alone: data} if {"odd", "even"} <= set(data) else data
    if len(columns_by_chart) > _MAX_CHARTS:
        raise SourceError(f"{file}: {len(columns_by_chart)} charts, the limit is {_MAX_CHARTS}; split the file")
    for chart_name, chart_columns in columns_by_chart.items():
        _read_json_chart(typed_charts, chart_name, chart_columns, f"{file}: $.{chart_name[:80]}", problems)
    return typed_charts


def _read_json_chart(reading: _TypedCharts, chart: str, columns: Plain, where: str, problems: Problems) -> None:
    if not isinstance(columns, dict) or not {"odd", "even"} <= set(columns):
        problems.add(f"{where}: odd and even are missing; write both columns of the chart")
        return
    for parity in ("odd", "even"):
        _read_json_column(reading, chart, parity, columns[parity], f"{where}.{parity}", problems)
    chart_odds = columns.get("odds")
    for item_name, odds_value in chart_odds.items() if isinstance(chart_odds, dict) else ():
        reading.odds.setdefault(chart, {})[item_name] = (Cell(item_name, f"{where}.odds"), str(odds_value))


def _has_columns(data: Plain) -> bool:
    column = data.get("odd") if isinstance(data, dict) and "even" in data else None
    return isinstance(column, list) or (isinstance(column, dict) and not column.keys().isdisjoint(SUMS))


def _read_json_column(
    reading: _TypedCharts, chart: str, parity: str, column: Plain, where: str, problems: Problems
) -> None:
    if isinstance(column, list) and len(column) == len(SUMS):
        column = dict(zip(SUMS, column, strict=True))
    if not isinstance(column, dict):
        problems.add(f"{where}: neither names by sum nor a list of 11; write one of them")
        return
    for sum_text, item_name in column.items():
        if sum_text not in SUMS:
            problems.add(f"{where}: {quote_text(sum_text)} is not a sum; two dice make 2 to 12")
        elif item_name is not None and (not isinstance(item_name, str) or isinstance(item_name, Digits)):
            problems.add(f"{where}.{sum_text}: no name; write one as text, or null")
        else:
            reading.put(chart, parity, int(sum_text), Cell((item_name or "").strip(), f"{where}.{sum_text}"), problems)


def _resolve_names(reading: _TypedCharts, finder: "_NameFinder", file: str) -> ChartsRead:
    problems = finder.problems
    item_names = finder.names
    chart_by_id: dict[str, DestinationChart] = {}
    cell_places: dict[tuple[str, str, str], str] = {}
    if not finder.free and _UNNAMED_CHART in reading.cells:
        raise SourceError(f"{file}: {finder.whose(reading.cells[_UNNAMED_CHART].values())}")
    for typed_name, cells in reading.cells.items():
        chart_id = finder.chart(typed_name, next(iter(cells.values())).where)
        columns: dict[str, dict[str, str | None]] = {p: dict.fromkeys(SUMS) for p in ("odd", "even")}
        for (parity, dice_sum), cell in sorted(cells.items()):
            cell_places[chart_id, parity, str(dice_sum)] = cell.where
            columns[parity][str(dice_sum)] = (finder.item(chart_id, cell) or None) if cell.text else None
        if chart_id in chart_by_id:
            problems.add(f"{file}: the chart {typed_name!r} appears twice, under two names; keep one")
        chart_by_id[chart_id] = DestinationChart(odd=columns["odd"], even=columns["even"])
    declared_odds: dict[str, dict[str, Fraction]] = {}
    for typed_name, chart_odds in reading.odds.items():
        for cell, odds_text in chart_odds.values():
            chart_id = finder.chart(typed_name, cell.where)
            item_id = finder.item(chart_id, cell)
            try:
                declared_odds.setdefault(chart_id, {})[item_id] = Fraction(parse_odds(odds_text, f"{cell.where}: odds"))
            except SourceError as error:
                problems.extend(error)
    for typed_name in finder.unused():
        problems.add(f"{file}: --accept {typed_name}=...: the file has no such name; correct it or drop it")
    problems.raise_if_any()
    if not chart_by_id and not declared_odds:
        raise SourceError(f"{file}: no cells of a chart; see docs/reference/source-package.md#charts")
    return ChartsRead(
        chart_by_id, declared_odds, item_names, tuple(reading.notes), tuple(finder.left_out.values()), cell_places
    )


class _NameFinder:
    """Finder of names of a board, as for payoff charts; without a board it creates ids."""

    def __init__(self, known: KnownNames | None, accept: Mapping[str, str], *, leave_out: bool = False) -> None:
        self.names: dict[str, str] = {}
        self.problems = Problems()
        self.free = known is None
        self.accept = dict(accept)
        self.used: set[str] = set()
        self.leave_out = leave_out
        self.left_out: dict[str, NameLeftOut] = {}
        self.own = {ident: name for ident, name, *_ in (*known.regions, *known.cities)} if known else {}
        board_name = known.board if known else ""
        regions, cities = (
            tuple(KnownCity(*named_item) for named_item in known_pairs)
            for known_pairs in ((known.regions, known.cities) if known else ((), ()))
        )
        region_folds = {fold(key) for city in regions for key in city[:2]}
        self.regions = CityNames(
            board_name,
            regions,
            {typed_name: target_name for typed_name, target_name in accept.items() if fold(target_name) in region_folds}
            if known
            else {},
            what="region",
        )
        accepted_cities = {typed: target for typed, target in accept.items() if typed not in self.regions.accept}
        self.cities = CityNames(board_name, cities, accepted_cities if known else {})

    def chart(self, typed: str, where: str) -> str:
        if fold(typed) in REGION_WORDS:
            return REGIONS
        if self.free:
            typed = self._apply_accepted(typed)
            chart_id = slug(typed) or _UNNAMED_CHART
            if typed != _UNNAMED_CHART:
                self.names.setdefault(chart_id, typed)
            return chart_id
        return self._look_up(Cell(typed, where), self.regions) or _UNNAMED_CHART

    def item(self, chart: str, cell: Cell) -> str:
        """Return the id of a name; empty if its cell remains empty."""
        if self.free:
            free_text = self._apply_accepted(cell.text)
            item_id = slug(free_text)
            if not item_id:
                if free_text:
                    self.problems.add(
                        f"{cell.where}: {quote_text(cell.text)} cannot become an id; use letters or digits"
                    )
                return ""
            self.names.setdefault(item_id, free_text)
            return item_id
        known_names = self.regions if chart == REGIONS else self.cities
        if self.leave_out and isinstance(known_names.find(cell.text), str):
            self.left_out.setdefault(cell.text, describe_unknown_name(cell, known_names))
            return ""
        return self._look_up(cell, known_names)

    def corrected(self, table: Table, file: str) -> tuple[Table, list[str]]:
        """Return a table with misread names of a picture corrected, and notes."""
        if self.free:
            return table, []
        note_by_text: dict[str, str] = {}
        corrected_rows = []
        for row in table.rows:
            corrected_row = []
            for cell in row:
                similar_name = (
                    self._find_similar(cell.text) if cell.spot is not None and cell.spot.how == "picture" else ""
                )
                if similar_name:
                    note_by_text[cell.text] = f"{file}: {cell.text!r} in the picture is taken for {similar_name}"
                corrected_row.append(cell._replace(text=similar_name) if similar_name else cell)
            corrected_rows.append(tuple(corrected_row))
        return replace(table, rows=tuple(corrected_rows)), [note_by_text[text] for text in sorted(note_by_text)]

    def _find_similar(self, text: str) -> str:
        """Return the only board name similar to a misread one; empty if it is known or ambiguous."""
        of_chart, of_item = self.fits()
        if len(text) < _MIN_LETTERS or len(text) > MAX_TEXT or of_chart(text) or of_item(text):
            return ""
        return find_similar_name(text, [self.regions, self.cities])

    def whose(self, cells: Iterable[Cell]) -> str:
        """Describe the possible charts of a chart without a name, judged by the names in it."""
        cell_names = {cell.text for cell in cells if cell.text}
        region_count = sum(self.regions.fit(name) > 0 for name in cell_names)
        if 2 * region_count > len(cell_names):
            return "no name above it says which chart this is; its names are regions, so give --chart regions"
        return (
            "no name above it says which chart this is; give --chart with one of regions, "
            f"{', '.join(region.id for region in self.regions.cities)}"
        )

    def fits(self) -> tuple[Fit, Fit]:
        """Return functions that rate a text as a chart's name and as a name in a chart."""

        def of_chart(typed: str) -> int:
            return 2 if fold(typed) in REGION_WORDS else self.regions.fit(typed)

        return of_chart, lambda typed: max(self.regions.fit(typed), self.cities.fit(typed))

    def knows_charts(self, charts: Collection[str]) -> bool:
        """Return whether all names of charts are known, and there are some."""
        if self.free:
            return bool(charts) and (len(charts) == 1 or _UNNAMED_CHART not in charts)
        of_chart, _ = self.fits()
        return bool(charts) and all(of_chart(self._apply_accepted(chart)) for chart in charts)

    def knows_items(self, charts: Mapping[str, Mapping[tuple[str, int], Cell]]) -> bool:
        """Return whether all names in cells are known."""
        _, of_item = self.fits()
        names = {cell.text for cells in charts.values() for cell in cells.values() if cell.text}
        return self.free or all(of_item(self._apply_accepted(name)) for name in names)

    def unused(self) -> list[str]:
        """Return the accepted spellings that were not used."""
        return [typed for typed in self.accept if fold(typed) not in self.used]

    def _apply_accepted(self, typed: str) -> str:
        for spelling, name in self.accept.items():
            if fold(spelling) == fold(typed):
                self.used.add(fold(typed))
                return name
        return typed

    def _look_up(self, cell: Cell, among: CityNames) -> str:
        self.used.add(fold(cell.text))
        name_match = among.find(cell.text)
        if isinstance(name_match, str):
            self.problems.add(f"{cell.where}: {name_match}")
            return _UNNAMED_CHART
        if name_match.city:
            self.names[name_match.city] = self.own[name_match.city]
        return name_match.city
