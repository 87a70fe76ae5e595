"""Maps from one plane to another through pairs of points: affine, projective, thin-plate spline.

Points are arrays of shape (n, 2), shifted and scaled (`Frame`) so that their numbers are about 1; without that
the equations lose most of their digits. A point that a map cannot place becomes NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.georeference import PictureModel

Array = NDArray[np.float64]
Model = PictureModel

NEEDS: dict[Model, int] = {"affine": 3, "projective": 4, "tps": 4}
"""How many points each model needs."""

ON_A_LINE = 1e-4
"""Points flatter than this (see `flatness`) lie on a line."""
_TOO_FLAT = "all but one of them lie on one line"
_SINGULAR = 1e-9
_SETTLED = 1e-12
_STEPS = 60
_HALVINGS = 12
_CHUNK = 2_000_000
_GRID = 33


class DegenerateError(ValueError):
    """The points do not fix the map."""


@dataclass(frozen=True)
class Scaling:
    """A shift and a scale that bring points to about 1."""

    middle: Array
    spread: float

    @classmethod
    def around(cls, points: Array) -> "Scaling":
        """Return the frame of points: their middle, and how far they lie from it (root mean square)."""
        middle = points.mean(axis=0)
        spread = float(np.sqrt(((points - middle) ** 2).sum(axis=1).mean()))
        return cls(middle, spread or 1.0)

    def to_unit(self, points: Array) -> Array:
        """Bring points into the frame."""
        return (points - self.middle) / self.spread

    def from_unit(self, points: Array) -> Array:
        """Take points back."""
        return points * self.spread + self.middle


class PlaneMap(Protocol):
    """A map from the plane to the plane."""

    def forward(self, points: Array) -> Array:
        """Map points."""

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these."""


