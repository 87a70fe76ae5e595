"""The shortest way by rail between any two cities of a chart, held as a tree for each city."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board, Segment
from mapkit.kinds.rail.network.ways import least_ways, nodes_before


@dataclass(frozen=True)
class RouteTrees:
    """Shortest ways in miles; mileposts and segments are indices into the board's.

    Args:
        at: The milepost of each city.
        before: For each city and milepost the milepost before it on the way from the city; -1 where none is.
        segments: The shortest segment between two mileposts that are joined, by the pair, the smaller first.
    """

    at: tuple[int, ...]
    before: NDArray[np.int64]
    segments: dict[tuple[int, int], int]

    def way(self, a: int, b: int) -> list[tuple[int, int]]:
        """Return the steps from city `a` to city `b` as pairs of mileposts; none if they share one or are apart."""
        out: list[tuple[int, int]] = []
        here = self.at[b]
        while here != self.at[a]:
            last = int(self.before[a, here])
            if last < 0:
                return []
            out.append((last, here))
            here = last
        return out[::-1]


def route_trees(board: Board, cities: Sequence[str]) -> RouteTrees:
    """Return the shortest ways between cities (ids of the board) by all its railroads, as `board_distances` has them.

    Of segments that join the same two mileposts the shortest counts, then the first by id.
    """
    index = {m.id: k for k, m in enumerate(board.mileposts)}
    milepost = {city.id: index[city.milepost] for city in board.cities}
    segments = shortest_segments(board.segments, index)
    pairs = np.array(sorted(segments), dtype=np.int64).reshape(-1, 2)
    # a millionth of a mile a step, so that of ways of one length the one of fewest steps is taken
    miles = np.array([board.segments[segments[a, b]].miles + 1e-6 for a, b in pairs.tolist()])
    at = tuple(milepost[city] for city in cities)
    sources, where = np.unique(at, return_inverse=True)
    before = nodes_before(pairs, miles, least_ways(pairs, miles, len(index), sources))
    return RouteTrees(at, before[where], segments)


def shortest_segments(segments: Sequence[Segment], index: dict[str, int]) -> dict[tuple[int, int], int]:
    """Return the index of the shortest segment for each two mileposts that are joined."""
    out: dict[tuple[int, int], int] = {}
    for k, segment in enumerate(segments):
        ends = (min(index[segment.a], index[segment.b]), max(index[segment.a], index[segment.b]))
        if ends[0] != ends[1] and (ends not in out or segment.miles < segments[out[ends]].miles):
            out[ends] = k
    return out
