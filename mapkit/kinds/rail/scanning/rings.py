"""Junctions that are drawn as rings: small holes in the ink of a railroad, with ink all around."""

from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Ints32, connected_components, dilate_mask

_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_RING_REACH: Final = 0.85
"""Distance within which there is ink in each direction from a pixel of the hole, in halves of a dot."""
_MIN_HOLE_PIXELS: Final = 4
"""Least number of pixels in a hole."""
_MAX_HOLE_SIZE: Final = 1.1
"""Greatest width and height of a hole, in halves of a dot."""
_MAX_HOLE_RATIO: Final = 1.7
"""Greatest ratio of its width and height."""
_RING_RADIUS: Final = 0.65
"""Radius of a ring, in halves of a dot."""

Spot = tuple[float, float]


def find_rings(mine: Bools, dot: float) -> list[Spot]:
    """Return the middles of rings in an ink, x and y in pixels.

    Args:
        mine: Where the ink is.
        dot: Half the width of a dot.
    """
    reach = max(2, round(_RING_REACH * dot))
    height, width = mine.shape
    ys, xs = np.nonzero(dilate_mask(mine, 1) & ~mine)
    is_inner = (ys >= reach) & (ys < height - reach) & (xs >= reach) & (xs < width - reach)
    ys, xs = ys[is_inner], xs[is_inner]
    for dy, dx in _DIRECTIONS:
        ray_length = reach if not dy or not dx else max(2, round(reach * 0.71))
        hits_ink = np.zeros(len(ys), np.bool_)
        for step in range(1, ray_length + 1):
            hits_ink |= mine[ys + dy * step, xs + dx * step]
        ys, xs = ys[hits_ink], xs[hits_ink]
    ring_middles: list[Spot] = []
    for group in connected_components(ys, xs):
        y, x = ys[group], xs[group]
        hole_height, hole_width = int(y.max() - y.min()) + 1, int(x.max() - x.min()) + 1
        if len(group) >= _MIN_HOLE_PIXELS and max(hole_height, hole_width) <= min(
            _MAX_HOLE_SIZE * dot + 1, _MAX_HOLE_RATIO * min(hole_height, hole_width)
        ):
            ring_middles.append((float(x.mean()), float(y.mean())))
    return ring_middles


def mark_rings(symbol: Ints32, rings: list[Spot], dot: float, first: int) -> Ints32:
    """Return the symbols of a picture of half the size with rings added, numbered from `first`."""
    symbol_map = symbol.copy()
    ring_radius = max(1.0, _RING_RADIUS * dot / 2)
    for number, (x, y) in enumerate(rings, first):
        ring_middle = (y - 0.5) / 2, (x - 0.5) / 2
        top, left = (max(0, int(v - ring_radius)) for v in ring_middle)
        map_part = symbol_map[top : int(ring_middle[0] + ring_radius) + 2, left : int(ring_middle[1] + ring_radius) + 2]
        part_rows, part_columns = np.mgrid[top : top + map_part.shape[0], left : left + map_part.shape[1]]
        map_part[
            (np.hypot(part_rows - ring_middle[0], part_columns - ring_middle[1]) <= ring_radius) & (map_part < 0)
        ] = number
    return symbol_map
