"""Detection of control points that contradict the others: a robust search, then a leave-one-out test of each.

A picture of a map is nearly an affine, projective or quadratic image of the plane, whatever model places it. Each of
these families is fitted to the few points that agree best (least median of squares over random minimal sets:
Rousseeuw 1984), then grown point by point, the best fitting one first, until the next one is too far off to be noise
(forward search: Atkinson 1994). The family that explains the picture best for its numbers (Akaike 1974, corrected for
few points) says which points to start from. Then each point is judged by the others (`judging`), the worst is left out
and all are judged again without it, so that a wrong point neither hides itself nor makes a good one stand out. The maps
lead from the plane to the picture, so that all distances are pixels, also of a point whose place is wrong by half the
world.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.trace.georeferencing.judging import MapResiduals, PointJudge
from mapkit.kinds.rail.trace.georeferencing.plane_maps import NEEDS, Array, linear_terms, projective_equations

Indices = NDArray[np.intp]

_FALSE_ALARMS: Final = 0.01
"""Approximate share of pictures without a wrong point in which one is called wrong."""
_OUTLIER_CHANCE: Final = 0.0005
"""Probability of the next point, corrected for the number of points, below which the search stops growing."""
_MAX_SETS: Final = 300
"""With four points in ten wrong, one set of six in 20 has no wrong one; none of 300 does by a chance of 5e-7."""
_SEED: Final = 1984
_AGREEING_SHARE: Final = 0.6
_LEAST_FREEDOM: Final = 4
_MIN_DENOMINATOR: Final = 1e-9
_SINGULAR_RATIO: Final = 1e-14
"""Share of the largest singular value below which one counts as zero."""
_LEAST_VARIANCE: Final = 1e-12
"""A variance below it is rounding: in a unit frame, a millionth squared."""
_REWEIGHTING_STEPS: Final = 3


@dataclass(frozen=True)
class Contradiction:
    """Control point that the others contradict.

    Attributes:
        index: The point.
        away: Distance from its position predicted by the others, in the unit of the picture.
        usual: Standard deviation of the others, in the same unit.
    """

    index: int
    away: float
    usual: float


@dataclass(frozen=True)
class _Family:
    """Family of maps: the points and coefficients that fix one, and how it is fitted.

    Attributes:
        predict: Fits source and target, shape (..., m, 2), and returns the images of other points, shape (n, 2), and
            their leverage: shapes (..., n, 2) and (..., n).
    """

    needs: int
    numbers: int
    predict: Callable[[Array, Array, Array], tuple[Array, Array]]
    tangents: Callable[[Array], Array]


def find_contradictions(plane: Array, picture: Array) -> tuple[Contradiction, ...]:
    """Return the control points that the others contradict, the farthest off first.

    At most four in ten are found. With fewer than six points there are none: a wrong one cannot be found.

    Args:
        plane: Positions in the plane of the projection in a unit frame, shape (n, 2).
        picture: Their pixels in a unit frame, shape (n, 2).
    """
    consensus_of = {
        family: consensus
        for family in (_AFFINE, _PROJECTIVE, _QUADRATIC)
        if 2 * (len(plane) - 1) - family.numbers >= _LEAST_FREEDOM
        for consensus in (_grow_consensus(family, plane, picture),)
        if consensus is not None
    }
    if not consensus_of:
        return ()
    best_family = min(consensus_of, key=lambda family: _corrected_aic(family, plane, picture, consensus_of[family]))
    family_residuals = [
        _compute_residuals(family, plane, picture, consensus_of[family])
        for family in (_AFFINE, _PROJECTIVE)
        if family in consensus_of
    ]
    return _find_contradictions(PointJudge(picture, family_residuals), consensus_of[best_family], len(plane))


def _find_contradictions(judge: PointJudge, start: Indices, n: int) -> tuple[Contradiction, ...]:
    """Readmit points that are noise or a bend, the nearest first, then drop the worst until none stands out.

    The search chooses the points to leave out, so a group must be improbable among all groups of its size.
    """
    is_used = np.isin(np.arange(n), start)
    judgement = judge.judge(is_used)
    while not is_used.all():
        nearest_point = int(np.where(is_used, -1.0, judgement.chance).argmax())
        if judgement.chance[nearest_point] < _FALSE_ALARMS / comb(n, int((~is_used).sum())):
            break
        is_used[nearest_point] = True
        judgement = judge.judge(is_used)
    while int(is_used.sum()) > ceil(_AGREEING_SHARE * n):
        worst_point = int(np.where(is_used, judgement.chance, 2.0).argmin())
        if judgement.chance[worst_point] >= _FALSE_ALARMS / n:
            break
        is_used[worst_point] = False
        judgement = judge.judge(is_used)
    by_distance = np.argsort(-judgement.away, kind="stable")
    return tuple(
        Contradiction(int(k), float(judgement.away[k]), float(judgement.usual[k]))
        for k in by_distance
        if not is_used[k] and judgement.chance[k] < _FALSE_ALARMS / n
    )


def _compute_residuals(family: _Family, plane: Array, picture: Array, inside: Indices) -> MapResiduals:
    """Return the residuals of the family's map through some points; beyond its horizon, of an affine map."""
    predicted_xy, _ = family.predict(plane[inside], picture[inside], plane)
    affine_xy, _ = _AFFINE.predict(plane[inside], picture[inside], plane)
    return MapResiduals(
        picture - np.where(np.isfinite(predicted_xy), predicted_xy, affine_xy), family.tangents(picture)
    )


