"""Shorter SVG for pages: paths of straight lines, with each vertex relative to the one before."""

import re
from collections.abc import Iterable
from typing import Final

_PATH: Final = re.compile(r' d="(M[-\d. ,MLZ]*)"')
_PART: Final = re.compile(r"M([^MZ]*)(Z?)")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_STEPS: Final = 100
"""Steps of coordinates in a unit: drawings have two decimals."""


def shorten_paths(svg: str) -> str:
    """Return a drawing with the same vertices to two decimals, in about three quarters of the text.

    Only paths of straight lines with absolute coordinates change. Each still begins at an absolute position, so that
    paths can be joined.
    """
    return _PATH.sub(lambda found: f' d="{_shorten_path(found[1])}"', svg)


def _shorten_path(path: str) -> str:
    texts: list[str] = []
    x = y = 0
    for numbers, end in _PART.findall(path):
        steps = [round(float(number) * _STEPS) for number in _NUMBER.findall(numbers)]
        moves: list[int] = []
        for new_x, new_y in zip(steps[::2], steps[1::2], strict=True):
            moves += (new_x - x, new_y - y)
            x, y = new_x, new_y
        if not texts:  # from 0, 0, so the first move is the position
            texts += ("M", _join_numbers(moves[:2]), "l" * (len(moves) > 2), _join_numbers(moves[2:]))  # noqa: PLR2004
        else:
            texts += ("m", _join_numbers(moves))
        if end:
            texts.append("z")
            x, y = steps[0], steps[1]
    return "".join(texts)


def _join_numbers(steps: Iterable[int]) -> str:
    """Return numbers in the least text: a minus separates them too."""
    texts = (f"{step / _STEPS:.2f}".rstrip("0").rstrip(".").replace("0.", ".", abs(step) < _STEPS) for step in steps)
    return " ".join(texts).replace(" -", "-")
