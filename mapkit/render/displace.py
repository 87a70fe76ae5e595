"""Where mileposts, junctions and track pieces lie on the page before lanes are given."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mapkit.model.base import Point
from mapkit.model.board import Board
from mapkit.render.backdrop import Area, Warp
from mapkit.render.polyline import Array
from mapkit.render.theme import Sizes


@dataclass(frozen=True)
class Placement:
    """Places in millimetres of the page."""

    spots: Mapping[str, Point]
    """Milepost or junction (id) -> its place."""
    paths: Mapping[str, Array]
    """Piece (id) -> its real line, moved along with its ends, from its `a` to its `b`."""
    warp: Warp


def displace(board: Board, sizes: Sizes, area: Area) -> Placement:
    """Return the places of a board's parts within the area of its map."""
    del sizes, area
    spots = {m.id: (m.x, m.y) for m in board.mileposts} | {j.id: (j.x, j.y) for j in board.junctions}
    paths = {p.id: np.array(p.path, dtype=np.float64) for p in board.pieces}
    return Placement(spots, paths, lambda points: points)
