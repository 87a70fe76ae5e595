"""Drawn lines of segments, joined from those of track pieces, without invisible vertices."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Piece, Segment
from mapkit.kinds.rail.render.lines.polyline import Array

_SIMPLIFY_MM: Final = 0.02
_TOUCH_MM: Final = 1e-6


def simplify_lines(lines: Mapping[str, Array]) -> dict[str, Array]:
    """Return the lines without invisible vertices (Douglas-Peucker)."""
    line_ids = list(lines)
    if not line_ids:
        return {}
    thin_lines = shapely.simplify([shapely.LineString(lines[i]) for i in line_ids], _SIMPLIFY_MM)
    return {i: shapely.get_coordinates(line) for i, line in zip(line_ids, thin_lines, strict=True)}


def join_segment_line(segment: Segment, pieces: Mapping[str, Piece], lines: Mapping[str, Array]) -> Array:
    """Return a segment's drawn line from `a` to `b`, through its pieces."""
    piece_lines: list[Array] = []
    current_node = segment.a
    for piece_id in segment.pieces:
        piece, line = pieces[piece_id], lines[piece_id]
        is_forward = piece.a == current_node
        current_node = piece.b if is_forward else piece.a
        line = line if is_forward else line[::-1]
        piece_lines.append(line[1:] if piece_lines else line)
    return np.concatenate(piece_lines)


def make_drawn_segment(
    segment: Segment, pieces: Mapping[str, Piece], lines: Mapping[str, Array], spots: Mapping[str, Point]
) -> Array:
    """Return a segment's line from the middle of one symbol to that of the other, for a client to move along."""
    line = join_segment_line(segment, pieces, lines)
    first_spot, last_spot = np.array([spots[segment.a]]), np.array([spots[segment.b]])
    return np.concatenate(
        (
            first_spot if np.abs(line[0] - first_spot).max() > _TOUCH_MM else line[:0],
            line,
            last_spot if np.abs(line[-1] - last_spot).max() > _TOUCH_MM else line[:0],
        )
    )
