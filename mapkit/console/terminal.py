"""Text on terminals: control characters are printed as escapes, and wide characters count as two columns."""

import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO, cast

from mapkit.core.characters import escape_characters

_WIDE: Final = ("W", "F")
_ZERO_WIDTH: Final = ("Mn", "Me", "Cf")


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(letter) in _ZERO_WIDTH else 1 + (unicodedata.east_asian_width(letter) in _WIDE)
        for letter in text
    )


def wrap_line(line: str, columns: int) -> list[str]:
    """Return a line as lines that fit into columns, broken at spaces; longer words, such as paths, are broken too.

    Lines after the first are indented by two more columns than the first.
    """
    if display_width(line) <= columns:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    lines, now = [], indent
    for word in line.split():
        longer = f"{now} {word}" if now.strip() else now + word
        if display_width(longer) > columns and now.strip():
            lines.append(now)
            longer = f"{indent}  {word}"
        *full, now = _break_word(longer, columns)
        lines += full
    return [*lines, now]


def _break_word(word: str, columns: int) -> list[str]:
    """Return a word as parts that fit into columns."""
    parts = [""]
    for letter in word:
        if display_width(parts[-1] + letter) > columns and parts[-1].strip():
            parts.append("")
        parts[-1] += letter
    return parts


def wrap_cell(cell: str, columns: int) -> list[str]:
    """Return the lines of a cell of a table, none wider than its column; words that are wider are broken."""
    lines = [""]
    for word in cell.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(longer) <= columns:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        lines[-1:] = _break_word(word, columns)
    return lines


class EscapingStream:
    """Text stream that escapes control characters; `terminal` is the stream that it writes to."""

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped."""
        self.terminal.write(escape_characters(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever streams have
        return getattr(self.terminal, name)


def unescaped(stream: TextIO) -> TextIO:
    """Return the stream for control sequences of mapkit's own."""
    return getattr(stream, "terminal", stream)


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape control characters in messages, and in results on a terminal; files and pipes get results as they are."""
    before = sys.stdout, sys.stderr
    if sys.stdout.isatty():
        sys.stdout = cast("TextIO", EscapingStream(sys.stdout))
    sys.stderr = cast("TextIO", EscapingStream(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
