"""Assignment of table amounts to pairs of cities: squares, triangles and lists of pairs, packed or in place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.formats.cells.table import Cell, Table, quote_text, transpose_rows
from mapkit.formats.marks import is_mark
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.sources.payoffs.chart_frame import (
    NameFunctions,
    drop_counts,
    drop_edges,
    filled_length,
    frame_chart,
    is_amount,
    is_filled,
    is_name,
    keep_one_header,
)

Key = Callable[[str], str]
"""Function that folds a name, known or not, to a key that is equal for two spellings of a city."""

PAIR = 3
_MAX_PAIR_COLUMNS = 8
_NEARLY_ALL = 0.9
PAYS = ("payoff", "pay", "amount", "value", "thousands", "dollars")


@dataclass(frozen=True)
class AmountBlock:
    """Names and the amounts between them: `cells` has `(index in rows, index in cols, amount)`.

    Args:
        rows: Names of rows; in a list of pairs, the first names.
        cols: Names of columns; in a list of pairs, the second names.
        cells: The amounts.
        layout: Original layout of the amounts.
        axes: True if a name may occur only once in `rows` and once in `cols`.
    """

    rows: tuple[Cell, ...]
    cols: tuple[Cell, ...]
    cells: tuple[tuple[int, int, Cell], ...]
    layout: str
    axes: bool = True


@dataclass(frozen=True)
class GivenNames:
    """Names above the columns and beside the rows of a chart that the user gives, in its order; none by default."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def find_blocks(
    table: Table, *, file: str, names: NameFunctions, given: GivenNames = GivenNames()
) -> tuple[list[AmountBlock], list[str]]:
    """Return the blocks of a table, and notes on omissions.

    A table may have several headers, for example of a chart printed on several pages; each begins a block.

    Raises:
        SourceError: Rows have more or fewer amounts than any layout has, or amounts do not line up.
    """
    chart_rows, notes = drop_edges(table.rows, names)
    if table.kind != "text":  # there an amount has no column
        chart_rows, count_notes = drop_counts(chart_rows, names)
        notes += count_notes
    if not chart_rows:
        raise SourceError(f"{file}: no amounts; is this a payoff chart?")
    if table.kind != "text":  # there a name may stand in one cell with the next
        chart_rows = _unfold_pairs(chart_rows) or _unfold_pairs(transpose_rows(chart_rows)) or chart_rows
    if _is_pairs(chart_rows):
        return [_read_pairs(chart_rows, file)], notes
    if table.kind == "text":
        chart_rows = keep_one_header(chart_rows, names, notes)
    else:
        chart_frame = frame_chart(chart_rows, names)
        chart_rows = list(chart_frame.rows)
        notes += chart_frame.notes
    if given.rows or given.columns:
        chart_rows = _put_given_names(chart_rows, given, file)
    header_pieces = list(_split_at_headers(chart_rows))
    if any(header is None for header, _ in header_pieces):
        notes.append("no header: columns are taken in the order of the rows")
    amount_blocks = [
        _read_block(header, body, table, notes, key=names.key, is_known=names.known) for header, body in header_pieces
    ]
    if not any(block.cells for block in amount_blocks):
        raise SourceError(f"{file}: no amounts in it; is it a payoff chart?")
    return amount_blocks, notes


