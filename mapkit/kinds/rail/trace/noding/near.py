"""Where chains cross, and which vertices lie within the tolerance of another chain.

Chains are cut into runs of a few segments; of runs whose boxes meet, only what lies in the overlap of the two is
compared, segment by segment, in one array operation.
"""

from dataclasses import dataclass

import numpy as np

from mapkit.core.arrays import meeting, ranges
from mapkit.kinds.rail.trace.noding.arrays import Bools, Chains, Floats, Ints, norms

RUN = 16  # segments in a box
_PARALLEL = 1e-9  # sine of the angle below which two segments have no crossing, only overlaps
_ON_VERTEX = 1e-9  # share of a segment
_EVERY_WAY = 0xFF  # a bit for each way along four axes
_SAME_LINE = 3.0  # tolerances along a chain within which it is not compared with itself


@dataclass(frozen=True)
class Near:
    """What lies close.

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
class Boxes:
    """Runs of segments, and which of them may be near each other or near a pin.

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


def make_boxes(chains: Chains, pin_xy: Floats, tolerance: float) -> Boxes:
    """Cut chains into runs of up to `RUN` segments."""
    segs = chains.last - chains.first
    runs = -(-segs // RUN)
    owner = np.repeat(np.arange(len(segs)), runs)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(runs) - runs, runs)
    first = chains.first[owner] + nth * RUN
    count = np.minimum(RUN, chains.last[owner] - first)
    # A run ends where the next one begins, or at the last vertex of its chain.
    ends = first + count
    low, high = (
        np.stack([least(least.reduceat(values, first), values[ends]) for values in (chains.x, chains.y)], axis=1)
        for least in (np.minimum, np.maximum)
    )
    half = tolerance / 2
    one, other = meeting(
        np.concatenate([low - half, pin_xy - tolerance]), np.concatenate([high + half, pin_xy + tolerance])
    )
    among, at_pin = other < len(first), (one < len(first)) & (other >= len(first))
    return Boxes(first, count, low, high, one[among], other[among], other[at_pin] - len(first), one[at_pin])


def find_near(chains: Chains, boxes: Boxes, tolerance: float) -> Near:
    """Find crossings and near vertices among chains of the same railroad."""
    a, b = _segment_pairs(chains, boxes, tolerance)
    same = chains.of_vertex[a] == chains.of_vertex[b]
    # Nothing is near itself: segments of one chain count if the way between them along the chain is long.
    apart = chains.arc[np.maximum(a, b)] - chains.arc[np.minimum(a, b) + 1] > _SAME_LINE * tolerance
    keep = ~same | apart
    a, b = a[keep], b[keep]
    cross_a, cross_t, cross_b, cross_u = _crossings(chains, a, b)
    vertex = np.concatenate([a, a + 1, b, b + 1])
    seg = np.concatenate([b, b, a, a])
    frac, gap = project(chains, seg, chains.xy.take(vertex, axis=0))
    near = gap <= tolerance
    vertex, seg, frac, gap = vertex[near], seg[near], frac[near], gap[near]
    order = np.lexsort((seg, gap, chains.of_vertex[seg].astype(np.int64) * len(chains.x) + vertex))
    vertex, seg, frac, gap = vertex[order], seg[order], frac[order], gap[order]
    chain = chains.of_vertex[seg]
    best = np.ones(len(vertex), dtype=bool)
    best[1:] = (vertex[1:] != vertex[:-1]) | (chain[1:] != chain[:-1])
    return Near(cross_a, cross_t, cross_b, cross_u, vertex[best], seg[best], frac[best], gap[best])


def project(chains: Chains, seg: Ints, points: Floats) -> tuple[Floats, Floats]:
    """Return for each point the share of its segment at which it is nearest, and the distance."""
    dx, dy = chains.dx[seg], chains.dy[seg]
    square = dx * dx + dy * dy
    away_x, away_y = points[:, 0] - chains.x[seg], points[:, 1] - chains.y[seg]
    along = away_x * dx + away_y * dy
    frac = np.divide(along, square, out=np.zeros(len(seg)), where=square > 0)
    frac[frac < _ON_VERTEX] = 0
    frac[frac > 1 - _ON_VERTEX] = 1
    return frac, norms(away_x - frac * dx, away_y - frac * dy)


def near_pins(chains: Chains, boxes: Boxes, pin_xy: Floats, tolerance: float) -> tuple[Ints, Ints, Floats, Floats]:
    """Return `(pin, segment, share, distance)` of all chains within the tolerance, each chain's nearest place."""
    count = boxes.count[boxes.pin_run]
    seg = ranges(boxes.first[boxes.pin_run], count)
    pin = np.repeat(boxes.pin, count)
    frac, gap = project(chains, seg, pin_xy[pin])
    near = gap <= tolerance
    pin, seg, frac, gap = pin[near], seg[near], frac[near], gap[near]
    order = np.lexsort((frac, seg, gap, chains.of_vertex[seg], pin))
    pin, seg, frac, gap = pin[order], seg[order], frac[order], gap[order]
    chain = chains.of_vertex[seg]
    best = np.ones(len(pin), dtype=bool)
    best[1:] = (pin[1:] != pin[:-1]) | (chain[1:] != chain[:-1])
    return pin[best], seg[best], frac[best], gap[best]


