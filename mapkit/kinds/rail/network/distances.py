"""All-pairs distances in mileposts.

SciPy finds them: 26 ms on the United States, where networkx takes 130 (`python tests/bench/bench_networkx.py`).
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.graph import to_csr

UNREACHABLE = -1


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
    ids, matrix = to_csr(board, railroads=railroads)
    found = heavy.csgraph.shortest_path(matrix, method="D", directed=True, unweighted=True)
    found[np.isinf(found)] = UNREACHABLE
    return Distances(ids=ids, moves=found.astype(np.int32))
