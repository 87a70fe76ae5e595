"""Runs of rows on a page, with the headings above them, and the columns that their names stand in."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from mapkit.formats.pdf.lines import Columns
from mapkit.formats.pdf.word import Word, joined
from mapkit.kinds.rail.sources.destinations.strips import Roll, total_of

_HEADINGS: Final = 4
"""Lines of headings that are looked at above the rows of a block."""
_LONGEST: Final = 60
"""Letters of a heading; what is longer is a sentence."""
_WRAPPED: Final = 0.75
"""Parts of a row's height: a line this near to a row is the other half of a name in it."""
_BESIDE: Final = 0.8
"""Parts of the font's size: words less far apart in height are beside each other."""
_LOWER: Final = 1.5
"""Parts of the font's size: the second line of a name is at most this far below."""
_UPPER: Final = 1.0
"""The same for the first line of a name above the middle of its row, in the first row."""
_CENTRED: Final = 0.3
"""Likewise: two lines of a name are farther above and below the middle of their row, and by nearly as much."""
_BEGINS: Final = 0.5
"""Parts of the font's size: a title begins less far from where the names below it do."""
_WIDE: Final = 3
"""Columns of names: a table with this many has a title above each, not one above two."""
_FAR: Final = 6.0
"""Heights of a row: a heading is at most this far away, for each line."""


@dataclass(frozen=True)
class RunRow:
    """A line of a block: its sum or roll, and the other phrases; the key is None in a heading."""

    height: float
    key: Word | None
    names: tuple[Word, ...]
    words: tuple[Word, ...] = ()
    """The single words of the line."""


@dataclass(frozen=True)
class Run:
    """Rows whose sums follow each other, and the headings above them, from the top."""

    heads: tuple[RunRow, ...]
    rows: tuple[RunRow, ...]
    pitch: float
    """From one row to the next."""

    def columns(self) -> Columns:
        """Return the columns that the names stand in on the first page."""
        return self._columns_on(self.rows[0])

    def lines(self) -> Iterator[tuple[int, list[Word | None]]]:
        """Yield the headings and rows in columns, each with its page; the sum or roll stands first."""
        columns = self.columns()
        page = _page_of(self.rows[0])
        for line in _headings(self.heads, columns, self.rows[0].height, self.pitch):
            yield page, line
        for row in self.rows:
            if _page_of(row) != page:
                page, columns = _page_of(row), self._columns_on(row)
            yield page, [row.key, *_placed(_parted_names(row, columns), columns)]

    def _columns_on(self, row: RunRow) -> Columns:
        return _columns([other for other in self.rows if _page_of(other) == _page_of(row)])


def _page_of(row: RunRow) -> int:
    """Return the page of a row that has a sum."""
    return row.key.page if row.key else 0


def runs_of(rows: Sequence[RunRow], roll: Roll) -> list[Run]:
    """Return the runs of a block or a stack of blocks, with the parts of names on several lines joined."""
    runs: list[tuple[list[RunRow], list[RunRow]]] = []
    wrapped: list[bool] = []
    heads: list[RunRow] = []
    pitch = _pitch(rows)
    lowest = 0.0
    spans = _columns_ahead(rows)
    for at, row in enumerate(rows):
        if row.key is None:
            heads.append(row)
            continue
        if runs and (not heads or _goes_on(runs[-1][1][-1], row, roll)):
            run = runs[-1][1]
            wrapped[-1] |= bool(heads)
            lows = [head.height - run[-1].height for head in heads if _nearer(head, run[-1], row)]
            lowest = max([lowest, *(low for low in lows if low < _WRAPPED * pitch)])
            run[-1:] = _with_halves(run[-1], row, heads, pitch, spans[at])
        else:
            if runs and wrapped[-1]:
                heads = _last_halves(runs[-1][1], heads, lowest)
            first, heads = _first_halves(row, heads, spans[at])
            runs.append((heads, [first]))
            wrapped.append(len(first.names) > len(row.names))
        heads = []
    if runs and wrapped[-1]:
        _last_halves(runs[-1][1], heads, lowest)
    return [Run(tuple(above), tuple(run), pitch) for above, run in runs]


