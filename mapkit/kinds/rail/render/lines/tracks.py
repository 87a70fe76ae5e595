"""Lines of railroads: colour and pattern (RB-C08), and an invisible line for each segment.

A railroad is a group `rr-<id>` of, from the bottom up: the light casing of all its track; each piece
`p-<id>`; for some patterns an inner line; each segment `s-<id>`, transparent and a little wider, for a client
to hit or to light up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, line_d, mm
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Piece, Segment, Style
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_styles
from mapkit.kinds.rail.render.lines.courses import simplified
from mapkit.kinds.rail.render.lines.pens import PENS, Pen
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, normals, points_at, resampled

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_WAVE_PARTS: Final = 10
_DOT_LENGTH_MM: Final = 0.01
_TOUCH_MM: Final = 1e-6


@dataclass(frozen=True)
class _Course:
    """What segments are drawn and called by: their lines, names of mileposts, marks of railroads."""

    lines: Mapping[str, Array]
    names: Mapping[str, str]
    marks: Mapping[str, str]


def draw_railroads(document: SvgPage, layout: "Layout") -> None:
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
        lines=layout.segment_lines,
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
        stroke(document, group, styles[railroad.id], {p.id: lines[p.id] for p in own}, ids, thin=layout.thin_lines)
        _segments(document, group, segments.get(railroad.id, []), course)


def stroke(
    document: SvgPage,
    parent: Element,
    style: Style,
    lines: Mapping[str, Array],
    attributes: Mapping[str, Mapping[str, str]],
    sizes: Sizes | None = None,
    *,
    thin: Mapping[str, Array] | None = None,
) -> None:
    """Draw lines in one railroad's style, each an element with its own attributes; in the theme's sizes or others.

    `thin` are the lines without vertices that nobody sees, where they are known.
    """
    thin = thin or simplified(lines)
    for level in _levels(lines):
        both = {ident: (lines[ident], thin[ident]) for ident in level}
        _stroke_level(document, parent, style, both, attributes, sizes or document.theme.sizes)


def _stroke_level(
    document: SvgPage,
    parent: Element,
    style: Style,
    lines: Mapping[str, tuple[Array, Array]],
    attributes: Mapping[str, Mapping[str, str]],
    sizes: Sizes,
) -> None:
    """Draw lines that do not cross; of each both its whole line and the thin one."""
    theme, pen, unit = document.theme, PENS[style.pattern], sizes.line
    plain = {ident: line_d(thin) for ident, (_, thin) in lines.items()}
    together = " ".join(plain.values())
    document.path(parent, together, _stroke("casing", theme.casing, pen.body * unit + 2 * sizes.casing_edge))
    if pen.spine:
        document.path(parent, together, _stroke("spine", style.colour, pen.spine * unit))
    track = document.group(
        parent,
        {
            "class": "track",
            "stroke": style.colour,
            "stroke-width": mm(pen.width * unit),
            "stroke-linejoin": "miter" if pen.swing and not pen.round else "round",
        }
        | ({"stroke-linecap": "round"} if pen.dashes[:1] == (0.0,) else {}),
    )
    for ident, (line, thin) in lines.items():
        d = line_d(_swung(line, pen, unit)) if pen.swing else plain[ident]
        document.path(track, d, dict(attributes[ident]) | _dashed(pen.dashes, thin, unit))
    if pen.inner and not pen.inner_dashes:
        document.path(parent, together, _stroke("inner", theme.casing, pen.inner * unit))
    elif pen.inner:
        cap = {"stroke-linecap": "round"} if pen.inner_dashes[0] == 0.0 else {}
        inner = document.group(parent, _stroke("inner", theme.casing, pen.inner * unit) | cap)
        for ident, d in plain.items():
            document.path(inner, d, _dashed(pen.inner_dashes, lines[ident][1], unit))


def _levels(lines: Mapping[str, Array]) -> list[list[str]]:
    """Share out one railroad's lines so that none crosses another of its level off a node: those above get casings."""
    ids = list(lines)
    if not ids:
        return []
    shapes = [shapely.LineString(lines[i]) for i in ids]
    one, other = shapely.STRtree(shapes).query(shapes, predicate="crosses")
    level = dict.fromkeys(ids, 0)
    for i, j in sorted(zip(one.tolist(), other.tolist(), strict=True)):
        if i < j and level[ids[i]] == level[ids[j]] and not _meet(lines[ids[i]], lines[ids[j]]):
            level[ids[j]] = level[ids[i]] + 1
    return [[i for i in ids if level[i] == height] for height in range(max(level.values()) + 1)]


def _meet(one: Array, other: Array) -> bool:
    """Return whether two lines have an end in common."""
    ends, others = one[[0, 0, -1, -1]], other[[0, -1, 0, -1]]
    return bool((np.abs(ends - others).max(axis=1) < _TOUCH_MM).any())


def _dashed(dashes: Sequence[float], line: Array, unit: float) -> dict[str, str]:
    """Return a dash pattern that fits a line a whole number of times and has a first dash's middle at both ends."""
    if not dashes:
        return {}
    total, period = float(lengths(line)[-1]), sum(dashes) * unit
    scale = unit * total / (max(1, round(total / period)) * period)
    words = [f"{max(value * scale, _DOT_LENGTH_MM):.3f}" for value in dashes]
    return {
        "stroke-dasharray": " ".join(words),
        "stroke-dashoffset": f"{max(dashes[0] * scale, _DOT_LENGTH_MM) / 2:.3f}",
    }


def _segments(document: SvgPage, group: Element, segments: Sequence[Segment], course: _Course) -> None:
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
            line_d(course.lines[segment.id]),
            {"id": f"s-{segment.id}", "class": "segment"} | data_attributes(data),
            tip=f"{course.marks[segment.railroad]}: {ends}, {segment.miles:.0f} miles",
        )


def _stroke(name: str, colour: str, width: float) -> dict[str, str]:
    return {"class": name, "stroke": colour, "stroke-width": mm(width), "stroke-linejoin": "round"}


def _swung(line: Array, pen: Pen, unit: float) -> Array:
    """Return a zigzag or wave about the line, from end to end."""
    total = float(lengths(line)[-1])
    count = max(1, round(total / (pen.wave * unit)))
    parts = _WAVE_PARTS if pen.round else 4
    at = np.arange(count * parts + 1)
    stops: Array = at.astype(np.float64) * (total / (count * parts))
    smooth = resampled(line, pen.wave * unit / 2)
    middle = points_at(smooth, stops)
    # a sine's values repeat, so that rounding them makes them the same on every machine
    rise = np.round(np.sin(np.arange(parts) * (2 * np.pi / parts)), 6)
    if not pen.round:
        rise = np.array([0.0, 1.0, 0.0, -1.0])
    swung: Array = middle + (pen.swing * unit * rise[at % parts])[:, None] * normals(middle)
    return swung
