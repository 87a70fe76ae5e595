"""Maps of the page onto itself that never fold: compositions of small smooth steps.

A step moves a point x to x + v(x). Its field v is a uniform cubic B-spline over the frame, given by coefficients
on a grid. A derivative of such a spline is a mean of differences of neighbouring coefficients, so these bound the
Lipschitz constant of v. Below 1 the step is one-to-one and continuous, and so is any composition of steps: lines
that did not cross do not cross afterwards, and the order of lines round a place stays.

The field is reflected at the frame, across which nothing moves; what lies outside moves like the nearest point of
the frame.
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


@dataclass(frozen=True)
class WarpStep:
    """A small move of everything on the page; `of` makes them."""

    frame: Area
    reflected: Array
    """`knots` with one more row or column on each side; kept once, for on a crowded page it is large."""

    @property
    def knots(self) -> Array:
        """Coefficients in millimetres, shape (rows + 1, columns + 1, 2), on a grid from edge to edge of the frame."""
        inner: Array = self.reflected[1:-1, 1:-1]
        return inner

    @classmethod
    def of(cls, frame: Area, knots: Array) -> "WarpStep":
        """Return the step with these coefficients, made smaller where it would be too steep.

        Args:
            frame: Left, top, right, bottom in millimetres.
            knots: Shape (rows + 1, columns + 1, 2); what would lead across the frame is taken as 0.
        """
        knots = knots.copy()
        knots[:, [0, -1], 0] = 0.0
        knots[[0, -1], :, 1] = 0.0
        steep = steepness_of(frame, knots)
        if steep > STEEPEST:
            knots *= STEEPEST / steep
        # the last decimals are not the same on every machine
        knots = np.round(knots, _DECIMALS)
        wide = np.concatenate((knots[:, 1:2] * (-1, 1), knots, knots[:, -2:-1] * (-1, 1)), axis=1)
        return cls(frame, np.concatenate((wide[1:2] * (1, -1), wide, wide[-2:-1] * (1, -1))))

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell of the grid in millimetres."""
        rows, columns = self.knots.shape[0] - 1, self.knots.shape[1] - 1
        left, top, right, bottom = self.frame
        return (right - left) / columns, (bottom - top) / rows

    @property
    def steepness(self) -> float:
        """Return a bound of the field's Lipschitz constant: of how much two points' moves differ by their distance."""
        return steepness_of(self.frame, self.knots)

    @cached_property
    def _moves(self) -> NDArray[np.bool_]:
        """Whether anything moves in each cell."""
        some = (self.reflected != 0.0).any(axis=2)
        rows = some[:-3] | some[1:-2] | some[2:-1] | some[3:]
        cells: NDArray[np.bool_] = rows[:, :-3] | rows[:, 1:-2] | rows[:, 2:-1] | rows[:, 3:]
        return cells

    def __call__(self, points: Array) -> Array:
        """Return where points of shape (n, 2) go."""
        left, top, right, bottom = self.frame
        wide, high = self.cell
        x = (np.minimum(np.maximum(points[:, 0], left), right) - left) / wide
        y = (np.minimum(np.maximum(points[:, 1], top), bottom) - top) / high
        column = np.minimum(x.astype(np.int64), self._moves.shape[1] - 1)
        row = np.minimum(y.astype(np.int64), self._moves.shape[0] - 1)
        some = np.flatnonzero(self._moves[row, column])
        out = points.copy()
        if not len(some):
            return out
        column, row = column[some], row[some]
        across, down = _basis(x[some] - column), _basis(y[some] - row)
        flat = self.reflected.reshape(-1, 2)
        stride = self.reflected.shape[1]
        move = np.zeros((len(some), 2))
        for j in range(4):
            line = np.zeros((len(some), 2))
            for i in range(4):
                line += across[i][:, None] * np.take(flat, (row + j) * stride + column + i, axis=0)
            move += down[j][:, None] * line
        out[some] += move
        return out


@dataclass(frozen=True)
class Steps:
    """Steps one after the other."""

    steps: tuple[WarpStep, ...]

    def __call__(self, points: Array) -> Array:
        """Return where points of shape (n, 2) go."""
        out = np.array(points, dtype=np.float64).reshape(-1, 2)
        for step in self.steps:
            out = step(out)
        return out


def steepness_of(frame: Area, knots: Array) -> float:
    """Return a bound of the Lipschitz constant of a field by its coefficients."""
    left, top, right, bottom = frame
    wide, high = (right - left) / (knots.shape[1] - 1), (bottom - top) / (knots.shape[0] - 1)
    across = ((knots[:, 1:] - knots[:, :-1]) ** 2).sum(axis=2).max(initial=0.0) / wide**2
    down = ((knots[1:] - knots[:-1]) ** 2).sum(axis=2).max(initial=0.0) / high**2
    return float(np.sqrt(across + down))


def grid_of(frame: Area, cell: float) -> tuple[Array, Array]:
    """Return x and y of the knots, `cell` millimetres apart or a little less, at least four cells each way."""
    left, top, right, bottom = frame
    columns = max(4, int(np.ceil((right - left) / cell)))
    rows = max(4, int(np.ceil((bottom - top) / cell)))
    return np.linspace(left, right, columns + 1), np.linspace(top, bottom, rows + 1)


def _basis(t: Array) -> tuple[Array, Array, Array, Array]:
    """Return the four cubic B-splines at t in 0 to 1 between the second and the third knot."""
    u = 1.0 - t
    return (
        u * u * u / 6.0,
        (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
        (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0,
        t * t * t / 6.0,
    )
