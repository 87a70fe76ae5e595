"""Sides of names at the dots of cities, as label hints of the program."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from mapkit.kinds.rail.exchange.rb3.model import RATIO
from mapkit.kinds.rail.exchange.rb3.route_lines import Place

LEFT: Final = "-99,0"
"""The label hint of a name to the left; without one it is to the right."""

_LETTER_WIDTH, _NAME_HEIGHT, _NAME_GAP = 2.4, 5.0, 1.5
"""Letter width, height and gap of a printed name on a window of 600 units, in map units across."""
_OUTSIDE_PENALTY: Final = 100
"""Penalty for a name that leaves the window, counted in dots under a name."""


def label_hints(names: Mapping[str, str], places: Mapping[str, Place], width: float) -> dict[str, str]:
    """Return the label hint of each city: `LEFT` where fewer dots are under the name than to the right, else empty.

    Args:
        names: City milepost (id) -> the city's name.
        places: Every dot (id) -> map units.
        width: Of the window, map units.
    """
    dot_positions = np.array(list(places.values())) * (1.0, RATIO)
    hint_by_city: dict[str, str] = {}
    for milepost_id, city_name in names.items():
        x, y = places[milepost_id][0], places[milepost_id][1] * RATIO
        name_length = _NAME_GAP + _LETTER_WIDTH * len(city_name)
        is_level = np.abs(dot_positions[:, 1] - y) <= _NAME_HEIGHT / 2
        right_penalty = int(
            (is_level & (dot_positions[:, 0] > x) & (dot_positions[:, 0] <= x + name_length)).sum()
        ) + _OUTSIDE_PENALTY * (x + name_length > width)
        left_penalty = int(
            (is_level & (dot_positions[:, 0] < x) & (dot_positions[:, 0] >= x - name_length)).sum()
        ) + _OUTSIDE_PENALTY * (x - name_length < 0)
        hint_by_city[milepost_id] = LEFT if left_penalty < right_penalty else ""
    return hint_by_city
