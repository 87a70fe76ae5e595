"""Maps from one plane to another through pairs of points: affine, projective, thin-plate spline.

Points are arrays of shape (n, 2), normalised (`Scaling`) so that their coordinates are about 1; otherwise the
equations lose most of their digits. Points outside the range of a map become NaN.
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
_NEWTON_TOLERANCE = 1e-12
_MAX_STEPS = 60
_MAX_HALVINGS = 12
_CHUNK_CELLS = 2_000_000
_GRID_SIZE = 33


class DegenerateError(ValueError):
    """Points that do not determine a map."""


@dataclass(frozen=True)
class Scaling:
    """Shift and scale that normalise points to about 1."""

    middle: Array
    spread: float

    @classmethod
    def around(cls, points: Array) -> "Scaling":
        """Return the frame of points: their mean, and their root mean square distance from it."""
        middle = points.mean(axis=0)
        spread = float(np.sqrt(((points - middle) ** 2).sum(axis=1).mean()))
        return cls(middle, spread or 1.0)

    def to_unit(self, points: Array) -> Array:
        """Convert points to the unit frame."""
        return (points - self.middle) / self.spread

    def from_unit(self, points: Array) -> Array:
        """Convert points back from the unit frame."""
        return points * self.spread + self.middle


class PlaneMap(Protocol):
    """Map from the plane to the plane."""

    def forward(self, points: Array) -> Array:
        """Map points."""

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these."""


