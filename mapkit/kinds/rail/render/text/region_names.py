"""Names of regions: large, letter-spaced and quiet, on their own ground where little else is.

Every region's name is set in one size, the largest at which most find a place; one that finds none is set smaller, or
in two rows. A name lies wholly on its region's ground, on no symbol, no other name and no track, near the middle of the
region. Only a name that finds no such place in the smallest size lies over as little track as may be, or is left out.
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
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, as_points

SPACING: Final = 0.3
"""Room between letters, as a part of the font size."""
_SHRINKS: Final = (1.0, 0.85, 0.7, 0.55, 0.42, 0.32)
_MOST: Final = 0.5
"""Part of the regions whose names must fit for a size to be the common one."""
_LEAST_TEXT: Final = 3.0
_STEP_MM: Final = 3.0
_SAMPLE_MM: Final = 1.0
_LINE_COST: Final = 4.0
_ROW_COST: Final = 10.0
_GOOD: Final = 80.0
_WORST: Final = 240.0
_MOST_ROWS: Final = 3
_MOST_WORDS: Final = 12
_MARGIN: Final = 0.15
_GAP_MM: Final = 0.6
_AT_ONCE: Final = 200
"""So many boxes are looked at at once."""


@dataclass(frozen=True)
class RegionName:
    """A region's name: each row's text with the start of its baseline, and the box of them all, in millimetres."""

    region: str
    rows: tuple[tuple[str, Point], ...]
    size: float
    spacing: float
    box: Area


@dataclass(frozen=True)
class _Found:
    cost: float
    name: RegionName


def place_region_names(
    board: Board,
    grounds: Mapping[str, BaseGeometry],
    *,
    lines: Sequence[Array],
    taken: Sequence[BaseGeometry],
    sizes: Sizes,
) -> tuple[tuple[RegionName, ...], tuple[str, ...]]:
    """Return the names placed and the ids of regions without one.

    Args:
        board: The board.
        grounds: Region (id) -> the land that its name may stand on.
        lines: Drawn lines of track, to be avoided.
        taken: What no name may touch: symbols and other names.
        sizes: The largest font size.
    """
    dots = [shapely.segmentize(shapely.LineString(line), _SAMPLE_MM) for line in lines]
    track = shapely.STRtree(as_points(np.round(shapely.get_coordinates(dots), 4)))
    solid = shapely.STRtree(list(taken))
    named: dict[str, RegionName] = {}
    for share, limit in (*((share, _GOOD) for share in _SHRINKS), (_SHRINKS[-1], _WORST)):
        size = round(max(sizes.region_text * share, _LEAST_TEXT), 2)
        for region in board.regions:
            if region.id in named or grounds[region.id].is_empty:
                continue
            room = _Room(grounds[region.id], track, solid, limit, clear=limit < _WORST)
            found = _best(region.id, region.name, size, room)
            if found and found.cost <= limit:
                named[region.id] = found.name
        if share > _SHRINKS[-1] and len(named) < _MOST * len(board.regions):
            # too large for most: all are set smaller, so that few sizes stand side by side
            named.clear()
    placed = tuple(named[r.id] for r in board.regions if r.id in named)
    return placed, tuple(r.id for r in board.regions if r.id not in named)


def _best(ident: str, name: str, size: float, room: "_Room") -> _Found | None:
    best: _Found | None = None
    words = re.findall(r"[^\s-]*-|[^\s-]+\s*", name.upper())
    for rows in _settings(words):
        widths = [spaced_width(row, size) for row in rows]
        wide, tall = max(widths), CAP_HEIGHT * size + (len(rows) - 1) * 1.25 * size
        middles, costs = room.cheapest(wide, tall, margin=2 * _MARGIN * size, rows=len(rows))
        if not len(middles):
            continue
        k = int(np.lexsort((middles[:, 0], middles[:, 1], costs))[0])
        if best is None or float(costs[k]) < best.cost:
            x, y = middles[k].tolist()
            base = y - tall / 2 + CAP_HEIGHT * size
            set_rows = tuple(
                (row, (round(x - width / 2, 2), round(base + index * 1.25 * size, 2)))
                for index, (row, width) in enumerate(zip(rows, widths, strict=True))
            )
            box = (x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
            best = _Found(float(costs[k]), RegionName(ident, set_rows, size, round(SPACING * size, 2), box))
    return best


def _settings(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words (each with the space after it) in one row, and most evenly in two rows and in three."""
    found: list[tuple[str, ...]] = []
    for rows in range(1, min(_MOST_ROWS, len(words)) + 1):
        cuts = [(0, *c, len(words)) for c in combinations(range(1, min(len(words), _MOST_WORDS)), rows - 1)]
        ways = [tuple("".join(words[a:b]).strip() for a, b in pairwise(cut)) for cut in cuts]
        found.append(min(ways, key=lambda way: (max(text_width(row, 1.0) for row in way), way)))
    return found


