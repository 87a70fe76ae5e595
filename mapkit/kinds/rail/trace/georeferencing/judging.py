"""Leave-one-out test of control points, where the picture may be bent and every point is noisy.

A picture is an affine or projective image of the plane, bent by the paper and by a projection that is only guessed,
and every point has the noise of a hand. The bend is modelled as a smooth random function. So each point is predicted
from the others by kriging and judged by its deleted residual: its error divided by the expected scatter, both from the
others alone (Cook and Weisberg 1982, 2.2; Cressie 1993, 3.2). The strength of the bend is unknown, so the probability
is averaged over strengths and over both kinds of map, weighted by their marginal likelihood (Rasmussen and Williams
2006, 2.7 and 5.4). The noise has a prior of the usual precision of a hand, which the points refine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, lgamma, log, pi
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array

Indices = NDArray[np.intp]

_BEND_REACH: Final = 2.0
"""Length scale of a bend, as a multiple of the spread of the points."""
_MAX_DEGREE: Final = 10
"""Degree of the polynomials of a bend; higher ones contribute less than a millionth."""
_STIFFNESSES: Final = (*(float(10.0**power) for power in np.arange(-4, 1.1, 0.5)), np.inf)
"""Ratios of noise to bend, as a share of the strongest bend that the points can show."""
_HAND_NOISE: Final = 0.0005
"""Prior standard deviation of a hand, as a share of the picture's diagonal: 1 px of 2,000."""
_HAND_WEIGHT: Final = 2.0
"""Weight of the prior, in coordinates (two per point)."""
_LEAST_FREEDOM: Final = 4
_MIN_SHARE: Final = 1e-9
"""Share below which the others do not determine a point."""
_AFFINE_NUMBERS: Final = 6


@dataclass(frozen=True)
class MapResiduals:
    """Residuals of a map at the control points.

    Attributes:
        off: Residuals of the points, in a unit frame, shape (n, 2).
        tangents: Derivatives of the map by its coefficients at the points, shape (2n, p): all x first, then all y.
    """

    off: Array
    tangents: Array


@dataclass(frozen=True)
class PointJudgements:
    """Result of testing each point by the points in use, itself left out.

    Attributes:
        chance: Probability of so large an error of a good point, shape (n,); 1 where the others do not tell.
        away: Distance of each point from its prediction by the others, shape (n,).
        usual: Standard deviation of the noise of the others, in x and in y, shape (n,).
    """

    chance: Array
    away: Array
    usual: Array


@dataclass(frozen=True)
class _Bending:
    """Map with a bend of some strength.

    Attributes:
        ways: Orthonormal directions in which map and bend can move the points, shape (2n, m).
        shares: Share of each direction that the fit explains, 0 to 1, shape (m,).
        off: Residuals, shape (2n,).
        numbers: Number of coefficients of the map.
        before: Part of the evidence that does not depend on the residuals.
    """

    ways: Array
    shares: Array
    off: Array
    numbers: int
    before: float


@dataclass(frozen=True)
class _Verdicts:
    """Judgement of each point by each bending, shape (bendings, n); evidence is a logarithm."""

    chance: Array
    away: Array
    usual: Array
    evidence: Array


