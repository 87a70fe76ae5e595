"""Junctions that are drawn as rings: small holes in the ink of a railroad, with ink all around."""

from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Ints32, groups, widened

_AROUND: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_REACH: Final = 0.85
"""How far from a pixel of the hole ink must be in each direction, in halves of a dot."""
_LEAST: Final = 4
"""Pixels that a hole has at least."""
_WIDEST: Final = 1.1
"""How wide and how high a hole is at most, in halves of a dot."""
_LONGEST: Final = 1.7
"""How much wider than high it is at most, or higher than wide."""
_RADIUS: Final = 0.65
"""Of a ring, in halves of a dot."""

Spot = tuple[float, float]


def find_rings(mine: Bools, dot: float) -> list[Spot]:
    """Return the middles of rings in an ink, x and y in pixels.

    Args:
        mine: Where the ink is.
        dot: Half the width of a dot.
    """
    reach = max(2, round(_REACH * dot))
    height, width = mine.shape
    ys, xs = np.nonzero(widened(mine, 1) & ~mine)
    inner = (ys >= reach) & (ys < height - reach) & (xs >= reach) & (xs < width - reach)
    ys, xs = ys[inner], xs[inner]
    for dy, dx in _AROUND:
        far = reach if not dy or not dx else max(2, round(reach * 0.71))
        hit = np.zeros(len(ys), np.bool_)
        for step in range(1, far + 1):
            hit |= mine[ys + dy * step, xs + dx * step]
        ys, xs = ys[hit], xs[hit]
    out: list[Spot] = []
    for group in groups(ys, xs):
        y, x = ys[group], xs[group]
        tall, wide = int(y.max() - y.min()) + 1, int(x.max() - x.min()) + 1
        if len(group) >= _LEAST and max(tall, wide) <= min(_WIDEST * dot + 1, _LONGEST * min(tall, wide)):
            out.append((float(x.mean()), float(y.mean())))
    return out


def marked(symbol: Ints32, rings: list[Spot], dot: float, first: int) -> Ints32:
    """Return the symbols of a picture of half the size with rings among them, numbered from `first`."""
    out = symbol.copy()
    reach = max(1.0, _RADIUS * dot / 2)
    for number, (x, y) in enumerate(rings, first):
        middle = (y - 0.5) / 2, (x - 0.5) / 2
        top, left = (max(0, int(v - reach)) for v in middle)
        part = out[top : int(middle[0] + reach) + 2, left : int(middle[1] + reach) + 2]
        down, across = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
        part[(np.hypot(down - middle[0], across - middle[1]) <= reach) & (part < 0)] = number
    return out
