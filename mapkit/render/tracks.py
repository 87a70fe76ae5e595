"""Lines of railroads: colour and pattern (RB-C08), and an invisible line for each segment.

A railroad is a group `rr-<id>` of, from the bottom up: the light casing of all its track; each piece
`p-<id>`; for some patterns an inner line; each segment `s-<id>`, transparent and a little wider, for a client
to hit or to light up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.model.board import Pattern, Piece, Segment, Style
from mapkit.render.document import Document, Element, data_attributes, line_d, mm
from mapkit.render.layout import Layout
from mapkit.render.polyline import Array, lengths, normals, points_at, resampled
from mapkit.render.railroad_styles import railroad_styles

_SIMPLIFY_MM: Final = 0.02
_TOOTH_MM: Final = 0.75
_TOOTH_HEIGHT_MM: Final = 0.5


@dataclass(frozen=True)
class Pen:
    """How a pattern is drawn: main line, its dashes, an inner line of the casing's colour and its dashes."""

    width: float
    dashes: str = ""
    inner: float = 0.0
    inner_dashes: str = ""
    spine: float = 0.0
    teeth: bool = False


@dataclass(frozen=True)
class _Course:
    """What segments run over: pieces and their drawn lines, names of mileposts, marks of railroads."""

    pieces: Mapping[str, Piece]
    lines: Mapping[str, Array]
    names: Mapping[str, str]
    marks: Mapping[str, str]


PENS: Final[Mapping[Pattern, Pen]] = {
    "solid": Pen(width=0.9),
    "dash": Pen(width=0.9, dashes="2.6 0.9"),
    "dot": Pen(width=0.9, dashes="0.9 0.8"),
    "dash-dot": Pen(width=0.9, dashes="3 0.7 0.8 0.7"),
    "double": Pen(width=1.25, inner=0.45),
    "hollow": Pen(width=1.2, inner=0.65, inner_dashes="2.2 0.9"),
    "ladder": Pen(width=1.2, dashes="0.4 0.7", spine=0.4),
    "sawtooth": Pen(width=0.5, teeth=True),
}


def draw_railroads(document: Document, layout: Layout) -> None:
    """Fill the layer `lines`, cheaper railroads below dearer ones."""
    board, lines = layout.board, layout.lines
    layer = document.layers["lines"]
    pieces: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        pieces.setdefault(piece.railroad, []).append(piece)
    segments: dict[str, list[Segment]] = {}
    for segment in board.segments:
        segments.setdefault(segment.railroad, []).append(segment)
    course = _Course(
        pieces={piece.id: piece for piece in board.pieces},
        lines=_simplified(lines),
        names={m.id: m.name for m in board.mileposts},
        marks={r.id: r.short for r in board.railroads},
    )
    styles = railroad_styles(board, document.theme)
    for railroad in sorted(board.railroads, key=lambda r: (r.price, r.id)):
        data = {
            "name": railroad.name,
            "short": railroad.short,
            "price": railroad.price,
            "public": railroad.public,
            "colour": railroad.style.colour,
            "pattern": railroad.style.pattern,
        }
        group = document.group(
            layer,
            {"id": f"rr-{railroad.id}", "class": "railroad", "fill": "none"} | data_attributes(data),
        )
        own = pieces.get(railroad.id, [])
        ids = {
            piece.id: {"id": f"p-{piece.id}", "class": "piece"}
            | data_attributes({"railroad": piece.railroad, "a": piece.a, "b": piece.b, "miles": piece.miles})
            for piece in own
        }
        stroke(document, group, styles[railroad.id], {p.id: lines[p.id] for p in own}, ids)
        _segments(document, group, segments.get(railroad.id, []), course)


def stroke(
    document: Document,
    parent: Element,
    style: Style,
    lines: Mapping[str, Array],
    attributes: Mapping[str, Mapping[str, str]],
) -> None:
    """Draw lines in one railroad's style, each as an element with its own attributes."""
    theme, sizes = document.theme, document.theme.sizes
    if not lines:
        return
    pen = PENS[style.pattern]
    plain = {ident: line_d(line) for ident, line in _simplified(lines).items()}
    together = " ".join(plain.values())
    body = pen.width + (2 * _TOOTH_HEIGHT_MM if pen.teeth else 0.0)
    document.path(parent, together, _stroke("casing", theme.casing, body + 2 * sizes.casing_edge))
    if pen.spine:
        document.path(parent, together, _stroke("spine", style.colour, pen.spine))
    track = document.group(
        parent,
        {
            "class": "track",
            "stroke": style.colour,
            "stroke-width": mm(pen.width),
            "stroke-linejoin": "miter" if pen.teeth else "round",
        }
        | ({"stroke-dasharray": pen.dashes} if pen.dashes else {}),
    )
    for ident in lines:
        d = line_d(_teeth(lines[ident])) if pen.teeth else plain[ident]
        document.path(track, d, attributes[ident])
    if pen.inner:
        inner = document.path(parent, together, _stroke("inner", theme.casing, pen.inner))
        if pen.inner_dashes:
            inner.attribs["stroke-dasharray"] = pen.inner_dashes


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


def _segments(document: Document, group: Element, segments: Sequence[Segment], course: _Course) -> None:
    sizes = document.theme.sizes
    hits = document.group(
        group,
        {
            "class": "segments",
            "stroke": "#000000",
            "stroke-opacity": "0",
            "stroke-width": mm(sizes.hit),
            "pointer-events": "stroke",
        },
    )
    for segment in segments:
        data = {
            "railroad": segment.railroad,
            "a": segment.a,
            "b": segment.b,
            "miles": segment.miles,
            "pieces": segment.pieces,
        }
        ends = f"{course.names[segment.a]} - {course.names[segment.b]}"
        document.path(
            hits,
            line_d(segment_line(segment, course.pieces, course.lines)),
            {"id": f"s-{segment.id}", "class": "segment"} | data_attributes(data),
            tip=f"{course.marks[segment.railroad]}: {ends}, {segment.miles:.0f} miles",
        )


def _stroke(name: str, colour: str, width: float) -> dict[str, str]:
    return {"class": name, "stroke": colour, "stroke-width": mm(width), "stroke-linejoin": "round"}


def _simplified(lines: Mapping[str, Array]) -> dict[str, Array]:
    """Return the lines without vertices that nobody sees."""
    ids = list(lines)
    if not ids:
        return {}
    thin = shapely.simplify([shapely.LineString(lines[i]) for i in ids], _SIMPLIFY_MM)
    return {i: shapely.get_coordinates(line) for i, line in zip(ids, thin, strict=True)}


def _teeth(line: Array) -> Array:
    """Return a zigzag about the line, from end to end."""
    total = float(lengths(line)[-1])
    count = max(4, 2 * round(total / _TOOTH_MM / 2))
    smooth = resampled(line, _TOOTH_MM)
    stops = np.linspace(0.0, total, count + 1)
    middle = points_at(smooth, stops)
    height = np.where(np.arange(count + 1) % 2 == 1, 1.0, -1.0) * _TOOTH_HEIGHT_MM
    height[[0, -1]] = 0.0
    return middle + height[:, None] * normals(middle)
