"""Headings of tables on pages: names above or below the amounts, upright, slanted or standing."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.lines import Columns, Line
from mapkit.formats.pdf.word import Word, joined

_COVERED: Final = 0.25
_NEXT: Final = 1.5
_SAME_SIZE: Final = 0.12
_SLACK: Final = 0.3
"""Parts of the font's size by which the cells of neighbouring columns may overlap."""
_CLEARLY: Final = 1.2
_BLANK: Final = 0.35
"""The same for the blank between two words of a name."""
Extent = tuple[float, float]
"""Left and right."""


def tilted_names(words: Sequence[Word]) -> list[Word]:
    """Return tilted words with those joined that make one name: along a line, or on two lines next to each other."""
    out: list[Word] = []
    for word in sorted(words, key=lambda w: (w.page, w.tilt)):
        for k, other in enumerate(out):
            reach = max(word.size, other.size)
            if abs(other.tilt - word.tilt) < 1 and _distance(other.tip, word.foot) < reach:
                out[k] = joined([other, word])
                break
        else:
            out.append(word)
    return out


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return math.dist(one, other)


def standing(
    words: Sequence[Word], rows: Sequence[tuple[float, Sequence[Word]]], columns: Columns
) -> tuple[dict[int, Word], dict[int, Word], list[Word]]:
    """Return tilted names by column, those above their column's amounts and those below, and the others.

    Args:
        words: The tilted names.
        rows: The height and the amounts of each row.
        columns: The columns that the amounts stand in.
    """
    extent: dict[int, list[float]] = {}
    for height, amounts in rows:
        for word in amounts:
            for k in columns.under(word)[:1]:
                extent.setdefault(k, []).append(height)
    middle = median(height for height, _ in rows)
    ups: list[tuple[float, Word]] = []
    downs: list[tuple[float, Word]] = []
    left, right = columns.spans[0][0] - columns.pitch, columns.spans[-1][1] + columns.pitch
    stray = []
    for word in words:
        low, high = sorted((word.foot, word.tip), key=lambda end: -end[1])
        k = columns.nearest(low[0])
        heights = extent.get(k) or [middle]
        end, side = (high, downs) if word.bottom > max(heights) else (low, ups)
        if left <= end[0] <= right:
            side.append((end[0], word))
        else:
            stray.append(word)
    counts = [len(extent.get(k, ())) for k in range(len(columns.spans))]
    return _assigned(ups, columns, counts), _assigned(downs, columns, counts), stray


