"""Words of a page, with their positions."""

import re
from typing import Final, NamedTuple

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

UPRIGHT: Final = 3.0
"""Degrees: text that is turned by less is upright."""


class Word(NamedTuple):
    """A word of a page.

    The page is turned so that most of its text is upright; `box` and `size` are in points; all other positions refer to
    the turned page, from its top left corner.

    Args:
        text: What it says.
        page: The page, from 1.
        box: Where it stands on the page as it is shown.
        left: Of the turned page, like `top`, `right` and `bottom`.
        top: See `left`.
        right: See `left`.
        bottom: See `left`.
        size: The size of its font.
        tilt: Degrees by which it is turned against the other text, counter-clockwise.
        foot: The middle of its left end, seen along the word.
        tip: The middle of its right end.
        sure: False if it is doubtful: the font does not say what one of its characters means, or a picture does not.
        confidence: How sure it is, from 0 to 1.
        how: `text`: the PDF says it; `picture`: it was read from one.
        others: What else it may say, the likeliest first.
        seen: False if the page of a PDF does not show what its text says.
        weight: How bold its font is, as the PDF says; 0 if that is not known.
    """

    text: str
    page: int
    box: Box
    left: float
    top: float
    right: float
    bottom: float
    size: float
    tilt: float
    foot: tuple[float, float]
    tip: tuple[float, float]
    sure: bool
    confidence: float = 1.0
    how: str = "text"
    others: tuple[str, ...] = ()
    seen: bool = True
    weight: int = 0

    @property
    def upright(self) -> bool:
        """Whether it is upright."""
        return abs(self.tilt) < UPRIGHT

    @property
    def middle(self) -> float:
        """Middle of its width."""
        return (self.left + self.right) / 2

    @property
    def height(self) -> float:
        """Middle of its height, from the top of the page."""
        return (self.top + self.bottom) / 2


class Page(NamedTuple):
    """Words of a page.

    Args:
        number: The page, from 1.
        words: Its words, in the order of the file.
        hidden: How many characters are not drawn: a layer that a program put under a picture when it read it.
        pictures: How many pictures it has.
        digit: Pixels that most characters of its picture are high; 0 if it was not read from one.
        dots: Pixels an inch, as the picture's file says; 0 if that is not known.
    """

    number: int
    words: tuple[Word, ...]
    hidden: int
    pictures: int
    digit: float = 0.0
    dots: int = 0


_LEADER_PATTERN: Final = re.compile(r"[.·…_]{4,}|(?:\. ){3,}\.?")


def crop_page(page: Page, box: tuple[float, float, float, float]) -> Page:
    """Return a page with the words whose middle is in a box, in the unit of their own boxes."""
    left, top, right, bottom = box
    words = tuple(
        word
        for word in page.words
        if left <= (word.box[0] + word.box[2]) / 2 <= right and top <= (word.box[1] + word.box[3]) / 2 <= bottom
    )
    return page._replace(words=words)


def is_leader(text: str) -> bool:
    """Return whether a text only leads the eye from a name to its figure: `.........`."""
    return _LEADER_PATTERN.fullmatch(text) is not None


def join_words(words: "list[Word]") -> Word:
    """Return several words as one, with blanks between."""
    if len(words) == 1:
        return words[0]
    word_boxes = [word.box for word in words]
    return words[0]._replace(
        text=" ".join(word.text for word in words),
        box=(
            min(b[0] for b in word_boxes),
            min(b[1] for b in word_boxes),
            max(b[2] for b in word_boxes),
            max(b[3] for b in word_boxes),
        ),
        left=min(word.left for word in words),
        top=min(word.top for word in words),
        right=max(word.right for word in words),
        bottom=max(word.bottom for word in words),
        tip=words[-1].tip,
        sure=all(word.sure for word in words),
        confidence=min(word.confidence for word in words),
        seen=all(word.seen for word in words),
    )
