"""What is wrong with the form of a payoff chart, whoever judges it: gaps, halves that differ, amounts that cannot be.

`mapkit check`, `mapkit payoffs check` and the editor find the same cells, because all of them ask here. A pair of
cities is found once, as the cell above the diagonal; the cell below it is found too where it holds another amount.
"""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = list[tuple[int, int]]
NEAR = 1e-6
FEWEST = 3
"""A city of a smaller chart has one trip at most, so an empty row is an empty cell."""
GRID = 0.5
"""Payoffs of a board are printed to the half thousand."""


def blank_cities(given: Matrix) -> list[int]:
    """Return the cities without an amount to or from any other, in a chart of three cities or more.

    Args:
        given: n x n amounts, row city, column city; NaN where there is none.
    """
    if len(given) < FEWEST:
        return []
    empty = np.isnan(given) | np.eye(len(given), dtype=bool)
    return np.nonzero(empty.all(axis=0) & empty.all(axis=1))[0].tolist()


def gaps(given: Matrix, *, square: bool) -> Cells:
    """Return the cells without an amount: pairs that have none, and single cells of a square; no cell of blank cities.

    Args:
        given: As for `blank_cities`.
        square: Whether both halves are to be filled.
    """
    empty = np.isnan(given) & ~np.eye(len(given), dtype=bool)
    blank = blank_cities(given)
    empty[blank, :] = empty[:, blank] = False
    both = empty & empty.T
    return _listed(np.triu(both) | (empty & ~both if square else False))


def two_readings(given: Matrix) -> Cells:
    """Return the pairs whose two cells differ."""
    return _listed(np.triu(np.isfinite(given) & np.isfinite(given.T) & (given != given.T)))


def paid_to_itself(given: Matrix) -> Cells:
    """Return the cells on the diagonal with an amount other than 0."""
    return _listed(np.eye(len(given), dtype=bool) & np.isfinite(given) & (given != 0))


def paid_between_twins(given: Matrix, twins: Mask) -> Cells:
    """Return the cells of twins with an amount other than 0."""
    return _once(given, twins & np.isfinite(given) & (given != 0))


def off_the_grid(given: Matrix, step: float) -> Cells:
    """Return the cells whose amount is not a multiple of the step; the diagonal and twins too."""
    parts = np.nan_to_num(given) / step
    return _once(given, np.abs(parts - np.round(parts)) > NEAR)


def not_positive(given: Matrix, twins: Mask) -> Cells:
    """Return the cells between different mileposts with 0 or less."""
    with np.errstate(invalid="ignore"):
        return _once(given, (given <= 0) & ~twins & ~np.eye(len(given), dtype=bool))


def _once(given: Matrix, wrong: Mask) -> Cells:
    """Return the wrong cells; of two mirrored ones that hold the same amount, the one above the diagonal."""
    return _listed(np.triu(wrong) | (np.tril(wrong, -1) & (given != given.T)))


def _listed(mask: Mask) -> Cells:
    rows, cols = np.nonzero(mask)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))
