"""Maps of the page onto itself without folds: compositions of small smooth steps.

A step moves a point x to x + v(x). Its field v is a uniform cubic B-spline over the frame, given by coefficients
on a grid. A derivative of such a spline is a mean of differences of neighbouring coefficients, so these bound the
Lipschitz constant of v. Below 1 the step is one-to-one and continuous, and so is any composition of steps: lines
that did not cross do not cross afterwards, and the order of lines round a place stays.

The field is reflected at the frame, so that nothing moves across it; points outside move like the nearest point of the
frame.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Area
from mapkit.kinds.rail.render.lines.polyline import Array

STEEPEST: Final = 0.6
"""The Lipschitz constant that a step may have."""
_DECIMALS: Final = 7
_MOST_ROUNDS: Final = 30
_EXACT_MM: Final = 0.01


@dataclass(frozen=True)
class WarpStep:
    """Small move of everything on the page; `of` makes them."""

    frame: Area
    reflected: Array
    """`knots` with one more row or column on each side; the only copy, as it is large on a crowded page."""

    @property
    def knots(self) -> Array:
        """Coefficients in millimetres, shape (rows + 1, columns + 1, 2), on a grid from edge to edge of the frame."""
        inner: Array = self.reflected[1:-1, 1:-1]
        return inner

    @classmethod
    def of(cls, frame: Area, knots: Array) -> "WarpStep":
        """Return the step with these coefficients, reduced if it would be too steep.

        Args:
            frame: Left, top, right, bottom in millimetres.
            knots: Shape (rows + 1, columns + 1, 2); components across the frame are set to 0.
        """
        knots = knots.copy()
        knots[:, [0, -1], 0] = 0.0
        knots[[0, -1], :, 1] = 0.0
        field_steepness = bound_steepness(frame, knots)
        if field_steepness > STEEPEST:
            knots *= STEEPEST / field_steepness
        # the last decimals are not the same on every machine
        knots = np.round(knots, _DECIMALS)
        wide_knots = np.concatenate((knots[:, 1:2] * (-1, 1), knots, knots[:, -2:-1] * (-1, 1)), axis=1)
        return cls(frame, np.concatenate((wide_knots[1:2] * (1, -1), wide_knots, wide_knots[-2:-1] * (1, -1))))

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell of the grid in millimetres."""
        rows, columns = self.knots.shape[0] - 1, self.knots.shape[1] - 1
        left, top, right, bottom = self.frame
        return (right - left) / columns, (bottom - top) / rows

    @cached_property
    def _moving_cells(self) -> NDArray[np.bool_]:
        """Mask of the cells with any movement."""
        knot_moves = (self.reflected != 0.0).any(axis=2)
        rows = knot_moves[:-3] | knot_moves[1:-2] | knot_moves[2:-1] | knot_moves[3:]
        moving_cells: NDArray[np.bool_] = rows[:, :-3] | rows[:, 1:-2] | rows[:, 2:-1] | rows[:, 3:]
        return moving_cells

    def __call__(self, points: Array) -> Array:
        """Return the new places of points of shape (n, 2)."""
        left, top, right, bottom = self.frame
        cell_width, cell_height = self.cell
        x = (np.minimum(np.maximum(points[:, 0], left), right) - left) / cell_width
        y = (np.minimum(np.maximum(points[:, 1], top), bottom) - top) / cell_height
        column = np.minimum(x.astype(np.int64), self._moving_cells.shape[1] - 1)
        row = np.minimum(y.astype(np.int64), self._moving_cells.shape[0] - 1)
        moving_points = np.flatnonzero(self._moving_cells[row, column])
        moved_points = points.copy()
        if not len(moving_points):
            return moved_points
        column, row = column[moving_points], row[moving_points]
        column_basis, row_basis = _spline_basis(x[moving_points] - column), _spline_basis(y[moving_points] - row)
        flat_knots = self.reflected.reshape(-1, 2)
        row_stride = self.reflected.shape[1]
        point_moves = np.zeros((len(moving_points), 2))
        for j in range(4):
            row_moves = np.zeros((len(moving_points), 2))
            for i in range(4):
                row_moves += column_basis[i][:, None] * np.take(flat_knots, (row + j) * row_stride + column + i, axis=0)
            point_moves += row_basis[j][:, None] * row_moves
        moved_points[moving_points] += point_moves
        return moved_points


@dataclass(frozen=True)
class Steps:
    """Steps one after the other."""

    steps: tuple[WarpStep, ...]

    def __call__(self, points: Array) -> Array:
        """Return the new places of points of shape (n, 2)."""
        moved_points = np.array(points, dtype=np.float64).reshape(-1, 2)
        for step in self.steps:
            moved_points = step(moved_points)
        return moved_points

    def invert(self, points: Array) -> Array:
        """Return the places that are moved to points of shape (n, 2), to a hundredth of a millimetre."""
        places = np.array(points, dtype=np.float64).reshape(-1, 2)
        for step in reversed(self.steps):
            target = places.copy()
            for _ in range(_MOST_ROUNDS):  # a step's move is a contraction, so this converges (Banach 1922)
                rest = target - step(places)
                places += rest
                if np.abs(rest).max(initial=0.0) < _EXACT_MM:
                    break
        return places


def bound_steepness(frame: Area, knots: Array) -> float:
    """Return a bound of the Lipschitz constant of a field by its coefficients."""
    left, top, right, bottom = frame
    cell_width, cell_height = (right - left) / (knots.shape[1] - 1), (bottom - top) / (knots.shape[0] - 1)
    column_slope = ((knots[:, 1:] - knots[:, :-1]) ** 2).sum(axis=2).max(initial=0.0) / cell_width**2
    row_slope = ((knots[1:] - knots[:-1]) ** 2).sum(axis=2).max(initial=0.0) / cell_height**2
    return float(np.sqrt(column_slope + row_slope))


def make_grid(frame: Area, cell: float) -> tuple[Array, Array]:
    """Return x and y of the knots, `cell` millimetres apart or a little less, at least four cells each way."""
    left, top, right, bottom = frame
    columns = max(4, int(np.ceil((right - left) / cell)))
    rows = max(4, int(np.ceil((bottom - top) / cell)))
    return np.linspace(left, right, columns + 1), np.linspace(top, bottom, rows + 1)


def _spline_basis(t: Array) -> tuple[Array, Array, Array, Array]:
    """Return the four cubic B-splines at t in 0 to 1 between the second and the third knot."""
    one_minus_t = 1.0 - t
    return (
        one_minus_t * one_minus_t * one_minus_t / 6.0,
        (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
        (4.0 - 6.0 * one_minus_t * one_minus_t + 3.0 * one_minus_t * one_minus_t * one_minus_t) / 6.0,
        t * t * t / 6.0,
    )
