"""Shortest paths from some nodes of a network to all others, in numpy.

From all cities of the United States they take 9 ms, where networkx takes 150 (`python tests/bench/bench_networkx.py`);
the figures of a holding need two dozen such searches.
"""

from collections.abc import Sequence

import numpy as np

from mapkit.core.arrays import Floats, Ints, distinct_values


def find_shortest_paths(
    ends: Ints, lengths: Floats, count: int, sources: Sequence[int] | Ints, *, back: bool = True
) -> Floats:
    """Return the shortest path length from each source to each node, shape (sources, count); inf if unreachable.

    From all sources at once, nodes that came nearer tell their neighbours (Bellman 1958, with a queue).

    Args:
        ends: The two nodes of each link, shape (m, 2).
        lengths: The length of each link, 0 or more, shape (m,).
        count: How many nodes there are.
        sources: Nodes.
        back: A link leads from its second node to its first too.
    """
    arc_starts, arc_ends, arc_lengths = _directed_links(ends, lengths, back=back)
    degree = np.bincount(arc_starts, minlength=count)
    first_arc = np.cumsum(degree) - degree
    least_lengths = np.full(len(sources) * count, np.inf)
    active_states = np.arange(len(sources)) * count + np.asarray(sources, dtype=np.int64)
    least_lengths[active_states] = 0.0
    while len(active_states):
        active_nodes = active_states % count
        links = degree[active_nodes]
        arc_index = np.arange(int(links.sum())) + np.repeat(first_arc[active_nodes] - np.cumsum(links) + links, links)
        next_states = np.repeat(active_states - active_nodes, links) + arc_ends[arc_index]
        path_lengths = np.repeat(least_lengths[active_states], links) + arc_lengths[arc_index]
        is_nearer = path_lengths < least_lengths[next_states]
        next_states = next_states[is_nearer]
        np.minimum.at(least_lengths, next_states, path_lengths[is_nearer])
        active_states = distinct_values(next_states)
    return least_lengths.reshape(len(sources), count)


def find_predecessors(ends: Ints, lengths: Floats, least: Floats, *, back: bool = True) -> Ints:
    """Return the predecessor of each node on the shortest path from each source; -1 at sources and unreachable nodes.

    Ties go to the predecessor nearest to the source, then to the lowest.

    Args:
        ends: The two nodes of each link, shape (m, 2).
        lengths: The length of each link, more than 0, shape (m,).
        least: Result of `least_ways` for them.
        back: As for `least_ways`.
    """
    arc_starts, arc_ends, length = _directed_links(ends, lengths, back=back)
    previous_nodes = np.full(least.shape, -1, dtype=np.int64)
    for source_lengths, source_previous in zip(least, previous_nodes, strict=True):
        path_arcs = np.flatnonzero(
            (source_lengths[arc_starts] + length == source_lengths[arc_ends]) & np.isfinite(source_lengths[arc_ends])
        )
        path_arcs = path_arcs[np.lexsort((arc_starts[path_arcs], source_lengths[arc_starts[path_arcs]]))[::-1]]
        source_previous[arc_ends[path_arcs]] = arc_starts[path_arcs]  # the last assignment wins
    return previous_nodes


def _directed_links(ends: Ints, lengths: Floats, *, back: bool) -> tuple[Ints, Ints, Floats]:
    """Return the start, end and length of each directed link, sorted by start."""
    arc_starts, arc_ends = (np.concatenate((ends, ends[:, ::-1])) if back else ends).T
    start_order = np.argsort(arc_starts, kind="stable")
    return arc_starts[start_order], arc_ends[start_order], np.tile(lengths, 2 if back else 1)[start_order]
