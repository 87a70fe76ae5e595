"""Placement of boxes where the map is emptiest, by summed-area tables of rasters.

Track, symbols and names are marked, with some room around them, on a raster of square millimetres. A summed-area table
(Crow, Computer Graphics 18, 1984) then counts the marked cells below every possible place of a box at once; places with
none are free. Boxes are placed one by one, the largest first. Among free places the cheapest one is chosen: land costs
most, then sides that line up neither with the frame nor with another box, then what is close by.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.kinds.rail.model.boxes import PageBox
from mapkit.kinds.rail.render.lines.polyline import Array

GAP_MM: Final = 4.0
"""Between boxes, and between a box and the frame of the map."""
CLEAR_MM: Final = 1.5
"""Between a box and anything on the map."""
_SAMPLE_MM: Final = 0.5
_LAND_CELL_MM: Final = 4
_STEP_MM: Final = 2.0
_NEAR_MM: Final = 12.0
_LAND_COST: Final = 6.0
"""Of a box on land alone; a side that lines up with nothing costs 1."""
_BESIDE_COST: Final = 0.2
"""Of a side that lines up with another box, not with the frame."""
_SHARES: Final = tuple(share / 20 for share in range(19, 3, -1))
"""Sizes that are tried for a box without room, as shares of its own."""
_NOTHING: Final = 1e-9
_ROUNDING_MM: Final = 1e-3


@dataclass(frozen=True)
class BoxPlaces:
    """Places of boxes on the page by name."""

    areas: Mapping[str, Area]
    largest: Mapping[str, Point]
    """Box without room (name) -> width and height of the largest one in its proportions that has room; 0 for none."""


@dataclass(frozen=True)
class MapContents:
    """Contents of a map that no box may cover, in millimetres of the page."""

    lines: Sequence[Array]
    half_width_mm: float
    """Of lines."""
    shapes: Sequence[Area]
    """Boxes around symbols and names."""


def place_boxes(
    boxes: Mapping[str, PageBox], frame: Area, contents: MapContents, land: BaseGeometry | None
) -> BoxPlaces:
    """Return the places of boxes: those that their author gave, then those that are free.

    Args:
        boxes: The boxes by name.
        frame: Inside of the map's frame.
        contents: What boxes must not cover.
        land: Dry land; None if that does not matter, because all boxes have places.
    """
    areas = {
        name: (*box.at, box.at[0] + box.size[0], box.at[1] + box.size[1])
        for name, box in boxes.items()
        if box.at != "auto"
    }
    waiting = sorted((name for name in boxes if name not in areas), key=lambda name: (-_area(boxes[name]), name))
    if not waiting or land is None:
        return BoxPlaces(areas, {})
    left, top, right, bottom = frame
    room = (left + GAP_MM, top + GAP_MM, right - GAP_MM, bottom - GAP_MM)
    finder = _PlaceFinder(room, _mark_contents(room, contents), _sample_land(room, land))
    largest: dict[str, Point] = {}
    for name in waiting:
        place = finder.find(boxes[name].size, list(areas.values()))
        if place is not None:
            areas[name] = place
            continue
        sizes = ((boxes[name].size[0] * share, boxes[name].size[1] * share) for share in _SHARES)
        largest[name] = next((size for size in sizes if finder.find(size, list(areas.values()))), (0.0, 0.0))
    return BoxPlaces(areas, largest)


def _area(box: PageBox) -> float:
    return box.size[0] * box.size[1]


class _PlaceFinder:
    """Finder of free places in a room."""

    def __init__(self, room: Area, marked: NDArray[np.bool_], land: NDArray[np.bool_]) -> None:
        self._room = room
        self._marked = _sum_table(marked)
        self._land = _sum_table(land)

    def find(self, size: Point, others: Sequence[Area]) -> Area | None:
        """Return the best free place for a box beside others, or None."""
        left, top, right, bottom = self._room
        spans = ((right - left, size[0]), (bottom - top, size[1]))
        if any(span < side - _NOTHING for span, side in spans):
            return None
        inner = [(box[0] - left, box[1] - top, box[2] - left, box[3] - top) for box in others]
        starts = []
        costs = []
        for axis, (span, side) in enumerate(spans):
            cost_of = {round(start, 3): 1.0 for start in np.arange(0.0, span - side, _STEP_MM).tolist()}
            beside = [
                start
                for box in inner
                for low, high in [(box[axis], box[axis + 2])]
                for start in (low, high - side, high + GAP_MM, low - GAP_MM - side)
                if 0.0 <= start <= span - side
            ]
            cost_of |= {round(start, 3): _BESIDE_COST for start in beside}
            cost_of |= {0.0: 0.0, round(span - side, 3): 0.0}
            starts.append(np.array(sorted(cost_of)))
            costs.append(np.array([cost_of[start] for start in sorted(cost_of)]))
        xs, ys = starts
        free = _count(self._marked, xs, ys, size, 0.0, 1.0) == 0
        for box in inner:
            beside_x = (xs >= box[2] + GAP_MM - _ROUNDING_MM) | (xs + size[0] <= box[0] - GAP_MM + _ROUNDING_MM)
            beside_y = (ys >= box[3] + GAP_MM - _ROUNDING_MM) | (ys + size[1] <= box[1] - GAP_MM + _ROUNDING_MM)
            free &= beside_x[None, :] | beside_y[:, None]
        if not free.any():
            return None
        land_cells = _count(self._land, xs, ys, size, 0.0, _LAND_CELL_MM)
        near_cells = _count(self._marked, xs, ys, size, _NEAR_MM, 1.0)
        cost = (
            _LAND_COST * land_cells * _LAND_CELL_MM**2 / (size[0] * size[1])
            + costs[0][None, :]
            + costs[1][:, None]
            + near_cells / ((size[0] + 2 * _NEAR_MM) * (size[1] + 2 * _NEAR_MM))
        )
        cost = np.where(free, np.round(cost, 6), np.inf)
        row, column = np.unravel_index(int(cost.argmin()), cost.shape)
        x, y = left + float(xs[column]), top + float(ys[row])
        return (x, y, x + size[0], y + size[1])


def _sum_table(cells: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the summed-area table of cells, with a row and column of zeros before them."""
    return np.pad(cells.astype(np.int64).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def _count(
    table: NDArray[np.int64], xs: NDArray[np.float64], ys: NDArray[np.float64], size: Point, margin: float, cell: float
) -> NDArray[np.int64]:
    """Return the number of cells below boxes of a size, grown by a margin: a row for each y, a column for each x."""
    rows, columns = table.shape
    i0 = np.clip(np.floor((xs - margin) / cell + _NOTHING), 0, columns - 1).astype(np.intp)
    i1 = np.clip(np.ceil((xs + size[0] + margin) / cell - _NOTHING), 0, columns - 1).astype(np.intp)
    j0 = np.clip(np.floor((ys - margin) / cell + _NOTHING), 0, rows - 1).astype(np.intp)
    j1 = np.clip(np.ceil((ys + size[1] + margin) / cell - _NOTHING), 0, rows - 1).astype(np.intp)
    counts: NDArray[np.int64] = (
        table[np.ix_(j1, i1)] - table[np.ix_(j0, i1)] - table[np.ix_(j1, i0)] + table[np.ix_(j0, i0)]
    )
    return counts


def _mark_contents(room: Area, contents: MapContents) -> NDArray[np.bool_]:
    """Return the square millimetres of a room that its contents touch, or that are closer to them than `CLEAR_MM`."""
    left, top, right, bottom = room
    columns, rows = (max(int(np.ceil(span)), 0) for span in (right - left, bottom - top))
    reach = contents.half_width_mm + CLEAR_MM + _SAMPLE_MM / 2
    lines = shapely.segmentize([shapely.LineString(line) for line in contents.lines], _SAMPLE_MM)
    points = shapely.get_coordinates(lines)
    boxes = np.array(contents.shapes, dtype=np.float64).reshape(-1, 4)
    corners = np.vstack(
        (
            np.hstack((points - reach, points + reach)),
            np.hstack((boxes[:, :2] - CLEAR_MM, boxes[:, 2:] + CLEAR_MM)),
        )
    )
    boxes = corners - np.array([left, top, left, top])
    inside = (boxes[:, 0] < columns) & (boxes[:, 1] < rows) & (boxes[:, 2] > 0) & (boxes[:, 3] > 0)
    i0, j0 = (np.maximum(np.floor(boxes[inside, axis]), 0).astype(np.intp) for axis in (0, 1))
    i1 = np.minimum(np.ceil(boxes[inside, 2]), columns).astype(np.intp)
    j1 = np.minimum(np.ceil(boxes[inside, 3]), rows).astype(np.intp)
    changes = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    for j, i, change in ((j0, i0, 1), (j0, i1, -1), (j1, i0, -1), (j1, i1, 1)):
        np.add.at(changes, (j, i), change)
    marked: NDArray[np.bool_] = changes.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] > 0
    return marked


def _sample_land(room: Area, land: BaseGeometry) -> NDArray[np.bool_]:
    """Return which cells of a room have land in their middle."""
    left, top, right, bottom = room
    x = np.arange(left + _LAND_CELL_MM / 2, right + _LAND_CELL_MM / 2, _LAND_CELL_MM)
    y = np.arange(top + _LAND_CELL_MM / 2, bottom + _LAND_CELL_MM / 2, _LAND_CELL_MM)
    shapely.prepare(land)
    return np.asarray(shapely.contains_xy(land, *np.meshgrid(x, y)))
