"""Which amount of a table belongs to which two cities: squares, triangles and lists of pairs, packed or in place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.formats.cells.table import Cell, Table, shown
from mapkit.formats.marks import is_mark
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.sources.payoffs.frame import (
    Names,
    framed,
    is_amount,
    is_name,
    trimmed,
    with_one_header,
    without_counts,
    without_edges,
)

Key = Callable[[str], str]
"""Folds a name so that two spellings of a city are one; unknown names fold to something too."""

PAIR = 3
_WIDEST_PAIRS = 8
_MOST = 0.9
PAYS = ("payoff", "pay", "amount", "value", "thousands", "dollars")


@dataclass(frozen=True)
class AmountBlock:
    """Names and the amounts between them: `cells` holds `(index in rows, index in cols, amount)`.

    Args:
        rows: Names, one a row; in a list of pairs the first names.
        cols: The same for columns.
        cells: The amounts.
        layout: How the amounts stood.
        axes: True if a name may stand only once in `rows` and once in `cols`.
    """

    rows: tuple[Cell, ...]
    cols: tuple[Cell, ...]
    cells: tuple[tuple[int, int, Cell], ...]
    layout: str
    axes: bool = True


def blocks_of(table: Table, *, file: str, names: Names) -> tuple[list[AmountBlock], list[str]]:
    """Return the blocks of a table, and notes on what was left out.

    A table may have several headers, as a chart printed on several pages has; each begins a block.

    Raises:
        SourceError: Rows have more or fewer amounts than any layout has, or amounts do not line up.
    """
    rows, notes = without_edges(table.rows, names)
    if table.kind != "text":  # there an amount has no column
        rows, counts = without_counts(rows, names)
        notes += counts
    if not rows:
        raise SourceError(f"{file}: no amounts; is this a payoff chart?")
    if _is_pairs(rows):
        return [_pairs(rows, file)], notes
    if table.kind == "text":
        rows = with_one_header(rows, names, notes)
    else:
        frame = framed(rows, names)
        rows = list(frame.rows)
        notes += frame.notes
    pieces = list(_pieces(rows))
    if any(header is None for header, _ in pieces):
        notes.append("no header: columns are taken in the order of the rows")
    blocks = [_block(header, body, table, key=names.key, known=names.known) for header, body in pieces]
    if not any(block.cells for block in blocks):
        raise SourceError(f"{file}: no amounts in it; is it a payoff chart?")
    return blocks, notes


def _pieces(rows: Sequence[tuple[Cell, ...]]) -> Iterator[tuple[tuple[Cell, ...] | None, list[tuple[Cell, ...]]]]:
    """Yield each header with the rows below it; a header may be missing, or stand below all rows."""
    header: tuple[Cell, ...] | None = None
    body: list[tuple[Cell, ...]] = []
    for at, row in enumerate(rows):
        if not _is_header(row):
            body.append(row)
            continue
        if header is None and body and at == len(rows) - 1:
            yield row, body
            return
        if header is not None and not body:
            raise SourceError(
                f"{row[0].where}: a second header right below the first; keep only the one with the cities"
            )
        if body:
            yield header, body
        header, body = row, []
    if header is not None and not body:
        raise SourceError(f"{header[0].where}: no rows below the header; each needs a city and its amounts")
    if body:
        yield header, body


def _is_header(row: tuple[Cell, ...]) -> bool:
    names = sum(map(is_name, row[1:]))
    return names > sum(map(is_amount, row[1:]))


def _is_pairs(rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Say whether rows hold two names and an amount each."""
    body = [row for row in rows[1:] or rows if trimmed(row)]
    if any(not PAIR - 1 <= trimmed(row) <= _WIDEST_PAIRS for row in rows):
        return False
    like = [
        row for row in body if len(row) >= PAIR and is_name(row[0]) and is_name(row[1]) and any(map(is_amount, row[2:]))
    ]
    return len(like) >= _MOST * len(body) and len(like) > 0