def _unfold_pairs(rows: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Return lists of pairs as one list with two names in each row; empty if the rows are anything else.

    Lists may stand side by side, and a first name may count for the rows below it, in its column or as a heading.
    """
    pair_rows: list[tuple[Cell, ...]] = []
    heading: Cell | None = None
    for row_index, row in enumerate(rows):
        filled_cells = tuple(filter(is_filled, row))
        if not filled_cells:
            continue
        if len(filled_cells) == 1 and is_name(filled_cells[0]):
            heading = filled_cells[0]
            continue
        if len(filled_cells) == PAIR - 1 and heading is not None:
            filled_cells = (heading, *filled_cells)
        triples = [filled_cells[k : k + PAIR] for k in range(0, len(filled_cells), PAIR)]
        is_title = row_index == 0 and all(map(is_name, filled_cells))
        form = [False, False, not is_title]
        if any(list(map(is_amount, triple)) != form for triple in triples):
            return []
        pair_rows += triples[:1] if is_title else triples
        heading = None if is_title else triples[-1][0]
    return pair_rows


def _put_given_names(rows: Sequence[tuple[Cell, ...]], given: GivenNames, file: str) -> list[tuple[Cell, ...]]:
    """Return the rows of a chart with names that the user gives.

    Raises:
        SourceError: There are more or fewer names than rows or columns.
    """
    headers, body = ([row for row in rows if _is_header(row) == is_header] for is_header in (True, False))
    width = max((filled_length(row) for row in body), default=1) - 1
    for option, given_names, count in (("--rows", given.rows, len(body)), ("--columns", given.columns, width)):
        if given_names and len(given_names) != count:
            raise SourceError(
                f"{file}: {option} gives {count_noun(len(given_names), 'name')}, but the chart has {count} "
                f"{option[2:]}; give one for each, in their order"
            )
    if given.rows:
        body = [(row[0]._replace(text=name), *row[1:]) for row, name in zip(body, given.rows, strict=True)]
    if given.columns:
        where = f"{file}: --columns"
        headers = [(Cell("", where), *(Cell(name, where) for name in given.columns))]
    return [*headers, *body]


def _split_at_headers(
    rows: Sequence[tuple[Cell, ...]],
) -> Iterator[tuple[tuple[Cell, ...] | None, list[tuple[Cell, ...]]]]:
    """Yield each header with the rows below it; a header may be missing, or below all rows."""
    header: tuple[Cell, ...] | None = None
    body_rows: list[tuple[Cell, ...]] = []
    for row_index, row in enumerate(rows):
        if not _is_header(row):
            body_rows.append(row)
            continue
        if header is None and body_rows and row_index == len(rows) - 1:
            yield row, body_rows
            return
        if header is not None and not body_rows:
            raise SourceError(
                f"{row[0].where}: a second header right below the first; keep only the one with the cities"
            )
        if body_rows:
            yield header, body_rows
        header, body_rows = row, []
    if header is not None and not body_rows:
        raise SourceError(f"{header[0].where}: no rows below the header; each needs a city and its amounts")
    if body_rows:
        yield header, body_rows


def _is_header(row: tuple[Cell, ...]) -> bool:
    name_count = sum(map(is_name, row[1:]))
    return name_count > sum(map(is_amount, row[1:]))


def _is_pairs(rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Return whether each row has two names and an amount."""
    body_rows = [row for row in rows[1:] or rows if filled_length(row)]
    if any(not PAIR - 1 <= filled_length(row) <= _MAX_PAIR_COLUMNS for row in rows):
        return False
    pair_rows = [
        row
        for row in body_rows
        if len(row) >= PAIR and is_name(row[0]) and is_name(row[1]) and any(map(is_amount, row[2:]))
    ]
    return len(pair_rows) >= _NEARLY_ALL * len(body_rows) and len(pair_rows) > 0


def _read_pairs(rows: Sequence[tuple[Cell, ...]], file: str) -> AmountBlock:
    first_row = rows[0]
    has_head = not any(is_amount(cell) for cell in first_row[2:])
    column_titles = [fold(cell.text) for cell in first_row[2:]] if has_head else []
    width = max(map(len, rows))
    amount_columns = [
        column_index
        for column_index in range(2, width)
        if any(column_index < len(row) and is_amount(row[column_index]) for row in rows)
    ]
    if len(amount_columns) > 1:
        payoff_columns = [
            column_index
            for column_index in amount_columns
            if column_index - 2 < len(column_titles) and any(word in column_titles[column_index - 2] for word in PAYS)
        ]
        if len(payoff_columns) != 1:
            raise SourceError(f"{file}: {len(amount_columns)} columns of amounts; keep one of them, or call one payoff")
        amount_columns = payoff_columns
    body_rows = rows[1:] if has_head else rows
    first_names, second_names, pair_cells = [], [], []
    for row_index, row in enumerate(body_rows):
        if len(row) < PAIR - 1:
            raise SourceError(
                f"{row[0].where}: {count_noun(len(row), 'cell')}; a row of a list of pairs is two cities and an amount"
            )
        first_names.append(row[0])
        second_names.append(row[1])
        pair_cells.append(
            (row_index, row_index, row[amount_columns[0]] if amount_columns[0] < len(row) else Cell("", row[0].where))
        )
    return AmountBlock(tuple(first_names), tuple(second_names), tuple(pair_cells), "pairs", axes=False)


def _read_block(
    header: tuple[Cell, ...] | None,
    body: Sequence[tuple[Cell, ...]],
    table: Table,
    notes: list[str],
    *,
    key: Key,
    is_known: Callable[[str], bool],
) -> AmountBlock:
    row_names = tuple(row[0] for row in body)
    unnamed_places = [cell.where for cell in row_names if not cell.text]
    if unnamed_places:
        raise SourceError(f"{unnamed_places[0]}: a row without a city; begin each row with a city")
    column_names = row_names if header is None else _column_names(header, body, key=key, is_known=is_known)
    amount_rows = [list(row[1 : max(filled_length(row), 1)]) for row in body]
    column_by_key = {key(cell.text): column_index for column_index, cell in enumerate(column_names) if cell.text}
    label_columns = [column_by_key.get(key(label.text)) for label in row_names]
    is_placed = table.placed or (
        len({len(row) for row in body}) == 1 and len(body[0]) >= len(column_names) + 1 - (header is None)
    )
    layout, first_columns = _find_layout(
        amount_rows, label_columns, len(column_names), is_placed=is_placed, labels=row_names
    )
    if header is None and _is_beside_diagonal(amount_rows):
        first_columns = [1] * len(body)
    block_cells: list[tuple[int, int, Cell]] = []
    problems = Problems()
    for row_index, amount_row in enumerate(amount_rows):
        for cell_index, cell in enumerate(amount_row):
            column_index = (
                first_columns[row_index] + cell_index
                if layout != "square without diagonal" or cell_index < (label_columns[row_index] or 0)
                else cell_index + 1
            )
            if column_index >= len(column_names) or not column_names[column_index].text:
                if cell.text and is_mark(cell.text) and cell.spot is not None:
                    notes.append(f"{cell.where}: the mark {cell.text} in no column was left out")
                    continue
                if cell.text or cell.problem:
                    problems.add(
                        f"{cell.where}: {quote_text(cell.text)} is in a column without a city; name the column, or "
                        "clear the cell"
                    )
                continue
            if cell.text or cell.problem:
                block_cells.append((row_index, column_index, cell))
    problems.raise_if_any()
    if layout != "in place" or header is None:
        _refuse_shifted(block_cells, row_names, column_names, key, layout)
    named_columns = [column_index for column_index, cell in enumerate(column_names) if cell.text]
    new_column = {old_column: new_index for new_index, old_column in enumerate(named_columns)}
    prefix = "no header, " if header is None else ""
    return AmountBlock(
        row_names,
        tuple(column_names[column_index] for column_index in named_columns),
        tuple((r, new_column[c], cell) for r, c, cell in block_cells),
        prefix + layout,
    )


def _column_names(
    header: tuple[Cell, ...], body: Sequence[tuple[Cell, ...]], *, key: Key, is_known: Callable[[str], bool]
) -> tuple[Cell, ...]:
    """Return the names above the amounts, with or without a corner cell."""
    row_keys = {key(row[0].text) for row in body if row[0].text}
    corner_text = header[0].text
    header_length = filled_length(header)
    if corner_text and (key(corner_text) in row_keys or is_known(corner_text)):
        longest_row = max(filled_length(row) for row in body)
        if longest_row <= header_length and longest_row != 1:
            raise SourceError(
                f"{header[0].where}: the corner has a city, {corner_text!r}, "
                "and the rows are no longer than the header; "
                "leave the corner empty or write 'city' there"
            )
        return header[:header_length]
    column_names = header[1:header_length]
    if len(column_names) > 1 and column_names[-1].text and fold(column_names[-1].text) == fold(corner_text):
        column_names = column_names[:-1]
    merged_cell = next((cell for cell in column_names if cell.problem), None)
    if merged_cell is not None:
        raise SourceError(f"{merged_cell.where}: {quote_text(merged_cell.text)} in the header is {merged_cell.problem}")
    return column_names


def _find_layout(
    amounts: Sequence[list[Cell]],
    order: Sequence[int | None],
    width: int,
    *,
    is_placed: bool,
    labels: Sequence[Cell],
) -> tuple[str, list[int]]:
    """Return the layout of rows, and the first column of each.

    A row is as long as the header (a square), as its place in the header (a lower triangle), or as the remainder after
    its place (an upper triangle, pushed to the left). An empty cell within a row shows that cells are in place.
    """
    row_lengths = [len(row) for row in amounts]
    in_place = "in place", [0] * len(row_lengths)
    is_dense = all(cell.text or cell.problem for row in amounts for cell in row)
    upper_places = [width if k is None else k for k in order]
    lower_places = [-1 if k is None else k for k in order]
    fits_lower = [count in (k, k + 1) for count, k in zip(row_lengths, upper_places, strict=True)]
    fits_upper = [
        width - k - 1 <= count <= min(width, width - k) for count, k in zip(row_lengths, lower_places, strict=True)
    ]
    if all(count == width for count in row_lengths) or all(fits_lower):
        return in_place
    diagonal_cells = [row[k] for row, k in zip(amounts, order, strict=True) if k is not None and k < len(row)]
    is_diagonal_zero = all(_is_zero(cell) for cell in diagonal_cells)
    if is_dense:
        if all(fits_upper):
            return "pushed to the left", [width - count for count in row_lengths]
        if (
            width > 2  # noqa: PLR2004
            and not is_diagonal_zero
            and all(count == width - 1 for count in row_lengths)
            and None not in order
        ):
            return "square without diagonal", [0] * len(row_lengths)
    elif _is_filled_in_place(row_lengths, upper_places, width):
        return in_place
    if not is_placed or max(row_lengths) > width:
        _refuse_ragged(row_lengths, width, fits_lower, fits_upper, labels)
    return in_place


def _is_beside_diagonal(amounts: Sequence[list[Cell]]) -> bool:
    """Return whether the first amount of each row stands one column after that of the row above, to the last row."""
    first_cells = [next(((k, cell) for k, cell in enumerate(row) if cell.text), None) for row in amounts]
    return (
        len(amounts) > 2  # noqa: PLR2004 - two rows may be anything
        and first_cells[-1] is None
        and all(
            first is not None and first[0] == k and not _is_zero(first[1]) for k, first in enumerate(first_cells[:-1])
        )
    )


def _is_filled_in_place(row_lengths: Sequence[int], places: Sequence[int], width: int) -> bool:
    """Return whether rows with inner empty cells can be in place although trailing cells are missing."""
    is_complete = [count in (0, width) or count == k == width - 1 for count, k in zip(row_lengths, places, strict=True)]
    return all(is_complete) or all(count <= k + 1 for count, k in zip(row_lengths, places, strict=True))


def _refuse_ragged(
    row_lengths: Sequence[int],
    width: int,
    fits_lower: Sequence[bool],
    fits_upper: Sequence[bool],
    labels: Sequence[Cell],
) -> None:
    """Raise an error that lists the rows outside the most common layout."""
    fits_square = [count == width for count in row_lengths]
    fits_bare_square = [count == width - 1 for count in row_lengths]
    best_fits, shape_name = max(
        ((fits_square, f"a square of {width}"), (fits_bare_square, f"a square of {width} without its diagonal"),
         (fits_lower, "a lower triangle"), (fits_upper, "an upper triangle")),
        key=lambda option: sum(option[0]),
    )  # fmt: skip
    problems = Problems()
    for label, count, is_fitting in zip(labels, row_lengths, best_fits, strict=True):
        if not is_fitting:
            problems.add(
                f"{label.where}: row {quote_text(label.text)} has {count_noun(count, 'amount')}, which does not "
                f"fit {shape_name} like the other "
                "rows; mark empty cells with -"
            )
    problems.raise_if_any()


def _is_zero(cell: Cell) -> bool:
    return is_mark(cell.text) or cell.text.strip("$£€¥ kK").strip("0") in ("", ".", ",")


def _refuse_shifted(
    cells: Sequence[tuple[int, int, Cell]], labels: Sequence[Cell], names: Sequence[Cell], key: Key, layout: str
) -> None:
    """Raise an error if amounts taken in order put one on the diagonal, because they do not line up."""
    for row, col, cell in cells:
        if key(labels[row].text) == key(names[col].text) and not _is_zero(cell):
            raise SourceError(
                f"{cell.where}: taken as {layout}, {labels[row].text} to itself would pay {cell.text}; the columns do "
                "not line up. Write a header with all cities, and - where a cell is empty"
            )
