"""Lines of upright words, and columns into which words of several lines fall."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.word import Word, is_leader, joined

_LINE: Final = 0.45
"""Part of the font's size: words this near in height are on one line."""
_SPACE: Final = 0.72
"""The same across: words this near make one phrase. A typewriter's blank is 0.6 wide."""
_BLANK: Final = 1.6
"""Blanks of a font: words of a name are at most this far apart."""
_LEANS: Final = 20.0
"""Degrees."""
_LEVEL: Final = 0.5
"""Parts of the font's size: neighbours less far apart in height are on one line."""
_DASHES: Final = "-–—"  # noqa: RUF001
_ACCENTS: Final = frozenset("-_.,'`~^")
_OVER: Final = 0.75
"""Parts of the font's size: an accent is less far above the middle of its name."""
_SMALL: Final = 0.5
"""Likewise: no letter is as low, so what is so low over a name is an accent, whatever it was read as."""
_HAIR: Final = 0.07
"""Likewise: no character is as narrow."""
_TOUCH: Final = 0.15
_BESIDE: Final = 0.3
"""Distances of columns."""


@dataclass(frozen=True)
class Line:
    """Words of one height, from left to right."""

    words: tuple[Word, ...]

    @property
    def height(self) -> float:
        """Its middle, from the top of the page."""
        return median(word.height for word in self.words)

    @property
    def size(self) -> float:
        """The size of its font."""
        return median(word.size for word in self.words)

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.words)


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Return upright words as lines, from the top."""
    lines: list[list[Word]] = []
    heights: list[float] = []
    for word in sorted((w for w in words if w.upright and not is_leader(w.text)), key=lambda w: (w.height, w.left)):
        if lines and abs(word.height - heights[-1]) <= _LINE * min(word.size, lines[-1][0].size):
            lines[-1].append(word)
            heights[-1] += (word.height - heights[-1]) / len(lines[-1])
        else:
            lines.append([word])
            heights.append(word.height)
    return [Line(tuple(sorted(line, key=lambda w: (w.left, w.right)))) for line in lines]


def without_specks(words: Iterable[Word]) -> list[Word]:
    """Return words without specks of a picture that were read as words.

    Accents of names may come off their letters and look like dashes, and the edge of a ground may look like a 1.
    """
    words = list(words)
    names = [word for word in words if word.upright and any(map(str.isalpha, word.text)) and len(word.text) > 1]
    return [
        word
        for word in words
        if word.how != "picture"
        or not word.upright
        or not (_is_hairline(word) or any(_may_be_accent(word, name) and _is_over(word, name) for name in names))
    ]


def _is_hairline(word: Word) -> bool:
    return word.right - word.left < _HAIR * word.size


def _may_be_accent(word: Word, name: Word) -> bool:
    return word.size < _SMALL * name.size or (word.right - word.left < word.size and set(word.text) <= _ACCENTS)


def _is_over(accent: Word, name: Word) -> bool:
    """Say whether a small mark stands over letters of a name, too near to be of the row above."""
    within = name.left <= accent.left and accent.right <= name.right
    return within and 0 < name.height - accent.height < _OVER * name.size


def slack_lines(words: Iterable[Word]) -> list[Line]:
    """Return the lines of a page of a list. In a picture a line may rise or fall: words are on that of their neighbour.

    Short words of a picture that seem to lean are upright, and pieces of ruled lines are left out.
    """
    upright = without_specks(_straight(word) for word in words if not _is_rule(word))
    if not upright or upright[0].how != "picture":
        return lines_of(upright)
    lines: list[list[Word]] = []
    for word in sorted((word for word in upright if word.upright), key=lambda word: (word.left, word.top)):
        near = [line for line in lines if line[-1].right < word.right and _beside(line[-1], word)]
        line = min(near, key=lambda line: abs(line[-1].height - word.height), default=None)
        if line is None:
            lines.append([word])
        else:
            line.append(word)
    return sorted((Line(tuple(line)) for line in lines), key=lambda line: (line.height, line.words[0].left))


def _beside(one: Word, other: Word) -> bool:
    return abs(one.height - other.height) < _LEVEL * max(one.size, other.size)


def _straight(word: Word) -> Word:
    """Return a word of a picture that seems to lean, as one of few letters may, upright."""
    if word.how != "picture" or word.upright or abs(word.tilt) > _LEANS:
        return word
    return word._replace(tilt=0.0, top=word.height - word.size / 2, bottom=word.height + word.size / 2)


def _is_rule(word: Word) -> bool:
    """Say whether a word of a picture is a piece of a ruled line rather than a letter."""
    return word.how == "picture" and set(word.text) <= set("-_|.")


def phrases(
    words: Sequence[Word], *, space: float = _SPACE, apart: Callable[[str], bool] = lambda _: False
) -> list[Word]:
    """Return the words of a line with those joined that stand as near as words of a name do.

    Args:
        words: The words, from the left.
        space: What is farther apart is not joined, as a part of the font's size.
        apart: Says which texts are phrases by themselves.
    """
    out: list[list[Word]] = []
    for word in words:
        last = out[-1][-1] if out else None
        near = last is not None and word.left - last.right < space * min(word.size, last.size)
        if last is None or not near or apart(word.text) or apart(last.text):
            out.append([word])
        else:
            out[-1].append(word)
    return [joined(one) for one in out]


def even_space(lines: Sequence[Line], apart: Callable[[str], bool]) -> float:
    """Return how far words of a name are apart at most, as a part of the font's size.

    Text of a PDF is set with even blanks, so columns that are less than a typewriter's blank apart are still seen.

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
    near = sorted(gap for gap in gaps if 0 < gap < _SPACE)
    return min(_SPACE, _BLANK * near[len(near) // 4]) if near else _SPACE


def amounts_among(words: Sequence[Word]) -> list[bool]:
    """Say of each word of a line whether it is an amount, or a mark for none; a dash between two names joins them."""
    found = [looks_like_amount(word.text) for word in words]
    for k in range(1, len(words) - 1):
        joins = set(words[k].text) <= set(_DASHES) and not found[k - 1] and not looks_like_amount(words[k + 1].text)
        near = max(words[k].left - words[k - 1].right, words[k + 1].left - words[k].right) < words[k].size
        found[k] = found[k] and not (joins and near)
    return found


class Columns:
    """Columns of a page, found from the lines that fill most of them; later lines widen them or add others."""

    def __init__(self) -> None:
        self.spans: list[list[float]] = []
        self._reach: list[float] = []
        """How far to the right each column or one before it reaches."""

    def take(self, words: Sequence[Word], *, beside: bool = False) -> bool:
        """Let the words of a line fall into columns; False, and nothing changed, if one falls into two.

        Args:
            words: The words.
            beside: Whether one that stands in no column belongs to one that is near, and in which no other stands.
        """
        found: list[tuple[Word, int | None]] = []
        for word in words:
            hit = self.under(word)
            if len(hit) > 1:
                return False
            found.append((word, hit[0] if hit else None))
        if beside and self.spans:
            taken = {k for _, k in found}
            found = [(word, self._beside(word, taken) if k is None else k) for word, k in found]
        for word, k in found:
            if k is not None:
                span = self.spans[k]
                span[0], span[1] = min(span[0], word.left), max(span[1], word.right)
        new = [[word.left, word.right] for word, k in found if k is None]
        self.spans = sorted(self.spans + new)
        self._reach = list(accumulate((right for _, right in self.spans), max))
        return True

    def _beside(self, word: Word, taken: AbstractSet[int | None]) -> int | None:
        """Return the column that a word is near, compared with how far columns are apart; None if it is taken."""
        k = self.nearest(word.middle)
        left, right = self.spans[k]
        near = abs((left + right) / 2 - word.middle) < _BESIDE * self.pitch
        return k if len(self.spans) > 1 and near and k not in taken else None

    def under(self, word: Word) -> list[int]:
        """Return the columns that a word stands in."""
        slack = min(_TOUCH * word.size, (word.right - word.left) / 3)
        first, last = word.left + slack, word.right - slack
        k = bisect_left(self.spans, [last])
        found: list[int] = []
        while k and self._reach[k - 1] > first:
            k -= 1
            if self.spans[k][1] > first:
                found.append(k)
        return found[::-1]

    def nearest(self, middle: float) -> int:
        """Return the column nearest to a place."""
        middles = [(left + right) / 2 for left, right in self.spans]
        k = bisect_left(middles, middle)
        around = [i for i in (k - 1, k) if 0 <= i < len(middles)]
        return min(around, key=lambda i: abs(middles[i] - middle))

    @property
    def middles(self) -> list[float]:
        """The middles of the columns."""
        return [(left + right) / 2 for left, right in self.spans]

    @property
    def pitch(self) -> float:
        """The usual distance of neighbouring columns; of a single one, twice its width."""
        middles = self.middles
        steps = [b - a for a, b in pairwise(middles)]
        return median(steps) if steps else 2 * (self.spans[0][1] - self.spans[0][0])
