"""Runs of rows on a page, with their headings and the columns of their names."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final, Literal

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Columns
from mapkit.formats.pdf.word import Word, join_words
from mapkit.kinds.rail.sources.destinations.sum_strips import Roll, sum_of_key
from mapkit.kinds.rail.sources.destinations.vocabulary import SUM_WORDS

_MAX_HEADINGS: Final = 4
"""Largest number of lines of headings above the rows of a block."""
_MAX_HEADING_LETTERS: Final = 60
"""Largest number of letters of a heading; longer text is a sentence."""
_WRAPPED_PITCH: Final = 0.75
"""Distance, in heights of a row, at which a line is the other half of a name in a row."""
_BESIDE_SIZE: Final = 0.8
"""Difference in height, in font sizes, below which words are side by side."""
_LOWER_SIZE: Final = 1.5
"""Largest distance, in font sizes, of the second line of a name below the first."""
_UPPER_SIZE: Final = 1.0
"""Largest distance, in font sizes, of the first line of a name above the middle of the first row."""
_CENTRED_SIZE: Final = 0.3
"""Least distance, in font sizes, of two lines of a name from the middle of a row, and largest difference of both."""
_BEGIN_SIZE: Final = 0.5
"""Largest distance, in font sizes, between the left edges of a title and of the names below it."""
_WIDE_COLUMNS: Final = 3
"""Least number of columns of names at which each column has its own title."""
_MOST_GAPS: Final = 0.8
"""Least share of gaps with wrapped names that shows how these are aligned."""
Alignment = Literal["top", "bottom", "any"]
_FAR_PITCH: Final = 6.0
"""Largest distance of a heading, in heights of a row, for each line."""


@dataclass(frozen=True)
class RunRow:
    """Line of a block: its sum or roll, and the other phrases; the key is None in a heading."""

    height: float
    key: Word | None
    names: tuple[Word, ...]
    words: tuple[Word, ...] = ()
    """The single words of the line."""


@dataclass(frozen=True)
class Run:
    """Rows with consecutive sums, and the headings above them, from the top."""

    heads: tuple[RunRow, ...]
    rows: tuple[RunRow, ...]
    pitch: float
    """Distance from one row to the next."""

    def columns(self) -> Columns:
        """Return the columns of the names on the first page."""
        return self._columns_on(self.rows[0])

    def lines(self) -> Iterator[tuple[int, list[Word | None]]]:
        """Yield the headings and rows in columns, each with its page; the sum or roll comes first."""
        columns = self.columns()
        current_page = _page_of(self.rows[0])
        for line in _place_headings(self.heads, columns, self.rows[0].height, self.pitch):
            yield current_page, line
        for row in self.rows:
            if _page_of(row) != current_page:
                current_page, columns = _page_of(row), self._columns_on(row)
            yield current_page, [row.key, *_place_in_columns(_split_wide_names(row, columns), columns)]

    def _columns_on(self, row: RunRow) -> Columns:
        return _find_columns([other_row for other_row in self.rows if _page_of(other_row) == _page_of(row)])


def _page_of(row: RunRow) -> int:
    """Return the page of a row with a sum."""
    return row.key.page if row.key else 0


def find_runs(rows: Sequence[RunRow], roll: Roll) -> list[Run]:
    """Return the runs of a block or a stack of blocks, with names on several lines joined."""
    heads_and_rows: list[tuple[list[RunRow], list[RunRow]]] = []
    has_wrapped: list[bool] = []
    pending_heads: list[RunRow] = []
    row_heights = [row.height for row in rows if row.key]
    row_steps = sorted(b - a for a, b in pairwise(row_heights))
    row_pitch = row_steps[len(row_steps) // 4] if row_steps else 0.0
    alignment = _find_alignment(rows)
    lowest_part = 0.0
    columns_by_row = _columns_by_row(rows)
    for row_index, row in enumerate(rows):
        if row.key is None:
            pending_heads.append(row)
            continue
        if heads_and_rows and (not pending_heads or _is_next_row(heads_and_rows[-1][1][-1], row, roll)):
            current_run = heads_and_rows[-1][1]
            has_wrapped[-1] |= bool(pending_heads)
            heights = [line.height for line in (current_run[-1], *pending_heads, row)]
            upper_count = _count_upper(heights, alignment)
            upper_parts = _take_near_lines(current_run[-1].height, pending_heads[:upper_count], row_pitch)
            lower_parts = _take_near_lines(row.height, pending_heads[upper_count:][::-1], row_pitch)
            lowest_part = max([lowest_part, *(part.height - current_run[-1].height for part in upper_parts)])
            current_run[-1:] = _add_name_parts(
                current_run[-1], row, upper_parts, lower_parts[::-1], columns_by_row[row_index]
            )
        else:
            if heads_and_rows and has_wrapped[-1]:
                pending_heads = _add_lower_parts(heads_and_rows[-1][1], pending_heads, lowest_part)
            first_row, pending_heads = _add_upper_parts(row, pending_heads, columns_by_row[row_index])
            heads_and_rows.append((pending_heads, [first_row]))
            has_wrapped.append(len(first_row.names) > len(row.names))
        pending_heads = []
    if heads_and_rows and has_wrapped[-1]:
        _add_lower_parts(heads_and_rows[-1][1], pending_heads, lowest_part)
    return [Run(tuple(run_heads), tuple(current_run), row_pitch) for run_heads, current_run in heads_and_rows]


def _columns_by_row(rows: Sequence[RunRow]) -> dict[int, Columns]:
    """Return for each row with a key the columns of all rows of its block of increasing sums."""
    row_blocks: list[list[int]] = []
    last_sum = 0
    for row_index, row in enumerate(rows):
        if row.key is None:
            continue
        if not row_blocks or sum_of_key(row.key) <= last_sum:
            row_blocks.append([])
        row_blocks[-1].append(row_index)
        last_sum = sum_of_key(row.key)
    return {
        row_index: columns
        for block in row_blocks
        for columns in [_find_columns([rows[k] for k in block])]
        for row_index in block
    }


def _is_next_row(last_row: RunRow, row: RunRow, roll: Roll) -> bool:
    """Return whether a row is the next of the same run: its sum is one more."""
    if last_row.key is None or row.key is None:
        return False
    key_parities = [parsed_roll[0] if (parsed_roll := roll(key.text)) else "" for key in (last_row.key, row.key)]
    return key_parities[0] == key_parities[1] and sum_of_key(row.key) == sum_of_key(last_row.key) + 1


def _column_of(word: Word, columns: Columns) -> int:
    """Return the column of a word, or the nearest one; -1 without columns."""
    columns_under = columns.under(word)
    if len(columns_under) == 1:
        return columns_under[0]
    return columns.nearest(word.middle) if columns.spans else -1


def _add_name_part(row: RunRow, word: Word, columns: Columns, *, below: bool) -> RunRow:
    """Return a row with a part of a name added: joined to the name in its column, or as a name of its own."""
    row_names = list(row.names)
    word_column = _column_of(word, columns)
    name_index = next(
        (k for k, name in enumerate(row_names) if word_column >= 0 and _column_of(name, columns) == word_column), None
    )
    if name_index is None:
        return replace(row, names=(*row_names, word))
    name_parts = [row_names[name_index], word] if below else [word, row_names[name_index]]
    if abs(word.height - row_names[name_index].height) < word.size * _BESIDE_SIZE:
        name_parts.sort(key=lambda w: w.left)
    row_names[name_index] = join_words(name_parts)
    return replace(row, names=tuple(row_names))


def _find_alignment(rows: Sequence[RunRow]) -> Alignment:
    """Return whether wrapped names begin or end at the height of their sum, from all rows of a stack.

    Then the step to the next row, or from the row before, is that of two rows of one line each.
    """
    steps_by_gap: list[list[float]] = []
    last_key, heights = 0, list[float]()
    for row in rows:
        heights.append(row.height)
        if row.key is not None:
            if sum_of_key(row.key) == last_key + 1:
                steps_by_gap.append([b - a for a, b in pairwise(heights)])
            last_key, heights = sum_of_key(row.key), [row.height]
    single_steps = [steps[0] for steps in steps_by_gap if len(steps) == 1]
    wrapped_steps = [steps for steps in steps_by_gap if len(steps) > 1]
    if not single_steps or not wrapped_steps:
        return "any"
    single_step = median(single_steps)
    errors = [[abs(steps[end] - single_step) for end in (-1, 0)] for steps in wrapped_steps]
    if sum(top < bottom for top, bottom in errors) >= _MOST_GAPS * len(errors):
        return "top"
    return "bottom" if sum(bottom < top for top, bottom in errors) >= _MOST_GAPS * len(errors) else "any"


def _count_upper(heights: Sequence[float], alignment: Alignment) -> int:
    """Return how many lines between two rows belong to the upper one.

    Args:
        heights: Of the upper row, the lines between, and the lower row.
        alignment: That of wrapped names; if it is `any`, the widest step separates two names.
    """
    steps = [b - a for a, b in pairwise(heights)]
    return {"top": len(steps) - 1, "bottom": 0, "any": steps.index(max(steps))}[alignment]


def _add_name_parts(
    last_row: RunRow, row: RunRow, upper_parts: Sequence[RunRow], lower_parts: Sequence[RunRow], columns: Columns
) -> tuple[RunRow, RunRow]:
    """Add the parts of names between two rows to them."""
    for part in upper_parts:
        for word in part.names:
            last_row = _add_name_part(last_row, word, columns, below=True)
    for part in reversed(lower_parts):
        for word in part.names:
            row = _add_name_part(row, word, columns, below=False)
    return last_row, row


def _take_near_lines(height: float, lines: Sequence[RunRow], pitch: float) -> list[RunRow]:
    """Return the first lines that continue a row at a height, each near the one before."""
    near_lines: list[RunRow] = []
    for line in lines:
        if abs(line.height - height) > max(_WRAPPED_PITCH * pitch, _LOWER_SIZE * line.names[0].size):
            break
        near_lines.append(line)
        height = line.height
    return near_lines


def _add_upper_parts(row: RunRow, heading_lines: list[RunRow], columns: Columns) -> tuple[RunRow, list[RunRow]]:
    """Add upper parts of names to the first row of a run, if it has no name or the lower part of one.

    Returns the row, and the headings above it.
    """
    if not heading_lines or row.key is None:
        return row, heading_lines
    upper_line = heading_lines[-1]
    name_by_column = {_column_of(name, columns): name for name in row.names}
    part_pairs = [(word, name_by_column.get(_column_of(word, columns))) for word in upper_line.names]
    if row.height - upper_line.height > _UPPER_SIZE * upper_line.names[0].size:
        return row, heading_lines
    if any(name is not None and not _are_halves(word, name, row.key) for word, name in part_pairs):
        return row, heading_lines
    for word, _ in part_pairs:
        row = _add_name_part(row, word, columns, below=False)
    return row, heading_lines[:-1]


def _are_halves(upper_part: Word, lower_part: Word, key: Word) -> bool:
    """Return whether two parts of a name are equally far above and below the middle of their row."""
    centre_distances = key.height - upper_part.height, lower_part.height - key.height
    return (
        min(centre_distances) > _CENTRED_SIZE * key.size
        and abs(centre_distances[0] - centre_distances[1]) < _CENTRED_SIZE * key.size
    )


def _add_lower_parts(run: list[RunRow], lower_lines: list[RunRow], lowest: float) -> list[RunRow]:
    """Add lower parts of names to the last row of a run, and return the remaining lines below.

    Args:
        run: The rows of the run.
        lower_lines: Lines below it.
        lowest: Largest distance of earlier such parts below their rows.
    """
    near_lines = [
        head
        for head in lower_lines
        if head.height - run[-1].height < _LOWER_SIZE * head.names[0].size
        or (head.height - run[-1].height < lowest + _CENTRED_SIZE * head.names[0].size)
    ]
    name_columns = _find_columns(run)
    for half in near_lines:
        for word in half.names:
            run[-1] = _add_name_part(run[-1], word, name_columns, below=True)
    return [head for head in lower_lines if head not in near_lines]


def _find_columns(rows: Sequence[RunRow]) -> Columns:
    name_columns = Columns()
    for row in sorted(rows, key=lambda row: (-len(row.names), row.height)):
        name_columns.take(row.names)
    return name_columns


def _place_in_columns(names: Sequence[Word], columns: Columns) -> list[Word | None]:
    name_by_column: list[Word | None] = [None] * len(columns.spans)
    for word in names:
        column_index = _column_of(word, columns)
        placed_name = name_by_column[column_index]
        name_by_column[column_index] = word if placed_name is None else join_words([placed_name, word])
    return name_by_column


def _place_headings(
    heading_rows: Sequence[RunRow], columns: Columns, edge: float, pitch: float
) -> list[list[Word | None]]:
    """Return headings in the columns of the rows below; titles in a line share the columns among them."""
    column_count = len(columns.spans)
    heading_lines: list[list[Word | None]] = []
    for head in sorted(heading_rows, key=lambda head: -head.height)[:_MAX_HEADINGS]:
        title_words = [word for word in _split_titles(head, columns) if len(word.text) <= _MAX_HEADING_LETTERS]
        if not title_words or not column_count or (pitch and edge - head.height > _FAR_PITCH * pitch):
            break
        edge = head.height
        titles_in_table = [word for word in title_words if word.right > columns.spans[0][0]] or title_words[-1:]
        titles_in_table = [word for word in titles_in_table if fold(word.text) not in SUM_WORDS] or titles_in_table
        heading_line: list[Word | None] = [None] * (column_count + 1)
        for title_index, word in enumerate(titles_in_table):
            column_index = (
                title_index * (column_count // len(titles_in_table))
                if column_count % len(titles_in_table) == 0
                else max(0, bisect_right([left for left, _ in columns.spans], word.middle) - 1)
            )
            heading_line[column_index + 1] = word
        heading_lines.insert(0, heading_line)
    return heading_lines


def _overlapping_column(word: Word, columns: Columns) -> int:
    """Return the column with the largest overlap with a word, or with the nearest edge."""
    overlaps = [min(word.right, right) - max(word.left, left) for left, right in columns.spans]
    return overlaps.index(max(overlaps))


def _split_wide_names(row: RunRow, columns: Columns) -> list[Word]:
    """Return the names of a row; a name across several otherwise empty columns is split into words."""
    split_names: list[Word] = []
    used_columns = {_column_of(name, columns) for name in row.names if len(columns.under(name)) == 1}
    for name in row.names:
        words_by_column: dict[int, list[Word]] = {}
        for word in row.words:
            if name.left <= word.left and word.right <= name.right:
                words_by_column.setdefault(_overlapping_column(word, columns), []).append(word)
        if len(columns.under(name)) > 1 and not used_columns & set(words_by_column):
            split_names += [join_words(words_by_column[k]) for k in sorted(words_by_column)]
        else:
            split_names.append(name)
    return split_names


def _split_titles(head: RunRow, columns: Columns) -> Sequence[Word]:
    """Return the titles of a line, split by the columns of a wide table where they nearly touch."""
    if len(columns.spans) < max(_WIDE_COLUMNS, len(head.names) + 1):
        return head.names
    words_by_column = _titles_by_column(head, columns)
    if len(words_by_column) != len(columns.spans):
        words_by_column = {}
        for word in head.words:
            words_by_column.setdefault(_overlapping_column(word, columns), []).append(word)
    return (
        [join_words(words_by_column[k]) for k in sorted(words_by_column)]
        if len(words_by_column) == len(columns.spans)
        else head.names
    )


def _titles_by_column(head: RunRow, columns: Columns) -> dict[int, list[Word]]:
    """Return the words of titles by column, if each title begins at the left edge of its column."""
    column_by_start = {
        min(head.words, key=lambda word: abs(word.left - left)): k for k, (left, _) in enumerate(columns.spans)
    }
    if any(abs(word.left - columns.spans[k][0]) > word.size * _BEGIN_SIZE for word, k in column_by_start.items()):
        return {}
    words_by_column: dict[int, list[Word]] = {}
    current_column = 0
    for word in sorted(head.words, key=lambda word: word.left):
        current_column = column_by_start.get(word, current_column)
        words_by_column.setdefault(current_column, []).append(word)
    return words_by_column
