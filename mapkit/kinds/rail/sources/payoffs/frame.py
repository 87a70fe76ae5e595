"""Which rows and columns of a table are a payoff chart's names and amounts, and which are something else.

People put a title above a chart, numbers or regions before its names, sums behind its amounts, the names at both edges
or at the ends of rows, and notes below. Rows and columns are looked at in the same way, as *lines*. The line with the
most cities of the board (without a board: the most different texts) has the names; lines of other texts, numbers that
count up, and sums are left out, and a note says so. A line that could be anything else stays, and is an error later.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from mapkit.core.names import fold
from mapkit.formats.cells.table import Cell, shown
from mapkit.formats.marks import looks_like_amount

Rows = Sequence[tuple[Cell, ...]]
Labels = int | Literal["starts", "ends"]
"""The column of the rows' names; or they are the first, or last, filled cells of their rows."""

_EMPTY: Final = Cell("", "")
_SUMS: Final = frozenset(
    {"sum", "sums", "total", "totals", "average", "averages", "avg", "mean", "median", "min", "max"}
)
_COUNT: Final = re.compile(r"[#(]?(\d{1,4})[.):]?(?:\.0)?")
_COUNTED: Final = frozenset({"no", "nr", "number", "row", "index", "id", "col", "column", "#", ""})
_LEAST_COUNT, _LEAST_WITHOUT_BOARD = 3, 6
_MOST: Final = 0.9
_FEW: Final = 2
_SHOWN: Final = 3


@dataclass(frozen=True)
class Names:
    """What is known of names, whatever the table.

    Args:
        key: Folds a name so that two spellings of a city are one.
        known: Says whether a text is the name of a city; never without a board.
        near: Says whether a text may be a misspelt or cut name of a city.
        board: Whether there is a board.
    """

    key: Callable[[str], str]
    known: Callable[[str], bool]
    near: Callable[[str], bool]
    board: bool


@dataclass(frozen=True)
class Frame:
    """The chart within a table.

    Args:
        rows: Its rows: headers, and rows of a name and its amounts, in the order of the file.
        labels: Where the names of the rows stood.
        columns: The columns of the table that hold amounts, from 0.
        notes: What was recognised and what was left out.
    """

    rows: tuple[tuple[Cell, ...], ...]
    labels: Labels
    columns: tuple[int, ...]
    notes: tuple[str, ...]


def is_name(cell: Cell) -> bool:
    """Say whether a cell reads as a name, not as an amount."""
    return cell.number is None and _reads_as_name(cell.text)


@lru_cache(maxsize=10_000)
def _reads_as_name(text: str) -> bool:
    is_formula = text.startswith("=")
    return any(ch.isalpha() for ch in text) and not looks_like_amount(text) and not is_formula


def is_amount(cell: Cell) -> bool:
    """Say whether a cell holds something that is no name."""
    return bool(cell.text) and not is_name(cell)


def filled(cell: Cell) -> bool:
    """Say whether a cell holds anything."""
    return bool(cell.text or cell.problem)


def trimmed(row: Sequence[Cell]) -> int:
    """Return the length of a row without the empty cells at its end."""
    end = len(row)
    while end and not filled(row[end - 1]):
        end -= 1
    return end


def without_edges(rows: Rows, names: Names) -> tuple[list[tuple[Cell, ...]], list[str]]:
    """Leave out titles above a table and notes below it: rows of a single text that is no city's name."""
    notes: list[str] = []
    start, end = 0, len(rows)
    while start < end and _is_remark(rows[start], names, below=False):
        start += 1
    own = {names.key(cell.text) for row in rows[start:] if sum(map(filled, row)) > 1 for cell in row if is_name(cell)}
    certain = names.board or any(_is_header(row, 0, ()) for row in rows[start:])  # else it may be the last city
    while certain and end > start + 1 and _is_remark(rows[end - 1], names, below=True, own=own):
        end -= 1
    for row in (*rows[:start], *rows[end:]):
        cell = next(filter(filled, row))
        notes.append(f"{cell.where} was left out: {shown(cell.text)}")
    return list(rows[start:end]), notes


