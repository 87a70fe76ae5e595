"""Which files hold something of a card game: seen from their first bytes."""

from pathlib import Path
from typing import Final

_HEAD: Final = 4096
_MARK: Final = b'"mapkit/card-game-log"'


def looks_like_cards(path: Path) -> bool:
    """Return whether a file is the log of a card game."""
    try:
        with path.open("rb") as file:
            return _MARK in file.read(_HEAD)
    except OSError:
        return False
