"""Test of whether a line lies within the tolerance of another along its whole length, not only at vertices.

All vertices of a line may be near another one while it cuts across between two bends of the other. The part of a
segment near one segment of the other line is an interval, because the neighbourhood of a segment is convex. The
intervals of all its segments together must cover the segment.
"""

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, Ints, Shapes, to_lines, vector_lengths

_SLACK = 1e-9  # share of a segment, and of the tolerance


def is_covered_by(lines: Shapes, others: Shapes, tolerance: float) -> Bools:
    """Return for each line whether all of it is within the tolerance of the other one in its row."""
    ends, row = _split_segments(lines)
    other_ends, other_row = _split_segments(others)
    reach = tolerance * (1 + _SLACK)
    boxes = to_lines(np.stack([ends.min(axis=1) - reach, ends.max(axis=1) + reach], axis=1))
    own_segment, near_segment = shapely.STRtree(to_lines(other_ends)).query(boxes)
    same_row = row[own_segment] == other_row[near_segment]
    own_segment, near_segment = own_segment[same_row], near_segment[same_row]
    low_share, high_share = _near_interval(ends[own_segment], other_ends[near_segment], reach)
    is_near = high_share >= low_share
    own_segment, low_share, high_share = own_segment[is_near], low_share[is_near], high_share[is_near]
    by_low_share = np.lexsort((low_share, own_segment))
    own_segment, low_share, high_share = own_segment[by_low_share], low_share[by_low_share], high_share[by_low_share]
    reached_share = np.maximum.accumulate(high_share + 2.0 * own_segment) - 2.0 * own_segment
    reached_before = np.zeros(len(own_segment))
    is_same_segment = own_segment[1:] == own_segment[:-1]
    reached_before[1:][is_same_segment] = reached_share[:-1][is_same_segment]
    is_last = np.append(~is_same_segment, True)[: len(own_segment)]
    is_covered = np.zeros(len(ends), dtype=bool)
    is_covered[own_segment[is_last]] = reached_share[is_last] >= 1 - _SLACK
    is_covered[own_segment[low_share > reached_before + _SLACK]] = False
    covered_lines = np.ones(len(lines), dtype=bool)
    covered_lines[row[~is_covered]] = False
    return covered_lines


def _split_segments(lines: Shapes) -> tuple[Floats, Ints]:
    """Return the ends of all segments, shape (n, 2, 2), and the row of the line of each."""
    xy, row = shapely.get_coordinates(lines, return_index=True)
    is_segment = row[1:] == row[:-1]
    ends = np.stack([xy[:-1], xy[1:]], axis=1)
    return ends.compress(is_segment, axis=0), row[:-1][is_segment]


def _near_interval(ends: Floats, others: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return the first and last share of a segment that is near another; the first is greater if none is."""
    start, step = ends[:, 0], ends[:, 1] - ends[:, 0]
    other_vectors = others[:, 1] - others[:, 0]
    other_lengths = vector_lengths(other_vectors[:, 0], other_vectors[:, 1])
    unit_vectors = np.divide(
        other_vectors, other_lengths[:, None], out=np.zeros_like(other_vectors), where=other_lengths[:, None] > 0
    )
    start_offsets = start - others[:, 0]
    slab_shares = [
        _shares_between(
            (start_offsets * unit_vectors).sum(axis=1),
            (step * unit_vectors).sum(axis=1),
            np.where(other_lengths > 0, 0.0, np.inf),
            other_lengths,
        ),
        _shares_between(
            _cross_product(start_offsets, unit_vectors),
            _cross_product(step, unit_vectors),
            np.full(len(ends), -reach),
            np.full(len(ends), reach),
        ),
    ]
    near_parts = [(np.maximum(slab_shares[0][0], slab_shares[1][0]), np.minimum(slab_shares[0][1], slab_shares[1][1]))]
    near_parts += [_shares_in_disc(start - others[:, end], step, reach) for end in (0, 1)]
    empty_parts = [low_share > high_share for low_share, high_share in near_parts]
    low_share = np.minimum.reduce(
        [np.where(is_empty, np.inf, part[0]) for is_empty, part in zip(empty_parts, near_parts, strict=True)]
    )
    high_share = np.maximum.reduce(
        [np.where(is_empty, -np.inf, part[1]) for is_empty, part in zip(empty_parts, near_parts, strict=True)]
    )
    return np.maximum(low_share, 0.0), np.minimum(high_share, 1.0)


def _cross_product(one: Floats, other: Floats) -> Floats:
    cross_products: Floats = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return cross_products


def _shares_between(start: Floats, step: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the range of shares with `start + share * step` from low to high."""
    is_moving = step != 0
    divisor = np.where(is_moving, step, 1.0)
    share_at_low, share_at_high = (low - start) / divisor, (high - start) / divisor
    always_between = (start >= low) & (start <= high)
    return (
        np.where(is_moving, np.minimum(share_at_low, share_at_high), np.where(always_between, -np.inf, np.inf)),
        np.where(is_moving, np.maximum(share_at_low, share_at_high), np.where(always_between, np.inf, -np.inf)),
    )


def _shares_in_disc(away: Floats, step: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return the range of shares with `away + share * step` no longer than `reach`."""
    squared_step = (step * step).sum(axis=1)
    is_moving = squared_step > 0
    divisor = np.where(is_moving, squared_step, 1.0)
    middle_share = -(away * step).sum(axis=1) / divisor
    squared_gap = _cross_product(away, step) ** 2 / divisor
    half_width = np.sqrt(np.maximum(reach * reach - squared_gap, 0.0) / divisor)
    is_hit = np.where(is_moving, squared_gap <= reach * reach, (away * away).sum(axis=1) <= reach * reach)
    low_share, high_share = (
        np.where(is_moving, middle_share - half_width, -np.inf),
        np.where(is_moving, middle_share + half_width, np.inf),
    )
    return np.where(is_hit, low_share, np.inf), np.where(is_hit, high_share, -np.inf)
