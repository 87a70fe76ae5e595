"""Symbols moved apart by local stretches of the page.

Two symbols that lack room are parted by stretching the page between them along the way from one to the other, in a
disc round their middle; a step does so for all such pairs at once, and the next looks again. Where stretches overlap
they share the work, so that a crowd spreads outwards evenly.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.spread.crowding import Lacks, Symbols, lacks
from mapkit.kinds.rail.render.spread.warps import WarpStep

ROUNDS: Final = 100
_SPARE_MM: Final = 0.04
_ROUNDING_MM: Final = 0.001
_MOST: Final = 0.5
_PUSH: Final = 1.2
_CROWD_PUSH: Final = 0.8
_REACH: Final = 2.5
_ROUND: Final = 0.5
"""How much of a stretch goes all ways alike, which keeps directions: 0 none, 1 all of it."""
_CELLS: Final = 8
"""Cells of the grid to the radius of the smallest disc."""
_CROWD: Final = 500
_EDGE_CELLS: Final = 4


@dataclass(frozen=True)
class _Discs:
    """Where to stretch: middles, radii, directions, and by how much (1 doubles)."""

    middle: Array
    radius: Array
    way: Array
    stretch: Array


def separate_symbols(symbols: Symbols, xy: Array, frame: Area) -> tuple[WarpStep, ...]:
    """Return steps after which no two symbols lack room, as far as the page has it."""
    steps: list[WarpStep] = []
    if not len(lacks(symbols, xy, least=_ROUNDING_MM / 2).one):
        return ()
    for _ in range(ROUNDS):
        lacking = lacks(symbols, xy, least=-_ROUNDING_MM)
        if not len(lacking.one):
            break
        step = _step(_discs(xy, lacking, frame), frame)
        steps.append(step)
        xy = step(xy)
    return tuple(steps)


def _discs(xy: Array, lacking: Lacks, frame: Area) -> _Discs:
    worst = np.sort(np.lexsort((lacking.other, lacking.one, -np.round(lacking.lack, 6)))[:_CROWD])
    one, other, way = lacking.one[worst], lacking.other[worst], lacking.way[worst]
    lack = lacking.lack[worst] + _SPARE_MM
    apart = ((xy[other] - xy[one]) * way).sum(axis=1)
    middle = np.clip((xy[one] + xy[other]) / 2, frame[:2], frame[2:])
    radius = _REACH * (apart + lack)
    # those that overlap and stretch the same way share the work
    (x, y), (east, south) = middle.T, way.T
    near = (_each(np.subtract, x) ** 2 + _each(np.subtract, y) ** 2) / _each(np.maximum, radius) ** 2
    alike = (_each(np.multiply, east) + _each(np.multiply, south)) ** 2
    load = (np.maximum(1.0 - near, 0.0) ** 3 * (_ROUND + (1.0 - _ROUND) * alike)).sum(axis=1)
    # in a crowd the others push back
    push = _PUSH + _CROWD_PUSH * (1.0 - 1.0 / load)
    stretch = np.minimum(push * lack / np.maximum(apart, 1e-3), _MOST)
    return _Discs(middle, radius, way, stretch / load)


def _each(of: np.ufunc, values: Array) -> Array:
    """Return a figure of each value with each, shape (n, n)."""
    figures: Array = of.outer(values, values)
    return figures


def _step(discs: _Discs, frame: Area) -> WarpStep:
    """Return the step that stretches all discs."""
    cell = float(discs.radius.min()) / _CELLS
    window = _window(discs, frame, cell)
    left, top, right, bottom = window
    columns = max(4, int(np.ceil((right - left) / cell)))
    rows = max(4, int(np.ceil((bottom - top) / cell)))
    wide, high = (right - left) / columns, (bottom - top) / rows
    knots = np.zeros((rows + 1, columns + 1, 2))
    for middle, radius, way, stretch in zip(discs.middle, discs.radius, discs.way, discs.stretch, strict=True):
        i0, i1 = max(0, int((middle[0] - radius - left) / wide)), int((middle[0] + radius - left) / wide) + 2
        j0, j1 = max(0, int((middle[1] - radius - top) / high)), int((middle[1] + radius - top) / high) + 2
        x = (left + wide * np.arange(i0, min(i1, columns + 1)) - middle[0])[None, :]
        y = (top + high * np.arange(j0, min(j1, rows + 1)) - middle[1])[:, None]
        fade = np.maximum(1.0 - (x * x + y * y) / (radius * radius), 0.0)
        fade = stretch * fade * fade * fade
        along = (1.0 - _ROUND) * (x * way[0] + y * way[1])
        knots[j0:j1, i0:i1, 0] += fade * (along * way[0] + _ROUND * x)
        knots[j0:j1, i0:i1, 1] += fade * (along * way[1] + _ROUND * y)
    return WarpStep.of(window, knots)


def _window(discs: _Discs, frame: Area, cell: float) -> Area:
    """Return the part of the frame in which something moves, and a rim in which nothing does."""
    rim = _EDGE_CELLS * cell
    low = (discs.middle - discs.radius[:, None]).min(axis=0) - rim
    high = (discs.middle + discs.radius[:, None]).max(axis=0) + rim
    return (
        max(frame[0], float(low[0])),
        max(frame[1], float(low[1])),
        min(frame[2], float(high[0])),
        min(frame[3], float(high[1])),
    )
