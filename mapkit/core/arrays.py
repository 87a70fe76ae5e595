"""Arrays of whole numbers and of boxes: ranges, ranks, groups, and boxes that meet, without a loop over rows."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
S = TypeVar("S", np.int64, np.float64)
_HALF = 0.5


def ranges(starts: Ints, counts: Ints) -> Ints:
    """Return `starts[i], starts[i] + 1, ...`, `counts[i]` of them, for every i."""
    before = np.cumsum(counts) - counts
    out: Ints = np.arange(counts.sum(), dtype=np.int64) + np.repeat(starts - before, counts)
    return out


def distinct(values: NDArray[S]) -> NDArray[S]:
    """Return the different numbers among some, from the least.

    As NumPy's `unique`, which takes twice as long for so few and first loads its masked arrays.
    """
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def among(values: Ints, known: Ints) -> NDArray[np.bool_]:
    """Return which numbers are among others, as NumPy's `isin`."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_)
    ordered = np.sort(known)
    at = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    found: NDArray[np.bool_] = ordered[at] == values
    return found


def rest_of(count: int, gone: Ints) -> Ints:
    """Return the numbers below `count` that are not among others."""
    stays = np.ones(count, dtype=np.bool_)
    stays[gone] = False
    return np.flatnonzero(stays)


def number_rows(values: NDArray[Any]) -> Ints:
    """Return for each value the number of the distinct value that it is, counted in their order."""
    order = np.argsort(values)
    in_order = values[order]
    out = np.empty(len(values), dtype=np.int64)
    out[order[:1]] = 0
    out[order[1:]] = np.cumsum(in_order[1:] != in_order[:-1])
    return out


def connected(links: Ints, count: int) -> Ints:
    """Return for each of `count` things the number of its group; links, shape (n, 2), join two each.

    Groups are numbered in the order of their first members. Each round joins every group to the lowest that a link
    leads to from it, until no link leads from one group to another.
    """
    low = np.arange(count, dtype=np.int64)  # a lower member of the group of each, in the end the lowest
    one, other = links[:, 0], links[:, 1]
    while True:
        a, b = low[one], low[other]
        apart = a != b
        if not apart.any():
            break
        one, other, a, b = one[apart], other[apart], a[apart], b[apart]
        np.minimum.at(low, np.maximum(a, b), np.minimum(a, b))
        while ((lower := low[low]) != low).any():
            low = lower
    first = low == np.arange(count)
    numbers: Ints = (np.cumsum(first) - 1)[low]
    return numbers


def meeting(low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return each pair of boxes that have a place in common, the lower row first, sorted by it.

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
    base = float(bottom.min())
    # On average a box has two strips at most, and there are no more strips than boxes.
    strip = max(2 * float((top - bottom).mean()), (float(top.max()) - base) / n) or 1.0
    lowest, highest = (np.floor((side - base) / strip).astype(np.int64) for side in (bottom, top))
    by_left = np.argsort(low[:, 0])
    rank, ends = np.empty((2, n), dtype=np.int64)
    rank[by_left] = np.arange(n)
    ends[by_left] = np.searchsorted(low[by_left, 0], high[by_left, 0], side="right")
    times = highest - lowest + 1
    box, nth = np.repeat(np.arange(n), times), ranges(lowest, times)
    key = nth * (n + 1) + rank[box]
    order = np.argsort(key)
    key, box, nth = key[order], box[order], nth[order]
    after = np.arange(1, len(box) + 1)
    count = np.searchsorted(key, nth * (n + 1) + ends[box]) - after
    one, other = np.repeat(box, count), box[ranges(after, count)]
    both = (bottom[one] <= top[other]) & (bottom[other] <= top[one])
    # Boxes that share several strips are counted in the first of these.
    both &= np.repeat(nth, count) == np.maximum(lowest[one], lowest[other])
    one, other = one[both], other[both]
    pair = np.sort(np.minimum(one, other) * n + np.maximum(one, other))
    return pair // n, pair % n


def quantile(values: NDArray[np.float64], share: float) -> float:
    """Return the number that a share of some numbers, one at least, lies below; between two, the line joins them.

    As NumPy's, to the last bit; see `median`.
    """
    ordered = np.sort(values, axis=None)
    at = (len(ordered) - 1) * share
    low = int(at)
    one, other = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
    part = at - low
    return other - (other - one) * (1 - part) if part >= _HALF else one + (other - one) * part


def median(values: NDArray[np.float64]) -> float:
    """Return the middle of some numbers; NaN of none, or if one is NaN.

    As NumPy's, which takes far longer for so few and first loads its masked arrays.
    """
    ordered = np.sort(values, axis=None)
    if not len(ordered) or np.isnan(ordered[-1]):
        return float("nan")
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)