def spaced_width(text: str, size: float) -> float:
    """Return the width of a letter-spaced text without the room after its last letter."""
    return text_width(text, size) + (len(text) - 1) * SPACING * size


@dataclass(frozen=True)
class _Room:
    """Where a region's name may stand, and what is in its way; a place of a higher cost than `limit` is none.

    With `clear` track is in its way as symbols are.
    """

    ground: BaseGeometry
    track: shapely.STRtree
    solid: shapely.STRtree
    limit: float
    clear: bool

    def cheapest(self, wide: float, tall: float, *, margin: float, rows: int) -> tuple[Array, Array]:
        """Return middles of free boxes on the ground with their costs; all that cost least are among them.

        A box costs no less than its way from the heart of the ground does, so that boxes are looked at from there
        outwards, and no further than where that alone costs more than the best one.
        """
        heart = shapely.get_coordinates(shapely.centroid(self.ground))[0].round(3)
        middles = _middles(self.ground, wide, tall)
        least = 0.15 * np.sqrt(((middles - heart) ** 2).sum(axis=1))
        order = np.argsort(least, kind="stable")
        found, costs, limit = np.empty((0, 2)), np.empty(0), self.limit
        for part in np.array_split(order, range(_AT_ONCE, len(order), _AT_ONCE)):
            near = part[np.round(least[part] + _ROW_COST * (rows - 1), 4) <= limit]
            if not len(near):
                break
            inside = near[shapely.contains(self.ground, _boxes(middles[near], wide + 1.0, tall + 1.0))]
            boxes = _boxes(middles[inside], wide + margin, tall + margin)
            under = np.bincount(self.track.query(boxes)[0], minlength=len(boxes)) * _SAMPLE_MM
            free = under == 0 if self.clear else np.ones(len(boxes), dtype=bool)
            asked = np.flatnonzero(free)
            free[asked[self.solid.query(boxes[asked], predicate="dwithin", distance=_GAP_MM)[0]]] = False
            inside, under = inside[free], under[free]
            cost = np.round(under * _LINE_COST + least[inside] + _ROW_COST * (rows - 1), 4)
            found, costs = np.vstack((found, middles[inside])), np.append(costs, cost)
            limit = float(min(limit, cost.min(initial=limit)))
        return found, costs


def _middles(ground: BaseGeometry, wide: float, tall: float) -> Array:
    """Return the middles of boxes whose corners lie on the ground, on a grid."""
    left, top, right, bottom = ground.bounds
    first_x, first_y = _STEP_MM * np.ceil((left + wide / 2) / _STEP_MM), _STEP_MM * np.ceil((top + tall / 2) / _STEP_MM)
    xs, ys = np.arange(first_x, right - wide / 2, _STEP_MM), np.arange(first_y, bottom - tall / 2, _STEP_MM)
    if not len(xs) or not len(ys):
        return np.empty((0, 2))
    grid = np.column_stack([a.ravel() for a in np.meshgrid(xs, ys)])
    shapely.prepare(ground)
    grid = grid[shapely.contains_xy(ground, grid[:, 0], grid[:, 1])]
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        x, y = grid[:, 0] + dx * (wide + 1.0) / 2, grid[:, 1] + dy * (tall + 1.0) / 2
        grid = grid[shapely.intersects_xy(ground, x, y)]
    return np.asarray(grid)


def _boxes(middles: Array, wide: float, tall: float) -> NDArray[np.object_]:
    x, y = middles[:, 0], middles[:, 1]
    boxes: NDArray[np.object_] = shapely.box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
    return boxes
