"""Lines that pass a symbol so close that they touch it: two ways that continue each other become one.

A line that stops at a dot has all of its ink there. A passing line leaves a pale gap, and its ink continues beside the
dot. If a name hides it there, its two halves still miss the dot on the same side.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.ink_paths import InkWay
from mapkit.kinds.rail.scanning.junctions import reverse_way
from mapkit.kinds.rail.scanning.symbols import Symbol

_MIN_BRIDGE: Final = 2
_MAX_BRIDGE: Final = 9
"""Range of the distance from a symbol at which the halves of a passing line are joined, half-size pixels."""
_MAX_HIDDEN_BRIDGE: Final = 5
"""Greatest such distance if something hides the line between them."""
_DIRECTION_PIXELS: Final = 8
_STRAIGHT_COSINE: Final = math.cos(math.radians(135))
"""A passing line is nearly straight: its halves leave at this angle or a larger one."""
_WHOLE_DENSITY: Final = 0.6
"""Least density of a passing line beside the symbol, as a share of the usual density of the two ways."""
_PALE_DENSITY: Final = 0.6
"""Greatest density between a passing line and the symbol, as such a share."""
_EDGE_PIXELS: Final = 2
_MIN_MISS: Final = 0.5
"""Least distance of a passing line from a symbol's edge, half-size pixels."""


@dataclass(frozen=True)
class _Bridge:
    """Connection of two ways: the first pixels that they keep, and those between."""

    first: int
    last: int
    rows: Ints32
    columns: Ints32


@dataclass(frozen=True)
class _HalfSheet:
    """Half-size picture: ink density, hidden pixels, and symbols."""

    ink: Floats32
    covered: Bools
    inside: Bools


def join_passing_ways(
    ways: Sequence[InkWay], ink: Floats32, covered: Bools, inside: Bools, symbols: Sequence[Symbol]
) -> list[InkWay]:
    """Join ways at symbols that their line only passes.

    Args:
        ways: Ways between symbols.
        ink: How dense their ink is.
        covered: Where something else lies that may hide it.
        inside: Where symbols are.
        symbols: Those, in pixels of the picture; higher numbers are rings, in which lines meet.
    """
    sheet = _HalfSheet(ink, covered, inside)
    remaining_ways = list(ways)
    for number in sorted({end for way in ways for end in (way.a, way.b) if end < len(symbols)}):
        arm_numbers = [i for i, way in enumerate(remaining_ways) if number in (way.a, way.b)]
        bridges = {
            (i, j): bridge
            for i, j in combinations(arm_numbers, 2)
            if (
                bridge := _find_bridge(
                    _seen_from(remaining_ways[i], number), _seen_from(remaining_ways[j], number), symbols[number], sheet
                )
            )
            is not None
        }
        joined_arms: set[int] = set()
        for i, j in sorted(bridges):
            if i in joined_arms or j in joined_arms:
                continue
            one = _seen_from(remaining_ways[i], number)
            other = _seen_from(remaining_ways[j], number)
            way_bridge = bridges[i, j]
            rows = np.concatenate(
                (one.rows[: way_bridge.first : -1], way_bridge.rows, other.rows[way_bridge.last + 1 :])
            )
            columns = np.concatenate(
                (one.columns[: way_bridge.first : -1], way_bridge.columns, other.columns[way_bridge.last + 1 :])
            )
            spliced_way = InkWay(one.b, other.b, rows, columns)
            spliced_way = spliced_way if spliced_way.a <= spliced_way.b else reverse_way(spliced_way)
            if spliced_way.a != spliced_way.b:
                joined_arms |= {i, j}
                remaining_ways.append(spliced_way)
        remaining_ways = [way for i, way in enumerate(remaining_ways) if i not in joined_arms]
    return remaining_ways


def _seen_from(way: InkWay, symbol: int) -> InkWay:
    return way if way.a == symbol else reverse_way(way)


