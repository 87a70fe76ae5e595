"""Tables of amounts on pages: rows and columns from where the words stand.

A row is a line of amounts between names; columns are where the amounts of all lines stand. Names above, below or at the
edge of the amounts, upright, slanted or standing, belong to the column that they point at.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.plurals import counted
from mapkit.formats.cells.table import Cell, Spot, Table, shown
from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.lines import Columns, Line, lines_of, phrases
from mapkit.formats.pdf.word import Page, Word, joined

_FAR: Final = 2.6
"""Heights of a row: lines farther apart are not of one table."""
_WRAPPED: Final = 0.75
_PITCH: Final = 1.6
_STAIRS: Final = 0.5
_HALF: Final = 0.5
_EDGE: Final = 1
_FEW: Final = 3
_MOST: Final = 0.9
_SAME_SIZE: Final = 0.12
_LINES: Final = 1.6
_COVERED: Final = 0.25
_NEXT: Final = 1.5
_UNSURE: Final = "a character that the font of the PDF does not explain; type the amount"

_NOT_SEEN: Final = "the picture does not show an amount there that could be read; type it"
_TWO: Final = "two readings differ or are not clear"
_UNLIKE: Final = "the page does not show what its text says"


@dataclass
class _Row:
    """A row of the table: what stands before its amounts, the amounts, and what stands behind them."""

    height: float
    size: float
    before: list[Word]
    amounts: list[Word]
    after: list[Word]


@dataclass
class PageTable:
    """The table of a page.

    Args:
        page: The page.
        columns: Where its amounts stand.
        above: Rows of headings above, each column -> name.
        below: The same below.
        body: Rows: names before, column -> amount, names behind.
        notes: What is not part of it.
    """

    page: int
    columns: Columns
    above: list[dict[int, Word]]
    below: list[dict[int, Word]]
    body: list[tuple[list[Word], dict[int, Word], list[Word]]]
    notes: list[str] = field(default_factory=list)

    @property
    def named(self) -> bool:
        """Whether its rows have names."""
        return sum(bool(before or after) for before, _, after in self.body) > _HALF * len(self.body)


def matrix_tables(pages: Sequence[Page], *, file: str, kind: str = "pdf") -> tuple[list[Table], list[str]]:
    """Return the tables of amounts on pages, those that go on from page to page as one, and notes."""
    found: list[PageTable] = []
    notes: list[str] = []
    for page in pages:
        table = _page_table(page)
        if table is None:
            notes.append(f"{file}: page {page.number} has no rows of amounts and was left out")
            continue
        notes += [f"{file}: page {page.number}: {note}" for note in table.notes]
        if not found or not _goes_on(found[-1], table):
            found.append(table)
    return [_as_table(table, file, kind) for table in found], notes


def _page_table(page: Page) -> PageTable | None:
    lines = lines_of(page.words)
    rows = _in_common_columns(_of_one_size([row for line in lines if (row := _row_of(line)) is not None]))
    columns = _columns(rows)
    rows = _together([row for row in rows if _fits(row, columns)])
    if not rows:
        return None
    columns = _columns(rows)
    heights = {row.height for row in rows}
    rest = [line for line in lines if line.height not in heights]
    rest = _with_labels(rows, rest)
    top, bottom = rows[0].height, rows[-1].height
    tilted = _tilted([word for word in page.words if not word.upright])
    above, below, stray = _standing(tilted, rows, columns)
    notes = [f"{shown(word.text)} stands outside the table and was left out" for word in stray]
    heads = [line for line in rest if line.height < top]
    feet = [line for line in rest if line.height > bottom]
    over, out_above = _headings(heads, columns, rows[0].height)
    under, out_below = _headings(feet, columns, rows[-1].height)
    within = [line for line in rest if top < line.height < bottom]
    notes += [f"{shown(line.text)} was left out" for line in (*out_above, *within, *out_below)]
    body = [(row.before, _placed(row.amounts, columns), row.after) for row in rows]
    return PageTable(page.number, columns, [*over, *([above] if above else [])], [*([below] if below else []), *under],
                     body, notes)  # fmt: skip


def _row_of(line: Line) -> _Row | None:
    """Return a line as names, amounts and names; None if names stand between its amounts."""
    kinds = [looks_like_amount(word.text) for word in line.words]
    runs: list[list[int]] = []
    for k, amount in enumerate(kinds):
        if amount and k and kinds[k - 1]:
            runs[-1].append(k)
        elif amount:
            runs.append([k])
    if not runs:
        return None
    main = max(runs, key=lambda run: (len(run), run[0]))
    others = [run for run in runs if run is not main]
    if any(len(run) > _EDGE for run in others) or any(0 < run[0] < len(kinds) - 1 for run in others):
        return None
    words = line.words
    return _Row(
        line.height,
        median(line.words[k].size for k in main),
        phrases(words[: main[0]]),
        list(words[main[0] : main[-1] + 1]),
        phrases(words[main[-1] + 1 :]),
    )


def _of_one_size(rows: list[_Row]) -> list[_Row]:
    """Return the rows in the font of most amounts; titles and numbers of pages are in others."""
    sizes = sorted(row.size for row in rows for _ in row.amounts)
    return [row for row in rows if abs(row.size - sizes[len(sizes) // 2]) < _SAME_SIZE * row.size]


def _in_common_columns(rows: list[_Row]) -> list[_Row]:
    """Return the rows whose amounts stand below or above others; those of running heads and numbers of pages do not."""
    columns = _columns(rows)
    under = [[columns.under(word) for word in row.amounts] for row in rows]
    counts = Counter(k for hits in under for hit in hits for k in hit)
    lone = [sum(all(counts[k] == 1 for k in hit) for hit in hits) for hits in under]
    return [row for row, alone in zip(rows, lone, strict=True) if len(rows) <= _FEW or 2 * alone <= len(row.amounts)]


def _columns(rows: Sequence[_Row]) -> Columns:
    columns = Columns()
    for row in sorted(rows, key=lambda row: (-len(row.amounts), row.height)):
        columns.take(row.amounts)
    return columns


def _fits(row: _Row, columns: Columns) -> bool:
    return all(len(columns.under(word)) == 1 for word in row.amounts)


def _together(rows: list[_Row]) -> list[_Row]:
    """Return the rows that follow each other without a wide gap, and hold most amounts."""
    if not rows:
        return []
    steps = [b.height - a.height for a, b in pairwise(rows)]
    far = _FAR * median(steps) if steps else 0
    blocks = [[rows[0]]]
    for row, step in zip(rows[1:], steps, strict=True):
        if step > far:
            blocks.append([])
        blocks[-1].append(row)
    return max(blocks, key=lambda block: sum(len(row.amounts) for row in block))


def _with_labels(rows: list[_Row], rest: list[Line]) -> list[Line]:
    """Give lines of names to the rows whose names they are part of, or rows of their own; return the others."""
    if len(rows) < 2:  # noqa: PLR2004 - nothing to compare with
        return rest
    pitch = median(b.height - a.height for a, b in pairwise(rows))
    if not any(row.before for row in rows):
        return rest
    stairs = _steps_down(rows)
    ends = median(row.before[-1].right for row in rows if row.before)
    out = []
    for line in rest:
        words = phrases(line.words)
        near = min(rows, key=lambda row: abs(row.height - line.height))
        gap = line.height - near.height
        like = abs(line.size - near.size) < _SAME_SIZE * near.size
        alone = like and len(words) == 1 and words[0].left < max(ends, rows[0].amounts[0].left)
        edge = min(row.height for row in rows) - line.height
        aligned = alone and any(
            abs(words[0].left - w.left) < w.size / 2 or abs(words[0].right - w.right) < w.size / 2
            for row in rows
            for w in row.before
        )
        if aligned and abs(gap) < min(_WRAPPED * pitch, _LINES * line.size):
            near.before = _wrapped(near.before, words[0], above=gap < 0)
        elif aligned and 0 < edge < _PITCH * pitch:
            rows.insert(0, _Row(line.height, line.size, words, [], []))
        elif (aligned or (stairs and like and len(words) == 1)) and 0 < line.height - rows[-1].height < _PITCH * pitch:
            rows.append(_Row(line.height, line.size, words, [], []))
        else:
            out.append(line)
    return out


def _steps_down(rows: Sequence[_Row]) -> bool:
    """Say whether the names of rows follow the diagonal: each ends farther to the right than the one above."""
    ends = [row.before[-1].right for row in rows if row.before]
    return sum(b > a for a, b in pairwise(ends)) > _MOST * (len(ends) - 1)


def _wrapped(before: list[Word], word: Word, *, above: bool) -> list[Word]:
    if not before:
        return [word]
    last = joined([word, before[-1]] if above else [before[-1], word])
    return [*before[:-1], last]


def _tilted(words: Sequence[Word]) -> list[Word]:
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


def _standing(
    words: Sequence[Word], rows: Sequence[_Row], columns: Columns
) -> tuple[dict[int, Word], dict[int, Word], list[Word]]:
    """Return tilted names by column, those above their column's amounts and those below, and the others."""
    extent: dict[int, list[float]] = {}
    for row in rows:
        for word in row.amounts:
            for k in columns.under(word)[:1]:
                extent.setdefault(k, []).append(row.height)
    middle = median(row.height for row in rows)
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
    return _assigned(ups, columns), _assigned(downs, columns), stray


