"""Which boxes of many meet, all at once.

The plane is cut into strips about as high as two boxes. In each strip the boxes are in the order of their left sides,
so those that begin within the width of another one follow it.
"""

import numpy as np

from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, ranges


def meeting(low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return each pair of boxes that have a place in common, the lower row first, sorted by it.

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
