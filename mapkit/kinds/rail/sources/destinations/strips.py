"""Where sums stand above each other on a page: each such strip is a block of rows of a destination chart."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Line, phrases
from mapkit.formats.pdf.word import Word, joined
from mapkit.kinds.rail.sources.destinations.words import PARITIES

Roll = Callable[[str], tuple[str, int] | None]
"""Returns the column and the sum of a text that is a roll: `odd 7`; None for any other text."""

FEWEST: Final = 4
"""A block has this many sums that differ; fewer are numbers of pages and the like."""
_SUM: Final = re.compile(r"[(#]?(?:[2-9]|1[0-2])[.):]?")
_STEP: Final = 2.5
"""Steps between rows: the next sum of a strip is at most this far below, for each sum."""
_FIRST_STEP: Final = 5.0
"""The same in parts of the font's size, as long as a strip has one sum."""
_DIGITS: Final = 0.5
"""Parts of the font's size: digits of one sum in a picture are at most this far apart."""


@dataclass(frozen=True)
class Strip:
    """Where keys stand above each other, and how far their block reaches to both sides and up."""

    left: float
    right: float
    top: float
    """The height of the first key; heights are of the middles of words, from the top of the page."""
    bottom: float
    step: float
    """From one key to the next."""
    low: float = float("-inf")
    high: float = float("inf")
    ceiling: float = float("-inf")
    """What stands at this height or above it belongs to other blocks."""
    repeated: tuple[tuple[float, float], ...] = ()
    """Where the sums of its rows stand again behind the names."""

    def repeats(self, word: Word) -> bool:
        """Say whether a word stands where sums stand again."""
        return any(left - word.size / 2 < word.middle < right + word.size / 2 for left, right in self.repeated)

    def reaches(self, word: Word) -> bool:
        """Say whether a word stands in the block, by how far that reaches to both sides."""
        return self.low < word.middle < self.high


def phrases_of(line: Line, roll: Roll, space: float) -> list[Word]:
    """Return the phrases of a line; a sum is one by itself, and with `odd` or `even` before it a roll.

    Args:
        line: The line.
        roll: Says what a text rolls.
        space: How far words of a name are apart at most, as a part of the font's size.
    """
    words: list[Word] = []
    for word in _with_whole_sums(line):
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
    return phrases(words, space=space, apart=lambda text: is_key(text, roll))


def _with_whole_sums(line: Line) -> list[Word]:
    """Return the words of a line; the digits of a sum that came apart are one."""
    out: list[Word] = []
    for word in line.words:
        if out and _is_rest(out[-1], word):
            out[-1] = joined([out[-1], word])._replace(text=out[-1].text + word.text)
        else:
            out.append(word)
    return out


def _is_rest(before: Word, word: Word) -> bool:
    """Say whether a word of a picture is the second digit of a sum that came apart: the space inside an 11 is wide."""
    near = word.left - before.right < _DIGITS * word.size
    return word.how == "picture" and before.text == "1" and word.text in ("0", "1", "2") and near


def is_key(text: str, roll: Roll) -> bool:
    """Say whether a text is a sum or a roll."""
    return _SUM.fullmatch(text) is not None or roll(text) is not None


def total_of(key: Word) -> int:
    """Return the sum that a key says."""
    return int("".join(letter for letter in key.text if letter.isdigit()))


def strips_of(lines: Sequence[Sequence[Word]], roll: Roll) -> list[Strip]:
    """Return where sums stand above each other and grow, from the left and from the top."""
    chains: list[list[Word]] = []
    for word in sorted((w for line in lines for w in line if is_key(w.text, roll)), key=lambda w: (w.height, w.left)):
        near = [chain for chain in chains if _goes_on(chain, word)]
        if near:
            min(near, key=lambda chain: (word.height - chain[-1].height, chain[-1].left)).append(word)
        else:
            chains.append([word])
    found = [_strip(chain) for chain in chains if len({word.text for word in chain}) >= FEWEST]
    return sorted(found, key=lambda strip: (strip.left, strip.top))


def key_of(line: Sequence[Word], strip: Strip, roll: Roll) -> Word | None:
    """Return the sum or roll of a line that stands in a strip; None if there is none."""
    inside = (word for word in line if word.left >= strip.left - 1 and word.right <= strip.right + 1)
    return next((w for w in inside if is_key(w.text, roll) and strip.top <= w.height <= strip.bottom), None)


def _goes_on(chain: Sequence[Word], word: Word) -> bool:
    """Say whether a key is the next one of a strip: below it, by as much as its sum is greater; or a new beginning."""
    last = chain[-1]
    slack = word.size / 2
    if word.left > max(w.right for w in chain) + slack or word.right < min(w.left for w in chain) - slack:
        return False
    steps = total_of(word) - total_of(last)
    down = word.height - last.height
    if down < slack:
        return False
    if steps <= 0:
        return len(chain) > 1 and down < _STEP * _step(chain) / 2
    return down < steps * (_STEP * _step(chain) if len(chain) > 1 else _FIRST_STEP * word.size)


def _step(chain: Sequence[Word]) -> float:
    return median(below.height - above.height for above, below in pairwise(chain))


def _strip(chain: Sequence[Word]) -> Strip:
    return Strip(
        left=min(word.left for word in chain),
        right=max(word.right for word in chain),
        top=chain[0].height,
        bottom=chain[-1].height,
        step=_step(chain),
    )
