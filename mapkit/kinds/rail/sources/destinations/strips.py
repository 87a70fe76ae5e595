"""Where sums stand above each other on a page: each such strip is a block of rows of a destination chart."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Columns, Line, lines_of, phrases
from mapkit.formats.pdf.word import Word, joined
from mapkit.kinds.rail.sources.destinations.words import PARITIES

Roll = Callable[[str], tuple[str, int] | None]
"""Returns the column and the sum of a text that is a roll: `odd 7`; None for any other text."""

_SUM: Final = re.compile(r"[(#]?(?:[2-9]|1[0-2])[.):]?")
_FEWEST: Final = 4
"""A block has this many sums that differ; fewer are numbers of pages and the like."""
_LEANS: Final = 20.0
"""Degrees."""
_LEVEL: Final = 0.5
"""Parts of the font's size: neighbours less far apart in height are on one line."""


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


def page_lines(words: Iterable[Word]) -> list[Line]:
    """Return the lines of a page. In a picture a line may rise or fall: each word is on the line of its neighbour."""
    upright = [_straight(word) for word in words if not _is_rule(word)]
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
    """Return a word of a picture that seems to lean, as one of few letters may, upright: charts have none that do."""
    if word.how != "picture" or word.upright or abs(word.tilt) > _LEANS:
        return word
    return word._replace(tilt=0.0, top=word.height - word.size / 2, bottom=word.height + word.size / 2)


def _is_rule(word: Word) -> bool:
    """Say whether a word of a picture is a piece of a ruled line rather than a letter."""
    return word.how == "picture" and set(word.text) <= set("-_|.")


def phrases_of(line: Line, roll: Roll) -> list[Word]:
    """Return the phrases of a line; a sum is one by itself, and with `odd` or `even` before it a roll."""
    out: list[Word] = []
    run: list[Word] = []
    for word in line.words:
        if not is_key(word.text, roll):
            run.append(word)
            continue
        said = bool(run) and fold(run[-1].text) in PARITIES and word.left - run[-1].right < word.size
        key = joined([run.pop(), word]) if said else word
        out += [*phrases(run), key]
        run = []
    return out + phrases(run)


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
