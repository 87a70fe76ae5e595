"""Rounding of dots to whole map units that are all different."""

from collections.abc import Mapping
from itertools import product
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.rb3.model import RATIO
from mapkit.kinds.rail.exchange.rb3.route_lines import Place

_MAX_STEPS: Final = 24
_STEPS_AROUND: Final = tuple(
    sorted(
        ((x, y) for x, y in product(range(-_MAX_STEPS, _MAX_STEPS + 1), repeat=2)),
        key=lambda step: (step[0] ** 2 + (RATIO * step[1]) ** 2, step),
    )
)
"""Steps to neighbouring units, the shortest first."""


def settle_dots(wanted: Mapping[str, Point]) -> dict[str, Place]:
    """Return the nearest whole units of each dot; dots that coincide move to the nearest free units.

    Dots on whole units of their own do not move, so that reading and writing a map again gives the same map.

    Args:
        wanted: Dot (any name) -> map units.
    """
    place_by_dot: dict[str, Place] = {}
    colliding_dots: list[tuple[Place, float, Point, str]] = []
    taken_places: set[Place] = set()
    sorted_dots = sorted(
        (nearest_units(exact_place), _rounding_distance(exact_place), exact_place, dot_name)
        for dot_name, exact_place in wanted.items()
    )
    for place, distance, exact_place, dot_name in sorted_dots:
        if place in taken_places:
            colliding_dots.append((place, distance, exact_place, dot_name))
        else:
            taken_places.add(place)
            place_by_dot[dot_name] = place
    tried_steps: dict[Place, int] = {}
    for place, _, _, dot_name in colliding_dots:
        place_by_dot[dot_name] = place
        for n in range(tried_steps.get(place, 0), len(_STEPS_AROUND)):
            free_place = (place[0] + _STEPS_AROUND[n][0], place[1] + _STEPS_AROUND[n][1])
            if free_place not in taken_places:
                place_by_dot[dot_name] = free_place
                taken_places.add(free_place)
                tried_steps[place] = n + 1
                break
    return place_by_dot


def nearest_units(at: Point) -> Place:
    """Return the whole map units nearest to a place; not finite for a place that is not finite."""
    x, y = np.round(at).tolist()
    return x, y


def _rounding_distance(exact_place: Point) -> float:
    x, y = nearest_units(exact_place)
    return round((exact_place[0] - x) ** 2 + (RATIO * (exact_place[1] - y)) ** 2, 9)