def _is_remark(row: Sequence[Cell], names: Names, *, below: bool, own: Iterable[str] = ()) -> bool:
    texts = [cell for cell in row if filled(cell)]
    if len(texts) != 1 or names.known(texts[0].text):
        return False
    if not below:
        return not names.near(texts[0].text)
    return is_name(texts[0]) and names.key(texts[0].text) not in own and not names.near(texts[0].text)


def without_counts(rows: Rows, names: Names) -> tuple[list[tuple[Cell, ...]], list[str]]:
    """Leave out columns and rows of numbers that count up, unless a city is above or before them."""
    notes: list[str] = []
    width = max(map(len, rows), default=0)
    counts = [k for k in range(width) if _counts([row[k] for row in rows if k < len(row)], names)]
    for k in counts:
        first = next(row[k] for row in rows if k < len(row) and _number(row[k]) is not None)
        notes.append(f"{first.where}: the column of numbers from {first.text} on was left out")
    kept = [tuple(cell for k, cell in enumerate(row) if k not in counts) for row in rows] if counts else list(rows)
    out = []
    for row in kept:
        if _counts(row, names):
            notes.append(f"{row[0].where}: the row of numbers was left out")
        else:
            out.append(row)
    return [row for row in out if any(map(filled, row))], notes


def _counts(line: Sequence[Cell], names: Names) -> bool:
    """Say whether a line holds nothing but numbers that go up by one, perhaps below a title that is no city's."""
    cells = [cell for cell in line if filled(cell)]
    while cells and _titles(cells[0], names):
        cells = cells[1:]
    while cells and _titles(cells[-1], names):
        cells = cells[:-1]
    numbers = [_number(cell) for cell in cells]
    if len(numbers) < (_LEAST_COUNT if names.board else _LEAST_WITHOUT_BOARD) or numbers[0] not in (0, 1):
        return False
    return all(number == numbers[0] + k for k, number in enumerate(numbers))


def _titles(cell: Cell, names: Names) -> bool:
    """Say whether a cell may be the title of a line of numbers."""
    if not is_name(cell):
        return False
    if not names.board:
        return fold(cell.text) in _COUNTED
    return not names.known(cell.text) and not names.near(cell.text)


def _number(cell: Cell) -> int | None:
    found = _COUNT.fullmatch(cell.text)
    return int(found[1]) if found else None


def framed(rows: Rows, names: Names) -> Frame:
    """Return the chart within a table whose titles, notes and counts are gone; all is kept where nothing is sure."""
    labels = _labels(rows, names)
    notes: list[str] = []
    if isinstance(labels, str):
        rows = [_label_first(row, labels) for row in rows]
        notes.append(f"names are taken from the {'beginnings' if labels == 'starts' else 'ends'} of rows")
        columns = tuple(range(max(map(len, rows), default=1) - 1))
        return Frame(tuple(with_one_header(rows, names, notes)), labels, columns, tuple(notes))
    shorter = [_without_end(row, labels, names) for row in rows]
    repeating = next((row[-1] for row, short in zip(rows, shorter, strict=True) if short is not row), None)
    if repeating is not None:
        notes.append(f"{repeating.where}: names repeated at the ends of rows were left out")
    rows = shorter
    width = max(map(len, rows), default=0)
    texts = {k: sum(k < len(row) and is_name(row[k]) for row in rows) for k in range(width)}
    beside = {k for k, count in texts.items() if 2 * count > len(rows) > _FEW}
    body = [row for row in rows if labels < len(row) and filled(row[labels]) and not _is_header(row, labels, beside)]
    heads = [row for row in rows if _is_header(row, labels, beside)]
    repeated = [k for k in range(width) if k != labels and _repeats(body, k, labels, names)]
    columns = tuple(
        k for k in range(width) if k != labels and k not in repeated and _amounts_in(k, labels, body, heads, names)
    )
    if repeated:
        notes.append(f"{_where(body, repeated[0])}: names repeated beside the rows were left out")
    for k in range(width):
        if k != labels and k not in columns and k not in repeated and any(filled(_at(row, k)) for row in rows):
            some = list(dict.fromkeys(shown(row[k].text) for row in body if k < len(row) and row[k].text))[:_SHOWN]
            notes.append(f"{_where(rows, k)}: a column beside the chart was left out ({', '.join(some) or 'empty'}...)")
    if labels:
        notes.append(f"{_where(body, labels)}: the names of the rows are in this column")
    out = []
    for row in rows:
        if _is_header(row, labels, beside) and _cornerless(row, labels, columns, names):
            out.append(row[next(k for k, cell in enumerate(row) if filled(cell)) :])
        else:
            out.append((_at(row, labels), *(row[k] for k in columns if k < len(row))))
    return Frame(tuple(with_one_header(out, names, notes)), labels, columns, tuple(notes))


