"""Lists that a page shows in several columns side by side, made one long list."""

from collections import Counter
from collections.abc import Sequence
from itertools import compress, pairwise
from statistics import median
from typing import Final

from mapkit.formats.pdf.lines import Columns, Line, amounts_among
from mapkit.formats.pdf.word import Word

_MOST: Final = 0.8
"""Lines with amounts: so many of them have names before each amount."""
_FEWEST: Final = 4
"""Lines of a list."""


def unfolded(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a page; those of lists that stand side by side follow each other, in the place of the first.

    Such a list has names and one amount in each line. Words keep their boxes, but are moved on the page: lines of the
    second list are below those of the first, and so on.
    """
    rows = [line for line in lines if any(amounts_among(line.words))]
    ends = _ends(rows)
    if len(ends) < 2:  # noqa: PLR2004 - one list
        return list(lines)
    first, last = rows[0].height, rows[-1].height
    step = median(below.height - above.height for above, below in pairwise(rows))
    starts = _starts(rows, ends)
    out = []
    for line in lines:
        if not first - step < line.height <= last:
            out.append(line)
            continue
        for k, start in enumerate(starts):
            words = [word for word in line.words if k == _list_of(word, ends)]
            if words:
                right, down = start - starts[0], k * (last - first + step)
                out.append(Line(tuple(_moved(word, right, down) for word in words)))
    return sorted(out, key=lambda line: (line.height, line.words[0].left))


def _ends(rows: Sequence[Line]) -> list[float]:
    """Return where lists side by side end, each with the amount of its lines; empty if there is one list, or none."""
    listed = [line for line in rows if _is_listed(line)]
    counts = Counter(sum(amounts_among(line.words)) for line in listed)
    if len(listed) < max(_FEWEST, _MOST * len(rows)) or max(counts) < 2:  # noqa: PLR2004 - one list
        return []
    columns = Columns()
    for line in sorted(listed, key=lambda line: -len(line.words)):
        if not columns.take(list(compress(line.words, amounts_among(line.words)))):
            return []
    return [right for _, right in columns.spans]


def _is_listed(line: Line) -> bool:
    """Say whether each amount of a line has a name before it, and none behind the last."""
    amounts = amounts_among(line.words)
    return amounts[-1] and not amounts[0] and not any(a and b for a, b in pairwise(amounts))


def _list_of(word: Word, ends: Sequence[float]) -> int:
    return min(sum(word.middle > end for end in ends), len(ends) - 1)


def _starts(rows: Sequence[Line], ends: Sequence[float]) -> list[float]:
    """Return where the names of each list begin."""
    lefts: list[float] = [float("inf")] * len(ends)
    for line in rows:
        for word in line.words:
            k = _list_of(word, ends)
            lefts[k] = min(lefts[k], word.left)
    return lefts


def _moved(word: Word, right: float, down: float) -> Word:
    return word._replace(
        left=word.left - right,
        right=word.right - right,
        top=word.top + down,
        bottom=word.bottom + down,
        foot=(word.foot[0] - right, word.foot[1] + down),
        tip=(word.tip[0] - right, word.tip[1] + down),
    )
