"""Whole map units for every dot, each its own."""

from collections.abc import Mapping
from itertools import product
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.rb3.lines import Place
from mapkit.kinds.rail.exchange.rb3.model import RATIO

_REACH: Final = 24
_AROUND: Final = tuple(
    sorted(
        ((x, y) for x, y in product(range(-_REACH, _REACH + 1), repeat=2)),
        key=lambda step: (step[0] ** 2 + (RATIO * step[1]) ** 2, step),
    )
)
"""Steps to other units, the shortest first."""


def settled(wanted: Mapping[str, Point]) -> dict[str, Place]:
    """Return the nearest whole units of each dot; where two fall together, one is moved to the nearest that are free.

    Dots on whole units of their own stay, so that a map which was read and is written again does not change.

    Args:
        wanted: Dot (any name) -> map units.
    """
    out: dict[str, Place] = {}
    later: list[tuple[Place, float, Point, str]] = []
    taken: set[Place] = set()
    order = sorted((nearest_units(at), _away(at), at, name) for name, at in wanted.items())
    for place, away, at, name in order:
        if place in taken:
            later.append((place, away, at, name))
        else:
            taken.add(place)
            out[name] = place
    tried: dict[Place, int] = {}
    for place, _, _, name in later:
        out[name] = place
        for n in range(tried.get(place, 0), len(_AROUND)):
            free = (place[0] + _AROUND[n][0], place[1] + _AROUND[n][1])
            if free not in taken:
                out[name] = free
                taken.add(free)
                tried[place] = n + 1
                break
    return out


def nearest_units(at: Point) -> Place:
    """Return the whole map units nearest to a place; what has no place has none."""
    x, y = np.round(at).tolist()
    return x, y


def _away(at: Point) -> float:
    x, y = nearest_units(at)
    return round((at[0] - x) ** 2 + (RATIO * (at[1] - y)) ** 2, 9)
