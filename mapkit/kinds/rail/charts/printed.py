"""Charts that the author typed from print, as the board holds them, and as a table again."""

from collections.abc import Iterable, Mapping, Sequence

from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart, Payoffs
from mapkit.kinds.rail.model.source import ChartRow, PayoffRow


def destination_charts(rows: Iterable[ChartRow], regions: Iterable[str]) -> dict[str, DestinationChart]:
    """Return the region chart and one chart a region; a cell that no row fills is None (RB-C14)."""
    cells = {(row.chart, str(row.total)): row for row in rows}

    def column(chart: str, parity: str) -> dict[str, str | None]:
        found = {total: cells.get((chart, total)) for total in SUMS}
        return {total: getattr(row, parity) if row else None for total, row in found.items()}

    return {
        chart: DestinationChart(odd=column(chart, "odd"), even=column(chart, "even")) for chart in (REGIONS, *regions)
    }


def payoff_chart(columns: tuple[str, ...], rows: Iterable[PayoffRow]) -> Payoffs:
    """Return the payoff matrix with its rows in the order of its columns (RB-C13)."""
    by_city = {row.city: row.thousands for row in rows}
    return Payoffs(cities=columns, thousands=tuple(by_city[city] for city in columns))


def destination_table(charts: Mapping[str, DestinationChart], names: Mapping[str, str]) -> str:
    """Return charts as the text of `charts/destinations.csv`: a row a sum, with names where they are known."""
    rows: list[Sequence[object]] = [("chart", "sum", "odd", "even")]
    for ident, chart in charts.items():
        for total in SUMS:
            cells = (chart.odd.get(total), chart.even.get(total))
            rows.append((names.get(ident, ident), total, *(None if c is None else names.get(c, c) for c in cells)))
    return csv_text(rows)
