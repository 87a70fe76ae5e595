"""Vertices inserted into lines that are straight in one plane and bent in another."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.degrees import LAST_LON

_MOST_PARTS = 1000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def find_bends(
    xy: Floats,
    of: Ints,
    *,
    to_degrees: Callable[[Floats], Floats],
    to_plane: Callable[[Floats], Floats] | None,
    most: float,
) -> tuple[Floats, Ints]:
    """Return vertices, in degrees, that keep lines straight in their own plane once another plane joins the vertices.

    An edge with a deviation of d in its middle is split into equal parts, as many as the square root of d / `most`,
    since the deviation of a chord from an arc grows with the square of its length.

    Args:
        xy: The vertices of all lines in their own plane, shape (n, 2).
        of: The line of each vertex, in order, shape (n,).
        to_degrees: From that plane to `(lon, lat)`.
        to_plane: From `(lon, lat)` to the plane in which edges will be straight; None if they will be in degrees.
        most: How far from its own straight line an edge may be, in the unit of that plane.

    Returns:
        The vertices to insert, and before which vertex of `xy` each goes, in order.
    """
    edge_starts = np.flatnonzero(of[1:] == of[:-1])
    if not len(edge_starts):
        return np.empty((0, 2)), np.empty(0, dtype=np.int64)
    first_ends, last_ends = xy[edge_starts], xy[edge_starts + 1]
    ends, middles = to_degrees(xy), to_degrees((first_ends + last_ends) / 2)
    if to_plane is not None:
        ends, middles = to_plane(ends), to_plane(middles)
    offsets = middles - (ends[edge_starts] + ends[edge_starts + 1]) / 2
    if to_plane is None:  # between both sides of longitude 180 the mean is half a turn off
        offsets[:, 0] -= np.round(offsets[:, 0] / LAST_LON) * LAST_LON
    offset_lengths = np.hypot(*offsets.T)
    part_counts = (
        np.ceil(np.sqrt(np.where(np.isfinite(offset_lengths), offset_lengths, 0.0) / most))
        .clip(1, _MOST_PARTS)
        .astype(np.int64)
    )
    edge_indices = np.repeat(np.arange(len(edge_starts)), part_counts - 1)
    part_numbers = (
        np.arange(len(edge_indices)) - np.repeat(np.cumsum(part_counts - 1) - (part_counts - 1), part_counts - 1) + 1
    )
    part_shares = (part_numbers / part_counts[edge_indices])[:, None]
    return to_degrees(
        first_ends[edge_indices] * (1 - part_shares) + last_ends[edge_indices] * part_shares
    ), edge_starts[edge_indices] + 1
