"""Destination charts as a table."""

from collections.abc import Mapping, Sequence

from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.model.board import SUMS, DestinationChart


def destination_table(charts: Mapping[str, DestinationChart], names: Mapping[str, str]) -> str:
    """Return charts as the text of `charts/destinations.csv`: a row a sum, with names where they are known."""
    rows: list[Sequence[object]] = [("chart", "sum", "odd", "even")]
    for ident, chart in charts.items():
        for total in SUMS:
            cells = (chart.odd.get(total), chart.even.get(total))
            rows.append((names.get(ident, ident), total, *(None if c is None else names.get(c, c) for c in cells)))
    return csv_text(rows)
