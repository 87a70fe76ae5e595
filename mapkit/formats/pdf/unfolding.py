"""Side-by-side lists of a page, rearranged into one long list."""

from collections import Counter
from collections.abc import Sequence
from itertools import compress, pairwise
from statistics import median
from typing import Final

from mapkit.formats.pdf.lines import Columns, Line, flag_amounts
from mapkit.formats.pdf.word import Word

_LISTED_SHARE: Final = 0.8
"""Lines with amounts: so many of them have names before each amount."""
_FEWEST_LINES: Final = 4
"""Lines of a list."""


def unfold_lists(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a page; side-by-side lists follow each other, in the place of the first.

    Such a list has names and one amount in each line. Words keep their boxes but move on the page: lines of the second
    list go below those of the first, and so on.
    """
    amount_lines = [line for line in lines if any(flag_amounts(line.words))]
    amount_columns = _find_amount_columns(amount_lines)
    if len(amount_columns) < 2:  # noqa: PLR2004 - one list
        return list(lines)
    list_ends = [right for _, right in amount_columns]
    amount_lines = [line for line in amount_lines if _ends_in_column(line, amount_columns)]  # no number of the page
    first_height, last_height = amount_lines[0].height, amount_lines[-1].height
    line_step = median(below.height - above.height for above, below in pairwise(amount_lines))
    list_starts = _find_list_starts(amount_lines, list_ends)
    moved_lines = []
    for line in lines:
        if not first_height - line_step < line.height <= last_height:
            moved_lines.append(line)
            continue
        for k, start in enumerate(list_starts):
            list_words = [word for word in line.words if k == _list_index(word, list_ends)]
            if list_words:
                down = k * (last_height - first_height + line_step)
                rights = [
                    list_ends[k] - list_ends[0]
                    if is_amount
                    else max(start - list_starts[0], list_ends[k] - list_ends[0])
                    for is_amount in flag_amounts(list_words)
                ]
                moved_words = (_move_word(word, right, down) for word, right in zip(list_words, rights, strict=True))
                moved_lines.append(Line(tuple(moved_words)))
    return sorted(moved_lines, key=lambda line: (line.height, line.words[0].left))


def _find_amount_columns(rows: Sequence[Line]) -> list[list[float]]:
    """Return the left and right ends of the amounts of side-by-side lists; empty if there are fewer than two."""
    list_lines = [line for line in rows if _is_list_line(line)]
    line_counts = Counter(sum(flag_amounts(line.words)) for line in list_lines)
    if len(list_lines) < max(_FEWEST_LINES, _LISTED_SHARE * len(rows)):
        return []
    if max(line_counts) < 2:  # noqa: PLR2004 - one list
        return []
    columns = Columns()
    for line in sorted(list_lines, key=lambda line: -len(line.words)):
        if not columns.take(list(compress(line.words, flag_amounts(line.words)))):
            return []
    amount_rows = [list(compress(line.words, flag_amounts(line.words))) for line in list_lines]
    side_columns = {columns.nearest(word.middle) for row in amount_rows if len(row) > 1 for word in row}
    return [columns.spans[k] for k in sorted(side_columns)]  # the number of a page stands beside no list


def _ends_in_column(line: Line, columns: Sequence[Sequence[float]]) -> bool:
    last_amount = [*compress(line.words, flag_amounts(line.words))][-1]
    return any(last_amount.left < right and left < last_amount.right for left, right in columns)


def _is_list_line(line: Line) -> bool:
    """Return whether each amount of a line has a name before it, and none follows the last."""
    are_amounts = flag_amounts(line.words)
    return are_amounts[-1] and not are_amounts[0] and not any(a and b for a, b in pairwise(are_amounts))


def _list_index(word: Word, ends: Sequence[float]) -> int:
    return min(sum(word.middle > end for end in ends), len(ends) - 1)


def _find_list_starts(rows: Sequence[Line], ends: Sequence[float]) -> list[float]:
    """Return the left ends of the names of each list."""
    list_lefts: list[float] = [float("inf")] * len(ends)
    for line in rows:
        for word in line.words:
            k = _list_index(word, ends)
            list_lefts[k] = min(list_lefts[k], word.left)
    return list_lefts


def _move_word(word: Word, right: float, down: float) -> Word:
    return word._replace(
        left=word.left - right,
        right=word.right - right,
        top=word.top + down,
        bottom=word.bottom + down,
        foot=(word.foot[0] - right, word.foot[1] + down),
        tip=(word.tip[0] - right, word.tip[1] + down),
    )