def _assigned(ends: list[tuple[float, Word]], columns: Columns) -> dict[int, Word]:
    """Return column -> name: each at its nearest column, after all are moved by what they have in common."""
    ends = sorted(ends, key=lambda end: (end[0], end[1].height))
    if not ends:
        return {}
    middles = columns.middles
    if len(ends) == len(middles):
        return {k: word for k, (_, word) in enumerate(ends)}
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


def _headings(lines: Sequence[Line], columns: Columns, edge: float) -> tuple[list[dict[int, Word]], list[Line]]:
    """Return upright lines of names by column (-1 is before the amounts), and the other lines.

    A heading covers many columns, or is right beside one that does (names on several lines).

    Args:
        lines: The lines above the amounts, or those below.
        columns: The columns.
        edge: The height of the amounts that are nearest to the lines.
    """
    rows: list[tuple[float, dict[int, Word]]] = []
    out: list[Line] = []
    near = edge
    for line in sorted(lines, key=lambda line: abs(line.height - edge)):
        places: dict[int, list[Word]] = {}
        for word in line.words:
            k = -1 if word.middle < columns.spans[0][0] - columns.pitch / 2 else columns.nearest(word.middle)
            places.setdefault(k, []).append(word)
        own = [k for k in places if k >= 0]
        kinds = {looks_like_amount(word.text) for k in own for word in places[k]}
        mixed = len(kinds) > 1 or (kinds == {True} and not _counts_up([word for k in own for word in places[k]]))
        wide = max(word.right - word.left for words in places.values() for word in [joined(words)])
        beside = abs(line.height - near) < _NEXT * line.size
        enough = len(own) > 1 and (len(own) >= _COVERED * len(columns.spans) or beside)
        if mixed or not enough or wide > 2 * columns.pitch + line.size:
            out.append(line)
        else:
            rows.append((line.height, {k: joined(words) for k, words in places.items()}))
            near = line.height
    return [row for _, row in sorted(rows, key=lambda row: row[0])], sorted(out, key=lambda line: line.height)


