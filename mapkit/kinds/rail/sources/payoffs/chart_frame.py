"""Detection of a payoff chart within a table: rows and columns of names and amounts, and everything else.

People put a title above a chart, numbers or regions before its names, sums behind its amounts, the names at both edges
or at the ends of rows, and notes below. Rows and columns are both treated as *lines*. The line with the most cities of
the board (without a board: the most different texts) has the names; lines of other texts, consecutive numbers, and sums
are left out with a note. Any other line is kept, and causes an error later.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from mapkit.core.names import fold
from mapkit.formats.cells.table import Cell, quote_text
from mapkit.formats.marks import looks_like_amount

Rows = Sequence[tuple[Cell, ...]]
Labels = int | Literal["starts", "ends"]
"""Column of the row names; or `starts` or `ends`, if they are the first or last filled cells of their rows."""

_EMPTY: Final = Cell("", "")
_SUMS: Final = frozenset(
    {"sum", "sums", "total", "totals", "average", "averages", "avg", "mean", "median", "min", "max"}
)
_COUNT_TEXT: Final = re.compile(r"[#(]?(\d{1,4})[.):]?(?:\.0)?")
_COUNT_TITLES: Final = frozenset({"no", "nr", "number", "row", "index", "id", "col", "column", "#", ""})
_MIN_COUNT, _MIN_COUNT_WITHOUT_BOARD = 3, 6
_NEARLY_ALL: Final = 0.9
_FEW_ROWS: Final = 2
_MAX_SHOWN: Final = 3


@dataclass(frozen=True)
class NameFunctions:
    """Matching functions for names, independent of the table.

    Args:
        key: Folds a name to a key that is equal for two spellings of a city.
        known: Tells whether a text is the name of a city; always false without a board.
        near: Tells whether a text may be a misspelt or truncated name of a city.
        board: Whether there is a board.
    """

    key: Callable[[str], str]
    known: Callable[[str], bool]
    near: Callable[[str], bool]
    board: bool


@dataclass(frozen=True)
class Frame:
    """Chart within a table.

    Args:
        rows: Its rows: headers, and rows of a name and its amounts, in the order of the file.
        labels: Original place of the row names.
        columns: The columns of amounts in the table, from 0.
        notes: Notes on recognised and omitted lines.
    """

    rows: tuple[tuple[Cell, ...], ...]
    labels: Labels
    columns: tuple[int, ...]
    notes: tuple[str, ...]


def is_name(cell: Cell) -> bool:
    """Return whether a cell looks like a name, not like an amount."""
    return cell.number is None and _reads_as_name(cell.text)


@lru_cache(maxsize=10_000)
def _reads_as_name(text: str) -> bool:
    is_formula = text.startswith("=")
    return any(ch.isalpha() for ch in text) and not looks_like_amount(text) and not is_formula


def is_amount(cell: Cell) -> bool:
    """Return whether a cell is filled and not a name."""
    return bool(cell.text) and not is_name(cell)


def is_filled(cell: Cell) -> bool:
    """Return whether a cell has any content."""
    return bool(cell.text or cell.problem)


def filled_length(row: Sequence[Cell]) -> int:
    """Return the length of a row without trailing empty cells."""
    end = len(row)
    while end and not is_filled(row[end - 1]):
        end -= 1
    return end


def drop_edges(rows: Rows, names: NameFunctions) -> tuple[list[tuple[Cell, ...]], list[str]]:
    """Remove titles above a table and notes below it: rows of a single text that is not a city."""
    notes: list[str] = []
    first_row, end_row = 0, len(rows)
    while (
        first_row < end_row
        and _is_remark(rows[first_row], names, below=False)
        and not _begins_triangle(rows[first_row : first_row + 3])
    ):
        first_row += 1
    own_keys = {
        names.key(cell.text)
        for row in rows[first_row:]
        if sum(map(is_filled, row)) > 1
        for cell in row
        if is_name(cell)
    }
    is_certain = names.board or any(
        _is_header(row, 0, ()) for row in rows[first_row:]
    )  # otherwise it may be the last city
    while (
        is_certain and end_row > first_row + 1 and _is_remark(rows[end_row - 1], names, below=True, own_keys=own_keys)
    ):
        end_row -= 1
    for row in (*rows[:first_row], *rows[end_row:]):
        cell = next(filter(is_filled, row))
        notes.append(f"{cell.where} was left out: {quote_text(cell.text)}")
    return list(rows[first_row:end_row]), notes


def _begins_triangle(rows: Rows) -> bool:
    """Return whether a lone text is the first city of a triangle: below it stand a city with one amount, then two."""
    label_column = next((k for k, cell in enumerate(rows[0]) if is_filled(cell)), 0)
    return len(rows) > _FEW_ROWS and all(
        sum(map(is_name, row)) == 1 and is_name(_cell_at(row, label_column)) and sum(map(is_amount, row)) == count
        for count, row in enumerate(rows)
    )


def _is_remark(row: Sequence[Cell], names: NameFunctions, *, below: bool, own_keys: Iterable[str] = ()) -> bool:
    filled_cells = [cell for cell in row if is_filled(cell)]
    if len(filled_cells) != 1 or names.known(filled_cells[0].text):
        return False
    if not below:
        return not names.near(filled_cells[0].text)
    return (
        is_name(filled_cells[0])
        and names.key(filled_cells[0].text) not in own_keys
        and not names.near(filled_cells[0].text)
    )


def drop_counts(rows: Rows, names: NameFunctions) -> tuple[list[tuple[Cell, ...]], list[str]]:
    """Remove columns and rows of consecutive numbers, unless a city is above or before them."""
    notes: list[str] = []
    width = max(map(len, rows), default=0)
    count_columns = [
        column_index
        for column_index in range(width)
        if _is_counting([row[column_index] for row in rows if column_index < len(row)], names)
    ]
    for column_index in count_columns:
        first_count = next(
            row[column_index] for row in rows if column_index < len(row) and _parse_count(row[column_index]) is not None
        )
        notes.append(f"{first_count.where}: the column of numbers from {first_count.text} on was left out")
    kept_rows = (
        [tuple(cell for column_index, cell in enumerate(row) if column_index not in count_columns) for row in rows]
        if count_columns
        else list(rows)
    )
    rows_without_counts = []
    for row in kept_rows:
        if _is_counting(row, names):
            notes.append(f"{row[0].where}: the row of numbers was left out")
        else:
            rows_without_counts.append(row)
    return [row for row in rows_without_counts if any(map(is_filled, row))], notes


def _is_counting(line: Sequence[Cell], names: NameFunctions) -> bool:
    """Return whether a line has only consecutive numbers, perhaps below a title that is not a city."""
    filled_cells = [cell for cell in line if is_filled(cell)]
    while filled_cells and _may_be_title(filled_cells[0], names):
        filled_cells = filled_cells[1:]
    while filled_cells and _may_be_title(filled_cells[-1], names):
        filled_cells = filled_cells[:-1]
    parsed_numbers = [_parse_count(cell) for cell in filled_cells]
    if len(parsed_numbers) < (_MIN_COUNT if names.board else _MIN_COUNT_WITHOUT_BOARD) or parsed_numbers[0] not in (
        0,
        1,
    ):
        return False
    return all(number == parsed_numbers[0] + k for k, number in enumerate(parsed_numbers))


def _may_be_title(cell: Cell, names: NameFunctions) -> bool:
    """Return whether a cell may be the title of a line of numbers."""
    if not is_name(cell):
        return False
    if not names.board:
        return fold(cell.text) in _COUNT_TITLES
    return not names.known(cell.text) and not names.near(cell.text)


def _parse_count(cell: Cell) -> int | None:
    count_match = _COUNT_TEXT.fullmatch(cell.text)
    return int(count_match[1]) if count_match else None


def frame_chart(rows: Rows, names: NameFunctions) -> Frame:
    """Return the chart within a table without titles, notes and counts; keep everything in doubtful cases."""
    labels = _find_labels(rows, names)
    notes: list[str] = []
    if isinstance(labels, str):
        rows = [_move_label_first(row, labels) for row in rows]
        notes.append(f"names are taken from the {'beginnings' if labels == 'starts' else 'ends'} of rows")
        amount_columns = tuple(range(max(map(len, rows), default=1) - 1))
        return Frame(tuple(keep_one_header(rows, names, notes)), labels, amount_columns, tuple(notes))
    shortened_rows = [_drop_repeated_label(row, labels, names) for row in rows]
    repeated_label = next(
        (row[-1] for row, shortened_row in zip(rows, shortened_rows, strict=True) if shortened_row is not row), None
    )
    if repeated_label is not None:
        notes.append(f"{repeated_label.where}: names repeated at the ends of rows were left out")
    rows = shortened_rows
    column_count = max(map(len, rows), default=0)
    names_by_column = {
        column_index: sum(column_index < len(row) and is_name(row[column_index]) for row in rows)
        for column_index in range(column_count)
    }
    name_columns = {
        column_index for column_index, name_count in names_by_column.items() if 2 * name_count > len(rows) > _FEW_ROWS
    }
    body_rows = [
        row
        for row in rows
        if labels < len(row) and is_filled(row[labels]) and not _is_header(row, labels, name_columns)
    ]
    header_rows = [row for row in rows if _is_header(row, labels, name_columns)]
    repeated_columns = [
        column_index
        for column_index in range(column_count)
        if column_index != labels and _repeats_labels(body_rows, column_index, labels, names)
    ]
    amount_columns = tuple(
        column_index
        for column_index in range(column_count)
        if column_index != labels
        and column_index not in repeated_columns
        and _may_have_amounts(column_index, labels, body_rows, header_rows, names)
    )
    if repeated_columns:
        notes.append(f"{_column_place(body_rows, repeated_columns[0])}: names repeated beside the rows were left out")
    for column_index in range(column_count):
        if (
            column_index != labels
            and column_index not in amount_columns
            and column_index not in repeated_columns
            and any(is_filled(_cell_at(row, column_index)) for row in rows)
        ):
            sample_texts = list(
                dict.fromkeys(
                    quote_text(row[column_index].text)
                    for row in body_rows
                    if column_index < len(row) and row[column_index].text
                )
            )[:_MAX_SHOWN]
            notes.append(
                f"{_column_place(rows, column_index)}: a column beside the chart was left out "
                f"({', '.join(sample_texts) or 'empty'}...)"
            )
    if labels:
        notes.append(f"{_column_place(body_rows, labels)}: the names of the rows are in this column")
    frame_rows = []
    for row in rows:
        if _is_header(row, labels, name_columns) and _is_cornerless(row, labels, amount_columns, names):
            frame_rows.append(row[next(column_index for column_index, cell in enumerate(row) if is_filled(cell)) :])
        else:
            frame_rows.append(
                (
                    _cell_at(row, labels),
                    *(row[column_index] for column_index in amount_columns if column_index < len(row)),
                )
            )
    return Frame(tuple(keep_one_header(frame_rows, names, notes)), labels, amount_columns, tuple(notes))


def _cell_at(row: Sequence[Cell], k: int) -> Cell:
    return row[k] if k < len(row) else _EMPTY._replace(where=row[0].where if row else "")


def _column_place(rows: Rows, k: int) -> str:
    return next((row[k].where for row in rows if k < len(row) and is_filled(row[k])), rows[0][0].where)


def _count_cities(cells: Iterable[Cell], names: NameFunctions) -> int:
    """Return the number of different cities in a line."""
    name_texts = [cell.text for cell in cells if is_name(cell)]
    if names.board:
        return len({names.key(text) for text in name_texts if names.known(text)})
    return len({names.key(text) for text in name_texts})


def _find_labels(rows: Rows, names: NameFunctions) -> Labels:
    """Return the place of row names: the column with most cities, unless the row starts or ends have more."""
    column_count = max(map(len, rows), default=0)
    cities_by_column = {
        column_index: _count_cities((row[column_index] for row in rows if column_index < len(row)), names)
        for column_index in range(column_count)
    }
    best_column = max(cities_by_column, key=lambda k: (cities_by_column[k], -k), default=0)
    body_rows = [row for row in rows if filled_length(row) and not _is_header(row, 0, ())]
    last_cells = [row[filled_length(row) - 1] for row in body_rows]
    first_cells = [next(filter(is_filled, row)) for row in body_rows]
    cities_by_side: dict[Labels, int] = {
        "starts": _count_cities(first_cells, names),
        "ends": _count_cities(last_cells, names),
    }
    for side in ("starts", "ends"):
        if cities_by_side[side] > cities_by_column.get(best_column, 0) and cities_by_side[side] >= _NEARLY_ALL * len(
            body_rows
        ):
            return "starts" if side == "starts" else "ends"
    return best_column if cities_by_column.get(best_column, 0) > 1 else 0


def _move_label_first(row: tuple[Cell, ...], side: str) -> tuple[Cell, ...]:
    """Move the name at the start or end of a row to its front, and leave its own place empty."""
    label_index = filled_length(row) - 1 if side == "ends" else next(k for k, cell in enumerate(row) if is_filled(cell))
    empty_cell = Cell("", row[label_index].where)
    if side == "starts" and label_index == 0:
        return (row[0], empty_cell, *row[1:])
    return (row[label_index], *row[:label_index], empty_cell, *row[label_index + 1 :])


def _drop_repeated_label(row: tuple[Cell, ...], labels: int, names: NameFunctions) -> tuple[Cell, ...]:
    """Remove the repeated name of a row behind its amounts."""
    last_index = filled_length(row) - 1
    if (
        last_index <= labels + 1
        or not is_name(row[last_index])
        or names.key(row[last_index].text) != names.key(row[labels].text)
    ):
        return row
    return row[:last_index]


def _is_header(row: Sequence[Cell], labels: int, beside: Collection[int]) -> bool:
    """Return whether a row has more names than amounts, ignoring columns full of names."""
    other_cells = [cell for k, cell in enumerate(row) if k != labels and k not in beside]
    name_count = sum(map(is_name, other_cells))
    return name_count > sum(map(is_amount, other_cells)) and (name_count > 1 or not is_filled(_cell_at(row, labels)))


def _repeats_labels(body_rows: Rows, column_index: int, label_column: int, names: NameFunctions) -> bool:
    """Return whether a column names the same cities as the labels, row by row."""
    cell_pairs = [
        (row[column_index], row[label_column])
        for row in body_rows
        if column_index < len(row) and is_filled(row[column_index])
    ]
    return len(cell_pairs) > 1 and all(is_name(a) and names.key(a.text) == names.key(b.text) for a, b in cell_pairs)


def _may_have_amounts(
    column_index: int, label_column: int, body_rows: Rows, header_rows: Rows, names: NameFunctions
) -> bool:
    """Return whether a column may have amounts: its header is a city, or no other texts and no sum."""
    column_titles = [
        row[column_index] for row in header_rows if column_index < len(row) and is_filled(row[column_index])
    ]
    if any(names.known(cell.text) for cell in column_titles):
        return True
    column_cells = [row[column_index] for row in body_rows if column_index < len(row) and is_filled(row[column_index])]
    if any(fold(cell.text) in _SUMS for cell in column_titles):
        return False
    if not column_cells and not column_titles and (header_rows or column_index < label_column):
        return False
    return 2 * sum(map(is_name, column_cells)) <= len(column_cells)


def _is_cornerless(row: Sequence[Cell], labels: int, columns: Sequence[int], names: NameFunctions) -> bool:
    """Return whether a header begins with its first city, without a cell above the labels."""
    city_columns = [k for k, cell in enumerate(row) if names.known(cell.text)]
    if not names.board:
        return False
    return any(k == labels or k not in columns for k in city_columns)


def keep_one_header(rows: Rows, names: NameFunctions, notes: list[str]) -> list[tuple[Cell, ...]]:
    """Keep one of several consecutive headers, or all joined; remove sums and a repeated header."""
    rows_with_header: list[tuple[Cell, ...]] = []
    header_block: list[tuple[Cell, ...]] = []
    first_header: tuple[Cell, ...] | None = None
    for row_index, row in enumerate(rows):
        if _is_header(row, 0, ()):
            header_block.append(row)
            if row_index < len(rows) - 1:
                continue
        if header_block:
            best_header = _best_header(header_block, names, notes)
            has_rows_above = len(rows_with_header) > 0
            if (
                first_header is not None
                and has_rows_above
                and row_index == len(rows) - 1
                and _is_header(row, 0, ())
                and _has_same_names(best_header, first_header, names)
            ):
                notes.append(f"{best_header[0].where}: names repeated below the columns were left out")
                return rows_with_header
            first_header = first_header or best_header
            rows_with_header.append(best_header)
            header_block = []
            if _is_header(row, 0, ()):
                continue
        if fold(row[0].text) in _SUMS and not names.known(row[0].text):
            notes.append(f"{row[0].where}: the row {quote_text(row[0].text)} was left out")
            continue
        rows_with_header.append(row)
    return rows_with_header


def _best_header(block: Rows, names: NameFunctions, notes: list[str]) -> tuple[Cell, ...]:
    """Return the header with most cities: a row, or neighbouring rows with parts of names."""
    if len(block) == 1:
        return block[0]
    header_options = [(row, [row]) for row in block]
    for first_row in range(len(block)):
        header_options += [
            (_join_headers(block[first_row:end_row]), list(block[first_row:end_row]))
            for end_row in range(first_row + 2, len(block) + 1)
        ]
    best_header, used_rows = max(header_options, key=lambda option: (_count_cities(option[0], names), -len(option[1])))
    if len(used_rows) > 1:
        notes.append(f"{used_rows[0][0].where}: names are spread over {len(used_rows)} rows")
    for row in block:
        if row not in used_rows:
            sample_texts = list(dict.fromkeys(quote_text(cell.text) for cell in row[1:] if is_filled(cell)))[
                :_MAX_SHOWN
            ]
            notes.append(f"{row[0].where}: a row beside the names was left out ({', '.join(sample_texts)}...)")
    return best_header


def _join_headers(rows: Rows) -> tuple[Cell, ...]:
    width = max(map(len, rows))
    joined_cells = []
    for k in range(width):
        column_cells = [_cell_at(row, k) for row in rows]
        joined_text = " ".join(cell.text for cell in column_cells if cell.text)
        joined_cells.append(
            next((cell for cell in column_cells if is_filled(cell)), column_cells[-1])._replace(text=joined_text)
        )
    return tuple(joined_cells)


def _has_same_names(first_row: Sequence[Cell], second_row: Sequence[Cell], names: NameFunctions) -> bool:
    def keys(row: Sequence[Cell]) -> list[str]:
        return [names.key(cell.text) for cell in row[1:] if is_name(cell)]

    return keys(first_row) == keys(second_row)
