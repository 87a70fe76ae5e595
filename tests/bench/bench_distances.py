"""Times all-pairs distances against SciPy's shortest_path on the same network, as a ratio in one run.

    python tests/bench/bench_distances.py

Ours begins at the board, SciPy's at the finished matrix. They take turns, and the best time of each counts.
"""

import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

import mapkit
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.graph import list_linked_pairs

ROUNDS = 20


def seconds(call: Callable[[], object]) -> float:
    """Return the wall-clock time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Print the ratio."""
    board = mapkit.load("usa")
    ids, ends = list_linked_pairs(board)
    matrix = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(ids), len(ids))).tocsr()
    pairs = [
        (
            seconds(lambda: count_all_pairs_moves(board)),
            seconds(lambda: shortest_path(matrix, directed=False, unweighted=True)),
        )
        for _ in range(ROUNDS)
    ]
    ours, scipy = (min(times) for times in zip(*pairs, strict=True))
    print(
        f"all-pairs distances, {matrix.shape[0]} mileposts: {ours / scipy:.2f} x SciPy's shortest_path "
        f"({ours * 1e3:.1f} ms, {scipy * 1e3:.1f} ms); limit 1"
    )


if __name__ == "__main__":
    main()
