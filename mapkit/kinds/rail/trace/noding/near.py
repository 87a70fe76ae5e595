"""Where chains cross, and which vertices lie within the tolerance of another chain.

Chains are cut into runs of a few segments; a tree of the runs' boxes gives pairs of runs, and only what lies in
the overlap of two boxes is compared, segment by segment, in one array operation.
"""

from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Bools, Chains, Floats, Ints, Shapes, ranges, to_lines

RUN = 16  # segments in a box
_PARALLEL = 1e-9  # sine of the angle below which two segments have no crossing, only overlaps
_ON_VERTEX = 1e-9  # share of a segment
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
    """Runs of segments: the first segment, how many, the bounds, and the tree of the widened bounds."""

    first: Ints
    count: Ints
    low: Floats
    high: Floats
    tree: shapely.STRtree
    shapes: Shapes


def make_boxes(chains: Chains, tolerance: float) -> Boxes:
    """Cut chains into runs of up to `RUN` segments, boxes widened by half the tolerance on each side."""
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
    shapes = to_lines(np.stack([low - half, high + half], axis=1))
    return Boxes(first=first, count=count, low=low, high=high, tree=shapely.STRtree(shapes), shapes=shapes)


def find_near(chains: Chains, boxes: Boxes, tolerance: float) -> Near:
    """Find crossings and near vertices among chains of the same railroad."""
    one, other = _run_pairs(chains, boxes)
    a, b = _segment_pairs(chains, boxes, one, other, tolerance)
    same = chains.of_vertex[a] == chains.of_vertex[b]
    # Nothing is near itself: segments of one chain count if the way between them along the chain is long.
    apart = chains.arc[np.maximum(a, b)] - chains.arc[np.minimum(a, b) + 1] > _SAME_LINE * tolerance
    keep = ~same | apart
    a, b = a[keep], b[keep]
    cross_a, cross_t, cross_b, cross_u = _crossings(chains, a, b)
    vertex = np.concatenate([a, a + 1, b, b + 1])
    seg = np.concatenate([b, b, a, a])
    frac, gap = project(chains, seg, chains.xy[vertex])
    near = gap <= tolerance
    vertex, seg, frac, gap = vertex[near], seg[near], frac[near], gap[near]
    order = np.lexsort((frac, seg, gap, vertex, chains.of_vertex[seg]))
    vertex, seg, frac, gap = vertex[order], seg[order], frac[order], gap[order]
    chain = chains.of_vertex[seg]
    best = np.ones(len(vertex), dtype=bool)
    best[1:] = (vertex[1:] != vertex[:-1]) | (chain[1:] != chain[:-1])
    return Near(cross_a, cross_t, cross_b, cross_u, vertex[best], seg[best], frac[best], gap[best])


def project(chains: Chains, seg: Ints, points: Floats) -> tuple[Floats, Floats]:
    """Return for each point the share of its segment at which it is nearest, and the distance."""
    p = chains.xy[seg]
    r = chains.xy[seg + 1] - p
    square = r[:, 0] ** 2 + r[:, 1] ** 2
    away = points - p
    along = away[:, 0] * r[:, 0] + away[:, 1] * r[:, 1]
    frac = np.clip(np.divide(along, square, out=np.zeros(len(seg)), where=square > 0), 0, 1)
    frac[frac < _ON_VERTEX] = 0
    frac[frac > 1 - _ON_VERTEX] = 1
    return frac, np.hypot(away[:, 0] - frac * r[:, 0], away[:, 1] - frac * r[:, 1])


def near_points(chains: Chains, boxes: Boxes, points: Floats, tolerance: float) -> tuple[Ints, Ints, Floats, Floats]:
    """Return `(point, segment, share, distance)` of all chains within the tolerance, each chain's nearest place."""
    shapes = to_lines(np.stack([points - tolerance, points + tolerance], axis=1))
    point, box = boxes.tree.query(shapes)
    count = boxes.count[box]
    seg = ranges(boxes.first[box], count)
    point = np.repeat(point, count)
    frac, gap = project(chains, seg, points[point])
    near = gap <= tolerance
    point, seg, frac, gap = point[near], seg[near], frac[near], gap[near]
    order = np.lexsort((frac, seg, gap, chains.of_vertex[seg], point))
    point, seg, frac, gap = point[order], seg[order], frac[order], gap[order]
    chain = chains.of_vertex[seg]
    best = np.ones(len(point), dtype=bool)
    best[1:] = (point[1:] != point[:-1]) | (chain[1:] != chain[:-1])
    return point[best], seg[best], frac[best], gap[best]


