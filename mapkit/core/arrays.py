"""Vectorized operations on arrays of whole numbers and of boxes: ranges, ranks, groups, intersecting boxes."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
S = TypeVar("S", np.int64, np.float64)
_HALF = 0.5


def concatenate_ranges(starts: Ints, counts: Ints) -> Ints:
    """Return `starts[i], starts[i] + 1, ...`, `counts[i]` of them, for every i."""
    counts_before = np.cumsum(counts) - counts
    numbers: Ints = np.arange(counts.sum(), dtype=np.int64) + np.repeat(starts - counts_before, counts)
    return numbers


def distinct_values(values: NDArray[S]) -> NDArray[S]:
    """Return the distinct numbers of an array, ascending.

    Like NumPy's `unique`, which takes twice as long for small arrays and first loads masked arrays.
    """
    ordered = np.sort(values, axis=None)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def is_among(values: Ints, known: Ints) -> NDArray[np.bool_]:
    """Return whether each number is among the others, as NumPy's `isin`."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_)
    sorted_known = np.sort(known)
    positions = np.minimum(np.searchsorted(sorted_known, values), len(sorted_known) - 1)
    is_known: NDArray[np.bool_] = sorted_known[positions] == values
    return is_known


def other_numbers(count: int, gone: Ints) -> Ints:
    """Return the numbers below `count` that are not among the others."""
    is_kept = np.ones(count, dtype=np.bool_)
    is_kept[gone] = False
    return np.flatnonzero(is_kept)


def number_rows(values: NDArray[Any]) -> Ints:
    """Return the rank of each value among the distinct values."""
    order = np.argsort(values)
    sorted_values = values[order]
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order[:1]] = 0
    ranks[order[1:]] = np.cumsum(sorted_values[1:] != sorted_values[:-1])
    return ranks


def lowest_members(links: Ints, count: int) -> Ints:
    """Return the lowest node of the connected component of each of `count` nodes; links, shape (n, 2), join two each.

    Each round joins every group to the lowest linked one, until no link connects two groups.
    """
    lowest = np.arange(count, dtype=np.int64)  # a lower member of the group of each, in the end the lowest
    one, other = links[:, 0], links[:, 1]
    while True:
        a, b = lowest[one], lowest[other]
        are_apart = a != b
        if not are_apart.any():
            break
        one, other, a, b = one[are_apart], other[are_apart], a[are_apart], b[are_apart]
        np.minimum.at(lowest, np.maximum(a, b), np.minimum(a, b))
        while ((lower := lowest[lowest]) != lowest).any():
            lowest = lower
    return lowest


def connected_components(links: Ints, count: int) -> Ints:
    """Return the number of each node's connected component, as in `lowest_members`, in the order of first members."""
    lowest = lowest_members(links, count)
    numbers: Ints = (np.cumsum(lowest == np.arange(count)) - 1)[lowest]
    return numbers


def find_intersecting_boxes(low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return each pair of intersecting boxes, the lower row first, sorted by it.

    The plane is cut into strips about as high as two boxes. In each strip the boxes are in the order of their left
    sides, so those that begin within the width of another one follow it.

    Args:
        low: The least x and y of each box, shape (n, 2).
        high: The greatest.
    """
    n = len(low)
    if n == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    bottom, top = low[:, 1], high[:, 1]
    bottom_edge = float(bottom.min())
    # On average a box has two strips at most, and there are no more strips than boxes.
    strip_height = max(2 * float((top - bottom).mean()), (float(top.max()) - bottom_edge) / n) or 1.0
    lowest, highest = (np.floor((side - bottom_edge) / strip_height).astype(np.int64) for side in (bottom, top))
    by_left = np.argsort(low[:, 0])
    rank, ends = np.empty((2, n), dtype=np.int64)
    rank[by_left] = np.arange(n)
    ends[by_left] = np.searchsorted(low[by_left, 0], high[by_left, 0], side="right")
    strip_counts = highest - lowest + 1
    box, strip_numbers = np.repeat(np.arange(n), strip_counts), concatenate_ranges(lowest, strip_counts)
    key = strip_numbers * (n + 1) + rank[box]
    order = np.argsort(key)
    key, box, strip_numbers = key[order], box[order], strip_numbers[order]
    next_positions = np.arange(1, len(box) + 1)
    count = np.searchsorted(key, strip_numbers * (n + 1) + ends[box]) - next_positions
    one, other = np.repeat(box, count), box[concatenate_ranges(next_positions, count)]
    do_overlap = (bottom[one] <= top[other]) & (bottom[other] <= top[one])
    # Boxes that share several strips are counted in the first of these.
    do_overlap &= np.repeat(strip_numbers, count) == np.maximum(lowest[one], lowest[other])
    one, other = one[do_overlap], other[do_overlap]
    pair_numbers = np.sort(np.minimum(one, other) * n + np.maximum(one, other))
    return pair_numbers // n, pair_numbers % n


def quantile(values: NDArray[np.float64], share: float) -> float:
    """Return a quantile of one or more numbers, with linear interpolation.

    Equal to NumPy's to the last bit; see `median`.
    """
    ordered = np.sort(values, axis=None)
    position = (len(ordered) - 1) * share
    low_index = int(position)
    one, other = float(ordered[low_index]), float(ordered[min(low_index + 1, len(ordered) - 1)])
    fraction = position - low_index
    return other - (other - one) * (1 - fraction) if fraction >= _HALF else one + (other - one) * fraction


def median(values: NDArray[np.float64]) -> float:
    """Return the median of some numbers; NaN if there are none or one is NaN.

    Like NumPy's, which takes far longer for small arrays and first loads masked arrays.
    """
    ordered = np.sort(values, axis=None)
    if not len(ordered) or np.isnan(ordered[-1]):
        return float("nan")
    half_length = len(ordered) // 2
    return float(ordered[half_length] if len(ordered) % 2 else (ordered[half_length - 1] + ordered[half_length]) / 2)
