"""How well a chart in a picture was read: cells that are right, wrong, in doubt."""

from dataclasses import dataclass
from pathlib import Path

from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import board_cities
from scans.chart_pages import Chart

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Score:
    """What became of the printed cells of a chart.

    Args:
        cells: How many are printed, without the diagonal.
        right: Those whose first reading is true, in doubt or not.
        silent: Those that are wrong or left out, and not called doubtful.
        doubtful: Those that are.
    """

    cells: int
    right: int
    silent: int
    doubtful: int


def score(found: PayoffsRead, chart: Chart, board: str, *, square: bool = True) -> Score:
    """Return what became of the cells of a chart of some cities of a board.

    Args:
        found: What was read.
        chart: What is printed.
        board: Whose cities they are.
        square: Whether both halves are printed.
    """
    ids = {city.name: city.id for city in board_cities(open_workspace(REPOSITORY), board).cities}
    at = {ids[name]: k for k, name in enumerate(chart.names)}
    order = found.chart.cities
    doubts = {(cell.a, cell.b) for cell in found.in_doubt} | {(cell.a, cell.b) for cell in found.not_read}
    values = {(order[r.row], order[r.col]): r.value for r in found.chart.readings if r.row != r.col}
    count = len(chart.names)
    cells = count * (count - 1) if square else count * (count - 1) // 2
    right = sum(value == chart.amounts[at[a]][at[b]] for (a, b), value in values.items())
    wrong = [pair for pair, value in values.items() if value != chart.amounts[at[pair[0]]][at[pair[1]]]]
    silent = sum(pair not in doubts for pair in wrong)
    dropped = cells - len(values.keys() | {pair for pair in doubts if pair[0] != pair[1]})
    return Score(cells, right, silent + dropped, len({pair for pair in doubts if pair[0] != pair[1]}))
