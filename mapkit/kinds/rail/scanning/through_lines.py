"""Lines that pass a symbol so close that they touch it: ways that end there only to go on are one way.

A line that stops at a dot has all of its ink there. One that passes leaves something pale between, and its ink goes on
beside the dot. Where a name hides it there, its two halves still miss the dot on the same side.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.ink_paths import Way
from mapkit.kinds.rail.scanning.junctions import turned
from mapkit.kinds.rail.scanning.symbols import Symbol

_NEAREST: Final = 2
_FARTHEST: Final = 9
"""How far from a symbol the two halves of a passing line are joined, pixels of the half-size picture."""
_HIDDEN: Final = 5
"""Likewise nearer than this, if something hides the line between them."""
_AHEAD: Final = 8
_STRAIGHT: Final = math.cos(math.radians(135))
"""A line that passes goes on nearly straight: its halves leave at this angle or a larger one."""
_WHOLE: Final = 0.6
"""Share of the usual density of the two ways that a passing line has beside the symbol."""
_PALE: Final = 0.6
"""Share of it that is left between a passing line and the symbol."""
_AT_EDGE: Final = 2
_MISS: Final = 0.5
"""How far off a symbol's edge a line that passes goes by at least, pixels of the half-size picture."""


@dataclass(frozen=True)
class _Bridge:
    """How two ways go on into each other: the first pixels that they keep, and those between."""

    first: int
    last: int
    rows: Ints32
    columns: Ints32


@dataclass(frozen=True)
class _Sheet:
    """The half-size picture: how dense an ink is, what may hide it, and where symbols are."""

    ink: Floats32
    covered: Bools
    inside: Bools


def past_symbols(
    ways: Sequence[Way], ink: Floats32, covered: Bools, inside: Bools, symbols: Sequence[Symbol]
) -> list[Way]:
    """Return ways of which none ends at a symbol that its line only passes.

    Args:
        ways: Ways between symbols.
        ink: How dense their ink is.
        covered: Where something else lies that may hide it.
        inside: Where symbols are.
        symbols: Those, in pixels of the picture; higher numbers are rings, in which lines meet.
    """
    sheet = _Sheet(ink, covered, inside)
    left = list(ways)
    for number in sorted({end for way in ways for end in (way.a, way.b) if end < len(symbols)}):
        arms = [i for i, way in enumerate(left) if number in (way.a, way.b)]
        found = {
            (i, j): bridge
            for i, j in combinations(arms, 2)
            if (bridge := _bridge(_from(left[i], number), _from(left[j], number), symbols[number], sheet)) is not None
        }
        gone: set[int] = set()
        for i, j in sorted(found):
            if i in gone or j in gone:
                continue
            whole = _spliced(_from(left[i], number), _from(left[j], number), found[i, j])
            if whole.a != whole.b:
                gone |= {i, j}
                left.append(whole)
        left = [way for i, way in enumerate(left) if i not in gone]
    return left


def _from(way: Way, symbol: int) -> Way:
    return way if way.a == symbol else turned(way)


def _bridge(one: Way, other: Way, symbol: Symbol, sheet: _Sheet) -> _Bridge | None:
    """Return how two ways from a symbol are one line that passes it; None if they are not."""
    ink, inside = sheet.ink, sheet.inside
    i, j = (int((~inside[way.rows, way.columns]).argmax()) for way in (one, other))
    ends = ((one, i), (other, j))
    usual = float(np.median(np.concatenate([ink[way.rows[k:], way.columns[k:]] for way, k in ends])))
    edge = [float(ink[way.rows[k : k + _AT_EDGE], way.columns[k : k + _AT_EDGE]].min()) for way, k in ends]
    if min(edge) >= _PALE * usual:
        return None
    for far in range(_NEAREST, _FARTHEST):
        first, last = i + far, j + far
        if first + _AHEAD > len(one.rows) or last + _AHEAD > len(other.rows):
            return None
        rows, columns = _between(one, first, other, last)
        if inside[rows, columns].any() or _cosine(one, first, other, last) > _STRAIGHT:
            continue
        whole = ink[rows, columns] >= _WHOLE * usual
        if not whole.all() and far < _HIDDEN and _miss(one, first, other, last, symbol):
            whole |= sheet.covered[rows, columns]
        if whole.all():
            return _Bridge(first, last, rows, columns)
    return None


def _miss(one: Way, i: int, other: Way, j: int, symbol: Symbol) -> bool:
    """Return whether both of two ways, seen from some pixels on, aim past a symbol on the same side."""
    off, across = _aside(one, i, symbol), _aside(other, j, symbol)
    return off * across < 0 and min(abs(off), abs(across)) >= symbol.half / 2 + _MISS


def _aside(way: Way, i: int, symbol: Symbol) -> float:
    """Return how far the line through a way's pixels goes by a symbol's middle; below 0 with that on the left."""
    x, y = (float(v[i : i + _AHEAD].mean()) for v in (way.columns, way.rows))
    u, v = int(way.columns[i + _AHEAD - 1] - way.columns[i]), int(way.rows[i + _AHEAD - 1] - way.rows[i])
    to = (symbol.x + 0.5) / 2 - 0.5 - x, (symbol.y + 0.5) / 2 - 0.5 - y
    return (u * to[1] - v * to[0]) / max(math.hypot(u, v), 1e-9)


def _between(one: Way, i: int, other: Way, j: int) -> tuple[Ints32, Ints32]:
    """Return the pixels between one of a way and one of another, on a straight line."""
    y, x, v, u = int(one.rows[i]), int(one.columns[i]), int(other.rows[j]), int(other.columns[j])
    steps = np.linspace(0.0, 1.0, max(abs(v - y), abs(u - x)) + 1)
    rows, columns = np.rint(y + (v - y) * steps), np.rint(x + (u - x) * steps)
    return rows.astype(np.int32), columns.astype(np.int32)


def _cosine(one: Way, i: int, other: Way, j: int) -> float:
    """Return the cosine of the angle between two ways from some pixels on."""
    x, y = int(one.columns[i + _AHEAD - 1] - one.columns[i]), int(one.rows[i + _AHEAD - 1] - one.rows[i])
    u, v = int(other.columns[j + _AHEAD - 1] - other.columns[j]), int(other.rows[j + _AHEAD - 1] - other.rows[j])
    return (x * u + y * v) / max(math.hypot(x, y) * math.hypot(u, v), 1e-9)


def _spliced(one: Way, other: Way, bridge: _Bridge) -> Way:
    """Return two ways from one symbol as one that leaves the symbol out."""
    rows = np.concatenate((one.rows[: bridge.first : -1], bridge.rows, other.rows[bridge.last + 1 :]))
    columns = np.concatenate((one.columns[: bridge.first : -1], bridge.columns, other.columns[bridge.last + 1 :]))
    whole = Way(one.b, other.b, rows, columns)
    return whole if whole.a <= whole.b else turned(whole)
