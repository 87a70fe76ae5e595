"""Lines of upright words, and columns shared by the words of several lines."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from mapkit.formats.marks import CURRENCY_SIGN, FRACTION, looks_like_amount
from mapkit.formats.pdf.word import Word, is_leader, join_words

_SAME_LINE: Final = 0.45
"""Part of the font's size: words this near in height are on one line."""
_MAX_SPACE: Final = 0.72
"""The same across: words this near make one phrase. A typewriter's blank is 0.6 wide."""
_MAX_BLANKS: Final = 1.6
"""Blanks of a font: words of a name are at most this far apart."""
_MAX_AMOUNT_BLANK: Final = 0.4
"""The same for the words of an amount; columns are farther apart."""
_CURRENCY: Final = rf"(?:{CURRENCY_SIGN}|USD|EUR|GBP)"
_AMOUNT_PARTS: Final = re.compile(
    rf"{_CURRENCY} \d[\d.,]*|(?:{_CURRENCY} ?)?\d{{1,3}}(?: \d{{3}})* (?:\d{{3}}|{FRACTION})|\d[\d.,/ ]* {_CURRENCY}"
)
_MAX_LEAN: Final = 20.0
"""Degrees."""
_SAME_LEVEL: Final = 0.5
"""Parts of the font's size: neighbours less far apart in height are on one line."""
_DASHES: Final = "-–—"  # noqa: RUF001
_ACCENTS: Final = frozenset("-_.,'`~^")
_MAX_ACCENT_HEIGHT: Final = 0.75
"""Parts of the font's size: an accent is less far above the middle of its name."""
_MAX_ACCENT_SIZE: Final = 0.5
"""Likewise: no letter is as low, so such a low mark over a name is an accent, even if it was read as something else."""
_HAIR_WIDTH: Final = 0.07
"""Likewise: no character is as narrow."""
_TOUCH_SLACK: Final = 0.15
_BESIDE_PITCHES: Final = 0.3
"""Distances of columns."""


@dataclass(frozen=True)
class Line:
    """Words at one height, from left to right."""

    words: tuple[Word, ...]

    @property
    def height(self) -> float:
        """Middle of the line, from the top of the page."""
        return median(word.height for word in self.words)

    @property
    def size(self) -> float:
        """Size of its font."""
        return median(word.size for word in self.words)

    @property
    def text(self) -> str:
        """Its words, joined with blanks."""
        return " ".join(word.text for word in self.words)


def group_lines(words: Iterable[Word]) -> list[Line]:
    """Return upright words as lines, from the top."""
    lines_of_words: list[list[Word]] = []
    line_heights: list[float] = []
    for word in sorted((w for w in words if w.upright and not is_leader(w.text)), key=lambda w: (w.height, w.left)):
        if lines_of_words and abs(word.height - line_heights[-1]) <= _SAME_LINE * min(
            word.size, lines_of_words[-1][0].size
        ):
            lines_of_words[-1].append(word)
            line_heights[-1] += (word.height - line_heights[-1]) / len(lines_of_words[-1])
        else:
            lines_of_words.append([word])
            line_heights.append(word.height)
    return [Line(tuple(sorted(line, key=lambda w: (w.left, w.right)))) for line in lines_of_words]


def join_amount_parts(words: Sequence[Word]) -> list[Word]:
    """Join the words of an amount a blank apart: a currency sign, groups of three digits, or a fraction."""
    amount_by_last_word: dict[Word, Word] = {}
    joined_parts: set[Word] = set()
    for line in group_lines(words):
        for first_word, second_word in pairwise(line.words):
            first_part = amount_by_last_word.get(first_word, first_word)
            is_near = second_word.left - first_word.right < _MAX_AMOUNT_BLANK * min(first_word.size, second_word.size)
            if is_near and _AMOUNT_PARTS.fullmatch(f"{first_part.text} {second_word.text}"):
                amount_by_last_word.pop(first_word, None)
                amount_by_last_word[second_word] = join_words([first_part, second_word])
                joined_parts.add(first_word)
    return [amount_by_last_word.get(word, word) for word in words if word not in joined_parts]


