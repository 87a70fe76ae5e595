"""Placement of names of regions: large, letter-spaced and quiet, on their own ground with little else.

All names have one size, the largest at which most fit; a name that does not fit is set smaller, or in two rows. A name
lies wholly on its region's ground, off all symbols, names and track, near the middle of the region. Only a name without
such a place in the smallest size lies over as little track as possible, or is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.drawing.text_extent import CAP_HEIGHT
from mapkit.drawing.text_width import Family, text_width
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, to_shapely_points

SPACING: Final = 0.3
"""Room between letters, as a part of the font size."""
_SIZE_SHARES: Final = (1.0, 0.85, 0.7, 0.55, 0.42, 0.32)
_COMMON_SHARE: Final = 0.5
"""Share of the regions whose names must fit at the common size."""
_LEAST_TEXT_MM: Final = 3.0
_STEP_MM: Final = 3.0
_SAMPLE_MM: Final = 1.0
_LINE_COST: Final = 4.0
_ROW_COST: Final = 10.0
_GOOD_COST: Final = 80.0
_WORST_COST: Final = 240.0
_MOST_ROWS: Final = 3
_MOST_WORDS: Final = 12
_MARGIN_SHARE: Final = 0.15
_GAP_MM: Final = 0.6
_BATCH_SIZE: Final = 200
"""Number of boxes in a batch of the search."""


@dataclass(frozen=True)
class RegionName:
    """Name of a region: the text of each row with the start of its baseline, and the box of all rows, in mm."""

    region: str
    rows: tuple[tuple[str, Point], ...]
    size: float
    spacing: float
    box: Area


@dataclass(frozen=True)
class _PricedName:
    cost: float
    name: RegionName


def place_region_names(
    board: Board,
    grounds: Mapping[str, BaseGeometry],
    *,
    lines: Sequence[Array],
    taken: Sequence[BaseGeometry],
    sizes: ThemeSizes,
) -> tuple[tuple[RegionName, ...], tuple[str, ...]]:
    """Place names of regions; return also the ids of regions without one.

    Args:
        board: The board.
        grounds: Region (id) -> the land for its name.
        lines: Drawn lines of track, to be avoided.
        taken: Obstacles of names: symbols and other names.
        sizes: The largest font size, and the type family.
    """
    track_lines = [shapely.segmentize(shapely.LineString(line), _SAMPLE_MM) for line in lines]
    track_tree = shapely.STRtree(to_shapely_points(np.round(shapely.get_coordinates(track_lines), 4)))
    obstacle_tree = shapely.STRtree(list(taken))
    placed_names: dict[str, RegionName] = {}
    for share, limit in (*((share, _GOOD_COST) for share in _SIZE_SHARES), (_SIZE_SHARES[-1], _WORST_COST)):
        text_size = round(max(sizes.region_text * share, _LEAST_TEXT_MM), 2)
        for region in board.regions:
            if region.id in placed_names or grounds[region.id].is_empty:
                continue
            name_room = _NameRoom(grounds[region.id], track_tree, obstacle_tree, limit, clear=limit < _WORST_COST)
            best_name = _find_best_place(region.id, region.name, text_size, name_room, sizes.family)
            if best_name and best_name.cost <= limit:
                placed_names[region.id] = best_name.name
        if share > _SIZE_SHARES[-1] and len(placed_names) < _COMMON_SHARE * len(board.regions):
            # too large for most: all are set smaller, so that few sizes are mixed
            placed_names.clear()
    name_list = tuple(placed_names[r.id] for r in board.regions if r.id in placed_names)
    return name_list, tuple(r.id for r in board.regions if r.id not in placed_names)


def _find_best_place(ident: str, name: str, size: float, room: "_NameRoom", family: Family) -> _PricedName | None:
    best: _PricedName | None = None
    name_words = re.findall(r"[^\s-]*-|[^\s-]+\s*", name.upper())
    for row_texts in _break_rows(name_words, family):
        row_widths = [spaced_width_mm(row, size, family) for row in row_texts]
        box_width, box_height = max(row_widths), CAP_HEIGHT * size + (len(row_texts) - 1) * 1.25 * size
        box_middles, costs = room.cheapest(box_width, box_height, margin=2 * _MARGIN_SHARE * size, rows=len(row_texts))
        if not len(box_middles):
            continue
        best_box = int(np.lexsort((box_middles[:, 0], box_middles[:, 1], costs))[0])
        if best is None or float(costs[best_box]) < best.cost:
            x, y = box_middles[best_box].tolist()
            first_baseline = y - box_height / 2 + CAP_HEIGHT * size
            set_rows = tuple(
                (row, (round(x - width / 2, 2), round(first_baseline + index * 1.25 * size, 2)))
                for index, (row, width) in enumerate(zip(row_texts, row_widths, strict=True))
            )
            box = (x - box_width / 2, y - box_height / 2, x + box_width / 2, y + box_height / 2)
            best = _PricedName(float(costs[best_box]), RegionName(ident, set_rows, size, round(SPACING * size, 2), box))
    return best


def _break_rows(words: Sequence[str], family: Family) -> list[tuple[str, ...]]:
    """Set the words (each with the space after it) in one row, and most evenly in two rows and in three."""
    row_settings: list[tuple[str, ...]] = []
    for row_count in range(1, min(_MOST_ROWS, len(words)) + 1):
        row_cuts = [(0, *c, len(words)) for c in combinations(range(1, min(len(words), _MOST_WORDS)), row_count - 1)]
        split_rows = [tuple("".join(words[a:b]).strip() for a, b in pairwise(word_bounds)) for word_bounds in row_cuts]
        row_settings.append(
            min(split_rows, key=lambda way: (max(text_width(row, 1.0, family=family) for row in way), way))
        )
    return row_settings


def spaced_width_mm(text: str, size: float, family: Family) -> float:
    """Return the width of a letter-spaced text without the room after its last letter."""
    return text_width(text, size, family=family) + (len(text) - 1) * SPACING * size


@dataclass(frozen=True)
class _NameRoom:
    """Free ground for a region's name, and the obstacles on it; places dearer than `limit` are dropped.

    With `clear` track is in its way as symbols are.
    """

    ground: BaseGeometry
    track: shapely.STRtree
    solid: shapely.STRtree
    limit: float
    clear: bool

    def cheapest(self, wide: float, tall: float, *, margin: float, rows: int) -> tuple[Array, Array]:
        """Return middles of free boxes on the ground with their costs; all of least cost are among them.

        A box costs no less than its way from the heart of the ground does, so that boxes are looked at from there
        outwards, and no further than where that alone costs more than the best one.
        """
        ground_centre = shapely.get_coordinates(shapely.centroid(self.ground))[0].round(3)
        box_middles = _grid_middles(self.ground, wide, tall)
        least_costs = 0.15 * np.sqrt(((box_middles - ground_centre) ** 2).sum(axis=1))
        cost_order = np.argsort(least_costs, kind="stable")
        free_middles, free_costs, cost_limit = np.empty((0, 2)), np.empty(0), self.limit
        for part in np.array_split(cost_order, range(_BATCH_SIZE, len(cost_order), _BATCH_SIZE)):
            cheap_indices = part[np.round(least_costs[part] + _ROW_COST * (rows - 1), 4) <= cost_limit]
            if not len(cheap_indices):
                break
            inside_indices = cheap_indices[
                shapely.contains(self.ground, _make_boxes(box_middles[cheap_indices], wide + 1.0, tall + 1.0))
            ]
            name_boxes = _make_boxes(box_middles[inside_indices], wide + margin, tall + margin)
            track_below = np.bincount(self.track.query(name_boxes)[0], minlength=len(name_boxes)) * _SAMPLE_MM
            is_free = track_below == 0 if self.clear else np.ones(len(name_boxes), dtype=bool)
            free_indices = np.flatnonzero(is_free)
            is_free[
                free_indices[self.solid.query(name_boxes[free_indices], predicate="dwithin", distance=_GAP_MM)[0]]
            ] = False
            inside_indices, track_below = inside_indices[is_free], track_below[is_free]
            box_costs = np.round(track_below * _LINE_COST + least_costs[inside_indices] + _ROW_COST * (rows - 1), 4)
            free_middles, free_costs = (
                np.vstack((free_middles, box_middles[inside_indices])),
                np.append(free_costs, box_costs),
            )
            cost_limit = float(min(cost_limit, box_costs.min(initial=cost_limit)))
        return free_middles, free_costs


def _grid_middles(ground: BaseGeometry, wide: float, tall: float) -> Array:
    """Return the middles of boxes with all corners on the ground, on a grid."""
    left, top, right, bottom = ground.bounds
    first_x, first_y = _STEP_MM * np.ceil((left + wide / 2) / _STEP_MM), _STEP_MM * np.ceil((top + tall / 2) / _STEP_MM)
    grid_x, grid_y = np.arange(first_x, right - wide / 2, _STEP_MM), np.arange(first_y, bottom - tall / 2, _STEP_MM)
    if not len(grid_x) or not len(grid_y):
        return np.empty((0, 2))
    grid_points = np.column_stack([axis_values.ravel() for axis_values in np.meshgrid(grid_x, grid_y)])
    shapely.prepare(ground)
    grid_points = grid_points[shapely.contains_xy(ground, grid_points[:, 0], grid_points[:, 1])]
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        x, y = grid_points[:, 0] + dx * (wide + 1.0) / 2, grid_points[:, 1] + dy * (tall + 1.0) / 2
        grid_points = grid_points[shapely.intersects_xy(ground, x, y)]
    return np.asarray(grid_points)


def _make_boxes(middles: Array, wide: float, tall: float) -> NDArray[np.object_]:
    x, y = middles[:, 0], middles[:, 1]
    name_boxes: NDArray[np.object_] = shapely.box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
    return name_boxes
