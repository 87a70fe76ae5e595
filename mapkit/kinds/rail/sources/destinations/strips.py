"""Where sums stand above each other on a page: each such strip is a block of rows of a destination chart."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Columns, Line, phrases
from mapkit.formats.pdf.word import Word, joined
from mapkit.kinds.rail.sources.destinations.words import PARITIES

Roll = Callable[[str], tuple[str, int] | None]
"""Returns the column and the sum of a text that is a roll: `odd 7`; None for any other text."""

_SUM: Final = re.compile(r"[(#]?(?:[2-9]|1[0-2])[.):]?")
_FEWEST: Final = 4
"""A block has this many sums that differ; fewer are numbers of pages and the like."""


@dataclass(frozen=True)
class Strip:
    """Where keys stand above each other, and how far their block reaches to both sides."""

    left: float
    right: float
    low: float = float("-inf")
    high: float = float("inf")
    repeated: tuple[tuple[float, float], ...] = ()
    """Where the sums of all blocks stand again behind the names."""

    def repeats(self, word: Word) -> bool:
        """Say whether a word stands where sums stand again."""
        return any(left - word.size / 2 < word.middle < right + word.size / 2 for left, right in self.repeated)


def phrases_of(line: Line, roll: Roll) -> list[Word]:
    """Return the phrases of a line; a sum is one by itself, and with `odd` or `even` before it a roll."""
    words: list[Word] = []
    for word in line.words:
        before = words[-1] if words else None
        if (
            before
            and fold(before.text) in PARITIES
            and _SUM.fullmatch(word.text)
            and word.left - before.right < word.size
        ):
            words[-1] = joined([before, word])
        else:
            words.append(word)
    return phrases(words, apart=lambda text: is_key(text, roll))


def is_key(text: str, roll: Roll) -> bool:
    """Say whether a text is a sum or a roll."""
    return _SUM.fullmatch(text) is not None or roll(text) is not None


def strips_of(lines: Sequence[Sequence[Word]], roll: Roll) -> list[Strip]:
    """Return where sums stand above each other, from the left, with the reach of each block."""
    keys = sorted((word for line in lines for word in line if is_key(word.text, roll)), key=lambda w: (w.left, w.right))
    groups: list[list[Word]] = []
    for word in keys:
        if groups and word.left < max(w.right for w in groups[-1]) + word.size / 2:
            groups[-1].append(word)
        else:
            groups.append([word])
    found = [
        Strip(min(w.left for w in group), max(w.right for w in group))
        for group in groups
        if len({word.text for word in group}) >= _FEWEST
    ]
    return _reaching(found, lines, roll) if found else []


def _reaching(strips: list[Strip], lines: Sequence[Sequence[Word]], roll: Roll) -> list[Strip]:
    """Say how far each block reaches; sums that are repeated behind the names make no block of their own."""
    names = [
        word
        for line in lines
        if any(key_of(line, strip, roll) for strip in strips)
        for word in line
        if not is_key(word.text, roll)
    ]
    before = sum(word.right < strips[0].left for word in names)
    behind = sum(word.left > strips[-1].right for word in names)
    if before < _FEWEST:
        kept = [
            strip
            for strip, following in zip(strips, [*strips[1:], None], strict=True)
            if sum(strip.right < w.middle < (following.left if following else float("inf")) for w in names) >= _FEWEST
        ]
        edges = [float("-inf"), *((strip.left + _end_before(names, strip)) / 2 for strip in kept[1:]), float("inf")]
    elif behind < _FEWEST:
        kept = strips
        edges = [float("-inf"), *(strip.right for strip in strips[:-1]), float("inf")]
    else:
        kept = strips
        edges = [float("-inf")]
        for strip, following in pairwise(strips):
            columns = Columns()
            for word in names:
                if strip.right < word.middle < following.left:
                    columns.take([word])
            half = columns.spans[len(columns.spans) // 2 :]
            edges.append(half[0][0] - 1 if half else (strip.right + following.left) / 2)
        edges.append(float("inf"))
    again = tuple((strip.left, strip.right) for strip in strips if strip not in kept)
    return [replace(strip, low=edges[k], high=edges[k + 1], repeated=again) for k, strip in enumerate(kept)]


def _end_before(names: Sequence[Word], strip: Strip) -> float:
    """Return where the names before a block end."""
    return max((word.right for word in names if word.right < strip.left), default=strip.left)


def key_of(line: Sequence[Word], strip: Strip, roll: Roll) -> Word | None:
    """Return the sum or roll of a line that stands in a strip; None if there is none."""
    inside = (word for word in line if word.left >= strip.left - 1 and word.right <= strip.right + 1)
    return next((word for word in inside if is_key(word.text, roll)), None)