def _pairs(rows: Sequence[tuple[Cell, ...]], file: str) -> AmountBlock:
    head = rows[0]
    has_head = not any(is_amount(cell) for cell in head[2:])
    titles = [fold(cell.text) for cell in head[2:]] if has_head else []
    width = max(map(len, rows))
    columns = [k for k in range(2, width) if any(k < len(row) and is_amount(row[k]) for row in rows)]
    if len(columns) > 1:
        named = [k for k in columns if k - 2 < len(titles) and any(word in titles[k - 2] for word in PAYS)]
        if len(named) != 1:
            raise SourceError(f"{file}: {len(columns)} columns of amounts; keep one of them, or call one payoff")
        columns = named
    body = rows[1:] if has_head else rows
    firsts, seconds, cells = [], [], []
    for k, row in enumerate(body):
        if len(row) < PAIR - 1:
            raise SourceError(
                f"{row[0].where}: {counted(len(row), 'cell')}; a row of a list of pairs is two cities and an amount"
            )
        firsts.append(row[0])
        seconds.append(row[1])
        cells.append((k, k, row[columns[0]] if columns[0] < len(row) else Cell("", row[0].where)))
    return AmountBlock(tuple(firsts), tuple(seconds), tuple(cells), "pairs", axes=False)


def _block(
    header: tuple[Cell, ...] | None,
    body: Sequence[tuple[Cell, ...]],
    table: Table,
    *,
    key: Key,
    known: Callable[[str], bool],
) -> AmountBlock:
    labels = tuple(row[0] for row in body)
    unnamed = [cell.where for cell in labels if not cell.text]
    if unnamed:
        raise SourceError(f"{unnamed[0]}: a row without a city; begin each row with a city")
    names = labels if header is None else _columns(header, body, key=key, known=known)
    amounts = [list(row[1 : max(trimmed(row), 1)]) for row in body]
    at = {key(cell.text): k for k, cell in enumerate(names) if cell.text}
    order = [at.get(key(label.text)) for label in labels]
    placed = table.placed or (
        len({len(row) for row in body}) == 1 and len(body[0]) >= len(names) + 1 - (header is None)
    )
    layout, starts = _layout(amounts, order, len(names), placed=placed, labels=labels)
    cells: list[tuple[int, int, Cell]] = []
    problems = Problems()
    for k, row in enumerate(amounts):
        for t, cell in enumerate(row):
            col = starts[k] + t if layout != "square without diagonal" or t < (order[k] or 0) else t + 1
            if col >= len(names) or not names[col].text:
                if cell.text or cell.problem:
                    problems.add(
                        f"{cell.where}: {shown(cell.text)} is in a column without a city; name the column, or clear "
                        "the cell"
                    )
                continue
            if cell.text or cell.problem:
                cells.append((k, col, cell))
    problems.raise_if_any()
    if layout != "in place" or header is None:
        _refuse_shifted(cells, labels, names, key, layout)
    filled = [k for k, cell in enumerate(names) if cell.text]
    new = {old: k for k, old in enumerate(filled)}
    prefix = "no header, " if header is None else ""
    return AmountBlock(
        labels, tuple(names[k] for k in filled), tuple((r, new[c], cell) for r, c, cell in cells), prefix + layout
    )


def _columns(
    header: tuple[Cell, ...], body: Sequence[tuple[Cell, ...]], *, key: Key, known: Callable[[str], bool]
) -> tuple[Cell, ...]:
    """Return the names above the amounts; the corner may be there or not."""
    labels = {key(row[0].text) for row in body if row[0].text}
    first = header[0].text
    end = trimmed(header)
    if first and (key(first) in labels or known(first)):
        longest = max(trimmed(row) for row in body)
        if longest <= end and longest != 1:
            raise SourceError(
                f"{header[0].where}: the corner has a city, {first!r}, and the rows are no longer than the header; "
                "leave the corner empty or write 'city' there"
            )
        return header[:end]
    names = header[1:end]
    if len(names) > 1 and names[-1].text and fold(names[-1].text) == fold(first):
        names = names[:-1]
    merged = next((cell for cell in names if cell.problem), None)
    if merged is not None:
        raise SourceError(f"{merged.where}: {shown(merged.text)} in the header is {merged.problem}")
    return names


