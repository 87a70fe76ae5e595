"""Which files hold something of a card game: seen from their first bytes."""

from pathlib import Path
from typing import Final

_HEAD: Final = 2**16
_MARKS: Final = (b'"mapkit/card-game-log"', b'"kind": "cards"', b'"kind":"cards"')


def looks_like_cards(path: Path) -> bool:
    """Return whether a file is a card game, or the log of one."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(mark in head for mark in _MARKS)
