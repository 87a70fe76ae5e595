"""Triangle violations: a trip that pays more than two trips that make it up, blamed on the fewest cells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.cancellation import check_cancelled

Matrix = NDArray[np.float64]
MOST = 200_000
"""Violations kept, the worst; a chart with more of them is not a chart of distances."""

BLAMED = 100
"""Cells blamed at most."""
FEWEST = 5
"""Violations that a cell must explain: with fewer, any of three cells may be wrong."""


@dataclass(frozen=True)
class Blamed:
    """A cell that explains triangle violations: as the long side (too large) or as a short one (too small)."""

    row: int
    col: int
    explained: int
    too_large: bool
    worst: float
    """The largest excess among them, thousands."""


def blame_triangles(values: Matrix, badness: Matrix, *, tolerance: float) -> tuple[int, list[Blamed]]:
    """Return the number of violations, and the cells that explain them, most first.

    A violation is `v(i, j) > v(i, k) + v(k, j) + tolerance`; any of its three cells may be wrong. The cell that
    stands in most violations is blamed for all of them, they are struck out, and the next is sought: a greedy set
    cover, so that one slip that breaks a hundred triangles is one finding.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        badness: n x n; of cells that explain as many, the one with the larger is blamed.
        tolerance: What rounding and the chart's own noise explain, thousands.
    """
    n = len(values)
    now = values.copy()
    np.fill_diagonal(now, np.nan)
    parts = []
    for k in range(n):
        check_cancelled()
        excess = now - (now[:, k][:, None] + now[k][None, :])
        i, j = np.nonzero(np.triu(excess > tolerance, 1))
        parts.append((i, j, np.full(len(i), k), excess[i, j]))
    long_a, long_b, middle, excess = (np.concatenate([part[c] for part in parts]) for c in range(4))
    if len(excess) > MOST:
        kept = np.argsort(-excess, kind="stable")[:MOST]
        long_a, long_b, middle, excess = long_a[kept], long_b[kept], middle[kept], excess[kept]
    total = len(excess)
    sides = np.stack([_cell(long_a, long_b, n), _cell(long_a, middle, n), _cell(long_b, middle, n)], axis=1)
    rank = np.argsort(np.argsort(np.nan_to_num(badness).ravel(), kind="stable"), kind="stable") / (n * n)
    out: list[Blamed] = []
    while len(sides) and len(out) < BLAMED:
        counts = np.bincount(sides.ravel(), minlength=n * n)
        cell = int(np.argmax(counts + rank * (counts > 0)))
        if counts[cell] < FEWEST:
            break
        hit = (sides == cell).any(axis=1)
        out.append(
            Blamed(
                cell // n,
                cell % n,
                int(hit.sum()),
                bool((sides[hit, 0] == cell).sum() * 2 > hit.sum()),
                float(excess[hit].max()),
            )
        )
        sides, excess = sides[~hit], excess[~hit]
    return total, out


def _cell(one: NDArray[np.int64], other: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    return np.minimum(one, other) * n + np.maximum(one, other)
