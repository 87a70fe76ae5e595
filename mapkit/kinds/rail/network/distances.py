"""All-pairs distances in mileposts.

Step by step, every milepost adds to those that it reaches the ones that its neighbours reach, as bits of a row: 7 ms on
the United States, where networkx takes 80 (`python tests/bench/bench_networkx.py`).
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.graph import list_linked_pairs

UNREACHABLE = -1
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Distances:
    """Fewest mileposts between all pairs: `moves[i, j]` from `ids[i]` to `ids[j]`, -1 where no track connects them."""

    ids: tuple[str, ...]
    moves: NDArray[np.int32]

    def between(self, start: str, end: str) -> int | None:
        """Return the moves between two mileposts (ids), or None if no track connects them."""
        move_count = int(self.moves[self.ids.index(start), self.ids.index(end)])
        return None if move_count == UNREACHABLE else move_count


def count_all_pairs_moves(board: Board, *, railroads: Collection[str] | None = None) -> Distances:
    """Return the fewest mileposts between all pairs of mileposts, on some railroads (ids) or all.

    Junctions cost nothing: a segment through one is one move (RB-C10).
    """
    milepost_ids, linked_pairs = list_linked_pairs(board, railroads=railroads)
    count = len(milepost_ids)
    start_nodes, end_nodes = np.concatenate((linked_pairs, linked_pairs[:, ::-1])).T
    end_nodes = end_nodes[np.argsort(start_nodes, kind="stable")]
    linked_nodes, first_arcs = np.unique(np.sort(start_nodes), return_index=True)
    own_bits = np.pad(np.eye(count, dtype=np.bool_), ((0, 0), (0, -count % 64)))
    reached = np.packbits(own_bits, axis=1).view(np.uint64)
    step_digits: list[Words] = []  # bit k of the step counts, packed by pairs of nodes
    step_count, newly_reached = 0, reached
    while len(linked_nodes) and newly_reached.any():
        reached_by_neighbours = np.bitwise_or.reduceat(reached[end_nodes], first_arcs, axis=0)
        newly_reached = reached_by_neighbours & ~reached[linked_nodes]
        reached[linked_nodes] |= newly_reached
        step_count += 1
        step_digits += [np.zeros_like(reached) for _ in range(step_count.bit_length() - len(step_digits))]
        for bit_place, digit_rows in enumerate(step_digits):
            if step_count >> bit_place & 1:
                digit_rows[linked_nodes] |= newly_reached
    moves = np.full((count, count), UNREACHABLE, dtype=np.int32)
    moves += _unpack_bits(reached, count)
    for bit_place, digit_rows in enumerate(step_digits):
        moves += _unpack_bits(digit_rows, count).astype(np.int32) << bit_place
    return Distances(ids=milepost_ids, moves=moves)


def _unpack_bits(rows: Words, count: int) -> NDArray[np.uint8]:
    """Unpack the first `count` bits of each row."""
    return np.unpackbits(rows.view(np.uint8), axis=1, count=count)
