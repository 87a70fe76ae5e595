"""Search for crossings of chains, and for vertices within the tolerance of another chain.

Chains are cut into runs of a few segments. For runs with overlapping boxes, the segments in the overlap are compared
in one array operation.
"""

from dataclasses import dataclass

import numpy as np

from mapkit.core.arrays import concatenate_ranges, find_intersecting_boxes
from mapkit.kinds.rail.trace.noding.arrays import Bools, Chains, Floats, Ints, vector_lengths

RUN = 16  # segments in a box
_PARALLEL_SINE = 1e-9  # sine of the angle below which two segments have no crossing, only overlaps
_VERTEX_SHARE = 1e-9  # share of a segment
_ALL_DIRECTIONS = 0xFF  # a bit for each direction along four axes
_MIN_SELF_DISTANCE = 3.0  # tolerances along a chain within which it is not compared with itself


@dataclass(frozen=True)
class NearSegments:
    """Crossings, and vertices near segments of chains.

    Attributes:
        cross_a: Segments that cross, with the share of each at which they do.
        cross_t: See above.
        cross_b: See above.
        cross_u: See above.
        vertex: Vertices within the tolerance of a segment of another (or the same) chain, sorted by chain of the
            segment and vertex, the nearest segment of a chain only.
        seg: The segment that is near.
        frac: The share of the segment at which it is nearest.
        gap: The distance.
    """

    cross_a: Ints
    cross_t: Floats
    cross_b: Ints
    cross_u: Floats
    vertex: Ints
    seg: Ints
    frac: Floats
    gap: Floats


@dataclass(frozen=True)
class RunBoxes:
    """Runs of segments, and the pairs of runs, and of runs and pins, that may be near each other.

    Attributes:
        first: The first segment of each run,
        count: and how many it has.
        low: The least x and y of each, shape (n, 2).
        high: The greatest.
        one: Runs that may be near another one, each pair once,
        other: and that one, which comes later.
        pin: Pins that may be near a run,
        pin_run: and that run.
    """

    first: Ints
    count: Ints
    low: Floats
    high: Floats
    one: Ints
    other: Ints
    pin: Ints
    pin_run: Ints


