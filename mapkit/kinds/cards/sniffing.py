"""Recognition of card game files by their first bytes."""

from pathlib import Path
from typing import Final

from mapkit.formats.files import peek_bytes

_HEAD_BYTES: Final = 2**16
_MARKS: Final = (b'"mapkit/card-game-log"', b'"kind": "cards"', b'"kind":"cards"')


def looks_like_cards(path: Path) -> bool:
    """Return whether a file is a card game, or the log of one."""
    head_bytes = peek_bytes(path, _HEAD_BYTES)
    return any(mark in head_bytes for mark in _MARKS)
