"""All-pairs distances in mileposts.

Step by step, every milepost adds to those that it reaches the ones that its neighbours reach, as bits of a row: 7 ms on
the United States, where networkx takes 80 (`python tests/bench/bench_networkx.py`).
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.graph import joined

UNREACHABLE = -1
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Distances:
    """Fewest mileposts between all pairs: `moves[i, j]` from `ids[i]` to `ids[j]`, -1 where there is no way."""

    ids: tuple[str, ...]
    moves: NDArray[np.int32]

    def between(self, start: str, end: str) -> int | None:
        """Return the moves between two mileposts (ids), or None if there is no way."""
        found = int(self.moves[self.ids.index(start), self.ids.index(end)])
        return None if found == UNREACHABLE else found


def all_pairs(board: Board, *, railroads: Collection[str] | None = None) -> Distances:
    """Return the fewest mileposts between all pairs of mileposts, on some railroads (ids) or all.

    Junctions cost nothing: a segment through one is one move (RB-C10).
    """
    ids, pairs = joined(board, railroads=railroads)
    return Distances(ids=ids, moves=_fewest(pairs, len(ids)))


def _fewest(pairs: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """Return the fewest steps between all of `count` nodes, shape (count, count); pairs of nodes are a step apart."""
    start, end = np.concatenate((pairs, pairs[:, ::-1])).T
    end = end[np.argsort(start, kind="stable")]
    linked, first = np.unique(np.sort(start), return_index=True)
    reached = _packed(np.eye(count, dtype=np.bool_))
    digits: list[Words] = []  # of the steps as binary numbers, a bit for each two nodes
    step, new = 0, reached
    while len(linked) and new.any():
        near = np.bitwise_or.reduceat(reached[end], first, axis=0)
        new = near & ~reached[linked]
        reached[linked] |= new
        step += 1
        digits += [np.zeros_like(reached) for _ in range(step.bit_length() - len(digits))]
        for place, digit in enumerate(digits):
            if step >> place & 1:
                digit[linked] |= new
    moves = np.full((count, count), UNREACHABLE, dtype=np.int32)
    moves += _unpacked(reached, count)
    for place, digit in enumerate(digits):
        moves += _unpacked(digit, count).astype(np.int32) << place
    return moves


def _packed(bits: NDArray[np.bool_]) -> Words:
    """Return rows of bits as words of 64."""
    return np.packbits(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 64))), axis=1).view(np.uint64)


def _unpacked(rows: Words, count: int) -> NDArray[np.uint8]:
    """Return the first `count` bits of each row."""
    return np.unpackbits(rows.view(np.uint8), axis=1, count=count)
