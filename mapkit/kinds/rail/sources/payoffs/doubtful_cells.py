"""Doubtful cells of a chart in a picture, and the user's decisions on them.

The picture decides on the content of a cell. Properties of the chart only raise doubts and rank candidates: its mirror
image, and the grid on which nearly all of its amounts lie.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.errors import ChoiceError
from mapkit.core.names import fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, Spot
from mapkit.formats.marks import UNREAD
from mapkit.formats.pdf.matrix import NOT_SEEN
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, NameMatched, PayoffChart, PayoffsRead, is_square

_GRID_THOUSANDS: Final = 0.5
_NEARLY_ALL: Final = 0.97
_MAX_CANDIDATES: Final = 5
Entry = tuple[int, int, Cell]


def apply_decisions(
    entries: Sequence[Entry],
    order: Sequence[str],
    said: Mapping[tuple[str, str], str],
    matched: Sequence[NameMatched],
    file: str,
) -> list[Entry]:
    """Return cells with the user's decisions applied.

    Args:
        entries: Row, column and cell.
        order: Ids of the cities of rows and columns.
        said: `(row's city, column's city)` -> the amount in the picture.
        matched: Matches of the names of the chart.
        file: Name of the file in messages.

    Raises:
        SourceError: There is no such cell.
    """
    city_by_fold = {fold(match.typed): match.city for match in matched} | {fold(city): city for city in order}
    text_by_pair: dict[tuple[str, str], str] = {}
    for (a, b), accepted_text in said.items():
        city_pair = city_by_fold.get(fold(a), ""), city_by_fold.get(fold(b), "")
        if not all(city_pair):
            raise ChoiceError(
                f"{file}: --accept {a}:{b}={accepted_text}: the chart has no such cell; correct the cities"
            )
        text_by_pair[city_pair] = accepted_text
    settled_entries = []
    for i, j, cell in entries:
        if (order[i], order[j]) not in text_by_pair:
            settled_entries.append((i, j, cell))
            continue
        accepted_text = text_by_pair[order[i], order[j]]
        spot = cell.spot or Spot(1, (0.0, 0.0, 0.0, 0.0), 1.0, "accepted")
        accepted_spot = spot._replace(confidence=1.0, how="accepted", doubt="", candidates=())
        settled_entries.append((i, j, Cell(accepted_text, cell.where, spot=accepted_spot if cell.spot else None)))
    present_pairs = {(order[i], order[j]) for i, j, _ in entries}
    for a, b in sorted(set(text_by_pair) - present_pairs):
        raise ChoiceError(
            f"{file}: --accept {a}:{b}={text_by_pair[a, b]}: the chart has no such cell; correct the cities"
        )
    return settled_entries


def list_unseen(entries: Sequence[Entry]) -> list[Entry]:
    """Return an unread cell for each empty place of a square in a picture with a non-empty mirror image.

    Its place is the crossing of its row and its column.

    Args:
        entries: Row, column and cell.
    """
    place_by_cell = {
        (i, j): (cell.where, cell.spot)
        for i, j, cell in entries
        if cell.text and cell.spot and cell.spot.how == "picture"
    }
    if not is_square(place_by_cell):
        return []
    columns_by_row, rows_by_column = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for i, j in place_by_cell:
        columns_by_row[i].append(j)
        rows_by_column[j].append(i)
    unseen_entries: list[Entry] = []
    for i, j in sorted((j, i) for i, j in place_by_cell if (j, i) not in place_by_cell):
        row_places, column_places = (
            [place_by_cell[i, k] for k in _sort_by_distance(columns_by_row[i], j)],
            [place_by_cell[k, j] for k in _sort_by_distance(rows_by_column[j], i)],
        )
        if row_places and column_places:
            unseen_entries.append((i, j, _make_crossing_cell(row_places, column_places)))
    return unseen_entries


def _sort_by_distance(places: Sequence[int], place: int) -> list[int]:
    return sorted(places, key=lambda other: (abs(other - place), other))


def _make_crossing_cell(beside: Sequence[tuple[str, Spot]], above: Sequence[tuple[str, Spot]]) -> Cell:
    """Return an unread cell at the crossing of a row and a column, on a page with both if possible.

    Args:
        beside: Places of cells of its row, the nearest first.
        above: Places of cells of its column, the nearest first.
    """
    column_pages = {spot.page for _, spot in above}
    where, row_spot = next((row_place for row_place in beside if row_place[1].page in column_pages), beside[0])
    column_spot = next((spot for _, spot in above if spot.page == row_spot.page), row_spot)
    crossing_box = (column_spot.box[0], row_spot.box[1], column_spot.box[2], row_spot.box[3])
    spot = Spot(row_spot.page, crossing_box, 0.0, "picture")
    return Cell(UNREAD, where.rpartition(", column")[0] or where, problem=NOT_SEEN, spot=spot)


def list_doubts(chart: PayoffChart, cells: Mapping[tuple[int, int], Cell], unit: int) -> tuple[CellInDoubt, ...]:
    """Return the cells of a picture that a person should check, in the order of the chart.

    Args:
        chart: The chart.
        cells: The cell at each row and column.
        unit: Currency units per 1 in the file.
    """
    given_amounts = chart.given
    known_amounts = given_amounts[~np.isnan(given_amounts)]
    is_on_grid = np.isclose(known_amounts / _GRID_THOUSANDS, np.round(known_amounts / _GRID_THOUSANDS))
    is_grid_strict = len(known_amounts) > 0 and float(is_on_grid.mean()) > _NEARLY_ALL
    doubtful_cells = []
    for (i, j), cell in sorted(cells.items(), key=lambda item: item[0]):
        spot = cell.spot
        if spot is None or (spot.how != "picture" and not spot.doubt):
            continue
        cell_amount, mirrored = float(given_amounts[i, j]), float(given_amounts[j, i])
        reasons = [spot.doubt] if spot.doubt else []
        if cell.problem:
            reasons = [cell.problem]
        if not np.isnan(cell_amount) and not np.isnan(mirrored) and cell_amount != mirrored:
            reasons.append(f"its mirror image is {mirrored:g}")
        if (
            is_grid_strict
            and not np.isnan(cell_amount)
            and not np.isclose(cell_amount / _GRID_THOUSANDS, round(cell_amount / _GRID_THOUSANDS))
        ):
            reasons.append("nearly all others are multiples of a half thousand")
        if reasons:
            own_text = [cell.text] if cell.text != UNREAD else []
            other_candidates = [text for text in spot.candidates if text not in own_text]
            mirrored_amount = None if np.isnan(mirrored) else mirrored
            ranked_candidates = sorted(
                other_candidates, key=lambda text: candidate_amount(text, unit) != mirrored_amount
            )
            doubtful_cells.append(
                CellInDoubt(
                    a=chart.cities[i],
                    b=chart.cities[j],
                    where=cell.where,
                    text=cell.text[:MAX_TEXT],
                    why="; ".join(reasons),
                    candidates=tuple([*own_text, *ranked_candidates][:_MAX_CANDIDATES]),
                    page=spot.page,
                    box=spot.box,
                )
            )
    return tuple(doubtful_cells)


def candidate_amount(text: str, unit: int) -> float | None:
    """Return the amount of a candidate text in thousands, or None."""
    try:
        return float(text.replace(",", "." if unit > 1 else "")) * unit / 1000
    except ValueError:
        return None


def drop_doubts(found: PayoffsRead) -> PayoffChart:
    """Return a chart with its doubtful cells emptied."""
    chart = found.chart
    doubtful_pairs = {(cell.a, cell.b) for cell in found.in_doubt}
    if not doubtful_pairs:
        return chart
    kept_readings = tuple(r for r in chart.readings if (chart.cities[r.row], chart.cities[r.col]) not in doubtful_pairs)
    return chart.model_copy(update={"readings": kept_readings})


def drop_spots(found: PayoffsRead) -> PayoffsRead:
    """Return a chart of a text without places on a page."""
    readings = tuple(reading.model_copy(update={"spot": None}) for reading in found.chart.readings)
    return found.model_copy(update={"chart": found.chart.model_copy(update={"readings": readings})})
