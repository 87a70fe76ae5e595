"""Reading destination charts from whatever file they come in (RB-C14): CSV, TSV, Markdown, XLSX, JSON, PDF, pictures.

Layouts: a row a sum with columns for odd and even, of one chart or several; a long list of cells; a column a chart,
with a row for each of the 22 rolls; charts side by side, each with an odd and an even column. Text copied from a page
is read by `mapkit.kinds.rail.sources.destinations.text`, pages by `mapkit.kinds.rail.sources.destinations.pages`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, with_hints
from mapkit.core.names import fold, slug
from mapkit.formats.cells.data import data_kind, parse_data
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, shown
from mapkit.formats.cells.text import BLANKS, DELIMITERS, text_kind, text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_text, start_of
from mapkit.formats.pdf.matrix import words_seen
from mapkit.formats.pdf.word import Page
from mapkit.formats.recognising.scanned import Say, pages_of_file, too_small
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.sources.chart_tables import odds_of
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, nearly, stranger
from mapkit.kinds.rail.sources.destinations.nested import nested_cells
from mapkit.kinds.rail.sources.destinations.pages import page_table
from mapkit.kinds.rail.sources.destinations.table import table_cells
from mapkit.kinds.rail.sources.destinations.text import Fit, text_cells
from mapkit.kinds.rail.sources.destinations.words import PARITIES, REGION_WORDS, SUM_WORDS

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "chart": ("chart", "table", "region"),
    "sum": SUM_WORDS,
    "column": ("column", "parity", "oddeven", "reddie", "colour", "color"),
    "name": ("name", "city", "destination", "gives", "result", "item"),
    "odds": ("odds", "chance", "declared", "probability"),
    "odd": tuple(word for word, parity in PARITIES.items() if parity == "odd"),
    "even": tuple(word for word, parity in PARITIES.items() if parity == "even"),
}
_ROLL: Final = re.compile(r"(odd|even|o|e)[\s:/-]*(\d{1,2})|(\d{1,2})[\s:/-]*(odd|even|o|e)")
_SUM_FIRST: Final = re.compile(r"\s*(?:(?:odd|even)[\s:/-]*)?\d{1,2}\s", re.IGNORECASE)
_ONLY: Final = "chart"
_FEWEST: Final = 6
"""Names that differ, of a chart that says neither odd nor even; a page of text has sums in it by chance."""
_MOST_TITLES: Final = 10
_SHORTEST: Final = 4
"""Letters of a name of which one may be misread."""
_MAX_CHARTS: Final = 200


@dataclass(frozen=True)
class KnownNames:
    """The names that a board knows: regions, `(id, name)` each, and cities, likewise or with what else is known."""

    regions: Sequence[tuple[str, str]]
    cities: Sequence[tuple[str, str] | KnownCity]
    board: str = "the board"


@dataclass(frozen=True)
class ChartsRead:
    """Charts as read, and declared odds where the file has some (chart -> item -> odds)."""

    charts: dict[str, DestinationChart]
    declared: dict[str, dict[str, Fraction]]
    names: dict[str, str]
    notes: tuple[str, ...] = ()
    """What was taken for something else, or left out."""
    left_out: tuple[NameLeftOut, ...] = ()
    """Names that are not the board's, where such may be left out."""
    places: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """Chart, `odd` or `even`, and sum -> `file:row:column`, or what takes its place in files without rows."""


