"""Where mileposts, junctions and track pieces lie on the page before lanes are given.

Where geography crowds them they are moved apart, and the map's land with them, by a map of the page onto itself that
never folds (`warps`): crowded parts grow a little (`easing`), then symbols that still lack room are parted
(`parting`). Lines that do not meet do not meet afterwards, the order of lines round a place stays, and what lies
left of a line stays left of it, without anybody having to look after that. A board with room enough is left alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import distinct
from mapkit.core.base import Area, Point
from mapkit.core.neighbours import find_pairs_among
from mapkit.drawing.theme.sizes import Sizes
from mapkit.geography.backdrop import Warp
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, points_at
from mapkit.kinds.rail.render.spread.crowding import Indices, Symbols, places_of, symbols_of
from mapkit.kinds.rail.render.spread.local_scaling import loosen_symbols, scale_crowded_parts
from mapkit.kinds.rail.render.spread.symbol_separation import separate_symbols
from mapkit.kinds.rail.render.spread.warps import Steps, WarpStep

_DECIMALS: Final = 4
_SAMPLE_MM: Final = 1.0
_TOGETHER_MM: Final = 0.3
_TAIL_MM: Final = 2.0


@dataclass(frozen=True)
class Placement:
    """Places in millimetres of the page."""

    spots: Mapping[str, Point]
    """Milepost or junction (id) -> its place."""
    paths: Mapping[str, Array]
    """Piece (id) -> its real line, moved along with its ends, from its `a` to its `b`."""
    warp: Warp


def displace(board: Board, sizes: Sizes, area: Area) -> Placement:
    """Return the places of a board's parts within the area of its map.

    Args:
        board: Mileposts and junctions at (`x`, `y`) in millimetres of the page, y downward.
        sizes: Of symbols, names and lines, and the least distance of two mileposts (`least_gap`).
        area: Left, top, right, bottom of the map; what lies in the page's frame stays there.

    Returns:
        Spots to 4 decimals of a millimetre. Mileposts at one and the same place are first set a little apart, for no
        map of the page could part them; `warp` does not do that, as it is for land and borders.
    """
    spots: dict[str, Point] = {m.id: (m.x, m.y) for m in board.mileposts}
    spots |= {j.id: (j.x, j.y) for j in board.junctions}
    paths = {p.id: np.array(p.path, dtype=np.float64) for p in board.pieces}
    symbols = symbols_of(board, sizes)
    start = places_of(symbols, spots)
    first = _untangled(board, symbols, start)
    frame = _within(board.page.frame, area)
    steps = scale_crowded_parts(board, sizes, frame)
    steps += loosen_symbols(symbols, Steps(steps)(first), frame)
    steps += separate_symbols(symbols, Steps(steps)(first), frame)
    if not steps:
        return Placement(spots, paths, lambda points: points)
    return _moved(board, symbols.ids, (start, first), paths, Steps(steps))


def placed(board: Board, sizes: Sizes, steps: tuple[WarpStep, ...] = ()) -> Placement:
    """Return the places of a board's parts after known steps; by default where the projection puts them.

    What is crowded then stays so. Only what lies on top of something else is set a little apart, for lines need two
    ends.
    """
    symbols = symbols_of(board, sizes)
    spots: dict[str, Point] = {m.id: (m.x, m.y) for m in board.mileposts}
    spots |= {j.id: (j.x, j.y) for j in board.junctions}
    start = places_of(symbols, spots)
    paths = {p.id: np.array(p.path, dtype=np.float64) for p in board.pieces}
    return _moved(board, symbols.ids, (start, _untangled(board, symbols, start)), paths, Steps(steps))


def _moved(
    board: Board, ids: Sequence[str], places: tuple[Array, Array], paths: Mapping[str, Array], warp: Steps
) -> Placement:
    """Return the places of a board's parts after a warp; of mileposts before it where they are, and set apart."""
    start, first = places
    shift = dict(zip(ids, first - start, strict=True))
    courses = {p.id: _dense(paths[p.id]) if warp.steps else paths[p.id] for p in board.pieces}
    fine = [_tailed(courses[p.id], shift.get(p.a), shift.get(p.b)) for p in board.pieces]
    ends = np.cumsum([len(line) for line in fine])
    moved = np.round(warp(np.concatenate([first, *fine])), _DECIMALS)
    spots = {ident: (float(x), float(y)) for ident, (x, y) in zip(ids, moved[: len(first)], strict=True)}
    lines = np.split(moved[len(first) :], ends[:-1]) if fine else []
    out: dict[str, Array] = {}
    for piece, line in zip(board.pieces, lines, strict=True):
        line[0], line[-1] = spots.get(piece.a, line[0]), spots.get(piece.b, line[-1])
        out[piece.id] = line
    return Placement(spots, out, warp)


