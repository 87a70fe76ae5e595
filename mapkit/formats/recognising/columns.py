"""Columns of amounts on a level page, and the words in each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.recognising.boxes import Box, bounding_box
from mapkit.formats.recognising.deskew import HIGH, Grey

_MAX_DARK_LEVEL: Final = 160
_MIN_ROW_SHARE: Final = 0.03
"""A column has ink in more of the rows than this part."""
_TOUCH_GAP: Final = 0.17
"""Heights of a character: columns are further apart."""
_WITHIN_REACH: Final = 0.85
"""Heights of a character: parts of one amount are nearer."""
_MOST_LINES: Final = 0.8
_NARROW_WIDTH: Final = 0.5
_NEAR_GAP: Final = 0.3
"""Heights of a character: a narrow piece so near before an amount may be its leading 1."""
_HALF_OF_ROWS: Final = 0.5
_AMOUNT_SHARE: Final = 0.6
_FEW_AMOUNTS: Final = 3
_LIKE_DIGITS: Final = frozenset("IlO|0123456789.,")


@dataclass(frozen=True)
class ReadWord:
    """A recognised word.

    Args:
        box: Around its ink.
        text: What it says.
        sure: How sure that is, from 0 to 1.
        amount: What it says if it is an amount.
        amount_sure: How sure that is.
        cell: Whether it stands in a column of amounts.
        agrees: Whether two readings agree.
        others: What it may say besides.
    """

    box: Box
    text: str
    sure: float
    amount: str
    amount_sure: float
    cell: bool = False
    agrees: bool = True
    others: tuple[str, ...] = ()


def mark_column_cells(grey: Grey, read: list[ReadWord]) -> tuple[list[ReadWord], list[Box]]:
    """Mark words in columns of amounts as cells; return the words, and boxes of cells to read again.

    Words across several columns are split, and those in one column are joined.

    Args:
        grey: The level page.
        read: Its words.
    """
    word_lines = _group_lines(read)
    table_lines = [
        line
        for line in word_lines
        if sum(_may_be_amount(word) for word in line) >= max(_FEW_AMOUNTS, _AMOUNT_SHARE * len(line))
    ]
    column_spans = _find_column_spans(grey, [[word for word in line if _may_be_amount(word)] for line in table_lines])
    if len(column_spans) < 2:  # noqa: PLR2004 - no table
        return read, []
    column_words: list[ReadWord] = [
        word for line in word_lines if not any(line is table_line for table_line in table_lines) for word in line
    ]
    boxes_to_reread: list[Box] = []
    for line, (first_x, last_x) in zip(table_lines, _amount_extents(table_lines, column_spans), strict=True):
        words_by_column: dict[int, list[ReadWord]] = {}
        for word in line:
            hit_columns = [
                k for k, (a, b) in enumerate(column_spans) if min(b, word.box[2]) - max(a, word.box[0]) > 0.3 * HIGH
            ]
            hit_columns = hit_columns or [
                k for k, (a, b) in enumerate(column_spans) if a <= (word.box[0] + word.box[2]) / 2 <= b
            ]
            hit_columns = hit_columns or _nearest_column(word.box, column_spans)
            if word.box[0] < first_x or word.box[2] > last_x or not hit_columns:
                column_words.append(word)
            elif len(hit_columns) > 1 and any(letter.isdigit() for letter in word.text):
                boxes_to_reread += _split_box(grey, word.box, [column_spans[k] for k in hit_columns])
            else:
                words_by_column.setdefault(hit_columns[0], []).append(word)
        for column_group in words_by_column.values():
            if len(column_group) > 1:
                boxes_to_reread.append(bounding_box([word.box for word in column_group]))
            else:
                column_words.append(replace(column_group[0], cell=True))
    return column_words, boxes_to_reread


def _amount_extents(table: Sequence[Sequence[ReadWord]], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the horizontal extent of the amounts on each line.

    A word beyond the amounts of its line is a name, unless nearly all lines extend to the same column; then it is an
    amount that was read as letters.
    """
    amount_boxes = [[word.box for word in line if _may_be_amount(word)] for line in table]
    line_extents = [(min(box[0] for box in line), max(box[2] for box in line)) for line in amount_boxes]
    first_span, last_span = spans[0], spans[-1]
    starts_at_first = sum(left < first_span[1] for left, _ in line_extents) > _MOST_LINES * len(line_extents)
    ends_at_last = sum(right > last_span[0] for _, right in line_extents) > _MOST_LINES * len(line_extents)
    return [
        (min(left, first_span[0]) if starts_at_first else left, max(right, last_span[1]) if ends_at_last else right)
        for left, right in line_extents
    ]


