"""Links through junctions that are drawn as rings.

A ring with only two ways, such as the hole in a letter, is not a junction: they are one way. A ring with more joins
each pair of them.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, TypeVar

import numpy as np
import shapely

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Ints32
from mapkit.kinds.rail.scanning.ink_paths import InkWay
from mapkit.kinds.rail.scanning.links import Link

_Way = TypeVar("_Way", InkWay, Link)

_MIN_PARTING_ANGLE: Final = 55.0
"""Lines that part at a smaller angle, in degrees, run side by side from a symbol; trains do not reverse there."""
_ANGLE_PIXELS: Final = 14
_THROUGH_CONFIDENCE: Final = 0.5
"""Least confidence of a link through a ring that replaces a link past it."""
_PASSING_ARMS: Final = 2
"""Arms of a ring that are one line."""
_MEDIAN_STROKE_GAP: Final = 2.0
"""Median distance between the strokes of a double line, pixels of the half-size picture."""
_MAX_STROKE_GAP: Final = 4.0
"""Greatest distance between them at symbols and bends."""


@dataclass(frozen=True)
class LineCourse:
    """Line to draw: pixels of the half-size picture from a symbol to a symbol, or to the junction where it ends."""

    a: int
    b: int | None
    rows: Ints32
    columns: Ints32
    confidence: float


def merge_slack_rings(ways: Sequence[InkWay], count: int) -> list[InkWay]:
    """Merge or drop ways at rings with fewer than three ways.

    Args:
        ways: Ways between symbols and rings.
        count: How many symbols there are; higher numbers are rings.
    """
    remaining_ways = dict(enumerate(ways))
    ways_at: dict[int, set[int]] = defaultdict(set)
    for number, way in remaining_ways.items():
        for end in (way.a, way.b):
            ways_at[end].add(number)
    waiting_rings = sorted((end for end in ways_at if end >= count), reverse=True)
    while waiting_rings:
        ring = waiting_rings.pop()
        ring_arms = sorted(ways_at[ring])
        if len(ring_arms) > _PASSING_ARMS:
            continue
        ring_ways = [remaining_ways.pop(number) for number in ring_arms]
        for number, way in zip(ring_arms, ring_ways, strict=True):
            far_end = way.b if way.a == ring else way.a
            ways_at[ring].discard(number)
            ways_at[far_end].discard(number)
            if far_end >= count:
                waiting_rings.append(far_end)
        if len(ring_ways) == _PASSING_ARMS:
            a, b, rows, columns = _join_at_ring(ring_ways[0], ring_ways[1], ring)
            if a != b:
                number = max(remaining_ways, default=-1) + len(ways) + 1
                remaining_ways[number] = InkWay(a, b, rows, columns)
                ways_at[a].add(number)
                ways_at[b].add(number)
    return list(remaining_ways.values())


def drop_repeated_ways(ways: Sequence[InkWay]) -> list[InkWay]:
    """Return ways without a second one along one line between the same symbols, such as a double line's strokes."""
    distinct_ways: dict[tuple[int, int], list[InkWay]] = defaultdict(list)
    for way in ways:
        known_ways = distinct_ways[way.a, way.b]
        if not any(_is_same_line(way, other_way) for other_way in known_ways):
            known_ways.append(way)
    return [way for known_ways in distinct_ways.values() for way in known_ways]


def _is_same_line(one: InkWay, other: InkWay) -> bool:
    pixel_distances = _distances_between(one, other)
    return float(np.median(pixel_distances)) <= _MEDIAN_STROKE_GAP and float(pixel_distances.max()) <= _MAX_STROKE_GAP


def _distances_between(one: _Way, other: _Way) -> Floats:
    """Return the distance of each pixel of a way from another way."""
    other_line = shapely.LineString(np.stack((other.columns, other.rows), axis=1))
    shapely.prepare(other_line)
    return np.asarray(shapely.distance(shapely.points(one.columns, one.rows), other_line))