@dataclass(frozen=True)
class Homography:
    """A projective map by its matrix, shape (3, 3); affine if the last row is 0, 0, 1."""

    matrix: Array

    def forward(self, points: Array) -> Array:
        """Map points; NaN on and beyond the horizon."""
        out, w = _divide(points, self.matrix)
        out[~(w > _SINGULAR)] = np.nan
        return out

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these; NaN for what lies beyond the horizon."""
        out, _ = _divide(points, np.asarray(np.linalg.inv(self.matrix), dtype=np.float64))
        w = out @ self.matrix[2, :2] + self.matrix[2, 2]
        out[~(w > _SINGULAR)] = np.nan
        return out


def _divide(points: Array, matrix: Array) -> tuple[Array, Array]:
    whole = points @ matrix[:, :2].T + matrix[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return whole[:, :2] / whole[:, 2:], whole[:, 2]


@dataclass(frozen=True)
class Spline:
    """A thin-plate spline: an affine part, and a bend at each of its points."""

    centres: Array
    affine: Array  # (3, 2): constant, x, y
    bends: Array  # (n, 2)

    def forward(self, points: Array) -> Array:
        """Map points."""
        return np.concatenate(
            [_terms(part, self.centres) @ self.bends + linear_terms(part) @ self.affine for part in self._parts(points)]
        )

    def jacobians(self, points: Array) -> Array:
        """Return the derivatives at points, shape (n, 2, 2): a row for each coordinate of the result."""
        out = []
        for part in self._parts(points):
            apart = part[:, None, :] - self.centres[None, :, :]
            square = (apart**2).sum(axis=2)
            slope = np.log(np.where(square > 0, square, 1.0)) + np.where(square > 0, 1.0, 0.0)
            out.append(np.einsum("mn,mnj,ni->mij", slope, apart, self.bends) + self.affine[1:].T)
        return np.concatenate(out)

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these by Newton's method; NaN where it does not settle."""
        finite = np.isfinite(points).all(axis=1)
        out = np.full_like(points, np.nan)
        target = points[finite]
        if not len(target):
            return out
        seeds, images = self._seeds
        nearest = np.concatenate(
            [
                seeds[((part[:, None, :] - images[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)]
                for part in _split(target, len(seeds))
            ]
        )
        straight = np.linalg.solve(self.affine[1:].T, (target - self.affine[0]).T).T
        near_miss, far_miss = (((self.forward(start) - target) ** 2).sum(axis=1) for start in (nearest, straight))
        better = (near_miss <= far_miss)[:, None]
        found = self._newton(target, np.where(better, nearest, straight))
        lost = ~np.isfinite(found).all(axis=1)
        if lost.any():
            found[lost] = self._newton(target[lost], np.where(better, straight, nearest)[lost])
        out[finite] = found
        return out

    @cached_property
    def _seeds(self) -> tuple[Array, Array]:
        """Points from which Newton's method may start, and where they are mapped to."""
        low, high = self.centres.min(axis=0), self.centres.max(axis=0)
        margin = (high - low) / 4
        sides = [np.linspace(low[k] - margin[k], high[k] + margin[k], _GRID) for k in (0, 1)]
        grid = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        seeds = np.concatenate([self.centres, grid])
        return seeds, self.forward(seeds)

    def _newton(self, target: Array, start: Array) -> Array:
        """Walk to the points whose images are the targets; a step that leads away is halved."""
        at = start.copy()
        miss = self.forward(at) - target
        size = np.hypot(*miss.T)
        settled = _SETTLED * (1 + np.hypot(*target.T))
        for _ in range(_STEPS):
            open_ = np.flatnonzero(size > settled)
            if not len(open_):
                break
            step = _solve_each(self.jacobians(at[open_]), miss[open_])
            share = np.ones(len(open_))
            for _ in range(_HALVINGS):
                trial = at[open_] - share[:, None] * step
                new_miss = self.forward(trial) - target[open_]
                new_size = np.hypot(*new_miss.T)
                worse = ~(new_size < size[open_])
                good = open_[~worse]
                at[good], miss[good], size[good] = trial[~worse], new_miss[~worse], new_size[~worse]
                open_, share, step = open_[worse], share[worse] / 2, step[worse]
                if not len(open_):
                    break
        # rounding stops the walk a little above the aim where the numbers are large
        at[~(size <= 1e3 * settled)] = np.nan
        return at

    def _parts(self, points: Array) -> Sequence[Array]:
        return _split(points, len(self.centres))


def _split(points: Array, width: int) -> Sequence[Array]:
    """Cut points so that a table of them against `width` others stays small."""
    return np.array_split(points, max(1, -(-len(points) * width // _CHUNK)))


def _solve_each(matrices: Array, right: Array) -> Array:
    """Solve 2 x 2 systems; a singular one gives a zero step."""
    (a, b), (c, d) = matrices[:, 0].T, matrices[:, 1].T
    det = a * d - b * c
    safe = np.where(np.abs(det) > np.finfo(float).tiny, det, np.inf)
    u, v = right.T
    out: Array = np.column_stack([(d * u - b * v) / safe, (a * v - c * u) / safe])
    return out


def linear_terms(points: Array) -> Array:
    """Return what an affine map is a sum of: 1, x and y of each point, shape (n, 3)."""
    return np.column_stack([np.ones(len(points)), points])


def _terms(points: Array, centres: Array) -> Array:
    """Return r^2 log r between points and centres."""
    square = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    out: Array = 0.5 * square * np.log(np.where(square > 0, square, 1.0))
    return out


@dataclass(frozen=True)
class MapFit:
    """A fitted map, and what each point adds to it.

    Attributes:
        map: The map.
        freedom: How freely the other points let each point move, shape (n, 2, 2). A point's leave-one-out error
            weighed by it shows how badly the point fits: on an otherwise exact picture one wrong point always
            weighs most, which the bare error does not ensure.
        leave_one_out: Given minus predicted from the others, shape (n, 2); NaN where the others do not fix the map.
    """

    map: PlaneMap
    freedom: Array
    leave_one_out: Array

    @cached_property
    def weighed(self) -> Array:
        """Return how badly each point fits, shape (n,); 0 where nothing is known."""
        e = np.nan_to_num(self.leave_one_out)
        return np.asarray(np.sqrt(np.maximum(np.einsum("ni,nij,nj->n", e, self.freedom, e), 0.0)), dtype=np.float64)


def fit(model: Model, source: Array, target: Array) -> MapFit:
    """Fit a model on points in unit frames.

    Raises:
        DegenerateError: The points do not fix the map; the text says why.
    """
    return {"affine": _fit_affine, "projective": _fit_projective, "tps": _fit_spline}[model](source, target)


def affine_matrix(source: Array, target: Array, weights: Array | None = None) -> Array:
    """Return the matrix (3, 3) of the affine map of least (weighted) squares."""
    root = np.ones(len(source)) if weights is None else np.sqrt(weights)
    coefficients = np.linalg.lstsq(linear_terms(source) * root[:, None], target * root[:, None], rcond=None)[0]
    return np.vstack([np.column_stack([coefficients[1:].T, coefficients[0]]), [0.0, 0.0, 1.0]])


def robust_affine(source: Array, target: Array) -> Array:
    """Return the matrix (3, 3) of the affine map of least absolute distances, which one bad point hardly moves."""
    weights = np.ones(len(source))
    matrix = affine_matrix(source, target)
    for _ in range(_STEPS):
        away = np.hypot(*(Homography(matrix).forward(source) - target).T)
        weights = 1 / np.maximum(away, 1e-8)
        matrix = affine_matrix(source, target, weights / weights.max())
    return matrix


def _fit_affine(source: Array, target: Array) -> MapFit:
    matrix = affine_matrix(source, target)
    if abs(np.linalg.det(matrix)) < _SINGULAR:
        raise DegenerateError("the map that fits them is flat")
    linear = linear_terms(source)
    free = 1 - np.einsum("ij,ji->i", linear, np.linalg.pinv(linear))
    off = target - Homography(matrix).forward(source)
    with np.errstate(divide="ignore", invalid="ignore"):
        left_out = np.where(free[:, None] > _SINGULAR, off / free[:, None], np.nan)
    return MapFit(Homography(matrix), free[:, None, None] * np.eye(2), left_out)


def flatness(at: Array) -> float:
    """Return how wide points lie across their main direction, as a share of their length along it."""
    along, across = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    return float(across / along) if along > 0 else 0.0


def _fit_projective(source: Array, target: Array) -> MapFit:
    for k in range(len(source)):
        if min(flatness(np.delete(at, k, axis=0)) for at in (source, target)) < ON_A_LINE:
            raise DegenerateError(_TOO_FLAT)
    matrix = _projective_matrix(source, target, None)
    slopes = _projective_slopes(matrix, source)
    free = np.eye(2 * len(source)) - slopes @ np.linalg.pinv(slopes)
    n = len(source)
    freedom = np.stack([free[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] for k in range(n)])
    left_out = np.full_like(source, np.nan)
    if n > NEEDS["projective"]:
        for k in range(n):
            others = np.arange(n) != k
            try:
                without = _projective_matrix(source[others], target[others], matrix)
            except DegenerateError:
                continue
            left_out[k] = target[k] - Homography(without).forward(source[k : k + 1])[0]
    return MapFit(Homography(matrix), freedom, left_out)


def _projective_matrix(source: Array, target: Array, start: Array | None) -> Array:
    """Return the projective map of least squares in the target plane: the direct linear solution, then refined."""
    matrix = _direct_linear(source, target)
    if start is not None and _miss(start, source, target) < _miss(matrix, source, target):
        matrix = start
    best = _miss(matrix, source, target)
    for _ in range(_STEPS if len(source) > NEEDS["projective"] else 2):
        off = (target - Homography(matrix).forward(source)).reshape(-1)
        if not np.isfinite(off).all():
            break
        step = np.append(np.linalg.lstsq(_projective_slopes(matrix, source), off, rcond=None)[0], 0.0).reshape(3, 3)
        share = 1.0
        while share > 1 / 2**_HALVINGS and not _miss(matrix + share * step, source, target) < best:
            share /= 2
        new = _miss(matrix + share * step, source, target)
        if not new < best:
            break
        matrix, best, before = matrix + share * step, new, best
        if before - new <= _SINGULAR * before:
            break
    if not np.isfinite(best):
        raise DegenerateError("the horizon of the map that fits them runs between them")
    if abs(np.linalg.det(matrix)) < _SINGULAR:
        raise DegenerateError(_TOO_FLAT)
    return matrix


def projective_equations(source: Array, target: Array) -> Array:
    """Return the linear equations of a projective map, shape (2n, 9): those of all first coordinates, then the others.

    Their product with the nine numbers of the map's matrix, row by row, is 0 (Hartley and Zisserman 2004, 4.1).
    """
    (x, y), (u, v) = source.T, target.T
    one, zero = np.ones_like(x), np.zeros_like(x)
    return np.concatenate(
        [
            np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u]),
            np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v]),
        ]
    )


def _direct_linear(source: Array, target: Array) -> Array:
    table = projective_equations(source, target)
    if len(table) < table.shape[1]:
        table = np.vstack([table, np.zeros(table.shape[1])])
    _, values, rows = np.linalg.svd(table, full_matrices=False)
    if values[7] < 1e-7 * values[0]:
        raise DegenerateError(_TOO_FLAT)
    if abs(rows[8, 8]) < _SINGULAR:
        raise DegenerateError("the horizon of the map that fits them runs between them")
    return np.asarray(rows[8] / rows[8, 8], dtype=np.float64).reshape(3, 3)


def _miss(matrix: Array, source: Array, target: Array) -> float:
    squares = (Homography(matrix).forward(source) - target) ** 2
    return float(squares.sum()) if np.isfinite(squares).all() else np.inf


def _projective_slopes(matrix: Array, source: Array) -> Array:
    """Return the derivatives of the mapped points by the first eight numbers of the matrix, shape (2n, 8)."""
    out, w = _divide(source, matrix)
    row = linear_terms(source)[:, [1, 2, 0]] / w[:, None]
    table = np.zeros((len(source), 2, 8))
    table[:, 0, 0:3] = table[:, 1, 3:6] = row
    for k in (0, 1):
        table[:, k, 6:8] = -row[:, :2] * out[:, k : k + 1]
    return table.reshape(-1, 8)


def _fit_spline(source: Array, target: Array) -> MapFit:
    n = len(source)
    linear = linear_terms(source)
    table = np.block([[_terms(source, source), linear], [linear.T, np.zeros((3, 3))]])
    right = np.concatenate([target, np.zeros((3, 2))])
    try:
        inverse = np.linalg.inv(table)
        solution = inverse @ right
        for _ in range(2):  # wins back the digits that the inverse lost
            solution += inverse @ (right - table @ solution)
    except np.linalg.LinAlgError as error:
        raise DegenerateError("they lie on one line") from error
    spline = Spline(source, solution[n:], solution[:n])
    if not np.abs(spline.forward(source) - target).max() < _SINGULAR:
        raise DegenerateError("some of them lie too close together")
    if abs(np.linalg.det(spline.affine[1:])) < _SINGULAR:
        raise DegenerateError("the map that fits them is flat")
    free = np.abs(np.diag(inverse)[:n])  # Rippa's rule: what leaving a point out does, without fitting again
    with np.errstate(divide="ignore", invalid="ignore"):
        left_out = np.where(free[:, None] > _SINGULAR, spline.bends / np.diag(inverse)[:n, None], np.nan)
    return MapFit(spline, free[:, None, None] * np.eye(2), left_out)
