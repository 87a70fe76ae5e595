"""Exact chances of destinations (RB-D03)."""

from collections import defaultdict
from fractions import Fraction

from mapkit.kinds.rail.model.board import REGIONS, Board, DestinationChart

WHOLE = 72
"""Weights of a chart: two columns of 36."""


def fraction_text(value: Fraction) -> str:
    """Return a fraction as reports show it: `5/72`, `0/1`."""
    return f"{value.numerator}/{value.denominator}"


def weight(total: str) -> int:
    """Return the weight of a sum, of 36 for each column; 0 for what two dice cannot make (RB-D03)."""
    value = int(total) if total.isdecimal() else 0
    return max(0, 6 - abs(value - 7))


def chart_weights(chart: DestinationChart) -> dict[str, int]:
    """Return the weight of each id in a chart, of 72; empty cells count for nothing."""
    out: dict[str, int] = defaultdict(int)
    for column in (chart.odd, chart.even):
        for total, content in column.items():
            if content is not None:
                out[content] += weight(total)
    return dict(out)


def city_chances(board: Board) -> dict[str, Fraction]:
    """Return the chance of each city (id) as a destination: region weight x city weight / 5,184.

    They add to one when every cell is filled; what empty cells take is missing from the sum.
    """
    regions = chart_weights(board.destinations[REGIONS])
    out = {city.id: Fraction(0) for city in board.cities}
    for region, region_weight in sorted(regions.items()):
        chart = board.destinations.get(region)
        for city, city_weight in sorted(chart_weights(chart).items()) if chart else ():
            out[city] = out.get(city, Fraction(0)) + Fraction(region_weight * city_weight, WHOLE * WHOLE)
    return out
