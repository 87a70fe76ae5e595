"""Audit of mileposts drawn too close to each other."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.neighbours import find_pairs_among
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.spread.crowding import get_symbol_places, make_symbols, measure_gaps

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
    """Least allowed `gap`: that of dots with their middles `sizes.least_gap` apart."""


def find_close_dots(layout: Layout) -> tuple[CloseDots, ...]:
    """Find the pairs of mileposts closer than `layout.sizes.least_gap` allows, sorted by ids.

    Dots may not have their middles nearer than `least_gap`; squares of cities and rows of twins keep the same room
    round their outlines that such dots keep. Figures are rounded to hundredths.
    """
    board, sizes = layout.board, layout.sizes
    board_symbols = make_symbols(board, sizes)
    symbol_places = get_symbol_places(board_symbols, layout.spots)
    first_symbols, second_symbols = find_pairs_among(symbol_places, max(board_symbols.reach, sizes.least_gap))
    is_milepost = second_symbols < len(board.mileposts)
    first_symbols, second_symbols = first_symbols[is_milepost], second_symbols[is_milepost]
    symbol_gaps, _ = measure_gaps(board_symbols, symbol_places, first_symbols, second_symbols)
    centre_distances = np.sqrt(((symbol_places[second_symbols] - symbol_places[first_symbols]) ** 2).sum(axis=1))
    least_gaps = board_symbols.keep[first_symbols] + board_symbols.keep[second_symbols]
    is_close = (symbol_gaps < least_gaps - _ROUNDING_MM) | (centre_distances < sizes.least_gap - _ROUNDING_MM)
    close_pairs = []
    for i in np.flatnonzero(is_close):
        a, b = sorted((board_symbols.ids[first_symbols[i]], board_symbols.ids[second_symbols[i]]))
        close_pairs.append(
            CloseDots(
                a,
                b,
                round(float(centre_distances[i]), 2),
                round(float(symbol_gaps[i]), 2),
                round(float(least_gaps[i]), 2),
            )
        )
    return tuple(sorted(close_pairs, key=lambda pair: (pair.a, pair.b)))
