"""Least ways from some nodes of a network to all others, by numpy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import distinct

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def least_ways(ends: Ints, lengths: Floats, count: int, sources: Sequence[int] | Ints, *, back: bool = True) -> Floats:
    """Return the least length of a way from each source to each node, shape (sources, count); inf where there is none.

    From all sources at once, nodes that came nearer tell their neighbours (Bellman 1958, with a queue).

    Args:
        ends: The two nodes of each link, shape (m, 2).
        lengths: The length of each link, 0 or more, shape (m,).
        count: How many nodes there are.
        sources: Nodes.
        back: A link leads from its second node to its first too.
    """
    start, end, length = _arcs(ends, lengths, back=back)
    degree = np.bincount(start, minlength=count)
    first = np.cumsum(degree) - degree
    least = np.full(len(sources) * count, np.inf)
    now = np.arange(len(sources)) * count + np.asarray(sources, dtype=np.int64)
    least[now] = 0.0
    while len(now):
        node = now % count
        links = degree[node]
        link = np.arange(int(links.sum())) + np.repeat(first[node] - np.cumsum(links) + links, links)
        to = np.repeat(now - node, links) + end[link]
        way = np.repeat(least[now], links) + length[link]
        nearer = way < least[to]
        to = to[nearer]
        np.minimum.at(least, to, way[nearer])
        now = distinct(to)
    return least.reshape(len(sources), count)


def nodes_before(ends: Ints, lengths: Floats, least: Floats, *, back: bool = True) -> Ints:
    """Return the node before each node on the least way to it from each source; -1 at sources and where is no way.

    Of equal ways, the one counts whose last node but one is nearest to the source, then is the lowest.

    Args:
        ends: The two nodes of each link, shape (m, 2).
        lengths: The length of each link, more than 0, shape (m,).
        least: What `least_ways` returned for them.
        back: As for `least_ways`.
    """
    start, end, length = _arcs(ends, lengths, back=back)
    before = np.full(least.shape, -1, dtype=np.int64)
    for to, found in zip(least, before, strict=True):
        on = np.flatnonzero((to[start] + length == to[end]) & np.isfinite(to[end]))
        on = on[np.lexsort((start[on], to[start[on]]))[::-1]]
        found[end[on]] = start[on]  # the last one stays
    return before


def _arcs(ends: Ints, lengths: Floats, *, back: bool) -> tuple[Ints, Ints, Floats]:
    """Return from where, to where and how far each link leads, by where it starts."""
    start, end = (np.concatenate((ends, ends[:, ::-1])) if back else ends).T
    order = np.argsort(start, kind="stable")
    return start[order], end[order], np.tile(lengths, 2 if back else 1)[order]