@dataclass(frozen=True)
class Homography:
    """Projective map by its matrix, shape (3, 3); affine if the last row is 0, 0, 1."""

    matrix: Array

    def forward(self, points: Array) -> Array:
        """Map points; NaN on and beyond the horizon."""
        mapped_points, w = _apply_homography(points, self.matrix)
        mapped_points[~(w > _SINGULAR)] = np.nan
        return mapped_points

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these; NaN beyond the horizon."""
        source_points, _ = _apply_homography(points, np.asarray(np.linalg.inv(self.matrix), dtype=np.float64))
        w = source_points @ self.matrix[2, :2] + self.matrix[2, 2]
        source_points[~(w > _SINGULAR)] = np.nan
        return source_points


def _apply_homography(points: Array, matrix: Array) -> tuple[Array, Array]:
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return homogeneous[:, :2] / homogeneous[:, 2:], homogeneous[:, 2]


@dataclass(frozen=True)
class Spline:
    """Thin-plate spline: an affine part, and a bend at each of its points."""

    centres: Array
    affine: Array  # (3, 2): constant, x, y
    bends: Array  # (n, 2)

    def forward(self, points: Array) -> Array:
        """Map points."""
        return np.concatenate(
            [
                _spline_terms(part, self.centres) @ self.bends + linear_terms(part) @ self.affine
                for part in self._split_by_size(points)
            ]
        )

    def jacobians(self, points: Array) -> Array:
        """Return the derivatives at points, shape (n, 2, 2): a row for each coordinate of the result."""
        chunk_jacobians = []
        for point_chunk in self._split_by_size(points):
            centre_offsets = point_chunk[:, None, :] - self.centres[None, :, :]
            squares = (centre_offsets**2).sum(axis=2)
            slope = np.log(np.where(squares > 0, squares, 1.0)) + np.where(squares > 0, 1.0, 0.0)
            chunk_jacobians.append(np.einsum("mn,mnj,ni->mij", slope, centre_offsets, self.bends) + self.affine[1:].T)
        return np.concatenate(chunk_jacobians)

    def inverse(self, points: Array) -> Array:
        """Find the points that are mapped to these by Newton's method; NaN where it does not settle."""
        is_finite = np.isfinite(points).all(axis=1)
        source_points = np.full_like(points, np.nan)
        finite_targets = points[is_finite]
        if not len(finite_targets):
            return source_points
        seeds, images = self._seeds
        nearest_seeds = np.concatenate(
            [
                seeds[((target_chunk[:, None, :] - images[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)]
                for target_chunk in _split_points(finite_targets, len(seeds))
            ]
        )
        affine_start = np.linalg.solve(self.affine[1:].T, (finite_targets - self.affine[0]).T).T
        near_miss, far_miss = (
            ((self.forward(start_points) - finite_targets) ** 2).sum(axis=1)
            for start_points in (nearest_seeds, affine_start)
        )
        is_seed_better = (near_miss <= far_miss)[:, None]
        solved_points = self._solve_by_newton(finite_targets, np.where(is_seed_better, nearest_seeds, affine_start))
        is_unsolved = ~np.isfinite(solved_points).all(axis=1)
        if is_unsolved.any():
            solved_points[is_unsolved] = self._solve_by_newton(
                finite_targets[is_unsolved], np.where(is_seed_better, affine_start, nearest_seeds)[is_unsolved]
            )
        source_points[is_finite] = solved_points
        return source_points

    @cached_property
    def _seeds(self) -> tuple[Array, Array]:
        """Starting points of Newton's method, and their images."""
        low, high = self.centres.min(axis=0), self.centres.max(axis=0)
        margin = (high - low) / 4
        grid_axes = [np.linspace(low[k] - margin[k], high[k] + margin[k], _GRID_SIZE) for k in (0, 1)]
        grid_points = np.stack(np.meshgrid(*grid_axes), axis=-1).reshape(-1, 2)
        seeds = np.concatenate([self.centres, grid_points])
        return seeds, self.forward(seeds)

    def _solve_by_newton(self, target: Array, start: Array) -> Array:
        """Solve for the points mapped to the targets by Newton's method, halving steps that lead away."""
        current_points = start.copy()
        current_miss = self.forward(current_points) - target
        miss_size = np.hypot(*current_miss.T)
        settled_size = _NEWTON_TOLERANCE * (1 + np.hypot(*target.T))
        for _ in range(_MAX_STEPS):
            open_ = np.flatnonzero(miss_size > settled_size)
            if not len(open_):
                break
            step = _solve_each(self.jacobians(current_points[open_]), current_miss[open_])
            step_share = np.ones(len(open_))
            for _ in range(_MAX_HALVINGS):
                trial_points = current_points[open_] - step_share[:, None] * step
                new_miss = self.forward(trial_points) - target[open_]
                new_size = np.hypot(*new_miss.T)
                is_worse = ~(new_size < miss_size[open_])
                improved = open_[~is_worse]
                current_points[improved], current_miss[improved], miss_size[improved] = (
                    trial_points[~is_worse],
                    new_miss[~is_worse],
                    new_size[~is_worse],
                )
                open_, step_share, step = open_[is_worse], step_share[is_worse] / 2, step[is_worse]
                if not len(open_):
                    break
        # where coordinates are large, rounding ends the iteration a little above the tolerance
        current_points[~(miss_size <= 1e3 * settled_size)] = np.nan
        return current_points

    def _split_by_size(self, points: Array) -> Sequence[Array]:
        return _split_points(points, len(self.centres))


def _split_points(points: Array, width: int) -> Sequence[Array]:
    """Split points into chunks, so that a table of each against `width` others stays small."""
    return np.array_split(points, max(1, -(-len(points) * width // _CHUNK_CELLS)))


def _solve_each(matrices: Array, right: Array) -> Array:
    """Solve 2 x 2 systems; a singular one gives a zero step."""
    (a, b), (c, d) = matrices[:, 0].T, matrices[:, 1].T
    determinants = a * d - b * c
    safe_determinants = np.where(np.abs(determinants) > np.finfo(float).tiny, determinants, np.inf)
    u, v = right.T
    solutions: Array = np.column_stack([(d * u - b * v) / safe_determinants, (a * v - c * u) / safe_determinants])
    return solutions


def linear_terms(points: Array) -> Array:
    """Return the terms of an affine map: 1, x and y of each point, shape (..., n, 3)."""
    return np.concatenate([np.ones((*points.shape[:-1], 1)), points], axis=-1)


def _spline_terms(points: Array, centres: Array) -> Array:
    """Return r^2 log r between points and centres."""
    squared_distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    spline_terms: Array = 0.5 * squared_distances * np.log(np.where(squared_distances > 0, squared_distances, 1.0))
    return spline_terms


@dataclass(frozen=True)
class MapFit:
    """Fitted map, and the influence of each point on it.

    Attributes:
        map: The map.
        freedom: Weight matrix of each point's leave-one-out error, shape (n, 2, 2). The weighted error shows how badly
            a point fits: on an otherwise exact picture a single wrong point always has the largest, which the bare
            error does not ensure.
        leave_one_out: Given minus predicted from the others, shape (n, 2); NaN where the others do not fix the map.
    """

    map: PlaneMap
    freedom: Array
    leave_one_out: Array

    @cached_property
    def weighed(self) -> Array:
        """Return the weighted misfit of each point, shape (n,); 0 where it is unknown."""
        errors = np.nan_to_num(self.leave_one_out)
        return np.asarray(
            np.sqrt(np.maximum(np.einsum("ni,nij,nj->n", errors, self.freedom, errors), 0.0)), dtype=np.float64
        )


def fit_map(model: Model, source: Array, target: Array) -> MapFit:
    """Fit a model to points in unit frames.

    Raises:
        DegenerateError: The points do not fix the map; the text says why.
    """
    return {"affine": _fit_affine, "projective": _fit_projective, "tps": _fit_spline}[model](source, target)


def fit_affine_matrix(source: Array, target: Array, weights: Array | None = None) -> Array:
    """Return the matrix (3, 3) of the affine map of least (weighted) squares."""
    root_weights = np.ones(len(source)) if weights is None else np.sqrt(weights)
    coefficients = np.linalg.lstsq(
        linear_terms(source) * root_weights[:, None], target * root_weights[:, None], rcond=None
    )[0]
    return np.vstack([np.column_stack([coefficients[1:].T, coefficients[0]]), [0.0, 0.0, 1.0]])


def fit_robust_affine(source: Array, target: Array) -> Array:
    """Return the matrix (3, 3) of the affine map of least absolute distances, by reweighted least squares."""
    weights = np.ones(len(source))
    matrix = fit_affine_matrix(source, target)
    for _ in range(_MAX_STEPS):
        distances = np.hypot(*(Homography(matrix).forward(source) - target).T)
        weights = 1 / np.maximum(distances, 1e-8)
        matrix = fit_affine_matrix(source, target, weights / weights.max())
    return matrix


def _fit_affine(source: Array, target: Array) -> MapFit:
    matrix = fit_affine_matrix(source, target)
    if abs(np.linalg.det(matrix)) < _SINGULAR:
        raise DegenerateError("the map that fits them is flat")
    affine_terms = linear_terms(source)
    free_shares = 1 - np.einsum("ij,ji->i", affine_terms, np.linalg.pinv(affine_terms))
    residuals = target - Homography(matrix).forward(source)
    with np.errstate(divide="ignore", invalid="ignore"):
        left_out = np.where(free_shares[:, None] > _SINGULAR, residuals / free_shares[:, None], np.nan)
    return MapFit(Homography(matrix), free_shares[:, None, None] * np.eye(2), left_out)


def flatness(at: Array) -> float:
    """Return the extent of points across their main direction, as a share of their extent along it."""
    along, across = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    return float(across / along) if along > 0 else 0.0


def _fit_projective(source: Array, target: Array) -> MapFit:
    for k in range(len(source)):
        if min(flatness(np.delete(at, k, axis=0)) for at in (source, target)) < ON_A_LINE:
            raise DegenerateError(_TOO_FLAT)
    matrix = _projective_matrix(source, target, None)
    jacobian = _projective_slopes(matrix, source)
    free_matrix = np.eye(2 * len(source)) - jacobian @ np.linalg.pinv(jacobian)
    n = len(source)
    freedom = np.stack([free_matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] for k in range(n)])
    left_out = np.full_like(source, np.nan)
    if n > NEEDS["projective"]:
        for k in range(n):
            other_points = np.arange(n) != k
            try:
                matrix_without = _projective_matrix(source[other_points], target[other_points], matrix)
            except DegenerateError:
                continue
            left_out[k] = target[k] - Homography(matrix_without).forward(source[k : k + 1])[0]
    return MapFit(Homography(matrix), freedom, left_out)


def _projective_matrix(source: Array, target: Array, start: Array | None) -> Array:
    """Return the projective map of least squares in the target plane: the direct linear solution, then refined."""
    matrix = _solve_direct_linear(source, target)
    if start is not None and _squared_error(start, source, target) < _squared_error(matrix, source, target):
        matrix = start
    least_error = _squared_error(matrix, source, target)
    for _ in range(_MAX_STEPS if len(source) > NEEDS["projective"] else 2):
        residuals = (target - Homography(matrix).forward(source)).reshape(-1)
        if not np.isfinite(residuals).all():
            break
        step = np.append(np.linalg.lstsq(_projective_slopes(matrix, source), residuals, rcond=None)[0], 0.0).reshape(
            3, 3
        )
        step_share = 1.0
        while (
            step_share > 1 / 2**_MAX_HALVINGS
            and not _squared_error(matrix + step_share * step, source, target) < least_error
        ):
            step_share /= 2
        new_error = _squared_error(matrix + step_share * step, source, target)
        if not new_error < least_error:
            break
        matrix, least_error, previous_error = matrix + step_share * step, new_error, least_error
        if previous_error - new_error <= _SINGULAR * previous_error:
            break
    if not np.isfinite(least_error):
        raise DegenerateError("the horizon of the map that fits them runs between them")
    if abs(np.linalg.det(matrix)) < _SINGULAR:
        raise DegenerateError(_TOO_FLAT)
    return matrix


def projective_equations(source: Array, target: Array) -> Array:
    """Return the linear equations of a projective map, shape (..., 2n, 9), those of x before those of y.

    Their product with the nine numbers of the map's matrix, row by row, is 0 (Hartley and Zisserman 2004, 4.1).
    """
    (x, y), (u, v) = np.moveaxis(source, -1, 0), np.moveaxis(target, -1, 0)
    ones, zeros = np.ones_like(x), np.zeros_like(x)
    return np.concatenate(
        [
            np.stack([x, y, ones, zeros, zeros, zeros, -u * x, -u * y, -u], axis=-1),
            np.stack([zeros, zeros, zeros, x, y, ones, -v * x, -v * y, -v], axis=-1),
        ],
        axis=-2,
    )


def _solve_direct_linear(source: Array, target: Array) -> Array:
    equations = projective_equations(source, target)
    if len(equations) < equations.shape[1]:
        equations = np.vstack([equations, np.zeros(equations.shape[1])])
    _, singular_values, right_vectors = np.linalg.svd(equations, full_matrices=False)
    if singular_values[7] < 1e-7 * singular_values[0]:
        raise DegenerateError(_TOO_FLAT)
    if abs(right_vectors[8, 8]) < _SINGULAR:
        raise DegenerateError("the horizon of the map that fits them runs between them")
    return np.asarray(right_vectors[8] / right_vectors[8, 8], dtype=np.float64).reshape(3, 3)


def _squared_error(matrix: Array, source: Array, target: Array) -> float:
    squared_errors = (Homography(matrix).forward(source) - target) ** 2
    return float(squared_errors.sum()) if np.isfinite(squared_errors).all() else np.inf


def _projective_slopes(matrix: Array, source: Array) -> Array:
    """Return the derivatives of the mapped points by the first eight numbers of the matrix, shape (2n, 8)."""
    mapped_points, w = _apply_homography(source, matrix)
    scaled_terms = linear_terms(source)[:, [1, 2, 0]] / w[:, None]
    derivatives = np.zeros((len(source), 2, 8))
    derivatives[:, 0, 0:3] = derivatives[:, 1, 3:6] = scaled_terms
    for k in (0, 1):
        derivatives[:, k, 6:8] = -scaled_terms[:, :2] * mapped_points[:, k : k + 1]
    return derivatives.reshape(-1, 8)


def _fit_spline(source: Array, target: Array) -> MapFit:
    n = len(source)
    affine_terms = linear_terms(source)
    system_matrix = np.block([[_spline_terms(source, source), affine_terms], [affine_terms.T, np.zeros((3, 3))]])
    right_side = np.concatenate([target, np.zeros((3, 2))])
    try:
        inverse = np.linalg.inv(system_matrix)
        solution = inverse @ right_side
        for _ in range(2):  # iterative refinement of the inverse's rounding errors
            solution += inverse @ (right_side - system_matrix @ solution)
    except np.linalg.LinAlgError as error:
        raise DegenerateError("they lie on one line") from error
    spline = Spline(source, solution[n:], solution[:n])
    if not np.abs(spline.forward(source) - target).max() < _SINGULAR:
        raise DegenerateError("some of them lie too close together")
    if abs(np.linalg.det(spline.affine[1:])) < _SINGULAR:
        raise DegenerateError("the map that fits them is flat")
    free_shares = np.abs(np.diag(inverse)[:n])  # Rippa's rule: leave-one-out errors without refitting
    with np.errstate(divide="ignore", invalid="ignore"):
        left_out = np.where(free_shares[:, None] > _SINGULAR, spline.bends / np.diag(inverse)[:n, None], np.nan)
    return MapFit(spline, free_shares[:, None, None] * np.eye(2), left_out)
