"""Tables of amounts on pages: rows and columns inferred from the positions of words.

A row is a line of amounts between names; columns are shared by the amounts of all lines. Names above, below or at the
edge of the amounts, upright, slanted or vertical, belong to the column that they point at.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.plurals import count_noun
from mapkit.formats.cells.table import Cell, Spot, Table, quote_text
from mapkit.formats.marks import UNREAD, looks_like_amount
from mapkit.formats.pdf.headings import assign_tilted_names, find_headings, join_tilted_names
from mapkit.formats.pdf.known_names import IsKnown, split_known_labels
from mapkit.formats.pdf.lines import (
    Columns,
    Line,
    drop_specks,
    flag_amounts,
    group_lines,
    join_phrases,
    measure_word_space,
)
from mapkit.formats.pdf.unfolding import unfold_lists
from mapkit.formats.pdf.word import Page, Word, join_words

_MAX_ROW_STEPS: Final = 2.6
"""Heights of a row: lines farther apart are not of one table."""
_WRAPPED_STEP: Final = 0.75
_MAX_PITCHES: Final = 1.6
_STAIRS_SHARE: Final = 0.5
_NAMED_SHARE: Final = 0.5
_MAX_EDGE_AMOUNTS: Final = 1
_ALIGNED_DISTANCE: Final = 1.0
"""Points: names that begin less far apart are aligned."""
_FEW_ROWS: Final = 3
_LARGE_SHARE: Final = 0.25
"""Share of the amounts of the largest block in a block that may be a table of its own."""
_MOST_ROWS: Final = 0.9
_SAME_SIZE: Final = 0.12
_MAX_SPOILING_ROWS: Final = 3
"""Rows that may have a blot which looks like an amount; so many of the fullest rows are tried."""
_MAX_LINE_SIZES: Final = 1.6
_MAX_LISTED_NAMES: Final = 2
"""Names before the amount of a line in a list."""
_UNMAPPED_CHARACTER: Final = "a character that the font of the PDF does not explain; type the amount"

CLEARER: Final = "scan it at 200 dots per inch, or photograph it from nearer and in even light"
"""Cure if no text was seen."""
NOT_SEEN: Final = "the picture does not show an amount there that could be read; type it"
_UNCLEAR_READING: Final = "two readings differ or are not clear"
_HIDDEN_TEXT: Final = "the page does not show what its text says"


@dataclass
class _Row:
    """A row of the table: names before its amounts, the amounts, and names behind them."""

    height: float
    size: float
    before: list[Word]
    amounts: list[Word]
    after: list[Word]


@dataclass
class PageTable:
    """Table of a page.

    Args:
        page: The page.
        columns: Where its amounts stand.
        above: Rows of headings above, each column -> name.
        below: The same below.
        body: Rows: names before, column -> amount, names behind.
        heights: Where the rows are on their page.
        notes: What is not part of it.
    """

    page: int
    columns: Columns
    above: list[dict[int, Word]]
    below: list[dict[int, Word]]
    body: list[tuple[list[Word], dict[int, Word], list[Word]]]
    heights: list[float]
    notes: list[str] = field(default_factory=list)

    @property
    def named(self) -> bool:
        """Whether its rows have names."""
        return sum(bool(before or after) for before, _, after in self.body) > _NAMED_SHARE * len(self.body)


def read_matrix_tables(
    pages: Sequence[Page], *, file: str, kind: str = "pdf", is_known: IsKnown = lambda _: False
) -> tuple[list[Table], list[str]]:
    """Return the tables of amounts on pages, those that go on from page to page as one, and notes.

    Args:
        pages: The pages.
        file: Name of the file in messages.
        kind: `pdf` or `picture`.
        is_known: Tells whether a text is a name that the rows and columns may have.
    """
    page_tables: list[PageTable] = []
    notes: list[str] = []
    for page in pages:
        tables = _read_page_tables(page, is_known)
        if not tables:
            notes.append(f"{file}: page {page.number} has no rows of amounts and was left out")
        for table in tables:
            notes += [f"{file}: page {page.number}: {note}" for note in table.notes]
            if not page_tables or not _continue_table(page_tables[-1], table):
                page_tables.append(table)
    return [_to_table(table, file, kind, is_known) for table in page_tables], notes


def _read_page_tables(page: Page, is_known: IsKnown) -> list[PageTable]:
    """Return the tables of a page: tables with headings of their own below one another, or the largest one."""
    tables = [table for part in _split_stacked_tables(page) if (table := _read_page_table(part, is_known)) is not None]
    if len(tables) > 1 and not all(table.named and (table.above or table.below) for table in tables):
        tables = [table for table in (_read_page_table(page, is_known),) if table is not None]
    return tables


def _split_stacked_tables(page: Page) -> list[Page]:
    """Return a page in parts: each ends with the last row of a large block of rows."""
    lines = group_lines(drop_specks(page.words))
    row_blocks = _split_blocks(_filter_by_font_size(_parse_rows(lines)[0]))
    amount_counts = [sum(len(row.amounts) for row in block) for block in row_blocks]
    large_blocks = [
        block
        for block, count in zip(row_blocks, amount_counts, strict=True)
        if len(block) > _FEW_ROWS and count > _LARGE_SHARE * max(amount_counts)
    ]
    block_ends = [block[-1].height + block[-1].size for block in large_blocks[:-1]]
    if len(large_blocks) == 1:
        block_ends = _find_inner_headings(large_blocks[0], lines)
    part_words: list[list[Word]] = [[] for _ in range(len(block_ends) + 1)]
    for word in page.words:
        part_words[sum(word.height > end for end in block_ends)].append(word)
    return [page._replace(words=tuple(words)) for words in part_words]


def _find_inner_headings(rows: Sequence[_Row], lines: Sequence[Line]) -> list[float]:
    """Return the heights right above headings between rows, as a program prints a matrix in several parts."""
    middle = median(word.middle for row in rows for word in row.amounts)
    heights = {row.height for row in rows}
    return [
        line.height - line.size / 2
        for line in lines
        if rows[0].height < line.height < rows[-1].height
        and line.height not in heights
        and len(line.words) > _FEW_ROWS
        and line.words[-1].right > middle
        and not any(flag_amounts(line.words))
    ]


def _parse_rows(lines: Sequence[Line]) -> tuple[list[_Row], float]:
    """Return the lines with amounts as rows, and the maximum gap between words of a name."""
    max_space = measure_word_space(lines, looks_like_amount)
    parsed_rows = (_parse_row(line, max_space) for line in lines)
    return [row for row in parsed_rows if row is not None and not _is_ruled_line(row)], max_space


def _read_page_table(page: Page, is_known: IsKnown) -> PageTable | None:
    lines = unfold_lists(group_lines(drop_specks(page.words)))
    parsed_rows, max_space = _parse_rows(lines)
    rows = _filter_by_columns(_filter_by_font_size(parsed_rows))
    columns = _find_columns(rows)
    rows = _largest_block([row for row in rows if _fits_columns(row, columns)])
    if not rows:
        return None
    rows = _drop_numbers_and_titles(rows, lines)
    columns = _find_columns(rows)
    _split_touching_names(rows, lines)
    heights = {row.height for row in rows}
    other_lines = [line for line in lines if line.height not in heights]
    other_lines = _attach_labels(rows, other_lines, max_space)
    names_end = max((row.before[-1].right for row in rows if row.before), default=math.inf)
    columns.names_end = names_end if names_end < columns.spans[0][0] else None
    top, bottom = rows[0].height, rows[-1].height
    tilted_words = join_tilted_names([word for word in page.words if not word.upright])
    above, below, stray_words = assign_tilted_names(tilted_words, [(row.height, row.amounts) for row in rows], columns)
    notes = [f"{quote_text(word.text)} stands outside the table and was left out" for word in stray_words]
    lines_above = [line for line in other_lines if line.height < top]
    lines_below = [line for line in other_lines if line.height > bottom]
    headings_above, out_above = find_headings(lines_above, columns, rows[0].height, is_known)
    headings_below, out_below = find_headings(lines_below, columns, rows[-1].height, is_known)
    lines_within = [line for line in other_lines if top < line.height < bottom]
    notes += [f"{quote_text(line.text)} was left out" for line in (*out_above, *lines_within, *out_below)]
    body = [(row.before, _amounts_by_column(row.amounts, columns), row.after) for row in rows]
    headings_above += [above] if above else []
    headings_below[:0] = [below] if below else []
    return PageTable(page.number, columns, headings_above, headings_below, body, [row.height for row in rows], notes)


def _drop_numbers_and_titles(rows: list[_Row], lines: Sequence[Line]) -> list[_Row]:
    """Return rows with the numbers left of all names among their names.

    Titles above the headings and single amounts between the lines are left out.
    """
    name_lefts = sorted(row.before[-1].left for row in rows if row.before)
    if len(name_lefts) > _FEW_ROWS and not _is_diagonal(rows):
        names_left = name_lefts[len(name_lefts) // 10]
        for row in rows:
            numbers = [word for word in row.amounts if word.right < names_left]
            row.before[:0], row.amounts = numbers, row.amounts[len(numbers) :]
        rows = [row for row in rows if row.amounts]
    row_step = median(b.height - a.height for a, b in pairwise(rows)) if len(rows) > 1 else 0.0
    named_heights = [row.height for row in rows if row.before or row.after]
    rows = [
        row
        for row in rows
        if row.before
        or row.after
        or len(row.amounts) > 1
        or len(named_heights) < _NAMED_SHARE * len(rows)
        or min(abs(row.height - height) for height in named_heights) > _WRAPPED_STEP * row_step
    ]
    heading_height = min(_find_inner_headings(rows, lines), default=-math.inf)
    rows_below = [row for row in rows if row.height > heading_height]
    return rows_below if len(rows) - len(rows_below) < _FEW_ROWS < len(rows_below) else rows


def _split_touching_names(rows: Sequence[_Row], lines: Sequence[Line]) -> None:
    """Split names that nearly touch at the left edge of most names: a region, right aligned, and its city."""
    name_lefts = [row.before[-1].left for row in rows if row.before]
    if not name_lefts:
        return
    if all(len(row.amounts) == 1 for row in rows) and median(len(row.before) for row in rows) < 2:  # noqa: PLR2004
        return  # a list of prices has no regions
    common_left = max(name_lefts, key=lambda left: sum(abs(left - other) < _ALIGNED_DISTANCE for other in name_lefts))
    if sum(abs(common_left - other) < _ALIGNED_DISTANCE for other in name_lefts) < _NAMED_SHARE * len(rows):
        return
    words_by_height = {line.height: line.words for line in lines}
    for row in rows:
        last_name = row.before[-1] if row.before else None
        if last_name is None or last_name.left > common_left - last_name.size:
            continue
        name_words = [
            word
            for word in words_by_height[row.height]
            if last_name.left <= word.left and word.right <= last_name.right
        ]
        name_parts = (
            [word for word in name_words if word.right <= common_left],
            [word for word in name_words if word.left > common_left - _ALIGNED_DISTANCE],
        )
        if all(name_parts) and abs(name_parts[1][0].left - common_left) < _ALIGNED_DISTANCE:
            row.before[-1:] = [join_words(part) for part in name_parts]


def _parse_row(line: Line, space: float) -> _Row | None:
    """Return a line as names, amounts and names; None if there are names between its amounts."""
    are_amounts = flag_amounts(line.words)
    amount_runs: list[list[int]] = []
    for k, is_amount in enumerate(are_amounts):
        if is_amount and k and are_amounts[k - 1]:
            amount_runs[-1].append(k)
        elif is_amount:
            amount_runs.append([k])
    if not amount_runs:
        return None
    main_run = max(amount_runs, key=lambda run: (len(run), run[0]))
    other_runs = [run for run in amount_runs if run is not main_run and not _is_row_number(line, run, main_run)]
    if any(len(run) > _MAX_EDGE_AMOUNTS for run in other_runs) or any(
        0 < run[0] < len(are_amounts) - 1 for run in other_runs
    ):
        return None
    words = line.words
    return _Row(
        line.height,
        median(line.words[k].size for k in main_run),
        join_phrases(words[: main_run[0]], space=space, apart=_is_number),
        list(words[main_run[0] : main_run[-1] + 1]),
        join_phrases(words[main_run[-1] + 1 :], space=space),
    )


def _is_row_number(line: Line, run: Sequence[int], main: Sequence[int]) -> bool:
    """Return whether an amount is the number of its row: it is alone between a region and a name."""
    return len(main) > _FEW_ROWS and len(run) == 1 and 0 < run[0] < main[0] and line.words[run[0]].text.isdecimal()


def _is_ruled_line(row: _Row) -> bool:
    """Return whether a row is a picture's ruled line broken into dashes: it has no name and no number."""
    words = row.amounts
    return not row.before and all(word.how == "picture" and not _is_number(word.text) for word in words)


