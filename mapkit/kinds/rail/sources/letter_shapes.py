"""Comparison of names by letter shapes: in a small picture `rn` looks like `m`, `cl` like `d`, `li` like `k` or `h`."""

import re
from typing import Final

_LOOK_ALIKES: Final = tuple(
    (re.compile(pattern), letter)
    for pattern, letter in (
        ("1", "l"),
        ("0", "o"),
        ("rn", "m"),
        ("vv", "w"),
        ("cl", "d"),
        ("l[it]|h", "k"),
        ("[il]+", "l"),
        ("e", "c"),
    )
)
"""Patterns that look alike, and one letter for each, in order of replacement."""


def shape_key(key: str) -> str:
    """Return a key that is equal for names with similar letter shapes, such as `cuernavaca` and `cuemavaca`.

    Args:
        key: Small letters without accents, as `key_of` returns them.
    """
    for pattern, letter in _LOOK_ALIKES:
        key = pattern.sub(letter, key)
    return key
