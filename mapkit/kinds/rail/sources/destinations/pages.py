"""Destination charts on pages of PDFs and in pictures: rows and columns from where the words stand.

Sums, or rolls such as `odd 7`, that stand above each other mark a block of rows; blocks may stand side by side and one
above the other, in any number. What stands between the rows of two blocks are headings of the lower one.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot, Table, shown
from mapkit.formats.pdf.lines import Columns, slack_lines
from mapkit.formats.pdf.word import Page, Word, joined
from mapkit.kinds.rail.sources.destinations.strips import Roll, Strip, is_key, key_of, phrases_of, strips_of

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
_FAR: Final = 6.0
"""Heights of a row: a heading is at most this far away, for each line."""


@dataclass(frozen=True)
class _Row:
    """A line of a block: its sum or roll, and the other phrases; the key is None in a heading."""

    height: float
    key: Word | None
    names: tuple[Word, ...]


def page_table(pages: Sequence[Page], *, file: str, kind: str, roll: Roll) -> tuple[Table, list[str]]:
    """Return all charts on pages as one table, block after block: headings, and rows with their sum or roll first.

    Args:
        pages: The words of the pages.
        file: What to call the file in messages.
        kind: `pdf` or `picture`.
        roll: Says what a text rolls.

    Returns:
        The table, and notes on what was taken for something else or left out.

    Raises:
        SourceError: No page has a column of sums.
    """
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    for page in pages:
        found = _page_rows(page, roll, notes, file)
        if not found:
            notes.append(f"{file}: page {page.number} has no column of sums from 2 to 12 and was left out")
        for line in found:
            at = len(rows) + 1
            rows.append(
                tuple(
                    _cell(word, f"{file}:page {page.number}, row {at}, column {column}")
                    for column, word in enumerate(line, start=1)
                )
            )
    if not rows:
        words = [word.text for page in pages for word in page.words]
        if not words:
            raise SourceError(f"{file}: no destination chart found: no text was seen")
        seen = f"{counted(len(words), 'word')} ({', '.join(map(shown, words[:4]))}, ...)"
        raise SourceError(f"{file}: no destination chart found: {seen}, but no column of sums from 2 to 12")
    return Table(kind, tuple(rows), placed=True), notes


def _page_rows(page: Page, roll: Roll, notes: list[str], file: str) -> list[list[Word | None]]:
    lines = [phrases_of(line, roll) for line in slack_lines(page.words)]
    strips = strips_of(lines, roll)
    out: list[list[Word | None]] = []
    for strip in strips:
        rows = _rows_of(lines, strip, roll)
        rows, more = _filled(rows, strip)
        notes += [f"{file}: page {page.number}: {note}" for note in more]
        out += _laid_out(rows, roll)
    return out


def _rows_of(lines: Sequence[Sequence[Word]], strip: Strip, roll: Roll) -> list[_Row]:
    rows = []
    for line in lines:
        own = [word for word in line if strip.low < word.middle < strip.high]
        key = key_of(own, strip, roll)
        names = tuple(
            word for word in own if word is not key and not (key and (is_key(word.text, roll) or strip.repeats(word)))
        )
        if own:
            rows.append(_Row(median(word.height for word in own), key, names))
    return rows


def _total(key: Word) -> int:
    return int("".join(letter for letter in key.text if letter.isdigit()))


def _filled(rows: list[_Row], strip: Strip) -> tuple[list[_Row], list[str]]:
    """Give rows of pictures whose sum was not read the one that is missing between its neighbours; say so."""
    out, notes = list(rows), []
    for k, row in enumerate(rows[1:-1], start=1):
        above, below = rows[k - 1].key, rows[k + 1].key
        if row.key or not above or not below or above.how != "picture" or _total(below) - _total(above) != 2:  # noqa: PLR2004
            continue
        total = str(_total(above) + 1)
        seen = [word for word in row.names if word.left >= strip.left - 1 and word.right <= strip.right + above.size]
        if len(row.names) - len(seen) < max(1, len(rows[k - 1].names)):
            continue
        text = above.text.replace(str(_total(above)), total)
        reads = f"reads {seen[0].text!r}" if seen else "was not read"
        notes.append(f"the sum between {_total(above)} and {_total(below)} {reads}; it is taken for {total}")
        names = tuple(word for word in row.names if word not in seen and not strip.repeats(word))
        key = above._replace(text=text, top=row.height - above.size / 2, bottom=row.height + above.size / 2)
        out[k] = replace(row, key=key, names=names)
    return out, notes


def _laid_out(rows: Sequence[_Row], roll: Roll) -> list[list[Word | None]]:
    """Return the lines of a block in columns, run after run of rows with the headings above each."""
    runs: list[tuple[list[_Row], list[_Row]]] = []
    wrapped: list[bool] = []
    heads: list[_Row] = []
    pitch = _pitch(rows)
    for row in rows:
        if row.key is None:
            heads.append(row)
            continue
        if runs and (not heads or _goes_on(runs[-1][1][-1], row, roll)):
            run = runs[-1][1]
            wrapped[-1] |= bool(heads)
            run[-1:] = _with_halves(run[-1], row, heads, pitch)
        else:
            if runs and wrapped[-1]:
                heads = _last_halves(runs[-1][1], heads)
            runs.append((heads, [row]))
            wrapped.append(False)
        heads = []
    if runs and wrapped[-1]:
        _last_halves(runs[-1][1], heads)
    out: list[list[Word | None]] = []
    for above, run in runs:
        columns = _columns(run)
        out += _headings(above, columns, run[0].height, pitch)
        out += [[row.key, *_placed(row.names, columns)] for row in run]
    return out


def _pitch(rows: Sequence[_Row]) -> float:
    heights = [row.height for row in rows if row.key]
    steps = sorted(b - a for a, b in pairwise(heights))
    return steps[len(steps) // 4] if steps else 0.0


def _goes_on(last: _Row, row: _Row, roll: Roll) -> bool:
    """Say whether a row is the next of the same run: its sum is one more."""
    if last.key is None or row.key is None:
        return False
    parities = [found[0] if (found := roll(key.text)) else "" for key in (last.key, row.key)]
    return parities[0] == parities[1] and _total(row.key) == _total(last.key) + 1


def _with_halves(last: _Row, row: _Row, halves: Sequence[_Row], pitch: float) -> tuple[_Row, _Row]:
    """Give the halves of names between two rows to the row that they are nearest to."""
    for half in halves:
        above = half.height - last.height <= row.height - half.height
        near = last if above else row
        if near.names and abs(half.height - near.height) > max(_WRAPPED * pitch, _LOWER * half.names[0].size):
            continue
        names = list(near.names)
        for word in half.names:
            if not near.names:
                names.append(word)
                continue
            at = min(range(len(names)), key=lambda k, x=word.middle: abs(names[k].middle - x))  # type: ignore[misc]
            beside = abs(word.height - names[at].height) < word.size * _BESIDE
            pair = (
                sorted([names[at], word], key=lambda w: w.left) if beside else [names[at], word][:: 1 if above else -1]
            )
            names[at] = joined(pair)
        if above:
            last = replace(last, names=tuple(names))
        else:
            row = replace(row, names=tuple(names))
    return last, row


def _last_halves(run: list[_Row], heads: list[_Row]) -> list[_Row]:
    """Give the lower halves of names to the last row of a run; return what stands farther below."""
    near = [head for head in heads if head.height - run[-1].height < _LOWER * head.names[0].size]
    for half in near:
        run[-1], _ = _with_halves(run[-1], replace(half, height=float("inf")), [half], 0.0)
    return [head for head in heads if head not in near]


def _columns(rows: Sequence[_Row]) -> Columns:
    columns = Columns()
    for row in sorted(rows, key=lambda row: (-len(row.names), row.height)):
        columns.take(row.names)
    return columns


def _placed(names: Sequence[Word], columns: Columns) -> list[Word | None]:
    line: list[Word | None] = [None] * len(columns.spans)
    for word in names:
        under = columns.under(word)
        k = under[0] if len(under) == 1 else columns.nearest(word.middle)
        other = line[k]
        line[k] = word if other is None else joined([other, word])
    return line


def _headings(heads: Sequence[_Row], columns: Columns, edge: float, pitch: float) -> list[list[Word | None]]:
    """Return headings in the columns of the rows below: titles in a line share the columns among them."""
    width = len(columns.spans)
    out: list[list[Word | None]] = []
    for head in sorted(heads, key=lambda head: -head.height)[:_HEADINGS]:
        words = [word for word in head.names if len(word.text) <= _LONGEST]
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


def _under(columns: Columns, middle: float) -> int:
    """Return the last column that begins before a place."""
    return max(0, bisect_right([left for left, _ in columns.spans], middle) - 1)


def _cell(word: Word | None, where: str) -> Cell:
    if word is None:
        return Cell("", where)
    problem = "" if len(word.text) <= MAX_TEXT else "more than 200 letters in a cell"
    spot = Spot(word.page, word.box, word.confidence, word.how, "" if word.sure else "not clear", word.others)
    return Cell(word.text, where, problem=problem, spot=spot)
