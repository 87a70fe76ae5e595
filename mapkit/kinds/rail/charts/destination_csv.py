"""Destination charts as a table."""

from collections.abc import Mapping, Sequence

from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.model.board import SUMS, DestinationChart


def destination_table(charts: Mapping[str, DestinationChart], names: Mapping[str, str]) -> str:
    """Return charts as the text of `charts/destinations.csv`: one row per sum, with known names."""
    csv_rows: list[Sequence[object]] = [("chart", "sum", "odd", "even")]
    for chart_id, chart in charts.items():
        for dice_sum in SUMS:
            target_ids = (chart.odd.get(dice_sum), chart.even.get(dice_sum))
            csv_rows.append(
                (
                    names.get(chart_id, chart_id),
                    dice_sum,
                    *(None if target_id is None else names.get(target_id, target_id) for target_id in target_ids),
                )
            )
    return csv_text(csv_rows)