def _within(frame: Area, area: Area) -> Area:
    left, top, right, bottom = frame
    return (max(left, area[0]), max(top, area[1]), min(right, area[2]), min(bottom, area[3]))


def _dense(path: Array) -> Array:
    """Return the line with more vertices, so that it bends as the page does; its own vertices stay."""
    along = lengths(path)
    if not float(along[-1]) > _SAMPLE_MM:
        return path
    stops = np.linspace(0.0, along[-1], int(np.ceil(along[-1] / _SAMPLE_MM)) + 1)
    return points_at(path, distinct(np.concatenate((along, stops))))


def _tailed(line: Array, at_a: Array | None, at_b: Array | None) -> Array:
    """Return the line with its last millimetres led to ends that were shifted."""
    along = lengths(line)
    reach = max(min(_TAIL_MM, float(along[-1]) / 2), 1e-9)
    for shift, way in ((at_a, along), (at_b, along[-1] - along)):
        if shift is not None and shift.any():
            line = line + np.maximum(1.0 - way / reach, 0.0)[:, None] * shift
    return line


def _untangled(board: Board, symbols: Symbols, xy: Array) -> Array:
    """Return the places, those that lie on top of each other set a little apart, towards where their lines go."""
    one, other = find_pairs_among(xy, _TOGETHER_MM)
    if not len(one):
        return xy
    number = {ident: index for index, ident in enumerate(symbols.ids)}
    pull = np.zeros_like(xy)
    for piece in board.pieces:
        a, b = number.get(piece.a), number.get(piece.b)
        if a is None or b is None:
            continue
        way = xy[b] - xy[a]
        far = float(np.sqrt((way**2).sum()))
        if far > _TOGETHER_MM:
            pull[a] += way / far
            pull[b] -= way / far
    out = xy.copy()
    for members in _groups(one, other, len(xy)):
        middle = xy[members].mean(axis=0)
        # by where their lines go, seen from the group; then by name
        lean = pull[members] - pull[members].mean(axis=0)
        size = np.sqrt((lean**2).sum(axis=1))
        axis = lean[int(np.argmax(np.round(size, 6)))] if size.max() > _TOGETHER_MM else np.array([1.0, 0.0])
        axis = axis / np.sqrt((axis**2).sum())
        rank = np.empty(len(members))
        rank[np.lexsort((members, np.round(lean @ axis, 6)))] = np.arange(len(members))
        out[members] = middle + ((rank - (len(members) - 1) / 2) * _TOGETHER_MM)[:, None] * axis
    return np.round(out, 6)


def _groups(one: Indices, other: Indices, count: int) -> list[Indices]:
    """Return the indices that pairs join, group by group."""
    root = np.arange(count)
    for _ in range(count):
        low = np.minimum(root[one], root[other])
        if (root[one] == low).all() and (root[other] == low).all():
            break
        np.minimum.at(root, one, low)
        np.minimum.at(root, other, low)
    return [np.flatnonzero(root == r) for r in distinct(root[np.concatenate((one, other))]).tolist()]
