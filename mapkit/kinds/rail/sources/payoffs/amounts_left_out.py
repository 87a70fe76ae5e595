"""Account of all amounts that the pages of a chart show: each is read, unclear, or named as left out."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.core.plurals import count_noun
from mapkit.formats.cells.table import Cell, Spot, quote_text
from mapkit.formats.marks import has_figures
from mapkit.formats.pdf.word import Page, Word
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import Entry

_BETWEEN_CELLS = "stands between the cells of the chart; type the amount"
Boxes = NDArray[np.float64]


def account_for_amounts(pages: Sequence[Page], entries: Sequence[Entry], file: str) -> tuple[list[Entry], list[str]]:
    """Return amounts between the cells of a chart as unread cells of the nearest row and column, and notes on others.

    Args:
        pages: The pages of the chart.
        entries: Row, column and cell of each amount that was assigned.
        file: Name of the file in messages.
    """
    stray_entries: list[Entry] = []
    notes: list[str] = []
    for page in pages:
        page_entries = [entry for entry in entries if entry[2].spot is not None and entry[2].spot.page == page.number]
        boxes = np.array([entry[2].spot.box for entry in page_entries if entry[2].spot], dtype=np.float64).reshape(
            -1, 4
        )
        outside_words = []
        for word in page.words:
            if not has_figures(word.text) or _is_covered(word, boxes):
                continue
            if not _is_between(word, boxes):
                outside_words.append(word)
                continue
            middles = (boxes[:, :2] + boxes[:, 2:]) / 2 - np.array([sum(word.box[::2]) / 2, sum(word.box[1::2]) / 2])
            column, row = (page_entries[int(k)] for k in np.argmin(np.abs(middles), axis=0))
            where = f"{file}:page {page.number}, at {word.box[0]:.0f}, {word.box[1]:.0f}"
            spot = Spot(page.number, word.box, 0.0, word.how)
            stray_entries.append((row[0], column[1], Cell(word.text, where, problem=_BETWEEN_CELLS, spot=spot)))
        if outside_words:
            listed_words = ", ".join(_list_figures([word.text for word in outside_words]))
            count_text = count_noun(len(outside_words), "number")
            notes.append(f"{file}: page {page.number}: {count_text} outside the chart: {listed_words}")
    return stray_entries, notes


def _is_covered(word: Word, boxes: Boxes) -> bool:
    x, y = sum(word.box[::2]) / 2, sum(word.box[1::2]) / 2
    return bool(((boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])).any())


def _is_between(word: Word, boxes: Boxes) -> bool:
    """Return whether a word has amounts of the chart left and right, or above and below it."""
    left, top, right, bottom = word.box
    in_row = boxes[(boxes[:, 1] < bottom) & (top < boxes[:, 3])]
    in_column = boxes[(boxes[:, 0] < right) & (left < boxes[:, 2])]
    return any(
        bool((line[:, low] < word.box[low]).any() and (line[:, low] > word.box[low]).any())
        for line, low in ((in_row, 0), (in_column, 1))
    )


def _list_figures(texts: Sequence[str]) -> Iterator[str]:
    """Yield texts in quotes; three or more whole numbers that count up are one range."""
    numbers = [text.rstrip(".") for text in texts]
    start = 0
    while start < len(texts):
        end = start + 1
        while (
            end < len(texts) and numbers[start].isdecimal() and numbers[end] == str(int(numbers[start]) + end - start)
        ):
            end += 1
        if end - start > 2:  # noqa: PLR2004
            yield f"{numbers[start]} to {numbers[end - 1]}"
        else:
            end = start + 1
            yield quote_text(texts[start])
        start = end
