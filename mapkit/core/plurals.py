"""Counts in sentences: `1 city`, `5 cities`, and lists of at most ten."""

from collections.abc import Iterable
from typing import Final

MOST_LISTED: Final = 10
"""Items of a list in a message; the rest are counted."""


def count_noun(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 line`, `2 lines`, `1,020 cities`.

    Args:
        number: How many.
        one: The noun for one.
        many: The noun for any other number; `one` with an s by default.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def join_some(items: Iterable[object], separator: str = ", ") -> str:
    """Return items with a separator, those after the tenth counted: `a, b, c and 7 more`."""
    texts = [str(item) for item in items]
    rest = len(texts) - MOST_LISTED
    return separator.join(texts[:MOST_LISTED]) + (f" and {rest:,} more" if rest > 0 else "")
