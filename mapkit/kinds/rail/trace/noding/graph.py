"""From elementary edges to the graph: nodes of degree two that are not pins are merged away, lines are drawn."""

from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import connected, ranges
from mapkit.kinds.rail.trace.noding.arrays import NO_INTS, Bools, Floats, Ints, Shapes


@dataclass(frozen=True)
class Stretches:
    """Elementary edges: a stretch of a chain between two events, from node `a` to node `b`.

    The vertices strictly between are `first` to `first + count - 1`.
    """

    a: Ints
    b: Ints
    first: Ints
    count: Ints
    railroad: Ints
    source: Ints

    def only(self, keep: Bools) -> "Stretches":
        """Return some of them."""
        return Stretches(
            self.a[keep],
            self.b[keep],
            self.first[keep],
            self.count[keep],
            self.railroad[keep],
            self.source[keep],
        )


def no_stretches() -> Stretches:
    """Return none."""
    return Stretches(NO_INTS, NO_INTS, NO_INTS, NO_INTS, NO_INTS, NO_INTS)


@dataclass(frozen=True)
class Merged:
    """Edges after merging: half-edges in order, `order[starts[i]:starts[i] + sizes[i]]`.

    Half-edge `2 * e` runs along stretch `e`, `2 * e + 1` against it. It is `final` if nothing more can be merged.
    """

    order: Ints
    starts: Ints
    sizes: Ints
    final: bool = True

    def only(self, edges: Ints) -> "Merged":
        """Return some of the edges."""
        sizes = self.sizes[edges]
        return Merged(self.order[ranges(self.starts[edges], sizes)], np.cumsum(sizes) - sizes, sizes)


def unmerged(stretches: int) -> Merged:
    """Return every stretch as an edge."""
    number = np.arange(stretches, dtype=np.int64)
    return Merged(2 * number, number, np.ones(stretches, dtype=np.int64), final=False)


def ends_of(stretches: Stretches, merged: Merged) -> tuple[Ints, Ints]:
    """Return the first and the last node of each edge."""
    head = merged.order[merged.starts]
    tail = merged.order[merged.starts + merged.sizes - 1]
    a = np.where(head % 2 == 1, stretches.b[head // 2], stretches.a[head // 2])
    b = np.where(tail % 2 == 1, stretches.a[tail // 2], stretches.b[tail // 2])
    return a, b


def draw_each(stretches: Stretches, chosen: Ints, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the lines of some stretches, unmerged."""
    return draw(stretches, unmerged(len(stretches.a)).only(chosen), node_xy, chain_xy)


def merge_stretches(stretches: Stretches, fixed: Bools) -> Merged:
    """Join stretches of one railroad that meet at a node where nothing else does.

    Args:
        stretches: What to join.
        fixed: For each node, whether it stays whatever its degree.
    """
    n = len(stretches.a)
    if n == 0:
        return Merged(NO_INTS, NO_INTS, NO_INTS)
    origin = np.empty(2 * n, dtype=np.int64)
    origin[0::2], origin[1::2] = stretches.a, stretches.b
    degree = np.bincount(origin, minlength=len(fixed))
    through = (degree == 2) & ~fixed  # noqa: PLR2004
    halves = np.flatnonzero(through[origin])
    at = halves[np.argsort(origin[halves], kind="stable")].reshape(-1, 2)
    at = at[at[:, 0] ^ 1 != at[:, 1]]  # a loop at its own node stays a loop
    at = at[_breaks_no_ring(stretches, at, n)]
    before = np.full(2 * n, -1, dtype=np.int64)
    before[at[:, 1]] = at[:, 0] ^ 1
    before[at[:, 0]] = at[:, 1] ^ 1
    start, rank = _rank(before)
    # Every edge is found once from each end; the one that starts with the smaller half-edge stays.
    order = np.lexsort((rank, start))
    heads = np.flatnonzero(rank[order] == 0)
    sizes = np.diff(heads, append=2 * n)
    first, final = order[heads], order[heads + sizes - 1]
    keep = first < (final ^ 1)
    return Merged(
        order=order[ranges(heads[keep], sizes[keep])], starts=np.cumsum(sizes[keep]) - sizes[keep], sizes=sizes[keep]
    )


def _breaks_no_ring(stretches: Stretches, at: Ints, n: int) -> Bools:
    """Return which joints to keep: of a ring that nothing else touches, all but that at its first node."""
    keep = np.ones(len(at), dtype=bool)
    if len(at) == 0:
        return keep
    of = connected(at // 2, n)
    of_joint = of[at[:, 0] // 2]
    ring = np.bincount(of_joint, minlength=n) == np.bincount(of, minlength=n)
    inside = np.flatnonzero(ring[of_joint])
    node = np.where(at[inside, 0] % 2 == 0, stretches.a[at[inside, 0] // 2], stretches.b[at[inside, 0] // 2])
    order = inside[np.lexsort((node, of_joint[inside]))]
    head = np.ones(len(order), dtype=bool)
    head[1:] = of_joint[order][1:] != of_joint[order][:-1]
    keep[order[head]] = False
    return keep


def _rank(before: Ints) -> tuple[Ints, Ints]:
    """Return the first half-edge of each one's way and its place on it, by doubling the step."""
    jump = np.where(before < 0, np.arange(len(before)), before)
    rank = (before >= 0).astype(np.int64)
    active = np.flatnonzero(before[jump] >= 0)
    while len(active):
        step = jump[active]
        more, to = rank[step], jump[step]
        rank[active] += more
        jump[active] = to
        active = active[before[to] >= 0]
    return jump, rank


def draw(stretches: Stretches, merged: Merged, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the line of each merged edge; it starts and ends exactly at its nodes."""
    if len(merged.starts) == 0:
        return np.empty(0, dtype=object)
    edge, back = merged.order // 2, merged.order % 2 == 1
    count = stretches.count[edge]
    # Each half-edge gives its starting node and its inner vertices; each edge closes with its last node.
    closes = np.zeros(len(edge), dtype=np.int64)
    last = merged.starts + merged.sizes - 1
    closes[last] = 1
    total = count + 1 + closes
    ends = np.cumsum(total)
    begins = ends - total
    sign = np.where(back, -1, 1)
    inner_first = np.where(back, stretches.first[edge] + count - 1, stretches.first[edge])
    which = np.repeat(sign, total) * np.arange(ends[-1], dtype=np.int64)
    which += np.repeat(inner_first - sign * (begins + 1), total)
    closing = ends[last] - 1
    which[begins] = which[closing] = 0
    xy = chain_xy.take(which, axis=0)
    xy[begins] = node_xy[np.where(back, stretches.b[edge], stretches.a[edge])]
    xy[closing] = node_xy[np.where(back, stretches.a[edge], stretches.b[edge])[last]]
    sizes = np.add.reduceat(total, merged.starts)
    lines = shapely.linestrings(xy, indices=np.repeat(np.arange(len(sizes)), sizes))
    return np.asarray(lines, dtype=np.object_)
