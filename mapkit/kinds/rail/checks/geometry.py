"""Checks on distances: mileposts too close together, segments far longer or shorter than usual."""

import math
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.checks import Found
from mapkit.core.neighbours import find_close_pairs
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.checks.nearest_track import find_unjoined_ends
from mapkit.kinds.rail.model.board import Board, Segment

NEAR_SHARE = 0.1
"""Two mileposts are too close together below this share of the board's median segment."""

GAP_MADS = 3.5
"""A segment stands out if the logarithm of its length is further from the median than this many robust
standard deviations (Iglewicz and Hoaglin 1993)."""

_MAD_TO_SIGMA = 1.4826
_LEAST_SEGMENTS = 20  # for a usual length
_EARTH_MI = 3958.76
_MILES = attrgetter("miles")


def least_milepost_distance(board: Board) -> float | None:
    """Return the least distance of two mileposts, miles (N09); None for a board without track."""
    if not board.segments:
        return None
    return NEAR_SHARE * median(_segment_miles(board.segments))


class UsualLengths(NamedTuple):
    """Usual lengths of the segments of a board, in miles: least, most common, most (N10)."""

    least: float
    middle: float
    most: float


def measure_usual_lengths(board: Board) -> UsualLengths | None:
    """Return the usual lengths of segments; None if there are too few segments, or all are alike."""
    log_spread = _measure_log_lengths(_segment_miles(board.segments))
    if log_spread is None:
        return None
    log_median, sigma = log_spread
    least, most = (math.exp(log_median + share * GAP_MADS * sigma) for share in (-1, 1))
    return UsualLengths(least, math.exp(log_median), most)


def _measure_log_lengths(lengths: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the median of the logarithms of lengths, and their robust standard deviation."""
    log_lengths = np.log(lengths[lengths > 0])
    if len(log_lengths) < _LEAST_SEGMENTS:
        return None
    log_median = median(log_lengths)
    sigma = _MAD_TO_SIGMA * median(np.abs(log_lengths - log_median))
    return None if sigma == 0 else (log_median, sigma)


def _find_mileposts_too_close(c: CheckedRails) -> Iterator[Found]:
    """Two mileposts closer together than a tenth of the board's median segment.

    Usually this is one place under two names, so that lines do not connect there.
    """
    mileposts = c.board.mileposts
    limit_mi = least_milepost_distance(c.board)
    if len(mileposts) < 2 or limit_mi is None:  # noqa: PLR2004
        return
    apart_pairs = {frozenset(pair[:2]) for pair in find_unjoined_ends(c)}  # reported by N14
    lon, lat = (np.radians(np.fromiter(map(attrgetter(part), mileposts), np.float64)) for part in ("lon", "lat"))
    xyz = _EARTH_MI * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    close_pairs = np.column_stack(find_close_pairs(xyz, xyz, limit_mi))
    for i, j in close_pairs[close_pairs[:, 0] < close_pairs[:, 1]].tolist():
        first_milepost, second_milepost = mileposts[i], mileposts[j]
        distance_mi = float(np.linalg.norm(xyz[i] - xyz[j]))
        if distance_mi > limit_mi or frozenset((first_milepost.id, second_milepost.id)) in apart_pairs:
            continue
        yield Found(
            f"{first_milepost.name} and {second_milepost.name} are only {distance_mi:.1f} miles apart; merge them into "
            "one milepost, or move one of them",
            (first_milepost.id, second_milepost.id),
            c.place("mileposts", second_milepost.id),
            {"miles": round(distance_mi, 2), "limit": round(limit_mi, 2)},
        )


def _find_unusual_segment_length(c: CheckedRails) -> Iterator[Found]:
    """A segment much longer or shorter than the others.

    The logarithm of its length lies further from the median than 3.5 robust standard deviations. Either a milepost is
    missing or not needed, or a place name was found in the wrong part of the country.
    """
    lengths = _segment_miles(c.board.segments)
    log_spread = _measure_log_lengths(lengths)
    if log_spread is None:
        return
    log_median, sigma = log_spread
    scores = (np.log(lengths, out=np.full(len(lengths), -math.inf), where=lengths > 0) - log_median) / sigma
    for i in np.flatnonzero(np.abs(scores) > GAP_MADS).tolist():
        segment = c.board.segments[i]
        length_text, cure = ("too long", "add a milepost") if scores[i] > 0 else ("too short", "remove a milepost")
        a, b = (c.names[end] for end in (segment.a, segment.b))
        yield Found(
            f"{a} - {b} on {c.short[segment.railroad]} is {segment.miles:g} miles long, {length_text} for this board, "
            f"where {math.exp(log_median):.0f} miles are usual; {cure}, or correct the places",
            (segment.id,),
            c.place("segments", segment.id, at=segment.a),
            {"miles": segment.miles, "usual": round(math.exp(log_median), 1)},
        )


def _segment_miles(segments: tuple[Segment, ...]) -> NDArray[np.float64]:
    """Return the lengths of segments, miles."""
    return np.fromiter(map(_MILES, segments), np.float64)


CHECKS = (
    make_listed_check("N09", _find_mileposts_too_close),
    make_listed_check("N10", _find_unusual_segment_length),
)
