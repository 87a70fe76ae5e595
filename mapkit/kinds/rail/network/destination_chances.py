"""Exact chances of destinations (RB-D03)."""

from collections import defaultdict
from fractions import Fraction

from mapkit.kinds.rail.model.board import REGIONS, Board, DestinationChart

WHOLE = 72
"""Weights of a chart: two columns of 36."""


def format_fraction(value: Fraction) -> str:
    """Format a fraction as in reports: `5/72`, `0/1`."""
    return f"{value.numerator}/{value.denominator}"


def dice_sum_weight(total: str) -> int:
    """Return the weight of a dice sum, of 36 in each column; 0 for a sum that two dice cannot make (RB-D03)."""
    dice_sum = int(total) if total.isdecimal() else 0
    return max(0, 6 - abs(dice_sum - 7))


def count_chart_weights(chart: DestinationChart) -> dict[str, int]:
    """Return the weight of each id in a chart, of 72, without empty cells."""
    id_weights: dict[str, int] = defaultdict(int)
    for column in (chart.odd, chart.even):
        for dice_sum, cell_id in column.items():
            if cell_id is not None:
                id_weights[cell_id] += dice_sum_weight(dice_sum)
    return dict(id_weights)


def calculate_city_chances(board: Board) -> dict[str, Fraction]:
    """Return the chance of each city (id) as a destination: region weight x city weight / 5,184.

    They add up to one if every cell is filled; otherwise the chance of empty cells is missing from the sum.
    """
    region_weights = count_chart_weights(board.destinations[REGIONS])
    chance_by_city = {city.id: Fraction(0) for city in board.cities}
    for region, region_weight in sorted(region_weights.items()):
        chart = board.destinations.get(region)
        for city, city_weight in sorted(count_chart_weights(chart).items()) if chart else ():
            chance_by_city[city] = chance_by_city.get(city, Fraction(0)) + Fraction(
                region_weight * city_weight, WHOLE * WHOLE
            )
    return chance_by_city
