"""Which control points contradict the others: a search for those that agree, then a test of each by the others.

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

from mapkit.kinds.rail.trace.georeferencing.judging import Judge, Left
from mapkit.kinds.rail.trace.georeferencing.plane_maps import NEEDS, Array, linear_terms, projective_equations

Indices = NDArray[np.intp]

_FALSE_ALARMS: Final = 0.01
"""In what share of pictures without a wrong point one is called wrong, about."""
_OUTSIDE: Final = 0.0005
"""How improbable the next point must be, among those of one picture, for the search to stop growing."""
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
    tangents: Callable[[Array], Array]


def contradictions(plane: Array, picture: Array) -> tuple[Contradiction, ...]:
    """Return the points that the others contradict, the farthest off first.

    At most four in ten are found. With fewer than six points there are none: a wrong one cannot be found.

    Args:
        plane: Positions in the plane of the projection in a unit frame, shape (n, 2).
        picture: Their pixels in a unit frame, shape (n, 2).
    """
    agreeing = {
        family: inside
        for family in (_AFFINE, _PROJECTIVE, _QUADRATIC)
        if 2 * (len(plane) - 1) - family.numbers >= _LEAST_FREEDOM
        for inside in (_search(family, plane, picture),)
        if inside is not None
    }
    if not agreeing:
        return ()
    start = min(agreeing, key=lambda family: _badness(family, plane, picture, agreeing[family]))
    maps = [
        _left_over(family, plane, picture, agreeing[family]) for family in (_AFFINE, _PROJECTIVE) if family in agreeing
    ]
    return _judged(Judge(picture, maps), agreeing[start], len(plane))


def _judged(judge: Judge, start: Indices, n: int) -> tuple[Contradiction, ...]:
    """Take back the points that are noise or a bend, the nearest first, then leave out the worst until none stands out.

    A search chooses whom to leave out, so a group of so many must be improbable among all groups of that size.
    """
    used = np.isin(np.arange(n), start)
    judged = judge.judge(used)
    while not used.all():
        nearest = int(np.where(used, -1.0, judged.chance).argmax())
        if judged.chance[nearest] < _FALSE_ALARMS / comb(n, int((~used).sum())):
            break
        used[nearest] = True
        judged = judge.judge(used)
    while int(used.sum()) > ceil(_AGREEING * n):
        worst = int(np.where(used, judged.chance, 2.0).argmin())
        if judged.chance[worst] >= _FALSE_ALARMS / n:
            break
        used[worst] = False
        judged = judge.judge(used)
    order = np.argsort(-judged.away, kind="stable")
    return tuple(
        Contradiction(int(k), float(judged.away[k]), float(judged.usual[k]))
        for k in order
        if not used[k] and judged.chance[k] < _FALSE_ALARMS / n
    )


def _left_over(family: _Family, plane: Array, picture: Array, inside: Indices) -> Left:
    """Return what the family's map through some points leaves over; what lies beyond its horizon, of an affine map."""
    at, _ = family.predict(plane[inside], picture[inside], plane)
    straight, _ = _AFFINE.predict(plane[inside], picture[inside], plane)
    return Left(picture - np.where(np.isfinite(at), at, straight), family.tangents(picture))


def _badness(family: _Family, plane: Array, picture: Array, inside: Indices) -> float:
    """Return Akaike's criterion, corrected for few points: each point left out is fitted by two numbers of its own."""
    predicted, _ = family.predict(plane[inside], picture[inside], plane[inside])
    squares = float(((picture[inside] - predicted) ** 2).sum())
    values = 2 * len(plane)
    numbers = family.numbers + 2 * (len(plane) - len(inside)) + 1
    return values * log(max(squares, _LEAST_VARIANCE) / values) + 2 * numbers * values / (values - numbers - 1)


def _search(family: _Family, plane: Array, picture: Array) -> Indices | None:
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
        if not len(rest):
            break
        nearest = rest[int(squares[rest].argmin())]
        if not np.isfinite(squares[nearest]):
            break
        # of two coordinates that are normal, F(2, freedom) has this tail in closed form
        ratio = squares[nearest] / max(2 * variance * (1 + leverage[nearest]), _LEAST_VARIANCE)
        chance = (1 + 2 * ratio / freedom) ** (-freedom / 2)
        if chance < _OUTSIDE / n:
            break
        inside = np.sort(np.argsort(squares, kind="stable")[: len(inside) + 1])
    return inside


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

    return _Family(needs, 2 * needs, predict, lambda at: np.asarray(np.kron(np.eye(2), terms(at)), dtype=np.float64))


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


def _projective_tangents(at: Array) -> Array:
    """Return how a projective map that leads to these points can give way there."""
    (x, y), linear = at.T, linear_terms(at)
    tilt = np.concatenate([np.column_stack([x * x, x * y]), np.column_stack([x * y, y * y])])
    return np.hstack([np.kron(np.eye(2), linear), tilt])


def _quadratic_terms(at: Array) -> Array:
    x, y = at.T
    return np.column_stack([linear_terms(at), x * x, x * y, y * y])


_AFFINE: Final = _linear_family(linear_terms, 3)
_PROJECTIVE: Final = _Family(NEEDS["projective"], 8, _predict_projective, _projective_tangents)
_QUADRATIC: Final = _linear_family(_quadratic_terms, 6)
