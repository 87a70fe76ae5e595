"""Reading lists of prices of railroads from whatever file they come in (RB-C12): tables, text, PDFs, pictures."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, with_hints
from mapkit.core.names import fold
from mapkit.formats.cells.data import data_kind, parse_data
from mapkit.formats.cells.json_files import Plain
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot, shown
from mapkit.formats.cells.text import BLANKS, text_kind, text_table
from mapkit.formats.cells.xlsx import read_xlsx
from mapkit.formats.files import ZIP, read_text, start_of
from mapkit.formats.marks import is_mark, looks_like_amount
from mapkit.formats.pdf.lines import even_space, phrases, slack_lines
from mapkit.formats.pdf.matrix import CLEARER
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.recognising.scanned import Say, pages_of_file, too_small
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.price_list import ListedPrice, PriceList
from mapkit.kinds.rail.sources.amounts import read_amounts
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, key_of, nearly

_WIDE: Final = re.compile(r"\t|[ \u00a0]{2,}|\s*\|\s*|\s*[.·…_]{4,}\s*")
_LAST: Final = re.compile(r"(.*?[^\W\d].*?)\s+((?:US)?[$£€¥]?\d[\d,.' ]*)")
_GROUPED: Final = re.compile(r"[^,]*[^\W\d][^,]*[\s.$£€¥]\d{1,3},\d{3}\s*")
_KINDS: Final = frozenset(
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
"""Words of a railroad's name that lists leave out."""
_PRICE_KEYS: Final = ("price", "cost", "value")
_SEEN: Final = ("pdf", "picture")
_MOST_ROWS: Final = 20_000
_DEPTH: Final = 20


@dataclass(frozen=True)
class PriceOptions:
    """What the user says about a file of prices; everything else is inferred from it.

    Args:
        unit: Currency units that 1 in the file stands for.
        decimal: `.` or `,`.
        accept: Spellings -> id or name of the railroad, empty to leave it out.
        settled: Railroad, by id or typed name -> what its price is, where a picture leaves it in doubt.
        sheet: Sheet of a workbook.
        pages: The pages of a PDF that are read, from 1; all by default.
        say: Told what is being done where that takes long.
    """

    unit: int | None = None
    decimal: str | None = None
    accept: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    pages: tuple[int, ...] = ()
    say: Say | None = None


@dataclass(frozen=True)
class _Entry:
    """A name and an amount that stand side by side; `railroad` is empty where the user leaves the name out."""

    railroad: str
    typed: str
    amount: Cell


def read_price_list(path: Path, board: Board, *, file: str, options: PriceOptions | None = None) -> PriceList:
    """Return the prices of a board's railroads in a file.

    A name and the amount behind it are a price; a row may have several. Numbers of rows before the names do not count.

    Args:
        path: The file.
        board: The board whose railroads they are.
        file: What to call the file in messages.
        options: What the user says about it.

    Raises:
        ChoiceError: It is a picture, and the extra for pictures is not installed.
        SourceError: It holds no prices, or a railroad that the board has not, or one twice; every problem is listed.
        WorkspaceError: It is missing or may not be read.
    """
    given = options or PriceOptions()
    kind, rows, hints = _rows(path, file, given)
    with with_hints(hints):
        return _listed(rows, kind, board, file, given)


def _listed(rows: list[list[Cell]], kind: str, board: Board, file: str, given: PriceOptions) -> PriceList:
    names = _Names(board, given.accept, file)
    problems = Problems()
    entries = _entries(rows, names, problems)
    if not entries:
        entries = _entries([row[::-1] for row in rows], names, problems)
    if entries or kind not in _SEEN:  # else no name there is a railroad, and each would be a problem
        problems.raise_if_any()
    if not any(one.railroad for one in entries):
        if not any(cell.text.strip() for row in rows for cell in row):
            raise SourceError(f"{file}: no prices found: no text was seen; {CLEARER}")
        raise SourceError(f"{file}: no prices found: no row has a railroad of {board.title} and an amount")
    names.refuse_unused()
    return _priced([one for one in entries if one.railroad], board, kind, file, given, names.notes)


