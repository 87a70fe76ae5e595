"""Readers of price lists of railroads (RB-C12) in tables, text, PDFs and pictures."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError, SourceError, prepend_hints
from mapkit.core.names import fold
from mapkit.formats.cells.aligned import read_aligned_pages
from mapkit.formats.cells.data import infer_data_kind, parse_data
from mapkit.formats.cells.json_files import Plain
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot, quote_text, transpose_rows
from mapkit.formats.cells.text import BLANKS, infer_text_kind, read_text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_start, read_text
from mapkit.formats.marks import has_figures
from mapkit.formats.page_files import Say, read_file_pages, small_digit_warnings
from mapkit.formats.pdf.lines import group_slack_lines, join_phrases, measure_word_space
from mapkit.formats.pdf.matrix import CLEARER
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.price_list import ListedPrice, PriceList
from mapkit.kinds.rail.sources.amounts import read_amounts
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, find_similar_name, name_to_key
from mapkit.kinds.rail.sources.payoffs.typed_options import BoxOption
from mapkit.operations.options import Flag, Hidden

_WIDE_BLANK: Final = re.compile(r"\t|[ \u00a0]{2,}|\s*\|\s*|\s*[.·…_]{4,}\s*")
_TRAILING_AMOUNT: Final = re.compile(r"(.*?[^\W\d].*?)\s+((?:US)?[$£€¥]?\d[\d,.' ]*)")
_NO_DELIMITER: Final = re.compile(r"(?<=\d),(?=\d{3}\b)|, |^\s*\[\d+,\]")
"""A comma of an amount, of a name, or of a row number."""
_NAME_ENDS: Final = " -\u2013\u2014:.·…_"
_TOTALS: Final = frozenset(("total", "totals", "sum", "all"))
_GENERIC_WORDS: Final = frozenset(
    (
        "railroad",
        "railway",
        "railways",
        "railroads",
        "rr",
        "ry",
        "rly",
        "co",
        "company",
        "line",
        "lines",
        "system",
        "the",
    )
)
"""Words of railroad names that lists often omit."""
_PRICE_KEYS: Final = ("price", "cost", "value")
_OPTICAL_KINDS: Final = ("pdf", "picture")
_CUT: Final = 8
"""Least number of letters of a name that is cut on a page."""
_MONEY_SIGN: Final = re.compile(r"[$£€¥]|US")
_MAX_ROWS: Final = 20_000
_MAX_DEPTH: Final = 20
_AMOUNT: Final = re.compile(r"[$£€¥]?\d[\d.,' ]*")
_TYPED: Final = "mapkit.kinds.rail.sources.payoffs.typed_options"


@dataclass(frozen=True)
class PriceOptions:
    """Settings of the user for a file of prices; everything else is inferred.

    Attributes:
        unit: What 1 in the file is worth; inferred from the numbers if not given.
        decimal: The decimal sign; inferred from the numbers if not given.
        accept: This spelling is that railroad (id or name); - leaves it out. RAILROAD=AMOUNT says what its price is in
            a picture. Repeatable.
        settled: Railroad, by id or typed name -> confirmed price, for doubtful cells of a picture.
        sheet: The sheet, if a workbook has several.
        pages: The pages of a PDF that hold the list; all by default.
        box: Where the list is on its page: points of a PDF, pixels of a picture, from the top left.
        say: Receiver of progress messages of slow steps.
    """

    unit: Annotated[int | None, Flag("-u", "dollars|thousands|N", parse=f"{_TYPED}:parse_unit")] = None
    decimal: Annotated[str | None, Flag("", ".|,", parse=f"{_TYPED}:parse_decimal")] = None
    accept: Annotated[
        Mapping[str, str] | None,
        Flag("-a", "TYPED=RAILROAD", reading="settings", parse=f"{_TYPED}:parse_accepted_cities"),
    ] = None
    settled: Annotated[Mapping[str, str], Hidden] = field(default_factory=dict)
    sheet: Annotated[str | None, Flag("", "NAME")] = None
    pages: Annotated[Sequence[int], Flag("", "3-4,7", reading="commas", parse=f"{_TYPED}:parse_pages")] = ()
    box: BoxOption = None
    say: Annotated[Say | None, Hidden] = None


@dataclass(frozen=True)
class _Entry:
    """Adjacent name and amount; `railroad` is empty for a name that the user leaves out."""

    railroad: str
    typed: str
    amount: Cell


def read_price_list(path: Path, board: Board, *, file: str, options: PriceOptions | None = None) -> PriceList:
    """Return the prices of a board's railroads in a file.

    A name and the amount behind it form a price; a row may have several. Row numbers before the names are ignored.

    Args:
        path: The file.
        board: The board of the railroads.
        file: Name of the file in messages.
        options: Settings of the user.

    Raises:
        ChoiceError: It is a picture, and the extra for pictures is not installed.
        SourceError: It has no prices, an unknown railroad, or a railroad twice; the error lists every problem.
        WorkspaceError: It is missing or may not be read.
    """
    price_options = _part_amounts(options or PriceOptions())
    kind, rows, columns, size_hints = _split_rows(path, file, price_options)
    with prepend_hints(size_hints):
        railroad_names = _RailroadNames(board, price_options.accept or {}, file)
        problems = Problems()
        price_entries: list[_Entry] = []
        for some_rows in (rows, [row[::-1] for row in rows], columns):
            price_entries = price_entries or _find_entries(some_rows, railroad_names, problems)
        if price_entries or kind not in _OPTICAL_KINDS:  # otherwise no name is a railroad, and each would be a problem
            problems.raise_if_any()
        if not any(price_entry.railroad for price_entry in price_entries):
            if not any(cell.text.strip() for row in rows for cell in row):
                raise SourceError(f"{file}: no prices found: no table of clear text was seen; {CLEARER}")
            raise SourceError(f"{file}: no prices found: no row has a railroad of {board.title} and an amount")
        railroad_names.refuse_unused()
        return _price_entries(
            [price_entry for price_entry in price_entries if price_entry.railroad],
            board,
            kind,
            file,
            price_options,
            railroad_names.notes,
        )


def _part_amounts(options: PriceOptions) -> PriceOptions:
    """Return options with the accepted amounts among the settled prices."""
    accepted = options.accept or {}
    amounts = {typed: text for typed, text in accepted.items() if _AMOUNT.fullmatch(text)}
    names = {typed: text for typed, text in accepted.items() if typed not in amounts}
    return replace(options, accept=names, settled={**options.settled, **amounts})


def _price_entries(
    entries: Sequence[_Entry], board: Board, kind: str, file: str, options: PriceOptions, notes: Mapping[str, str]
) -> PriceList:
    problems = Problems()
    railroad_by_id = {railroad.id: railroad for railroad in board.railroads}
    settled_prices = _resolve_settled(options.settled, board)
    cells = [
        price_entry.amount._replace(text=settled_prices[price_entry.railroad], number=None, problem="", spot=None)
        if price_entry.railroad in settled_prices
        else price_entry.amount
        for price_entry in entries
    ]
    amounts = read_amounts(cells, file=file, unit=options.unit, decimal=options.decimal, payoff_unit=1)
    price_by_railroad: dict[str, ListedPrice] = {}
    for price_entry, cell, price_value, problem in zip(entries, cells, amounts.values, amounts.why_not, strict=True):
        railroad = railroad_by_id[price_entry.railroad]
        if price_value is None or problem or price_value != int(price_value):
            problems.add(f"{cell.where}: {quote_text(cell.text)} is not a price: {problem or 'give whole money'}")
            continue
        if (earlier_price := price_by_railroad.get(price_entry.railroad)) is not None:
            if earlier_price.price != price_value:
                problems.add(
                    f"{cell.where}: {railroad.name} is {earlier_price.text!r} at {earlier_price.where} "
                    "already; keep one"
                )
            continue
        spot = cell.spot
        price_by_railroad[price_entry.railroad] = ListedPrice(
            railroad=railroad.id,
            name=railroad.name,
            typed=price_entry.typed,
            text=cell.text,
            price=int(price_value),
            board=railroad.price,
            where=cell.where,
            doubt=spot.doubt if spot else "",
            candidates=spot.candidates if spot else (),
        )
    problems.raise_if_any()
    return PriceList(
        file=file,
        kind=kind,
        unit=amounts.unit,
        unit_why=amounts.unit_why,
        prices=tuple(
            price_by_railroad[railroad_id] for railroad_id in railroad_by_id if railroad_id in price_by_railroad
        ),
        lacking=tuple(
            railroad.name for railroad_id, railroad in railroad_by_id.items() if railroad_id not in price_by_railroad
        ),
        notes=tuple(notes[text] for text in sorted(notes)),
    )


def _resolve_settled(settled_amounts: Mapping[str, str], board: Board) -> dict[str, str]:
    id_by_fold = {
        fold(text): railroad.id for railroad in board.railroads for text in (railroad.id, railroad.short, railroad.name)
    }
    for typed, amount in settled_amounts.items():
        if fold(typed) not in id_by_fold:
            raise ChoiceError(f"--accept {typed}={amount}: {typed!r} is not a railroad of {board.title}; give its id")
    return {id_by_fold[fold(typed)]: amount for typed, amount in settled_amounts.items()}


# Rows of a file


def _split_rows(
    path: Path, file: str, options: PriceOptions
) -> tuple[str, list[list[Cell]], Sequence[Sequence[Cell]], list[str]]:
    """Return the kind of a file, its rows, its columns, and possible reasons for failures."""
    first_bytes = read_start(path, file)
    page_file = read_file_pages(path, first_bytes, file=file, chosen=options.pages, box=options.box, say=options.say)
    if page_file is not None:
        return (
            page_file.kind,
            _rows_of_pages(page_file.pages, file),
            _columns_of_pages(page_file.pages, file),
            small_digit_warnings(page_file.pages, file=file, failed=True),
        )
    if first_bytes.startswith(ZIP):
        rows = _split_cells(read_xlsx(path, file=file, sheet=options.sheet).rows)
        return "xlsx", rows, transpose_rows(rows), []
    text = read_text(path, name=file, in_pages=True)
    file_kind = infer_data_kind(text, path)
    if file_kind is not None:
        rows = _rows_of_data(parse_data(text, file_kind, file=file), f"{file}: $", 0)
        return file_kind, rows, transpose_rows(rows), []
    lines = [line for line in text.split("\n") if "," in line]
    file_kind = infer_text_kind(text)
    plain_lines = sum("," not in _NO_DELIMITER.sub("", line) for line in lines)
    if file_kind == "csv" and 2 * plain_lines > len(lines) and '"' not in text:
        file_kind = "text"
    if file_kind in ("text", BLANKS):
        text_rows = []
        for line_number, line in enumerate(text.split("\n"), start=1):
            line_parts = [part for part in _WIDE_BLANK.split(re.sub(r"^\s*\[\d+,\]", "", line).strip()) if part]
            row_texts = [text for part in line_parts for text in _split_amount(part)]
            text_rows.append(
                [
                    Cell(part, f"{file}:{line_number}:{column_number}")
                    for column_number, part in enumerate(row_texts, start=1)
                ]
            )
        file_kind, rows = "text", [row for row in text_rows if row]
    else:
        rows = _split_cells(read_text_table(text, file_kind, file=file).rows)
    if len(rows) > _MAX_ROWS:
        raise SourceError(f"{file}: {len(rows)} rows, the limit is {_MAX_ROWS}; give the list of prices alone")
    return file_kind, rows, transpose_rows(rows), []


def _split_cells(rows: Iterable[Sequence[Cell]]) -> list[list[Cell]]:
    """Return rows with a name and an amount in one cell as two cells."""
    return [[part for cell in row for part in _split_cell(cell)] for row in rows]


def _split_cell(cell: Cell) -> list[Cell]:
    parts = _split_amount(cell.text)
    return [cell] if len(parts) == 1 else [Cell(part, cell.where) for part in parts]


def _split_amount(text: str) -> list[str]:
    """Return a name and the amount behind it, or the text alone."""
    amount_match = _TRAILING_AMOUNT.fullmatch(text) if len(text) <= MAX_TEXT else None
    return [amount_match[1], amount_match[2]] if amount_match else [text]


def _rows_of_pages(pages: Sequence[Page], file: str) -> list[list[Cell]]:
    page_rows = []
    for page in pages:
        text_lines = group_slack_lines(page.words)
        word_space = measure_word_space(text_lines, has_figures)
        for line_number, line in enumerate(text_lines, start=1):
            words = join_phrases(line.words, space=word_space, apart=has_figures)
            page_rows.append([_word_to_cell(word, f"{file}:page {page.number}, line {line_number}") for word in words])
    return page_rows


def _columns_of_pages(pages: Sequence[Page], file: str) -> Sequence[Sequence[Cell]]:
    """Return the columns of pages with words above each other; none if nothing is on them."""
    if not any(page.words for page in pages):
        return []
    return transpose_rows(read_aligned_pages(pages, _word_to_cell, file=file, kind="pdf").rows)


def _word_to_cell(word: Word, where: str) -> Cell:
    doubt = "" if word.sure else "two readings differ or are not clear"
    spot = Spot(word.page, word.box, word.confidence, word.how, doubt, word.others)
    return Cell(word.text, where, spot=spot)


def _rows_of_data(data: Plain, where: str, depth: int) -> list[list[Cell]]:
    """Return rows of nested data: `{name: price}` at any depth, or objects with a name and a price."""
    data_rows: list[list[Cell]] = []
    if depth > _MAX_DEPTH:
        return data_rows
    if isinstance(data, list):
        for item_index, list_item in enumerate(data):
            data_rows += _rows_of_data(list_item, f"{where}[{item_index}]", depth + 1)
    if isinstance(data, dict):
        price_key = next((key for key in data if fold(key) in _PRICE_KEYS and _is_plain(data[key])), None)
        if price_key is not None:
            name_texts = [str(value) for key, value in data.items() if key != price_key and isinstance(value, str)]
            data_rows.append(
                [Cell(text, where) for text in name_texts] + [Cell(str(data[price_key]), f"{where}.{price_key}")]
            )
            return data_rows
        for key, value in data.items():
            if _is_plain(value):
                data_rows.append([Cell(key, where), Cell(str(value), f"{where}.{key[:80]}")])
            else:
                data_rows += _rows_of_data(value, f"{where}.{key[:80]}", depth + 1)
    return data_rows


def _is_plain(value: Plain) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


# Names


class _RailroadNames:
    """Index of railroads by id, short name and name, with or without words such as `Railroad`."""

    def __init__(self, board: Board, accept: Mapping[str, str], file: str) -> None:
        known_railroads = [KnownCity(railroad.id, railroad.name) for railroad in board.railroads]
        self.names = CityNames(board.title, known_railroads, accept, what="railroad")
        self.shorts = {
            fold(text): railroad.id for railroad in board.railroads for text in (railroad.id, railroad.short)
        }
        self.of_id = {railroad.id: railroad.name for railroad in board.railroads}
        self.file = file
        self.notes: dict[str, str] = {}
        self._seen: list[str] = []
        self._bare: dict[str, set[str]] = {}
        for railroad in board.railroads:
            self._bare.setdefault(_bare_name(railroad.name), set()).add(railroad.id)

    def find(self, cell: Cell) -> str | None:
        """Return the id of a railroad, empty for a name that the user leaves out, None for any other text."""
        text = cell.text
        self._seen.append(text)
        if not text or len(text) > MAX_TEXT:
            return None
        railroad_id = next(
            (
                found_id
                for name in dict.fromkeys((text, text.strip(_NAME_ENDS)))
                for find_name in (self._find_by_name, self._find_by_both_names)
                if (found_id := find_name(name)) is not None
            ),
            None,
        )
        if railroad_id is None and cell.spot is not None:
            similar_name = find_similar_name(text, [self.names]) if cell.spot.how == "picture" else ""
            cut_names = [name for name in self.of_id.values() if len(text) >= _CUT and name.startswith(text)]
            if similar_name or len(cut_names) == 1:
                similar_name = similar_name or cut_names[0]
                self.notes[text] = f"{self.file}: {text!r} on the page is taken for {similar_name}"
                railroad_id = next(own_id for own_id, name in self.of_id.items() if name == similar_name)
        return railroad_id

    def _find_by_name(self, text: str) -> str | None:
        name_match = self.names.find(text)
        if not isinstance(name_match, str):
            return name_match.city
        bare_matches = self._bare.get(_bare_name(text), set())
        return self.shorts.get(fold(text)) or (next(iter(bare_matches)) if len(bare_matches) == 1 else None)

    def _find_by_both_names(self, text: str) -> str | None:
        """Return the id of a railroad with name and short name in one text: `Pennsylvania (PA)`."""
        words = text.split()
        if len(words) < 2:  # noqa: PLR2004 - one word holds no two names
            return None
        for short_text, other_words in ((words[-1], words[:-1]), (words[0], words[1:])):
            railroad_id = self.shorts.get(fold(short_text.strip("()[],;:")))
            if railroad_id is not None and self._find_by_name(" ".join(other_words)) == railroad_id:
                return railroad_id
        return None

    def why_not(self, text: str) -> str:
        """Return the reason why a name is not a railroad, with similar names."""
        return str(self.names.find(text))

    def refuse_unused(self) -> None:
        """Raise an error for accepted spellings that the file does not have."""
        if unused_names := self.names.unused(self._seen):
            problem_lines = [
                f"{self.file}: --accept {unused_name}=...: the file has no such name; correct it or drop it"
                for unused_name in unused_names
            ]
            raise SourceError("\n".join(problem_lines))


def _bare_name(name: str) -> str:
    """Return a name's letters without words like `Railroad`, and without `and`."""
    plain_name = name.casefold().replace("&", " ").replace(".", "")
    return name_to_key(
        " ".join(word for word in re.split(r"[^\w]+", plain_name) if word and word not in _GENERIC_WORDS)
    )


