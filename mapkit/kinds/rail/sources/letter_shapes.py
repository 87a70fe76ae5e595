"""Names by the shapes of their letters: in a small picture `rn` looks like `m`, `cl` like `d`, `li` like `k` or `h`."""

import re
from typing import Final

_ALIKE: Final = tuple(
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
"""Patterns that look alike, and one letter for all of them, in the order in which they are put."""


def shape_of(key: str) -> str:
    """Return what is the same for names whose letters look alike: `cuernavaca` and `cuemavaca`.

    Args:
        key: Small letters without accents, as `key_of` returns them.
    """
    for pattern, letter in _ALIKE:
        key = pattern.sub(letter, key)
    return key