def drop_specks(words: Iterable[Word]) -> list[Word]:
    """Return words without specks of a picture that were mistaken for words.

    Accents may be detached from their letters and look like dashes, and the edge of a background may look like a 1.
    """
    words = list(words)
    name_words = [word for word in words if word.upright and any(map(str.isalpha, word.text)) and len(word.text) > 1]
    return [
        word
        for word in words
        if word.how != "picture"
        or not word.upright
        or not (
            (word.right - word.left < _HAIR_WIDTH * word.size)
            or any(_may_be_accent(word, name) and _is_over(word, name) for name in name_words)
        )
    ]


def _may_be_accent(word: Word, name: Word) -> bool:
    return word.size < _MAX_ACCENT_SIZE * name.size or (
        word.right - word.left < word.size and set(word.text) <= _ACCENTS
    )


def _is_over(accent: Word, name: Word) -> bool:
    """Return whether a small mark is above letters of a name, too near to belong to the row above."""
    is_within = name.left <= accent.left and accent.right <= name.right
    return is_within and 0 < name.height - accent.height < _MAX_ACCENT_HEIGHT * name.size


def group_slack_lines(words: Iterable[Word]) -> list[Line]:
    """Return the lines of a list page; in a picture, where lines may rise or fall, words follow their left neighbour.

    Short words of a picture that seem to be tilted are taken as upright, and pieces of ruled lines are left out.
    """
    upright_words = drop_specks(
        _straighten(word) for word in words if not (word.how == "picture" and set(word.text) <= set("-_|."))
    )
    if not upright_words or upright_words[0].how != "picture":
        return group_lines(upright_words)
    lines: list[list[Word]] = []
    for word in sorted((word for word in upright_words if word.upright), key=lambda word: (word.left, word.top)):
        near_lines = [line for line in lines if line[-1].right < word.right and _are_level(line[-1], word)]
        best_line = min(near_lines, key=lambda line: abs(line[-1].height - word.height), default=None)
        if best_line is None:
            lines.append([word])
        else:
            best_line.append(word)
    return sorted((Line(tuple(line)) for line in lines), key=lambda row: (row.height, row.words[0].left))


def _are_level(first: Word, second: Word) -> bool:
    return abs(first.height - second.height) < _SAME_LEVEL * max(first.size, second.size)


def _straighten(word: Word) -> Word:
    """Return a word of a picture upright if it seems to lean slightly, as one of few letters may."""
    if word.how != "picture" or word.upright or abs(word.tilt) > _MAX_LEAN:
        return word
    return word._replace(tilt=0.0, top=word.height - word.size / 2, bottom=word.height + word.size / 2)


def join_phrases(
    words: Sequence[Word], *, space: float = _MAX_SPACE, apart: Callable[[str], bool] = lambda _: False
) -> list[Word]:
    """Join the words of a line that are as close as words of one name.

    Args:
        words: The words, from the left.
        space: What is farther apart is not joined, as a part of the font's size.
        apart: Says which texts are phrases by themselves.
    """
    phrase_words: list[list[Word]] = []
    for word in words:
        last_word = phrase_words[-1][-1] if phrase_words else None
        is_near = last_word is not None and word.left - last_word.right < space * min(word.size, last_word.size)
        if last_word is None or not is_near or apart(word.text) or apart(last_word.text):
            phrase_words.append([word])
        else:
            phrase_words[-1].append(word)
    return [join_words(phrase) for phrase in phrase_words]