def _counts_up(words: Sequence[Word]) -> bool:
    numbers = [int(word.text) for word in words if word.text.isdecimal()]
    return len(numbers) == len(words) and all(a < b for a, b in pairwise(numbers))


def _placed(amounts: Sequence[Word], columns: Columns) -> dict[int, Word]:
    places: dict[int, list[Word]] = {}
    for word in amounts:
        places.setdefault(columns.nearest(word.middle), []).append(word)
    return {k: joined(words) for k, words in places.items()}


def _goes_on(before: PageTable, table: PageTable) -> bool:
    """Add a page to the table before it if it goes on there: below without headings, or beside without names."""
    heads = bool(table.above or table.below)
    if not table.named and len(table.body) == len(before.body):
        width = len(before.columns.spans)
        move = before.columns.spans[-1][1] + before.columns.pitch
        before.columns.spans += [[left + move, right + move] for left, right in table.columns.spans]
        for row, (_, amounts, _) in zip(before.body, table.body, strict=True):
            row[1].update({k + width: word for k, word in amounts.items()})
        for mine, others in ((before.above, table.above), (before.below, table.below)):
            for line, more in zip(mine, others, strict=False):
                line.update({k + width: word for k, word in more.items() if k >= 0})
        return True
    if table.named and not heads and before.above and len(table.columns.spans) == len(before.columns.spans):
        before.body += table.body
        return True
    return False


