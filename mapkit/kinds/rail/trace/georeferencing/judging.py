"""How improbable a control point is by all others, where the picture may be bent and every point is noisy.

A picture is an affine or projective image of the plane, bent by the paper and by a projection that is only guessed,
and every point is off by the noise of the hand. The bend is a smooth random function. So the others predict each point
by kriging, and it is judged by its deleted residual: how far it is off, divided by how far a good point would scatter,
both taken from the others alone (Cook and Weisberg 1982, 2.2; Cressie 1993, 3.2). Nobody knows how strong the bend is.
So the chance is averaged over strengths and over both kinds of map, each as probable as the others make it (marginal
likelihood: Rasmussen and Williams 2006, 2.7 and 5.4). The noise is what a hand usually does, until the points show it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, lgamma, log, pi
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array

Indices = NDArray[np.intp]

_REACH: Final = 2.0
"""Over which distance a bend changes, as a multiple of how far the points lie from their middle."""
_DEGREE: Final = 10
"""Of the polynomials of a bend; those of higher degree are a millionth of it."""
_STIFFNESS: Final = (*(float(10.0**power) for power in np.arange(-4, 1.1, 0.5)), np.inf)
"""How much noise there is for so much bend, as a share of the strongest bend that the points can show."""
_HAND: Final = 0.0005
"""How far off a hand is before any point has shown it, as a share of the picture's diagonal: 1 px of 2,000."""
_HAND_WEIGHT: Final = 2.0
"""How many numbers (two a point) this counts for."""
_LEAST_FREEDOM: Final = 4
_UNTOLD: Final = 1e-9
"""A share below which the others do not fix a point."""
_AFFINE_NUMBERS: Final = 6


@dataclass(frozen=True)
class Left:
    """What a map leaves over.

    Attributes:
        off: How far points are from where the map puts them, in a unit frame, shape (n, 2).
        tangents: How the map can give way at the points, shape (2n, p): all x first, then all y.
    """

    off: Array
    tangents: Array


@dataclass(frozen=True)
class Judged:
    """Points judged each by those that are used, itself left out.

    Attributes:
        chance: How probable it is that a good point is off so far, shape (n,); 1 where the others do not tell.
        away: How far the others put each point off, shape (n,).
        usual: The standard deviation of the noise by the others, in x and in y, shape (n,).
    """

    chance: Array
    away: Array
    usual: Array


@dataclass(frozen=True)
class _Bending:
    """A map with a bend of some strength.

    Attributes:
        ways: In what directions map and bend give way, each of unit length, at right angles, shape (2n, m).
        shares: How far they do, 0 to 1, shape (m,).
        off: What is left over, shape (2n,).
        numbers: How many numbers the map has.
        before: The part of the evidence that does not depend on what is left over.
    """

    ways: Array
    shares: Array
    off: Array
    numbers: int
    before: float


@dataclass(frozen=True)
class _Verdicts:
    """What each bending says of each point, shape (bendings, n); evidence is a logarithm."""

    chance: Array
    away: Array
    usual: Array
    evidence: Array


