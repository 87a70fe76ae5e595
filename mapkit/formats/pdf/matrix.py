"""Tables of amounts on pages: rows and columns from where the words stand.

A row is a line of amounts between names; columns are where the amounts of all lines stand. Names above, below or at the
edge of the amounts, upright, slanted or standing, belong to the column that they point at.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.plurals import counted
from mapkit.formats.cells.table import Cell, Spot, Table, shown
from mapkit.formats.marks import UNREAD, looks_like_amount
from mapkit.formats.pdf.headings import headings, standing, tilted_names
from mapkit.formats.pdf.lines import Columns, Line, amounts_among, even_space, lines_of, phrases, without_specks
from mapkit.formats.pdf.unfolding import unfolded
from mapkit.formats.pdf.word import Page, Word, joined

_FAR: Final = 2.6
"""Heights of a row: lines farther apart are not of one table."""
_WRAPPED: Final = 0.75
_PITCH: Final = 1.6
_STAIRS: Final = 0.5
_HALF: Final = 0.5
_EDGE: Final = 1
_ALIGNED: Final = 1.0
"""Points: names that begin less far apart are aligned."""
_FEW: Final = 3
_MOST: Final = 0.9
_SAME_SIZE: Final = 0.12
_SPOILING: Final = 3
"""Rows that may have a blot which looks like an amount; so many of the fullest rows are tried."""
_LINES: Final = 1.6
_UNSURE: Final = "a character that the font of the PDF does not explain; type the amount"

CLEARER: Final = "scan it at 200 dots per inch, or photograph it from nearer and in even light"
"""What to do where no text was seen."""
NOT_SEEN: Final = "the picture does not show an amount there that could be read; type it"
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
    lines = unfolded(lines_of(without_specks(page.words)))
    space = even_space(lines, looks_like_amount)
    found = [row for line in lines if (row := _row_of(line, space)) is not None and not _is_rule(row)]
    rows = _in_common_columns(_of_one_size(found))
    columns = _columns(rows)
    rows = _together([row for row in rows if _fits(row, columns)])
    if not rows:
        return None
    columns = _columns(rows)
    _with_names_apart(rows, lines)
    heights = {row.height for row in rows}
    rest = [line for line in lines if line.height not in heights]
    rest = _with_labels(rows, rest, space)
    top, bottom = rows[0].height, rows[-1].height
    tilted = tilted_names([word for word in page.words if not word.upright])
    above, below, stray = standing(tilted, [(row.height, row.amounts) for row in rows], columns)
    notes = [f"{shown(word.text)} stands outside the table and was left out" for word in stray]
    heads = [line for line in rest if line.height < top]
    feet = [line for line in rest if line.height > bottom]
    over, out_above = headings(heads, columns, rows[0].height)
    under, out_below = headings(feet, columns, rows[-1].height)
    within = [line for line in rest if top < line.height < bottom]
    notes += [f"{shown(line.text)} was left out" for line in (*out_above, *within, *out_below)]
    body = [(row.before, _placed(row.amounts, columns), row.after) for row in rows]
    return PageTable(page.number, columns, [*over, *([above] if above else [])], [*([below] if below else []), *under],
                     body, notes)  # fmt: skip


def _with_names_apart(rows: Sequence[_Row], lines: Sequence[Line]) -> None:
    """Part names that nearly touch where the names of most rows begin: a region, right aligned, and its city."""
    lefts = [row.before[-1].left for row in rows if row.before]
    if not lefts:
        return
    at = max(lefts, key=lambda left: sum(abs(left - other) < _ALIGNED for other in lefts))
    if sum(abs(at - other) < _ALIGNED for other in lefts) < _HALF * len(rows):
        return
    words = {line.height: line.words for line in lines}
    for row in rows:
        last = row.before[-1] if row.before else None
        if last is None or last.left > at - last.size:
            continue
        own = [word for word in words[row.height] if last.left <= word.left and word.right <= last.right]
        parts = [word for word in own if word.right <= at], [word for word in own if word.left > at - _ALIGNED]
        if all(parts) and abs(parts[1][0].left - at) < _ALIGNED:
            row.before[-1:] = [joined(part) for part in parts]


def _row_of(line: Line, space: float) -> _Row | None:
    """Return a line as names, amounts and names; None if names stand between its amounts."""
    kinds = amounts_among(line.words)
    runs: list[list[int]] = []
    for k, amount in enumerate(kinds):
        if amount and k and kinds[k - 1]:
            runs[-1].append(k)
        elif amount:
            runs.append([k])
    if not runs:
        return None
    main = max(runs, key=lambda run: (len(run), run[0]))
    others = [run for run in runs if run is not main and not _counts_row(line, run, main)]
    if any(len(run) > _EDGE for run in others) or any(0 < run[0] < len(kinds) - 1 for run in others):
        return None
    words = line.words
    return _Row(
        line.height,
        median(line.words[k].size for k in main),
        phrases(words[: main[0]], space=space, apart=_is_number),
        list(words[main[0] : main[-1] + 1]),
        phrases(words[main[-1] + 1 :], space=space),
    )


def _counts_row(line: Line, run: Sequence[int], main: Sequence[int]) -> bool:
    """Return whether an amount is the number of its row: it stands alone between a region and a name."""
    return len(main) > _FEW and len(run) == 1 and 0 < run[0] < main[0] and line.words[run[0]].text.isdecimal()


def _is_rule(row: _Row) -> bool:
    """Say whether a row is a picture's ruled line that came apart into dashes: it has no name and no number."""
    words = row.amounts
    return not row.before and all(word.how == "picture" and not _is_number(word.text) for word in words)


