"""Column headings of tables on pages: names above or below the amounts, upright, slanted or vertical."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.known_names import IsKnown, assign_known_headings
from mapkit.formats.pdf.lines import Columns, Line
from mapkit.formats.pdf.word import Word, join_words

_COVERED_SHARE: Final = 0.25
_MAX_LINE_SPACING: Final = 1.5
_MAX_HEADING_GAP: Final = 1.9
"""The same for another line that covers many columns; the title of a page is farther away."""
_SAME_SIZE: Final = 0.12
_MAX_OVERLAP: Final = 0.3
"""Parts of the font's size by which the cells of neighbouring columns may overlap."""
_FLUSH: Final = 0.15
"""The same: a name ends as near to the right edge of the amounts below it."""
_CLEAR_FACTOR: Final = 1.2
_MAX_BLANK: Final = 0.35
"""The same for the blank between two words of a name."""
Extent = tuple[float, float]
"""Left and right."""


def join_tilted_names(words: Sequence[Word]) -> list[Word]:
    """Return tilted words, joined where they form one name: along a line, or on two adjacent lines."""
    joined_words: list[Word] = []
    for word in sorted(words, key=lambda w: (w.page, w.tilt)):
        for k, earlier_word in enumerate(joined_words):
            max_distance = max(word.size, earlier_word.size)
            if abs(earlier_word.tilt - word.tilt) < 1 and math.dist(earlier_word.tip, word.foot) < max_distance:
                joined_words[k] = join_words([earlier_word, word])
                break
        else:
            joined_words.append(word)
    return joined_words


def assign_tilted_names(
    words: Sequence[Word], rows: Sequence[tuple[float, Sequence[Word]]], columns: Columns
) -> tuple[dict[int, Word], dict[int, Word], list[Word]]:
    """Assign tilted names to columns: those above the column's amounts, those below, and the others.

    Args:
        words: The tilted names.
        rows: The height and the amounts of each row.
        columns: The columns that the amounts stand in.
    """
    heights_by_column: dict[int, list[float]] = {}
    for height, amounts in rows:
        for word in amounts:
            for k in columns.under(word)[:1]:
                heights_by_column.setdefault(k, []).append(height)
    middle_height = median(height for height, _ in rows)
    names_above: list[tuple[float, Word]] = []
    names_below: list[tuple[float, Word]] = []
    left_limit, right_limit = columns.spans[0][0] - columns.pitch, columns.spans[-1][1] + columns.pitch
    stray_words = []
    for word in words:
        low_end, high_end = sorted((word.foot, word.tip), key=lambda end: -end[1])
        k = columns.nearest(low_end[0])
        column_heights = heights_by_column.get(k) or [middle_height]
        near_end, side_names = (high_end, names_below) if word.bottom > max(column_heights) else (low_end, names_above)
        if left_limit <= near_end[0] <= right_limit:
            side_names.append((near_end[0], word))
        else:
            stray_words.append(word)
    amount_counts = [len(heights_by_column.get(k, ())) for k in range(len(columns.spans))]
    return (
        _assign_to_columns(names_above, columns, amount_counts),
        _assign_to_columns(names_below, columns, amount_counts),
        stray_words,
    )


def _assign_to_columns(ends: list[tuple[float, Word]], columns: Columns, counts: Sequence[int]) -> dict[int, Word]:
    """Return column -> name: each name at its nearest column, after all are shifted by their common offset.

    Args:
        ends: Where the names begin or end, with the names.
        columns: The columns.
        counts: The number of amounts in each column.
    """
    ends = sorted(ends, key=lambda end: (end[0], end[1].height))
    if not ends:
        return {}
    middles = columns.middles
    if len(ends) == len(middles):
        return {k: word for k, (_, word) in enumerate(ends)}
    if len(ends) == len(middles) + 1 and (count_steps := {b - a for a, b in pairwise(counts)}) in ({1}, {-1}):
        column_ends = (
            ends[:-1] if count_steps == {-1} else ends[1:]
        )  # a triangle: the last city has no column, or the first one
        return {k: word for k, (_, word) in enumerate(column_ends)}
    common_shift = 0.0
    for _ in range(3):
        common_shift += median(middles[columns.nearest(x + common_shift)] - (x + common_shift) for x, _ in ends)
    words_by_column: dict[int, list[Word]] = {}
    for x, word in ends:
        words_by_column.setdefault(columns.nearest(x + common_shift), []).append(word)
    return {k: join_words(sorted(names, key=_start_along_word)) for k, names in words_by_column.items()}


