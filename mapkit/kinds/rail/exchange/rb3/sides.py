"""On which side of its dot the program prints the name of a city."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from mapkit.kinds.rail.exchange.rb3.lines import Place
from mapkit.kinds.rail.exchange.rb3.model import RATIO

LEFT: Final = "-99,0"
"""The label hint of a name to the left; without one it is to the right."""

_LETTER, _HEIGHT, _GAP = 2.4, 5.0, 1.5
"""Of a name as programs print it on a window of 600 units, map units across."""
_OFF: Final = 100
"""As bad as so many dots under a name: it leaves the window."""


def label_hints(names: Mapping[str, str], places: Mapping[str, Place], width: float) -> dict[str, str]:
    """Return the label hint of each city: `LEFT` where fewer dots are under the name than to the right, else empty.

    Args:
        names: City milepost (id) -> the city's name.
        places: Every dot (id) -> map units.
        width: Of the window, map units.
    """
    dots = np.array(list(places.values())) * (1.0, RATIO)
    out: dict[str, str] = {}
    for ident, name in names.items():
        x, y = places[ident][0], places[ident][1] * RATIO
        length = _GAP + _LETTER * len(name)
        level = np.abs(dots[:, 1] - y) <= _HEIGHT / 2
        right = int((level & (dots[:, 0] > x) & (dots[:, 0] <= x + length)).sum()) + _OFF * (x + length > width)
        left = int((level & (dots[:, 0] < x) & (dots[:, 0] >= x - length)).sum()) + _OFF * (x - length < 0)
        out[ident] = LEFT if left < right else ""
    return out
