"""Whether a line lies within the tolerance of another one everywhere, not at its vertices only.

A line may have every vertex near another one and still cut across between two of its bends. The places of a segment
that are near one segment of the other line are an interval (what is near a segment is convex); those of all its
segments together must cover it.
"""

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, Ints, Shapes, norms, to_lines

_SLACK = 1e-9  # share of a segment, and of the tolerance


def covered(lines: Shapes, others: Shapes, tolerance: float) -> Bools:
    """Return for each line whether all of it is within the tolerance of the other one in its row."""
    ends, row = _segments(lines)
    other_ends, other_row = _segments(others)
    reach = tolerance * (1 + _SLACK)
    boxes = to_lines(np.stack([ends.min(axis=1) - reach, ends.max(axis=1) + reach], axis=1))
    mine, near = shapely.STRtree(to_lines(other_ends)).query(boxes)
    pairs = row[mine] == other_row[near]
    mine, near = mine[pairs], near[pairs]
    low, high = _interval(ends[mine], other_ends[near], reach)
    some = high >= low
    mine, low, high = mine[some], low[some], high[some]
    order = np.lexsort((low, mine))
    mine, low, high = mine[order], low[order], high[order]
    reached = np.maximum.accumulate(high + 2.0 * mine) - 2.0 * mine
    before = np.zeros(len(mine))
    same = mine[1:] == mine[:-1]
    before[1:][same] = reached[:-1][same]
    last = np.append(~same, True)[: len(mine)]
    full = np.zeros(len(ends), dtype=bool)
    full[mine[last]] = reached[last] >= 1 - _SLACK
    full[mine[low > before + _SLACK]] = False
    out = np.ones(len(lines), dtype=bool)
    out[row[~full]] = False
    return out


def _segments(lines: Shapes) -> tuple[Floats, Ints]:
    """Return the ends of all segments, shape (n, 2, 2), and the row of the line of each."""
    xy, row = shapely.get_coordinates(lines, return_index=True)
    inside = row[1:] == row[:-1]
    ends = np.stack([xy[:-1], xy[1:]], axis=1)
    return ends.compress(inside, axis=0), row[:-1][inside]


def _interval(ends: Floats, others: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return from which to which share a segment is near another one; nowhere if the first is the greater."""
    start, step = ends[:, 0], ends[:, 1] - ends[:, 0]
    along = others[:, 1] - others[:, 0]
    length = norms(along[:, 0], along[:, 1])
    unit = np.divide(along, length[:, None], out=np.zeros_like(along), where=length[:, None] > 0)
    away = start - others[:, 0]
    slab = [
        _between((away * unit).sum(axis=1), (step * unit).sum(axis=1), np.where(length > 0, 0.0, np.inf), length),
        _between(_across(away, unit), _across(step, unit), np.full(len(ends), -reach), np.full(len(ends), reach)),
    ]
    parts = [(np.maximum(slab[0][0], slab[1][0]), np.minimum(slab[0][1], slab[1][1]))]
    parts += [_in_disc(start - others[:, end], step, reach) for end in (0, 1)]
    empty = [low > high for low, high in parts]
    low = np.minimum.reduce([np.where(none, np.inf, part[0]) for none, part in zip(empty, parts, strict=True)])
    high = np.maximum.reduce([np.where(none, -np.inf, part[1]) for none, part in zip(empty, parts, strict=True)])
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _across(one: Floats, other: Floats) -> Floats:
    out: Floats = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return out


def _between(start: Floats, step: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the shares at which `start + share * step` is from low to high."""
    moves = step != 0
    divisor = np.where(moves, step, 1.0)
    one, other = (low - start) / divisor, (high - start) / divisor
    always = (start >= low) & (start <= high)
    return (
        np.where(moves, np.minimum(one, other), np.where(always, -np.inf, np.inf)),
        np.where(moves, np.maximum(one, other), np.where(always, np.inf, -np.inf)),
    )


def _in_disc(away: Floats, step: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return the shares at which `away + share * step` is no longer than `reach`."""
    square = (step * step).sum(axis=1)
    moves = square > 0
    divisor = np.where(moves, square, 1.0)
    middle = -(away * step).sum(axis=1) / divisor
    gap = _across(away, step) ** 2 / divisor
    half = np.sqrt(np.maximum(reach * reach - gap, 0.0) / divisor)
    hit = np.where(moves, gap <= reach * reach, (away * away).sum(axis=1) <= reach * reach)
    low, high = np.where(moves, middle - half, -np.inf), np.where(moves, middle + half, np.inf)
    return np.where(hit, low, np.inf), np.where(hit, high, -np.inf)
