"""Placing names without overlap.

Each name has candidate boxes round its symbol: eight directions, at one or more distances. A candidate costs
something for its direction and distance, for lines below it and for strange symbols close by; two names that
overlap exclude each other. A greedy pass, cities first, is followed by rounds of improvement in which a name may
move to a cheaper place, or push others to their next best place. City names always find one; the name of a dot
is left out only where none is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.render.backdrop import Area
from mapkit.render.polyline import Array, as_points
from mapkit.render.text_width import text_width

Anchor = Literal["start", "middle", "end"]

ASCENT: Final = 0.74
DESCENT: Final = 0.22
"""What a line of text takes above and below its baseline, as parts of the font size."""

_PADDING_MM: Final = 0.15
_SAMPLE_MM: Final = 0.6
_LINE_COST: Final = 1.1
_NEAR_MM: Final = 0.9
_NEAR_COST: Final = 2.5
_OVER_COST: Final = 60.0
_RING_COST: Final = 2.2
_LEFT_OUT: Final = 45.0
_LEFT_OUT_CITY: Final = 1e6
_ROUNDS: Final = 4
_NONE: Final = -1

_DIRECTIONS: Final = (
    (1, 0, 0.0),
    (-1, 0, 0.8),
    (1, -1, 0.5),
    (1, 1, 0.6),
    (-1, -1, 1.1),
    (-1, 1, 1.2),
    (0, -1, 0.9),
    (0, 1, 1.0),
    (2, -1, 1.0),
    (2, 1, 1.2),
)
"""Where the name lies seen from its symbol (x right, y down), and what that costs; x = 2 is flush left."""
_FLUSH: Final = 2


@dataclass(frozen=True)
class Name:
    """A name to place: `hx`, `hy` are half the width and height of its symbol at (`x`, `y`), in millimetres.

    `sides` are the horizontal directions it may take: 1 right of the symbol, -1 left, 0 middle, 2 flush left.
    """

    key: str
    text: str
    x: float
    y: float
    hx: float
    hy: float
    size: float
    bold: bool
    gaps: tuple[float, ...]
    sides: tuple[int, ...] = (1, 0, -1)


@dataclass(frozen=True)
class Placed:
    """A placed name: text anchor and baseline, and the box (left, top, right, bottom) it takes."""

    name: Name
    x: float
    y: float
    anchor: Anchor
    box: Area


def place_names(
    names: Sequence[Name], *, symbols: Sequence[Area], lines: Sequence[Array], area: Area
) -> tuple[Placed, ...]:
    """Return the places of the names, in the order given; a name that finds no room is missing.

    Args:
        names: What to place; the bold ones are never left out.
        symbols: Boxes that no name should cover.
        lines: Lines that a name covers only if it must.
        area: Names stay inside it.
    """
    candidates = [c for index, name in enumerate(names) for c in _candidates(index, name)]
    if not candidates:
        return ()
    boxes = np.array([c[1].box for c in candidates])
    owner = np.array([c[0] for c in candidates])
    cost = np.array([c[2] for c in candidates])
    inside = (boxes[:, 0] >= area[0]) & (boxes[:, 1] >= area[1]) & (boxes[:, 2] <= area[2]) & (boxes[:, 3] <= area[3])
    cost += _line_cost(boxes, lines) + _symbol_cost(boxes, symbols)
    cost[~inside] += 10 * _OVER_COST
    bold = np.array([n.bold for n in names])
    usable = (cost < _OVER_COST) | bold[owner]
    kept = np.flatnonzero(usable)
    search = _Search(boxes[kept], owner[kept], cost[kept], bold)
    chosen = search.run()
    return tuple(candidates[kept[c]][1] for c in chosen if c != _NONE)


def _candidates(index: int, name: Name) -> list[tuple[int, Placed, float]]:
    width = text_width(name.text, name.size, bold=name.bold)
    up, down = ASCENT * name.size, DESCENT * name.size
    found: list[tuple[int, Placed, float]] = []
    for ring, gap in enumerate(name.gaps):
        for dx, dy, cost in _DIRECTIONS:
            if dx not in name.sides:
                continue
            slant = 0.75 if dx and dy and dx != _FLUSH else 1.0
            x = name.x - name.hx if dx == _FLUSH else name.x + dx * (name.hx + gap) * slant
            if dy == 0:
                # capitals are centred on the symbol
                base = name.y + 0.36 * name.size
            elif dy < 0:
                base = name.y - (name.hy + gap) * slant - 0.05 * name.size
            else:
                base = name.y + (name.hy + gap) * slant + 0.74 * name.size
            left = x if dx > 0 else x - width if dx < 0 else x - width / 2
            anchor: Anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
            box = (left, base - up, left + width, base + down)
            found.append((index, Placed(name, x, base, anchor, box), cost + ring * _RING_COST))
    return found


def _line_cost(boxes: Array, lines: Sequence[Array]) -> Array:
    if not lines:
        return np.zeros(len(boxes))
    dots = shapely.get_coordinates(shapely.segmentize([shapely.LineString(line) for line in lines], _SAMPLE_MM))
    hit, _ = shapely.STRtree(as_points(dots)).query(_shapes(boxes, 0.3))
    cost: Array = np.bincount(hit, minlength=len(boxes)).astype(np.float64) * (_SAMPLE_MM * _LINE_COST)
    return cost


def _symbol_cost(boxes: Array, symbols: Sequence[Area]) -> Array:
    if not len(symbols):
        return np.zeros(len(boxes))
    tree = shapely.STRtree(_shapes(np.array(symbols), 0.0))
    over, _ = tree.query(_shapes(boxes, 0.0), predicate="intersects")
    near, _ = tree.query(_shapes(boxes, _NEAR_MM), predicate="intersects")
    count = len(boxes)
    # every name is near its own symbol
    strange = np.maximum(np.bincount(near, minlength=count) - 1, 0)
    return np.bincount(over, minlength=count) * _OVER_COST + strange * _NEAR_COST


def _shapes(boxes: Array, margin: float) -> NDArray[np.object_]:
    shapes: NDArray[np.object_] = shapely.box(
        boxes[:, 0] - margin, boxes[:, 1] - margin, boxes[:, 2] + margin, boxes[:, 3] + margin
    )
    return shapes


class _Search:
    """Chooses one candidate a name, or none."""

    def __init__(self, boxes: Array, owner: NDArray[np.int64], cost: Array, bold: NDArray[np.bool_]) -> None:
        self._cost = cost
        self._owner = owner
        self._bold = bold
        shapes = _shapes(boxes, _PADDING_MM)
        one, other = shapely.STRtree(shapes).query(shapes)
        apart = owner[one] != owner[other]
        one, other = one[apart], other[apart]
        order = np.lexsort((other, one))
        self._rival = other[order]
        self._first = np.searchsorted(one[order], np.arange(len(boxes) + 1))
        self._of = [np.flatnonzero(owner == i) for i in range(len(bold))]
        self._of = [c[np.argsort(cost[c], kind="stable")] for c in self._of]
        self._blocked = np.zeros(len(boxes), dtype=np.int64)
        self._choice = np.full(len(bold), _NONE, dtype=np.int64)

    def run(self) -> list[int]:
        """Return the chosen candidate of each name, or -1."""
        order = sorted(range(len(self._bold)), key=lambda i: (not self._bold[i], len(self._of[i]), i))
        for label in order:
            self._take(label, self._best(label))
        for _ in range(_ROUNDS):
            changed = [label for label in order if self._improve(label)]
            if not changed:
                break
        return [int(c) for c in self._choice]

    def _rivals(self, candidate: int) -> NDArray[np.int64]:
        rivals: NDArray[np.int64] = self._rival[self._first[candidate] : self._first[candidate + 1]]
        return rivals

    def _take(self, label: int, candidate: int) -> None:
        old = int(self._choice[label])
        if old != _NONE:
            self._blocked[self._rivals(old)] -= 1
        if candidate != _NONE:
            self._blocked[self._rivals(candidate)] += 1
        self._choice[label] = candidate

    def _best(self, label: int) -> int:
        free = self._of[label][self._blocked[self._of[label]] == 0]
        if len(free):
            return int(free[0])
        return _NONE

    def _price(self, label: int) -> float:
        candidate = int(self._choice[label])
        if candidate == _NONE:
            return _LEFT_OUT_CITY if self._bold[label] else _LEFT_OUT
        return float(self._cost[candidate])

    def _improve(self, label: int) -> bool:
        """Move a name to a cheaper place, pushing others aside if all gain together; True if it moved."""
        before = int(self._choice[label])
        own = self._price(label)
        for candidate in self._of[label]:
            if self._cost[candidate] >= own - 1e-9:
                return False
            rivals = self._rivals(int(candidate))
            pushed = sorted({int(self._owner[r]) for r in rivals if self._choice[self._owner[r]] == r})
            old = {p: int(self._choice[p]) for p in pushed}
            total = own + sum(self._price(p) for p in pushed)
            for p in pushed:
                self._take(p, _NONE)
            self._take(label, int(candidate))
            for p in sorted(pushed, key=lambda p: (not self._bold[p], p)):
                self._take(p, self._best(p))
            after = self._price(label) + sum(self._price(p) for p in pushed)
            if after < total - 1e-9:
                return True
            for p in pushed:
                self._take(p, _NONE)
            self._take(label, before)
            for p in pushed:
                self._take(p, old[p])
        return False