def _start_along_word(word: Word) -> float:
    """Return the start of a word, measured along its own direction."""
    turn = math.radians(word.tilt)
    return word.foot[0] * math.cos(turn) - word.foot[1] * math.sin(turn)


def find_headings(
    lines: Sequence[Line], columns: Columns, edge: float, is_known: IsKnown = lambda _: False
) -> tuple[list[dict[int, Word]], list[Line]]:
    """Return upright lines of names by column (-1 is before the amounts), and the other lines.

    A heading covers many columns, or is right beside one that does (names on several lines).

    Args:
        lines: The lines above the amounts, or those below.
        columns: The columns.
        edge: The height of the amounts that are nearest to the lines.
        is_known: Tells whether a text is a name that a column may have.
    """
    known_headings = assign_known_headings(lines, columns, edge, is_known)
    if known_headings is not None:
        names, name_lines = known_headings
        return [names], sorted((line for line in lines if line not in name_lines), key=lambda line: line.height)
    heading_lines: list[Line] = []
    near_height = edge
    for line in sorted(lines, key=lambda line: abs(line.height - edge)):
        own_columns = [k for k in _words_by_column(line, columns) if k >= 0]
        is_adjacent = abs(line.height - near_height) < _MAX_LINE_SPACING * line.size
        may_cover = len(own_columns) >= _COVERED_SHARE * len(columns.spans) and (
            not heading_lines or abs(line.height - near_height) < _MAX_HEADING_GAP * line.size
        )
        covers_enough = len(own_columns) > 1 and (may_cover or is_adjacent)
        if covers_enough and _can_be_heading(line, columns):
            heading_lines.append(line)
            near_height = line.height
    for line in sorted(lines, key=lambda line: abs(line.height - near_height)):
        if (
            line not in heading_lines
            and any(_is_part_of_heading(line, head) for head in heading_lines)
            and _can_be_heading(line, columns)
        ):
            heading_lines.append(line)
    heading_lines.sort(key=lambda line: line.height)
    _add_outer_column(heading_lines, columns)
    leftover_lines = sorted((line for line in lines if line not in heading_lines), key=lambda line: line.height)
    name_extents = _find_name_extents(heading_lines, columns)
    if not name_extents and len(heading_lines) == 1:
        name_extents = _find_flush_extents(heading_lines[0], columns)
    rows = [(line, _names_by_column(line, columns, name_extents)) for line in heading_lines]
    if name_extents and _are_vertically_centred([names for _, names in rows]):
        return [_stack_rows([names for _, names in rows])], leftover_lines
    return _join_split_rows(rows), leftover_lines


def _are_vertically_centred(rows: Sequence[dict[int, Word]]) -> bool:
    """Return whether columns have different numbers of lines, centred at one height: each column is one name."""
    column_heights = [[row[k].height for row in rows if k in row] for k in set().union(*rows) if k >= 0]
    middles = [(min(heights) + max(heights)) / 2 for heights in column_heights]
    median_size = median(word.size for row in rows for word in row.values())
    return (
        len({len(heights) for heights in column_heights}) > 1
        and max(middles) - min(middles) < _MAX_OVERLAP * median_size
    )


