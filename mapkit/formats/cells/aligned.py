"""Tables whose columns are aligned, without delimiters: the gaps that run through all full lines part the columns."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from mapkit.formats.cells.table import Cell, Table, checked_rows
from mapkit.formats.pdf.lines import group_slack_lines
from mapkit.formats.pdf.word import Page, Word, join_words

_FULL: Final = 0.6
"""Least number of words of a full line, as a share of those of the fullest; the others are titles."""
_WORD: Final = re.compile(r"\S+")
_PHRASE_SPACE: Final = 0.6
"""Largest distance of two words of a title, in font sizes."""


class _Token(NamedTuple):
    left: float
    right: float
    number: int


def read_aligned_text(text: str, *, file: str, gap: int) -> Table:
    """Read a text with columns of blanks, each part between empty lines by its own columns.

    Args:
        text: The text.
        file: Its name in messages.
        gap: Least number of blanks between columns.

    Raises:
        SourceError: There are no cells, or too many.
    """
    rows: list[tuple[Cell, ...]] = []
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.expandtabs(8).replace("\f", "\n").split("\n"), ""], start=1):
        if line.strip():
            block.append((number, line))
            continue
        token_lines = [
            [_Token(found.start(), found.end(), k) for k, found in enumerate(_WORD.finditer(line))] for _, line in block
        ]
        for (line_number, block_line), columns in zip(block, _assign_columns(token_lines, gap, 1.0), strict=True):
            words = block_line.split()
            rows.append(
                tuple(
                    Cell(" ".join(words[token.number] for token in tokens), f"{file}:{line_number}:{k}")
                    for k, tokens in enumerate(columns, start=1)
                )
            )
        block = []
    return Table("text", checked_rows(rows, file=file), placed=True)


def read_aligned_pages(pages: Sequence[Page], to_cell: Callable[[Word, str], Cell], *, file: str, kind: str) -> Table:
    """Read the lines of pages as rows, with columns through all pages.

    Raises:
        SourceError: There are no cells, or too many.
    """
    lines = [(page.number, line.words) for page in pages for line in group_slack_lines(page.words)]
    size = min((word.size for _, words in lines for word in words), default=1.0)
    token_lines = [[_Token(word.left, word.right, k) for k, word in enumerate(words)] for _, words in lines]
    rows = []
    assigned = _assign_columns(token_lines, size * _PHRASE_SPACE / 2, size * _PHRASE_SPACE)
    for number, ((page_number, words), columns) in enumerate(zip(lines, assigned, strict=True), start=1):
        places = [f"{file}:page {page_number}, row {number}, column {k}" for k in range(1, len(columns) + 1)]
        rows.append(
            tuple(
                to_cell(join_words([words[token.number] for token in tokens]), where) if tokens else Cell("", where)
                for tokens, where in zip(columns, places, strict=True)
            )
        )
    return Table(kind, checked_rows(rows, file=file), placed=True)


def _assign_columns(lines: Sequence[Sequence[_Token]], gap: float, space: float) -> list[list[list[_Token]]]:
    """Return for each line its tokens by column.

    Args:
        lines: Tokens from left to right.
        gap: Least distance between columns.
        space: Largest distance between words of one title.
    """
    most = max(map(len, lines), default=0)
    spans: list[list[float]] = []
    for token in sorted(token for line in lines if len(line) >= _FULL * most for token in line):
        if spans and token.left - spans[-1][1] < gap:
            spans[-1][1] = max(spans[-1][1], token.right)
        else:
            spans.append([token.left, token.right])
    assigned = []
    for line in lines:
        columns: list[list[_Token]] = [[] for _ in spans]
        last_token, last_column = None, 0
        for token in line:
            overlaps = [min(token.right, right) - max(token.left, left) for left, right in spans]
            column = overlaps.index(max(overlaps))
            if len(line) < _FULL * most and last_token is not None and token.left - last_token.right <= space:
                column = last_column
            columns[column].append(token)
            last_token, last_column = token, column
        assigned.append(columns)
    return assigned
