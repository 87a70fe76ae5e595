"""Triangle violations, explained by the fewest cells: trips that pay more than two trips along the same route."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.cancellation import check_cancelled

Matrix = NDArray[np.float64]
MOST = 200_000
"""Largest number of violations, the worst ones; a chart with more of them is not a chart of distances."""

BLAMED = 100
"""Largest number of blamed cells."""
FEWEST = 5
"""Least number of violations explained by a cell; with fewer, any of three cells may be wrong."""


@dataclass(frozen=True)
class Blamed:
    """Cell that explains triangle violations, as the long side (too large) or as a short one (too small)."""

    row: int
    col: int
    explained: int
    too_large: bool
    worst: float
    """Largest excess among them, thousands."""


def blame_triangles(
    values: Matrix, badness: Matrix, *, tolerance: float, fewest: int = FEWEST
) -> tuple[int, list[Blamed]]:
    """Return the number of violations, and the cells that explain them, in decreasing order.

    A violation is `v(i, j) > v(i, k) + v(k, j) + tolerance`; any of its three cells may be wrong. A greedy set cover
    blames the cell with the most violations, removes them, and continues, so that one slip that breaks a hundred
    triangles is one finding.

    Args:
        values: n x n thousands, symmetric; NaN is missing. The diagonal is ignored.
        badness: n x n; of cells with equally many violations, the one with the larger badness is blamed.
        tolerance: Tolerance for rounding and the chart's own noise, thousands.
        fewest: Least number of violations explained by a cell.
    """
    n = len(values)
    known_values = values.copy()
    np.fill_diagonal(known_values, np.nan)
    violation_parts = []
    for k in range(n):
        check_cancelled()
        excess = known_values - (known_values[:, k][:, None] + known_values[k][None, :])
        i, j = np.nonzero(np.triu(excess > tolerance, 1))
        violation_parts.append((i, j, np.full(len(i), k), excess[i, j]))
    long_a, long_b, middle_city, excess = (np.concatenate([part[c] for part in violation_parts]) for c in range(4))
    if len(excess) > MOST:
        worst_violations = np.argsort(-excess, kind="stable")[:MOST]
        long_a, long_b, middle_city, excess = (
            long_a[worst_violations],
            long_b[worst_violations],
            middle_city[worst_violations],
            excess[worst_violations],
        )
    violation_count = len(excess)
    side_cells = np.stack(
        [_cell_index(long_a, long_b, n), _cell_index(long_a, middle_city, n), _cell_index(long_b, middle_city, n)],
        axis=1,
    )
    badness_rank = np.argsort(np.argsort(np.nan_to_num(badness).ravel(), kind="stable"), kind="stable") / (n * n)
    blamed_cells: list[Blamed] = []
    while len(side_cells) and len(blamed_cells) < BLAMED:
        violations_by_cell = np.bincount(side_cells.ravel(), minlength=n * n)
        blamed_cell = int(np.argmax(violations_by_cell + badness_rank * (violations_by_cell > 0)))
        if violations_by_cell[blamed_cell] < fewest:
            break
        is_explained = (side_cells == blamed_cell).any(axis=1)
        blamed_cells.append(
            Blamed(
                blamed_cell // n,
                blamed_cell % n,
                int(is_explained.sum()),
                bool((side_cells[is_explained, 0] == blamed_cell).sum() * 2 > is_explained.sum()),
                float(excess[is_explained].max()),
            )
        )
        side_cells, excess = side_cells[~is_explained], excess[~is_explained]
    return violation_count, blamed_cells


def _cell_index(first_cities: NDArray[np.int64], second_cities: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    return np.minimum(first_cities, second_cities) * n + np.maximum(first_cities, second_cities)
