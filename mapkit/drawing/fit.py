"""Fitting of text: shrunk to a floor of 6 points, then wrapped, finally truncated with an ellipsis."""

import re
from dataclasses import dataclass
from math import floor
from typing import Final

from mapkit.drawing.text_width import SANS, Family, text_width

POINT: Final = 25.4 / 72
"""Millimetres."""

LEADING: Final = 1.18
"""Distance of lines, as a multiple of the size of text."""

_POINT_STEP: Final = 0.25
_ELLIPSIS_CHARACTER: Final = "…"


def points_to_mm(points: float) -> float:
    """Return a size in points as millimetres."""
    return points * POINT


FLOOR: Final = points_to_mm(6)
"""The smallest size of text, in millimetres."""


@dataclass(frozen=True)
class Fitted:
    """Lines of text and their size in millimetres."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """Total height of the lines, in millimetres."""
        return len(self.lines) * self.size * LEADING


@dataclass(frozen=True)
class Room:
    """A box for text in millimetres, and the number of lines to try before it shrinks to the floor."""

    width: float
    height: float
    lines: int = 1


def fit_text(
    text: str, room: Room, size: float, *, bold: bool = False, italic: bool = False, family: Family = SANS
) -> Fitted:
    """Set text as large as possible, up to `size` (millimetres).

    Up to `room.lines` lines are tried at every size, fewer lines first. Text that does not fit
    so at 6 points takes as many lines as there is room for; the rest is cut with an ellipsis.
    """
    spaced_text = " ".join(_split_words(text))
    if not spaced_text:
        return Fitted((), size)
    unit_width = text_width(spaced_text, 1.0, bold=bold, italic=italic, family=family)
    one_line_size = floor(min(size, room.width / unit_width, room.height / LEADING) * 100) / 100
    if one_line_size >= size - 0.01 or (room.lines == 1 and one_line_size >= FLOOR):
        return Fitted((spaced_text,), one_line_size)
    points = floor(size / POINT / _POINT_STEP) * _POINT_STEP
    while points >= FLOOR / POINT:
        size_mm = points_to_mm(points)
        if size_mm <= one_line_size:
            return Fitted((spaced_text,), size_mm)
        max_lines = min(room.lines, int(room.height / (size_mm * LEADING)))
        lines = wrap_text(spaced_text, room.width, size_mm, bold=bold, italic=italic, family=family)
        if len(lines) <= max_lines and " ".join(lines) == spaced_text:
            return Fitted(tuple(lines), size_mm)
        points -= _POINT_STEP
    lines = wrap_text(spaced_text, room.width, FLOOR, bold=bold, italic=italic, family=family)
    max_lines = max(1, int(room.height / (FLOOR * LEADING) + 1e-6))
    if len(lines) > max_lines:
        line = lines[max_lines - 1]
        while (
            line and text_width(line + _ELLIPSIS_CHARACTER, FLOOR, bold=bold, italic=italic, family=family) > room.width
        ):
            line = line[:-1]
        lines = [*lines[: max_lines - 1], line.rstrip() + _ELLIPSIS_CHARACTER]
    return Fitted(tuple(lines), FLOOR)


def wrap_text(
    text: str, width: float, size: float, *, bold: bool = False, italic: bool = False, family: Family = SANS
) -> list[str]:
    """Return the lines of text no wider than `width`; only a word wider than that is broken."""
    lines: list[str] = []
    line = ""
    for word in _split_words(text):
        longer_line = f"{line} {word}" if line else word
        if text_width(longer_line, size, bold=bold, italic=italic, family=family) <= width:
            line = longer_line
            continue
        if line:
            lines.append(line)
        *full_parts, line = _break_word(word, width, size, bold=bold, italic=italic, family=family)
        lines += full_parts
    return [*lines, line] if line else lines


def _split_words(text: str) -> list[str]:
    """Split a text at spaces, except non-breaking ones."""
    return [word for word in re.split(r"[ \t\r\n]+", text) if word]


def _break_word(word: str, width: float, size: float, *, bold: bool, italic: bool, family: Family) -> list[str]:
    if text_width(word, size, bold=bold, italic=italic, family=family) <= width:
        return [word]
    parts, part = [], ""
    for char in word:
        if part and text_width(part + char, size, bold=bold, italic=italic, family=family) > width:
            parts.append(part)
            part = ""
        part += char
    return [*parts, part]
