"""Differences between two sets of destination charts: cells, and the odds that they change."""

from collections.abc import Mapping
from fractions import Fraction

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.rail.charts.destinations.chart_targets import CELLS
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights, format_fraction


class CellDiff(Frozen):
    """Cell with different contents in two charts; None is an empty cell or a missing chart."""

    chart: str
    column: str
    sum: int
    a: str | None
    b: str | None


class OddsDiff(Frozen):
    """Odds that differ, as exact fractions; `chart` is `all` for a city among all destinations."""

    chart: str
    item: str
    a: str
    b: str
    percent: float


class DestinationDiff(Frozen):
    """Differences between two sets of charts; `missing` names charts that only one of them has.

    `names` are display names of the ids.
    """

    cells: tuple[CellDiff, ...]
    odds: tuple[OddsDiff, ...]
    missing: tuple[str, ...]
    names: dict[str, str] = Field(default_factory=dict)


Charts = Mapping[str, DestinationChart]


def diff_charts(a: Charts, b: Charts) -> DestinationDiff:
    """Return the differences in cells and odds of two sets of charts, charts in the order of `a`."""
    chart_ids = [*a, *(chart_id for chart_id in b if chart_id not in a)]
    cell_diffs: list[CellDiff] = []
    odds_diffs: list[OddsDiff] = []
    for chart_id in chart_ids:
        if chart_id not in a or chart_id not in b:
            continue
        for parity, dice_sum in CELLS:
            first_item, second_item = (getattr(chart[chart_id], parity).get(str(dice_sum)) for chart in (a, b))
            if first_item != second_item:
                cell_diffs.append(CellDiff(chart=chart_id, column=parity, sum=dice_sum, a=first_item, b=second_item))
        weights_by_chart = count_chart_weights(a[chart_id]), count_chart_weights(b[chart_id])
        odds_diffs += _diff_odds(
            chart_id, *({item: Fraction(w, WHOLE) for item, w in chart_side.items()} for chart_side in weights_by_chart)
        )
    if REGIONS in a and REGIONS in b:
        odds_diffs += _diff_odds("all", _city_odds(a), _city_odds(b))
    return DestinationDiff(
        cells=tuple(cell_diffs),
        odds=tuple(odds_diffs),
        missing=tuple(chart_id for chart_id in chart_ids if (chart_id in a) != (chart_id in b)),
    )


def _city_odds(charts: Charts) -> dict[str, Fraction]:
    odds_by_city: dict[str, Fraction] = {}
    for region, region_weight in count_chart_weights(charts[REGIONS]).items():
        if region in charts:
            for city, weight in count_chart_weights(charts[region]).items():
                odds_by_city[city] = odds_by_city.get(city, Fraction(0)) + Fraction(
                    region_weight * weight, WHOLE * WHOLE
                )
    return odds_by_city


def _diff_odds(chart: str, a: Mapping[str, Fraction], b: Mapping[str, Fraction]) -> list[OddsDiff]:
    zero_odds = Fraction(0)
    changed_items = [item for item in {**a, **b} if a.get(item, zero_odds) != b.get(item, zero_odds)]
    changed_items.sort(key=lambda item: (-abs(b.get(item, zero_odds) - a.get(item, zero_odds)), item))
    return [
        OddsDiff(
            chart=chart,
            item=item,
            a=format_fraction(a.get(item, zero_odds)),
            b=format_fraction(b.get(item, zero_odds)),
            percent=round(float(b.get(item, zero_odds) - a.get(item, zero_odds)) * 100, 4),
        )
        for item in changed_items
    ]
