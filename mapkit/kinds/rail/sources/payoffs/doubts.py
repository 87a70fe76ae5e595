"""Cells of a chart in a picture that a person should look at, and what was said of them.

The picture decides what a cell says. What a chart knows of itself only raises doubts and ranks candidates: its mirror
image, and the grid on which nearly all of its amounts lie.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot
from mapkit.formats.marks import UNREAD
from mapkit.formats.pdf.matrix import NOT_SEEN
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, NameMatched, PayoffChart, PayoffsRead, is_square

_GRID: Final = 0.5
_NEARLY_ALL: Final = 0.97
_MOST: Final = 5
Entry = tuple[int, int, Cell]


def settled(
    entries: Sequence[Entry],
    order: Sequence[str],
    said: Mapping[tuple[str, str], str],
    matched: Sequence[NameMatched],
    file: str,
) -> list[Entry]:
    """Return cells with what the user says of them.

    Args:
        entries: Row, column and cell.
        order: Ids of the cities of rows and columns.
        said: `(row's city, column's city)` -> the amount as it stands there.
        matched: How the names of the chart were understood.
        file: What to call it in messages.

    Raises:
        SourceError: There is no such cell.
    """
    ids = {fold(match.typed): match.city for match in matched} | {fold(city): city for city in order}
    wanted: dict[tuple[str, str], str] = {}
    for (a, b), text in said.items():
        pair = ids.get(fold(a), ""), ids.get(fold(b), "")
        if not all(pair):
            raise SourceError(f"{file}: --accept {a}:{b}={text}: the chart has no such cell; correct the cities")
        wanted[pair] = text
    out = []
    for i, j, cell in entries:
        if (order[i], order[j]) not in wanted:
            out.append((i, j, cell))
            continue
        text = wanted[order[i], order[j]]
        spot = cell.spot or Spot(1, (0.0, 0.0, 0.0, 0.0), 1.0, "accepted")
        own = spot._replace(confidence=1.0, how="accepted", doubt="", candidates=())
        out.append((i, j, Cell(text, cell.where, spot=own if cell.spot else None)))
    present = {(order[i], order[j]) for i, j, _ in entries}
    for a, b in sorted(set(wanted) - present):
        raise SourceError(f"{file}: --accept {a}:{b}={wanted[a, b]}: the chart has no such cell; correct the cities")
    return out


def unseen(entries: Sequence[Entry]) -> list[Entry]:
    """Return a cell to look at for each place of a square in a picture that is empty though its mirror image is not.

    It lies where its row and its column cross.

    Args:
        entries: Row, column and cell.
    """
    seen = {
        (i, j): (cell.where, cell.spot)
        for i, j, cell in entries
        if cell.text and cell.spot and cell.spot.how == "picture"
    }
    if not is_square(seen):
        return []
    rows, columns = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for i, j in seen:
        rows[i].append(j)
        columns[j].append(i)
    out: list[Entry] = []
    for i, j in sorted((j, i) for i, j in seen if (j, i) not in seen):
        beside, above = [seen[i, k] for k in _nearest(rows[i], j)], [seen[k, j] for k in _nearest(columns[j], i)]
        if beside and above:
            out.append((i, j, _crossing(beside, above)))
    return out


def _nearest(places: Sequence[int], place: int) -> list[int]:
    return sorted(places, key=lambda other: (abs(other - place), other))


def _crossing(beside: Sequence[tuple[str, Spot]], above: Sequence[tuple[str, Spot]]) -> Cell:
    """Return an unread cell where a row and a column cross, on a page that both are on, if there is one.

    Args:
        beside: Where cells of its row stand, the nearest first.
        above: Likewise those of its column.
    """
    pages = {spot.page for _, spot in above}
    where, row = next((one for one in beside if one[1].page in pages), beside[0])
    column = next((spot for _, spot in above if spot.page == row.page), row)
    box = (column.box[0], row.box[1], column.box[2], row.box[3])
    spot = Spot(row.page, box, 0.0, "picture")
    return Cell(UNREAD, where.rpartition(", column")[0] or where, problem=NOT_SEEN, spot=spot)


def doubts(chart: PayoffChart, cells: Mapping[tuple[int, int], Cell], unit: int) -> tuple[CellInDoubt, ...]:
    """Return the cells of a picture that a person should look at, in the order of the chart.

    Args:
        chart: The chart.
        cells: What stands at each row and column.
        unit: Currency units that 1 in the file stands for.
    """
    given = chart.given
    values = given[~np.isnan(given)]
    on_grid = np.isclose(values / _GRID, np.round(values / _GRID))
    strict = len(values) > 0 and float(on_grid.mean()) > _NEARLY_ALL
    out = []
    for (i, j), cell in sorted(cells.items(), key=lambda item: item[0]):
        spot = cell.spot
        if spot is None or (spot.how != "picture" and not spot.doubt):
            continue
        value, mirrored = float(given[i, j]), float(given[j, i])
        why = [spot.doubt] if spot.doubt else []
        if cell.problem:
            why = [cell.problem]
        if not np.isnan(value) and not np.isnan(mirrored) and value != mirrored:
            why.append(f"its mirror image is {mirrored:g}")
        if strict and not np.isnan(value) and not np.isclose(value / _GRID, round(value / _GRID)):
            why.append("nearly all others are multiples of a half thousand")
        if why:
            own = [cell.text] if cell.text != UNREAD else []
            rest = [text for text in spot.candidates if text not in own]
            like = None if np.isnan(mirrored) else mirrored
            ranked = sorted(rest, key=lambda text: amount_of(text, unit) != like)
            out.append(
                CellInDoubt(
                    a=chart.cities[i],
                    b=chart.cities[j],
                    where=cell.where,
                    text=cell.text[:MAX_TEXT],
                    why="; ".join(why),
                    candidates=tuple([*own, *ranked][:_MOST]),
                    page=spot.page,
                    box=spot.box,
                )
            )
    return tuple(out)


def amount_of(text: str, unit: int) -> float | None:
    """Return what a candidate amounts to, thousands."""
    try:
        return float(text.replace(",", "." if unit > 1 else "")) * unit / 1000
    except ValueError:
        return None


def without_doubts(found: PayoffsRead) -> PayoffChart:
    """Return a chart whose cells in doubt are empty."""
    chart = found.chart
    gone = {(cell.a, cell.b) for cell in found.in_doubt}
    if not gone:
        return chart
    kept = tuple(r for r in chart.readings if (chart.cities[r.row], chart.cities[r.col]) not in gone)
    return chart.model_copy(update={"readings": kept})
