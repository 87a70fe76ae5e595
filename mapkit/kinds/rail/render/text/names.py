"""The names on a board, and what room their symbols take."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import quantile
from mapkit.core.base import Point
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.symbols import milepost_label
from mapkit.kinds.rail.render.text.candidates import Name

_ROOM_SHARE: Final = 0.85
_CROWDED: Final = 0.2
"""The share of the dots that may lie too close for their names to be as large as the others have room for."""
_CITY_GAPS = (0.7, 1.5, 2.6, 4.0)
_DOT_GAPS = (0.45, 1.1, 2.2)


def names_of(board: Board, spots: Mapping[str, Point], squares: Mapping[str, Point], sizes: Sizes) -> list[Name]:
    """Return the names of cities, then of dots."""
    half, radius = sizes.city_side / 2, sizes.dot_radius
    names = [
        Name(
            f"c-{city.id}",
            city.name,
            *squares[city.id],
            half,
            half,
            sizes.city_text,
            bold=True,
            gaps=_CITY_GAPS,
            side=_side(squares[city.id][0] - spots[city.milepost][0]),
        )
        for city in board.cities
    ]
    names += [
        Name(
            f"m-{m.id}",
            milepost_label(m.name),
            *spots[m.id],
            radius,
            radius,
            sizes.dot_text,
            bold=False,
            gaps=_DOT_GAPS,
        )
        for m in board.mileposts
        if m.kind == "dot" and sizes.dot_names == "fit"
    ]
    return names


def dot_text(board: Board, spots: Mapping[str, Point], sizes: Sizes) -> float:
    """Return the font size of the names of dots: one for all, larger where mileposts lie far apart on the page.

    The room of a name is the way to the nearest other milepost; the size is such that most names are shorter.
    """
    dots = [milepost for milepost in board.mileposts if milepost.kind == "dot"]
    if not dots or len(board.mileposts) < 2 or sizes.dot_text_most <= sizes.dot_text:  # noqa: PLR2004 - one has no room
        return sizes.dot_text
    crowd = Counter(spots[milepost.id] for milepost in board.mileposts)
    tree = shapely.STRtree([shapely.Point(spot) for spot in crowd])
    room = np.array([0.0 if crowd[spots[milepost.id]] > 1 else np.inf for milepost in dots])
    places = shapely.points(np.array([spots[milepost.id] for milepost in dots], dtype=np.float64))
    (alone, _), ways = tree.query_nearest(places, exclusive=True, return_distance=True, all_matches=False)
    room[alone] = np.minimum(room[alone], ways)
    widths = np.array([max(text_width(milepost_label(milepost.name), 1.0), 1.0) for milepost in dots])
    size = _ROOM_SHARE * quantile(room / widths, _CROWDED)
    return max(float(np.floor(10 * min(size, sizes.dot_text_most)) / 10), sizes.dot_text)


def _side(shift: float) -> int:
    """Return the side that a city's name keeps to: twins keep off each other's side, of three the middle is free."""
    return 0 if shift == 0 else 1 if shift > 0 else -1