class Judge:
    """Judges points by what maps left over; made once, then asked with more or fewer points in use."""

    def __init__(self, at: Array, maps: Sequence[Left]) -> None:
        """Prepare for points at some places of the picture, in a unit frame, shape (n, 2)."""
        self._hand = _HAND_WEIGHT * (_HAND * float(np.hypot(*np.ptp(at, axis=0)))) ** 2
        bends: Array = np.asarray(np.kron(np.eye(2), _polynomials(at)), dtype=np.float64)
        self._bendings = [bending for left in maps for bending in _bendings(left, bends)]

    def judge(self, used: NDArray[np.bool_]) -> Judged:
        """Judge every point by those that are used, shape (n,), itself left out."""
        shape = (len(self._bendings), len(used))
        verdicts = _Verdicts(np.ones(shape), np.zeros(shape), np.zeros(shape), np.full(shape, -np.inf))
        for row, bending in enumerate(self._bendings):
            if 2 * int(used.sum()) - bending.numbers >= _LEAST_FREEDOM:
                self._note(verdicts, row, bending, used)
        most = verdicts.evidence.max(axis=0)
        known = np.isfinite(most)
        weights = np.exp(verdicts.evidence - np.where(known, most, 0.0))
        total = np.where(known, weights.sum(axis=0), 1.0)
        best = verdicts.evidence.argmax(axis=0), np.arange(len(used))
        return Judged(
            np.where(known, (weights * verdicts.chance).sum(axis=0) / total, 1.0),
            verdicts.away[best],
            verdicts.usual[best],
        )

    def _note(self, verdicts: _Verdicts, row: int, bending: _Bending, used: NDArray[np.bool_]) -> None:
        """Note what a bending says: in closed form, since leaving points out only takes rows from one inverse."""
        n, ways = len(used), bending.ways
        given = ways * bending.shares
        kept, out = np.flatnonzero(used), np.flatnonzero(~used)
        gone, here = np.append(out, out + n), np.append(kept, kept + n)
        inverse: Array = np.asarray(
            np.linalg.inv((1 + _UNTOLD) * np.eye(len(gone)) - given[gone] @ ways[gone].T), dtype=np.float64
        )
        error = inverse @ (bending.off - given @ (ways.T @ bending.off))[gone]
        off = bending.off.copy()
        off[gone] -= error  # puts the points that are left out where the others have them
        unexplained = off - given @ (ways.T @ off)
        squares = float(off @ unexplained) + self._hand
        freedom = _HAND_WEIGHT + len(here) - bending.numbers
        before = bending.before + 0.5 * float(np.linalg.slogdet(inverse)[1])

        def write(points: Indices, errors: Array, spread: Array, rest: Array, count: float, evidence: Array) -> None:
            own = (errors * _solved(spread, errors)).sum(axis=1)
            # of two coordinates that are normal, F(2, count) has this tail in closed form
            verdicts.chance[row, points] = (1 + own / rest) ** (-count / 2)
            verdicts.away[row, points] = np.hypot(*errors.T)
            verdicts.usual[row, points] = np.sqrt(rest / count)
            verdicts.evidence[row, points] = evidence + lgamma(count / 2) - count / 2 * np.log(pi * rest)

        spread, same = _blocks(inverse, np.eye(len(gone))), np.ones(len(out))
        write(out, error.reshape(2, -1).T, spread, squares * same, freedom, before * same)
        across = given[here] @ ways[gone].T
        held = np.eye(2) - _blocks(given[here], ways[here]) - _blocks(across @ inverse, across)
        det = np.linalg.det(held)
        tells = det > _UNTOLD * np.median(det)
        missing, held, det, kept = unexplained[here].reshape(2, -1).T[tells], held[tells], det[tells], kept[tells]
        errors = _solved(held, missing)
        rest = squares - (missing * errors).sum(axis=1)
        write(kept, errors, np.linalg.inv(held), rest, freedom - 2, before - 0.5 * np.log(det))


def _bendings(left: Left, bends: Array) -> Iterator[_Bending]:
    numbers = left.tangents.shape[1]
    rigid, across, _ = np.linalg.svd(left.tangents, full_matrices=False)
    soft, strengths, _ = np.linalg.svd(bends - rigid @ (rigid.T @ bends), full_matrices=False)
    soft = soft[:, strengths > _UNTOLD * strengths[0]]
    strengths = (strengths[: soft.shape[1]] / strengths[0]) ** 2
    # a number of a map is somewhere in a range of 1/2, in a unit frame
    before = log(2) * (numbers - _AFFINE_NUMBERS) - float(np.log(np.maximum(across, _UNTOLD)).sum())
    for stiffness in _STIFFNESS:
        shares = strengths / (strengths + stiffness) if np.isfinite(stiffness) else np.zeros_like(strengths)
        yield _Bending(
            np.hstack([rigid, soft]),
            np.append(np.ones(numbers), shares),
            left.off.T.reshape(-1),
            numbers,
            before + 0.5 * float(np.log1p(-shares).sum()),
        )


def _polynomials(at: Array) -> Array:
    """Return what a bend is a sum of: polynomials, the higher the weaker, as projections and warped paper bend."""
    x, y = (at / _REACH).T
    powers = [(a, degree - a) for degree in range(_DEGREE + 1) for a in range(degree + 1)]
    return np.column_stack([x**a * y**b / (factorial(a) * factorial(b)) ** 0.5 for a, b in powers])


def _blocks(one: Array, other: Array) -> Array:
    """Return each point's block (2, 2) of `one @ other.T`, whose rows are all x, then all y."""
    shape = (2, len(one) // 2, one.shape[1])
    return np.asarray(np.einsum("inm,jnm->nij", one.reshape(shape), other.reshape(shape)), dtype=np.float64)


def _solved(blocks: Array, right: Array) -> Array:
    """Solve a system (2, 2) a point."""
    return np.asarray(np.linalg.solve(blocks, right[..., None])[..., 0], dtype=np.float64)