class PointJudge:
    """Test of points by the residuals of maps; prepared once, then run with more or fewer points in use."""

    def __init__(self, at: Array, maps: Sequence[MapResiduals]) -> None:
        """Prepare for points at these positions of the picture, in a unit frame, shape (n, 2)."""
        self._hand = _HAND_WEIGHT * (_HAND_NOISE * float(np.hypot(*np.ptp(at, axis=0)))) ** 2
        # The basis of bends: polynomials, the higher the weaker, as projections and warped paper bend.
        x, y = (at / _BEND_REACH).T
        exponents = [(a, degree - a) for degree in range(_MAX_DEGREE + 1) for a in range(degree + 1)]
        bends: Array = np.asarray(
            np.kron(
                np.eye(2), np.column_stack([x**a * y**b / (factorial(a) * factorial(b)) ** 0.5 for a, b in exponents])
            ),
            dtype=np.float64,
        )
        self._bendings = [bending for left in maps for bending in _make_bendings(left, bends)]

    def judge(self, used: NDArray[np.bool_]) -> PointJudgements:
        """Judge every point by those that are used, shape (n,), itself left out."""
        shape = (len(self._bendings), len(used))
        verdicts = _Verdicts(np.ones(shape), np.zeros(shape), np.zeros(shape), np.full(shape, -np.inf))
        for row, bending in enumerate(self._bendings):
            if 2 * int(used.sum()) - bending.numbers >= _LEAST_FREEDOM:
                self._record_verdicts(verdicts, row, bending, used)
        max_evidence = verdicts.evidence.max(axis=0)
        is_known = np.isfinite(max_evidence)
        weights = np.exp(verdicts.evidence - np.where(is_known, max_evidence, 0.0))
        total_weight = np.where(is_known, weights.sum(axis=0), 1.0)
        best_verdict = verdicts.evidence.argmax(axis=0), np.arange(len(used))
        return PointJudgements(
            np.where(is_known, (weights * verdicts.chance).sum(axis=0) / total_weight, 1.0),
            verdicts.away[best_verdict],
            verdicts.usual[best_verdict],
        )

    def _record_verdicts(self, verdicts: _Verdicts, row: int, bending: _Bending, used: NDArray[np.bool_]) -> None:
        """Record the judgement of a bending in closed form: leaving points out only removes rows from one inverse."""
        n, ways = len(used), bending.ways
        weighted = ways * bending.shares
        used_points, unused_points = np.flatnonzero(used), np.flatnonzero(~used)
        unused_rows, used_rows = np.append(unused_points, unused_points + n), np.append(used_points, used_points + n)
        inverse: Array = np.asarray(
            np.linalg.inv((1 + _MIN_SHARE) * np.eye(len(unused_rows)) - weighted[unused_rows] @ ways[unused_rows].T),
            dtype=np.float64,
        )
        unused_errors = inverse @ (bending.off - weighted @ (ways.T @ bending.off))[unused_rows]
        residuals = bending.off.copy()
        residuals[unused_rows] -= unused_errors  # moves the points that are left out to their predictions
        unexplained = residuals - weighted @ (ways.T @ residuals)
        squared_sum = float(residuals @ unexplained) + self._hand
        degrees_of_freedom = _HAND_WEIGHT + len(used_rows) - bending.numbers
        prior_evidence = bending.before + 0.5 * float(np.linalg.slogdet(inverse)[1])

        def write(points: Indices, errors: Array, spread: Array, rest: Array, count: float, evidence: Array) -> None:
            quadratic_forms = (errors * _solve_blocks(spread, errors)).sum(axis=1)
            # tail of F(2, count) in closed form, for two normal coordinates
            verdicts.chance[row, points] = (1 + quadratic_forms / rest) ** (-count / 2)
            verdicts.away[row, points] = np.hypot(*errors.T)
            verdicts.usual[row, points] = np.sqrt(rest / count)
            verdicts.evidence[row, points] = evidence + lgamma(count / 2) - count / 2 * np.log(pi * rest)

        error_spread, ones = _point_blocks(inverse, np.eye(len(unused_rows))), np.ones(len(unused_points))
        write(
            unused_points,
            unused_errors.reshape(2, -1).T,
            error_spread,
            squared_sum * ones,
            degrees_of_freedom,
            prior_evidence * ones,
        )
        cross_terms = weighted[used_rows] @ ways[unused_rows].T
        leverage_blocks = (
            np.eye(2)
            - _point_blocks(weighted[used_rows], ways[used_rows])
            - _point_blocks(cross_terms @ inverse, cross_terms)
        )
        determinants = np.linalg.det(leverage_blocks)
        is_told = determinants > _MIN_SHARE * np.median(determinants)
        own_residuals, leverage_blocks, determinants, used_points = (
            unexplained[used_rows].reshape(2, -1).T[is_told],
            leverage_blocks[is_told],
            determinants[is_told],
            used_points[is_told],
        )
        deleted_residuals = _solve_blocks(leverage_blocks, own_residuals)
        remaining_squares = squared_sum - (own_residuals * deleted_residuals).sum(axis=1)
        write(
            used_points,
            deleted_residuals,
            np.linalg.inv(leverage_blocks),
            remaining_squares,
            degrees_of_freedom - 2,
            prior_evidence - 0.5 * np.log(determinants),
        )


def _make_bendings(left: MapResiduals, bends: Array) -> Iterator[_Bending]:
    numbers = left.tangents.shape[1]
    map_basis, map_strengths, _ = np.linalg.svd(left.tangents, full_matrices=False)
    bend_basis, strengths, _ = np.linalg.svd(bends - map_basis @ (map_basis.T @ bends), full_matrices=False)
    bend_basis = bend_basis[:, strengths > _MIN_SHARE * strengths[0]]
    strengths = (strengths[: bend_basis.shape[1]] / strengths[0]) ** 2
    # prior of a map's coefficient: uniform over a range of 1/2, in a unit frame
    prior_evidence = log(2) * (numbers - _AFFINE_NUMBERS) - float(np.log(np.maximum(map_strengths, _MIN_SHARE)).sum())
    for stiffness in _STIFFNESSES:
        shares = strengths / (strengths + stiffness) if np.isfinite(stiffness) else np.zeros_like(strengths)
        yield _Bending(
            np.hstack([map_basis, bend_basis]),
            np.append(np.ones(numbers), shares),
            left.off.T.reshape(-1),
            numbers,
            prior_evidence + 0.5 * float(np.log1p(-shares).sum()),
        )


def _point_blocks(one: Array, other: Array) -> Array:
    """Return each point's block (2, 2) of `one @ other.T`, with rows ordered all x, then all y."""
    block_shape = (2, len(one) // 2, one.shape[1])
    return np.asarray(np.einsum("inm,jnm->nij", one.reshape(block_shape), other.reshape(block_shape)), dtype=np.float64)


def _solve_blocks(blocks: Array, right: Array) -> Array:
    """Solve a (2, 2) system per point."""
    return np.asarray(np.linalg.solve(blocks, right[..., None])[..., 0], dtype=np.float64)
