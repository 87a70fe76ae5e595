"""Strips of sums above each other on a page, as marks of the blocks of rows of destination charts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Line, join_phrases
from mapkit.formats.pdf.word import Word, join_words
from mapkit.kinds.rail.sources.destinations.vocabulary import PARITIES

Roll = Callable[[str], tuple[str, int] | None]
"""Parser of rolls: returns the column and the sum of a text such as `odd 7`; None for any other text."""

FEWEST: Final = 4
"""Least number of different sums of a block; fewer may be page numbers."""
_SUM_TEXT: Final = re.compile(r"[(#]?(?:[2-9]|1[0-2])[.):]?")
_MAX_STEPS: Final = 2.5
"""Largest distance to the next sum of a strip, in steps between rows, for each sum."""
_MAX_FIRST_STEP: Final = 5.0
"""Largest distance to the next sum in font sizes, if it is one more or the second."""
_MAX_DIGIT_GAP: Final = 0.5
"""Largest distance, in font sizes, between the digits of one sum in a picture."""


@dataclass(frozen=True)
class Strip:
    """Column of keys on a page, with the limits of its block to both sides and above."""

    left: float
    right: float
    top: float
    """Height of the first key; heights are of the middles of words, from the top of the page."""
    bottom: float
    step: float
    """Distance from one key to the next."""
    low: float = float("-inf")
    high: float = float("inf")
    ceiling: float = float("-inf")
    """Words at this height or above it belong to other blocks."""
    repeated: tuple[tuple[float, float], ...] = ()
    """Horizontal ranges of repeated sums behind the names."""

    def repeats(self, word: Word) -> bool:
        """Return whether a word is at a place where sums are repeated."""
        return any(left - word.size / 2 < word.middle < right + word.size / 2 for left, right in self.repeated)

    def is_in_block(self, word: Word) -> bool:
        """Return whether a word is within the lateral limits of the block."""
        return self.low < word.middle < self.high


def find_phrases(line: Line, roll: Roll, space: float) -> list[Word]:
    """Return the phrases of a line; a sum is a phrase of its own, and with `odd` or `even` before it a roll.

    Args:
        line: The line.
        roll: Parses a roll.
        space: Largest distance between words of a name, in font sizes.
    """
    line_words: list[Word] = []
    for word in _join_split_sums(line):
        previous_word = line_words[-1] if line_words else None
        if (
            previous_word
            and fold(previous_word.text) in PARITIES
            and _SUM_TEXT.fullmatch(word.text)
            and word.left - previous_word.right < word.size
        ):
            line_words[-1] = join_words([previous_word, word])
        else:
            line_words.append(word)
    return join_phrases(line_words, space=space, apart=lambda text: is_key(text, roll))


def _join_split_sums(line: Line) -> list[Word]:
    """Return the words of a line, with separated digits of a sum joined."""
    joined_words: list[Word] = []
    for word in line.words:
        if joined_words and _is_second_digit(joined_words[-1], word):
            joined_words[-1] = join_words([joined_words[-1], word])._replace(text=joined_words[-1].text + word.text)
        else:
            joined_words.append(word)
    return joined_words


def _is_second_digit(previous_word: Word, word: Word) -> bool:
    """Return whether a word of a picture is the separated second digit of a sum; the space inside an 11 is wide."""
    is_near = word.left - previous_word.right < _MAX_DIGIT_GAP * word.size
    return word.how == "picture" and previous_word.text == "1" and word.text in ("0", "1", "2") and is_near


def is_key(text: str, roll: Roll) -> bool:
    """Return whether a text is a sum or a roll."""
    return _SUM_TEXT.fullmatch(text) is not None or roll(text) is not None


def sum_of_key(key: Word) -> int:
    """Return the sum of a key."""
    return int("".join(letter for letter in key.text if letter.isdigit()))


def find_strips(lines: Sequence[Sequence[Word]], roll: Roll) -> list[Strip]:
    """Return the columns of increasing sums, from the left and from the top."""
    key_chains: list[list[Word]] = []
    for word in sorted((w for line in lines for w in line if is_key(w.text, roll)), key=lambda w: (w.height, w.left)):
        matching_chains = [chain for chain in key_chains if _continues_chain(chain, word)]
        if matching_chains:
            min(matching_chains, key=lambda chain: (word.height - chain[-1].height, chain[-1].left)).append(word)
        else:
            key_chains.append([word])
    strip_list = [
        Strip(
            left=min(word.left for word in chain),
            right=max(word.right for word in chain),
            top=chain[0].height,
            bottom=chain[-1].height,
            step=_median_step(chain),
        )
        for chain in key_chains
        if len({word.text for word in chain}) >= FEWEST
    ]
    return sorted(strip_list, key=lambda strip: (strip.left, strip.top))


def find_key(line: Sequence[Word], strip: Strip, roll: Roll) -> Word | None:
    """Return the sum or roll of a line within a strip, or None."""
    words_inside = (word for word in line if word.left >= strip.left - 1 and word.right <= strip.right + 1)
    return next((w for w in words_inside if is_key(w.text, roll) and strip.top <= w.height <= strip.bottom), None)


def _continues_chain(chain: Sequence[Word], word: Word) -> bool:
    """Return whether a key continues a strip: it is below by as much as its sum is greater, or a new beginning."""
    last_key = chain[-1]
    tolerance = word.size / 2
    if word.left > max(w.right for w in chain) + tolerance or word.right < min(w.left for w in chain) - tolerance:
        return False
    sum_steps = sum_of_key(word) - sum_of_key(last_key)
    vertical_distance = word.height - last_key.height
    if vertical_distance < tolerance:
        return False
    if sum_steps <= 0:
        return len(chain) > 1 and vertical_distance < _MAX_STEPS * _median_step(chain) / 2
    if len(chain) == 1 or sum_steps == 1:  # a name of several lines may stand between two sums
        return vertical_distance < sum_steps * _MAX_FIRST_STEP * word.size
    return vertical_distance < sum_steps * _MAX_STEPS * _median_step(chain)


def _median_step(chain: Sequence[Word]) -> float:
    return median(lower_key.height - upper_key.height for upper_key, lower_key in pairwise(chain))
