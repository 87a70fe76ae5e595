"""The drawn lines of track pieces joined to those of segments, without vertices that nobody sees."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Piece, Segment
from mapkit.kinds.rail.render.lines.polyline import Array

_SIMPLIFY_MM: Final = 0.02
_TOUCH_MM: Final = 1e-6


def simplified(lines: Mapping[str, Array]) -> dict[str, Array]:
    """Return the lines without vertices that nobody sees."""
    ids = list(lines)
    if not ids:
        return {}
    thin = shapely.simplify([shapely.LineString(lines[i]) for i in ids], _SIMPLIFY_MM)
    return {i: shapely.get_coordinates(line) for i, line in zip(ids, thin, strict=True)}


def segment_line(segment: Segment, pieces: Mapping[str, Piece], lines: Mapping[str, Array]) -> Array:
    """Return a segment's drawn line from `a` to `b`, through its pieces."""
    parts: list[Array] = []
    at = segment.a
    for ident in segment.pieces:
        piece, line = pieces[ident], lines[ident]
        forward = piece.a == at
        at = piece.b if forward else piece.a
        line = line if forward else line[::-1]
        parts.append(line[1:] if parts else line)
    return np.concatenate(parts)


def drawn_segment(
    segment: Segment, pieces: Mapping[str, Piece], lines: Mapping[str, Array], spots: Mapping[str, Point]
) -> Array:
    """Return a segment's line from the middle of one symbol to that of the other, for a client to move along."""
    line = segment_line(segment, pieces, lines)
    first, last = np.array([spots[segment.a]]), np.array([spots[segment.b]])
    return np.concatenate(
        (
            first if np.abs(line[0] - first).max() > _TOUCH_MM else line[:0],
            line,
            last if np.abs(line[-1] - last).max() > _TOUCH_MM else line[:0],
        )
    )
