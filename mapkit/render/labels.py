"""Placing names: cities first, then dots, none over another, over symbols, or, where it can be, over lines.

Each name has candidate boxes around its symbol (Imhof's positions: right, then left, above, below and the
corners, near and further away). Names are placed in order of importance and of how few free boxes they
have; then names without a box may push one that has another. What still finds no room is left out, dots
only: a city's name is always drawn, where it hurts least.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, STRtree

from mapkit.model.base import Point
from mapkit.render.lettering import text_width

_ASCENT, _DESCENT = 0.74, 0.21
_PAD = 0.15
# (dx, dy) of the box's anchor, in order of preference: along x -1 left of the symbol, 1 right; y downward
_POSITIONS = ((1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1))
_RINGS = (0.0, 0.7, 1.5)
_LINE_COST, _POSITION_COST, _RING_COST = 1.0, 0.06, 0.25
_BLOCKED = 1e6


@dataclass(frozen=True)
class Wanted:
    """A name to place beside a symbol: `reach` is half the symbol's side, all in millimetres."""

    ident: str
    text: str
    at: Point
    reach: float
    size: float
    bold: bool
    must: bool


@dataclass(frozen=True)
class Placed:
    """A placed name: the start of its baseline, and its box (left, top, right, bottom)."""

    wanted: Wanted
    x: float
    y: float
    box: tuple[float, float, float, float]


def place_labels(
    wanted: Sequence[Wanted],
    *,
    symbols: Sequence[tuple[float, float, float, float]],
    lines: Sequence[LineString],
    frame: tuple[float, float, float, float],
) -> list[Placed]:
    """Place names without overlap.

    Args:
        wanted: The names, the most important first.
        symbols: Boxes that no name may cover.
        lines: Lines that names keep off where they can.
        frame: Left, top, right, bottom; every name stays inside.

    Returns:
        The placed names in the order of `wanted`; names without room are missing.
    """
    if not wanted:
        return []
    owner, boxes, cost = _candidates(wanted)
    cost += _LINE_COST * _crossings(boxes, lines)
    blocked = _hits(boxes, symbols) | _outside(boxes, frame)
    conflicts = _conflicts(boxes, owner)
    chosen = _choose(wanted, owner, cost, blocked, conflicts)
    out = []
    for index, candidate in sorted(chosen.items()):
        left, top, right, bottom = (float(v) for v in boxes[candidate])
        w = wanted[index]
        out.append(Placed(w, left + _PAD, top + _PAD + _ASCENT * w.size, (left, top, right, bottom)))
    return out


Boxes = NDArray[np.float64]


def _candidates(wanted: Sequence[Wanted]) -> tuple[NDArray[np.int64], Boxes, NDArray[np.float64]]:
    owner: list[int] = []
    boxes: list[tuple[float, float, float, float]] = []
    cost: list[float] = []
    for index, w in enumerate(wanted):
        width = text_width(w.text, w.size, bold=w.bold) + 2 * _PAD
        height = (_ASCENT + _DESCENT) * w.size + 2 * _PAD
        for ring, further in enumerate(_RINGS):
            for rank, (dx, dy) in enumerate(_POSITIONS):
                gap = w.reach + 0.25 + further
                corner = 0.75 if dx and dy else 1.0
                left = w.at[0] + dx * gap * corner - (width if dx < 0 else 0 if dx > 0 else width / 2)
                top = w.at[1] + dy * gap * corner - (height if dy < 0 else 0 if dy > 0 else height / 2)
                owner.append(index)
                boxes.append((left, top, left + width, top + height))
                cost.append(_POSITION_COST * rank + _RING_COST * ring)
    return np.array(owner), np.array(boxes), np.array(cost)


def _crossings(boxes: Boxes, lines: Sequence[LineString]) -> NDArray[np.float64]:
    """Return the length of line under each box, as a share of the box's height."""
    out = np.zeros(len(boxes))
    if not lines:
        return out
    areas = shapely.box(*boxes.T)
    pairs = STRtree(list(lines)).query(areas, predicate="intersects")
    covered = shapely.length(shapely.intersection(areas[pairs[0]], np.array(lines)[pairs[1]]))
    np.add.at(out, pairs[0], covered / (boxes[pairs[0], 3] - boxes[pairs[0], 1]))
    return out


