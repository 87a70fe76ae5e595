"""From links to a network: where links of one railroad part off any symbol is a junction, and it joins all its arms.

Ways from one symbol run side by side on one line until they part. Where that is well away from the symbol, the board
has a junction there, and the far ends of the ways are joined through it, too (RB-C10).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Ints32
from mapkit.kinds.rail.scanning.junctions import Course, turned
from mapkit.kinds.rail.scanning.links import Link, bend_of

_PARTING: Final = ((2, 110.0), (4, 60.0), (12, 30.0))
"""How far off a symbol ways run together, in pixels of the half-size picture, and at what angle, in degrees, they then
part, at least, where there is a junction. Lines that leave a dot apart never touch, nor do lines side by side."""
_DRAWN_ONCE: Final = 8
"""What they share is drawn once from here on, whether they part at a junction or run side by side."""
_BESIDE: Final = 1
"""How far apart pixels of ways on one line are at most where it is drawn once."""
_IN_LINE: Final = 2
"""Likewise where one asks whether they part at a junction: ways cut corners on either side of a line."""
_TURNING: Final = 6
"""So many pixels before they are seen to part, ways begin to turn."""
_SLACK: Final = 20
_CHUNK: Final = 256
_SAME: Final = 1.5
"""A way that is at most this much longer than another between the same symbols may be the same."""
_ROUNDS: Final = 3
_HALF_SURE: Final = 0.7
"""Links less sure than this join nothing."""
_AHEAD: Final = 14


def through_junctions(links: Sequence[Link], inside: Bools) -> list[Link]:
    """Return the links of a railroad, and after them those through junctions.

    Args:
        links: Links between neighbouring symbols, in order.
        inside: Where symbols are.
    """
    found = list(links)
    for _ in range(_ROUNDS):
        more = list(_beyond(found, inside))
        if not more:
            break
        found += more
    return found


def turned_at_junctions(links: Sequence[Link], inside: Bools) -> list[Link]:
    """Return links of a railroad whose sharp turns count half where another link parts from them (RB-C10).

    Args:
        links: Links between symbols and rings.
        inside: Where symbols are.
    """
    out = list(links)
    for arms in _arms(links).values():
        for (i, one), (j, other) in combinations(arms, 2):
            shared, of_other = _shared(one, other)
            if i != j and _part(one, shared, other, of_other, inside):
                out[i] = _eased(out[i], one, shared, inside)
                out[j] = _eased(out[j], other, of_other, inside)
    return out


def _eased(link: Link, way: Link, parting: int, inside: Bools) -> Link:
    """Return a link of which half of what it turns at the parting counts, if all of it is seen."""
    e = link.evidence
    if e.gap or e.covered:
        return link
    out = ~inside[way.rows, way.columns]
    first = int(out[:parting].sum())
    rows, columns = way.rows[out], way.columns[out]
    before, after = slice(0, max(first - _TURNING, 0)), slice(first, None)
    elsewhere = max(bend_of(rows[part], columns[part]) for part in (before, after))
    return replace(link, evidence=replace(e, bend=min(e.bend, (way.evidence.bend + elsewhere) / 2)))


def _beyond(links: Sequence[Link], inside: Bools) -> Iterable[Link]:
    """Yield the links that junctions add."""
    known: dict[tuple[int, int], list[int]] = defaultdict(list)
    for link in links:
        known[link.a, link.b].append(len(link.rows))
    for end, arms in sorted(_arms(links).items()):
        for one, other in combinations((arm for _, arm in arms if arm.confidence >= _HALF_SURE), 2):
            shared, of_other = _shared(one, other)
            if one.b in (other.b, end) or not _part(one, shared, other, of_other, inside):
                continue
            rows = np.concatenate((one.rows[: shared - 1 : -1], other.rows[of_other - 1 :]))
            columns = np.concatenate((one.columns[: shared - 1 : -1], other.columns[of_other - 1 :]))
            a, b = one.b, other.b
            if a > b:
                a, b, rows, columns = b, a, rows[::-1], columns[::-1]
            if any(len(rows) <= _SAME * length + 2 for length in known[a, b]):
                continue
            known[a, b].append(len(rows))
            weaker = min(one, other, key=lambda link: link.confidence)
            yield Link(a, b, rows, columns, weaker.evidence, weaker.confidence)


def _arms(links: Sequence[Link]) -> dict[int, list[tuple[int, Link]]]:
    """Return the links at each symbol with their places in the list, all seen from there."""
    out: dict[int, list[tuple[int, Link]]] = defaultdict(list)
    for i, link in enumerate(links):
        out[link.a].append((i, link))
        out[link.b].append((i, turned(link)))
    return out


def _shared(one: Link, other: Link, beside: int = _IN_LINE) -> tuple[int, int]:
    """Return how many pixels of two ways from one symbol run side by side at their beginning, of each way."""
    count = min(len(one.rows), len(other.rows)) + _SLACK
    length = min(count, len(one.rows))

    def off(start: int, end: int) -> Ints32:
        down = np.abs(one.rows[start:end, None] - other.rows[None, :count])
        across = np.abs(one.columns[start:end, None] - other.columns[None, :count])
        return np.asarray(np.maximum(down, across))

    first = length
    for start in range(0, length, _CHUNK):  # long ways mostly part soon
        apart = off(start, min(start + _CHUNK, length)).min(axis=1) > beside
        if apart.any():
            first = start + int(apart.argmax())
            break
    return first, int(off(first - 1, first).argmin()) + 1 if first else 0


def _part(one: Link, shared: int, other: Link, of_other: int, inside: Bools) -> bool:
    """Return whether two ways part at a junction, where their shared pixels end."""
    outside = _outside(one, shared, inside)
    if outside < _PARTING[0][0]:
        return False
    angle = _angle(one, shared, other, of_other)
    return any(outside >= together and angle >= least for together, least in _PARTING)


def _angle(one: Link, shared: int, other: Link, of_other: int) -> float:
    """Return the angle between two ways where they have parted, in degrees."""

    def ahead(link: Link, start: int) -> tuple[int, int]:
        end = min(start + _AHEAD, len(link.rows) - 1)
        return int(link.columns[end] - link.columns[start - 1]), int(link.rows[end] - link.rows[start - 1])

    (x, y), (u, v) = ahead(one, shared), ahead(other, of_other)
    size = math.hypot(x, y) * math.hypot(u, v)
    return math.degrees(math.acos(max(-1.0, min(1.0, (x * u + y * v) / size)))) if size else 0.0


def _outside(link: Link, shared: int, inside: Bools) -> int:
    return int((~inside[link.rows[:shared], link.columns[:shared]]).sum())


def courses_of(links: Sequence[Link], inside: Bools) -> list[Course]:
    """Return lines that draw links, each stretch that several share only once."""
    out: list[Course] = []
    drawn: dict[int, list[Link]] = defaultdict(list)
    for link in sorted(links, key=lambda link: (-link.confidence, link.a, link.b, len(link.rows))):
        back = turned(link)
        cut = [_parting(one, drawn[one.a], inside) for one in (link, back)]
        drawn[link.a].append(link)
        drawn[link.b].append(back)
        first, last = cut[0], len(link.rows) - cut[1]
        rows, columns = link.rows[first:last], link.columns[first:last]
        if len(rows) > 1:
            if first and cut[1]:
                out.append(Course(-1, None, rows, columns, link.confidence))
            elif first:
                out.append(Course(link.b, None, rows[::-1], columns[::-1], link.confidence))
            else:
                out.append(Course(link.a, None if cut[1] else link.b, rows, columns, link.confidence))
    return out


def _parting(link: Link, others: Sequence[Link], inside: Bools) -> int:
    """Return the first pixel of a way that is drawn: 0, or that of the junction where it leaves another."""
    best = 0
    for other in others:
        shared, of_other = _shared(link, other, _BESIDE)
        if shared > best and (
            _outside(link, shared, inside) >= _DRAWN_ONCE or _part(link, shared, other, of_other, inside)
        ):
            best = shared
    return max(best - 1, 0)