def _at(row: Sequence[Cell], k: int) -> Cell:
    return row[k] if k < len(row) else _EMPTY._replace(where=row[0].where if row else "")


def _where(rows: Rows, k: int) -> str:
    return next((row[k].where for row in rows if k < len(row) and filled(row[k])), rows[0][0].where)


def _score(cells: Iterable[Cell], names: Names) -> int:
    """Return how many different cities a line names."""
    texts = [cell.text for cell in cells if is_name(cell)]
    if names.board:
        return len({names.key(text) for text in texts if names.known(text)})
    return len({names.key(text) for text in texts})


def _labels(rows: Rows, names: Names) -> Labels:
    """Return where the names of the rows are: the column with most cities, unless the beginnings or ends have more."""
    width = max(map(len, rows), default=0)
    scores = {k: _score((row[k] for row in rows if k < len(row)), names) for k in range(width)}
    best = max(scores, key=lambda k: (scores[k], -k), default=0)
    body = [row for row in rows if trimmed(row) and not _is_header(row, 0, ())]
    ends = [row[trimmed(row) - 1] for row in body]
    starts = [next(filter(filled, row)) for row in body]
    sides: dict[Labels, int] = {"starts": _score(starts, names), "ends": _score(ends, names)}
    for side in ("starts", "ends"):
        if sides[side] > scores.get(best, 0) and sides[side] >= _MOST * len(body):
            return "starts" if side == "starts" else "ends"
    return best if scores.get(best, 0) > 1 else 0


def _label_first(row: tuple[Cell, ...], side: str) -> tuple[Cell, ...]:
    """Move the name at the beginning or end of a row to its front; its own place stays, empty."""
    at = trimmed(row) - 1 if side == "ends" else next(k for k, cell in enumerate(row) if filled(cell))
    empty = Cell("", row[at].where)
    if side == "starts" and at == 0:
        return (row[0], empty, *row[1:])
    return (row[at], *row[:at], empty, *row[at + 1 :])


def _without_end(row: tuple[Cell, ...], labels: int, names: Names) -> tuple[Cell, ...]:
    """Drop the name of a row where it is repeated behind its amounts."""
    end = trimmed(row) - 1
    if end <= labels + 1 or not is_name(row[end]) or names.key(row[end].text) != names.key(row[labels].text):
        return row
    return row[:end]


def _is_header(row: Sequence[Cell], labels: int, beside: Collection[int]) -> bool:
    """Say whether a row has more names than amounts, apart from columns that are full of names."""
    cells = [cell for k, cell in enumerate(row) if k != labels and k not in beside]
    texts = sum(map(is_name, cells))
    return texts > sum(map(is_amount, cells)) and (texts > 1 or not filled(_at(row, labels)))