def _hits(boxes: Boxes, others: Sequence[tuple[float, float, float, float]]) -> NDArray[np.bool_]:
    out = np.zeros(len(boxes), dtype=bool)
    if others:
        pairs = STRtree(shapely.box(*np.array(others).T)).query(shapely.box(*boxes.T), predicate="intersects")
        out[pairs[0]] = True
    return out


def _outside(boxes: Boxes, frame: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    left, top, right, bottom = frame
    return (boxes[:, 0] < left) | (boxes[:, 1] < top) | (boxes[:, 2] > right) | (boxes[:, 3] > bottom)


def _conflicts(boxes: Boxes, owner: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return, for each candidate, the candidates of other names that it overlaps."""
    areas = shapely.box(*boxes.T)
    one, other = STRtree(areas).query(areas, predicate="intersects")
    keep = owner[one] != owner[other]
    one, other = one[keep], other[keep]
    order = np.lexsort((other, one))
    starts = np.searchsorted(one[order], np.arange(len(boxes) + 1))
    return [other[order][a:b] for a, b in pairwise(starts)]


def _choose(
    wanted: Sequence[Wanted],
    owner: NDArray[np.int64],
    cost: NDArray[np.float64],
    blocked: NDArray[np.bool_],
    conflicts: list[NDArray[np.int64]],
) -> dict[int, int]:
    """Return name -> candidate."""
    choice = _Choice(wanted, owner, cost, blocked, conflicts)
    for step in (choice.place, choice.push, choice.force):
        for index in choice.order:
            if index not in choice.chosen:
                step(index)
    return choice.chosen


class _Choice:
    """The search's state: which candidate each name has, and how many placed names cover each candidate."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        owner: NDArray[np.int64],
        cost: NDArray[np.float64],
        blocked: NDArray[np.bool_],
        conflicts: list[NDArray[np.int64]],
    ) -> None:
        self.wanted, self.owner, self.cost = wanted, owner.tolist(), cost.tolist()
        self.blocked, self.conflicts = blocked, conflicts
        self.covered = np.zeros(len(owner), dtype=np.int64)
        self.chosen: dict[int, int] = {}
        self.options: list[list[int]] = [[] for _ in wanted]
        for candidate, index in enumerate(self.owner):
            self.options[index].append(candidate)
        for options in self.options:
            options.sort(key=lambda c: (self.cost[c], c))
        room = [sum(not blocked[c] for c in options) for options in self.options]
        self.order = sorted(range(len(wanted)), key=lambda i: (not wanted[i].must, room[i], wanted[i].ident))

    def _put(self, index: int, candidate: int) -> None:
        self.covered[self.conflicts[candidate]] += 1
        self.chosen[index] = candidate

    def _take(self, index: int) -> int:
        candidate = self.chosen.pop(index)
        self.covered[self.conflicts[candidate]] -= 1
        return candidate

    def _free(self, index: int) -> int | None:
        return next((c for c in self.options[index] if not self.blocked[c] and not self.covered[c]), None)

    def _rivals(self, candidate: int) -> list[int]:
        """Return the names placed over a candidate."""
        near = {int(c) for c in self.conflicts[candidate]}
        return sorted(i for i in {self.owner[c] for c in near} if self.chosen.get(i) in near)

    def place(self, index: int) -> None:
        """Place a name where it is free and cheapest."""
        if (candidate := self._free(index)) is not None:
            self._put(index, candidate)

    def push(self, index: int) -> None:
        """Place a name where only one other is in the way that has somewhere else to go."""
        for candidate in self.options[index]:
            rivals = [] if self.blocked[candidate] else self._rivals(candidate)
            if len(rivals) != 1 or (self.wanted[rivals[0]].must and not self.wanted[index].must):
                continue
            held = self._take(rivals[0])
            self._put(index, candidate)
            if (other := self._free(rivals[0])) is not None:
                self._put(rivals[0], other)
                return
            self._take(index)
            self._put(rivals[0], held)

    def force(self, index: int) -> None:
        """Place a name that must be drawn where it hurts least; dots' names under it give way."""
        if not self.wanted[index].must:
            return
        worst = min(
            self.options[index],
            key=lambda c: (_BLOCKED * (int(self.blocked[c]) + int(self.covered[c])) + self.cost[c], c),
        )
        for rival in self._rivals(worst):
            if not self.wanted[rival].must:
                self._take(rival)
        self._put(index, worst)