def _find_entries(rows: Iterable[Sequence[Cell]], names: _RailroadNames, problems: Problems) -> list[_Entry]:
    """Return names with the amounts behind them."""
    price_entries: list[_Entry] = []
    price_columns: set[int] = set()
    for row in rows:
        price_columns = {k for k, cell in enumerate(row) if fold(cell.text) in _PRICE_KEYS} or price_columns
        for name_cells, amount_columns in _group_row(row):
            amount = _choose_amount(row, amount_columns, price_columns)
            cell_by_railroad = {
                railroad_id: name_cell for name_cell in name_cells if (railroad_id := names.find(name_cell)) is not None
            }
            included_cells = {
                railroad_id: name_cell for railroad_id, name_cell in cell_by_railroad.items() if railroad_id
            }
            if len(included_cells) > 1:
                railroad_names = " and ".join(names.of_id[railroad_id] for railroad_id in included_cells)
                problems.add(
                    f"{row[amount_columns[0]].where}: {quote_text(row[amount_columns[0]].text)} may be the price of "
                    f"{railroad_names}; leave one out with --accept"
                )
            elif included_cells and amount is None:
                texts = " or ".join(quote_text(row[k].text) for k in amount_columns)
                problems.add(
                    f"{row[amount_columns[0]].where}: the price of {names.of_id[next(iter(included_cells))]} may be "
                    f"{texts}; write Price above its column"
                )
            elif cell_by_railroad and amount is not None:
                price_entries += [
                    _Entry(railroad_id, name_cell.text, amount)
                    for railroad_id, name_cell in cell_by_railroad.items()
                    if railroad_id or not included_cells
                ]
            elif unknown_cells := [name_cell for name_cell in name_cells if fold(name_cell.text) not in {"", *_TOTALS}]:
                problems.add(f"{unknown_cells[0].where}: {names.why_not(unknown_cells[0].text)}")
    return price_entries


def _group_row(row: Sequence[Cell]) -> list[tuple[list[Cell], list[int]]]:
    """Return the texts of a row, each with the columns of the amounts behind them."""
    groups: list[tuple[list[Cell], list[int]]] = [([], [])]
    for k, cell in enumerate(row):
        if has_figures(cell.text):
            if groups[-1][0]:
                groups[-1][1].append(k)
        elif groups[-1][1] and cell.text:
            groups.append(([cell], []))
        else:
            groups[-1][0].append(cell)
    return [(texts, columns) for texts, columns in groups if columns]


def _choose_amount(row: Sequence[Cell], columns: Sequence[int], price_columns: AbstractSet[int]) -> Cell | None:
    """Return the price among the amounts behind a name: the only one, below a heading, or with a sign of money."""
    below_heading = [k for k in columns if k in price_columns]
    with_sign = [k for k in columns if _MONEY_SIGN.search(row[k].text)]
    for chosen in (columns, below_heading, with_sign):
        if len(chosen) == 1:
            return row[chosen[0]]
    return None