def _priced(
    entries: Sequence[_Entry], board: Board, kind: str, file: str, given: PriceOptions, notes: Mapping[str, str]
) -> PriceList:
    problems = Problems()
    railroads = {railroad.id: railroad for railroad in board.railroads}
    settled = _settled(given.settled, board)
    cells = [
        one.amount._replace(text=settled[one.railroad], number=None, problem="", spot=None)
        if one.railroad in settled
        else one.amount
        for one in entries
    ]
    amounts = read_amounts(cells, file=file, unit=given.unit, decimal=given.decimal, payoff_unit=1)
    found: dict[str, ListedPrice] = {}
    for one, cell, value, why in zip(entries, cells, amounts.values, amounts.why_not, strict=True):
        railroad = railroads[one.railroad]
        if value is None or why or value != int(value):
            problems.add(f"{cell.where}: {shown(cell.text)} is not a price: {why or 'give whole money'}")
            continue
        if (other := found.get(one.railroad)) is not None:
            if other.price != value:
                problems.add(f"{cell.where}: {railroad.name} is {other.text!r} at {other.where} already; keep one")
            continue
        spot = cell.spot
        found[one.railroad] = ListedPrice(
            railroad=railroad.id,
            name=railroad.name,
            typed=one.typed,
            text=cell.text,
            price=int(value),
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
        prices=tuple(found[ident] for ident in railroads if ident in found),
        lacking=tuple(railroad.name for ident, railroad in railroads.items() if ident not in found),
        notes=tuple(notes[text] for text in sorted(notes)),
    )


def _settled(given: Mapping[str, str], board: Board) -> dict[str, str]:
    known = {fold(text): one.id for one in board.railroads for text in (one.id, one.short, one.name)}
    for typed, amount in given.items():
        if fold(typed) not in known:
            raise SourceError(f"--accept {typed}={amount}: {typed!r} is not a railroad of {board.title}; give its id")
    return {known[fold(typed)]: amount for typed, amount in given.items()}


# Rows of a file


def _rows(path: Path, file: str, given: PriceOptions) -> tuple[str, list[list[Cell]], list[str]]:
    """Return the kind of a file, its rows, and what may be why it is not read."""
    start = start_of(path, file)
    pages = pages_of_file(path, start, file=file, chosen=given.pages, say=given.say)
    if pages is not None:
        return pages.kind, _of_pages(pages.pages, file), too_small(pages.pages, file=file, failed=True)
    if start.startswith(ZIP):
        return "xlsx", [list(row) for row in read_xlsx(path, file=file, sheet=given.sheet).rows], []
    text = read_text(path, name=file, in_pages=True)
    kind = data_kind(text, path)
    if kind is not None:
        return kind, _of_data(parse_data(text, kind, file=file), f"{file}: $", 0), []
    kind = "text" if _only_commas_in_amounts(text) else text_kind(text)
    if kind in ("text", BLANKS):
        kind, rows = "text", _of_text(text, file)
    else:
        rows = [list(row) for row in text_table(text, kind, file=file).rows]
    if len(rows) > _MOST_ROWS:
        raise SourceError(f"{file}: {len(rows)} rows, the limit is {_MOST_ROWS}; give the list of prices alone")
    return kind, rows, []


def _only_commas_in_amounts(text: str) -> bool:
    """Say whether the commas of a text are those of amounts such as 30,000 at the ends of its lines."""
    lines = [line for line in text.split("\n") if "," in line]
    return 2 * sum(_GROUPED.fullmatch(line) is not None for line in lines) > len(lines)


def _of_text(text: str, file: str) -> list[list[Cell]]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        parts = [part for part in _WIDE.split(line.strip()) if part]
        cells = []
        for part in parts:
            found = _LAST.fullmatch(part) if len(part) <= MAX_TEXT else None
            cells += [found[1], found[2]] if found else [part]
        rows.append([Cell(part, f"{file}:{number}:{at}") for at, part in enumerate(cells, start=1)])
    return [row for row in rows if row]


def _of_pages(pages: Sequence[Page], file: str) -> list[list[Cell]]:
    rows = []
    for page in pages:
        lines = slack_lines(page.words)
        space = even_space(lines, _is_figure)
        for number, line in enumerate(lines, start=1):
            words = phrases(line.words, space=space, apart=_is_figure)
            rows.append([_cell(word, f"{file}:page {page.number}, line {number}") for word in words])
    return rows


def _is_figure(text: str) -> bool:
    return looks_like_amount(text) and not is_mark(text)


def _cell(word: Word, where: str) -> Cell:
    doubt = "" if word.sure else "two readings differ or are not clear"
    spot = Spot(word.page, word.box, word.confidence, word.how, doubt, word.others)
    return Cell(word.text, where, spot=spot)


