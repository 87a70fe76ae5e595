"""Checks on distances: mileposts too close together, segments far longer or shorter than usual."""

import math
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.checks import Found
from mapkit.core.memo import remembered
from mapkit.core.neighbours import find_close_pairs
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.checks.nearness import apart_ends
from mapkit.kinds.rail.model.board import Board, Segment

NEAR_SHARE = 0.1
"""Two mileposts are too close together below this share of the board's median segment."""

GAP_MADS = 3.5
"""A segment stands out if the logarithm of its length is further from the median than this many robust
standard deviations (Iglewicz and Hoaglin 1993)."""

_MAD_TO_SIGMA = 1.4826
_LEAST_SEGMENTS = 20  # fewer have no usual length
_EARTH_MI = 3958.76
_MILES = attrgetter("miles")


def near_limit(board: Board) -> float | None:
    """Return the miles below which two mileposts are too close together (N09); None where a board has no track."""
    if not board.segments:
        return None
    return NEAR_SHARE * median(_lengths(board.segments))


class Usual(NamedTuple):
    """How long segments of a board usually are, in miles: no shorter, most often, no longer (N10)."""

    least: float
    middle: float
    most: float


def usual_lengths(board: Board) -> Usual | None:
    """Return how long segments usually are; None where they are too few, or all alike."""
    spread = _spread(_lengths(board.segments))
    if spread is None:
        return None
    middle, sigma = spread
    least, most = (math.exp(middle + share * GAP_MADS * sigma) for share in (-1, 1))
    return Usual(least, math.exp(middle), most)


def _spread(lengths: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the median of the logarithms of lengths, and their robust standard deviation."""
    known = np.log(lengths[lengths > 0])
    if len(known) < _LEAST_SEGMENTS:
        return None
    middle = median(known)
    sigma = _MAD_TO_SIGMA * median(np.abs(known - middle))
    return None if sigma == 0 else (middle, sigma)


def _near(c: Checked) -> Iterator[Found]:
    """Two mileposts closer together than a tenth of the board's median segment.

    Usually this is one place under two names, so that lines do not connect there.
    """
    mileposts = c.board.mileposts
    limit = near_limit(c.board)
    if len(mileposts) < 2 or limit is None:  # noqa: PLR2004
        return
    apart = {frozenset(pair[:2]) for pair in apart_ends(c)}  # N14 says so
    lon, lat = (np.radians(np.fromiter(map(attrgetter(part), mileposts), np.float64)) for part in ("lon", "lat"))
    xyz = _EARTH_MI * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    pairs = np.column_stack(find_close_pairs(xyz, xyz, limit))
    for i, j in pairs[pairs[:, 0] < pairs[:, 1]].tolist():
        one, other = mileposts[i], mileposts[j]
        miles = float(np.linalg.norm(xyz[i] - xyz[j]))
        if miles > limit or frozenset((one.id, other.id)) in apart:
            continue
        yield Found(
            f"{one.name} and {other.name} are only {miles:.1f} miles apart; merge them into one milepost, "
            "or move one of them",
            (one.id, other.id),
            c.place("mileposts", other.id),
            {"miles": round(miles, 2), "limit": round(limit, 2)},
        )


def _gap(c: Checked) -> Iterator[Found]:
    """A segment much longer or shorter than the others.

    The logarithm of its length lies further from the median than 3.5 robust standard deviations. Either a milepost is
    missing or not needed, or a place name was found in the wrong part of the country.
    """
    lengths = _lengths(c.board.segments)
    spread = _spread(lengths)
    if spread is None:
        return
    middle, sigma = spread
    scores = (np.log(lengths, out=np.full(len(lengths), -math.inf), where=lengths > 0) - middle) / sigma
    for i in np.flatnonzero(np.abs(scores) > GAP_MADS).tolist():
        segment = c.board.segments[i]
        what, cure = ("too long", "add a milepost") if scores[i] > 0 else ("too short", "remove a milepost")
        a, b = (c.names[end] for end in (segment.a, segment.b))
        yield Found(
            f"{a} - {b} on {c.short[segment.railroad]} is {segment.miles:g} miles long, {what} for this board, where "
            f"{math.exp(middle):.0f} miles are usual; {cure}, or correct the places",
            (segment.id,),
            c.place("segments", segment.id, at=segment.a),
            {"miles": segment.miles, "usual": round(math.exp(middle), 1)},
        )


@remembered(2)
def _lengths(segments: tuple[Segment, ...]) -> NDArray[np.float64]:
    """Return the lengths of segments, miles."""
    return np.fromiter(map(_MILES, segments), np.float64)


CHECKS = (
    listed("N09", _near),
    listed("N10", _gap),
)
