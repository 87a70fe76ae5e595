"""Lines of track: places along them, cutting, joining."""

import math
from itertools import pairwise

from mapkit.core.base import Point


def rounded(lon: float, lat: float) -> Point:
    """Return a position to a hundred-thousandth of a degree, as positions in boards are."""
    return round(lon, 5), round(lat, 5)


def _steps(line: tuple[Point, ...]) -> list[float]:
    """Return lengths of the parts, in degrees of latitude; near enough for shares of one line."""
    return [
        math.hypot((b[0] - a[0]) * math.cos(math.radians((a[1] + b[1]) / 2)), b[1] - a[1]) for a, b in pairwise(line)
    ]


def point_at(line: tuple[Point, ...], share: float) -> Point:
    """Return the place at a share of a line's length."""
    steps = _steps(line)
    left = share * sum(steps)
    for (a, b), step in zip(pairwise(line), steps, strict=True):
        if left <= step and step > 0:
            return rounded(a[0] + (b[0] - a[0]) * left / step, a[1] + (b[1] - a[1]) * left / step)
        left -= step
    return line[-1]


def length(line: tuple[Point, ...]) -> float:
    """Return the length in degrees of latitude, for comparing lines near each other."""
    return sum(_steps(line))


def nearest(line: tuple[Point, ...], point: Point) -> tuple[float, int]:
    """Return the distance of a place from a line, degrees of latitude, and the part of the line that is nearest."""
    best = (math.inf, 0)
    for index, (a, b) in enumerate(pairwise(line)):
        shrink = math.cos(math.radians(point[1]))
        ax, ay, bx, by = (a[0] - point[0]) * shrink, a[1] - point[1], (b[0] - point[0]) * shrink, b[1] - point[1]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        share = 0.0 if square == 0 else min(1.0, max(0.0, -(ax * dx + ay * dy) / square))
        best = min(best, (math.hypot(ax + share * dx, ay + share * dy), index))
    return best


def cut(line: tuple[Point, ...], point: Point) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return the two parts of a line, led through a place that lies on it or near."""
    _, index = nearest(line, point)
    before, after = [*line[: index + 1]], [*line[index + 1 :]]
    if len(before) > 1 and before[-1] == point:
        before.pop()
    if len(after) > 1 and after[0] == point:
        after.pop(0)
    return (*before, point), (point, *after)
