"""Shortest routes by rail between the cities of a chart, as a tree for each city."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board, Segment
from mapkit.kinds.rail.network.shortest_paths import find_predecessors, find_shortest_paths


@dataclass(frozen=True)
class RouteTrees:
    """Shortest routes in miles; mileposts and segments are indices into the board's lists.

    Args:
        at: The milepost of each city.
        before: For each city and milepost, the previous milepost on the route from the city; -1 without one.
        segments: The shortest segment of each pair of adjacent mileposts, the lower index first.
    """

    at: tuple[int, ...]
    before: NDArray[np.int64]
    segments: dict[tuple[int, int], int]

    def way(self, a: int, b: int) -> list[tuple[int, int]]:
        """Return the steps from city `a` to city `b` as pairs of mileposts; empty for twins and unconnected cities."""
        route_steps: list[tuple[int, int]] = []
        current_milepost = self.at[b]
        while current_milepost != self.at[a]:
            previous_milepost = int(self.before[a, current_milepost])
            if previous_milepost < 0:
                return []
            route_steps.append((previous_milepost, current_milepost))
            current_milepost = previous_milepost
        return route_steps[::-1]


def route_trees(board: Board, cities: Sequence[str]) -> RouteTrees:
    """Return the shortest routes between cities (ids of the board) over all its railroads.

    Their lengths are those of `board_distances`. Of parallel segments the shortest counts; ties go to the first by id.
    """
    index_by_milepost = {m.id: k for k, m in enumerate(board.mileposts)}
    milepost_by_city = {city.id: index_by_milepost[city.milepost] for city in board.cities}
    segment_by_ends = shortest_segments(board.segments, index_by_milepost)
    milepost_pairs = np.array(sorted(segment_by_ends), dtype=np.int64).reshape(-1, 2)
    # ties go to the route with the fewest steps, as each step adds a millionth of a mile
    pair_miles = np.array([board.segments[segment_by_ends[a, b]].miles + 1e-6 for a, b in milepost_pairs.tolist()])
    city_mileposts = tuple(milepost_by_city[city] for city in cities)
    sources, source_rows = np.unique(city_mileposts, return_inverse=True)
    previous_nodes = find_predecessors(
        milepost_pairs, pair_miles, find_shortest_paths(milepost_pairs, pair_miles, len(index_by_milepost), sources)
    )
    return RouteTrees(city_mileposts, previous_nodes[source_rows], segment_by_ends)


def shortest_segments(segments: Sequence[Segment], index: dict[str, int]) -> dict[tuple[int, int], int]:
    """Return the index of the shortest segment for each pair of adjacent mileposts."""
    segment_by_ends: dict[tuple[int, int], int] = {}
    for segment_index, segment in enumerate(segments):
        end_indices = (min(index[segment.a], index[segment.b]), max(index[segment.a], index[segment.b]))
        if end_indices[0] != end_indices[1] and (
            end_indices not in segment_by_ends or segment.miles < segments[segment_by_ends[end_indices]].miles
        ):
            segment_by_ends[end_indices] = segment_index
    return segment_by_ends
