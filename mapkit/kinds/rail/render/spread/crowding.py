"""How near symbols lie to each other: the gap between the ink of two mileposts or junctions.

A symbol is a rectangle grown by a radius: a city's square, or the row of squares of twins, has a rectangle and no
radius, a dot or junction a radius alone. The gap between two is the distance of their outlines, negative where they
overlap.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import meeting
from mapkit.core.base import Point
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.symbols import squares

Indices = NDArray[np.int64]

_ON_TOP = 1e-6


@dataclass(frozen=True)
class Symbols:
    """Symbols of mileposts, then of junctions, in the order of the board; sizes in millimetres."""

    ids: tuple[str, ...]
    half: Array
    """Half the width and half the height of the rectangle, shape (n, 2)."""
    radius: Array
    keep: Array
    """Half the gap that a symbol keeps to another of its kind; two symbols keep the sum of theirs."""

    @property
    def reach(self) -> float:
        """Return how far apart two symbols' middles may be at most while they lack room."""
        return 2.0 * float((np.sqrt((self.half**2).sum(axis=1)) + self.radius + self.keep).max(initial=0.0))


@dataclass(frozen=True)
class Lacks:
    """Pairs of symbols, one < other, that lack room: by how much, and in which direction they should part."""

    one: Indices
    other: Indices
    gap: Array
    """Between the outlines, in millimetres."""
    lack: Array
    """How much more there should be."""
    way: Array
    """Unit vectors from one to the other along which the gap grows fastest, shape (n, 2)."""


def symbols_of(board: Board, sizes: Sizes) -> Symbols:
    """Return the symbols of a board.

    Dots keep `least_gap` between their middles; the same ink-free gap is kept round squares, and `clearance` round
    junctions, which are not mileposts.
    """
    half = {m.id: (0.0, 0.0) if m.kind == "dot" else (sizes.city_side / 2,) * 2 for m in board.mileposts}
    middles = squares(board, dict.fromkeys(half, (0.0, 0.0)), sizes)
    for city in board.cities:
        if half[city.milepost][0]:
            wide = abs(middles[city.id][0]) + sizes.city_side / 2
            half[city.milepost] = (max(half[city.milepost][0], wide), sizes.city_side / 2)
    gap = max(sizes.least_gap - 2 * sizes.dot_radius, 0.0)
    count = len(board.junctions)
    return Symbols(
        ids=(*half, *(j.id for j in board.junctions)),
        half=np.array([*half.values(), *[(0.0, 0.0)] * count], dtype=np.float64).reshape(-1, 2),
        radius=np.array(
            [0.0 if wide else sizes.dot_radius for wide, _ in half.values()] + [sizes.junction_radius] * count
        ),
        keep=np.array([gap / 2] * len(half) + [min(sizes.clearance, gap) / 2] * count),
    )


def places_of(symbols: Symbols, spots: Mapping[str, Point]) -> Array:
    """Return where the symbols are, shape (n, 2)."""
    return np.array([spots[ident] for ident in symbols.ids], dtype=np.float64).reshape(-1, 2)


def gaps(symbols: Symbols, xy: Array, one: Indices, other: Indices) -> tuple[Array, Array]:
    """Return the gaps between the outlines of pairs, and the unit vectors along which they grow fastest."""
    apart = xy[other] - xy[one]
    sign = np.where(apart < 0, -1.0, 1.0)
    outside = np.abs(apart) - symbols.half[one] - symbols.half[other]
    beyond = np.maximum(outside, 0.0)
    far = np.sqrt((beyond**2).sum(axis=1))
    # inside, the shortest way out leads across the nearer side
    flat = outside[:, 0] >= outside[:, 1]
    across = np.column_stack((flat, ~flat)).astype(np.float64)
    way = np.where((far > _ON_TOP)[:, None], beyond / np.maximum(far, _ON_TOP)[:, None], across) * sign
    gap = far + np.minimum(outside.max(axis=1), 0.0) - symbols.radius[one] - symbols.radius[other]
    return gap, way


def lacks(symbols: Symbols, xy: Array, *, least: float = 0.0) -> Lacks:
    """Return the pairs that lack more than `least` millimetres of the gap they should keep, in order."""
    grown = symbols.half + (symbols.radius + symbols.keep + max(-least, 0.0) + _ON_TOP)[:, None]
    one, other = meeting(xy - grown, xy + grown)
    gap, way = gaps(symbols, xy, one, other)
    lack = symbols.keep[one] + symbols.keep[other] - gap
    some = lack > least
    return Lacks(one[some], other[some], gap[some], lack[some], way[some])