def _run_pairs(chains: Chains, boxes: Boxes) -> tuple[Ints, Ints]:
    """Return pairs of runs that may hold something near, without those that cannot."""
    one, other = boxes.tree.query(boxes.shapes)
    keep = one <= other
    one, other = one[keep], other[keep]
    chain_one, chain_other = chains.of_vertex[boxes.first[one]], chains.of_vertex[boxes.first[other]]
    keep = chains.railroad[chain_one] == chains.railroad[chain_other]
    # A run that goes steadily one way, alone or with the next, does not meet itself.
    alone, with_next = _steady(chains, boxes)
    keep &= ~((one == other) & alone[one])
    keep &= ~((other == one + 1) & (chain_one == chain_other) & with_next[one])
    return one[keep], other[keep]


def _steady(chains: Chains, boxes: Boxes) -> tuple[Bools, Bools]:
    """Whether each run, alone and with the next one, makes way along one of four axes with every segment."""
    dx, dy = np.diff(chains.x, append=0.0), np.diff(chains.y, append=0.0)
    alone = np.zeros(len(boxes.first), dtype=bool)
    with_next = alone.copy()
    for along in (dx, dy, dx + dy, dx - dy):
        along[chains.last] = np.inf  # no segment
        ahead = np.minimum.reduceat(along, boxes.first) > 0
        along[chains.last] = -np.inf
        back = np.maximum.reduceat(along, boxes.first) < 0
        for steady in (ahead, back):
            alone |= steady
            with_next[:-1] |= steady[:-1] & steady[1:]
    return alone, with_next


def _segment_pairs(chains: Chains, boxes: Boxes, one: Ints, other: Ints, tolerance: float) -> tuple[Ints, Ints]:
    """Return pairs of segments whose boxes are within the tolerance."""
    low = np.maximum(boxes.low[one], boxes.low[other]) - tolerance
    high = np.minimum(boxes.high[one], boxes.high[other]) + tolerance
    pair_a, a = _inside(chains, boxes, one, low, high)
    pair_b, b = _inside(chains, boxes, other, low, high)
    count_b = np.bincount(pair_b, minlength=len(one))
    starts_b = np.cumsum(count_b) - count_b
    times = count_b[pair_a]
    a = np.repeat(a, times)
    b = b[ranges(starts_b[pair_a], times)]
    mine = np.repeat((one == other)[pair_a], times)
    near = np.ones(len(a), dtype=bool)
    for along in (chains.x, chains.y):
        (start_a, end_a), (start_b, end_b) = (along[a], along[a + 1]), (along[b], along[b + 1])
        near &= np.minimum(start_a, end_a) - tolerance <= np.maximum(start_b, end_b)
        near &= np.minimum(start_b, end_b) - tolerance <= np.maximum(start_a, end_a)
    near &= ~mine | (a < b)
    return a[near], b[near]


def _inside(chains: Chains, boxes: Boxes, run: Ints, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return `(pair, segment)` of the segments of each pair's run whose boxes touch the pair's window."""
    count = boxes.count[run]
    seg = ranges(boxes.first[run], count)
    pair = np.repeat(np.arange(len(run)), count)
    keep = np.ones(len(seg), dtype=bool)
    for axis, along in enumerate((chains.x, chains.y)):
        start, end = along[seg], along[seg + 1]
        keep &= np.maximum(start, end) >= np.repeat(low[:, axis], count)
        keep &= np.minimum(start, end) <= np.repeat(high[:, axis], count)
    return pair[keep], seg[keep]


def _crossings(chains: Chains, a: Ints, b: Ints) -> tuple[Ints, Floats, Ints, Floats]:
    p, q = chains.xy[a], chains.xy[b]
    r, s = chains.xy[a + 1] - p, chains.xy[b + 1] - q
    across = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    size = np.hypot(r[:, 0], r[:, 1]) * np.hypot(s[:, 0], s[:, 1])
    sure = np.abs(across) > _PARALLEL * size
    away = q - p
    divisor = np.where(sure, across, 1.0)
    t = (away[:, 0] * s[:, 1] - away[:, 1] * s[:, 0]) / divisor
    u = (away[:, 0] * r[:, 1] - away[:, 1] * r[:, 0]) / divisor
    hit = sure & (t >= -_ON_VERTEX) & (t <= 1 + _ON_VERTEX) & (u >= -_ON_VERTEX) & (u <= 1 + _ON_VERTEX)
    return a[hit], _to_vertex(t[hit]), b[hit], _to_vertex(u[hit])


def _to_vertex(share: Floats) -> Floats:
    share = np.where(share <= _ON_VERTEX, 0.0, share)
    return np.where(share >= 1 - _ON_VERTEX, 1.0, share)
