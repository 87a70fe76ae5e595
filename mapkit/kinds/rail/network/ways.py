"""Least ways from some nodes of a network to all others, by numpy: SciPy takes longer to load than these to find."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def least_ways(ends: Ints, lengths: Floats, count: int, sources: Sequence[int] | Ints) -> Floats:
    """Return the least length of a way from each source to each node, shape (sources, count); inf where there is none.

    From all sources at once, nodes that came nearer tell their neighbours (Bellman 1958, with a queue).

    Args:
        ends: The two nodes of each link, shape (m, 2); it is used both ways.
        lengths: The length of each link, 0 or more, shape (m,).
        count: How many nodes there are.
        sources: Nodes.
    """
    start, end = np.concatenate((ends, ends[:, ::-1])).T
    order = np.argsort(start, kind="stable")
    end, length = end[order], np.tile(lengths, 2)[order]
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
        now = np.unique(to)
    return least.reshape(len(sources), count)