def find_sharp_rings(ways: Sequence[InkWay], count: int) -> set[int]:
    """Return the rings that two ways leave at a sharp angle: holes where lines part, not junctions."""
    arm_directions: dict[int, list[Floats]] = defaultdict(list)
    for way in ways:
        for ring, seen_way in ((way.a, way), (way.b, reverse_way(way))):
            if ring >= count:
                end = min(_ANGLE_PIXELS, len(seen_way.rows) - 1)
                arm_vector = np.array(
                    [seen_way.columns[end] - seen_way.columns[0], seen_way.rows[end] - seen_way.rows[0]], float
                )
                arm_directions[ring].append(arm_vector / max(float(np.hypot(*arm_vector)), 1e-9))
    max_cosine = math.cos(math.radians(_MIN_PARTING_ANGLE))
    return {
        ring
        for ring, arms in arm_directions.items()
        if any(float(first_arm @ second_arm) > max_cosine for first_arm, second_arm in combinations(arms, 2))
    }


def number_rings_apart(links: Sequence[tuple[int, Link]], count: int) -> list[tuple[int, Link]]:
    """Return the links of several inks with unique numbers of rings; each ink numbers its own from `count` on.

    Args:
        links: Links between symbols and rings, with the number of their ink.
        count: How many symbols there are; higher numbers are rings.
    """
    ring_numbers: dict[tuple[int, int], int] = {}

    def renumber(ink: int, end: int) -> int:
        return end if end < count else ring_numbers.setdefault((ink, end), count + len(ring_numbers))

    return [(ink, replace(link, a=renumber(ink, link.a), b=renumber(ink, link.b))) for ink, link in links]


def link_through_rings(links: Sequence[Link], count: int) -> tuple[list[Link], list[Link], list[LineCourse]]:
    """Return the links of a railroad without rings, those through rings, and the courses of the latter.

    Args:
        links: Links between symbols and rings, in order.
        count: How many symbols there are; higher numbers are rings.
    """
    plain_links = [link for link in links if max(link.a, link.b) < count]
    ring_links = [link for link in links if max(link.a, link.b) >= count]
    courses = [_arm_course(link, count) for link in ring_links]
    for ring in sorted({end for link in ring_links for end in (link.a, link.b) if end >= count}):
        arms_of_ring = [link for link in ring_links if ring in (link.a, link.b)]
        ring_links = [link for link in ring_links if ring not in (link.a, link.b)]
        best_by_ends: dict[tuple[int, int], Link] = {}
        for first_arm, second_arm in combinations(arms_of_ring, 2):
            weaker_link = min(first_arm, second_arm, key=lambda link: link.confidence)
            joined_link = Link(
                *_join_at_ring(first_arm, second_arm, ring),
                weaker_link.evidence,
                first_arm.confidence * second_arm.confidence,
            )
            known_link = best_by_ends.get((joined_link.a, joined_link.b))
            if joined_link.a != joined_link.b and (known_link is None or len(joined_link.rows) < len(known_link.rows)):
                best_by_ends[joined_link.a, joined_link.b] = joined_link
        ring_links += best_by_ends.values()
    through_links = [link for link in ring_links if max(link.a, link.b) < count]
    sure_links = [link for link in through_links if link.confidence >= _THROUGH_CONFIDENCE]
    # The outer stroke of a double line goes past a ring, the inner one through it.
    return (
        [
            link
            for link in plain_links
            if not any(
                (
                    (link.a, link.b) == (through_link.a, through_link.b)
                    and float(_distances_between(link, through_link).max()) <= _MAX_STROKE_GAP
                )
                for through_link in sure_links
            )
        ],
        through_links,
        courses,
    )


def _join_at_ring(one: _Way, other: _Way, ring: int) -> tuple[int, int, Ints32, Ints32]:
    """Return the ends and pixels of two ways that meet at a ring."""
    ways_from_ring = [way if way.a == ring else reverse_way(way) for way in (one, other)]
    first_way, last_way = sorted(ways_from_ring, key=lambda way: way.b)
    return (
        first_way.b,
        last_way.b,
        np.concatenate((first_way.rows[::-1], last_way.rows)),
        np.concatenate((first_way.columns[::-1], last_way.columns)),
    )


def _arm_course(link: Link, count: int) -> LineCourse:
    """Return the course of a link that ends at a ring."""
    link_from_symbol = link if link.a < count else reverse_way(link)
    return LineCourse(
        link_from_symbol.a if link_from_symbol.a < count else -1,
        None,
        link_from_symbol.rows,
        link_from_symbol.columns,
        link_from_symbol.confidence,
    )


def reverse_way(link: _Way) -> _Way:
    """Return a way or link seen from its other end."""
    return replace(link, a=link.b, b=link.a, rows=link.rows[::-1], columns=link.columns[::-1])
