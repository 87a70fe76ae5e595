"""Operations on whole pictures: neighbours, smaller copies, blur, distance transform, connected components."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mapkit.core.arrays import Ints, lowest_members

Bools = NDArray[np.bool_]
Floats32 = NDArray[np.float32]
Ints32 = NDArray[np.int32]

_MAX_VALUE: Final = 255
_STRIP_HEIGHT: Final = 32
"""Rows that are worked on together: so few that they stay in the processor's cache."""
_ANY_LIGHT: Final = [0] + [_MAX_VALUE] * _MAX_VALUE
"""Table that makes each value but zero white."""


def neighbour_slices(height: int, width: int) -> Iterator[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Yield, for each of the eight directions, the slices of pixels with a neighbour and of these neighbours."""
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                here = slice(max(0, -dy), height + min(0, -dy)), slice(max(0, -dx), width + min(0, -dx))
                there = slice(max(0, dy), height + min(0, dy)), slice(max(0, dx), width + min(0, dx))
                yield here, there


def halve_mask(mask: Bools) -> Floats32:
    """Return a picture of half the size: the share of set pixels in each two by two."""
    height, width = mask.shape[0] // 2 * 2, mask.shape[1] // 2 * 2
    half_pixels = mask[:height, :width].view(np.uint8)
    pixel_counts = half_pixels[0::2, 0::2] + half_pixels[1::2, 0::2] + half_pixels[0::2, 1::2] + half_pixels[1::2, 1::2]
    return np.asarray(pixel_counts.astype(np.float32) / 4, np.float32)


def blur_values(values: Floats32, sigma: float) -> Floats32:
    """Return values from 0 to 1 with Gaussian blur, quantised to 1/255."""
    image = Image.fromarray(np.rint(values * _MAX_VALUE).astype(np.uint8))
    return np.asarray(np.asarray(image.filter(ImageFilter.GaussianBlur(sigma)), np.float32) / _MAX_VALUE, np.float32)


def dilate_mask(mask: Bools, reach: int) -> Bools:
    """Dilate a mask by `reach` pixels to each side, and into the corners."""
    along_rows = Image.fromarray(mask.view(np.uint8) * np.uint8(_MAX_VALUE)).filter(ImageFilter.BoxBlur((reach, 0)))
    along_columns = along_rows.point(_ANY_LIGHT).filter(ImageFilter.BoxBlur((0, reach)))
    return np.asarray(np.asarray(along_columns) > 0)  # a mean above zero has a set pixel in its window


def find_deep_pixels(mask: Bools, least: int, most: int) -> tuple[Ints, Ints, Ints]:
    """Return the pixels of a mask at least `least` from the nearest pixel outside: rows, columns, squared distances.

    Pixels as deep as `most`, at most 180, are left out. The columns are swept first, then each row combines its
    neighbours' columns (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", 2012, with a bounded
    reach).
    """
    column_distance = mask.view(np.uint8) * np.uint8(most)
    for y in range(1, len(column_distance)):
        np.minimum(column_distance[y], column_distance[y - 1] + 1, out=column_distance[y])
    for y in range(len(column_distance) - 2, -1, -1):
        np.minimum(column_distance[y], column_distance[y + 1] + 1, out=column_distance[y])
    deep_pixels: list[tuple[Ints, Ints, Ints]] = []
    for top in range(0, len(column_distance), _STRIP_HEIGHT):
        squared_column = column_distance[top : top + _STRIP_HEIGHT].astype(np.uint16) ** 2
        squared_distance = squared_column.copy()
        for step in range(1, min(most, mask.shape[1])):
            square = np.uint16(step * step)
            np.minimum(squared_distance[:, step:], squared_column[:, :-step] + square, out=squared_distance[:, step:])
            np.minimum(squared_distance[:, :-step], squared_column[:, step:] + square, out=squared_distance[:, :-step])
        ys, xs = np.nonzero((squared_distance >= least * least) & (squared_distance < most * most))
        deep_pixels.append((ys + top, xs, squared_distance[ys, xs].astype(np.int64)))
    rows, columns, squared_distances = (np.concatenate(parts) for parts in zip(*deep_pixels, strict=True))
    return rows, columns, squared_distances


def connected_components(ys: NDArray[Any], xs: NDArray[Any]) -> list[NDArray[np.int64]]:
    """Return the connected components of pixels (8-neighbourhood), as indices into the list.

    Works on runs of adjacent pixels in a row, so that large patches take little time and memory.
    """
    if len(ys) == 0:
        return []
    row_order = np.lexsort((xs, ys))
    y, x = ys[row_order].astype(np.int64), xs[row_order].astype(np.int64) - int(xs.min()) + 1
    is_run_start = np.concatenate(([True], (np.diff(y) != 0) | (np.diff(x) != 1)))
    first_pixels = np.flatnonzero(is_run_start)
    last_pixels = np.concatenate((first_pixels[1:], [len(y)])) - 1
    row_width = int(x.max()) + 2
    run_roots = _find_roots(
        y[first_pixels] * row_width + x[first_pixels], y[first_pixels] * row_width + x[last_pixels], row_width
    )
    group_of_pixel = np.empty(len(y), dtype=np.int64)
    group_of_pixel[row_order] = run_roots[np.cumsum(is_run_start) - 1]
    _, earliest_pixel, group_number = np.unique(group_of_pixel, return_index=True, return_inverse=True)
    group_of_pixel = earliest_pixel[group_number]
    by_group = np.argsort(group_of_pixel, kind="stable")
    return np.split(by_group, np.flatnonzero(np.diff(group_of_pixel[by_group])) + 1)


def _find_roots(left: NDArray[np.int64], right: NDArray[np.int64], row: int) -> NDArray[np.int64]:
    """Return the first run of the component of each run of pixels, joined over adjacent rows."""
    first_touching = np.searchsorted(right, left + row - 1)
    touching_counts = np.maximum(np.searchsorted(left, right + row + 1, side="right") - first_touching, 0)
    upper_run = np.repeat(np.arange(len(left)), touching_counts)
    lower_run = (
        np.arange(len(upper_run))
        - np.repeat(np.cumsum(touching_counts) - touching_counts, touching_counts)
        + np.repeat(first_touching, touching_counts)
    )
    return lowest_members(np.stack([upper_run, lower_run], axis=1), len(left))
