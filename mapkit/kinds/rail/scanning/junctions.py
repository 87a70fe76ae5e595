"""Links through junctions that are drawn as rings.

A ring that only two ways reach is none, such as the hole in a letter: they are one way. One that more reach joins each
two of them.
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
from mapkit.kinds.rail.scanning.ink_paths import Way
from mapkit.kinds.rail.scanning.links import Link

_Way = TypeVar("_Way", Way, Link)

_SHARPEST: Final = 55.0
"""Lines that part at a smaller angle, in degrees, run side by side from a symbol; no train turns back there."""
_AHEAD: Final = 14
_THROUGH: Final = 0.5
"""A link through a ring as sure as this is where one that goes past the ring is, and the other is none."""
_PASSING: Final = 2
"""So many arms of a ring are one line."""
_STROKES: Final = 2.0
"""How far apart the strokes of a double line are, pixels of the half-size picture."""
_STROKES_PART: Final = 4.0
"""How far apart they come at most where they meet symbols and bends."""


@dataclass(frozen=True)
class Course:
    """A line to draw: pixels of the half-size picture from a symbol to a symbol, or to the junction where it ends."""

    a: int
    b: int | None
    rows: Ints32
    columns: Ints32
    confidence: float


def without_slack_rings(ways: Sequence[Way], count: int) -> list[Way]:
    """Return ways of which none ends at a ring that fewer than three ways reach.

    Args:
        ways: Ways between symbols and rings.
        count: How many symbols there are; higher numbers are rings.
    """
    left = dict(enumerate(ways))
    at: dict[int, set[int]] = defaultdict(set)
    for number, way in left.items():
        for end in (way.a, way.b):
            at[end].add(number)
    waiting = sorted((end for end in at if end >= count), reverse=True)
    while waiting:
        ring = waiting.pop()
        arms = sorted(at[ring])
        if len(arms) > _PASSING:
            continue
        mine = [left.pop(number) for number in arms]
        for number, way in zip(arms, mine, strict=True):
            far = way.b if way.a == ring else way.a
            at[ring].discard(number)
            at[far].discard(number)
            if far >= count:
                waiting.append(far)
        if len(mine) == _PASSING:
            a, b, rows, columns = _joined(mine[0], mine[1], ring)
            if a != b:
                number = max(left, default=-1) + len(ways) + 1
                left[number] = Way(a, b, rows, columns)
                at[a].add(number)
                at[b].add(number)
    return list(left.values())


def each_once(ways: Sequence[Way]) -> list[Way]:
    """Return ways of which no two follow one line between the same symbols, such as the strokes of a double one."""
    found: dict[tuple[int, int], list[Way]] = defaultdict(list)
    for way in ways:
        known = found[way.a, way.b]
        if not any(_same_line(way, other) for other in known):
            known.append(way)
    return [way for known in found.values() for way in known]


def _beside(link: Link, other: Link) -> bool:
    """Return whether a link goes past a ring and another through it, as the outer stroke of a double line does."""
    return (link.a, link.b) == (other.a, other.b) and float(_off(link, other).max()) <= _STROKES_PART


def _same_line(one: Way, other: Way) -> bool:
    off = _off(one, other)
    return float(np.median(off)) <= _STROKES and float(off.max()) <= _STROKES_PART


def _off(one: _Way, other: _Way) -> Floats:
    """Return how far each pixel of a way is from another."""
    line = shapely.LineString(np.stack((other.columns, other.rows), axis=1))
    shapely.prepare(line)
    return np.asarray(shapely.distance(shapely.points(one.columns, one.rows), line))


def sharp_rings(ways: Sequence[Way], count: int) -> set[int]:
    """Return the rings that two ways leave at a sharp angle: lines that part there leave a hole, not a junction."""
    ahead: dict[int, list[Floats]] = defaultdict(list)
    for way in ways:
        for ring, seen in ((way.a, way), (way.b, turned(way))):
            if ring >= count:
                end = min(_AHEAD, len(seen.rows) - 1)
                along = np.array([seen.columns[end] - seen.columns[0], seen.rows[end] - seen.rows[0]], float)
                ahead[ring].append(along / max(float(np.hypot(*along)), 1e-9))
    least = math.cos(math.radians(_SHARPEST))
    return {
        ring for ring, arms in ahead.items() if any(float(one @ other) > least for one, other in combinations(arms, 2))
    }


def through_rings(links: Sequence[Link], count: int) -> tuple[list[Link], list[Link], list[Course]]:
    """Return the links of a railroad without rings, those through rings, and what draws the latter.

    Args:
        links: Links between symbols and rings, in order.
        count: How many symbols there are; higher numbers are rings.
    """
    plain = [link for link in links if max(link.a, link.b) < count]
    arms = [link for link in links if max(link.a, link.b) >= count]
    courses = [_arm(link, count) for link in arms]
    for ring in sorted({end for link in arms for end in (link.a, link.b) if end >= count}):
        mine = [link for link in arms if ring in (link.a, link.b)]
        arms = [link for link in arms if ring not in (link.a, link.b)]
        best: dict[tuple[int, int], Link] = {}
        for one, other in combinations(mine, 2):
            weaker = min(one, other, key=lambda link: link.confidence)
            link = Link(*_joined(one, other, ring), weaker.evidence, one.confidence * other.confidence)
            known = best.get((link.a, link.b))
            if link.a != link.b and (known is None or len(link.rows) < len(known.rows)):
                best[link.a, link.b] = link
        arms += best.values()
    joined = [link for link in arms if max(link.a, link.b) < count]
    sure = [link for link in joined if link.confidence >= _THROUGH]
    return [link for link in plain if not any(_beside(link, other) for other in sure)], joined, courses


def _joined(one: _Way, other: _Way, ring: int) -> tuple[int, int, Ints32, Ints32]:
    """Return the ends and pixels of two ways that meet at a ring."""
    away = [way if way.a == ring else turned(way) for way in (one, other)]
    first, last = sorted(away, key=lambda way: way.b)
    return (
        first.b,
        last.b,
        np.concatenate((first.rows[::-1], last.rows)),
        np.concatenate((first.columns[::-1], last.columns)),
    )


def _arm(link: Link, count: int) -> Course:
    """Return the line of a link that ends at a ring."""
    away = link if link.a < count else turned(link)
    return Course(away.a if away.a < count else -1, None, away.rows, away.columns, away.confidence)


def turned(link: _Way) -> _Way:
    """Return a way or link seen from its other end."""
    return replace(link, a=link.b, b=link.a, rows=link.rows[::-1], columns=link.columns[::-1])
