"""Destination charts in tables of any layout: inference of chart and parity from headings and labels.

Rows with sums or rolls have names, or a row of sums is above the names; all other rows are headings. Headings above a
column name its chart and its parity, in any order and in one cell or several; like a merged cell, a heading applies to
the columns to its right up to the next one. Labels before the sums do the same for a row and the rows below it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.names import fold
from mapkit.formats.cells.table import Cell, Table, quote_text
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.sources.destinations.text import Fit, TextCell
from mapkit.kinds.rail.sources.destinations.vocabulary import HEAD_WORDS, PARITIES

Roll = Callable[[str], tuple[str, int] | None]
Sums = tuple[int, ...]

_SUMS_TEXT: Final = re.compile(r"[(#]?(\d{1,2})(?:\.0|[.):])?((?:\s*(?:[-\u2013\u2014,;&+]|to|and)\s*\d{1,2})*)")
_RANGE: Final = re.compile(r"(\d+)\s*(?:[-\u2013\u2014]|to)\s*(\d+)")
_NO_NAME: Final = re.compile(r"\d+\s*/\s*\d+|\d+(?:[.,]\d+)?\s*%|[-\u2013\u2014]")
"""Chances beside the sums, and dashes in place of a name."""
_FEWEST_ACROSS: Final = 6
"""Least number of different sums in a row above names; rows of blocks side by side have fewer."""


class _Key(NamedTuple):
    parity: str
    """`odd`, `even`, or empty if the roll has none."""
    sums: Sums


@dataclass
class _TableState:
    """Headings above the current rows, labels before them, and the charts of columns so far."""

    heads: list[tuple[Cell, ...]] = field(default_factory=list)
    charts: dict[int, str] = field(default_factory=dict)
    label_charts: dict[int, str] = field(default_factory=dict)
    label_parities: dict[int, str] = field(default_factory=dict)
    across: dict[int, _Key] = field(default_factory=dict)
    """Sums above the columns, if they are in a row."""
    closed: bool = False

    def add_heading(self, row: tuple[Cell, ...]) -> None:
        if self.closed:
            self.heads = []
            self.label_charts, self.label_parities = {}, {}
        self.heads.append(row)
        self.closed = False


def table_cells(
    table: Table, *, alone: str, fits: tuple[Fit, Fit], roll: Roll, problems: Problems
) -> tuple[list[TextCell], list[Cell]]:
    """Return the cells of the charts in a table, and names without a known parity.

    Args:
        table: The table.
        alone: Name of a chart without a name.
        fits: Rate a text as a chart's name, and as a name in a chart.
        roll: Parses a roll such as `odd 7`.
        problems: Collects rows that are neither names of a sum nor headings.
    """
    of_chart, of_item = fits
    state = _TableState()
    chart_cells: list[TextCell] = []
    unclear_cells: list[Cell] = []
    for row in table.rows:
        keys = _find_keys(row, roll)
        name_columns = [
            k
            for k, cell in enumerate(row)
            if (cell.text or cell.problem) and k not in keys and not _NO_NAME.fullmatch(cell.text)
        ]
        if len({key.sums for key in keys.values()}) >= _FEWEST_ACROSS and not any(
            of_item(row[k].text) and not of_chart(row[k].text) for k in name_columns
        ):
            state.across, state.closed = keys, True
            state.label_charts, state.label_parities = {}, {}
            continue
        if not keys and not any(k in state.across for k in name_columns):
            if (problem := _heading_problem(row, of_chart, of_item)) is not None:
                problems.add(problem)
            state.add_heading(row)
            state.across = {}
            continue
        if keys and not name_columns and not state.closed:
            state.add_heading(row)
            continue
        if keys:
            state.across = {}
        state.closed = True
        name_columns = _take_labels(state, row, name_columns, keys or state.across, of_chart)
        for k, key, cell in _pair_names(state, row, name_columns, keys):
            column = _infer_column(state, k, alone, of_chart)
            parity = key.parity or next(reversed(state.label_parities.values()), "") or column.parity
            chart = next(reversed(state.label_charts.values()), "") or column.chart
            if parity:
                chart_cells += [TextCell(chart, parity, dice_sum, cell) for dice_sum in key.sums]
            else:
                unclear_cells.append(cell)
    return chart_cells, unclear_cells


def parse_sums(text: str) -> Sums:
    """Return the sums of a text such as `7`, `2-4` or `3, 11`; none if it is anything else."""
    sums_match = _SUMS_TEXT.fullmatch(text.strip())
    if sums_match is None:
        return ()
    plain_text = f"{sums_match[1]}{sums_match[2]}"
    if not all(number.lstrip("0") in SUMS for number in re.findall(r"\d+", plain_text)):
        return ()
    spelled_out = _RANGE.sub(lambda m: " ".join(map(str, range(int(m[1]), int(m[2]) + 1))), plain_text)
    sums = tuple(int(number) for number in re.findall(r"\d+", spelled_out))
    return sums if sums and sums == tuple(sorted(set(sums))) else ()


def _find_keys(row: Sequence[Cell], roll: Roll) -> dict[int, _Key]:
    """Return the sums and rolls of a row by column; none in a row of the faces of a die, `1, 3, 5` and `2, 4, 6`."""
    keys: dict[int, _Key] = {}
    if any(_parse_parity(cell.text)[0] == "odd" and cell.text[:1] == "1" for cell in row):
        return keys
    for k, cell in enumerate(row):
        first_word, _, rest = cell.text.partition(" ")
        if (parsed_roll := roll(cell.text)) is not None:
            keys[k] = _Key(parsed_roll[0], (parsed_roll[1],))
        elif sums := parse_sums(cell.text):
            keys[k] = _Key("", sums)
        elif (parity := PARITIES.get(fold(first_word))) and (sums := parse_sums(rest)):
            keys[k] = _Key(parity, sums)
    return keys


def _take_labels(
    state: _TableState, row: Sequence[Cell], name_columns: Sequence[int], keys: Mapping[int, _Key], of_chart: Fit
) -> list[int]:
    """Keep the labels of a row, charts and parities, and return the columns of its names."""
    last_before = max((k for k in name_columns if k < min(keys)), default=None)
    is_row_a_name = _is_row_a_name(state, keys)
    names = []
    for k in name_columns:
        parity, rest = _parse_parity(row[k].text)
        is_before = k < min(keys)
        if parity and (is_before or not rest) and (not rest or of_chart(rest)):
            state.label_parities.pop(k, None)
            state.label_parities[k] = parity
            if rest:
                state.label_charts[k] = rest
        elif is_row_a_name and k == last_before:
            names.append(k)
        elif is_before and of_chart(row[k].text) and not _own_parity(state, k):
            state.label_charts.pop(k, None)
            state.label_charts[k] = row[k].text
        else:
            names.append(k)
    return names


def _pair_names(
    state: _TableState, row: Sequence[Cell], name_columns: Sequence[int], keys: Mapping[int, _Key]
) -> list[tuple[int, _Key, Cell]]:
    """Return the names of a row with their columns and sums."""
    if not keys:
        return [(k, state.across[k], row[k]) for k in name_columns if k in state.across]
    if len(name_columns) == 1 and name_columns[0] < min(keys) and _is_row_a_name(state, keys):
        return [(k, key, row[name_columns[0]]) for k, key in keys.items()]
    return [(k, keys[max((column for column in keys if column < k), default=min(keys))], row[k]) for k in name_columns]


def _is_row_a_name(state: _TableState, keys: Mapping[int, _Key]) -> bool:
    """Return whether a row has a name and then the sums that lead to it, below odd and even."""
    return not state.across and all(_own_parity(state, k) for k in keys)


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


def _parse_parity(text: str) -> tuple[str, str]:
    """Return the only parity in a heading, and the rest of it without words such as `die`."""
    if set(re.findall(r"\d", text)) in ({"1", "3", "5"}, {"2", "4", "6"}) and not re.search(r"[^\W\d]", text):
        return ("odd" if "1" in text else "even"), ""
    words = text.replace(":", " ").replace("-", " ").replace("(", " ").replace(")", " ").split()
    parities = {PARITIES[fold(word)] for word in words if fold(word) in PARITIES}
    if len(parities) != 1:
        return "", text
    rest = [word for word in words if fold(word) not in PARITIES]
    return parities.pop(), "" if {fold(word) for word in rest} <= HEAD_WORDS else " ".join(rest)


def _own_parity(state: _TableState, k: int) -> str:
    """Return the parity in a heading exactly above a column."""
    return next((p for row in reversed(state.heads) if k < len(row) and (p := _parse_parity(row[k].text)[0])), "")


class _ColumnHeading(NamedTuple):
    chart: str
    parity: str


def _infer_column(state: _TableState, k: int, alone: str, of_chart: Fit) -> _ColumnHeading:
    """Return the chart and parity of a column from its headings, the nearest first."""
    parity = chart = block_parity = ""
    for row in reversed(state.heads):
        texts = [cell.text for cell in row if cell.text]
        heading_text = next((cell.text for cell in reversed(row[: k + 1]) if cell.text), "")
        if len(texts) == 1:
            heading_text = texts[0]
        heading_parity, heading_name = _parse_parity(heading_text)
        parity = parity or heading_parity
        row_parities = [row_parity for text in texts if (row_parity := _parse_parity(text)[0])]
        block_parity = block_parity or (row_parities[0] if len(row_parities) == 1 else "")
        heading_name = heading_name.strip(" :")
        if not heading_name or {fold(word) for word in heading_name.split()} <= HEAD_WORDS:
            continue
        if not chart or (of_chart(heading_name) and not of_chart(chart)):
            chart = heading_name
    if chart:
        state.charts[k] = chart
    return _ColumnHeading(state.charts.get(k, alone), parity or block_parity)
