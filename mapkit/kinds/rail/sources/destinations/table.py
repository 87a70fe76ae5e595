"""Destination charts in tables of any layout: which column is whose, by what stands above it.

A row with a sum or a roll at one of its ends holds names; all other rows are headings. The headings above a column say
its chart and whether it is the odd or the even one, in any order and in one cell or several; a heading counts for the
columns to the right of it until the next one, as a merged cell does. Sums may be repeated between and behind the names.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.names import fold
from mapkit.formats.cells.table import Cell, Table, shown
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.sources.destinations.text import Fit, TextCell
from mapkit.kinds.rail.sources.destinations.words import HEAD_WORDS, PARITIES

Roll = Callable[[str], tuple[str, int] | None]

_SUM: Final = re.compile(r"[(#]?(\d{1,2})[.):]?(?:\.0)?")


class _Column(NamedTuple):
    chart: str
    parity: str


@dataclass
class _Heads:
    """The headings above the rows that are being read, and the charts of columns so far."""

    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    charts: dict[int, str] = field(default_factory=dict)
    closed: bool = False

    def add(self, row: tuple[Cell, ...]) -> None:
        if self.closed:
            self.rows = []
        self.rows.append(row)
        self.closed = False


def table_cells(
    table: Table, *, alone: str, fits: tuple[Fit, Fit], roll: Roll, problems: Problems
) -> tuple[list[TextCell], list[Cell]]:
    """Return the cells of the charts in a table, and names in columns of which nothing says whether they are odd.

    Args:
        table: The table.
        alone: Whose chart it is where nothing says.
        fits: Say how well a text is known as a chart's name, and as what is in a chart.
        roll: Returns what a text such as `odd 7` rolls.
        problems: Takes rows that are neither names of a sum nor headings.
    """
    of_chart, of_item = fits
    heads = _Heads()
    out: list[TextCell] = []
    unclear: list[Cell] = []
    for row in table.rows:
        rolled = _rolled(row, roll)
        if rolled is None:
            if (why := _neither(row, of_chart, of_item)) is not None:
                problems.add(why)
            heads.add(row)
            continue
        heads.closed = True
        parity, total = rolled
        for k, cell in enumerate(row):
            if not (cell.text or cell.problem) or _total(cell.text) == total or roll(cell.text) == rolled:
                continue
            column = _column(heads, k, alone, of_chart)
            if parity or column.parity:
                out.append(TextCell(column.chart, parity or column.parity, total, cell))
            else:
                unclear.append(cell)
    return out, unclear


def _rolled(row: Sequence[Cell], roll: Roll) -> tuple[str, int] | None:
    """Return the column (empty if not said) and the sum of a row of names; None if it is a heading."""
    texts = [cell.text for cell in row if cell.text]
    for text in (texts[0], texts[-1]) if len(texts) > 1 else ():
        if (found := roll(text)) is not None:
            return found
        if (total := _total(text)) is not None:
            return "", total
    return None


def _neither(row: Sequence[Cell], of_chart: Fit, of_item: Fit) -> str | None:
    """Return why a row without a sum cannot be a heading; None if it can."""
    texts = [cell for cell in row if cell.text]
    if texts[0].text.isdigit() and len(texts) > 1 and any(not cell.text.isdigit() for cell in texts):
        return f"{texts[0].where}: {shown(texts[0].text)} is not a sum; two dice make 2 to 12"
    names = [cell for cell in texts if of_item(cell.text) and not of_chart(cell.text)]
    if len(names) > 1 or (names and len(texts) > 1):
        return f"{names[0].where}: {shown(names[0].text)} is in a row without a sum or roll; write one at its beginning"
    return None


def _total(text: str) -> int | None:
    found = _SUM.fullmatch(text)
    return int(found[1]) if found and found[1].lstrip("0") in SUMS else None


def _column(heads: _Heads, k: int, alone: str, of_chart: Callable[[str], int]) -> _Column:
    """Return whose column it is, by the headings above it, the nearest first."""
    parity = chart = ""
    for row in reversed(heads.rows):
        text = next((cell.text for cell in reversed(row[: k + 1]) if cell.text), "")
        words = text.replace(":", " ").replace("-", " ").split()
        said = PARITIES.get(fold(words[-1]), "") if words else ""
        parity = parity or said
        name = " ".join(words[:-1]) if said else text.strip(" :")
        if not name or {fold(word) for word in name.split()} <= HEAD_WORDS:
            continue
        if not chart or (of_chart(name) and not of_chart(chart)):
            chart = name
    if chart:
        heads.charts[k] = chart
    return _Column(heads.charts.get(k, alone), parity)
