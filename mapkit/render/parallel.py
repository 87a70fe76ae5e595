"""Where each track piece is drawn: parallel railroads side by side (RB-C09).

Pieces of different railroads that join the same two mileposts form a *bundle*: they share one centre line, the
mean of their real lines, and take lanes beside each other in the order of their railroads' ids. The lanes count
from the left of a traveller from the western end to the eastern, so that railroads that run together over many
mileposts keep their sides. Bundles that come too near each other are then moved apart (`spacing`).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.model.board import Board, Piece
from mapkit.render.displace import Placement
from mapkit.render.polyline import Array, beside, lengths, points_at, resampled
from mapkit.render.spacing import Obstacles, Strand, spread
from mapkit.render.theme import Sizes

STEP_MM: Final = 1.5


@dataclass(frozen=True)
class Bundle:
    """Pieces between the same two nodes; `centre` runs from `start`, the western one, to `end`."""

    start: str
    end: str
    pieces: tuple[Piece, ...]
    centre: Array


def drawn_lines(board: Board, placement: Placement, sizes: Sizes) -> dict[str, Array]:
    """Return piece id -> the line to draw in page millimetres, from the piece's `a` to its `b`."""
    bundles = find_bundles(board.pieces, placement)
    strands = [
        Strand(b.centre, (b.start, b.end), (len(b.pieces) - 1) / 2 * sizes.lane + sizes.line / 2) for b in bundles
    ]
    centres = spread(strands, _obstacles(board, placement, sizes), sizes.clearance)
    drawn: dict[str, Array] = {}
    for bundle, centre in zip(bundles, centres, strict=True):
        for lane, piece in enumerate(bundle.pieces):
            offset = (lane - (len(bundle.pieces) - 1) / 2) * sizes.lane
            line = beside(centre, offset, 0.4 + 0.6 * abs(offset))
            drawn[piece.id] = line if piece.a == bundle.start else line[::-1]
    return drawn


def find_bundles(pieces: tuple[Piece, ...], placement: Placement) -> list[Bundle]:
    """Group the pieces by their two nodes, sorted by node ids; lanes are in the order of the railroads' ids.

    A second piece of the same railroad between the same nodes takes a real way of its own, not a lane.
    """
    spots = placement.spots
    groups: dict[tuple[str, str, int], list[Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (p.railroad, p.id)):
        start, end = sorted((piece.a, piece.b), key=lambda node: (spots[node], node))
        turn = 0
        while any(p.railroad == piece.railroad for p in groups.get((start, end, turn), ())):
            turn += 1
        groups.setdefault((start, end, turn), []).append(piece)
    return [
        Bundle(start, end, tuple(members), _centre(members, placement, start, end))
        for (start, end, _), members in sorted(groups.items())
    ]


def _centre(members: list[Piece], placement: Placement, start: str, end: str) -> Array:
    """Return the mean of the members' lines, vertices `STEP_MM` apart."""
    lines = [placement.paths[p.id] if p.a == start else placement.paths[p.id][::-1] for p in members]
    if len(lines) == 1:
        mean = lines[0]
    else:
        share = np.linspace(0.0, 1.0, 65)
        mean = np.mean([points_at(line, share * lengths(line)[-1]) for line in lines], axis=0)
    mean = resampled(mean, STEP_MM)
    mean[0], mean[-1] = placement.spots[start], placement.spots[end]
    return mean


def _obstacles(board: Board, placement: Placement, sizes: Sizes) -> Obstacles:
    """Return the mileposts, round them the room that their symbols take."""
    squares: dict[str, int] = {}
    for city in board.cities:
        squares[city.milepost] = squares.get(city.milepost, 0) + 1
    radius = [
        sizes.dot_radius if m.kind == "dot" else sizes.city_side * 0.6 * max(1.0, squares.get(m.id, 1) * 0.8)
        for m in board.mileposts
    ]
    return Obstacles(
        names=tuple(m.id for m in board.mileposts),
        xy=np.array([placement.spots[m.id] for m in board.mileposts], dtype=np.float64).reshape(-1, 2),
        radius=np.array(radius, dtype=np.float64),
    )