def measure_word_space(lines: Sequence[Line], apart: Callable[[str], bool]) -> float:
    """Return the maximum gap between words of a name, as a fraction of the font's size.

    Text of a PDF has even blanks, so columns less than a typewriter's blank apart are still detected.

    Args:
        lines: The lines of a page.
        apart: Says which texts are left out, such as amounts.
    """
    gaps = (
        (after.left - word.right) / min(word.size, after.size)
        for line in lines
        for word, after in pairwise(line.words)
        if word.how == "text" and not apart(word.text) and not apart(after.text)
    )
    near_gaps = sorted(gap for gap in gaps if 0 < gap < _MAX_SPACE)
    return min(_MAX_SPACE, _MAX_BLANKS * near_gaps[len(near_gaps) // 4]) if near_gaps else _MAX_SPACE


def flag_amounts(words: Sequence[Word]) -> list[bool]:
    """Return for each word of a line whether it is an amount or a mark for none; a dash between two names is not."""
    are_amounts = [looks_like_amount(word.text) for word in words]
    for k in range(1, len(words) - 1):
        joins_names = (
            set(words[k].text) <= set(_DASHES) and not are_amounts[k - 1] and not looks_like_amount(words[k + 1].text)
        )
        is_near = max(words[k].left - words[k - 1].right, words[k + 1].left - words[k].right) < words[k].size
        are_amounts[k] = are_amounts[k] and not (joins_names and is_near)
    return are_amounts


class Columns:
    """Columns of a page, found from the lines that fill most of them; later lines widen them or add others."""

    def __init__(self) -> None:
        self.spans: list[list[float]] = []
        self.names_end: float | None = None
        """The right end of the names before them, if those end left of all columns."""
        self._reaches: list[float] = []
        """How far to the right each column or one before it reaches."""

    def take(self, words: Sequence[Word], *, beside: bool = False) -> bool:
        """Assign the words of a line to columns; return False, without a change, if one would fall into two.

        Args:
            words: The words.
            beside: Whether one that stands in no column belongs to one that is near, and in which no other stands.
        """
        column_of_word: list[tuple[Word, int | None]] = []
        for word in words:
            hit_columns = self.under(word)
            if len(hit_columns) > 1:
                return False
            column_of_word.append((word, hit_columns[0] if hit_columns else None))
        if beside and self.spans:
            taken_columns = {k for _, k in column_of_word}
            column_of_word = [
                (word, self._beside(word, taken_columns) if k is None else k) for word, k in column_of_word
            ]
        for word, k in column_of_word:
            if k is not None:
                span = self.spans[k]
                span[0], span[1] = min(span[0], word.left), max(span[1], word.right)
        new_spans = [[word.left, word.right] for word, k in column_of_word if k is None]
        self.spans = sorted(self.spans + new_spans)
        self._reaches = list(accumulate((right for _, right in self.spans), max))
        return True

    def add(self, left: float, right: float) -> None:
        """Add a column without amounts."""
        self.spans = sorted([*self.spans, [left, right]])
        self._reaches = list(accumulate((right for _, right in self.spans), max))

    def _beside(self, word: Word, taken: AbstractSet[int | None]) -> int | None:
        """Return the column near a word, relative to the distance of columns; None if it is occupied."""
        k = self.nearest(word.middle)
        left, right = self.spans[k]
        is_near = abs((left + right) / 2 - word.middle) < _BESIDE_PITCHES * self.pitch
        return k if len(self.spans) > 1 and is_near and k not in taken else None

    def under(self, word: Word) -> list[int]:
        """Return the columns that a word overlaps."""
        touch_slack = min(_TOUCH_SLACK * word.size, (word.right - word.left) / 3)
        first_x, last_x = word.left + touch_slack, word.right - touch_slack
        k = bisect_left(self.spans, [last_x])
        hit_columns: list[int] = []
        while k and self._reaches[k - 1] > first_x:
            k -= 1
            if self.spans[k][1] > first_x:
                hit_columns.append(k)
        return hit_columns[::-1]

    def nearest(self, middle: float) -> int:
        """Return the column nearest to a place."""
        middles = [(left + right) / 2 for left, right in self.spans]
        k = bisect_left(middles, middle)
        near_columns = [i for i in (k - 1, k) if 0 <= i < len(middles)]
        return min(near_columns, key=lambda i: abs(middles[i] - middle))

    @property
    def middles(self) -> list[float]:
        """Middles of the columns."""
        return [(left + right) / 2 for left, right in self.spans]

    @property
    def pitch(self) -> float:
        """Usual distance of neighbouring columns; of a single one, twice its width."""
        middles = self.middles
        steps = [b - a for a, b in pairwise(middles)]
        return median(steps) if steps else 2 * (self.spans[0][1] - self.spans[0][0])
