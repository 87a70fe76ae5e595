"""Places of mileposts, junctions and track pieces on the page before lanes are assigned.

Crowded places are moved apart, and the map's land with them, by a map of the page onto itself without folds (`warps`):
crowded parts grow a little (`local_scaling`), then symbols that still lack room are separated (`symbol_separation`). So
lines that do not meet stay apart, the order of lines round a place stays, and everything stays on its side of a line. A
board with enough room is left unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import distinct_values
from mapkit.core.base import Area, Point
from mapkit.core.neighbours import find_pairs_among
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, cumulative_lengths, interpolate_points
from mapkit.kinds.rail.render.spread.crowding import Indices, Symbols, get_symbol_places, make_symbols
from mapkit.kinds.rail.render.spread.local_scaling import loosen_symbols, scale_crowded_parts
from mapkit.kinds.rail.render.spread.symbol_separation import separate_symbols
from mapkit.kinds.rail.render.spread.warps import Steps, WarpStep

_DECIMALS: Final = 4
_SAMPLE_MM: Final = 1.0
_COINCIDENT_MM: Final = 0.3
_TAIL_MM: Final = 2.0


@dataclass(frozen=True)
class Placement:
    """Places in millimetres of the page."""

    spots: Mapping[str, Point]
    """Milepost or junction (id) -> its place."""
    paths: Mapping[str, Array]
    """Piece (id) -> its real line, moved along with its ends, from its `a` to its `b`."""
    warp: Steps


def displace_board(board: Board, sizes: Sizes, area: Area) -> Placement:
    """Return the places of a board's parts within the area of its map, crowded ones moved apart.

    Args:
        board: Mileposts and junctions at (`x`, `y`) in millimetres of the page, y downward.
        sizes: Of symbols, names and lines, and the least distance of two mileposts (`least_gap`).
        area: Left, top, right, bottom of the map; everything inside the page's frame stays inside.

    Returns:
        Spots to 4 decimals of a millimetre. Mileposts at the same place are first set a little apart, as no map
        of the page could separate them; `warp` leaves that out, as it is for land and borders.
    """
    projected_spots: dict[str, Point] = {m.id: (m.x, m.y) for m in board.mileposts}
    projected_spots |= {j.id: (j.x, j.y) for j in board.junctions}
    piece_paths = {p.id: np.array(p.path, dtype=np.float64) for p in board.pieces}
    board_symbols = make_symbols(board, sizes)
    projected_places = get_symbol_places(board_symbols, projected_spots)
    separate_places = _separate_coincident(board, board_symbols, projected_places)
    left, top, right, bottom = board.page.frame
    map_frame = (max(left, area[0]), max(top, area[1]), min(right, area[2]), min(bottom, area[3]))
    warp_steps = scale_crowded_parts(board, sizes, map_frame)
    warp_steps += loosen_symbols(board_symbols, Steps(warp_steps)(separate_places), map_frame)
    warp_steps += separate_symbols(board_symbols, Steps(warp_steps)(separate_places), map_frame)
    if not warp_steps:
        return Placement(projected_spots, piece_paths, Steps(()))
    return _warp_board(board, board_symbols.ids, (projected_places, separate_places), piece_paths, Steps(warp_steps))


def place_board(board: Board, sizes: Sizes, steps: tuple[WarpStep, ...] = ()) -> Placement:
    """Return the places of a board's parts after given steps; without steps, as projected.

    Crowded places stay crowded; only coincident ones are set a little apart, as lines need two ends.
    """
    board_symbols = make_symbols(board, sizes)
    projected_spots: dict[str, Point] = {m.id: (m.x, m.y) for m in board.mileposts}
    projected_spots |= {j.id: (j.x, j.y) for j in board.junctions}
    projected_places = get_symbol_places(board_symbols, projected_spots)
    piece_paths = {p.id: np.array(p.path, dtype=np.float64) for p in board.pieces}
    return _warp_board(
        board,
        board_symbols.ids,
        (projected_places, _separate_coincident(board, board_symbols, projected_places)),
        piece_paths,
        Steps(steps),
    )


def _warp_board(
    board: Board, ids: Sequence[str], places: tuple[Array, Array], paths: Mapping[str, Array], warp: Steps
) -> Placement:
    """Return the places of a board's parts after a warp of the mileposts as projected, and set apart."""
    projected_places, first = places
    shift_of = dict(zip(ids, first - projected_places, strict=True))
    dense_paths = {p.id: _densify(paths[p.id]) if warp.steps else paths[p.id] for p in board.pieces}
    shifted_paths = [_shift_tails(dense_paths[p.id], shift_of.get(p.a), shift_of.get(p.b)) for p in board.pieces]
    path_ends = np.cumsum([len(line) for line in shifted_paths])
    moved_points = np.round(warp(np.concatenate([first, *shifted_paths])), _DECIMALS)
    moved_spots = {ident: (float(x), float(y)) for ident, (x, y) in zip(ids, moved_points[: len(first)], strict=True)}
    moved_lines = np.split(moved_points[len(first) :], path_ends[:-1]) if shifted_paths else []
    moved_paths: dict[str, Array] = {}
    for piece, line in zip(board.pieces, moved_lines, strict=True):
        line[0], line[-1] = moved_spots.get(piece.a, line[0]), moved_spots.get(piece.b, line[-1])
        moved_paths[piece.id] = line
    return Placement(moved_spots, moved_paths, warp)


