"""Charts in the shapes that lookup apps use: squares, names to names, triples, dice rows."""

from collections.abc import Sequence
from typing import Any, Final

from mapkit.core.csvtext import csv_text
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import Exported
from mapkit.kinds.rail.exchange.engine.schemas import described
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.workbook.format import labels
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart

LOSSES: Final = (
    "mileposts, segments, junctions and railroads",
    "the page, projection and colours",
    "rules, extensions and provenance",
)
SCHEMAS: Final = ("payoff-names", "payoff-triples", "destination-dice")
"""Those of the JSON files, each beside its file."""


class LookupFormat:
    """Payoff and destination tables alone."""

    name = "lookup"
    title = "Chart tables (CSV, JSON)"
    suffixes = (".csv", ".json")
    carries = "payoffs as a square, by names in whole money, as triples; destinations as dice rows"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return the tables, and schemas of the JSON ones."""
        files = {
            "payoff-square.csv": csv_text(payoff_square(board)),
            "payoff-names.json": json_text(payoff_names(board)),
            "payoff-triples.json": json_text(payoff_triples(board)),
            "payoff-triples.csv": csv_text([("from", "to", "amount"), *payoff_triples(board)]),
            "destination-dice.json": json_text(destination_dice(board)),
            "destination-dice.csv": csv_text(_dice_rows(board)),
        }
        return Exported(files | {f"{name}.schema.json": json_text(described(name)) for name in SCHEMAS}, LOSSES)


def amount_of(board: Board, thousands: float | None) -> int | float | None:
    """Return a payoff in whole money, as it would be paid."""
    if thousands is None:
        return None
    money = thousands * board.units.payoff
    return int(money) if float(money).is_integer() else money


def payoff_square(board: Board) -> list[Sequence[Any]]:
    """Return the square in whole money, with a row and a column of names; an empty cell is missing (RB-C13)."""
    names = labels((city.id, city.name) for city in board.cities)
    titles = [names.get(city, city) for city in board.payoffs.cities]
    rows = zip(titles, board.payoffs.thousands, strict=True)
    return [["", *titles], *([title, *(amount_of(board, v) for v in row)] for title, row in rows)]


def payoff_names(board: Board) -> dict[str, dict[str, int | float]]:
    """Return city name -> city name -> whole money, without missing cells and a city's own."""
    (_, *titles), *rows = payoff_square(board)
    return {
        str(title): {str(t): v for t, v in zip(titles, values, strict=True) if v is not None and t != title}
        for title, *values in rows
    }


def payoff_triples(board: Board) -> list[tuple[str, str, int | float]]:
    """Return `(from, to, whole money)` for every pair once, in chart order, as the upper half of the chart has it."""
    (_, *titles), *rows = payoff_square(board)
    return [
        (str(row[0]), str(titles[k]), row[k + 1])
        for at, row in enumerate(rows)
        for k in range(at + 1, len(titles))
        if row[k + 1] is not None
    ]


def destination_dice(board: Board) -> dict[str, Any]:
    """Return for each chart and parity the 11 names for sums 2 to 12, in order (RB-C14); None is an empty cell."""
    cities = labels((city.id, city.name) for city in board.cities)
    regions = labels((region.id, region.name) for region in board.regions)

    def sides(chart: DestinationChart, names: dict[str, str]) -> dict[str, list[str | None]]:
        return {
            side: [None if c is None else names.get(c, c) for c in (column.get(total) for total in SUMS)]
            for side, column in (("odd", chart.odd), ("even", chart.even))
        }

    return {
        "regions": sides(board.destinations[REGIONS], regions),
        "cities": {
            regions[region.id]: sides(board.destinations[region.id], cities)
            for region in board.regions
            if region.id in board.destinations
        },
    }


def _dice_rows(board: Board) -> list[Sequence[Any]]:
    dice = destination_dice(board)
    charts = {REGIONS: dice["regions"], **dice["cities"]}
    rows = [
        (title, side, *("" if name is None else name for name in chart[side]))
        for title, chart in charts.items()
        for side in ("odd", "even")
    ]
    return [("chart", "parity", *SUMS), *rows]


FORMAT = LookupFormat()