def _as_table(table: PageTable, file: str, kind: str) -> Table:
    befores = _name_columns([before for before, _, _ in table.body], table.columns.spans[0][0])
    afters = max((len(after) for _, _, after in table.body), default=0)
    width = len(table.columns.spans)
    empty: list[Word | None] = [None] * (len(befores[0]) if befores else 0)
    blank: list[Word | None] = [None] * afters

    def heading(row: dict[int, Word]) -> list[Word | None]:
        return [*_corner(empty, row), *(row.get(k) for k in range(width)), *blank]

    grid = [heading(row) for row in table.above]
    for names, (_, amounts, after) in zip(befores, table.body, strict=True):
        grid.append([*names, *(amounts.get(k) for k in range(width)), *after, *blank[len(after) :]])
    grid += [heading(row) for row in table.below]
    rows = [
        tuple(
            _cell(word, f"{file}:page {_page_of(line, table)}, row {r}, column {c}")
            for c, word in enumerate(line, start=1)
        )
        for r, line in enumerate(grid, start=1)
    ]
    return Table(kind, tuple(row for row in rows if any(cell.text for cell in row)), placed=True)


def _page_of(line: Sequence[Word | None], table: PageTable) -> int:
    return next((word.page for word in line if word is not None), table.page)


def _corner(empty: list[Word | None], row: dict[int, Word]) -> list[Word | None]:
    return [*empty[:-1], row.get(-1)] if empty else []


def _name_columns(befores: list[list[Word]], start: float) -> list[list[Word | None]]:
    """Return the names before the amounts in columns; names that follow the diagonal are one column."""
    stairs = sum(bool(names) and names[-1].right > start + names[-1].size for names in befores)
    if stairs > _STAIRS * len(befores):
        return [[joined(names) if names else None] for names in befores]
    columns = Columns()
    for names in sorted(befores, key=lambda names: -len(names)):
        columns.take(names)
    out = []
    for names in befores:
        line: list[Word | None] = [None] * len(columns.spans)
        for name in names:
            k = columns.nearest(name.middle) if len(columns.under(name)) != 1 else columns.under(name)[0]
            other = line[k]
            line[k] = name if other is None else joined([other, name])
        out.append(line)
    return out


def _cell(word: Word | None, where: str) -> Cell:
    if word is None:
        return Cell("", where)
    if word.how != "text":
        problem = _NOT_SEEN if word.text == "?" else ""
        doubt = "" if word.sure else _TWO
        return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, word.confidence, word.how, doubt,
                                                                 word.others))  # fmt: skip
    problem = "" if word.sure else _UNSURE
    doubt = "" if word.seen else _UNLIKE
    return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, float(word.sure), "text", doubt))


def nothing_found(pages: Sequence[Page]) -> str:
    """Say why no table is on pages: what was seen there."""
    words = sum(len(page.words) for page in pages)
    hidden = sum(page.hidden for page in pages)
    pictures = sum(page.pictures for page in pages)
    if words:
        some = ", ".join(shown(word.text) for page in pages for word in page.words[:4])
        return f"no rows of amounts among its {counted(words, 'word')} ({some}, ...)"
    if hidden:
        return "its pages are pictures with a layer of text that another program read from them"
    return "no text was seen in its pictures" if pictures else "its pages have no text; letters may be outlines"