def _find_bridge(one: InkWay, other: InkWay, symbol: Symbol, sheet: _HalfSheet) -> _Bridge | None:
    """Return the bridge between two ways from a symbol if they are one line that passes it, else None."""
    ink, inside = sheet.ink, sheet.inside
    i, j = (int((~inside[way.rows, way.columns]).argmax()) for way in (one, other))
    way_ends = ((one, i), (other, j))
    usual_density = float(np.median(np.concatenate([ink[way.rows[k:], way.columns[k:]] for way, k in way_ends])))
    edge_densities = [
        float(ink[way.rows[k : k + _EDGE_PIXELS], way.columns[k : k + _EDGE_PIXELS]].min()) for way, k in way_ends
    ]
    if min(edge_densities) >= _PALE_DENSITY * usual_density:
        return None
    for bridge_reach in range(_MIN_BRIDGE, _MAX_BRIDGE):
        first_pixel, last_pixel = i + bridge_reach, j + bridge_reach
        if first_pixel + _DIRECTION_PIXELS > len(one.rows) or last_pixel + _DIRECTION_PIXELS > len(other.rows):
            return None
        y, x = int(one.rows[first_pixel]), int(one.columns[first_pixel])
        v, u = int(other.rows[last_pixel]), int(other.columns[last_pixel])
        line_shares = np.linspace(0.0, 1.0, max(abs(v - y), abs(u - x)) + 1)
        rows = np.rint(y + (v - y) * line_shares).astype(np.int32)
        columns = np.rint(x + (u - x) * line_shares).astype(np.int32)
        if inside[rows, columns].any() or _angle_cosine(one, first_pixel, other, last_pixel) > _STRAIGHT_COSINE:
            continue
        is_whole = ink[rows, columns] >= _WHOLE_DENSITY * usual_density
        if (
            not is_whole.all()
            and bridge_reach < _MAX_HIDDEN_BRIDGE
            and _is_missed(one, first_pixel, other, last_pixel, symbol)
        ):
            is_whole |= sheet.covered[rows, columns]
        if is_whole.all():
            return _Bridge(first_pixel, last_pixel, rows, columns)
    return None


def _is_missed(one: InkWay, i: int, other: InkWay, j: int, symbol: Symbol) -> bool:
    """Return whether both of two ways, seen from some pixels on, aim past a symbol on the same side."""
    first_off, other_off = _signed_distance(one, i, symbol), _signed_distance(other, j, symbol)
    return first_off * other_off < 0 and min(abs(first_off), abs(other_off)) >= symbol.half / 2 + _MIN_MISS


def _signed_distance(way: InkWay, i: int, symbol: Symbol) -> float:
    """Return the distance of a symbol's middle from the line through a way's pixels; below 0 on the left."""
    x, y = (float(v[i : i + _DIRECTION_PIXELS].mean()) for v in (way.columns, way.rows))
    u, v = (
        int(way.columns[i + _DIRECTION_PIXELS - 1] - way.columns[i]),
        int(way.rows[i + _DIRECTION_PIXELS - 1] - way.rows[i]),
    )
    symbol_vector = (symbol.x + 0.5) / 2 - 0.5 - x, (symbol.y + 0.5) / 2 - 0.5 - y
    return (u * symbol_vector[1] - v * symbol_vector[0]) / max(math.hypot(u, v), 1e-9)


def _angle_cosine(one: InkWay, i: int, other: InkWay, j: int) -> float:
    """Return the cosine of the angle between two ways from some pixels on."""
    x, y = (
        int(one.columns[i + _DIRECTION_PIXELS - 1] - one.columns[i]),
        int(one.rows[i + _DIRECTION_PIXELS - 1] - one.rows[i]),
    )
    u, v = (
        int(other.columns[j + _DIRECTION_PIXELS - 1] - other.columns[j]),
        int(other.rows[j + _DIRECTION_PIXELS - 1] - other.rows[j]),
    )
    return (x * u + y * v) / max(math.hypot(x, y) * math.hypot(u, v), 1e-9)