def make_boxes(chains: Chains, pin_xy: Floats, tolerance: float) -> RunBoxes:
    """Cut chains into runs of up to `RUN` segments."""
    segment_counts = chains.last - chains.first
    run_counts = -(-segment_counts // RUN)
    owner_chain = np.repeat(np.arange(len(segment_counts)), run_counts)
    run_number = np.arange(len(owner_chain)) - np.repeat(np.cumsum(run_counts) - run_counts, run_counts)
    first_segment = chains.first[owner_chain] + run_number * RUN
    segment_count = np.minimum(RUN, chains.last[owner_chain] - first_segment)
    # A run ends where the next one begins, or at the last vertex of its chain.
    end_vertex = first_segment + segment_count
    low, high = (
        np.stack(
            [least(least.reduceat(values, first_segment), values[end_vertex]) for values in (chains.x, chains.y)],
            axis=1,
        )
        for least in (np.minimum, np.maximum)
    )
    half_tolerance = tolerance / 2
    one, other = find_intersecting_boxes(
        np.concatenate([low - half_tolerance, pin_xy - tolerance]),
        np.concatenate([high + half_tolerance, pin_xy + tolerance]),
    )
    is_run_pair, at_pin = other < len(first_segment), (one < len(first_segment)) & (other >= len(first_segment))
    return RunBoxes(
        first_segment,
        segment_count,
        low,
        high,
        one[is_run_pair],
        other[is_run_pair],
        other[at_pin] - len(first_segment),
        one[at_pin],
    )


def find_near(chains: Chains, boxes: RunBoxes, tolerance: float) -> NearSegments:
    """Find crossings and near vertices among chains of the same railroad."""
    a, b = _segment_pairs(chains, boxes, tolerance)
    is_same_chain = chains.of_vertex[a] == chains.of_vertex[b]
    # Segments of one chain only count if they are far apart along the chain.
    is_far_along = chains.arc[np.maximum(a, b)] - chains.arc[np.minimum(a, b) + 1] > _MIN_SELF_DISTANCE * tolerance
    is_candidate = ~is_same_chain | is_far_along
    a, b = a[is_candidate], b[is_candidate]
    cross_a, cross_t, cross_b, cross_u = _find_crossings(chains, a, b)
    vertex = np.concatenate([a, a + 1, b, b + 1])
    seg = np.concatenate([b, b, a, a])
    frac, gap = project_on_segments(chains, seg, chains.xy.take(vertex, axis=0))
    is_near = gap <= tolerance
    vertex, seg, frac, gap = vertex[is_near], seg[is_near], frac[is_near], gap[is_near]
    by_chain_and_gap = np.lexsort((seg, gap, chains.of_vertex[seg].astype(np.int64) * len(chains.x) + vertex))
    vertex, seg, frac, gap = (
        vertex[by_chain_and_gap],
        seg[by_chain_and_gap],
        frac[by_chain_and_gap],
        gap[by_chain_and_gap],
    )
    near_chain = chains.of_vertex[seg]
    is_nearest = np.ones(len(vertex), dtype=bool)
    is_nearest[1:] = (vertex[1:] != vertex[:-1]) | (near_chain[1:] != near_chain[:-1])
    return NearSegments(
        cross_a, cross_t, cross_b, cross_u, vertex[is_nearest], seg[is_nearest], frac[is_nearest], gap[is_nearest]
    )


def project_on_segments(chains: Chains, seg: Ints, points: Floats) -> tuple[Floats, Floats]:
    """Return for each point the nearest share of its segment, and the distance."""
    dx, dy = chains.dx[seg], chains.dy[seg]
    squared_lengths = dx * dx + dy * dy
    away_x, away_y = points[:, 0] - chains.x[seg], points[:, 1] - chains.y[seg]
    dot_products = away_x * dx + away_y * dy
    frac = np.divide(dot_products, squared_lengths, out=np.zeros(len(seg)), where=squared_lengths > 0)
    frac[frac < _VERTEX_SHARE] = 0
    frac[frac > 1 - _VERTEX_SHARE] = 1
    return frac, vector_lengths(away_x - frac * dx, away_y - frac * dy)


def find_near_pins(
    chains: Chains, boxes: RunBoxes, pin_xy: Floats, tolerance: float
) -> tuple[Ints, Ints, Floats, Floats]:
    """Return `(pin, segment, share, distance)` of all chains within the tolerance, each chain's nearest place."""
    count = boxes.count[boxes.pin_run]
    seg = concatenate_ranges(boxes.first[boxes.pin_run], count)
    pin = np.repeat(boxes.pin, count)
    frac, gap = project_on_segments(chains, seg, pin_xy[pin])
    is_near = gap <= tolerance
    pin, seg, frac, gap = pin[is_near], seg[is_near], frac[is_near], gap[is_near]
    by_pin_and_chain = np.lexsort((frac, seg, gap, chains.of_vertex[seg], pin))
    pin, seg, frac, gap = pin[by_pin_and_chain], seg[by_pin_and_chain], frac[by_pin_and_chain], gap[by_pin_and_chain]
    near_chain = chains.of_vertex[seg]
    is_nearest = np.ones(len(pin), dtype=bool)
    is_nearest[1:] = (pin[1:] != pin[:-1]) | (near_chain[1:] != near_chain[:-1])
    return pin[is_nearest], seg[is_nearest], frac[is_nearest], gap[is_nearest]


def _is_monotonic(chains: Chains, boxes: RunBoxes) -> tuple[Bools, Bools]:
    """Return whether each run, alone and with the next one, advances along one of four axes with every segment."""
    direction_bits = np.full(
        len(chains.x), _ALL_DIRECTIONS, dtype=np.uint8
    )  # the last vertex of a chain has no segment
    dx, dy = chains.dx, chains.dy
    direction_bits[:-1] = 0
    for bit, axis_steps in enumerate((dx, dy, dx + dy, dx - dy)):
        direction_bits[:-1] |= (axis_steps > 0).view(np.uint8) << (2 * bit)
        direction_bits[:-1] |= (axis_steps < 0).view(np.uint8) << (2 * bit + 1)
    direction_bits[chains.last] = _ALL_DIRECTIONS
    run_directions = np.bitwise_and.reduceat(direction_bits, boxes.first)
    with_next = np.zeros(len(run_directions), dtype=bool)
    with_next[:-1] = (run_directions[:-1] & run_directions[1:]) > 0
    return run_directions > 0, with_next


def _segment_pairs(chains: Chains, boxes: RunBoxes, tolerance: float) -> tuple[Ints, Ints]:
    """Return pairs of segments with boxes within the tolerance of each other."""
    # Runs that advance along one axis, alone or with the next, do not meet themselves.
    run_a, run_b = boxes.one, boxes.other
    chain = chains.of_vertex[boxes.first]
    railroad = chains.railroad[chain]
    is_candidate = railroad[run_a] == railroad[run_b]
    # A run that goes steadily one way, alone or with the next, does not meet itself.
    alone_monotonic, monotonic_with_next = _is_monotonic(chains, boxes)
    is_candidate &= ~((run_b == run_a + 1) & (chain[run_a] == chain[run_b]) & monotonic_with_next[run_a])
    run_a, run_b, bent_runs = (run_a[is_candidate], run_b[is_candidate], np.flatnonzero(~alone_monotonic))
    window_low = np.maximum(boxes.low[run_a], boxes.low[run_b]) - tolerance
    window_high = np.minimum(boxes.high[run_a], boxes.high[run_b]) + tolerance
    pair_a, a = _segments_in_window(chains, boxes, run_a, window_low, window_high)
    pair_b, b = _segments_in_window(chains, boxes, run_b, window_low, window_high)
    count_b = np.bincount(pair_b, minlength=len(run_a))
    starts_b = np.cumsum(count_b) - count_b
    repeat_counts = count_b[pair_a]
    bent_segments = concatenate_ranges(boxes.first[bent_runs], boxes.count[bent_runs])
    later_counts = (
        np.repeat(boxes.first[bent_runs] + boxes.count[bent_runs], boxes.count[bent_runs]) - bent_segments - 1
    )
    a = np.concatenate([np.repeat(a, repeat_counts), np.repeat(bent_segments, later_counts)])
    b = np.concatenate(
        [b[concatenate_ranges(starts_b[pair_a], repeat_counts)], concatenate_ranges(bent_segments + 1, later_counts)]
    )
    for axis_values in (chains.x, chains.y):
        (start_a, end_a), (start_b, end_b) = (axis_values[a], axis_values[a + 1]), (axis_values[b], axis_values[b + 1])
        is_near = np.minimum(start_a, end_a) - tolerance <= np.maximum(start_b, end_b)
        is_near &= np.minimum(start_b, end_b) - tolerance <= np.maximum(start_a, end_a)
        a, b = a[is_near], b[is_near]
    return a, b


def _segments_in_window(chains: Chains, boxes: RunBoxes, run: Ints, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return `(pair, segment)` of the segments of each pair's run that touch the pair's window with their boxes."""
    segment_counts = boxes.count[run]
    seg = concatenate_ranges(boxes.first[run], segment_counts)
    pair = np.repeat(np.arange(len(run)), segment_counts)
    for axis, axis_values in enumerate((chains.x, chains.y)):
        start, end = axis_values[seg], axis_values[seg + 1]
        is_inside = np.maximum(start, end) >= low[:, axis].take(pair)
        is_inside &= np.minimum(start, end) <= high[:, axis].take(pair)
        pair, seg = pair[is_inside], seg[is_inside]
    return pair, seg


def _find_crossings(chains: Chains, a: Ints, b: Ints) -> tuple[Ints, Floats, Ints, Floats]:
    (a_dx, a_dy), (b_dx, b_dy) = (chains.dx[a], chains.dy[a]), (chains.dx[b], chains.dy[b])
    cross_products = a_dx * b_dy - a_dy * b_dx
    length_products = vector_lengths(a_dx, a_dy) * vector_lengths(b_dx, b_dy)
    is_sure = np.abs(cross_products) > _PARALLEL_SINE * length_products
    away_x, away_y = chains.x[b] - chains.x[a], chains.y[b] - chains.y[a]
    divisor = np.where(is_sure, cross_products, 1.0)
    t = (away_x * b_dy - away_y * b_dx) / divisor
    u = (away_x * a_dy - away_y * a_dx) / divisor
    is_crossing = (
        is_sure & (t >= -_VERTEX_SHARE) & (t <= 1 + _VERTEX_SHARE) & (u >= -_VERTEX_SHARE) & (u <= 1 + _VERTEX_SHARE)
    )
    return a[is_crossing], _snap_to_vertex(t[is_crossing]), b[is_crossing], _snap_to_vertex(u[is_crossing])


def _snap_to_vertex(share: Floats) -> Floats:
    share = np.where(share <= _VERTEX_SHARE, 0.0, share)
    return np.where(share >= 1 - _VERTEX_SHARE, 1.0, share)
