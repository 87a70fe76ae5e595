"""Which control points contradict the others: a forward search from those that agree best.

A picture of a map is nearly an affine, projective or quadratic image of the plane, whatever model places it. Each of
these families is fitted to the few points that agree best (least median of squares over random minimal sets:
Rousseeuw 1984), then grown point by point, the best fitting one first, until the next one is too far off to be noise
(forward search: Atkinson 1994). The family with the smallest spread says which points are left over. The maps lead
from the plane to the picture, so that all distances are pixels, also of a point whose place is wrong by half the world.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.trace.georeferencing.plane_maps import NEEDS, Array, linear_terms, projective_equations

Indices = NDArray[np.intp]

CHANCE: Final = 0.0005
"""How probable a false alarm is in a picture whose points are only noisy."""
_SETS: Final = 300
"""With four points in ten wrong, one set of six in 20 has no wrong one; none of 300 does by a chance of 5e-7."""
_SEED: Final = 1984
_AGREEING: Final = 0.6
_LEAST_FREEDOM: Final = 4
_SINGULAR: Final = 1e-9
_LEAST_VARIANCE: Final = 1e-12
"""A variance below it is rounding: in a unit frame, a millionth squared."""
_STEPS: Final = 3


@dataclass(frozen=True)
class Contradiction:
    """A control point that the others contradict.

    Attributes:
        index: The point.
        away: How far off the others put it, in the unit of the picture.
        usual: How far the others are off themselves: their standard deviation, in the same unit.
    """

    index: int
    away: float
    usual: float


@dataclass(frozen=True)
class _Family:
    """Maps of a kind: how many points fix one, how many numbers it has, and how it is fitted."""

    needs: int
    numbers: int
    predict: Callable[[Array, Array, Array], tuple[Array, Array]]


def contradictions(plane: Array, picture: Array) -> tuple[Contradiction, ...]:
    """Return the points that the others contradict, the farthest off first.

    At most four in ten are found. With so few points that a wrong one cannot be found, there are none.

    Args:
        plane: Positions in the plane of the projection in a unit frame, shape (n, 2).
        picture: Their pixels in a unit frame, shape (n, 2).
    """
    found = [
        result
        for family in (_AFFINE, _PROJECTIVE, _QUADRATIC)
        if 2 * (len(plane) - 1) - family.numbers >= _LEAST_FREEDOM
        for result in (_search(family, plane, picture),)
        if result is not None
    ]
    if not found:
        return ()
    best = min(found, key=lambda result: result.spread)
    order = np.argsort(-best.away, kind="stable")
    return tuple(Contradiction(int(k), float(best.away[k]), best.spread) for k in order if best.outside[k])


@dataclass(frozen=True)
class _Result:
    """What a family says: which points lie outside, how far each is off, and the spread of the others."""

    outside: NDArray[np.bool_]
    away: Array
    spread: float


def _search(family: _Family, plane: Array, picture: Array) -> _Result | None:
    """Grow the points that agree best until the next one does not; None if the family cannot be fitted."""
    n = len(plane)
    inside = _start(family, plane, picture)
    if inside is None:
        return None
    while True:
        predicted, leverage = family.predict(plane[inside], picture[inside], plane)
        squares = ((picture - predicted) ** 2).sum(axis=1)
        squares = np.where(np.isfinite(squares), squares, np.inf)
        freedom = 2 * len(inside) - family.numbers
        variance = float(squares[inside].sum()) / freedom
        rest = np.setdiff1d(np.arange(n), inside)
        spread = float(np.sqrt(variance))
        if not len(rest):
            break
        nearest = rest[int(squares[rest].argmin())]
        if not np.isfinite(squares[nearest]):
            break
        # of two coordinates that are normal, F(2, freedom) has this tail in closed form
        ratio = squares[nearest] / max(2 * variance * (1 + leverage[nearest]), _LEAST_VARIANCE)
        chance = (1 + 2 * ratio / freedom) ** (-freedom / 2)
        if chance < CHANCE / n:
            break
        inside = np.sort(np.argsort(squares, kind="stable")[: len(inside) + 1])
    outside = np.ones(n, dtype=np.bool_)
    outside[inside] = False
    return _Result(outside, np.sqrt(squares), spread)


def _start(family: _Family, plane: Array, picture: Array) -> Indices | None:
    """Return the points that agree best under the map of least median of squares."""
    n = len(plane)
    keep = max(ceil(_AGREEING * n), (family.numbers + _LEAST_FREEDOM + 1) // 2)
    best = np.inf
    chosen: Indices | None = None
    for some in _minimal_sets(n, family.needs):
        predicted, _ = family.predict(plane[some], picture[some], plane)
        squares = ((picture - predicted) ** 2).sum(axis=1)
        squares = np.where(np.isfinite(squares), squares, np.inf)
        order = np.argsort(squares, kind="stable")[:keep]
        if squares[order[-1]] < best:
            best, chosen = float(squares[order[-1]]), np.sort(order)
    return chosen


def _minimal_sets(n: int, size: int) -> Indices:
    """Return sets of so many of n points: all of them if they are few, else a seeded sample; shape (k, size)."""
    if comb(n, size) <= _SETS:
        return np.array(list(combinations(range(n), size)))
    random = np.random.default_rng(_SEED)
    return np.sort(np.argsort(random.random((_SETS, n)), axis=1)[:, :size], axis=1)


def _linear_family(terms: Callable[[Array], Array], needs: int) -> _Family:
    """Return the family of maps that are sums of terms of the position."""

    def predict(source: Array, target: Array, at: Array) -> tuple[Array, Array]:
        inverse = np.linalg.pinv(terms(source))
        table = terms(at)
        return table @ (inverse @ target), ((table @ inverse) ** 2).sum(axis=1)

    return _Family(needs, 2 * needs, predict)


def _predict_projective(source: Array, target: Array, at: Array) -> tuple[Array, Array]:
    """Predict by the projective map of least squares: linear equations, weighed by the denominators step by step."""
    equations = projective_equations(source, target)
    table, right = equations[:, :8], -equations[:, 8]
    weights = np.ones(len(right))
    numbers: Array = np.zeros(8)
    for _ in range(_STEPS if len(source) > NEEDS["projective"] else 1):
        numbers = np.asarray(np.linalg.lstsq(table * weights[:, None], right * weights, rcond=None)[0], np.float64)
        below = 1 + source @ numbers[6:]
        if (below <= _SINGULAR).any():
            return np.full_like(at, np.nan), np.zeros(len(at))
        weights = np.tile(1 / below, 2)
    below = 1 + at @ numbers[6:]
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.column_stack([at @ numbers[0:2] + numbers[2], at @ numbers[3:5] + numbers[5]])
        out = np.where(below[:, None] > _SINGULAR, above / below[:, None], np.nan)
    _, leverage = _AFFINE.predict(source, target, at)
    return out, leverage


def _quadratic_terms(at: Array) -> Array:
    x, y = at.T
    return np.column_stack([linear_terms(at), x * x, x * y, y * y])


_AFFINE: Final = _linear_family(linear_terms, 3)
_PROJECTIVE: Final = _Family(NEEDS["projective"], 8, _predict_projective)
_QUADRATIC: Final = _linear_family(_quadratic_terms, 6)
