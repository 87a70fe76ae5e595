"""Charts as tables for lookup apps: squares, names to names, triples, dice rows."""

from collections.abc import Sequence
from typing import Any, Final

from mapkit.core.csvtext import csv_text
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange.engine.schemas import file_schema
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.workbook.format import unique_labels
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart

LOSSES: Final = (
    "mileposts, segments, junctions and railroads",
    "the page, projection and colours",
    "rules, extensions and provenance",
)
SCHEMAS: Final = ("payoff-names", "payoff-triples", "destination-dice")
"""Schemas of the JSON files, each written beside its file."""


class LookupFormat:
    """Payoff and destination tables alone."""

    name = "lookup"
    title = "Chart tables (CSV, JSON)"
    suffixes = (".csv", ".json")
    carries = "payoffs as a square, by names in whole money, as triples; destinations as dice rows"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:  # noqa: ARG002 - all exports take options
        """Return the tables, and schemas of the JSON files."""
        files = {
            "payoff-square.csv": csv_text(payoff_square(board)),
            "payoff-names.json": json_text(payoff_names(board)),
            "payoff-triples.json": json_text(payoff_triples(board)),
            "payoff-triples.csv": csv_text([("from", "to", "amount"), *payoff_triples(board)]),
            "destination-dice.json": json_text(destination_dice(board)),
            "destination-dice.csv": csv_text(_list_dice_rows(board)),
        }
        return ExportedBoard(
            files | {f"{schema_name}.schema.json": json_text(file_schema(schema_name)) for schema_name in SCHEMAS},
            LOSSES,
        )


def whole_money(board: Board, thousands: float | None) -> int | float | None:
    """Return a payoff in whole money, as it would be paid."""
    if thousands is None:
        return None
    money = thousands * board.units.payoff
    return int(money) if float(money).is_integer() else money


def payoff_square(board: Board) -> list[Sequence[Any]]:
    """Return the payoff chart in whole money under a row and column of names; empty cells are missing (RB-C13)."""
    city_labels = unique_labels((city.id, city.name) for city in board.cities)
    city_names = [city_labels.get(city, city) for city in board.payoffs.cities]
    chart_rows = zip(city_names, board.payoffs.thousands, strict=True)
    return [
        ["", *city_names],
        *(
            [row_name, *(whole_money(board, thousands) for thousands in chart_row)]
            for row_name, chart_row in chart_rows
        ),
    ]


def payoff_names(board: Board) -> dict[str, dict[str, int | float]]:
    """Return payoffs in whole money by city name and city name, without missing cells and the diagonal."""
    (_, *city_names), *square_rows = payoff_square(board)
    return {
        str(from_name): {
            str(to_name): amount
            for to_name, amount in zip(city_names, amounts, strict=True)
            if amount is not None and to_name != from_name
        }
        for from_name, *amounts in square_rows
    }


def payoff_triples(board: Board) -> list[tuple[str, str, int | float]]:
    """Return `(from, to, whole money)` for each pair of the upper half of the chart, in chart order."""
    (_, *city_names), *square_rows = payoff_square(board)
    return [
        (str(square_row[0]), str(city_names[column_index]), square_row[column_index + 1])
        for row_index, square_row in enumerate(square_rows)
        for column_index in range(row_index + 1, len(city_names))
        if square_row[column_index + 1] is not None
    ]


def destination_dice(board: Board) -> dict[str, Any]:
    """Return the 11 names for sums 2 to 12 by chart and parity (RB-C14); None is an empty cell."""
    city_labels = unique_labels((city.id, city.name) for city in board.cities)
    region_labels = unique_labels((region.id, region.name) for region in board.regions)

    def sides(chart: DestinationChart, names: dict[str, str]) -> dict[str, list[str | None]]:
        return {
            side: [
                None if target_id is None else names.get(target_id, target_id)
                for target_id in (column.get(dice_sum) for dice_sum in SUMS)
            ]
            for side, column in (("odd", chart.odd), ("even", chart.even))
        }

    return {
        "regions": sides(board.destinations[REGIONS], region_labels),
        "cities": {
            region_labels[region.id]: sides(board.destinations[region.id], city_labels)
            for region in board.regions
            if region.id in board.destinations
        },
    }


def _list_dice_rows(board: Board) -> list[Sequence[Any]]:
    dice_charts = destination_dice(board)
    chart_by_title = {REGIONS: dice_charts["regions"], **dice_charts["cities"]}
    dice_rows = [
        (chart_title, side, *("" if target_name is None else target_name for target_name in chart[side]))
        for chart_title, chart in chart_by_title.items()
        for side in ("odd", "even")
    ]
    return [("chart", "parity", *SUMS), *dice_rows]


FORMAT = LookupFormat()
