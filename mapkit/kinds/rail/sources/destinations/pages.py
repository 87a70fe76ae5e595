"""Destination charts on pages of PDFs and in pictures: rows and columns from where the words stand.

Sums, or rolls such as `odd 7`, that stand above each other mark a block of rows; blocks may stand side by side and one
above the other, in any number. What stands between the rows of two blocks are headings of the lower one. A block that
the end of a page cuts goes on at the head of the next one.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot, Table, shown
from mapkit.formats.pdf.lines import Line, even_space, slack_lines
from mapkit.formats.pdf.matrix import CLEARER
from mapkit.formats.pdf.word import Page, Word
from mapkit.kinds.rail.sources.destinations.reaches import stacks_of
from mapkit.kinds.rail.sources.destinations.runs import Run, RunRow, runs_of
from mapkit.kinds.rail.sources.destinations.strips import Roll, Strip, is_key, key_of, phrases_of, total_of

_FIRST: Final = 2
"""The sum that a chart begins with."""


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
    runs: list[Run] = []
    notes: list[str] = []
    for page in pages:
        found = _page_runs(page, roll, notes, file)
        if not found:
            notes.append(f"{file}: page {page.number} has no column of sums from 2 to 12 and was left out")
        runs = _continued(runs, found, page.number)
    rows = [
        tuple(
            _cell(word, f"{file}:page {number}, row {at}, column {column}") for column, word in enumerate(line, start=1)
        )
        for at, (number, line) in enumerate((line for run in runs for line in run.lines()), start=1)
    ]
    if not rows:
        words = [word.text for page in pages for word in page.words]
        if not words:
            raise SourceError(f"{file}: no destination chart found: no text was seen; {CLEARER}")
        seen = f"{counted(len(words), 'word')} ({', '.join(map(shown, words[:4]))}, ...)"
        raise SourceError(f"{file}: no destination chart found: {seen}, but no column of sums from 2 to 12")
    return Table(kind, tuple(rows), placed=True), notes


def _page_runs(page: Page, roll: Roll, notes: list[str], file: str) -> list[Run]:
    found = slack_lines(page.words)
    space = even_space(found, lambda text: is_key(text, roll))
    lines = [phrases_of(line, roll, space) for line in found]
    out: list[Run] = []
    for stack in stacks_of(lines, roll):
        rows: list[RunRow] = []
        for strip, below in zip(stack, [*stack[1:], None], strict=True):
            block, more = _filled(_rows_of(lines, found, strip, roll, last=below is None), strip)
            rows += block
            notes += [f"{file}: page {page.number}: {note}" for note in more]
        out += runs_of(rows, roll)
    return out


def _continued(runs: Sequence[Run], found: Sequence[Run], page: int) -> list[Run]:
    """Return all runs so far, with those of a page that another one before them goes on with joined to it."""
    out = list(runs)
    for run in found:
        cut = next((k for k, before in enumerate(out) if _cut(before, run, page)), None)
        if cut is None:
            out.append(run)
        else:
            out[cut] = replace(out[cut], rows=(*out[cut].rows, *run.rows))
    return out


def _cut(before: Run, run: Run, page: int) -> bool:
    """Say whether the end of the page before cuts a run that another one goes on with."""
    last, first = before.rows[-1].key, run.rows[0].key
    return (
        last is not None
        and first is not None
        and last.page == page - 1
        and total_of(first) == total_of(last) + 1 > _FIRST
        and len(before.columns().spans) == len(run.columns().spans)
    )


def _rows_of(
    lines: Sequence[Sequence[Word]], whole: Sequence[Line], strip: Strip, roll: Roll, *, last: bool
) -> list[RunRow]:
    """Return the headings and rows of a block; those below the last block of a stack too, where names may go on."""
    rows = []
    floor = float("inf") if last else strip.bottom
    for line, words in zip(lines, whole, strict=True):
        own = [word for word in line if strip.reaches(word) and strip.ceiling + word.size / 2 < word.height]
        key = key_of(own, strip, roll)
        if key is None:  # a line may have words of this block's last row, and of what is below it
            own = [word for word in own if word.height <= floor + word.size / 2]
        if not own:
            continue
        names = tuple(
            word for word in own if word is not key and not (key and (is_key(word.text, roll) or strip.repeats(word)))
        )
        single = tuple(word for word in words.words if strip.reaches(word))
        rows.append(RunRow(median(word.height for word in own), key, names, single))
    return rows


def _filled(rows: list[RunRow], strip: Strip) -> tuple[list[RunRow], list[str]]:
    """Give rows of pictures whose sum was not read the one that is missing between its neighbours; say so."""
    out, notes = list(rows), []
    for k, row in enumerate(rows[1:-1], start=1):
        above, below = rows[k - 1].key, rows[k + 1].key
        if row.key or not above or not below or above.how != "picture" or total_of(below) - total_of(above) != 2:  # noqa: PLR2004
            continue
        total = str(total_of(above) + 1)
        seen = [word for word in row.names if word.left >= strip.left - 1 and word.right <= strip.right + above.size]
        if len(row.names) - len(seen) < max(1, len(rows[k - 1].names)):
            continue
        text = above.text.replace(str(total_of(above)), total)
        reads = f"reads {seen[0].text!r}" if seen else "was not read"
        notes.append(f"the sum between {total_of(above)} and {total_of(below)} {reads}; it is taken for {total}")
        names = tuple(word for word in row.names if word not in seen and not strip.repeats(word))
        key = above._replace(text=text, top=row.height - above.size / 2, bottom=row.height + above.size / 2)
        out[k] = replace(row, key=key, names=names)
    return out, notes


def _cell(word: Word | None, where: str) -> Cell:
    if word is None:
        return Cell("", where)
    problem = "" if len(word.text) <= MAX_TEXT else "more than 200 letters in a cell"
    spot = Spot(word.page, word.box, word.confidence, word.how, "" if word.sure else "not clear", word.others)
    return Cell(word.text, where, problem=problem, spot=spot)
