"""Names of a table on a page, told apart by a list of known names where white space does not separate them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mapkit.formats.pdf.lines import Columns, Line
from mapkit.formats.pdf.word import Word, join_words

IsKnown = Callable[[str], bool]
_NUMBER: Final = re.compile(r"[(#]?\d{1,3}[.):]?\s+")
_MAX_GROUPS: Final = 5
"""Groups of words side by side in one name."""
_MAX_LINES: Final = 8
_MAX_OTHERS: Final = 2
"""Columns without a known name, such as sums."""
_MOST_ROWS: Final = 0.9
_TOUCH: Final = 0.15
"""Parts of the font's size by which names of neighbouring columns may overlap."""


def split_known_labels(rows: Sequence[list[Word]], is_known: IsKnown) -> list[list[Word | None]] | None:
    """Return the texts before the amounts as numbers, other texts, and the longest known name at their end.

    Args:
        rows: The texts before the amounts of each row.
        is_known: Tells whether a text is a name.

    Returns:
        Rows of one to three texts; None if most rows do not end in a known name.
    """
    split_rows: list[tuple[Word | None, Word | None]] = []
    known_count = 0
    for words in rows:
        if not words:
            split_rows.append((None, None))
            continue
        whole_word = join_words(words)
        parts = whole_word.text.split(" ")
        start = next((k for k in range(len(parts)) if is_known(" ".join(parts[k:]))), None)
        known_count += start is not None
        prefix = whole_word._replace(text=" ".join(parts[:start])) if start else None
        split_rows.append((prefix, whole_word._replace(text=" ".join(parts[start or 0 :]))))
    if known_count < max(2, _MOST_ROWS * sum(map(bool, rows))):
        return None
    columns = [
        *zip(*(_split_number(prefix) for prefix, _ in split_rows), strict=True),
        [name for _, name in split_rows],
    ]
    return [list(row) for row in zip(*(column for column in columns if any(column)), strict=True)]


def _split_number(prefix: Word | None) -> tuple[Word | None, Word | None]:
    """Return the number at the start of a text, and the rest."""
    number = _NUMBER.match(f"{prefix.text} ") if prefix is not None else None
    if prefix is None or number is None:
        return None, prefix
    rest = prefix.text[number.end() :]
    return prefix._replace(text=number[0].strip()), prefix._replace(text=rest) if rest else None


def assign_known_headings(
    lines: Sequence[Line], columns: Columns, edge: float, is_known: IsKnown
) -> tuple[dict[int, Word], Sequence[Line]] | None:
    """Return the known names above or below all columns, and their lines; None if the nearest lines are others.

    The cells of a table do not overlap, so words above each other belong to one name, and neighbouring groups of such
    words are joined so that all are known names. A triangle may have one name more than columns.

    Args:
        lines: The lines above the amounts, or those below.
        columns: The columns; one without amounts is added.
        edge: The height of the amounts that are nearest to the lines.
        is_known: Tells whether a text is a name.
    """
    near_lines = sorted(lines, key=lambda line: abs(line.height - edge))[:_MAX_LINES]
    line_ranges = [
        sorted(near_lines[first : first + count], key=lambda line: line.height)
        for count in range(1, len(near_lines) + 1)
        for first in range(len(near_lines) - count + 1)
    ]
    wide = len(columns.spans)
    for counts in ((wide, wide + 1), range(wide - 1, max(wide - _MAX_OTHERS, 1), -1)):
        for used_lines in line_ranges:
            best_fit = min(_find_fits(_group_words(used_lines), counts, columns, is_known), default=None)
            if best_fit is not None and best_fit[0] < columns.pitch:
                _, start, names, others = best_fit
                return _assign_names(names, start, others, columns), used_lines
    return None


def _find_fits(
    groups: Sequence[list[tuple[int, Word]]], counts: Sequence[int], columns: Columns, is_known: IsKnown
) -> Iterator[tuple[float, int, list[Word], list[Word]]]:
    """Yield how far known names stand from their columns, the first column, the names, and other headings."""
    for end in range(len(groups), max(len(groups) - _MAX_OTHERS, 0) - 1, -1):
        others_behind = [join_words([word for _, word in group]) for group in groups[end:]]
        if any(map(is_known, (word for other in others_behind for word in other.text.split(" ")))):
            return
        for count in counts:
            start, names = _find_names(groups[:end], count, is_known)
            if names:
                others_before = [join_words([word for _, word in group]) for group in groups[:start]]
                shift, column_start = min(_measure_shifts(names, columns))
                yield shift, column_start, names, [*others_before, *others_behind]


def _group_words(lines: Sequence[Line]) -> list[list[tuple[int, Word]]]:
    """Return the words of lines, each with the index of its line, in groups that overlap in width."""
    indexed_words = [(index, word) for index, line in enumerate(lines) for word in line.words]
    groups: list[list[tuple[int, Word]]] = []
    right = 0.0
    for index, word in sorted(indexed_words, key=lambda pair: pair[1].left):
        if groups and word.left < right - _TOUCH * word.size:
            groups[-1].append((index, word))
            right = max(right, word.right)
        else:
            groups.append([(index, word)])
            right = word.right
    return groups


def _find_names(groups: Sequence[list[tuple[int, Word]]], count: int, is_known: IsKnown) -> tuple[int, list[Word]]:
    """Return the last groups joined to known names, behind as few other groups as possible; no names if they differ."""
    names_by_state: dict[tuple[int, int], list[Word]] = {(len(groups), 0): []}
    for end in range(len(groups), 0, -1):
        states = [(named, names) for (start, named), names in names_by_state.items() if start == end and named < count]
        for start, name in _names_ending_at(groups, end, is_known) if states else ():
            for named, names in states:
                names_by_state.setdefault((start, named + 1), [name, *names])
    starts = [start for start, named in names_by_state if named == count]
    return (min(starts), names_by_state[min(starts), count]) if starts else (0, [])


def _names_ending_at(
    groups: Sequence[list[tuple[int, Word]]], end: int, is_known: IsKnown
) -> Iterator[tuple[int, Word]]:
    for start in range(end - 1, max(end - _MAX_GROUPS, 0) - 1, -1):
        words = sorted(
            (pair for group in groups[start:end] for pair in group), key=lambda pair: (pair[0], pair[1].left)
        )
        name = join_words([word for _, word in words])
        if is_known(name.text) or is_known(_NUMBER.sub("", name.text, count=1)):
            yield start, name


def _measure_shifts(names: Sequence[Word], columns: Columns) -> Iterator[tuple[float, int]]:
    """Yield how far names stand from their columns at most, for each first column: one, or -1 for one before them."""
    middles = columns.middles
    extra = len(names) - len(middles)
    for start in range(min(-extra, 0), max(-extra, 0) + 1):
        named_columns = range(max(start, 0), min(start + len(names), len(middles)))
        yield max(abs(names[k - start].middle - middles[k]) for k in named_columns), start


def _assign_names(names: Sequence[Word], start: int, others: Sequence[Word], columns: Columns) -> dict[int, Word]:
    """Return names by column, in order, with the other headings; add the column of a name that has none."""
    if len(names) > len(columns.spans):
        outer_name = names[0] if start else names[-1]
        columns.add(outer_name.left, outer_name.right)
        start = 0
    headings = dict(enumerate(names, start=start))
    for word in others:
        k = columns.nearest(word.middle) if word.middle > names[0].left else start - 1
        headings.setdefault(max(k, -1), word)
    return headings
