"""Polylines of track: points along them, cutting, lengths."""

import math
from itertools import pairwise

from mapkit.core.base import Point


def round_position(lon: float, lat: float) -> Point:
    """Round a position to a hundred-thousandth of a degree, as in boards."""
    return round(lon, 5), round(lat, 5)


def _step_lengths(line: tuple[Point, ...]) -> list[float]:
    """Return the lengths of the parts, in degrees of latitude, approximated on the plane."""
    return [
        math.hypot((b[0] - a[0]) * math.cos(math.radians((a[1] + b[1]) / 2)), b[1] - a[1]) for a, b in pairwise(line)
    ]


def point_at(line: tuple[Point, ...], share: float) -> Point:
    """Return the point at a share of a line's length."""
    step_lengths = _step_lengths(line)
    remaining_length = share * sum(step_lengths)
    for (a, b), step in zip(pairwise(line), step_lengths, strict=True):
        if remaining_length <= step and step > 0:
            return round_position(
                a[0] + (b[0] - a[0]) * remaining_length / step, a[1] + (b[1] - a[1]) * remaining_length / step
            )
        remaining_length -= step
    return line[-1]


def polyline_length(line: tuple[Point, ...]) -> float:
    """Return the length in degrees of latitude, for comparing lines near each other."""
    return sum(_step_lengths(line))


def nearest_part_of(line: tuple[Point, ...], point: Point) -> tuple[float, int]:
    """Return the distance of a point from a line, degrees of latitude, and the number of the nearest part."""
    nearest_part = (math.inf, 0)
    for index, (a, b) in enumerate(pairwise(line)):
        shrink = math.cos(math.radians(point[1]))
        ax, ay, bx, by = (a[0] - point[0]) * shrink, a[1] - point[1], (b[0] - point[0]) * shrink, b[1] - point[1]
        dx, dy = bx - ax, by - ay
        squared_length = dx * dx + dy * dy
        share = 0.0 if squared_length == 0 else min(1.0, max(0.0, -(ax * dx + ay * dy) / squared_length))
        nearest_part = min(nearest_part, (math.hypot(ax + share * dx, ay + share * dy), index))
    return nearest_part


def cut_polyline(line: tuple[Point, ...], point: Point) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return the two parts of a line, led through a point on or near it."""
    _, part_index = nearest_part_of(line, point)
    first_part, second_part = [*line[: part_index + 1]], [*line[part_index + 1 :]]
    if len(first_part) > 1 and first_part[-1] == point:
        first_part.pop()
    if len(second_part) > 1 and second_part[0] == point:
        second_part.pop(0)
    return (*first_part, point), (point, *second_part)