def _layout(
    amounts: Sequence[list[Cell]],
    order: Sequence[int | None],
    width: int,
    *,
    placed: bool,
    labels: Sequence[Cell],
) -> tuple[str, list[int]]:
    """Return how rows are laid out, and the column at which each begins.

    A row is as long as the header (a square), as the row's place in it (a lower triangle), or as what is left after
    its place (an upper triangle, pushed to the left). An empty cell within a row shows that cells are in place.
    """
    counts = [len(row) for row in amounts]
    in_place = "in place", [0] * len(counts)
    dense = all(cell.text or cell.problem for row in amounts for cell in row)
    last = [width if k is None else k for k in order]
    first = [-1 if k is None else k for k in order]
    lower = [count in (k, k + 1) for count, k in zip(counts, last, strict=True)]
    upper = [width - k - 1 <= count <= min(width, width - k) for count, k in zip(counts, first, strict=True)]
    if all(count == width for count in counts) or all(lower):
        return in_place
    diagonal = [row[k] for row, k in zip(amounts, order, strict=True) if k is not None and k < len(row)]
    zeros = all(_is_zero(cell) for cell in diagonal)
    if dense:
        if all(upper):
            return "pushed to the left", [width - count for count in counts]
        if width > 2 and not zeros and all(count == width - 1 for count in counts) and None not in order:  # noqa: PLR2004
            return "square without diagonal", [0] * len(counts)
    elif _fills_in_place(counts, last, width):
        return in_place
    if not placed or max(counts) > width:
        _refuse_ragged(counts, width, lower, upper, labels)
    return in_place


def _fills_in_place(counts: Sequence[int], places: Sequence[int], width: int) -> bool:
    """Say whether rows with empty cells between amounts can be in place though cells at the end were left out."""
    whole = [count in (0, width) or count == k == width - 1 for count, k in zip(counts, places, strict=True)]
    return all(whole) or all(count <= k + 1 for count, k in zip(counts, places, strict=True))


def _refuse_ragged(
    counts: Sequence[int], width: int, lower: Sequence[bool], upper: Sequence[bool], labels: Sequence[Cell]
) -> None:
    """Raise an error that names the rows that do not fit the layout that most rows fit."""
    square = [count == width for count in counts]
    bare = [count == width - 1 for count in counts]
    fits, what = max(
        ((square, f"a square of {width}"), (bare, f"a square of {width} without its diagonal"),
         (lower, "a lower triangle"), (upper, "an upper triangle")),
        key=lambda option: sum(option[0]),
    )  # fmt: skip
    problems = Problems()
    for label, count, fit in zip(labels, counts, fits, strict=True):
        if not fit:
            problems.add(
                f"{label.where}: row {shown(label.text)} has {counted(count, 'amount')}, which does not "
                f"fit {what} like the other "
                "rows; mark empty cells with -"
            )
    problems.raise_if_any()


def _is_zero(cell: Cell) -> bool:
    return is_mark(cell.text) or cell.text.strip("$£€¥ kK").strip("0") in ("", ".", ",")


def _refuse_shifted(
    cells: Sequence[tuple[int, int, Cell]], labels: Sequence[Cell], names: Sequence[Cell], key: Key, layout: str
) -> None:
    """Raise an error if amounts taken in order put one on the diagonal: then they do not line up."""
    for row, col, cell in cells:
        if key(labels[row].text) == key(names[col].text) and not _is_zero(cell):
            raise SourceError(
                f"{cell.where}: taken as {layout}, {labels[row].text} to itself would pay {cell.text}; the columns do "
                "not line up. Write a header with all cities, and - where a cell is empty"
            )