def _is_number(text: str) -> bool:
    return looks_like_amount(text) and any(map(str.isdigit, text))


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
    """Return the columns of rows, the fullest first; a row that would spoil the columns of others comes last."""
    order = sorted(rows, key=lambda row: (-len(row.amounts), row.height))
    columns = _taken(order)
    for _ in range(_SPOILING):
        if not order or _fitting(rows, columns) > _MOST * len(rows):
            break
        tries = [[*order[:k], *order[k + 1 :], order[k]] for k in range(min(_SPOILING, len(order)))]
        found = [(_taken(one), one) for one in tries]
        better, other = max(found, key=lambda one: _fitting(rows, one[0]))
        if _fitting(rows, better) <= _fitting(rows, columns):
            break
        columns, order = better, other
    return columns


def _taken(rows: Sequence[_Row]) -> Columns:
    columns = Columns()
    for row in rows:
        columns.take(row.amounts, beside=True)
    return columns


def _fitting(rows: Sequence[_Row], columns: Columns) -> int:
    return sum(_fits(row, columns) for row in rows)


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


def _with_labels(rows: list[_Row], rest: list[Line], space: float) -> list[Line]:
    """Give lines of names to the rows whose names they are part of, or rows of their own; return the others."""
    if len(rows) < 2:  # noqa: PLR2004 - nothing to compare with
        return rest
    pitch = median(b.height - a.height for a, b in pairwise(rows))
    if not any(row.before for row in rows):
        return _with_first_name(rows, rest, pitch, space)
    stairs = _steps_down(rows)
    first_amount = next((row.amounts[0].left for row in rows if row.amounts), 0.0)
    ends = median(row.before[-1].right for row in rows if row.before)
    out = []
    for line in rest:
        words = phrases(line.words, space=space)
        near = min(rows, key=lambda row: abs(row.height - line.height))
        gap = line.height - near.height
        like = abs(line.size - near.size) < _SAME_SIZE * near.size
        alone = like and len(words) == 1 and words[0].left < max(ends, first_amount)
        edge = min(row.height for row in rows) - line.height
        aligned = alone and any(
            min(abs(words[0].left - w.left), abs(words[0].right - w.right), abs(words[0].middle - w.middle))
            < w.size / 2
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


def _with_first_name(rows: list[_Row], rest: list[Line], pitch: float, space: float) -> list[Line]:
    """Give the first name of a diagonal a row of its own: nothing stands before it; return the other lines."""
    ends = [row.after[-1].left for row in rows if row.after]
    if len(ends) < len(rows) or not all(a < b for a, b in pairwise(ends)):
        return rest
    for line in rest:
        words = phrases(line.words, space=space)
        if len(words) == 1 and words[0].left < ends[0] and 0 < rows[0].height - line.height < _PITCH * pitch:
            rows.insert(0, _Row(line.height, line.size, [], [], words))
            return [other for other in rest if other is not line]
    return rest


def _steps_down(rows: Sequence[_Row]) -> bool:
    """Say whether the names of rows follow the diagonal: each ends farther to the right than the one above."""
    ends = [row.before[-1].right for row in rows if row.before]
    return sum(b > a for a, b in pairwise(ends)) > _MOST * (len(ends) - 1)


def _wrapped(before: list[Word], word: Word, *, above: bool) -> list[Word]:
    """Return the names before a row with a part of one joined to what stands above or below it."""
    at = next((k for k, name in enumerate(before) if word.left < name.right and word.right > name.left), None)
    if at is None:
        return sorted([*before, word], key=lambda name: name.left)
    whole = joined([word, before[at]] if above else [before[at], word])
    return [*before[:at], whole, *before[at + 1 :]]


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
        problem = NOT_SEEN if word.text == UNREAD else ""
        doubt = "" if word.sure else _TWO
        return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, word.confidence, word.how, doubt,
                                                                 word.others))  # fmt: skip
    problem = "" if word.sure else _UNSURE
    doubt = "" if word.seen else _UNLIKE
    return Cell(word.text, where, problem=problem, spot=Spot(word.page, word.box, float(word.sure), "text", doubt))


def words_seen(pages: Sequence[Page]) -> str:
    """Say how many words are on pages, and show a few."""
    words = sum(len(page.words) for page in pages)
    some = ", ".join(shown(word.text) for page in pages for word in page.words[:4])
    return f"{counted(words, 'word')} ({some}, ...)"


def nothing_found(pages: Sequence[Page]) -> str:
    """Say why no table is on pages: what was seen there."""
    hidden = sum(page.hidden for page in pages)
    pictures = sum(page.pictures for page in pages)
    if any(page.words for page in pages):
        return f"no rows of amounts among its {words_seen(pages)}"
    if hidden:
        return "its pages are pictures with a layer of text that another program read from them"
    if pictures:
        return f"no text was seen in its pictures; {CLEARER}"
    return "its pages have no text; letters may be outlines"
