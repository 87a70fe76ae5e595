"""Columns of amounts on a level page: where they are, and which words stand in one each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.recognising.boxes import Box, around
from mapkit.formats.recognising.deskew import HIGH, Grey

_DARK: Final = 160
_RARE: Final = 0.03
"""A column has ink in more of the rows than this part."""
_TOUCH: Final = 0.17
"""Heights of a character: columns are further apart."""
_WITHIN: Final = 0.85
"""Heights of a character: parts of one amount are nearer."""
_TOGETHER: Final = 0.8
_NARROW: Final = 0.5
_BEHIND: Final = 0.3
"""Heights of a character: what is narrower, and stands so near before an amount, may be the 1 that it begins with."""
_HALF: Final = 0.5
_MOST: Final = 0.6
_FEW: Final = 3
_LIKE_DIGITS: Final = frozenset("IlO|0123456789.,")


@dataclass(frozen=True)
class Read:
    """A word that was read.

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


def in_columns(grey: Grey, read: list[Read]) -> tuple[list[Read], list[Box]]:
    """Return words, those in columns of amounts marked as cells; and boxes of cells that are yet to be read.

    Words that stand in several columns are cut, and those that stand in one are joined.

    Args:
        grey: The level page.
        read: Its words.
    """
    lines = _lines(read)
    table = [line for line in lines if sum(_may_be_amount(one) for one in line) >= max(_FEW, _MOST * len(line))]
    spans = _spans(grey, [[one for one in line if _may_be_amount(one)] for line in table])
    if len(spans) < 2:  # noqa: PLR2004 - no table
        return read, []
    out: list[Read] = [one for line in lines if not any(line is other for other in table) for one in line]
    again: list[Box] = []
    for line, (first, last) in zip(table, _extents(table, spans), strict=True):
        places: dict[int, list[Read]] = {}
        for one in line:
            over = [k for k, (a, b) in enumerate(spans) if min(b, one.box[2]) - max(a, one.box[0]) > 0.3 * HIGH]
            over = over or [k for k, (a, b) in enumerate(spans) if a <= (one.box[0] + one.box[2]) / 2 <= b]
            over = over or _near(one.box, spans)
            if one.box[0] < first or one.box[2] > last or not over:
                out.append(one)
            elif len(over) > 1 and any(letter.isdigit() for letter in one.text):
                again += _cut(grey, one.box, [spans[k] for k in over])
            else:
                places.setdefault(over[0], []).append(one)
        for ones in places.values():
            if len(ones) > 1:
                again.append(around([one.box for one in ones]))
            else:
                out.append(replace(ones[0], cell=True))
    return out, again


def _extents(table: Sequence[Sequence[Read]], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return from where to where amounts stand on each line.

    What lies beyond the amounts of its line is a name, unless nearly all lines go on to the same column; then it is an
    amount that was read as letters.
    """
    amounts = [[one.box for one in line if _may_be_amount(one)] for line in table]
    ends = [(min(box[0] for box in line), max(box[2] for box in line)) for line in amounts]
    first, last = spans[0], spans[-1]
    from_first = sum(left < first[1] for left, _ in ends) > _TOGETHER * len(ends)
    to_last = sum(right > last[0] for _, right in ends) > _TOGETHER * len(ends)
    return [
        (min(left, first[0]) if from_first else left, max(right, last[1]) if to_last else right) for left, right in ends
    ]


def _near(box: Box, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the column that a narrow piece is far nearer to than to any other, such as the first 1 of a rare 11.5."""
    gaps = sorted((max(a - box[2], box[0] - b), k) for k, (a, b) in enumerate(spans))
    (gap, k), (other, _) = gaps[:2]
    return [k] if gap < _TOGETHER * HIGH / 2 and 2 * gap < other and box[2] - box[0] < HIGH / 2 else []


def _may_be_amount(one: Read) -> bool:
    """Say whether a word is an amount, or may be one whose digits were read as letters: 11 as II."""
    return looks_like_amount(one.text) or (bool(one.amount) and bool(one.text) and set(one.text) <= _LIKE_DIGITS)


def _lines(read: Sequence[Read]) -> list[list[Read]]:
    """Return words that stand side by side, line by line."""
    lines: list[list[Read]] = []
    heights: list[float] = []
    for one in sorted(read, key=lambda one: one.box[1] + one.box[3]):
        height = (one.box[1] + one.box[3]) / 2
        if lines and height - heights[-1] < 0.35 * HIGH:
            lines[-1].append(one)
            heights[-1] += (height - heights[-1]) / len(lines[-1])
        else:
            lines.append([one])
            heights.append(height)
    return lines


def _spans(grey: Grey, table: Sequence[Sequence[Read]]) -> list[tuple[int, int]]:
    """Return where columns are: where more than a few rows have ink, without gaps inside the amounts of a column."""
    inks = np.zeros((len(table), grey.shape[1] + 1), dtype=bool)
    for row, line in zip(inks, table, strict=True):
        for left, top, right, bottom in (one.box for one in line):
            row[left:right] |= (grey[top:bottom, left:right] < _DARK).any(axis=0)
    covered = inks.sum(axis=0) > _RARE * len(table)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], covered, [False])).astype(int)))
    out: list[tuple[int, int]] = []
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if out and _belongs(inks, table, out[-1], (a, b)):
            out[-1] = out[-1][0], b
        else:
            out.append((a, b))
    return [(a, b) for a, b in out if b - a > 0.2 * HIGH]


def _belongs(
    inks: NDArray[np.bool_], table: Sequence[Sequence[Read]], before: tuple[int, int], after: tuple[int, int]
) -> bool:
    """Say whether ink on both sides of a gap is of one amount.

    Then what stands before it goes on near by in nearly all rows. Amounts of two columns are further apart in some, or
    have two points. Right behind what is as narrow as a 1, rows with two points say nothing: a word may reach over the
    next column.
    """
    if after[0] - before[1] < _TOUCH * HIGH:
        return True
    rows = np.flatnonzero(inks[:, before[0] : before[1]].any(axis=1))
    narrow = before[1] - before[0] < _NARROW * HIGH and after[0] - before[1] < _BEHIND * HIGH
    count = of = 0
    for row in rows.tolist():
        end = before[0] + int(np.flatnonzero(inks[row, before[0] : before[1]])[-1])
        near = inks[row, after[0] : min(after[1], end + round(_WITHIN * HIGH))].any()
        over = [one.text for one in table[row] if one.box[0] < after[1] and one.box[2] > before[0]]
        single = sum(text.count(".") for text in over) < 2  # noqa: PLR2004 - two points
        count += bool(near) and single
        of += single or not narrow
    return count > _TOGETHER * of and count >= _HALF * len(rows)


def _cut(grey: Grey, box: Box, spans: Sequence[tuple[int, int]]) -> list[Box]:
    """Return a box cut between columns, each piece around its ink."""
    left, top, right, bottom = box
    cuts = [left, *((a[1] + b[0]) // 2 for a, b in pairwise(spans)), right]
    out = []
    for a, b in pairwise(cuts):
        ink = np.flatnonzero((grey[top:bottom, a:b] < _DARK).any(axis=0))
        if len(ink):
            out.append((a + int(ink[0]), top, a + int(ink[-1]) + 1, bottom))
    return out