def _densify(path: Array) -> Array:
    """Add vertices to the line, so that it bends as the page does; its own vertices stay."""
    vertex_distances = cumulative_lengths(path)
    if not float(vertex_distances[-1]) > _SAMPLE_MM:
        return path
    sample_distances = np.linspace(0.0, vertex_distances[-1], int(np.ceil(vertex_distances[-1] / _SAMPLE_MM)) + 1)
    return interpolate_points(path, distinct_values(np.concatenate((vertex_distances, sample_distances))))


def _shift_tails(line: Array, at_a: Array | None, at_b: Array | None) -> Array:
    """Shift the line's last millimetres to ends that were shifted."""
    vertex_distances = cumulative_lengths(line)
    tail_length = max(min(_TAIL_MM, float(vertex_distances[-1]) / 2), 1e-9)
    for shift, end_distances in ((at_a, vertex_distances), (at_b, vertex_distances[-1] - vertex_distances)):
        if shift is not None and shift.any():
            line = line + np.maximum(1.0 - end_distances / tail_length, 0.0)[:, None] * shift
    return line


def _separate_coincident(board: Board, symbols: Symbols, xy: Array) -> Array:
    """Return the places with those on top of each other set a little apart, towards the ends of their lines."""
    first_symbols, second_symbols = find_pairs_among(xy, _COINCIDENT_MM)
    if not len(first_symbols):
        return xy
    symbol_number = {ident: index for index, ident in enumerate(symbols.ids)}
    line_pull = np.zeros_like(xy)
    for piece in board.pieces:
        a, b = symbol_number.get(piece.a), symbol_number.get(piece.b)
        if a is None or b is None:
            continue
        line_vector = xy[b] - xy[a]
        line_length = float(np.sqrt((line_vector**2).sum()))
        if line_length > _COINCIDENT_MM:
            line_pull[a] += line_vector / line_length
            line_pull[b] -= line_vector / line_length
    separate_places = xy.copy()
    for members in _connected_groups(first_symbols, second_symbols, len(xy)):
        group_middle = xy[members].mean(axis=0)
        # by the direction of their lines, seen from the group; then by name
        member_lean = line_pull[members] - line_pull[members].mean(axis=0)
        size = np.sqrt((member_lean**2).sum(axis=1))
        axis = member_lean[int(np.argmax(np.round(size, 6)))] if size.max() > _COINCIDENT_MM else np.array([1.0, 0.0])
        axis = axis / np.sqrt((axis**2).sum())
        rank = np.empty(len(members))
        rank[np.lexsort((members, np.round(member_lean @ axis, 6)))] = np.arange(len(members))
        separate_places[members] = group_middle + ((rank - (len(members) - 1) / 2) * _COINCIDENT_MM)[:, None] * axis
    return np.round(separate_places, 6)


def _connected_groups(first_indices: Indices, second_indices: Indices, count: int) -> list[Indices]:
    """Return the connected components of pairs of indices."""
    group_roots = np.arange(count)
    for _ in range(count):
        lower_roots = np.minimum(group_roots[first_indices], group_roots[second_indices])
        if (group_roots[first_indices] == lower_roots).all() and (group_roots[second_indices] == lower_roots).all():
            break
        np.minimum.at(group_roots, first_indices, lower_roots)
        np.minimum.at(group_roots, second_indices, lower_roots)
    return [
        np.flatnonzero(group_roots == r)
        for r in distinct_values(group_roots[np.concatenate((first_indices, second_indices))]).tolist()
    ]
