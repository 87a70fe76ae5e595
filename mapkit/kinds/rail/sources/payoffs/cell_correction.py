"""Correction of single cells in the text of a payoff chart, with everything else preserved."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_spans import find_json_spans
from mapkit.formats.cells.text import DELIMITERS
from mapkit.kinds.rail.model.payoffs.chart import PayoffReading, PayoffsRead

_JSON = "json"
BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"\d(?:[\d.,'\u2019 \u00a0\u2009\u202f]*\d)?")
_GROUP = re.compile(r"\d([.,'\u2019 \u00a0\u2009\u202f])\d{3}(?!\d)")
_THOUSAND = 1000

Amounts = Mapping[tuple[str, str], float]
"""Ids of two cities -> correct payoff of their trip, in thousands."""


def correct_text(text: str, read: PayoffsRead, amounts: Amounts, *, payoff_unit: int) -> tuple[str, int]:
    """Return the text of a chart with some amounts corrected, and the number of corrected cells.

    An amount in both halves of a square is corrected in both. It is spelled like the others.

    Args:
        text: Text of the file, with its line ends and byte order mark.
        read: The result of reading it.
        amounts: The correct amounts.
        payoff_unit: Currency units per 1 in `amounts`.

    Raises:
        SourceError: Cells of such a file cannot be corrected one by one, or a trip has no cell in it.
    """
    file = read.chart.file
    if read.kind not in (*DELIMITERS, _JSON):
        raise SourceError(
            f"{file}: cells of a chart of the kind {read.kind} cannot be corrected one by one; only those of "
            "JSON, or between commas, semicolons, tabs or bars, can. Save the chart as CSV, or "
            "write a variant: --variant fixed.toml"
        )
    byte_order_mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    span_by_place = (
        find_json_spans(body, file=file) if read.kind == _JSON else dict(_delimited_spans(body, DELIMITERS[read.kind]))
    )
    span_by_location = {f"{file}:{place}": span for place, span in span_by_place.items()}
    text_by_span: dict[tuple[int, int], str] = {}
    amount_spelling = _AmountSpelling(read, payoff_unit)
    for reading, value in _list_wrong_cells(read, amounts):
        if reading.where not in span_by_location:
            raise SourceError(f"{reading.where}: this cell cannot be corrected by itself; type {value:g} there")
        span_start, span_end = span_by_location[reading.where]
        text_by_span[span_start, span_end] = amount_spelling.of(body[span_start:span_end], value)
    for (span_start, span_end), corrected_cell in sorted(text_by_span.items(), reverse=True):
        body = body[:span_start] + corrected_cell + body[span_end:]
    return byte_order_mark + body, len(text_by_span)


def expected_readings(read: PayoffsRead, amounts: Amounts) -> dict[tuple[int, int], float | None]:
    """Return the expected readings of the corrected text: row and column -> thousands."""
    corrected_readings = {(reading.row, reading.col): value for reading, value in _list_wrong_cells(read, amounts)}
    return {
        (reading_cell.row, reading_cell.col): reading_cell.value for reading_cell in read.chart.readings
    } | corrected_readings


def _list_wrong_cells(payoffs_read: PayoffsRead, amounts: Amounts) -> list[tuple[PayoffReading, float]]:
    """Return the cells with wrong amounts, and the correct amounts."""
    index_by_city = {city: k for k, city in enumerate(payoffs_read.chart.cities)}
    reading_by_cell = {(reading.row, reading.col): reading for reading in payoffs_read.chart.readings}
    wrong_cells = []
    for (a, b), value in amounts.items():
        trip_readings = [
            reading_by_cell[cell]
            for cell in ((index_by_city[a], index_by_city[b]), (index_by_city[b], index_by_city[a]))
            if cell in reading_by_cell
        ]
        if not trip_readings:
            raise SourceError(f"{payoffs_read.chart.file}: {a} - {b} has no cell to correct; type {value:g} there")
        wrong_cells += [(reading, value) for reading in trip_readings if reading.value != value]
    return wrong_cells


def _delimited_spans(text: str, mark: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each cell's place, `line:column` as counted by `delimited`, and its span in the text."""
    cell_pattern = re.compile(rf'(?:"(?:[^"]|"")*")?[^{re.escape(mark)}\r\n]*')
    position, line_number = 0, 1
    row_spans: list[tuple[int, int]] = []
    while True:
        cell_match = cell_pattern.match(text, position)
        assert cell_match is not None  # noqa: S101 - it also matches an empty text
        line_number += len(_LINE_END.findall(cell_match[0]))
        row_spans.append(cell_match.span())
        position = cell_match.end()
        if position < len(text) and text[position] == mark:
            position += 1
            continue
        yield from ((f"{line_number}:{column_number}", span) for column_number, span in enumerate(row_spans, start=1))
        line_end = _LINE_END.match(text, position)
        if line_end is None:
            return
        position, line_number, row_spans = line_end.end(), line_number + 1, []


class _AmountSpelling:
    """Spelling of a chart's amounts: unit, decimal sign, number of decimals, and separator of thousands."""

    def __init__(self, read: PayoffsRead, payoff_unit: int) -> None:
        amount_texts = [reading.text for reading in read.chart.readings if reading.value]
        decimal_counts = {len(number_match[0].rpartition(read.decimal)[2]) if read.decimal in number_match[0] else 0
                  for number_match in map(_NUMBER.search, amount_texts) if number_match is not None}  # fmt: skip
        separator_counts = Counter(
            separator for text in amount_texts for separator in _GROUP.findall(text) if separator != read.decimal
        )
        self._factor = payoff_unit / read.unit
        self._decimal = read.decimal
        self._group = separator_counts.most_common(1)[0][0] if separator_counts else ""
        self._digits = decimal_counts.pop() if len(decimal_counts) == 1 else None

    def of(self, cell: str, value: float) -> str:
        """Return a cell with another amount, preserving quotes, currency and blanks."""
        amount = round(value * self._factor, 6)
        number_text = (
            f"{amount:.{self._digits}f}" if self._digits is not None else f"{amount:.6f}".rstrip("0").rstrip(".")
        )
        integer_part, _, decimal_part = number_text.partition(".")
        if self._group and len(integer_part) > len(str(_THOUSAND - 1)):
            integer_part = f"{int(integer_part):,}".replace(",", self._group)
        spelled_amount = integer_part + (self._decimal + decimal_part if decimal_part else "")
        number_match = _NUMBER.search(cell)
        return (
            cell[: number_match.start()] + spelled_amount + cell[number_match.end() :]
            if number_match
            else spelled_amount
        )
