"""Destination charts on pages of PDFs and in pictures: rows and columns from the positions of words.

A column of sums, or of rolls such as `odd 7`, marks a block of rows; a page may have any number of blocks side by side
and above each other. Lines between the rows of two blocks are headings of the lower one. A block that the end of a page
cuts off continues at the top of the next one.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.plurals import count_noun
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot, Table, quote_text
from mapkit.formats.pdf.lines import Line, group_slack_lines, measure_word_space
from mapkit.formats.pdf.matrix import CLEARER
from mapkit.formats.pdf.word import Page, Word
from mapkit.kinds.rail.sources.destinations.block_extents import find_stacks
from mapkit.kinds.rail.sources.destinations.row_runs import Run, RunRow, find_runs
from mapkit.kinds.rail.sources.destinations.sum_strips import Roll, Strip, find_key, find_phrases, is_key, sum_of_key

_FIRST_SUM: Final = 2
"""First sum of a chart."""


def page_table(pages: Sequence[Page], *, file: str, kind: str, roll: Roll) -> tuple[Table, list[str]]:
    """Return all charts on pages as one table, block after block: headings, then rows starting with their sum or roll.

    Args:
        pages: The words of the pages.
        file: Name of the file in messages.
        kind: `pdf` or `picture`.
        roll: Parses a roll.

    Returns:
        The table, and notes on corrections and omissions.

    Raises:
        SourceError: No page has a column of sums.
    """
    all_runs: list[Run] = []
    notes: list[str] = []
    for page in pages:
        page_runs = _read_page_runs(page, roll, notes, file)
        if not page_runs:
            notes.append(f"{file}: page {page.number} has no column of sums from 2 to 12 and was left out")
        all_runs = _continue_runs(all_runs, page_runs, page.number)
    table_rows = [
        tuple(
            word_to_cell(word, f"{file}:page {page_number}, row {row_number}, column {column_number}")
            for column_number, word in enumerate(run_line, start=1)
        )
        for row_number, (page_number, run_line) in enumerate(
            (run_line for run in all_runs for run_line in run.lines()), start=1
        )
    ]
    if not table_rows:
        word_texts = [word.text for page in pages for word in page.words]
        if not word_texts:
            raise SourceError(f"{file}: no destination chart found: no table of clear text was seen; {CLEARER}")
        words_text = f"{count_noun(len(word_texts), 'word')} ({', '.join(map(quote_text, word_texts[:4]))}, ...)"
        raise SourceError(f"{file}: no destination chart found: {words_text}, but no column of sums from 2 to 12")
    return Table(kind, tuple(table_rows), placed=True), notes


def _read_page_runs(page: Page, roll: Roll, notes: list[str], file: str) -> list[Run]:
    text_lines = group_slack_lines(page.words)
    word_space = measure_word_space(text_lines, lambda text: is_key(text, roll))
    phrase_lines = [find_phrases(line, roll, word_space) for line in text_lines]
    page_runs: list[Run] = []
    for stack in find_stacks(phrase_lines, roll):
        stack_rows: list[RunRow] = []
        for strip, next_strip in zip(stack, [*stack[1:], None], strict=True):
            block_rows, row_notes = _fill_missing_sums(
                _block_rows(phrase_lines, text_lines, strip, roll, is_last=next_strip is None), strip
            )
            stack_rows += block_rows
            notes += [f"{file}: page {page.number}: {note}" for note in row_notes]
        page_runs += find_runs(stack_rows, roll)
    return page_runs


def _continue_runs(runs: Sequence[Run], page_runs: Sequence[Run], page: int) -> list[Run]:
    """Return all runs so far, extended by the runs of a page that continue them."""
    continued_runs = list(runs)
    for run in page_runs:
        cut_index = next(
            (k for k, earlier_run in enumerate(continued_runs) if _is_continued(earlier_run, run, page)), None
        )
        if cut_index is None:
            continued_runs.append(run)
        else:
            continued_runs[cut_index] = replace(
                continued_runs[cut_index], rows=(*continued_runs[cut_index].rows, *run.rows)
            )
    return continued_runs


def _is_continued(earlier_run: Run, run: Run, page: int) -> bool:
    """Return whether a run continues one that the end of the previous page cut off."""
    last_key, first_key = earlier_run.rows[-1].key, run.rows[0].key
    return (
        last_key is not None
        and first_key is not None
        and last_key.page == page - 1
        and sum_of_key(first_key) == sum_of_key(last_key) + 1 > _FIRST_SUM
        and len(earlier_run.columns().spans) == len(run.columns().spans)
    )


def _block_rows(
    lines: Sequence[Sequence[Word]], phrase_lines: Sequence[Line], strip: Strip, roll: Roll, *, is_last: bool
) -> list[RunRow]:
    """Return the headings and rows of a block, including lines below the last block of a stack."""
    run_rows = []
    bottom_limit = float("inf") if is_last else strip.bottom
    for line, words in zip(lines, phrase_lines, strict=True):
        block_words = [word for word in line if strip.is_in_block(word) and strip.ceiling + word.size / 2 < word.height]
        key_word = find_key(block_words, strip, roll)
        if key_word is None:  # a line may have words of this block's last row, and of the block below it
            block_words = [word for word in block_words if word.height <= bottom_limit + word.size / 2]
        if not block_words:
            continue
        name_words = tuple(
            word
            for word in block_words
            if word is not key_word and not (key_word and (is_key(word.text, roll) or strip.repeats(word)))
        )
        single_words = tuple(word for word in words.words if strip.is_in_block(word))
        run_rows.append(RunRow(median(word.height for word in block_words), key_word, name_words, single_words))
    return run_rows


def _fill_missing_sums(rows: list[RunRow], strip: Strip) -> tuple[list[RunRow], list[str]]:
    """Fill in a missing sum of a picture between its neighbours, and note it."""
    filled_rows, notes = list(rows), []
    for k, row in enumerate(rows[1:-1], start=1):
        key_above, key_below = rows[k - 1].key, rows[k + 1].key
        if (
            row.key
            or not key_above
            or not key_below
            or key_above.how != "picture"
            or sum_of_key(key_below) - sum_of_key(key_above) != 2  # noqa: PLR2004
        ):
            continue
        missing_sum = str(sum_of_key(key_above) + 1)
        misread_words = [
            word for word in row.names if word.left >= strip.left - 1 and word.right <= strip.right + key_above.size
        ]
        if len(row.names) - len(misread_words) < max(1, len(rows[k - 1].names)):
            continue
        key_text = key_above.text.replace(str(sum_of_key(key_above)), missing_sum)
        reading_text = f"reads {misread_words[0].text!r}" if misread_words else "was not read"
        notes.append(
            f"the sum between {sum_of_key(key_above)} and {sum_of_key(key_below)} {reading_text}; "
            f"it is taken for {missing_sum}"
        )
        name_words = tuple(word for word in row.names if word not in misread_words and not strip.repeats(word))
        filled_key = key_above._replace(
            text=key_text, top=row.height - key_above.size / 2, bottom=row.height + key_above.size / 2
        )
        filled_rows[k] = replace(row, key=filled_key, names=name_words)
    return filled_rows, notes


def word_to_cell(word: Word | None, where: str) -> Cell:
    """Return the cell of a word on a page, empty for none."""
    if word is None:
        return Cell("", where)
    cell_problem = "" if len(word.text) <= MAX_TEXT else "more than 200 letters in a cell"
    cell_spot = Spot(word.page, word.box, word.confidence, word.how, "" if word.sure else "not clear", word.others)
    return Cell(word.text, where, problem=cell_problem, spot=cell_spot)
