"""Correcting single cells in the text of a payoff chart, with everything else left as it came."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_spans import json_spans
from mapkit.formats.cells.text import DELIMITERS
from mapkit.kinds.rail.model.payoffs.chart import PayoffReading, PayoffsRead

_JSON = "json"
BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"\d(?:[\d.,'\u2019 \u00a0\u2009\u202f]*\d)?")
_GROUP = re.compile(r"\d([.,'\u2019 \u00a0\u2009\u202f])\d{3}(?!\d)")
_THOUSAND = 1000

Amounts = Mapping[tuple[str, str], float]
"""Ids of two cities -> what their trip should pay, thousands."""


def corrected_text(text: str, read: PayoffsRead, amounts: Amounts, *, payoff_unit: int) -> tuple[str, int]:
    """Return the text of a chart with some amounts corrected, and how many cells were.

    An amount that stands in both halves of a square is corrected in both. It is spelled as the others are.

    Args:
        text: What stands in the file, with its line ends and byte order mark.
        read: What was read from it.
        amounts: What should stand there.
        payoff_unit: Currency units that 1 in `amounts` is worth.

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
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    places = json_spans(body, file=file) if read.kind == _JSON else dict(_spans(body, DELIMITERS[read.kind]))
    spans = {f"{file}:{place}": span for place, span in places.items()}
    changes: dict[tuple[int, int], str] = {}
    spelling = _Spelling(read, payoff_unit)
    for reading, value in _wrong(read, amounts):
        if reading.where not in spans:
            raise SourceError(f"{reading.where}: this cell cannot be corrected by itself; type {value:g} there")
        start, end = spans[reading.where]
        changes[start, end] = spelling.of(body[start:end], value)
    for (start, end), cell in sorted(changes.items(), reverse=True):
        body = body[:start] + cell + body[end:]
    return mark + body, len(changes)


def expected_readings(read: PayoffsRead, amounts: Amounts) -> dict[tuple[int, int], float | None]:
    """Return what should be read from the corrected text: row and column -> thousands."""
    wanted = {(reading.row, reading.col): value for reading, value in _wrong(read, amounts)}
    return {(each.row, each.col): each.value for each in read.chart.readings} | wanted


def _wrong(read: PayoffsRead, amounts: Amounts) -> list[tuple[PayoffReading, float]]:
    """Return the cells that hold something else than they should, with what they should hold."""
    at = {city: k for k, city in enumerate(read.chart.cities)}
    given = {(reading.row, reading.col): reading for reading in read.chart.readings}
    wrong = []
    for (a, b), value in amounts.items():
        both = [given[cell] for cell in ((at[a], at[b]), (at[b], at[a])) if cell in given]
        if not both:
            raise SourceError(f"{read.chart.file}: {a} - {b} has no cell to correct; type {value:g} there")
        wrong += [(reading, value) for reading in both if reading.value != value]
    return wrong


def _spans(text: str, mark: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each cell's place, `line:column` as `delimited` counts them, and its first and last place in the text."""
    cell = re.compile(rf'(?:"(?:[^"]|"")*")?[^{re.escape(mark)}\r\n]*')
    at, line = 0, 1
    row: list[tuple[int, int]] = []
    while True:
        found = cell.match(text, at)
        assert found is not None  # noqa: S101 - it matches nothing too
        line += len(_LINE_END.findall(found[0]))
        row.append(found.span())
        at = found.end()
        if at < len(text) and text[at] == mark:
            at += 1
            continue
        yield from ((f"{line}:{column}", span) for column, span in enumerate(row, start=1))
        end = _LINE_END.match(text, at)
        if end is None:
            return
        at, line, row = end.end(), line + 1, []


class _Spelling:
    """How the amounts of a chart are spelled: unit, decimal sign, digits behind it, and what groups thousands."""

    def __init__(self, read: PayoffsRead, payoff_unit: int) -> None:
        texts = [reading.text for reading in read.chart.readings if reading.value]
        digits = {len(number[0].rpartition(read.decimal)[2]) if read.decimal in number[0] else 0
                  for number in map(_NUMBER.search, texts) if number is not None}  # fmt: skip
        groups = Counter(sign for text in texts for sign in _GROUP.findall(text) if sign != read.decimal)
        self._factor = payoff_unit / read.unit
        self._decimal = read.decimal
        self._group = groups.most_common(1)[0][0] if groups else ""
        self._digits = digits.pop() if len(digits) == 1 else None

    def of(self, cell: str, value: float) -> str:
        """Return a cell, quotes and currency and blanks included, with another amount."""
        amount = round(value * self._factor, 6)
        number = f"{amount:.{self._digits}f}" if self._digits is not None else f"{amount:.6f}".rstrip("0").rstrip(".")
        whole, _, rest = number.partition(".")
        if self._group and len(whole) > len(str(_THOUSAND - 1)):
            whole = f"{int(whole):,}".replace(",", self._group)
        spelled = whole + (self._decimal + rest if rest else "")
        found = _NUMBER.search(cell)
        return cell[: found.start()] + spelled + cell[found.end() :] if found else spelled