def _stack_rows(rows: Sequence[dict[int, Word]]) -> dict[int, Word]:
    """Return lines, from the top, as one, with the words of each column joined into one name."""
    return {k: join_words([row[k] for row in rows if k in row]) for k in sorted(set().union(*rows))}


def _join_split_rows(rows: Sequence[tuple[Line, dict[int, Word]]]) -> list[dict[int, Word]]:
    """Return headings; lines of two-line names above and below one-line names are joined into one heading."""
    joined_rows: list[dict[int, Word]] = []
    k = 0
    while k < len(rows):
        three_rows = rows[k : k + 3]
        if len(three_rows) == 3 and _are_one_heading(*three_rows):  # noqa: PLR2004
            joined_rows.append(_stack_rows([row for _, row in three_rows]))
            k += 3
        else:
            joined_rows.append(rows[k][1])
            k += 1
    return joined_rows


def _are_one_heading(
    over: tuple[Line, dict[int, Word]], middle: tuple[Line, dict[int, Word]], under: tuple[Line, dict[int, Word]]
) -> bool:
    have_no_common_columns = not middle[1].keys() & (over[1].keys() | under[1].keys())
    return (
        have_no_common_columns and _is_part_of_heading(over[0], middle[0]) and _is_part_of_heading(under[0], middle[0])
    )


def _add_outer_column(heads: Sequence[Line], columns: Columns) -> None:
    """Add the column of a triangle's last or first city, which has a name but no amounts."""
    extents = _find_name_extents(heads, columns, len(columns.spans) + 1)
    if not extents or _find_name_extents(heads, columns, len(columns.spans)):
        return
    names_end = columns.names_end if columns.names_end is not None else -math.inf
    if extents[-1][0] > columns.spans[-1][1]:
        columns.add(*extents[-1])
    elif names_end < sum(extents[0]) / 2 and extents[0][1] < columns.spans[0][0]:
        columns.add(*extents[0])


def _find_name_extents(heads: Sequence[Line], columns: Columns, count: int | None = None) -> Sequence[Extent]:
    """Return the horizontal extents of the column names, if white space separates them.

    Then no name overlaps another, or the amounts of another column. Columns may have any width. Empty if names overlap.

    Args:
        heads: The lines of names.
        columns: The columns of the amounts.
        count: How many names there are; as many as columns by default, or one more, at either end.
    """
    count = count or len(columns.spans)
    name_words = [
        word
        for line in heads
        if not all(looks_like_amount(word.text) for word in line.words)
        for word in line.words[_count_before(line, columns) :]
    ]
    if len(name_words) < count + (count == len(columns.spans)):
        return []
    word_groups: list[list[Word]] = []
    for word in sorted(name_words, key=lambda word: word.left):
        if word_groups and word.left < max(group_word.right for group_word in word_groups[-1]):
            word_groups[-1].append(word)
        else:
            word_groups.append([word])
    extents = _join_nearest(
        [(min(word.left for word in group), max(word.right for word in group)) for group in word_groups], count
    )
    if len(extents) != count:
        return []
    max_overlap = _MAX_OVERLAP * median(word.size for word in name_words)
    for skipped in range(count - len(columns.spans) + 1):  # the column that a triangle lacks is the last or the first
        named_extents = extents[skipped : skipped + len(columns.spans)]
        outer_extents = (*extents[:skipped], *extents[skipped + len(columns.spans) :])
        whole_extents = [
            (min(a, left), max(b, right)) for (a, b), (left, right) in zip(named_extents, columns.spans, strict=True)
        ]
        whole_extents = sorted([*whole_extents, *outer_extents])
        if all(before[1] < after[0] + max_overlap for before, after in pairwise(whole_extents)):
            return extents
    return []


