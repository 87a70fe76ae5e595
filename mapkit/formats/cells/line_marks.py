"""What stands in lines of copied text beside names and amounts: numbers of rows and columns, names at the ends."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from mapkit.formats.cells.table import shown
from mapkit.formats.marks import looks_like_amount

_NUMBERED: Final = re.compile(r"(\s*[(#]?)(\d{1,4})([.):]?)(?=\s+[^\W\d])")
_COUNT: Final = re.compile(r"\d{1,4}")
_LEAST: Final = 3
_MOST: Final = 0.9
_LONGEST_NAME: Final = 6
_FEW_WORDS: Final = 12
"""A line with more words and no known name is prose."""


def without_numbers(lines: Sequence[str], notes: list[str]) -> list[str]:
    """Blank out numbers that count columns, and those that count rows before (and behind) their names."""
    out = list(lines)
    for k, line in enumerate(out):
        words = line.split()
        if len(words) >= _LEAST and _counts(words):
            notes.append(f"line {k + 1} was left out: the numbers {words[0]} to {words[-1]}")
            out[k] = ""
    found = [(k, one) for k, line in enumerate(out) if (one := _NUMBERED.match(line)) is not None]
    if len(found) < _LEAST or not _counts([one[2] for _, one in found]):
        return out
    notes.append(f"the numbers before the names were left out, from line {found[0][0] + 1} on")
    behind = all(len(out[k].split()) > 1 and out[k].split()[-1] == one[2] for k, one in found)
    for k, one in found:
        line = " " * one.end() + out[k][one.end() :]
        out[k] = line.rstrip()[: -len(one[2])] if behind else line
    return out


def _counts(words: Sequence[str]) -> bool:
    """Say whether words are numbers that go up by one, from 0 or 1."""
    if not all(_COUNT.fullmatch(word) for word in words) or int(words[0]) not in (0, 1):
        return False
    return all(int(word) == int(words[0]) + k for k, word in enumerate(words))


def without_remarks(
    lines: Sequence[str], fit: Callable[[str], int], near: Callable[[str], bool], notes: list[str]
) -> list[str]:
    """Blank out lines of words without a known name among them, such as one of regions; a misspelt one counts."""
    out = list(lines)
    for k, line in enumerate(lines):
        words = line.split()
        if words and not any(map(looks_like_amount, words)) and not _has_name(words, fit, near):
            notes.append(f"line {k + 1} was left out: {shown(line.strip())}")
            out[k] = ""
    return out


def _has_name(words: Sequence[str], fit: Callable[[str], int], near: Callable[[str], bool]) -> bool:
    pieces = [
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1)
    ]
    return any(map(fit, pieces)) or (len(words) <= _FEW_WORDS and any(map(near, pieces)))


def names_at_ends(lines: Sequence[str]) -> bool:
    """Say whether rows begin with their amounts and end with their names."""
    rows = [words for line in lines if any(map(looks_like_amount, words := line.split()))]
    ending = sum(looks_like_amount(row[0]) and not looks_like_amount(row[-1]) for row in rows)
    return len(rows) > 1 and ending >= _MOST * len(rows)
