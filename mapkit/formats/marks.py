"""What people type in a table of amounts: amounts, and signs for none."""

import re

UNREAD = "?"
"""What a cell of a picture says in which there is ink that was not read."""
MARKS = frozenset({"", "-", "--", "---", "–", "—", "−", ".", "..", "...", "*", "**", "***"})  # noqa: RUF001
MARKS |= {"x", "xx", "xxx", "n/a", UNREAD}
"""What people write where there is no amount."""

_AMOUNT_START = re.compile(r"[-−–+(]?\s*(?:US|C|A)?[$£€¥]?\s*[-−–]?\s*[.,]?[\d½]")  # noqa: RUF001
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_mark(text: str) -> bool:
    """Say whether a cell is empty or holds a sign for that."""
    return text.casefold() in MARKS


def looks_like_amount(text: str) -> bool:
    """Say whether a text begins as an amount does, or stands for none; names of cities never do."""
    return is_mark(text) or _AMOUNT_START.match(text) is not None or NOT_FINITE.fullmatch(text) is not None