def _is_number(text: str) -> bool:
    return looks_like_amount(text) and any(map(str.isdigit, text))


def _filter_by_font_size(rows: list[_Row]) -> list[_Row]:
    """Return the rows in the font of most amounts; titles and numbers of pages are in others."""
    sizes = sorted(row.size for row in rows for _ in row.amounts)
    return [row for row in rows if abs(row.size - sizes[len(sizes) // 2]) < _SAME_SIZE * row.size]


def _filter_by_columns(rows: list[_Row]) -> list[_Row]:
    """Return the rows with amounts below or above others, without running heads and page numbers."""
    columns = _find_columns(rows)
    hit_columns = [[columns.under(word) for word in row.amounts] for row in rows]
    count_by_column = Counter(k for hits in hit_columns for hit in hits for k in hit)
    lone_counts = [sum(all(count_by_column[k] == 1 for k in hit) for hit in hits) for hits in hit_columns]
    return [
        row
        for row, alone in zip(rows, lone_counts, strict=True)
        if len(rows) <= _FEW_ROWS or 2 * alone <= len(row.amounts)
    ]


def _find_columns(rows: Sequence[_Row]) -> Columns:
    """Return the columns of rows, the fullest first; a row that would spoil the columns of others comes last."""
    row_order = sorted(rows, key=lambda row: (-len(row.amounts), row.height))
    columns = _columns_of_rows(row_order)
    for _ in range(_MAX_SPOILING_ROWS):
        if not row_order or _count_fitting(rows, columns) > _MOST_ROWS * len(rows):
            break
        other_orders = [
            [*row_order[:k], *row_order[k + 1 :], row_order[k]] for k in range(min(_MAX_SPOILING_ROWS, len(row_order)))
        ]
        candidates = [(_columns_of_rows(one), one) for one in other_orders]
        better_columns, better_order = max(candidates, key=lambda one: _count_fitting(rows, one[0]))
        if _count_fitting(rows, better_columns) <= _count_fitting(rows, columns):
            break
        columns, row_order = better_columns, better_order
    return columns


def _columns_of_rows(rows: Sequence[_Row]) -> Columns:
    columns = Columns()
    for row in rows:
        columns.take(row.amounts, beside=True)
    return columns


def _count_fitting(rows: Sequence[_Row], columns: Columns) -> int:
    return sum(_fits_columns(row, columns) for row in rows)


def _fits_columns(row: _Row, columns: Columns) -> bool:
    return all(len(columns.under(word)) == 1 for word in row.amounts)


def _largest_block(rows: list[_Row]) -> list[_Row]:
    """Return the consecutive rows without a wide gap between them that hold most amounts."""
    return max(_split_blocks(rows), key=lambda block: sum(len(row.amounts) for row in block), default=[])


def _split_blocks(rows: list[_Row]) -> list[list[_Row]]:
    """Return rows as blocks, split at wide gaps."""
    if not rows:
        return []
    row_steps = [b.height - a.height for a, b in pairwise(rows)]
    max_step = _MAX_ROW_STEPS * median(row_steps) if row_steps else 0
    row_blocks = [[rows[0]]]
    for row, step in zip(rows[1:], row_steps, strict=True):
        if step > max_step:
            row_blocks.append([])
        row_blocks[-1].append(row)
    return row_blocks


def _attach_labels(rows: list[_Row], rest: list[Line], space: float) -> list[Line]:
    """Add lines of names to the rows that they belong to, or as rows of their own; return the other lines."""
    if len(rows) < 2:  # noqa: PLR2004 - nothing to compare with
        return rest
    pitch = median(b.height - a.height for a, b in pairwise(rows))
    if not any(row.before for row in rows):
        return _attach_first_name(rows, rest, pitch, space)
    is_stairs = _is_diagonal(rows)
    first_amount = next((row.amounts[0].left for row in rows if row.amounts), 0.0)
    names_right = median(row.before[-1].right for row in rows if row.before)
    leftover_lines = []
    for line in rest:
        words = join_phrases(line.words, space=space)
        near_row = min(rows, key=lambda row: abs(row.height - line.height))
        height_gap = line.height - near_row.height
        has_same_size = abs(line.size - near_row.size) < _SAME_SIZE * near_row.size
        is_single_name = has_same_size and len(words) == 1 and words[0].left < max(names_right, first_amount)
        above_first = min(row.height for row in rows) - line.height
        is_aligned = is_single_name and any(
            min(abs(words[0].left - w.left), abs(words[0].right - w.right), abs(words[0].middle - w.middle))
            < w.size / 2
            for row in rows
            for w in row.before
        )
        is_wrapped = abs(height_gap) < _MAX_LINE_SIZES * line.size and (
            abs(height_gap) < _WRAPPED_STEP * pitch
            or (
                bool(near_row.amounts)
                and any(abs(near_row.height - height_gap - other.height) < line.size / 10 for other in rest)
            )
        )
        if is_aligned and is_wrapped:
            near_row.before = _join_wrapped_name(near_row.before, words[0], above=height_gap < 0)
        elif is_aligned and 0 < above_first < _MAX_PITCHES * pitch:
            rows.insert(0, _Row(line.height, line.size, words, [], []))
        elif (is_aligned or (is_stairs and has_same_size and len(words) == 1)) and 0 < line.height - rows[
            -1
        ].height < _MAX_PITCHES * pitch:
            rows.append(_Row(line.height, line.size, words, [], []))
        else:
            leftover_lines.append(line)
    return leftover_lines


def _attach_first_name(rows: list[_Row], rest: list[Line], pitch: float, space: float) -> list[Line]:
    """Add wrapped names at the ends of rows to them, and the first name of a diagonal as a row of its own."""
    leftover_lines = []
    for line in rest:
        words = join_phrases(line.words, space=space)
        near_row = min(rows, key=lambda row: abs(row.height - line.height))
        is_behind = len(words) == 1 and near_row.amounts and words[0].left > near_row.amounts[-1].right
        if is_behind and abs(near_row.height - line.height) < min(_WRAPPED_STEP * pitch, _MAX_LINE_SIZES * line.size):
            is_above = line.height < near_row.height
            near_row.after = _join_wrapped_name(near_row.after, words[0], above=is_above and bool(near_row.after))
        else:
            leftover_lines.append(line)
    rest = leftover_lines
    name_starts = [row.after[-1].left for row in rows if row.after]
    if len(name_starts) < len(rows) or sum(a < b for a, b in pairwise(name_starts)) < _MOST_ROWS * (len(rows) - 1):
        return rest
    for line in rest:
        words = join_phrases(line.words, space=space)
        if (
            len(words) == 1
            and words[0].left < name_starts[0]
            and 0 < rows[0].height - line.height < _MAX_PITCHES * pitch
        ):
            rows.insert(0, _Row(line.height, line.size, [], [], words))
            return [other_line for other_line in rest if other_line is not line]
    return rest


def _is_diagonal(rows: Sequence[_Row]) -> bool:
    """Return whether the names of rows follow the diagonal: each ends farther to the right than the one above."""
    name_ends = [row.before[-1].right for row in rows if row.before]
    return sum(b > a for a, b in pairwise(name_ends)) > _MOST_ROWS * (len(name_ends) - 1)


def _join_wrapped_name(names: list[Word], word: Word, *, above: bool) -> list[Word]:
    """Return the names before a row, with a wrapped part joined to the name above or below it."""
    name_index = next((k for k, name in enumerate(names) if word.left < name.right and word.right > name.left), None)
    if name_index is None:
        return sorted([*names, word], key=lambda name: name.left)
    whole_name = join_words([word, names[name_index]] if above else [names[name_index], word])
    return [*names[:name_index], whole_name, *names[name_index + 1 :]]


def _amounts_by_column(amounts: Sequence[Word], columns: Columns) -> dict[int, Word]:
    words_by_column: dict[int, list[Word]] = {}
    for word in amounts:
        words_by_column.setdefault(columns.nearest(word.middle), []).append(word)
    return {k: join_words(words) for k, words in words_by_column.items()}


def _continue_table(previous: PageTable, table: PageTable) -> bool:
    """Add a page to the previous table if it continues it: below without headings, or beside without names."""
    has_headings = bool(table.above or table.below)
    row_indices = _match_heights(table.heights, previous.heights)
    if not table.named and (len(table.body) == len(previous.body) or (row_indices and has_headings)):
        row_indices = row_indices or list(range(len(table.body)))
        width = len(previous.columns.spans)
        column_shift = previous.columns.spans[-1][1] + previous.columns.pitch
        previous.columns.spans += [[left + column_shift, right + column_shift] for left, right in table.columns.spans]
        for row_index, (_, amounts, _) in zip(row_indices, table.body, strict=True):
            previous.body[row_index][1].update({k + width: word for k, word in amounts.items()})
        for own_headings, new_headings in ((previous.above, table.above), (previous.below, table.below)):
            for line, new_names in zip(own_headings, new_headings, strict=False):
                line.update({k + width: word for k, word in new_names.items() if k >= 0})
        return True
    is_list = abs(table.columns.spans[-1][1] - previous.columns.spans[-1][1]) < _ALIGNED_DISTANCE and all(
        len(before) <= _MAX_LISTED_NAMES and len(amounts) == 1 for before, amounts, _ in table.body
    )
    if (
        table.named
        and not has_headings
        and (previous.above or is_list)
        and len(table.columns.spans) == len(previous.columns.spans)
    ):
        previous.body += table.body
        previous.heights += [math.inf] * len(table.body)
        return True
    return False


def _match_heights(heights: Sequence[float], previous_heights: Sequence[float]) -> list[int]:
    """Return the previous row at the height of each row; empty if one has none, or one is taken twice."""
    row_indices = [
        min(range(len(previous_heights)), key=lambda k: abs(previous_heights[k] - height)) for height in heights
    ]
    are_level = all(
        abs(previous_heights[k] - height) < _ALIGNED_DISTANCE for k, height in zip(row_indices, heights, strict=True)
    )
    return row_indices if are_level and len(set(row_indices)) == len(row_indices) else []


def _to_table(table: PageTable, file: str, kind: str, is_known: IsKnown) -> Table:
    leading_names = _name_columns([before for before, _, _ in table.body], table.columns.spans[0][0], is_known)
    trailing_count = max((len(after) for _, _, after in table.body), default=0)
    column_count = len(table.columns.spans)
    empty_names: list[Word | None] = [None] * (len(leading_names[0]) if leading_names else 0)
    blank_cells: list[Word | None] = [None] * trailing_count

    def heading(row: dict[int, Word]) -> list[Word | None]:
        return [
            *([*empty_names[:-1], row.get(-1)] if empty_names else []),
            *(row.get(k) for k in range(column_count)),
            *blank_cells,
        ]

    grid = [heading(row) for row in table.above]
    for names, (_, amounts, after) in zip(leading_names, table.body, strict=True):
        grid.append([*names, *(amounts.get(k) for k in range(column_count)), *after, *blank_cells[len(after) :]])
    grid += [heading(row) for row in table.below]
    rows = [
        tuple(
            _to_cell(word, f"{file}:page {_page_of(line, table)}, row {r}, column {c}")
            for c, word in enumerate(line, start=1)
        )
        for r, line in enumerate(grid, start=1)
    ]
    return Table(kind, tuple(row for row in rows if any(cell.text for cell in row)), placed=True)


def _page_of(line: Sequence[Word | None], table: PageTable) -> int:
    return next((word.page for word in line if word is not None), table.page)


def _name_columns(befores: list[list[Word]], start: float, is_known: IsKnown) -> list[list[Word | None]]:
    """Return the names before the amounts in columns; names that follow the diagonal are one column."""
    diagonal_count = sum(bool(names) and names[-1].right > start + names[-1].size for names in befores)
    if diagonal_count > _STAIRS_SHARE * len(befores):
        return [[join_words(names) if names else None] for names in befores]
    if (split_names := split_known_labels(befores, is_known)) is not None:
        return split_names
    if len({len(names) for names in befores}) == 1:
        return [list(names) for names in befores]
    columns = Columns()
    for names in sorted(befores, key=lambda names: -len(names)):
        columns.take(names)
    name_rows = []
    for names in befores:
        row_names: list[Word | None] = [None] * len(columns.spans)
        for name in names:
            k = columns.nearest(name.middle) if len(columns.under(name)) != 1 else columns.under(name)[0]
            earlier_name = row_names[k]
            row_names[k] = name if earlier_name is None else join_words([earlier_name, name])
        name_rows.append(row_names)
    return _merge_exclusive_columns(name_rows)


def _merge_exclusive_columns(rows: list[list[Word | None]]) -> list[list[Word | None]]:
    """Return names in fewer columns: neighbours of which no row has both are one, shifted by a curl of the paper."""
    for k in range(len(rows[0]) - 1):
        if not any(row[k] and row[k + 1] for row in rows):
            return _merge_exclusive_columns([[*row[:k], row[k] or row[k + 1], *row[k + 2 :]] for row in rows])
    return rows


def _to_cell(word: Word | None, where: str) -> Cell:
    if word is None:
        return Cell("", where)
    if word.how != "text":
        problem = NOT_SEEN if word.text == UNREAD else ""
        doubt = "" if word.sure else _UNCLEAR_READING
        return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, word.confidence, word.how, doubt,
                                                                 word.others))  # fmt: skip
    problem = "" if word.sure else _UNMAPPED_CHARACTER
    doubt = "" if word.seen else _HIDDEN_TEXT
    return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, float(word.sure), "text", doubt))


def summarize_words(pages: Sequence[Page]) -> str:
    """Return the number of words on pages, with a few of them."""
    word_count = sum(len(page.words) for page in pages)
    sample_words = ", ".join(quote_text(word.text) for page in pages for word in page.words[:4])
    return f"{count_noun(word_count, 'word')} ({sample_words}, ...)"


def no_table_reason(pages: Sequence[Page]) -> str:
    """Return the reason why the pages have no table, with the content found instead."""
    hidden_count = sum(page.hidden for page in pages)
    picture_count = sum(page.pictures for page in pages)
    if any(page.words for page in pages):
        return f"no rows of amounts among its {summarize_words(pages)}"
    if hidden_count:
        return "its pages are pictures with a layer of text that another program read from them"
    if picture_count:
        return f"no table of clear text was seen in its pictures; {CLEARER}"
    return "its pages have no text; letters may be outlines"
