"""Board's own payoff chart as readings, in the form of charts from files."""

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.charts.payoffs.diagnosis import merge_readings
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.model.payoffs.chart import (
    NameMatched,
    PayoffChart,
    PayoffReading,
    PayoffsRead,
    find_asymmetric_amounts,
)

_ELEMENT_KIND = "payoffs"


def chart_of_board(board: Board, *, name: str) -> PayoffChart:
    """Return the payoff chart of a board, each reading with its file and row (RB-C13)."""
    origins = board.provenance.elements.get(_ELEMENT_KIND, {})
    payoff_readings = []
    for i, (city, row) in enumerate(zip(board.payoffs.cities, board.payoffs.thousands, strict=True)):
        origin = origins.get(city)
        reading_place = f"{origin.file}:{origin.row}" if origin is not None and origin.file else f"{board.id}:{city}"
        payoff_readings += [
            PayoffReading(row=i, col=j, value=value, text=f"{value:g}", where=f"{reading_place}:{j + 2}")
            for j, value in enumerate(row)
            if value is not None
        ]
    return PayoffChart(name=name, file=name, cities=board.payoffs.cities, readings=tuple(payoff_readings))


def is_computed(board: Board) -> bool:
    """Return whether a board's payoff chart is entirely computed from distances, and thus not a print."""
    origins = board.provenance.elements.get(_ELEMENT_KIND, {})
    return bool(origins) and all(origin.how == "computed" for origin in origins.values())


def merged_amounts(payoffs: Payoffs) -> NDArray[np.float64]:
    """Return the reading of each pair, n x n thousands, NaN without one, or with two that differ."""
    given_rows = [[np.nan if value is None else value for value in row] for row in payoffs.thousands]
    return merge_readings(np.array(given_rows, dtype=np.float64))


def read_board_chart(board: Board, *, name: str) -> PayoffsRead:
    """Return a board's own chart in the form of a chart that was read from a file."""
    chart = chart_of_board(board, name=name)
    name_by_city = {city.id: city.name for city in board.cities}
    return PayoffsRead(
        chart=chart,
        kind="board",
        layout="square",
        diagonal=True,
        unit=board.units.payoff,
        unit_why="as the board says",
        decimal=".",
        names=tuple(NameMatched(typed=name_by_city.get(c, c), city=c, how="exact", where=name) for c in chart.cities),
        lacking=tuple(city.id for city in board.cities if city.id not in chart.cities),
        missing=tuple((chart.cities[i], chart.cities[j]) for i, j in chart.missing),
        blanks=tuple((chart.cities[i], chart.cities[j]) for i, j in chart.blanks),
        not_read=(),
        doubted=(),
        asymmetric=find_asymmetric_amounts(chart),
        notes=(),
    )
