"""The lines of the railroads: parallel railroads side by side, each in its colour and pattern (RB-C08)."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from svgwrite.container import Group

from mapkit.model.base import Point
from mapkit.model.board import Board, Piece, Railroad, Style
from mapkit.render.svg import fixed, group, line_data, path, with_attributes

WIDTH = 0.9
SPACING = 1.5
"""Between the middles of two parallel lines, in millimetres."""

_PAPER = "#ffffff"
_CASING = 1.7
_SHARPEST = 0.35
_TOOTH = 0.95
_TEETH_HEIGHT = 0.55


def laid_out(pieces: Iterable[Piece]) -> dict[str, tuple[Point, ...]]:
    """Return the drawn path of each piece by id, in millimetres.

    Pieces of several railroads between the same two ends run along one line, the first one's, side by side
    in the order of their ids.
    """
    groups: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    for piece in sorted(pieces, key=lambda p: p.id):
        groups[min(piece.a, piece.b), max(piece.a, piece.b)].append(piece)
    out: dict[str, tuple[Point, ...]] = {}
    for (start, _), members in groups.items():
        first = members[0]
        middle = first.path if first.a == start else first.path[::-1]
        for index, piece in enumerate(members):
            aside = (index - (len(members) - 1) / 2) * SPACING
            drawn = offset(middle, aside) if aside else middle
            out[piece.id] = drawn if piece.a == start else drawn[::-1]
    return out


def offset(line: Sequence[Point], aside: float) -> tuple[Point, ...]:
    """Return a line moved to its right by a distance, corners mitred; zero-length steps are dropped."""
    points = [line[0], *(b for a, b in pairwise(line) if math.dist(a, b) > 0)]
    if len(points) == 1:
        return tuple(points)
    normals = []
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        normals.append(((y0 - y1) / length, (x1 - x0) / length))
    out = []
    for (x, y), before, after in zip(points, [normals[0], *normals], [*normals, normals[-1]], strict=True):
        nx, ny = before[0] + after[0], before[1] + after[1]
        square = nx * nx + ny * ny
        reach = 2 * aside / max(square, _SHARPEST)
        out.append((x + nx * reach, y + ny * reach))
    return tuple(out)


def sawtooth(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return a zigzag along a line, as the Pennsylvania is drawn (RB-C08)."""
    total = sum(math.dist(a, b) for a, b in pairwise(line))
    teeth = max(2, round(total / _TOOTH))
    out = [line[0]]
    for index in range(1, teeth):
        (x, y), (dx, dy) = _along(line, total * index / teeth)
        side = _TEETH_HEIGHT if index % 2 else -_TEETH_HEIGHT
        out.append((x - dy * side, y + dx * side))
    return (*out, line[-1])


def _along(line: Sequence[Point], distance: float) -> tuple[Point, Point]:
    """Return the point at a distance along a line, and the direction there."""
    left = distance
    for a, b in pairwise(line):
        step = math.dist(a, b)
        if step and left <= step:
            direction = ((b[0] - a[0]) / step, (b[1] - a[1]) / step)
            return (a[0] + direction[0] * left, a[1] + direction[1] * left), direction
        left -= step
    return line[-1], (1.0, 0.0)


def strokes(line: Sequence[Point], style: Style) -> Group:
    """Return the strokes of one line in a railroad's style, light casing first."""
    out = group(fill="none", stroke_linejoin="round")
    straight = line_data(line)
    out.add(path(straight, stroke=_PAPER, stroke_width=_CASING, stroke_opacity=0.75))
    colour = style.colour
    match style.pattern:
        case "solid":
            out.add(path(straight, stroke=colour, stroke_width=WIDTH))
        case "dash":
            out.add(path(straight, stroke=colour, stroke_width=WIDTH, stroke_dasharray="2.6,0.9"))
        case "dot":
            out.add(path(straight, stroke=colour, stroke_width=WIDTH, stroke_dasharray="0.9,0.8"))
        case "dash-dot":
            out.add(path(straight, stroke=colour, stroke_width=WIDTH, stroke_dasharray="2.6,0.7,0.8,0.7"))
        case "double":
            out.add(path(straight, stroke=colour, stroke_width=1.3))
            out.add(path(straight, stroke=_PAPER, stroke_width=0.5))
        case "hollow":
            out.add(path(straight, stroke=colour, stroke_width=1.3))
            out.add(path(straight, stroke=_PAPER, stroke_width=0.6, stroke_dasharray="1.6,1.6"))
        case "ladder":
            out.add(path(straight, stroke=colour, stroke_width=0.5))
            out.add(path(straight, stroke=colour, stroke_width=1.5, stroke_dasharray="0.5,1.2"))
        case "sawtooth":
            out.add(path(line_data(sawtooth(line)), stroke=colour, stroke_width=0.6))
    return out


def draw_lines(board: Board, drawn: dict[str, tuple[Point, ...]]) -> Group:
    """Return the layer `lines`: a group a railroad, in it a group a track piece."""
    layer = group("layer-lines", "layer lines")
    by_railroad: dict[str, list[Piece]] = defaultdict(list)
    for piece in board.pieces:
        by_railroad[piece.railroad].append(piece)
    for railroad in board.railroads:
        lines = _railroad_group(railroad)
        for piece in by_railroad[railroad.id]:
            data = {"railroad": railroad.id, "a": piece.a, "b": piece.b, "miles": piece.miles}
            lines.add(
                with_attributes(strokes(drawn[piece.id], railroad.style), ident=f"p-{piece.id}", css="piece", data=data)
            )
        layer.add(lines)
    return layer


def _railroad_group(railroad: Railroad) -> Group:
    data = {
        "name": railroad.name,
        "short": railroad.short,
        "price": railroad.price,
        "public": railroad.public,
        "colour": railroad.style.colour,
        "pattern": railroad.style.pattern,
    }
    return with_attributes(group(), ident=f"rr-{railroad.id}", css="railroad", title=railroad.name, data=data)


def draw_segments(board: Board, drawn: dict[str, tuple[Point, ...]]) -> Group:
    """Return the layer `segments`: an unseen wide path a segment, to be hit or lit up by a client."""
    layer = group(
        "layer-segments",
        "layer segments",
        fill="none",
        stroke="#000000",
        stroke_opacity=0,
        stroke_width=fixed(2 * SPACING),
        pointer_events="stroke",
    )
    ends = {piece.id: piece for piece in board.pieces}
    for segment in board.segments:
        at = segment.a
        points: list[Point] = []
        for ident in segment.pieces:
            piece = ends[ident]
            forward = piece.a == at
            line = drawn[ident] if forward else drawn[ident][::-1]
            at = piece.b if forward else piece.a
            points.extend(line if not points or points[-1] != line[0] else line[1:])
        data = {
            "railroad": segment.railroad,
            "a": segment.a,
            "b": segment.b,
            "miles": segment.miles,
            "pieces": segment.pieces,
        }
        layer.add(with_attributes(path(line_data(points)), ident=f"s-{segment.id}", css="segment", data=data))
    return layer
