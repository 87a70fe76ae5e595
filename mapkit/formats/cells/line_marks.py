"""Numbers of rows and columns, remarks and names at line ends in lines of copied text."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from mapkit.formats.cells.table import quote_text
from mapkit.formats.marks import looks_like_amount

_NUMBERED_NAME: Final = re.compile(r"(\s*[(#]?)(\d{1,4})([.):]?)(?=\s+[^\W\d])")
_COUNT_PATTERN: Final = re.compile(r"\d{1,4}")
_FEWEST_NUMBERS: Final = 3
_ROWS_SHARE: Final = 0.9
_LONGEST_NAME: Final = 6
_FEW_WORDS: Final = 12
"""A line with more words and no known name is prose."""


def blank_out_numbers(lines: Sequence[str], notes: list[str]) -> list[str]:
    """Blank out column numbers, and row numbers before (and behind) names."""
    kept_lines = list(lines)
    for k, blanked_line in enumerate(kept_lines):
        line_words = blanked_line.split()
        if len(line_words) >= _FEWEST_NUMBERS and _count_up(line_words):
            notes.append(f"line {k + 1} was left out: the numbers {line_words[0]} to {line_words[-1]}")
            kept_lines[k] = ""
    numbered_lines = [
        (k, number_match)
        for k, blanked_line in enumerate(kept_lines)
        if (number_match := _NUMBERED_NAME.match(blanked_line)) is not None
    ]
    if len(numbered_lines) < _FEWEST_NUMBERS or not _count_up([number_match[2] for _, number_match in numbered_lines]):
        return kept_lines
    notes.append(f"the numbers before the names were left out, from line {numbered_lines[0][0] + 1} on")
    are_repeated_behind = all(
        len(kept_lines[k].split()) > 1 and kept_lines[k].split()[-1] == number_match[2]
        for k, number_match in numbered_lines
    )
    for k, number_match in numbered_lines:
        blanked_line = " " * number_match.end() + kept_lines[k][number_match.end() :]
        kept_lines[k] = blanked_line.rstrip()[: -len(number_match[2])] if are_repeated_behind else blanked_line
    return kept_lines


def _count_up(words: Sequence[str]) -> bool:
    """Return whether words are numbers that go up by one, from 0 or 1."""
    if not all(_COUNT_PATTERN.fullmatch(word) for word in words) or int(words[0]) not in (0, 1):
        return False
    return all(int(word) == int(words[0]) + k for k, word in enumerate(words))


def blank_out_remarks(
    lines: Sequence[str], fit: Callable[[str], int], near: Callable[[str], bool], notes: list[str]
) -> list[str]:
    """Blank out lines of words without a known or misspelt name, such as headings of regions."""
    kept_lines = list(lines)
    for k, line in enumerate(lines):
        line_words = line.split()
        if line_words and not any(map(looks_like_amount, line_words)) and not _has_known_name(line_words, fit, near):
            notes.append(f"line {k + 1} was left out: {quote_text(line.strip())}")
            kept_lines[k] = ""
    return kept_lines


def _has_known_name(words: Sequence[str], fit: Callable[[str], int], near: Callable[[str], bool]) -> bool:
    candidate_names = [
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1)
    ]
    return any(map(fit, candidate_names)) or (len(words) <= _FEW_WORDS and any(map(near, candidate_names)))


def has_names_at_ends(lines: Sequence[str]) -> bool:
    """Return whether rows begin with their amounts and end with their names."""
    amount_rows = [words for line in lines if any(map(looks_like_amount, words := line.split()))]
    ending_count = sum(looks_like_amount(row[0]) and not looks_like_amount(row[-1]) for row in amount_rows)
    return len(amount_rows) > 1 and ending_count >= _ROWS_SHARE * len(amount_rows)
