"""Checks on distances: mileposts at nearly one place, gaps far from the board's usual."""

import math
from collections.abc import Iterator
from statistics import median

from mapkit.checks.check import Check, Checked, Found
from mapkit.model.findings import Severity

NEAR_SHARE = 0.1
"""Two mileposts are nearly one place below this share of the board's median segment."""

GAP_MADS = 3.5
"""A segment stands out if the logarithm of its length is further from the median than this many robust
standard deviations (Iglewicz and Hoaglin 1993)."""

_MAD_TO_SIGMA = 1.4826
_LEAST_SEGMENTS = 20  # fewer have no usual length
_EARTH_MI = 3958.76


def _near(c: Checked) -> Iterator[Found]:
    """Two mileposts closer together than a tenth of the board's median segment.

    Mostly one place under two names, which breaks a connection.
    """
    import numpy as np  # noqa: PLC0415
    from scipy.spatial import cKDTree  # noqa: PLC0415

    mileposts = c.board.mileposts
    if len(mileposts) < 2 or not c.board.segments:  # noqa: PLR2004
        return
    limit = NEAR_SHARE * median(s.miles for s in c.board.segments)
    lon, lat = np.radians([(m.lon, m.lat) for m in mileposts]).T
    xyz = _EARTH_MI * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    for i, j in sorted(cKDTree(xyz).query_pairs(limit)):
        one, other = mileposts[i], mileposts[j]
        miles = float(np.linalg.norm(xyz[i] - xyz[j]))
        yield Found(
            f"{one.name} and {other.name} are {miles:.1f} miles apart, nearly one place; make one milepost of them, "
            "or choose another place",
            (one.id, other.id),
            c.place("mileposts", other.id),
            {"miles": round(miles, 2), "limit": round(limit, 2)},
        )


def _gap(c: Checked) -> Iterator[Found]:
    """A segment much longer or shorter than the others.

    The logarithm of its length lies further from the median than 3.5 robust standard deviations. Either a
    milepost is missing or too many, or a place name was found in the wrong part of the country.
    """
    logs = {s.id: math.log(s.miles) for s in c.board.segments if s.miles > 0}
    if len(logs) < _LEAST_SEGMENTS:
        return
    middle = median(logs.values())
    sigma = _MAD_TO_SIGMA * median(abs(v - middle) for v in logs.values())
    if sigma == 0:
        return
    for segment in c.board.segments:
        score = (logs[segment.id] - middle) / sigma if segment.id in logs else -math.inf
        if abs(score) > GAP_MADS:
            what, cure = ("long", "add a milepost") if score > 0 else ("short", "remove a milepost")
            a, b = (c.names[end] for end in (segment.a, segment.b))
            yield Found(
                f"{a} - {b} on {c.short[segment.railroad]} is {segment.miles:g} miles, {what} for this board, whose "
                f"usual gap is {math.exp(middle):.0f} miles; {cure}, or correct the places",
                (segment.id,),
                c.place("segments", segment.id, at=segment.a),
                {"miles": segment.miles, "usual": round(math.exp(middle), 1)},
            )


CHECKS = (
    Check("N09", "no two mileposts are nearly one place", Severity.WARNING, _near),
    Check("N10", "no gap is far from the board's usual", Severity.WARNING, _gap),
)
