"""Names on a board, with the sizes of their symbols and of their text."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import quantile
from mapkit.core.base import Point
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.symbols import format_milepost_label
from mapkit.kinds.rail.render.text.candidates import NameToPlace

_NAME_ROOM_SHARE: Final = 0.85
_CROWDED_SHARE: Final = 0.2
"""The share of the dots that may lie too close for their names to be as large as the others have room for."""
_CITY_GAPS = (0.7, 1.5, 2.6, 4.0)
_DOT_GAPS = (0.45, 1.1, 2.2)


def list_board_names(
    board: Board,
    spots: Mapping[str, Point],
    squares: Mapping[str, Point],
    sizes: ThemeSizes,
    dot_text_mm: Mapping[str, float] = MappingProxyType({}),
) -> list[NameToPlace]:
    """List the names of cities, then of dots; `dot_text_mm` has the font size of dots by id, the theme's by default."""
    half_side, dot_radius = sizes.city_side / 2, sizes.dot_radius
    board_names = [
        NameToPlace(
            f"c-{city.id}",
            city.name,
            *squares[city.id],
            half_side,
            half_side,
            sizes.city_text,
            bold=True,
            gaps=_CITY_GAPS,
            # away from its twin; of three, the middle is free
            side=int(np.sign(squares[city.id][0] - spots[city.milepost][0])),
            family=sizes.family,
        )
        for city in board.cities
    ]
    board_names += [
        NameToPlace(
            f"m-{m.id}",
            label,
            *spots[m.id],
            dot_radius,
            dot_radius,
            dot_text_mm.get(m.id, sizes.dot_text),
            bold=False,
            gaps=_DOT_GAPS,
            family=sizes.family,
        )
        for m in board.mileposts
        if m.kind == "dot" and sizes.dot_names == "fit" and (label := format_milepost_label(m.name))
    ]
    return board_names


def fit_dot_text_mm(board: Board, spots: Mapping[str, Point], sizes: ThemeSizes) -> dict[str, float]:
    """Return the font size of the name of each dot (id): as large as its own room allows, from a least size up.

    The room of a name is the way to the nearest other milepost; the least size is such that most names are shorter.
    """
    dot_mileposts = [milepost for milepost in board.mileposts if milepost.kind == "dot"]
    if not dot_mileposts or len(board.mileposts) < 2 or sizes.dot_text_most <= sizes.dot_text:  # noqa: PLR2004 - one has no room
        return {}
    spot_counts = Counter(spots[milepost.id] for milepost in board.mileposts)
    spot_tree = shapely.STRtree([shapely.Point(spot) for spot in spot_counts])
    dot_room = np.array([0.0 if spot_counts[spots[milepost.id]] > 1 else np.inf for milepost in dot_mileposts])
    dot_points = shapely.points(np.array([spots[milepost.id] for milepost in dot_mileposts], dtype=np.float64))
    (lone_dots, _), ways = spot_tree.query_nearest(dot_points, exclusive=True, return_distance=True, all_matches=False)
    dot_room[lone_dots] = np.minimum(dot_room[lone_dots], ways)
    name_widths = np.array(
        [
            max(text_width(format_milepost_label(milepost.name), 1.0, family=sizes.family), 1.0)
            for milepost in dot_mileposts
        ]
    )
    room_sizes = _NAME_ROOM_SHARE * dot_room / name_widths
    text_sizes = np.minimum(np.maximum(room_sizes, quantile(room_sizes, _CROWDED_SHARE)), sizes.dot_text_most)
    text_sizes = np.maximum(np.floor(10 * text_sizes) / 10, sizes.dot_text)
    return dict(zip((milepost.id for milepost in dot_mileposts), text_sizes.tolist(), strict=True))