def _columns_ahead(rows: Sequence[RunRow]) -> dict[int, Columns]:
    """Return for each row with a key the columns of all whose sums grow from the same beginning."""
    blocks: list[list[int]] = []
    last = 0
    for at, row in enumerate(rows):
        if row.key is None:
            continue
        if not blocks or total_of(row.key) <= last:
            blocks.append([])
        blocks[-1].append(at)
        last = total_of(row.key)
    return {at: columns for block in blocks for columns in [_columns([rows[k] for k in block])] for at in block}


def _pitch(rows: Sequence[RunRow]) -> float:
    heights = [row.height for row in rows if row.key]
    steps = sorted(b - a for a, b in pairwise(heights))
    return steps[len(steps) // 4] if steps else 0.0


def _goes_on(last: RunRow, row: RunRow, roll: Roll) -> bool:
    """Say whether a row is the next of the same run: its sum is one more."""
    if last.key is None or row.key is None:
        return False
    parities = [found[0] if (found := roll(key.text)) else "" for key in (last.key, row.key)]
    return parities[0] == parities[1] and total_of(row.key) == total_of(last.key) + 1


def _column(word: Word, columns: Columns) -> int:
    """Return the column that a word stands in, or the nearest; -1 if there is none."""
    under = columns.under(word)
    if len(under) == 1:
        return under[0]
    return columns.nearest(word.middle) if columns.spans else -1


def _with_half(row: RunRow, word: Word, columns: Columns, *, below: bool) -> RunRow:
    """Return a row with a part of a name: joined to what is in its column, or a name by itself."""
    names = list(row.names)
    own = _column(word, columns)
    at = next((k for k, name in enumerate(names) if own >= 0 and _column(name, columns) == own), None)
    if at is None:
        return replace(row, names=(*names, word))
    pair = [names[at], word] if below else [word, names[at]]
    if abs(word.height - names[at].height) < word.size * _BESIDE:
        pair.sort(key=lambda w: w.left)
    names[at] = joined(pair)
    return replace(row, names=tuple(names))


def _nearer(half: RunRow, last: RunRow, row: RunRow) -> bool:
    """Say whether a line between two rows is nearer to the upper one."""
    return half.height - last.height <= row.height - half.height


def _with_halves(
    last: RunRow, row: RunRow, halves: Sequence[RunRow], pitch: float, columns: Columns
) -> tuple[RunRow, RunRow]:
    """Give the parts of names between two rows to the row that they are nearest to."""
    for half in halves:
        above = _nearer(half, last, row)
        near = last if above else row
        if near.names and abs(half.height - near.height) > max(_WRAPPED * pitch, _LOWER * half.names[0].size):
            continue
        for word in half.names:
            near = _with_half(near, word, columns, below=above)
        last, row = (near, row) if above else (last, near)
    return last, row


def _first_halves(row: RunRow, heads: list[RunRow], columns: Columns) -> tuple[RunRow, list[RunRow]]:
    """Give the upper parts of names to the first row of a run, where it has no name or the lower part of one.

    Return the row, and the headings above it.
    """
    if not heads or row.key is None:
        return row, heads
    upper = heads[-1]
    names = {_column(name, columns): name for name in row.names}
    pairs = [(word, names.get(_column(word, columns))) for word in upper.names]
    if row.height - upper.height > _UPPER * upper.names[0].size:
        return row, heads
    if any(name is not None and not _are_halves(word, name, row.key) for word, name in pairs):
        return row, heads
    for word, _ in pairs:
        row = _with_half(row, word, columns, below=False)
    return row, heads[:-1]


def _are_halves(upper: Word, lower: Word, key: Word) -> bool:
    """Say whether two parts of a name stand as far above the middle of their row as below it."""
    off = key.height - upper.height, lower.height - key.height
    return min(off) > _CENTRED * key.size and abs(off[0] - off[1]) < _CENTRED * key.size


def _last_halves(run: list[RunRow], heads: list[RunRow], lowest: float) -> list[RunRow]:
    """Give the lower parts of names to the last row of a run; return what stands farther below.

    Args:
        run: The rows of the run.
        heads: Lines below it.
        lowest: How far below their rows such parts stood before.
    """
    near = [
        head
        for head in heads
        if head.height - run[-1].height < _LOWER * head.names[0].size
        or (head.height - run[-1].height < lowest + _CENTRED * head.names[0].size)
    ]
    columns = _columns(run)
    for half in near:
        for word in half.names:
            run[-1] = _with_half(run[-1], word, columns, below=True)
    return [head for head in heads if head not in near]


def _columns(rows: Sequence[RunRow]) -> Columns:
    columns = Columns()
    for row in sorted(rows, key=lambda row: (-len(row.names), row.height)):
        columns.take(row.names)
    return columns


def _placed(names: Sequence[Word], columns: Columns) -> list[Word | None]:
    line: list[Word | None] = [None] * len(columns.spans)
    for word in names:
        k = _column(word, columns)
        other = line[k]
        line[k] = word if other is None else joined([other, word])
    return line


def _headings(heads: Sequence[RunRow], columns: Columns, edge: float, pitch: float) -> list[list[Word | None]]:
    """Return headings in the columns of the rows below: titles in a line share the columns among them."""
    width = len(columns.spans)
    out: list[list[Word | None]] = []
    for head in sorted(heads, key=lambda head: -head.height)[:_HEADINGS]:
        words = [word for word in _parted(head, columns) if len(word.text) <= _LONGEST]
        if not words or not width or (pitch and edge - head.height > _FAR * pitch):
            break
        edge = head.height
        own = [word for word in words if word.right > columns.spans[0][0]] or words[-1:]
        line: list[Word | None] = [None] * (width + 1)
        for k, word in enumerate(own):
            at = k * (width // len(own)) if width % len(own) == 0 else _under(columns, word.middle)
            line[at + 1] = word
        out.insert(0, line)
    return out


def _beside(word: Word, columns: Columns) -> int:
    """Return the column that a word stands in most, or whose edge is nearest."""
    over = [min(word.right, right) - max(word.left, left) for left, right in columns.spans]
    return over.index(max(over))


def _parted_names(row: RunRow, columns: Columns) -> list[Word]:
    """Return the names of a row; one that reaches over columns that have no other is taken apart, word by word."""
    out: list[Word] = []
    taken = {_column(name, columns) for name in row.names if len(columns.under(name)) == 1}
    for name in row.names:
        own: dict[int, list[Word]] = {}
        for word in row.words:
            if name.left <= word.left and word.right <= name.right:
                own.setdefault(_beside(word, columns), []).append(word)
        if len(columns.under(name)) > 1 and not taken & set(own):
            out += [joined(own[k]) for k in sorted(own)]
        else:
            out.append(name)
    return out


def _parted(head: RunRow, columns: Columns) -> Sequence[Word]:
    """Return the titles of a line; where they nearly touch, the columns of a wide table part them."""
    if len(columns.spans) < max(_WIDE, len(head.names) + 1):
        return head.names
    own = _begun(head, columns)
    if len(own) != len(columns.spans):
        own = {}
        for word in head.words:
            own.setdefault(_beside(word, columns), []).append(word)
    return [joined(own[k]) for k in sorted(own)] if len(own) == len(columns.spans) else head.names


def _begun(head: RunRow, columns: Columns) -> dict[int, list[Word]]:
    """Return the words of titles by column, if each title begins where the names below it do; it may be wider."""
    starts = {min(head.words, key=lambda word: abs(word.left - left)): k for k, (left, _) in enumerate(columns.spans)}
    if any(abs(word.left - columns.spans[k][0]) > word.size * _BEGINS for word, k in starts.items()):
        return {}
    own: dict[int, list[Word]] = {}
    at = 0
    for word in sorted(head.words, key=lambda word: word.left):
        at = starts.get(word, at)
        own.setdefault(at, []).append(word)
    return own


def _under(columns: Columns, middle: float) -> int:
    """Return the last column that begins before a place."""
    return max(0, bisect_right([left for left, _ in columns.spans], middle) - 1)
