"""Recognition of files with boards of hexagons, or with logs of games on them, without reading all of them."""

from pathlib import Path
from typing import Final

from mapkit.formats.files import peek_bytes

_SUFFIXES: Final = (".hexjson", ".tmx", ".tmj")
_KEY_COMBINATIONS: Final = (
    ('"mapkit/hex-game-log"',),
    ('"kind": "hex"',),
    ('"kind":"hex"',),
    ('"layout"', '"hexes"'),
    ('"hexagonal"', '"staggeraxis"'),
    ('"info"', '"map"', '"hexes"'),
)
"""Words that stand together in files of JSON."""
_MOST_BYTES_READ: Final = 2**20


def looks_like_hexes(path: Path) -> bool:
    """Return whether a file looks like a board of hexagons or a log; its content is checked on reading."""
    name = path.name.lower()
    if name.endswith(_SUFFIXES):
        return True
    if not name.endswith((".json", ".jsonl")):
        return False
    head_text = peek_bytes(path, _MOST_BYTES_READ).decode("utf-8", errors="replace")
    return any(all(word in head_text for word in words) for words in _KEY_COMBINATIONS)
