"""Mileposts that are drawn too near each other."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.neighbours import find_pairs_among
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.spread.crowding import gaps, places_of, symbols_of

_ROUNDING_MM: Final = 0.0005


@dataclass(frozen=True)
class CloseDots:
    """Two mileposts (ids, a < b) with too little room between them, in millimetres of the page."""

    a: str
    b: str
    distance: float
    """Between their middles."""
    gap: float
    """Between their symbols, negative where they overlap."""
    least_gap: float
    """What `gap` should be: what dots `sizes.least_gap` apart have between them."""


def close_dots(layout: Layout) -> tuple[CloseDots, ...]:
    """Return the pairs of mileposts closer than `layout.sizes.least_gap` allows, sorted by ids.

    Dots may not have their middles nearer than `least_gap`; squares of cities and rows of twins keep the same room
    round their outlines that such dots keep. Figures are rounded to hundredths.
    """
    board, sizes = layout.board, layout.sizes
    symbols = symbols_of(board, sizes)
    xy = places_of(symbols, layout.spots)
    one, other = find_pairs_among(xy, max(symbols.reach, sizes.least_gap))
    mileposts = other < len(board.mileposts)
    one, other = one[mileposts], other[mileposts]
    gap, _ = gaps(symbols, xy, one, other)
    distance = np.sqrt(((xy[other] - xy[one]) ** 2).sum(axis=1))
    least = symbols.keep[one] + symbols.keep[other]
    close = (gap < least - _ROUNDING_MM) | (distance < sizes.least_gap - _ROUNDING_MM)
    found = []
    for i in np.flatnonzero(close):
        a, b = sorted((symbols.ids[one[i]], symbols.ids[other[i]]))
        found.append(CloseDots(a, b, round(float(distance[i]), 2), round(float(gap[i]), 2), round(float(least[i]), 2)))
    return tuple(sorted(found, key=lambda pair: (pair.a, pair.b)))