def _of_data(data: Plain, where: str, depth: int) -> list[list[Cell]]:
    """Return rows of nested data: `{name: price}` at any depth, or objects with a name and a price."""
    rows: list[list[Cell]] = []
    if depth > _DEPTH:
        return rows
    if isinstance(data, list):
        for at, one in enumerate(data):
            rows += _of_data(one, f"{where}[{at}]", depth + 1)
    if isinstance(data, dict):
        price = next((key for key in data if fold(key) in _PRICE_KEYS and _is_plain(data[key])), None)
        if price is not None:
            texts = [str(value) for key, value in data.items() if key != price and isinstance(value, str)]
            rows.append([Cell(text, where) for text in texts] + [Cell(str(data[price]), f"{where}.{price}")])
            return rows
        for key, value in data.items():
            if _is_plain(value):
                rows.append([Cell(key, where), Cell(str(value), f"{where}.{key[:80]}")])
            else:
                rows += _of_data(value, f"{where}.{key[:80]}", depth + 1)
    return rows


def _is_plain(value: Plain) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


# Names


class _Names:
    """Finds railroads by what lists call them: id, short name, name, with or without `Railroad` and the like."""

    def __init__(self, board: Board, accept: Mapping[str, str], file: str) -> None:
        known = [KnownCity(one.id, one.name) for one in board.railroads]
        self.names = CityNames(board.title, known, accept, what="railroad")
        self.shorts = {fold(one.short): one.id for one in board.railroads}
        self.of_id = {one.id: one.name for one in board.railroads}
        self.file = file
        self.notes: dict[str, str] = {}
        self._seen: list[str] = []
        self._bare: dict[str, set[str]] = {}
        for one in board.railroads:
            self._bare.setdefault(_bare(one.name), set()).add(one.id)

    def find(self, cell: Cell) -> str | None:
        """Return the id of a railroad, empty for a name that the user leaves out, None for any other text."""
        text = cell.text
        self._seen.append(text)
        if not text or len(text) > MAX_TEXT:
            return None
        ident = self._known(text)
        if ident is None:
            ident = self._with_short(text)
        if (
            ident is None
            and cell.spot is not None
            and cell.spot.how == "picture"
            and (near := nearly(text, [self.names]))
        ):
            self.notes[text] = f"{self.file}: {text!r} in the picture is taken for {near}"
            ident = next(one for one, name in self.of_id.items() if name == near)
        return ident

    def _known(self, text: str) -> str | None:
        found = self.names.find(text)
        if not isinstance(found, str):
            return found.city
        bare = self._bare.get(_bare(text), set())
        return self.shorts.get(fold(text)) or (next(iter(bare)) if len(bare) == 1 else None)

    def _with_short(self, text: str) -> str | None:
        """Return the id of a railroad whose name and short name stand in one text: `Pennsylvania (PA)`."""
        words = text.split()
        if len(words) < 2:  # noqa: PLR2004 - one word holds no two names
            return None
        for short, rest in ((words[-1], words[:-1]), (words[0], words[1:])):
            ident = self.shorts.get(fold(short.strip("()[],;:")))
            if ident is not None and self._known(" ".join(rest)) == ident:
                return ident
        return None

    def why_not(self, text: str) -> str:
        """Say why a name is not that of a railroad, with those that are near."""
        return str(self.names.find(text))

    def refuse_unused(self) -> None:
        """Raise an error about accepted spellings that the file has not."""
        if unused := self.names.unused(self._seen):
            lines = [
                f"{self.file}: --accept {one}=...: the file has no such name; correct it or drop it" for one in unused
            ]
            raise SourceError("\n".join(lines))


def _bare(name: str) -> str:
    """Return a name's letters without words like `Railroad`, and without `and`."""
    plain = name.casefold().replace("&", " ").replace(".", "")
    return key_of(" ".join(word for word in re.split(r"[^\w]+", plain) if word and word not in _KINDS))


def _entries(rows: Iterable[Sequence[Cell]], names: _Names, problems: Problems) -> list[_Entry]:
    """Return names with the amounts behind them."""
    out: list[_Entry] = []
    for row in rows:
        waiting: list[Cell] = []
        for cell in row:
            if not _is_figure(cell.text):
                waiting.append(cell)
                continue
            hits = {ident: one for one in waiting if (ident := names.find(one)) is not None}
            real = {ident: one for ident, one in hits.items() if ident}
            if len(real) > 1:
                both = " and ".join(names.of_id[ident] for ident in real)
                problems.add(
                    f"{cell.where}: {shown(cell.text)} may be the price of {both}; leave one out with --accept"
                )
            elif real:
                out += [_Entry(ident, one.text, cell) for ident, one in real.items()]
            elif hits:
                out += [_Entry("", one.text, cell) for one in hits.values()]
            elif unknown := [one for one in waiting if fold(one.text)]:
                problems.add(f"{unknown[0].where}: {names.why_not(unknown[0].text)}")
            waiting = []
    return out
