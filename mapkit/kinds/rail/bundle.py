"""The bundle of a board: every file of `build/<board>/` as text, planned before anything is written."""

from collections.abc import Callable, Mapping, Sequence

from mapkit.core.csvtext import csv_text
from mapkit.core.findings import CheckReport
from mapkit.core.garbage import gc_paused
from mapkit.core.jsontext import json_text
from mapkit.drawing.svg_file import fit_window
from mapkit.kinds.rail.charts.destination_csv import destination_table
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.render.pictured import file_text, picture_of

BOARD = "board.json"
PICTURE = "board.svg"


@gc_paused()
def plan_bundle(
    board: Board, checks: CheckReport, report: Report, begun: Mapping[str, Callable[[], str]]
) -> dict[str, str]:
    """Return file name -> text for the whole bundle; `begun` waits for the texts of files that were begun before."""
    return {
        BOARD: begun[BOARD]() if BOARD in begun else file_text(board),
        PICTURE: fit_window(begun[PICTURE]() if PICTURE in begun else picture_of(board)),
        "payoffs.csv": payoffs_csv(board),
        "destinations.csv": destinations_csv(board),
        "findings.json": json_text(checks),
        "report.json": json_text(report),
    }


def payoffs_csv(board: Board) -> str:
    """Return the payoff chart as a square of thousands with city names (RB-C13)."""
    names = {city.id: city.name for city in board.cities}
    return payoffs_table(board.payoffs.cities, board.payoffs.thousands, names)


def payoffs_table(cities: Sequence[str], thousands: Sequence[Sequence[float | None]], names: Mapping[str, str]) -> str:
    """Return a square of thousands as CSV, the form of `charts/payoffs.csv`; `names` holds names by id."""
    head = ["city", *(names.get(city, city) for city in cities)]
    rows = (
        [names.get(city, city), *("" if v is None else f"{v:g}" for v in values)]
        for city, values in zip(cities, thousands, strict=True)
    )
    return csv_text([head, *rows])


def destinations_csv(board: Board) -> str:
    """Return the destination charts, a row a sum (RB-C14)."""
    names = {city.id: city.name for city in board.cities} | {r.id: r.name for r in board.regions}
    order = (REGIONS, *(region.id for region in board.regions))
    return destination_table({ident: board.destinations[ident] for ident in order}, names)
