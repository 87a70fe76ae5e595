"""What lies near what: the track beside a place, and ends of railroads at one place."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.checks.check import Checked, Link
from mapkit.kinds.rail.model.board import Piece

LAST_SNAP_MI: Final = 50.0
"""`tracing.snap_mi` is not more."""
SAME_PLACE_MI: Final = 0.1
_DEGREE: Final = 0.01  # more than that distance, in latitude


def nearest_track(pieces: Iterable[Piece], at: Point) -> tuple[Piece, float] | None:
    """Return the piece of track nearest to a point `(lon, lat)`, and the miles to it; None if there is no track."""
    squeeze = math.cos(math.radians(at[1]))
    best: tuple[float, str, Piece, Point] | None = None
    for piece in pieces:
        for one, other in pairwise(piece.line):
            square, point = _on_line(one, other, at, squeeze)
            if best is None or (square, piece.id) < best[:2]:
                best = (square, piece.id, piece, point)
    return None if best is None else (best[2], line_miles((at, best[3])))


def _on_line(one: Point, other: Point, at: Point, squeeze: float) -> tuple[float, Point]:
    """Return the square of the distance from a straight line in degrees, and the nearest point on it."""
    way = ((other[0] - one[0]) * squeeze, other[1] - one[1])
    gone = ((at[0] - one[0]) * squeeze, at[1] - one[1])
    length = way[0] ** 2 + way[1] ** 2
    share = min(1.0, max(0.0, (way[0] * gone[0] + way[1] * gone[1]) / length)) if length else 0.0
    square = (gone[0] - share * way[0]) ** 2 + (gone[1] - share * way[1]) ** 2
    return square, (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]))


def line_ends(links: Iterable[Link]) -> list[str]:
    """Return where one link of a railroad ends, and no other; a loop ends twice."""
    count = Counter(chain.from_iterable((link.a, link.b) for link in links))
    return [ident for ident, number in count.items() if number == 1]


def apart_ends(c: Checked) -> Iterator[tuple[str, str, float]]:
    """Yield where a railroad ends, the milepost of another railroad at the same place, and the miles between them.

    A pair of ends is given once. Mileposts that one railroad has both of are left out.
    """
    stops = sorted({*chain.from_iterable(c.of_railroads(line_ends).values())})
    cells: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for milepost in c.board.mileposts:
        cells[_cell(milepost.lon, milepost.lat)].append(milepost.id)
    seen: set[frozenset[str]] = set()
    for one in stops:
        here = c.mileposts[one]
        x, y = _cell(here.lon, here.lat)
        beside = chain.from_iterable(cells.get((x + dx, y + dy), ()) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        for other in sorted(beside):
            own, others = ({link.railroad for link in c.links_at.get(ident, ())} for ident in (one, other))
            if not others or own & others or frozenset((one, other)) in seen:
                continue
            there = c.mileposts[other]
            miles = line_miles(((here.lon, here.lat), (there.lon, there.lat)))
            if miles <= SAME_PLACE_MI:
                seen.add(frozenset((one, other)))
                yield one, other, miles


def _cell(lon: float, lat: float) -> tuple[int, int]:
    return math.floor(lon / _DEGREE), math.floor(lat / _DEGREE)
