"""Destination charts in text copied from a PDF or a page, with blanks between the cells.

A line that begins with a sum has an odd and an even name for each of the charts side by side; a line that begins with a
roll (`odd 7`), or is below a line `odd` or `even`, has one name for each chart. Lines without a number are headings:
names of charts, or `odd` and `even`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.names import fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, quote_text
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.sources.destinations.vocabulary import HEAD_WORDS, PARITIES

Fit = Callable[[str], int]
"""Rating of a text as a name: 2 exact, 1 loose, 0 unknown."""

_WIDE_BLANK: Final = re.compile(r"\t|[ \u00a0]{2,}|\s*\|\s*")
_SUM_LINE: Final = re.compile(r"(?:(odd|even)[\s:/-]*)?(\d{1,2})[.):]?(?:[\s\u00a0]+(.*))?", re.IGNORECASE)
_BOTH_PARITIES: Final = ("odd", "even")
_MAX_LINE_LETTERS: Final = 2000
_MAX_NAME_WORDS: Final = 6
_MAX_SHOWN: Final = 4
_UNKNOWN_COST, _LOOSE_COST, _KNOWN_COST = 1.0, 0.05, 0.01


class TextCell(NamedTuple):
    """Cell of a chart in a text."""

    chart: str
    parity: str
    total: int
    cell: Cell


@dataclass
class _HeadingState:
    """Charts and parities of the headings so far."""

    charts: list[str]
    parity: str | None = None
    above: list[str] = field(default_factory=list)
    """Parities of the line above, until names follow it."""
    columns: list[tuple[str, str]] = field(default_factory=list)
    """Chart and parity of each column, if the parities are above the charts."""


def text_cells(text: str, *, file: str, alone: str, fits: tuple[Fit, Fit], problems: Problems) -> Iterator[TextCell]:
    """Yield the cells of charts in a text.

    Args:
        text: The text.
        file: Name of the file in messages.
        alone: Name of a chart without a heading.
        fits: Rate a text as a chart's name, and as a name in a chart.
        problems: Collects lines that cannot be parsed.
    """
    heading_state = _HeadingState([alone])
    for line_number, raw_line in enumerate(text.replace("\f", "\n").split("\n"), start=1):
        line = raw_line.strip()
        where = f"{file}:{line_number}"
        if not line:
            continue
        if len(line) > _MAX_LINE_LETTERS:
            problems.add(f"{where}: {len(line)} characters; a line of a chart is never that long")
            continue
        line_match = _SUM_LINE.fullmatch(line)
        if line_match is None:
            _read_heading(line, heading_state, fits[0])
        elif 2 <= int(line_match[2]) <= 12:  # noqa: PLR2004 - two dice
            heading_state.above = []
            yield from _read_names(line_match, heading_state, fits[1], where, problems)
        # Any other number alone is a page number; with names behind it, a mistake.
        elif line_match[3]:
            problems.add(f"{where}: {quote_text(line_match[2])} is not a sum; two dice make 2 to 12")


def _read_heading(line: str, state: _HeadingState, fit: Fit) -> None:
    word_folds = [fold(word) for word in line.split()]
    if set(word_folds) <= HEAD_WORDS:
        line_parities = [PARITIES[word] for word in word_folds if word in PARITIES]
        state.parity = line_parities[0] if len(line_parities) == 1 else None
        state.above = line_parities
        return
    plain_line = re.sub(r"[:\s]+$", "", line)
    heading_parts = [part for part in _WIDE_BLANK.split(plain_line) if part.strip()]
    for name_count in range(1, len(word_folds) + 1):
        split_parts = _split_names(plain_line, name_count, fit)
        if split_parts is not None and all(fit(part) for part in split_parts):
            heading_parts = split_parts
            break
    last_parity = PARITIES.get(fold(heading_parts[-1].split()[-1]), "")
    if len(heading_parts) == 1 and last_parity and len(heading_parts[0].split()) > 1:
        heading_parts, state.parity = [" ".join(heading_parts[0].split()[:-1])], last_parity
    elif state.charts != heading_parts and len(state.above) != 1:
        state.parity = None
    state.charts = [part.strip()[:MAX_TEXT] for part in heading_parts]
    state.columns = []
    half_count = len(heading_parts) // len(_BOTH_PARITIES)
    if (
        sorted(state.above) == sorted(_BOTH_PARITIES)
        and half_count
        and heading_parts[:half_count] == heading_parts[half_count:]
    ):
        state.columns = [(chart, parity) for parity in state.above for chart in state.charts[:half_count]]


def _read_names(
    line_match: re.Match[str], state: _HeadingState, fit: Fit, where: str, problems: Problems
) -> Iterator[TextCell]:
    dice_sum = int(line_match[2])
    parity = line_match[1].casefold() if line_match[1] else state.parity
    columns = state.columns or [(c, p) for c in state.charts for p in ([parity] if parity else _BOTH_PARITIES)]
    names_text = re.sub(
        rf"(?:^|[\s|]+){dice_sum}[.):]?$", "", (line_match[3] or "").rstrip()
    )  # the sum is repeated behind the names
    name_parts = _split_names(names_text, len(columns), fit)
    if name_parts is None:
        expected_columns = ", ".join(f"{chart} {column}" for chart, column in columns[:_MAX_SHOWN])
        more_text = ", ..." if len(columns) > _MAX_SHOWN else ""
        problems.add(
            f"{where}: {quote_text(line_match[3] or '')} does not split into {len(columns)} names "
            f"({expected_columns}{more_text}); put two "
            "spaces or a tab between names, or give the board with --board"
        )
        return
    for (chart, column), name_part in zip(columns, name_parts, strict=True):
        cell_text = "" if name_part in ("-", "\u2013", "\u2014") else name_part
        yield TextCell(chart, column, dice_sum, Cell(cell_text, f"{where}: {chart} {column} {dice_sum}"))


def _split_names(text: str, count: int, fit: Fit) -> list[str] | None:
    """Split a text into a number of names, by wide blanks or else with the fewest words in unknown names."""
    wide_parts = [part.strip() for part in _WIDE_BLANK.split(text.strip()) if part.strip()]
    if len(wide_parts) == count:
        return wide_parts
    words = text.replace("|", " ").split()
    if len(words) < count:
        return None
    if len(words) == count:
        return words
    # Split words into names at least cost by dynamic programming; None if there is no such split.
    cheapest_splits: list[dict[int, tuple[float, list[str]]]] = [{} for _ in range(len(words) + 1)]
    cheapest_splits[0][0] = (0.0, [])
    for end_word in range(1, len(words) + 1):
        for first_word in range(max(0, end_word - _MAX_NAME_WORDS), end_word):
            candidate_name = " ".join(words[first_word:end_word])
            cost = (_UNKNOWN_COST * (end_word - first_word), _LOOSE_COST, _KNOWN_COST)[fit(candidate_name)]
            for used_names, (so_far, names) in cheapest_splits[first_word].items():
                if used_names < count and (
                    used_names + 1 not in cheapest_splits[end_word]
                    or so_far + cost < cheapest_splits[end_word][used_names + 1][0] - 1e-12
                ):
                    cheapest_splits[end_word][used_names + 1] = (so_far + cost, [*names, candidate_name])
    last_split = cheapest_splits[-1].get(count)
    cheapest_split = last_split[1] if last_split else None
    return cheapest_split if cheapest_split is not None and any(fit(part) for part in cheapest_split) else None
