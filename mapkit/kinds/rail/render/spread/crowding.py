"""Gaps between the symbols of mileposts and junctions.

A symbol is a rectangle grown by a radius: a city's square, or the row of squares of twins, has a rectangle and no
radius, a dot or junction a radius alone. The gap between two is the distance of their outlines, negative where they
overlap.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import find_intersecting_boxes
from mapkit.core.base import Point
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.symbols import place_squares

Indices = NDArray[np.int64]

_OVERLAP_MM = 1e-6


@dataclass(frozen=True)
class Symbols:
    """Symbols of mileposts, then of junctions, in the order of the board; sizes in millimetres."""

    ids: tuple[str, ...]
    half: Array
    """Half the width and half the height of the rectangle, shape (n, 2)."""
    radius: Array
    keep: Array
    """Half the gap between two symbols of a kind; the gap of two symbols is the sum of their halves."""

    @property
    def reach(self) -> float:
        """Return the greatest distance between the middles of two symbols that lack room."""
        return 2.0 * float((np.sqrt((self.half**2).sum(axis=1)) + self.radius + self.keep).max(initial=0.0))


@dataclass(frozen=True)
class CloseSymbols:
    """Pairs of symbols, one < other, with too small a gap: the amount and direction by which to part them."""

    one: Indices
    other: Indices
    gap: Array
    """Between the outlines, in millimetres."""
    lack: Array
    """How much more there should be."""
    way: Array
    """Unit vectors from one to the other, in the direction of fastest growth of the gap, shape (n, 2)."""


def make_symbols(board: Board, sizes: Sizes) -> Symbols:
    """Return the symbols of a board.

    Dots keep `least_gap` between their middles; the same ink-free gap is kept round squares, and `clearance` round
    junctions, which are not mileposts.
    """
    half_sizes = {m.id: (0.0, 0.0) if m.kind == "dot" else (sizes.city_side / 2,) * 2 for m in board.mileposts}
    square_middles = place_squares(board, dict.fromkeys(half_sizes, (0.0, 0.0)), sizes)
    for city in board.cities:
        if half_sizes[city.milepost][0]:
            wide = abs(square_middles[city.id][0]) + sizes.city_side / 2
            half_sizes[city.milepost] = (max(half_sizes[city.milepost][0], wide), sizes.city_side / 2)
    dot_gap = max(sizes.least_gap - 2 * sizes.dot_radius, 0.0)
    count = len(board.junctions)
    return Symbols(
        ids=(*half_sizes, *(j.id for j in board.junctions)),
        half=np.array([*half_sizes.values(), *[(0.0, 0.0)] * count], dtype=np.float64).reshape(-1, 2),
        radius=np.array(
            [0.0 if wide else sizes.dot_radius for wide, _ in half_sizes.values()] + [sizes.junction_radius] * count
        ),
        keep=np.array([dot_gap / 2] * len(half_sizes) + [min(sizes.clearance, dot_gap) / 2] * count),
    )


def get_symbol_places(symbols: Symbols, spots: Mapping[str, Point]) -> Array:
    """Return the places of the symbols, shape (n, 2)."""
    return np.array([spots[ident] for ident in symbols.ids], dtype=np.float64).reshape(-1, 2)


def measure_gaps(symbols: Symbols, xy: Array, one: Indices, other: Indices) -> tuple[Array, Array]:
    """Return the gaps between the outlines of pairs, and the unit vectors of their fastest growth."""
    centre_vectors = xy[other] - xy[one]
    vector_signs = np.where(centre_vectors < 0, -1.0, 1.0)
    outside_mm = np.abs(centre_vectors) - symbols.half[one] - symbols.half[other]
    positive_outside = np.maximum(outside_mm, 0.0)
    outline_distance = np.sqrt((positive_outside**2).sum(axis=1))
    # inside, the shortest way out leads across the nearer side
    is_flat = outside_mm[:, 0] >= outside_mm[:, 1]
    side_direction = np.column_stack((is_flat, ~is_flat)).astype(np.float64)
    gap_direction = (
        np.where(
            (outline_distance > _OVERLAP_MM)[:, None],
            positive_outside / np.maximum(outline_distance, _OVERLAP_MM)[:, None],
            side_direction,
        )
        * vector_signs
    )
    gap = outline_distance + np.minimum(outside_mm.max(axis=1), 0.0) - symbols.radius[one] - symbols.radius[other]
    return gap, gap_direction


def find_close_symbols(symbols: Symbols, xy: Array, *, least: float = 0.0) -> CloseSymbols:
    """Find the pairs that lack more than `least` millimetres of the gap they should keep, in order."""
    grown_halves = symbols.half + (symbols.radius + symbols.keep + max(-least, 0.0) + _OVERLAP_MM)[:, None]
    first_symbols, second_symbols = find_intersecting_boxes(xy - grown_halves, xy + grown_halves)
    outline_gap, gap_direction = measure_gaps(symbols, xy, first_symbols, second_symbols)
    missing_gap = symbols.keep[first_symbols] + symbols.keep[second_symbols] - outline_gap
    is_lacking = missing_gap > least
    return CloseSymbols(
        first_symbols[is_lacking],
        second_symbols[is_lacking],
        outline_gap[is_lacking],
        missing_gap[is_lacking],
        gap_direction[is_lacking],
    )
