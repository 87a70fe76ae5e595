"""The names on a board, and what room their symbols take."""

from collections.abc import Mapping

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.symbols import milepost_label
from mapkit.kinds.rail.render.text.candidates import Name
from mapkit.kinds.rail.render.theme.theme import Sizes

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


def _side(shift: float) -> int:
    """Return the side that a city's name keeps to: twins keep off each other's side, of three the middle is free."""
    return 0 if shift == 0 else 1 if shift > 0 else -1
