"""Text that fits: shrunk to a floor of 6 points, then wrapped, at last cut with an ellipsis."""

import re
from dataclasses import dataclass
from math import floor
from typing import Final

from mapkit.drawing.text_width import text_width

POINT: Final = 25.4 / 72
"""Millimetres."""

LEADING: Final = 1.18
"""Distance of lines, as a multiple of the size of text."""

_STEP: Final = 0.25
_ELLIPSIS: Final = "…"


def pt(points: float) -> float:
    """Return a size in points as millimetres."""
    return points * POINT


FLOOR: Final = pt(6)
"""The smallest size of text, in millimetres."""


@dataclass(frozen=True)
class Fitted:
    """Lines of text and their size in millimetres."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """What the lines take from top to bottom, in millimetres."""
        return len(self.lines) * self.size * LEADING


@dataclass(frozen=True)
class Room:
    """A box for text in millimetres, and how many lines it may be set in before it shrinks to the floor."""

    width: float
    height: float
    lines: int = 1


def fit(text: str, room: Room, size: float, *, bold: bool = False, italic: bool = False) -> Fitted:
    """Set text as large as it goes, `size` (millimetres) at most.

    Up to `room.lines` lines are tried at every size, fewer lines first. What does not fit so at 6 points takes as many
    lines as there is room for; what is still left over is cut with an ellipsis.
    """
    words = " ".join(_words(text))
    if not words:
        return Fitted((), size)
    one = text_width(words, 1.0, bold=bold, italic=italic)
    whole = floor(min(size, room.width / one, room.height / LEADING) * 100) / 100
    if whole >= size - 0.01 or (room.lines == 1 and whole >= FLOOR):
        return Fitted((words,), whole)
    points = floor(size / POINT / _STEP) * _STEP
    while points >= FLOOR / POINT:
        at = pt(points)
        if at <= whole:
            return Fitted((words,), at)
        most = min(room.lines, int(room.height / (at * LEADING)))
        lines = wrap(words, room.width, at, bold=bold, italic=italic)
        if len(lines) <= most and not _broken(words, lines):
            return Fitted(tuple(lines), at)
        points -= _STEP
    lines = wrap(words, room.width, FLOOR, bold=bold, italic=italic)
    most = max(1, int(room.height / (FLOOR * LEADING) + 1e-6))
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut(lines[most - 1], room.width, bold=bold, italic=italic)]
    return Fitted(tuple(lines), FLOOR)


def wrap(text: str, width: float, size: float, *, bold: bool = False, italic: bool = False) -> list[str]:
    """Return the lines of text no wider than `width`; only a single word that is wider is broken."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold, italic=italic) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _parts(word, width, size, bold=bold, italic=italic)
        lines += full
    return [*lines, line] if line else lines


def _words(text: str) -> list[str]:
    """Split at spaces, not at hard ones."""
    return [word for word in re.split(r"[ \t\r\n]+", text) if word]


def _parts(word: str, width: float, size: float, *, bold: bool, italic: bool) -> list[str]:
    if text_width(word, size, bold=bold, italic=italic) <= width:
        return [word]
    parts, part = [], ""
    for char in word:
        if part and text_width(part + char, size, bold=bold, italic=italic) > width:
            parts.append(part)
            part = ""
        part += char
    return [*parts, part]


def _broken(words: str, lines: list[str]) -> bool:
    return " ".join(lines) != words


def _cut(line: str, width: float, *, bold: bool, italic: bool) -> str:
    while line and text_width(line + _ELLIPSIS, FLOOR, bold=bold, italic=italic) > width:
        line = line[:-1]
    return line.rstrip() + _ELLIPSIS