def _find_flush_extents(line: Line, columns: Columns) -> list[Extent]:
    """Return the extents of names that end flush right with their columns, however near the next ones begin.

    Empty if a column has no such name.
    """
    words = line.words[sum(word.right < columns.spans[0][0] - columns.pitch for word in line.words) :]
    extents: list[Extent] = []
    name_left = None
    for word in words:
        name_left = word.left if name_left is None else name_left
        if len(extents) < len(columns.spans) and abs(word.right - columns.spans[len(extents)][1]) < _FLUSH * word.size:
            extents.append((name_left, word.right))
            name_left = None
    return extents if len(extents) == len(columns.spans) and name_left is None else []


def _join_nearest(extents: list[Extent], count: int) -> list[Extent]:
    """Join the extents with the smallest gaps between them until `count` are left: words of one name.

    They stay unchanged if the closed gaps are not clearly smaller than the remaining ones.
    """
    sorted_gaps = sorted(after[0] - before[1] for before, after in pairwise(extents))
    close_count = len(extents) - count
    if (
        not 0 < close_count < len(sorted_gaps)
        or sorted_gaps[close_count] < _CLEAR_FACTOR * sorted_gaps[close_count - 1]
    ):
        return extents
    joined_extents = extents[:1]
    for extent in extents[1:]:
        if extent[0] - joined_extents[-1][1] <= sorted_gaps[close_count - 1]:
            joined_extents[-1] = joined_extents[-1][0], extent[1]
        else:
            joined_extents.append(extent)
    return joined_extents


def _count_before(line: Line, columns: Columns) -> int:
    """Return the number of words before the first column; a word of the first column's name does not count."""
    words = line.words
    if columns.names_end is not None:
        return sum(word.middle < columns.names_end for word in words)
    first_start = columns.spans[0][0] - columns.pitch / 2
    count = sum(word.middle < first_start for word in words)
    while 0 < count < len(words) and words[count].left - words[count - 1].right < _MAX_BLANK * words[count].size:
        count -= 1
    return count


def _words_by_column(line: Line, columns: Columns, cells: Sequence[Extent] = ()) -> dict[int, list[Word]]:
    """Return the words of a line by column: the one of its cell, or else the nearest; -1 is before the amounts."""
    words_by_column: dict[int, list[Word]] = {}
    count_before = _count_before(line, columns)
    for word_index, word in enumerate(line.words):
        own_columns = (k for k, (left, right) in enumerate(cells) if left <= word.middle <= right)
        k = -1 if word_index < count_before else next(own_columns, columns.nearest(word.middle))
        words_by_column.setdefault(k, []).append(word)
    return words_by_column


def _names_by_column(line: Line, columns: Columns, cells: Sequence[Extent] = ()) -> dict[int, Word]:
    return {k: join_words(words) for k, words in _words_by_column(line, columns, cells).items()}


def _can_be_heading(line: Line, columns: Columns) -> bool:
    """Return whether a line can be a heading: names about as wide as columns, or numbers that count up."""
    column_words = _words_by_column(line, columns)
    own_words = [word for k, words in column_words.items() if k >= 0 for word in words]
    word_kinds = {looks_like_amount(word.text) for word in own_words}
    is_mixed = len(word_kinds) > 1 or (word_kinds == {True} and not (len(own_words) > 1 and _count_up(own_words)))
    widest_name = max(name.right - name.left for name in _names_by_column(line, columns).values())
    return not is_mixed and (
        widest_name <= 2 * columns.pitch + line.size
        or any(_find_name_extents([line], columns, len(columns.spans) + more) for more in (0, 1))
    )


def _is_part_of_heading(line: Line, whole: Line) -> bool:
    """Return whether a line is right above or below a heading, in the same font: the other line of a name in it."""
    return (
        abs(line.height - whole.height) < _MAX_LINE_SPACING * line.size
        and abs(line.size - whole.size) < _SAME_SIZE * line.size
    )


def _count_up(words: Sequence[Word]) -> bool:
    numbers = [int(word.text) for word in words if word.text.isdecimal()]
    return len(numbers) == len(words) and all(a < b for a, b in pairwise(numbers))
