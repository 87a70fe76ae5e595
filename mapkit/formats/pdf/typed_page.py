"""Text in columns as a page: each word at the place that a typewriter would give it."""

import re
from typing import Final

from mapkit.formats.pdf.lines import join_amount_parts
from mapkit.formats.pdf.word import Page, Word

CHARACTER_WIDTH: Final = 6.0
LINE_HEIGHT: Final = 12.0
_FONT_SIZE: Final = 10.0
_WORD: Final = re.compile(r"\S+")


def make_typed_page(text: str) -> Page:
    """Return a text as a page; a column is 6 points wide, and a line 12 points high."""
    words = []
    for line_index, line in enumerate(text.expandtabs(8).split("\n")):
        top = line_index * LINE_HEIGHT
        bottom, middle = top + _FONT_SIZE, top + _FONT_SIZE / 2
        for match in _WORD.finditer(line):
            left, right = match.start() * CHARACTER_WIDTH, match.end() * CHARACTER_WIDTH
            box = (left, top, right, bottom)
            words.append(Word(match[0], 1, box, *box, _FONT_SIZE, 0.0, (left, middle), (right, middle), sure=True))
    return Page(1, tuple(join_amount_parts(words)), hidden=0, pictures=0)