def _nearest_column(box: Box, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the column that a narrow piece is far nearer to than to any other, such as the first 1 of a rare 11.5."""
    sorted_gaps = sorted((max(a - box[2], box[0] - b), k) for k, (a, b) in enumerate(spans))
    (nearest_gap, k), (next_gap, _) = sorted_gaps[:2]
    return (
        [k]
        if nearest_gap < _MOST_LINES * HIGH / 2 and 2 * nearest_gap < next_gap and box[2] - box[0] < HIGH / 2
        else []
    )


def _may_be_amount(word: ReadWord) -> bool:
    """Return whether a word is an amount, or may be one with digits read as letters: 11 as II."""
    return looks_like_amount(word.text) or (bool(word.amount) and bool(word.text) and set(word.text) <= _LIKE_DIGITS)


def _group_lines(read: Sequence[ReadWord]) -> list[list[ReadWord]]:
    """Return words that are side by side, line by line."""
    word_lines: list[list[ReadWord]] = []
    line_heights: list[float] = []
    for word in sorted(read, key=lambda one: one.box[1] + one.box[3]):
        height = (word.box[1] + word.box[3]) / 2
        if word_lines and height - line_heights[-1] < 0.35 * HIGH:
            word_lines[-1].append(word)
            line_heights[-1] += (height - line_heights[-1]) / len(word_lines[-1])
        else:
            word_lines.append([word])
            line_heights.append(height)
    return word_lines


def _find_column_spans(grey: Grey, table: Sequence[Sequence[ReadWord]]) -> list[tuple[int, int]]:
    """Return the columns: where more than a few rows have ink, without gaps inside the amounts of a column."""
    has_ink = np.zeros((len(table), grey.shape[1] + 1), dtype=bool)
    for ink_row, line in zip(has_ink, table, strict=True):
        for left, top, right, bottom in (word.box for word in line):
            ink_row[left:right] |= (grey[top:bottom, left:right] < _MAX_DARK_LEVEL).any(axis=0)
    is_covered = has_ink.sum(axis=0) > _MIN_ROW_SHARE * len(table)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_covered, [False])).astype(int)))
    column_spans: list[tuple[int, int]] = []
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if column_spans and _belong_together(has_ink, table, column_spans[-1], (a, b)):
            column_spans[-1] = column_spans[-1][0], b
        else:
            column_spans.append((a, b))
    return [(a, b) for a, b in column_spans if b - a > 0.2 * HIGH]


def _belong_together(
    inks: NDArray[np.bool_],
    table: Sequence[Sequence[ReadWord]],
    left_span: tuple[int, int],
    right_span: tuple[int, int],
) -> bool:
    """Return whether the ink on both sides of a gap belongs to one amount.

    Then the ink on the left continues nearby in nearly all rows. Amounts of two columns are further apart in some rows,
    or have two points. Right behind ink as narrow as a 1, rows with two points are ignored, since a word may extend
    over the next column.
    """
    if right_span[0] - left_span[1] < _TOUCH_GAP * HIGH:
        return True
    ink_rows = np.flatnonzero(inks[:, left_span[0] : left_span[1]].any(axis=1))
    is_narrow = left_span[1] - left_span[0] < _NARROW_WIDTH * HIGH and right_span[0] - left_span[1] < _NEAR_GAP * HIGH
    near_count = row_count = 0
    for row in ink_rows.tolist():
        ink_end = left_span[0] + int(np.flatnonzero(inks[row, left_span[0] : left_span[1]])[-1])
        is_near = inks[row, right_span[0] : min(right_span[1], ink_end + round(_WITHIN_REACH * HIGH))].any()
        hit_texts = [word.text for word in table[row] if word.box[0] < right_span[1] and word.box[2] > left_span[0]]
        is_single = sum(text.count(".") for text in hit_texts) < 2  # noqa: PLR2004 - two points
        near_count += bool(is_near) and is_single
        row_count += is_single or not is_narrow
    return near_count > _MOST_LINES * row_count and near_count >= _HALF_OF_ROWS * len(ink_rows)


def _split_box(grey: Grey, box: Box, spans: Sequence[tuple[int, int]]) -> list[Box]:
    """Split a box between columns, each piece tight around its ink."""
    left, top, right, bottom = box
    cut_positions = [left, *((a[1] + b[0]) // 2 for a, b in pairwise(spans)), right]
    ink_boxes = []
    for a, b in pairwise(cut_positions):
        ink_columns = np.flatnonzero((grey[top:bottom, a:b] < _MAX_DARK_LEVEL).any(axis=0))
        if len(ink_columns):
            ink_boxes.append((a + int(ink_columns[0]), top, a + int(ink_columns[-1]) + 1, bottom))
    return ink_boxes