def _corrected_aic(family: _Family, plane: Array, picture: Array, inside: Indices) -> float:
    """Return Akaike's criterion, corrected for few points; each point left out costs two coefficients of its own."""
    predicted, _ = family.predict(plane[inside], picture[inside], plane[inside])
    squared_sum = float(((picture[inside] - predicted) ** 2).sum())
    coordinate_count = 2 * len(plane)
    coefficient_count = family.numbers + 2 * (len(plane) - len(inside)) + 1
    return coordinate_count * log(
        max(squared_sum, _LEAST_VARIANCE) / coordinate_count
    ) + 2 * coefficient_count * coordinate_count / (coordinate_count - coefficient_count - 1)


def _grow_consensus(family: _Family, plane: Array, picture: Array) -> Indices | None:
    """Grow the set of agreeing points until the next one does not agree; None if the family cannot be fitted."""
    n = len(plane)
    consensus = _find_median_consensus(family, plane, picture)
    if consensus is None:
        return None
    while True:
        predicted, leverage = family.predict(plane[consensus], picture[consensus], plane)
        squared_errors = ((picture - predicted) ** 2).sum(axis=1)
        squared_errors = np.where(np.isfinite(squared_errors), squared_errors, np.inf)
        degrees_of_freedom = 2 * len(consensus) - family.numbers
        variance = float(squared_errors[consensus].sum()) / degrees_of_freedom
        outside_points = np.setdiff1d(np.arange(n), consensus)
        if not len(outside_points):
            break
        nearest_point = outside_points[int(squared_errors[outside_points].argmin())]
        if not np.isfinite(squared_errors[nearest_point]):
            break
        # tail of F(2, freedom) in closed form, for two normal coordinates
        f_ratio = squared_errors[nearest_point] / max(2 * variance * (1 + leverage[nearest_point]), _LEAST_VARIANCE)
        tail_chance = (1 + 2 * f_ratio / degrees_of_freedom) ** (-degrees_of_freedom / 2)
        if tail_chance < _OUTLIER_CHANCE / n:
            break
        consensus = np.sort(np.argsort(squared_errors, kind="stable")[: len(consensus) + 1])
    return consensus