@dataclass
class _Reading:
    """What was typed: chart -> cell -> name, before names are looked up."""

    cells: dict[str, dict[tuple[str, int], Cell]] = field(default_factory=dict)
    odds: dict[str, dict[str, tuple[Cell, str]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def put(self, chart: str, parity: str, total: int, cell: Cell, problems: Problems) -> None:
        if cell.problem:
            problems.add(f"{cell.where}: {cell.problem}")
            return
        found = self.cells.setdefault(chart, {})
        if (parity, total) in found:
            problems.add(
                f"{cell.where}: {parity} {total} of {chart!r} is already at {found[parity, total].where}; remove one"
            )
        found[parity, total] = cell


@dataclass(frozen=True)
class ChartOptions:
    """What the user says about a file of destination charts; everything else is inferred from it.

    Args:
        chart: Whose chart it is, where the file holds one and does not say (`regions`, or a region).
        sheet: Sheet of a workbook.
        accept: Spellings that the user confirmed -> id or name of a region or city; empty to leave the cell empty.
        pages: The pages of a PDF that are read, from 1; all by default.
        leave_out: Leave cells empty whose names the board has not, and list them, in place of refusing the file.
        say: Told what is being done where that takes long.
    """

    chart: str | None = None
    sheet: str | None = None
    accept: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[int, ...] = ()
    leave_out: bool = False
    say: Say | None = None


def read_destination_file(
    path: Path, *, known: KnownNames | None = None, options: ChartOptions | None = None
) -> ChartsRead:
    """Read destination charts.

    Args:
        path: The file; its ending says whether it is `.xlsx` or `.json`, its first bytes whether it is a PDF or a
            picture; other files are text.
        known: A board's names; without them ids are made from the names in the file.
        options: What the user says about it.

    Raises:
        ChoiceError: It is a picture, and the extra for pictures is not installed.
        SourceError: The layout is not one of those known, or a name, sum or cell is wrong; every problem is listed.
        WorkspaceError: The file is missing or may not be read.
    """
    given = options or ChartOptions()
    file = str(path)
    alone = given.chart or _ONLY
    problems = Problems()
    finder = _Finder(known, given.accept, leave_out=given.leave_out)
    start = start_of(path, file)
    pages = pages_of_file(path, start, file=file, chosen=given.pages, say=given.say)
    hints: list[str] = []
    others: list[str] = []
    if pages is not None:
        hints = too_small(pages.pages, file=file, failed=True)
        others = _other_pages(pages.pages, pages.kind, file, given)
        with with_hints(hints):
            reading = _from_pages(pages.pages, pages.kind, file, alone, finder, problems)
    elif start.startswith(ZIP) or path.suffix.casefold() == ".xlsx":
        reading = _from_table(read_xlsx(path, file=file, sheet=given.sheet), file, alone, finder, problems)
    else:
        text = read_text(path, name=file, in_pages=True)
        kind = data_kind(text, path)
        table = _table(text, file) if kind is None else None
        if kind is not None:
            reading = _from_data(parse_data(text, kind, file=file), file, alone, finder, problems)
        elif isinstance(table, str):
            reading = _Reading()
            for found in text_cells(table, file=file, alone=alone, fits=finder.fits(), problems=problems):
                reading.put(*found, problems)
        elif table is not None:
            reading = _from_table(table, file, alone, finder, problems)
    with with_hints([*hints, *others]):
        problems.raise_if_any()
    with with_hints(hints):
        return _resolved(reading, finder, file)


def _other_pages(pages: Sequence[Page], kind: str, file: str, given: ChartOptions) -> list[str]:
    """Say what to try if pages of a PDF make no charts together, where the user has not said which they are."""
    if kind != "pdf" or given.pages or len(pages) < 2:  # noqa: PLR2004
        return []
    return [f"{file}: {len(pages)} pages are read; if the charts are on some of them, name those with --pages"]


def _from_pages(
    pages: Sequence[Page], kind: str, file: str, alone: str, finder: "_Finder", problems: Problems
) -> _Reading:
    reading = _Reading()
    table, reading.notes = page_table(pages, file=file, kind=kind, roll=_roll)
    table, more = finder.corrected(table, file)
    reading.notes += more
    unclear = _by_headings(reading, table, file, alone, finder, problems)
    if unclear and not reading.cells and not _is_chart(unclear, finder):
        raise SourceError(
            f"{file}: no destination chart found: {words_seen(pages)}, but no names beside sums from 2 to 12"
        )
    return reading


def _is_chart(unclear: Sequence[Cell], finder: "_Finder") -> bool:
    """Say whether cells beside sums on a page are of a chart: if the names are known, one of them is."""
    names = {fold(cell.text) for cell in unclear}
    if finder.free:
        return len(names) >= _FEWEST
    _, of_item = finder.fits()
    return any(of_item(name) for name in names)


def _table(text: str, file: str) -> Table | str:
    """Return the cells of a table, or the text of what is not a cell."""
    kind = text_kind(text)
    if kind == BLANKS or (kind in DELIMITERS and _SUM_FIRST.match(text)):
        return text
    return text_table(text, kind, file=file)


def _from_table(table: Table, file: str, alone: str, finder: "_Finder", problems: Problems) -> _Reading:
    reading = _Reading()
    at, role = _roles(table)
    rows = list(table.rows[at + 1 :])
    while rows and sum(bool(cell.text) for cell in rows[-1]) == 1 and not any(c.text[:1].isdigit() for c in rows[-1]):
        rows.pop()  # a note below the table
    if {"sum", "odd", "even"} <= set(role):
        for row in rows:
            _by_sum(reading, row, role, alone, problems)
    elif "name" in role and ("sum" in role or "odds" in role):
        for row in rows:
            _by_cell(reading, row, role, alone, problems)
    else:
        _by_headings(reading, table, file, alone, finder, problems)
    return reading


def _roles(table: Table) -> tuple[int, dict[str, int]]:
    """Return the row of the header, perhaps below titles, and which columns it says what of."""
    for at, row in enumerate(table.rows[:_MOST_TITLES]):
        role = {name: k for k, cell in enumerate(row) for name, words in _WORDS.items() if fold(cell.text) in words}
        if ({"sum", "odd", "even"} <= set(role) and _is_plain(row)) or ("name" in role and {"sum", "odds"} & set(role)):
            return at, role
    return 0, {}


def _is_plain(row: Sequence[Cell]) -> bool:
    """Say whether a header has one odd and one even column only."""
    return sorted(found for cell in row if (found := PARITIES.get(fold(cell.text)))) == ["even", "odd"]


def _at(row: Sequence[Cell], index: int | None) -> Cell:
    return row[index] if index is not None and index < len(row) else Cell("", row[0].where if row else "")


def _by_sum(reading: _Reading, row: Sequence[Cell], role: Mapping[str, int], alone: str, problems: Problems) -> None:
    total = _total(_at(row, role["sum"]), problems)
    chart = _at(row, role.get("chart")).text or alone
    for parity in ("odd", "even"):
        if total is not None:
            reading.put(chart, parity, total, _at(row, role[parity]), problems)


def _by_cell(reading: _Reading, row: Sequence[Cell], role: Mapping[str, int], alone: str, problems: Problems) -> None:
    chart = _at(row, role.get("chart")).text or alone
    name = _at(row, role["name"])
    odds = _at(row, role.get("odds"))
    if odds.text:
        reading.odds.setdefault(chart, {})[name.text] = (name, odds.text)
    if "sum" not in role:
        return
    where = _at(row, role["sum"])
    roll = _roll(f"{_at(row, role.get('column')).text} {where.text}")
    if roll is None:
        problems.add(f"{where.where}: {shown(where.text)} is not a roll; write odd or even and a sum of 2 to 12")
    else:
        reading.put(chart, *roll, name, problems)


def _by_headings(
    reading: _Reading, table: Table, file: str, alone: str, finder: "_Finder", problems: Problems
) -> list[Cell]:
    """Read a table by what is above its columns; return names of which nothing says whether they are odd."""
    of_chart, of_item = finder.fits()
    cells, unclear = table_cells(table, alone=alone, fits=(of_chart, of_item), roll=_roll, problems=problems)
    for cell in unclear[:1]:
        problems.add(
            f"{cell.where}: nothing says whether {shown(cell.text)} is odd or even; write that above the column"
        )
    for found in cells:
        reading.put(*found, problems)
    if not cells and not unclear:
        head = table.rows[0]
        raise SourceError(
            f"{file}: the header is {', '.join(shown(cell.text) for cell in head[:6])}; write chart, sum, odd, even, "
            "or chart, column, sum, name, or roll and then a column a chart"
        )
    return unclear


def _roll(text: str) -> tuple[str, int] | None:
    found = _ROLL.fullmatch(text.strip().casefold())
    if not found:
        return None
    parity, total = (found[1], found[2]) if found[1] else (found[4], found[3])
    if total not in SUMS:
        return None
    return ("odd" if parity.startswith("o") else "even"), int(total)


def _total(cell: Cell, problems: Problems) -> int | None:
    if cell.text in SUMS:
        return int(cell.text)
    problems.add(f"{cell.where}: {shown(cell.text)} is not a sum; two dice make 2 to 12")
    return None


def _from_data(data: Plain, file: str, alone: str, finder: "_Finder", problems: Problems) -> _Reading:
    """Read nested data: `{chart: {odd: {"2": name}, even: {...}}}`, with odds too, or any other shape.

    Columns may be lists of 11, and the charts may be in a board file.
    """
    reading = _Reading()
    whole = data
    for key in ("destinations", "destination_charts", "charts"):
        if isinstance(data, dict) and isinstance(data.get(key), dict):
            data = data[key]
    if not isinstance(data, dict) or not any(_has_columns(one) for one in (data, *data.values())):
        for found in nested_cells(whole, file=file, alone=alone, of_chart=finder.fits()[0], roll=_roll):
            reading.put(*found, problems)
        if not reading.cells:
            raise SourceError(f"{file}: no chart in it; write an object with odd and even for each chart")
        return reading
    charts = {alone: data} if {"odd", "even"} <= set(data) else data
    if len(charts) > _MAX_CHARTS:
        raise SourceError(f"{file}: {len(charts)} charts, the limit is {_MAX_CHARTS}; split the file")
    for chart, columns in charts.items():
        _json_chart(reading, chart, columns, f"{file}: $.{chart[:80]}", problems)
    return reading


def _json_chart(reading: _Reading, chart: str, columns: Plain, where: str, problems: Problems) -> None:
    if not isinstance(columns, dict) or not {"odd", "even"} <= set(columns):
        problems.add(f"{where}: odd and even are missing; write both columns of the chart")
        return
    for parity in ("odd", "even"):
        _json_column(reading, chart, parity, columns[parity], f"{where}.{parity}", problems)
    odds = columns.get("odds")
    for name, value in odds.items() if isinstance(odds, dict) else ():
        reading.odds.setdefault(chart, {})[name] = (Cell(name, f"{where}.odds"), str(value))


def _has_columns(data: Plain) -> bool:
    column = data.get("odd") if isinstance(data, dict) and "even" in data else None
    return isinstance(column, list) or (isinstance(column, dict) and not column.keys().isdisjoint(SUMS))


def _json_column(reading: _Reading, chart: str, parity: str, column: Plain, where: str, problems: Problems) -> None:
    if isinstance(column, list) and len(column) == len(SUMS):
        column = dict(zip(SUMS, column, strict=True))
    if not isinstance(column, dict):
        problems.add(f"{where}: neither names by sum nor a list of 11; write one of them")
        return
    for total, name in column.items():
        if total not in SUMS:
            problems.add(f"{where}: {shown(total)} is not a sum; two dice make 2 to 12")
        elif name is not None and (not isinstance(name, str) or isinstance(name, Digits)):
            problems.add(f"{where}.{total}: no name; write one as text, or null")
        else:
            reading.put(chart, parity, int(total), Cell((name or "").strip(), f"{where}.{total}"), problems)


def _resolved(reading: _Reading, finder: "_Finder", file: str) -> ChartsRead:
    problems = finder.problems
    names = finder.names
    charts: dict[str, DestinationChart] = {}
    places: dict[tuple[str, str, str], str] = {}
    if not finder.free and _ONLY in reading.cells:
        raise SourceError(f"{file}: {finder.whose(reading.cells[_ONLY].values())}")
    for typed, cells in reading.cells.items():
        chart = finder.chart(typed, next(iter(cells.values())).where)
        columns: dict[str, dict[str, str | None]] = {p: dict.fromkeys(SUMS) for p in ("odd", "even")}
        for (parity, total), cell in sorted(cells.items()):
            places[chart, parity, str(total)] = cell.where
            columns[parity][str(total)] = (finder.item(chart, cell) or None) if cell.text else None
        if chart in charts:
            problems.add(f"{file}: the chart {typed!r} appears twice, under two names; keep one")
        charts[chart] = DestinationChart(odd=columns["odd"], even=columns["even"])
    declared: dict[str, dict[str, Fraction]] = {}
    for typed, odds in reading.odds.items():
        for cell, text in odds.values():
            chart = finder.chart(typed, cell.where)
            item = finder.item(chart, cell)
            try:
                declared.setdefault(chart, {})[item] = Fraction(odds_of(text, f"{cell.where}: odds"))
            except SourceError as error:
                problems.extend(error)
    for typed in finder.unused():
        problems.add(f"{file}: --accept {typed}=...: the file has no such name; correct it or drop it")
    problems.raise_if_any()
    if not charts and not declared:
        raise SourceError(f"{file}: no cells of a chart; see docs/reference/source-package.md#charts")
    return ChartsRead(charts, declared, names, tuple(reading.notes), tuple(finder.left_out.values()), places)


class _Finder:
    """Looks names up among a board's, as for payoff charts; without a board it makes ids."""

    def __init__(self, known: KnownNames | None, accept: Mapping[str, str], *, leave_out: bool = False) -> None:
        self.names: dict[str, str] = {}
        self.problems = Problems()
        self.free = known is None
        self.accept = dict(accept)
        self.used: set[str] = set()
        self.leave_out = leave_out
        self.left_out: dict[str, NameLeftOut] = {}
        self.own = {ident: name for ident, name, *_ in (*known.regions, *known.cities)} if known else {}
        board = known.board if known else ""
        regions, cities = (_known_as(pairs) for pairs in ((known.regions, known.cities) if known else ((), ())))
        whose = {fold(key) for city in regions for key in city[:2]}
        self.regions = CityNames(board, regions, _of(accept, whose) if known else {}, what="region")
        self.cities = CityNames(board, cities, _but(accept, self.regions.accept) if known else {})

    def chart(self, typed: str, where: str) -> str:
        if fold(typed) in REGION_WORDS:
            return REGIONS
        if self.free:
            typed = self._free(typed)
            ident = slug(typed) or _ONLY
            if typed != _ONLY:
                self.names.setdefault(ident, typed)
            return ident
        return self._look(Cell(typed, where), self.regions) or _ONLY

    def item(self, chart: str, cell: Cell) -> str:
        """Return the id of a name; empty if its cell is to stay empty."""
        if self.free:
            text = self._free(cell.text)
            ident = slug(text)
            if not ident:
                if text:
                    self.problems.add(f"{cell.where}: {shown(cell.text)} cannot become an id; use letters or digits")
                return ""
            self.names.setdefault(ident, text)
            return ident
        among = self.regions if chart == REGIONS else self.cities
        if self.leave_out and isinstance(among.find(cell.text), str):
            self.left_out.setdefault(cell.text, stranger(cell, among))
            return ""
        return self._look(cell, among)

    def corrected(self, table: Table, file: str) -> tuple[Table, list[str]]:
        """Return a table with names read from a picture corrected that are nearly one name of the board; and notes."""
        if self.free:
            return table, []
        notes: dict[str, str] = {}
        rows = []
        for row in table.rows:
            line = []
            for cell in row:
                name = self._nearly(cell.text) if cell.spot is not None and cell.spot.how == "picture" else ""
                if name:
                    notes[cell.text] = f"{file}: {cell.text!r} in the picture is taken for {name}"
                line.append(cell._replace(text=name) if name else cell)
            rows.append(tuple(line))
        return replace(table, rows=tuple(rows)), [notes[text] for text in sorted(notes)]

    def _nearly(self, text: str) -> str:
        """Return the one name that a misread one is nearly; empty if it is known, or if none or several are near."""
        of_chart, of_item = self.fits()
        if len(text) < _SHORTEST or len(text) > MAX_TEXT or of_chart(text) or of_item(text):
            return ""
        return nearly(text, [self.regions, self.cities])

    def whose(self, cells: Iterable[Cell]) -> str:
        """Say which chart a chart without a name may be, by the names in it."""
        names = {cell.text for cell in cells if cell.text}
        regions = sum(self.regions.fit(name) > 0 for name in names)
        if 2 * regions > len(names):
            return "no name says whose chart this is; its names are regions, so say --chart regions"
        return (
            "no name says whose chart this is; say --chart and one of regions, "
            f"{', '.join(region.id for region in self.regions.cities)}"
        )

    def fits(self) -> tuple[Fit, Fit]:
        """Return what says how well a text is known as a chart's name, and as a name in a chart."""

        def of_chart(typed: str) -> int:
            return 2 if fold(typed) in REGION_WORDS else self.regions.fit(typed)

        return of_chart, lambda typed: max(self.regions.fit(typed), self.cities.fit(typed))

    def unused(self) -> list[str]:
        """Return the accepted spellings that were not met."""
        return [typed for typed in self.accept if fold(typed) not in self.used]

    def _free(self, typed: str) -> str:
        for spelling, name in self.accept.items():
            if fold(spelling) == fold(typed):
                self.used.add(fold(typed))
                return name
        return typed

    def _look(self, cell: Cell, among: CityNames) -> str:
        self.used.add(fold(cell.text))
        found = among.find(cell.text)
        if isinstance(found, str):
            self.problems.add(f"{cell.where}: {found}")
            return _ONLY
        if found.city:
            self.names[found.city] = self.own[found.city]
        return found.city


def _known_as(named: Iterable[tuple[str, str] | KnownCity]) -> tuple[KnownCity, ...]:
    return tuple(KnownCity(*one) for one in named)


def _of(accept: Mapping[str, str], known: set[str]) -> dict[str, str]:
    """Return the accepted spellings of regions."""
    return {typed: name for typed, name in accept.items() if fold(name) in known}


def _but(accept: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    return {typed: name for typed, name in accept.items() if typed not in others}