def _repeats(body: Rows, k: int, labels: int, names: Names) -> bool:
    """Say whether a column names the same cities as the labels do, row by row."""
    pairs = [(row[k], row[labels]) for row in body if k < len(row) and filled(row[k])]
    return len(pairs) > 1 and all(is_name(a) and names.key(a.text) == names.key(b.text) for a, b in pairs)


def _amounts_in(k: int, labels: int, body: Rows, heads: Rows, names: Names) -> bool:
    """Say whether a column may hold amounts: its header is a city's, or it has no other texts and is not a sum."""
    titles = [row[k] for row in heads if k < len(row) and filled(row[k])]
    if any(names.known(cell.text) for cell in titles):
        return True
    cells = [row[k] for row in body if k < len(row) and filled(row[k])]
    if any(fold(cell.text) in _SUMS for cell in titles):
        return False
    if not cells and not titles and (heads or k < labels):
        return False
    return 2 * sum(map(is_name, cells)) <= len(cells)


def _cornerless(row: Sequence[Cell], labels: int, columns: Sequence[int], names: Names) -> bool:
    """Say whether a header begins with its first city, without a cell above the labels."""
    cities = [k for k, cell in enumerate(row) if names.known(cell.text)]
    if not names.board:
        return False
    return any(k == labels or k not in columns for k in cities)


def with_one_header(rows: Rows, names: Names, notes: list[str]) -> list[tuple[Cell, ...]]:
    """Keep one of several headers on top of each other, or all of them joined; leave out sums and a repeated header."""
    out: list[tuple[Cell, ...]] = []
    block: list[tuple[Cell, ...]] = []
    first: tuple[Cell, ...] | None = None
    for k, row in enumerate(rows):
        if _is_header(row, 0, ()):
            block.append(row)
            if k < len(rows) - 1:
                continue
        if block:
            head = _best_header(block, names, notes)
            above = len(out) > 0
            if (
                first is not None
                and above
                and k == len(rows) - 1
                and _is_header(row, 0, ())
                and _same(head, first, names)
            ):
                notes.append(f"{head[0].where}: names repeated below the columns were left out")
                return out
            first = first or head
            out.append(head)
            block = []
            if _is_header(row, 0, ()):
                continue
        if fold(row[0].text) in _SUMS and not names.known(row[0].text):
            notes.append(f"{row[0].where}: the row {shown(row[0].text)} was left out")
            continue
        out.append(row)
    return out


def _best_header(block: Rows, names: Names, notes: list[str]) -> tuple[Cell, ...]:
    """Return the header with most cities: a row, or neighbouring rows whose words make up names."""
    if len(block) == 1:
        return block[0]
    options = [(row, [row]) for row in block]
    for start in range(len(block)):
        options += [(_joined(block[start:end]), list(block[start:end])) for end in range(start + 2, len(block) + 1)]
    head, used = max(options, key=lambda option: (_score(option[0], names), -len(option[1])))
    if len(used) > 1:
        notes.append(f"{used[0][0].where}: names are spread over {len(used)} rows")
    for row in block:
        if row not in used:
            some = list(dict.fromkeys(shown(cell.text) for cell in row[1:] if filled(cell)))[:_SHOWN]
            notes.append(f"{row[0].where}: a row beside the names was left out ({', '.join(some)}...)")
    return head


def _joined(rows: Rows) -> tuple[Cell, ...]:
    width = max(map(len, rows))
    out = []
    for k in range(width):
        cells = [_at(row, k) for row in rows]
        text = " ".join(cell.text for cell in cells if cell.text)
        out.append(next((cell for cell in cells if filled(cell)), cells[-1])._replace(text=text))
    return tuple(out)


def _same(one: Sequence[Cell], other: Sequence[Cell], names: Names) -> bool:
    def keys(row: Sequence[Cell]) -> list[str]:
        return [names.key(cell.text) for cell in row[1:] if is_name(cell)]

    return keys(one) == keys(other)