def _run_pairs(chains: Chains, boxes: Boxes) -> tuple[Ints, Ints, Ints]:
    """Return pairs of runs that may have something near each other, and the runs that may have in themselves."""
    one, other = boxes.one, boxes.other
    chain = chains.of_vertex[boxes.first]
    railroad = chains.railroad[chain]
    keep = railroad[one] == railroad[other]
    # A run that goes steadily one way, alone or with the next, does not meet itself.
    alone, with_next = _steady(chains, boxes)
    keep &= ~((other == one + 1) & (chain[one] == chain[other]) & with_next[one])
    return one[keep], other[keep], np.flatnonzero(~alone)


def _steady(chains: Chains, boxes: Boxes) -> tuple[Bools, Bools]:
    """Whether each run, alone and with the next one, makes way along one of four axes with every segment."""
    ways = np.full(len(chains.x), _EVERY_WAY, dtype=np.uint8)  # the last vertex of a chain has no segment
    dx, dy = chains.dx, chains.dy
    ways[:-1] = 0
    for bit, along in enumerate((dx, dy, dx + dy, dx - dy)):
        ways[:-1] |= (along > 0).view(np.uint8) << (2 * bit)
        ways[:-1] |= (along < 0).view(np.uint8) << (2 * bit + 1)
    ways[chains.last] = _EVERY_WAY
    steady = np.bitwise_and.reduceat(ways, boxes.first)
    with_next = np.zeros(len(steady), dtype=bool)
    with_next[:-1] = (steady[:-1] & steady[1:]) > 0
    return steady > 0, with_next


def _segment_pairs(chains: Chains, boxes: Boxes, tolerance: float) -> tuple[Ints, Ints]:
    """Return pairs of segments whose boxes are within the tolerance."""
    one, other, bent = _run_pairs(chains, boxes)
    low = np.maximum(boxes.low[one], boxes.low[other]) - tolerance
    high = np.minimum(boxes.high[one], boxes.high[other]) + tolerance
    pair_a, a = _inside(chains, boxes, one, low, high)
    pair_b, b = _inside(chains, boxes, other, low, high)
    count_b = np.bincount(pair_b, minlength=len(one))
    starts_b = np.cumsum(count_b) - count_b
    times = count_b[pair_a]
    inside = ranges(boxes.first[bent], boxes.count[bent])
    later = np.repeat(boxes.first[bent] + boxes.count[bent], boxes.count[bent]) - inside - 1
    a = np.concatenate([np.repeat(a, times), np.repeat(inside, later)])
    b = np.concatenate([b[ranges(starts_b[pair_a], times)], ranges(inside + 1, later)])
    for along in (chains.x, chains.y):
        (start_a, end_a), (start_b, end_b) = (along[a], along[a + 1]), (along[b], along[b + 1])
        near = np.minimum(start_a, end_a) - tolerance <= np.maximum(start_b, end_b)
        near &= np.minimum(start_b, end_b) - tolerance <= np.maximum(start_a, end_a)
        a, b = a[near], b[near]
    return a, b


def _inside(chains: Chains, boxes: Boxes, run: Ints, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return `(pair, segment)` of the segments of each pair's run whose boxes touch the pair's window."""
    count = boxes.count[run]
    seg = ranges(boxes.first[run], count)
    pair = np.repeat(np.arange(len(run)), count)
    for axis, along in enumerate((chains.x, chains.y)):
        start, end = along[seg], along[seg + 1]
        keep = np.maximum(start, end) >= low[:, axis].take(pair)
        keep &= np.minimum(start, end) <= high[:, axis].take(pair)
        pair, seg = pair[keep], seg[keep]
    return pair, seg


def _crossings(chains: Chains, a: Ints, b: Ints) -> tuple[Ints, Floats, Ints, Floats]:
    (a_dx, a_dy), (b_dx, b_dy) = (chains.dx[a], chains.dy[a]), (chains.dx[b], chains.dy[b])
    across = a_dx * b_dy - a_dy * b_dx
    size = norms(a_dx, a_dy) * norms(b_dx, b_dy)
    sure = np.abs(across) > _PARALLEL * size
    away_x, away_y = chains.x[b] - chains.x[a], chains.y[b] - chains.y[a]
    divisor = np.where(sure, across, 1.0)
    t = (away_x * b_dy - away_y * b_dx) / divisor
    u = (away_x * a_dy - away_y * a_dx) / divisor
    hit = sure & (t >= -_ON_VERTEX) & (t <= 1 + _ON_VERTEX) & (u >= -_ON_VERTEX) & (u <= 1 + _ON_VERTEX)
    return a[hit], _to_vertex(t[hit]), b[hit], _to_vertex(u[hit])


def _to_vertex(share: Floats) -> Floats:
    share = np.where(share <= _ON_VERTEX, 0.0, share)
    return np.where(share >= 1 - _ON_VERTEX, 1.0, share)
