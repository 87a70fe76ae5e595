"""Notations in tables of amounts: amounts, and marks for empty cells."""

import re

UNREAD = "?"
"""Text of a cell of a picture with unreadable ink."""
MARKS = frozenset({"", "-", "--", "---", "–", "—", "−", ".", "..", "...", "*", "**", "***"})  # noqa: RUF001
MARKS |= {"x", "xx", "xxx", "n/a", "na", "n.a.", UNREAD}
"""Marks that people write in cells without an amount."""

VULGAR = {
    "½": 0.5,
    "¼": 0.25,
    "¾": 0.75,
    "⅕": 0.2,
    "⅖": 0.4,
    "⅗": 0.6,
    "⅘": 0.8,
    "⅛": 0.125,
    "⅜": 0.375,
    "⅝": 0.625,
    "⅞": 0.875,
}
"""Fractions that are one character; amounts of money have no thirds."""
FRACTION = r"\d{1,2}[/\u2044]\d{1,2}(?!\d)"
"""A fraction in words of its own: `1/2`."""
CURRENCY_SIGN = r"(?:(?:US|C|A|R)?[$£€¥₹])"
"""A currency sign before or behind an amount."""
_AMOUNT_START = re.compile(rf"[-−–+(]?\s*{CURRENCY_SIGN}?\s*[-−–]?\s*[.,]?[\d{''.join(VULGAR)}]")  # noqa: RUF001
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_mark(text: str) -> bool:
    """Return whether a cell is empty or holds a mark for an empty cell."""
    return text.casefold() in MARKS


def looks_like_amount(text: str) -> bool:
    """Return whether a text begins like an amount or is a mark for none; names of cities never do."""
    return is_mark(text) or _AMOUNT_START.match(text) is not None or NOT_FINITE.fullmatch(text) is not None


def has_figures(text: str) -> bool:
    """Return whether a text looks like an amount and is not a mark for none."""
    return looks_like_amount(text) and not is_mark(text)