def _find_median_consensus(family: _Family, plane: Array, picture: Array) -> Indices | None:
    """Return the points that agree best by least median of squares."""
    n = len(plane)
    consensus_size = max(ceil(_AGREEING_SHARE * n), (family.numbers + _LEAST_FREEDOM + 1) // 2)
    sampled_points = _minimal_sets(n, family.needs)
    predicted, _ = family.predict(plane[sampled_points], picture[sampled_points], plane)
    squared_errors = ((picture - predicted) ** 2).sum(axis=-1)
    squared_errors = np.where(np.isfinite(squared_errors), squared_errors, np.inf)
    nearest_points = np.argsort(squared_errors, axis=1, kind="stable")[:, :consensus_size]
    farthest_errors = np.take_along_axis(squared_errors, nearest_points[:, -1:], axis=1)[:, 0]
    best_set = int(farthest_errors.argmin())
    return np.sort(nearest_points[best_set]) if np.isfinite(farthest_errors[best_set]) else None


def _minimal_sets(n: int, size: int) -> Indices:
    """Return all sets of `size` of n points if there are few, else a seeded sample; shape (k, size)."""
    if comb(n, size) <= _MAX_SETS:
        return np.array(list(combinations(range(n), size)))
    random = np.random.default_rng(_SEED)
    return np.sort(np.argsort(random.random((_MAX_SETS, n)), axis=1)[:, :size], axis=1)


def _linear_family(terms: Callable[[Array], Array], needs: int) -> _Family:
    """Return the family of maps that are sums of terms of the position."""

    def predict(source: Array, target: Array, at: Array) -> tuple[Array, Array]:
        pseudo_inverse = np.linalg.pinv(terms(source))
        term_table = terms(at)
        return term_table @ (pseudo_inverse @ target), ((term_table @ pseudo_inverse) ** 2).sum(axis=-1)

    return _Family(needs, 2 * needs, predict, lambda at: np.asarray(np.kron(np.eye(2), terms(at)), dtype=np.float64))


def _predict_projective(source: Array, target: Array, at: Array) -> tuple[Array, Array]:
    """Predict by the projective map of least squares, by iteratively reweighted linear equations."""
    equations = projective_equations(source, target)
    coefficient_table, right_side = equations[..., :8], -equations[..., 8:]
    weights = np.ones_like(right_side)
    coefficients = np.zeros((*source.shape[:-2], 8, 1))
    is_valid = np.ones(source.shape[:-2], dtype=np.bool_)
    for _ in range(_REWEIGHTING_STEPS if source.shape[-2] > NEEDS["projective"] else 1):
        coefficients = np.linalg.pinv(coefficient_table * weights, _SINGULAR_RATIO) @ (right_side * weights)
        denominators = 1 + source @ coefficients[..., 6:, :]
        is_positive = denominators > _MIN_DENOMINATOR
        is_valid &= is_positive.all(axis=(-2, -1))
        weights = np.concatenate([1 / np.where(is_positive, denominators, 1.0)] * 2, axis=-2)
    denominators = 1 + at @ coefficients[..., 6:, :]
    numerators = np.concatenate(
        [at @ coefficients[..., k : k + 2, :] + coefficients[..., k + 2 : k + 3, :] for k in (0, 3)], axis=-1
    )
    is_before_horizon = (denominators > _MIN_DENOMINATOR) & is_valid[..., None, None]
    predicted_xy = np.where(is_before_horizon, numerators / np.where(is_before_horizon, denominators, 1.0), np.nan)
    _, leverage = _AFFINE.predict(source, target, at)
    return predicted_xy, leverage


def _projective_tangents(at: Array) -> Array:
    """Return the tangent directions of projective maps at these points."""
    (x, y), affine_terms = at.T, linear_terms(at)
    tilt_terms = np.concatenate([np.column_stack([x * x, x * y]), np.column_stack([x * y, y * y])])
    return np.hstack([np.kron(np.eye(2), affine_terms), tilt_terms])


def _quadratic_terms(at: Array) -> Array:
    x, y = at[..., :1], at[..., 1:]
    return np.concatenate([linear_terms(at), x * x, x * y, y * y], axis=-1)


_AFFINE: Final = _linear_family(linear_terms, 3)
_PROJECTIVE: Final = _Family(NEEDS["projective"], 8, _predict_projective, _projective_tangents)
_QUADRATIC: Final = _linear_family(_quadratic_terms, 6)
