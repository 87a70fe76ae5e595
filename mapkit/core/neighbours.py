"""Neighbour search: by cells of a grid, by intersecting boxes, or by all pairs."""

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats, find_intersecting_boxes

Points = NDArray[np.float64]
Indices = NDArray[np.int64]
_CELL_FACTOR: Final = 1 + 1e-9
"""A cell is a little wider than the reach, so that rounding puts nothing near two cells away."""
_MAX_CELLS: Final = 2**19
"""Along an axis, so that the number of a cell of three axes stays within 64 bits."""
_PAIRS_AT_ONCE: Final = 1_000_000
"""Pairs of points of which all distances are held at a time."""


def find_close_pairs(one: Points, other: Points, reach: float) -> tuple[Indices, Indices]:
    """Return index pairs of `one` and `other` that differ by `reach` at most along every axis, sorted.

    Args:
        one: Points, shape (n, d), d at most 3.
        other: Points, shape (m, d).
        reach: In the points' unit, 0 or more.
    """
    if not len(one) or not len(other):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    low_corner = np.minimum(one.min(axis=0), other.min(axis=0))
    extent = float((np.maximum(one.max(axis=0), other.max(axis=0)) - low_corner).max())
    cell_size = max(reach * _CELL_FACTOR, extent / _MAX_CELLS) or 1.0
    own_cells, other_cells = (
        np.floor((points - low_corner) / cell_size).astype(np.int64) + 1 for points in (one, other)
    )
    cell_counts = np.maximum(own_cells.max(axis=0), other_cells.max(axis=0)) + 2
    factors = np.append(np.cumprod(cell_counts[:0:-1])[::-1], 1)
    own_keys, other_keys = own_cells @ factors, other_cells @ factors
    key_order = np.argsort(other_keys, kind="stable")
    other_keys = other_keys[key_order]
    low_sides, high_sides = (one - reach).T, (one + reach).T
    found_pairs = []
    for offset in product((-1, 0, 1), repeat=one.shape[1] - 1):
        shifted_keys = own_keys + int(np.dot(offset, factors[:-1]))
        first, ends = (
            np.searchsorted(other_keys, shifted_keys - 1, "left"),
            np.searchsorted(other_keys, shifted_keys + 1, "right"),
        )
        match_counts = ends - first
        own_indices = np.repeat(np.arange(len(one)), match_counts)
        other_indices = key_order[
            np.arange(len(own_indices)) + np.repeat(first - np.cumsum(match_counts) + match_counts, match_counts)
        ]
        for least, most, value in zip(low_sides, high_sides, other.T, strict=True):
            coordinates = value[other_indices]
            is_close = (coordinates >= least[own_indices]) & (coordinates <= most[own_indices])
            own_indices, other_indices = own_indices[is_close], other_indices[is_close]
        found_pairs.append(own_indices * len(other) + other_indices)
    sorted_pairs = np.sort(np.concatenate(found_pairs))
    return sorted_pairs // len(other), sorted_pairs % len(other)


def find_pairs_within(one: Points, other: Points, reach: float) -> tuple[Indices, Indices, Floats]:
    """Return index pairs of `one` and `other` at most `reach` from each other, sorted, and their distances.

    Args:
        one: Points, shape (n, d), d at most 3.
        other: Points, shape (m, d).
        reach: In the points' unit, 0 or more.
    """
    first, second = find_close_pairs(one, other, reach)
    squared = _squared_distances(one[first].T, other[second].T)
    is_within = squared <= reach * reach
    return first[is_within], second[is_within], np.sqrt(squared[is_within])


def find_pairs_among(points: Points, reach: float) -> tuple[Indices, Indices]:
    """Return index pairs of points of a plane at most `reach` from each other, the lower first, sorted.

    Args:
        points: Shape (n, 2).
        reach: In the points' unit, 0 or more.
    """
    half_reach = reach / 2 * _CELL_FACTOR
    first, second = find_intersecting_boxes(points - half_reach, points + half_reach)
    is_within = _squared_distances(points[first].T, points[second].T) <= reach * reach
    return first[is_within], second[is_within]


def find_nearest(points: Points, among: Points, *, tied: float = 0.0) -> tuple[Indices, Floats]:
    """Return for each point the index of the nearest of some others, and its distance.

    Args:
        points: Shape (n, d).
        among: Shape (m, d); at least one, but so few that each can be compared with every point.
        tied: Of those that are farther than the nearest by so little, the first counts.
    """
    nearest_indices, distances = np.empty(len(points), dtype=np.int64), np.empty(len(points))
    chunk_size = max(_PAIRS_AT_ONCE // len(among), 1)
    for chunk_start in range(0, len(points), chunk_size):
        chunk = slice(chunk_start, chunk_start + chunk_size)
        chunk_distances = np.sqrt(_squared_distances(points[chunk].T[:, :, None], among.T[:, None]))
        distances[chunk] = chunk_distances.min(axis=1)
        nearest_indices[chunk] = (chunk_distances <= distances[chunk, None] + tied).argmax(axis=1)
    return nearest_indices, distances


def _squared_distances(one: Points, other: Points) -> Floats:
    """Return squares of distances, of points as columns: axis by axis, so that each order of points gives the same."""
    squares: Floats = sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), np.zeros(()))
    return squares
