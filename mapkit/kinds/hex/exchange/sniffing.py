"""Whether a file looks like a board of hexagons, without reading all of it."""

from pathlib import Path
from typing import Final

_ENDINGS: Final = (".hexjson", ".tmx", ".tmj")
_SIGNS: Final = (
    ('"kind": "hex"',),
    ('"kind":"hex"',),
    ('"layout"', '"hexes"'),
    ('"hexagonal"', '"staggeraxis"'),
    ('"info"', '"map"', '"hexes"'),
)
"""Words that stand together in files of JSON."""
_READ: Final = 2**20


def looks_like_hexes(path: Path) -> bool:
    """Return whether a file looks like a board of hexagons; what it holds is judged when it is read."""
    name = path.name.lower()
    if name.endswith(_ENDINGS):
        return True
    if not name.endswith(".json"):
        return False
    try:
        with path.open("rb") as file:
            text = file.read(_READ).decode("utf-8", errors="replace")
    except OSError:
        return False
    return any(all(word in text for word in words) for words in _SIGNS)
