"""What is done to whole pictures: neighbours, smaller copies, blur, distances within, groups of pixels."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Bools = NDArray[np.bool_]
Floats32 = NDArray[np.float32]
Ints32 = NDArray[np.int32]

_FULL: Final = 255


def neighbours(height: int, width: int) -> Iterator[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Yield, for each of the eight neighbours, where pixels have one, and where these neighbours are."""
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                here = slice(max(0, -dy), height + min(0, -dy)), slice(max(0, -dx), width + min(0, -dx))
                there = slice(max(0, dy), height + min(0, dy)), slice(max(0, dx), width + min(0, dx))
                yield here, there


def halved(mask: Bools) -> Floats32:
    """Return a picture of half the size: which share of each two by two pixels is set."""
    height, width = mask.shape[0] // 2 * 2, mask.shape[1] // 2 * 2
    parts = mask[:height, :width].view(np.uint8)
    total = parts[0::2, 0::2] + parts[1::2, 0::2] + parts[0::2, 1::2] + parts[1::2, 1::2]
    return np.asarray(total.astype(np.float32) / 4, np.float32)


def blurred(values: Floats32, sigma: float) -> Floats32:
    """Return values from 0 to 1 blurred, to 1 in 255."""
    image = Image.fromarray(np.rint(values * _FULL).astype(np.uint8))
    return np.asarray(np.asarray(image.filter(ImageFilter.GaussianBlur(sigma)), np.float32) / _FULL, np.float32)


def widened(mask: Bools, reach: int) -> Bools:
    """Return a mask grown by so many pixels to each side, and into the corners."""
    out = mask.copy()
    for axis in (0, 1):
        across = out.swapaxes(0, axis)
        before, left = across.copy(), reach
        while left:  # by doubling: each pass reaches as far as all before it
            step = min(left, reach - left + 1)
            across[step:] |= before[:-step]
            across[:-step] |= before[step:]
            left -= step
            before = across.copy()
    return out


def depths(mask: Bools, most: int) -> Ints32:
    """Return how deep each pixel lies within a mask: the square of the distance to the nearest pixel outside.

    Depths beyond `most` are not told apart. The columns are swept first, then each row sees its neighbours' columns
    (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", 2012, with a bounded reach).
    """
    down = np.where(mask, np.int32(most), np.int32(0))
    for y in range(1, len(down)):
        np.minimum(down[y], down[y - 1] + 1, out=down[y])
    for y in range(len(down) - 2, -1, -1):
        np.minimum(down[y], down[y + 1] + 1, out=down[y])
    column = down * down
    out = column.copy()
    for step in range(1, min(most, out.shape[1])):
        np.minimum(out[:, step:], column[:, :-step] + step * step, out=out[:, step:])
        np.minimum(out[:, :-step], column[:, step:] + step * step, out=out[:, :-step])
    return out


def groups(ys: NDArray[Any], xs: NDArray[Any]) -> list[NDArray[np.int64]]:
    """Return which of some pixels touch each other, also by a corner: the places in the list, group by group.

    Pixels beside each other in a row are one run, so that large patches take little time and memory.
    """
    if len(ys) == 0:
        return []
    order = np.lexsort((xs, ys))
    y, x = ys[order].astype(np.int64), xs[order].astype(np.int64) - int(xs.min()) + 1
    begins = np.concatenate(([True], (np.diff(y) != 0) | (np.diff(x) != 1)))
    firsts = np.flatnonzero(begins)
    lasts = np.concatenate((firsts[1:], [len(y)])) - 1
    row = int(x.max()) + 2
    roots = _roots(y[firsts] * row + x[firsts], y[firsts] * row + x[lasts], row)
    whose = np.empty(len(y), dtype=np.int64)
    whose[order] = roots[np.cumsum(begins) - 1]
    _, earliest, number = np.unique(whose, return_index=True, return_inverse=True)
    whose = earliest[number]
    ranked = np.argsort(whose, kind="stable")
    return np.split(ranked, np.flatnonzero(np.diff(whose[ranked])) + 1)


def _roots(left: NDArray[np.int64], right: NDArray[np.int64], row: int) -> NDArray[np.int64]:
    """Return for each run of pixels the first run of its group; a place is the row times its width, and the column."""
    low = np.searchsorted(right, left + row - 1)
    count = np.maximum(np.searchsorted(left, right + row + 1, side="right") - low, 0)
    above = np.repeat(np.arange(len(left)), count)
    below = np.arange(len(above)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
    parent = list(range(len(left)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in zip(above.tolist(), below.tolist(), strict=True):
        one, other = root(i), root(j)
        parent[max(one, other)] = min(one, other)
    return np.array([root(i) for i in range(len(parent))], dtype=np.int64)
