"""Destination charts in text copied from a PDF or a page: blanks between the cells.

A line that begins with a sum holds a name for the odd column and one for the even, of each chart that stands side by
side; one that begins with a roll (`odd 7`), or stands below a line `odd` or `even`, holds one of each chart. Lines
without a number are headings: names of charts, or `odd` and `even`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.names import fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, shown
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.sources.destinations.words import HEAD_WORDS, PARITIES

Fit = Callable[[str], int]
"""Says how well a text is known as a name: 2 as spelled, 1 loosely, 0 not."""

_WIDE: Final = re.compile(r"\t|[ \u00a0]{2,}|\s*\|\s*")
_LINE: Final = re.compile(r"(?:(odd|even)[\s:/-]*)?(\d{1,2})[.):]?(?:[\s\u00a0]+(.*))?", re.IGNORECASE)
_BOTH: Final = ("odd", "even")
_LONGEST_LINE: Final = 2000
_LONGEST_NAME: Final = 6
_SHOWN: Final = 4
_UNKNOWN, _LOOSE, _KNOWN = 1.0, 0.05, 0.01


class TextCell(NamedTuple):
    """A cell as it stands in the text."""

    chart: str
    parity: str
    total: int
    cell: Cell


@dataclass
class _State:
    """What the headings so far have said."""

    charts: list[str]
    parity: str | None = None
    above: list[str] = field(default_factory=list)
    """The parities of the line above, as long as no names follow it."""
    columns: list[tuple[str, str]] = field(default_factory=list)
    """Chart and parity of each column, where the parities are above the charts."""


def text_cells(text: str, *, file: str, alone: str, fits: tuple[Fit, Fit], problems: Problems) -> Iterator[TextCell]:
    """Yield the cells of charts in a text.

    Args:
        text: The text.
        file: What to call it in messages.
        alone: Whose chart it is where no heading says.
        fits: Say how well a text is known as a chart's name, and as what stands in a chart.
        problems: Takes lines that cannot be understood.
    """
    state = _State([alone])
    for number, raw in enumerate(text.replace("\f", "\n").split("\n"), start=1):
        line = raw.strip()
        where = f"{file}:{number}"
        if not line:
            continue
        if len(line) > _LONGEST_LINE:
            problems.add(f"{where}: {len(line)} characters; a line of a chart is never that long")
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            _heading(line, state, fits[0])
        elif 2 <= int(found[2]) <= 12:  # noqa: PLR2004 - two dice
            state.above = []
            yield from _names(found, state, fits[1], where, problems)
        # Any other number alone is a page's; with names behind it, a slip.
        elif found[3]:
            problems.add(f"{where}: {shown(found[2])} is not a sum; two dice make 2 to 12")


def _heading(line: str, state: _State, fit: Fit) -> None:
    words = [fold(word) for word in line.split()]
    if set(words) <= HEAD_WORDS:
        rolls = [PARITIES[word] for word in words if word in PARITIES]
        state.parity = rolls[0] if len(rolls) == 1 else None
        state.above = rolls
        return
    plain = re.sub(r"[:\s]+$", "", line)
    own = [part for part in _WIDE.split(plain) if part.strip()]
    for count in range(1, len(words) + 1):
        parts = _split(plain, count, fit)
        if parts is not None and all(fit(part) for part in parts):
            own = parts
            break
    parity = PARITIES.get(fold(own[-1].split()[-1]), "")
    if len(own) == 1 and parity and len(own[0].split()) > 1:
        own, state.parity = [" ".join(own[0].split()[:-1])], parity
    elif state.charts != own and len(state.above) != 1:
        state.parity = None
    state.charts = [part.strip()[:MAX_TEXT] for part in own]
    state.columns = []
    half = len(own) // len(_BOTH)
    if sorted(state.above) == sorted(_BOTH) and half and own[:half] == own[half:]:
        state.columns = [(chart, parity) for parity in state.above for chart in state.charts[:half]]


def _names(found: re.Match[str], state: _State, fit: Fit, where: str, problems: Problems) -> Iterator[TextCell]:
    total = int(found[2])
    parity = found[1].casefold() if found[1] else state.parity
    columns = state.columns or [(c, p) for c in state.charts for p in ([parity] if parity else _BOTH)]
    rest = re.sub(rf"(?:^|[\s|]+){total}[.):]?$", "", (found[3] or "").rstrip())  # the sum is repeated behind the names
    parts = _split(rest, len(columns), fit)
    if parts is None:
        wanted = ", ".join(f"{chart} {column}" for chart, column in columns[:_SHOWN])
        more = ", ..." if len(columns) > _SHOWN else ""
        problems.add(
            f"{where}: {shown(found[3] or '')} does not split into {len(columns)} names ({wanted}{more}); put two "
            "spaces or a tab between names, or give the board with --board"
        )
        return
    for (chart, column), part in zip(columns, parts, strict=True):
        text = "" if part in ("-", "\u2013", "\u2014") else part
        yield TextCell(chart, column, total, Cell(text, f"{where}: {chart} {column} {total}"))


def _split(text: str, count: int, fit: Fit) -> list[str] | None:
    """Return a text as so many names: as wide blanks part it, else so that fewest words are in unknown names."""
    wide = [part.strip() for part in _WIDE.split(text.strip()) if part.strip()]
    if len(wide) == count:
        return wide
    words = text.replace("|", " ").split()
    if len(words) < count:
        return None
    if len(words) == count:
        return words
    best = _best(words, count, fit)
    return best if best is not None and any(fit(part) for part in best) else None


def _best(words: Sequence[str], count: int, fit: Fit) -> list[str] | None:
    """Cut words into names of least cost; None if they do not fall into so many."""
    table: list[dict[int, tuple[float, list[str]]]] = [{} for _ in range(len(words) + 1)]
    table[0][0] = (0.0, [])
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - _LONGEST_NAME), end):
            name = " ".join(words[start:end])
            cost = (_UNKNOWN * (end - start), _LOOSE, _KNOWN)[fit(name)]
            for used, (so_far, names) in table[start].items():
                if used < count and (used + 1 not in table[end] or so_far + cost < table[end][used + 1][0] - 1e-12):
                    table[end][used + 1] = (so_far + cost, [*names, name])
    found = table[-1].get(count)
    return found[1] if found else None
