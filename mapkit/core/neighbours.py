"""Which points are near each other: by cells of a grid, by boxes that meet, or each with each."""

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import meeting

Points = NDArray[np.float64]
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
_WIDER: Final = 1 + 1e-9
"""A cell is a little wider than the reach, so that rounding puts nothing near two cells away."""
_MOST_CELLS: Final = 2**19
"""Along an axis, so that the number of a cell of three axes stays within 64 bits."""
_AT_ONCE: Final = 1_000_000
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
    low = np.minimum(one.min(axis=0), other.min(axis=0))
    extent = float((np.maximum(one.max(axis=0), other.max(axis=0)) - low).max())
    cell = max(reach * _WIDER, extent / _MOST_CELLS) or 1.0
    here, there = (np.floor((points - low) / cell).astype(np.int64) + 1 for points in (one, other))
    sizes = np.maximum(here.max(axis=0), there.max(axis=0)) + 2
    factors = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    key, keys = here @ factors, there @ factors
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    low_ends, high_ends = (one - reach).T, (one + reach).T
    found = []
    for offset in product((-1, 0, 1), repeat=one.shape[1] - 1):
        at = key + int(np.dot(offset, factors[:-1]))
        first, after = np.searchsorted(keys, at - 1, "left"), np.searchsorted(keys, at + 1, "right")
        count = after - first
        index = np.repeat(np.arange(len(one)), count)
        beyond = order[np.arange(len(index)) + np.repeat(first - np.cumsum(count) + count, count)]
        for least, most, value in zip(low_ends, high_ends, other.T, strict=True):
            far = value[beyond]
            close = (far >= least[index]) & (far <= most[index])
            index, beyond = index[close], beyond[close]
        found.append(index * len(other) + beyond)
    pairs = np.sort(np.concatenate(found))
    return pairs // len(other), pairs % len(other)


def find_pairs_within(one: Points, other: Points, reach: float) -> tuple[Indices, Indices, Floats]:
    """Return index pairs of `one` and `other` at most `reach` from each other, sorted, and their distances.

    Args:
        one: Points, shape (n, d), d at most 3.
        other: Points, shape (m, d).
        reach: In the points' unit, 0 or more.
    """
    first, second = find_close_pairs(one, other, reach)
    square = _squared_distances(one[first].T, other[second].T)
    within = square <= reach * reach
    return first[within], second[within], np.sqrt(square[within])


def find_pairs_among(points: Points, reach: float) -> tuple[Indices, Indices]:
    """Return index pairs of points of a plane at most `reach` from each other, the lower first, sorted.

    Args:
        points: Shape (n, 2).
        reach: In the points' unit, 0 or more.
    """
    half = reach / 2 * _WIDER
    first, second = meeting(points - half, points + half)
    within = _squared_distances(points[first].T, points[second].T) <= reach * reach
    return first[within], second[within]


def find_nearest(points: Points, among: Points, *, tied: float = 0.0) -> tuple[Indices, Floats]:
    """Return for each point the index of the nearest of some others, and how far that is.

    Args:
        points: Shape (n, d).
        among: Shape (m, d); at least one, but so few that each can be compared with every point.
        tied: Of those that are farther than the nearest by so little, the first counts.
    """
    found, reach = np.empty(len(points), dtype=np.int64), np.empty(len(points))
    share = max(_AT_ONCE // len(among), 1)
    for at in range(0, len(points), share):
        part = slice(at, at + share)
        distance = np.sqrt(_squared_distances(points[part].T[:, :, None], among.T[:, None]))
        reach[part] = distance.min(axis=1)
        found[part] = (distance <= reach[part, None] + tied).argmax(axis=1)
    return found, reach


def _squared_distances(one: Points, other: Points) -> Floats:
    """Return squares of distances, of points as columns: axis by axis, so that each order of points gives the same."""
    out: Floats = sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), np.zeros(()))
    return out