def _assigned(ends: list[tuple[float, Word]], columns: Columns, counts: Sequence[int]) -> dict[int, Word]:
    """Return column -> name: each at its nearest column, after all are moved by what they have in common.

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
    if len(ends) == len(middles) + 1 and (steps := {b - a for a, b in pairwise(counts)}) in ({1}, {-1}):
        own = ends[:-1] if steps == {-1} else ends[1:]  # a triangle: the last city has no column, or the first one
        return {k: word for k, (_, word) in enumerate(own)}
    move = 0.0
    for _ in range(3):
        move += median(middles[columns.nearest(x + move)] - (x + move) for x, _ in ends)
    out: dict[int, list[Word]] = {}
    for x, word in ends:
        out.setdefault(columns.nearest(x + move), []).append(word)
    return {k: joined(sorted(names, key=_start)) for k, names in out.items()}


def _start(word: Word) -> float:
    """Return how far along its own direction a word begins."""
    turn = math.radians(word.tilt)
    return word.foot[0] * math.cos(turn) - word.foot[1] * math.sin(turn)


def headings(lines: Sequence[Line], columns: Columns, edge: float) -> tuple[list[dict[int, Word]], list[Line]]:
    """Return upright lines of names by column (-1 is before the amounts), and the other lines.

    A heading covers many columns, or is right beside one that does (names on several lines).

    Args:
        lines: The lines above the amounts, or those below.
        columns: The columns.
        edge: The height of the amounts that are nearest to the lines.
    """
    heads: list[Line] = []
    near = edge
    for line in sorted(lines, key=lambda line: abs(line.height - edge)):
        own = [k for k in _in_columns(line, columns) if k >= 0]
        beside = abs(line.height - near) < _NEXT * line.size
        enough = len(own) > 1 and (len(own) >= _COVERED * len(columns.spans) or beside)
        if enough and _may_head(line, columns):
            heads.append(line)
            near = line.height
    rest = [line for line in lines if line not in heads]
    heads += [line for line in rest if any(_is_part(line, head) for head in heads) and _may_head(line, columns)]
    heads.sort(key=lambda line: line.height)
    out = sorted((line for line in lines if line not in heads), key=lambda line: line.height)
    cells = _cells(heads, columns)
    rows = [(line, _names(line, columns, cells)) for line in heads]
    if cells and _in_the_middle([names for _, names in rows]):
        return [_stacked([names for _, names in rows])], out
    return _of_several_lines(rows), out


def _in_the_middle(rows: Sequence[dict[int, Word]]) -> bool:
    """Say whether columns have one line or several, and the middles of all are at one height: each is one name."""
    stacks = [[row[k].height for row in rows if k in row] for k in set().union(*rows) if k >= 0]
    middles = [(min(heights) + max(heights)) / 2 for heights in stacks]
    size = median(word.size for row in rows for word in row.values())
    return len({len(heights) for heights in stacks}) > 1 and max(middles) - min(middles) < _SLACK * size


def _stacked(rows: Sequence[dict[int, Word]]) -> dict[int, Word]:
    """Return lines, from the top, as one, with what stands in a column as one name."""
    return {k: joined([row[k] for row in rows if k in row]) for k in sorted(set().union(*rows))}


def _of_several_lines(rows: Sequence[tuple[Line, dict[int, Word]]]) -> list[dict[int, Word]]:
    """Return headings; where names on two lines stand above and below those on one, the three lines are one heading."""
    out: list[dict[int, Word]] = []
    k = 0
    while k < len(rows):
        three = rows[k : k + 3]
        if len(three) == 3 and _are_one(*three):  # noqa: PLR2004
            out.append(_stacked([row for _, row in three]))
            k += 3
        else:
            out.append(rows[k][1])
            k += 1
    return out


def _are_one(
    over: tuple[Line, dict[int, Word]], middle: tuple[Line, dict[int, Word]], under: tuple[Line, dict[int, Word]]
) -> bool:
    apart = not middle[1].keys() & (over[1].keys() | under[1].keys())
    return apart and _is_part(over[0], middle[0]) and _is_part(under[0], middle[0])


def _cells(heads: Sequence[Line], columns: Columns) -> Sequence[Extent]:
    """Return where the names of columns begin and end, if white space parts them.

    Then no name reaches below or above another, nor to its amounts. Columns may be of any width. Empty if they do not.
    """
    words = [word for line in heads if not _is_counted(line) for word in line.words[_count_before(line, columns) :]]
    if len(words) <= len(columns.spans):
        return []
    groups: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.left):
        if groups and word.left < max(other.right for other in groups[-1]):
            groups[-1].append(word)
        else:
            groups.append([word])
    extents = _so_many([_extent(group) for group in groups], len(columns.spans))
    whole = [(min(a, left), max(b, right)) for (a, b), (left, right) in zip(extents, columns.spans, strict=False)]
    slack = _SLACK * median(word.size for word in words)
    apart = all(before[1] < after[0] + slack for before, after in pairwise(whole))
    return extents if len(extents) == len(columns.spans) and apart else []


def _so_many(extents: list[Extent], count: int) -> list[Extent]:
    """Return extents, those with the least room between joined until there are so many: a blank parts words of names.

    They stay as they are if the room that is closed is not clearly less than what is left open.
    """
    rooms = sorted(after[0] - before[1] for before, after in pairwise(extents))
    close = len(extents) - count
    if not 0 < close < len(rooms) or rooms[close] < _CLEARLY * rooms[close - 1]:
        return extents
    out = extents[:1]
    for extent in extents[1:]:
        if extent[0] - out[-1][1] <= rooms[close - 1]:
            out[-1] = out[-1][0], extent[1]
        else:
            out.append(extent)
    return out


def _extent(words: Sequence[Word]) -> Extent:
    return min(word.left for word in words), max(word.right for word in words)


def _is_counted(line: Line) -> bool:
    return all(looks_like_amount(word.text) for word in line.words)


def _count_before(line: Line, columns: Columns) -> int:
    """Return how many words of a line are before the first column; a word of the first column's name is not."""
    start, words = columns.spans[0][0] - columns.pitch / 2, line.words
    count = sum(word.middle < start for word in words)
    while 0 < count < len(words) and words[count].left - words[count - 1].right < _BLANK * words[count].size:
        count -= 1
    return count


def _in_columns(line: Line, columns: Columns, cells: Sequence[Extent] = ()) -> dict[int, list[Word]]:
    """Return the words of a line by column: that of its cell, or else the nearest; -1 is before the amounts."""
    places: dict[int, list[Word]] = {}
    before = _count_before(line, columns)
    for at, word in enumerate(line.words):
        own = (k for k, (left, right) in enumerate(cells) if left <= word.middle <= right)
        k = -1 if at < before else next(own, columns.nearest(word.middle))
        places.setdefault(k, []).append(word)
    return places


def _names(line: Line, columns: Columns, cells: Sequence[Extent] = ()) -> dict[int, Word]:
    return {k: joined(words) for k, words in _in_columns(line, columns, cells).items()}


def _may_head(line: Line, columns: Columns) -> bool:
    """Say whether a line can be a heading: names that are about as wide as columns, or numbers that count up."""
    places = _in_columns(line, columns)
    own = [word for k, words in places.items() if k >= 0 for word in words]
    kinds = {looks_like_amount(word.text) for word in own}
    mixed = len(kinds) > 1 or (kinds == {True} and not (len(own) > 1 and _counts_up(own)))
    wide = max(name.right - name.left for name in _names(line, columns).values())
    return not mixed and wide <= 2 * columns.pitch + line.size


def _is_part(line: Line, whole: Line) -> bool:
    """Say whether a line is right above or below a heading, in the same font: the other line of a name in it."""
    return abs(line.height - whole.height) < _NEXT * line.size and abs(line.size - whole.size) < _SAME_SIZE * line.size


def _counts_up(words: Sequence[Word]) -> bool:
    numbers = [int(word.text) for word in words if word.text.isdecimal()]
    return len(numbers) == len(words) and all(a < b for a, b in pairwise(numbers))
