"""Recognition of card game files by their first bytes."""

from pathlib import Path
from typing import Final

_HEAD_BYTES: Final = 2**16
_MARKS: Final = (b'"mapkit/card-game-log"', b'"kind": "cards"', b'"kind":"cards"')


def looks_like_cards(path: Path) -> bool:
    """Return whether a file is a card game, or the log of one."""
    try:
        if not path.is_file():  # opening a pipe may never end
            return False
        with path.open("rb") as file:
            head_bytes = file.read(_HEAD_BYTES)
    except OSError:
        return False
    return any(mark in head_bytes for mark in _MARKS)
