"""Destination charts in tables of any layout: inference of chart and parity of columns from headings.

A row with a sum or a roll at one of its ends has names; all other rows are headings. The headings above a column name
its chart and its parity, in any order and in one cell or several; like a merged cell, a heading applies to the columns
to its right up to the next one. Sums may be repeated between and behind the names.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.names import fold
from mapkit.formats.cells.table import Cell, Table, quote_text
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.sources.destinations.text import Fit, TextCell
from mapkit.kinds.rail.sources.destinations.vocabulary import HEAD_WORDS, PARITIES

Roll = Callable[[str], tuple[str, int] | None]

_SUM_TEXT: Final = re.compile(r"[(#]?(\d{1,2})[.):]?(?:\.0)?")


class _ColumnHeading(NamedTuple):
    chart: str
    parity: str


@dataclass
class _HeadingStack:
    """Headings above the current rows, and the charts of columns so far."""

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
    """Return the cells of the charts in a table, and names in columns without a known parity.

    Args:
        table: The table.
        alone: Name of a chart without a name.
        fits: Rate a text as a chart's name, and as a name in a chart.
        roll: Parses a roll such as `odd 7`.
        problems: Collects rows that are neither names of a sum nor headings.
    """
    of_chart, of_item = fits
    heading_stack = _HeadingStack()
    chart_cells: list[TextCell] = []
    unclear_cells: list[Cell] = []
    for row in table.rows:
        row_roll = _row_roll(row, roll)
        if row_roll is None:
            if (problem := _heading_problem(row, of_chart, of_item)) is not None:
                problems.add(problem)
            heading_stack.add(row)
            continue
        heading_stack.closed = True
        parity, dice_sum = row_roll
        for column_index, cell in enumerate(row):
            if not (cell.text or cell.problem) or _parse_sum(cell.text) == dice_sum or roll(cell.text) == row_roll:
                continue
            column = _infer_column(heading_stack, column_index, alone, of_chart)
            if parity or column.parity:
                chart_cells.append(TextCell(column.chart, parity or column.parity, dice_sum, cell))
            else:
                unclear_cells.append(cell)
    return chart_cells, unclear_cells


def _row_roll(row: Sequence[Cell], roll: Roll) -> tuple[str, int] | None:
    """Return the column (empty if unknown) and the sum of a row of names; None for a heading."""
    cell_texts = [cell.text for cell in row if cell.text]
    for text in (cell_texts[0], cell_texts[-1]) if len(cell_texts) > 1 else ():
        if (parsed_roll := roll(text)) is not None:
            return parsed_roll
        if (dice_sum := _parse_sum(text)) is not None:
            return "", dice_sum
    return None


def _heading_problem(row: Sequence[Cell], of_chart: Fit, of_item: Fit) -> str | None:
    """Return why a row without a sum cannot be a heading; None if it can."""
    filled_cells = [cell for cell in row if cell.text]
    if (
        filled_cells[0].text.isdigit()
        and len(filled_cells) > 1
        and any(not cell.text.isdigit() for cell in filled_cells)
    ):
        return f"{filled_cells[0].where}: {quote_text(filled_cells[0].text)} is not a sum; two dice make 2 to 12"
    name_cells = [cell for cell in filled_cells if of_item(cell.text) and not of_chart(cell.text)]
    if len(name_cells) > 1 or (name_cells and len(filled_cells) > 1):
        return (
            f"{name_cells[0].where}: {quote_text(name_cells[0].text)} is in a row without a sum or roll; "
            "write one at its beginning"
        )
    return None


def _parse_sum(text: str) -> int | None:
    sum_match = _SUM_TEXT.fullmatch(text)
    return int(sum_match[1]) if sum_match and sum_match[1].lstrip("0") in SUMS else None


def _infer_column(heading_stack: _HeadingStack, k: int, alone: str, of_chart: Callable[[str], int]) -> _ColumnHeading:
    """Return the chart and parity of a column from its headings, the nearest first."""
    parity = chart = ""
    for row in reversed(heading_stack.rows):
        heading_text = next((cell.text for cell in reversed(row[: k + 1]) if cell.text), "")
        heading_words = heading_text.replace(":", " ").replace("-", " ").split()
        heading_parity = PARITIES.get(fold(heading_words[-1]), "") if heading_words else ""
        parity = parity or heading_parity
        heading_name = " ".join(heading_words[:-1]) if heading_parity else heading_text.strip(" :")
        if not heading_name or {fold(word) for word in heading_name.split()} <= HEAD_WORDS:
            continue
        if not chart or (of_chart(heading_name) and not of_chart(chart)):
            chart = heading_name
    if chart:
        heading_stack.charts[k] = chart
    return _ColumnHeading(heading_stack.charts.get(k, alone), parity)
