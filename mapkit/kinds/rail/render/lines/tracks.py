"""Lines of railroads: colour and pattern (RB-C08), and an invisible line for each segment.

Each railroad is a group `rr-<id>`. From bottom to top, it contains the light casing of its track, each piece `p-<id>`,
an inner line in some patterns, and each segment `s-<id>`, transparent and slightly wider, as a target for clicks and
highlights in a client.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Piece, Segment, Style
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles
from mapkit.kinds.rail.render.lines.line_patterns import PENS, Pen
from mapkit.kinds.rail.render.lines.polyline import (
    Array,
    cumulative_lengths,
    interpolate_points,
    line_normals,
    resample_line,
)
from mapkit.kinds.rail.render.lines.segment_lines import simplify_lines

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_WAVE_PARTS: Final = 10
_DOT_LENGTH_MM: Final = 0.01
_TOUCH_MM: Final = 1e-6


@dataclass(frozen=True)
class _SegmentTexts:
    """Lines of segments, with the names of mileposts and the marks of railroads for their tooltips."""

    lines: Mapping[str, Array]
    names: Mapping[str, str]
    marks: Mapping[str, str]


def draw_railroads(document: SvgPage, layout: "Layout") -> None:
    """Fill the layer `lines`, with cheaper railroads below more expensive ones."""
    board, lines = layout.board, layout.lines
    line_layer = document.layers["lines"]
    pieces_by_railroad: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        pieces_by_railroad.setdefault(piece.railroad, []).append(piece)
    segments_by_railroad: dict[str, list[Segment]] = {}
    for segment in board.segments:
        segments_by_railroad.setdefault(segment.railroad, []).append(segment)
    segment_texts = _SegmentTexts(
        lines=layout.segment_lines,
        names={m.id: m.name for m in board.mileposts},
        marks={r.id: r.short for r in board.railroads},
    )
    railroad_style = choose_railroad_styles(board, document.theme)
    for railroad in sorted(board.railroads, key=lambda r: (r.price, r.id)):
        railroad_data = {
            "name": railroad.name,
            "short": railroad.short,
            "price": railroad.price,
            "public": railroad.public,
            "colour": railroad.style.colour,
            "pattern": railroad.style.pattern,
        }
        railroad_group = document.group(
            line_layer,
            {"id": f"rr-{railroad.id}", "class": "railroad", "fill": "none"} | data_attributes(railroad_data),
        )
        own_pieces = pieces_by_railroad.get(railroad.id, [])
        piece_attributes = {
            piece.id: {"id": f"p-{piece.id}", "class": "piece"}
            | data_attributes({"railroad": piece.railroad, "a": piece.a, "b": piece.b, "miles": piece.miles})
            for piece in own_pieces
        }
        draw_pattern_lines(
            document,
            railroad_group,
            railroad_style[railroad.id],
            {p.id: lines[p.id] for p in own_pieces},
            piece_attributes,
            thin=layout.thin_lines,
        )
        _draw_segments(document, railroad_group, segments_by_railroad.get(railroad.id, []), segment_texts)


def draw_pattern_lines(
    document: SvgPage,
    parent: Element,
    style: Style,
    lines: Mapping[str, Array],
    attributes: Mapping[str, Mapping[str, str]],
    sizes: Sizes | None = None,
    *,
    thin: Mapping[str, Array] | None = None,
) -> None:
    """Draw lines in one railroad's style, each as an element with its own attributes.

    `sizes` are the theme's by default; `thin`, the lines without invisible vertices, are computed by default.
    """
    thin = thin or simplify_lines(lines)
    for level_ids in _split_levels(lines):
        line_pairs = {line_id: (lines[line_id], thin[line_id]) for line_id in level_ids}
        _stroke_level(document, parent, style, line_pairs, attributes, sizes or document.theme.sizes)


def _stroke_level(
    document: SvgPage,
    parent: Element,
    style: Style,
    lines: Mapping[str, tuple[Array, Array]],
    attributes: Mapping[str, Mapping[str, str]],
    sizes: Sizes,
) -> None:
    """Draw the lines of one level; `lines` holds each in full and simplified."""
    theme, pen, unit_mm = document.theme, PENS[style.pattern], sizes.line
    plain_paths = {line_id: line_path_data(thin) for line_id, (_, thin) in lines.items()}
    joint_path = " ".join(plain_paths.values())
    if theme.glow:
        for share, opacity in ((1.0, "0.13"), (0.5, "0.22")):
            width_mm = pen.body * unit_mm + 2 * theme.glow * share * unit_mm
            light = _stroke_attributes("glow", style.colour, width_mm) | {"stroke-opacity": opacity}
            document.path(parent, joint_path, light)
    document.path(
        parent, joint_path, _stroke_attributes("casing", theme.casing, pen.body * unit_mm + 2 * sizes.casing_edge)
    )
    if pen.spine:
        document.path(parent, joint_path, _stroke_attributes("spine", style.colour, pen.spine * unit_mm))
    track_group = document.group(
        parent,
        {
            "class": "track",
            "stroke": style.colour,
            "stroke-width": format_mm(pen.width * unit_mm),
            "stroke-linejoin": "miter" if pen.swing and not pen.round else "round",
        }
        | ({"stroke-linecap": "round"} if pen.dashes[:1] == (0.0,) else {}),
    )
    for line_id, (line, thin) in lines.items():
        line_path = line_path_data(_swing_line(line, pen, unit_mm)) if pen.swing else plain_paths[line_id]
        document.path(track_group, line_path, dict(attributes[line_id]) | _fit_dashes(pen.dashes, thin, unit_mm))
    if pen.inner and not pen.inner_dashes:
        document.path(parent, joint_path, _stroke_attributes("inner", theme.casing, pen.inner * unit_mm))
    elif pen.inner:
        cap = {"stroke-linecap": "round"} if pen.inner_dashes[0] == 0.0 else {}
        inner_group = document.group(parent, _stroke_attributes("inner", theme.casing, pen.inner * unit_mm) | cap)
        for line_id, line_path in plain_paths.items():
            document.path(inner_group, line_path, _fit_dashes(pen.inner_dashes, lines[line_id][1], unit_mm))


def _split_levels(lines: Mapping[str, Array]) -> list[list[str]]:
    """Divide one railroad's lines into levels, so that lines of one level do not cross unless they share an end.

    Levels are drawn in turn, each with its casing over the levels below.
    """
    ids = list(lines)
    if not ids:
        return []
    line_shapes = [shapely.LineString(lines[i]) for i in ids]
    first_lines, second_lines = shapely.STRtree(line_shapes).query(line_shapes, predicate="crosses")
    level_of = dict.fromkeys(ids, 0)
    for i, j in sorted(zip(first_lines.tolist(), second_lines.tolist(), strict=True)):
        if i < j and level_of[ids[i]] == level_of[ids[j]] and not _have_common_end(lines[ids[i]], lines[ids[j]]):
            level_of[ids[j]] = level_of[ids[i]] + 1
    return [[i for i in ids if level_of[i] == height] for height in range(max(level_of.values()) + 1)]


def _have_common_end(first_line: Array, second_line: Array) -> bool:
    """Return whether two lines have an end in common."""
    first_ends, second_ends = first_line[[0, 0, -1, -1]], second_line[[0, -1, 0, -1]]
    return bool((np.abs(first_ends - second_ends).max(axis=1) < _TOUCH_MM).any())


def _fit_dashes(dashes: Sequence[float], line: Array, unit: float) -> dict[str, str]:
    """Return a dash pattern scaled to fit a line a whole number of times, with half a dash at each end."""
    if not dashes:
        return {}
    total_length, period_length = float(cumulative_lengths(line)[-1]), sum(dashes) * unit
    dash_scale = unit * total_length / (max(1, round(total_length / period_length)) * period_length)
    dash_texts = [f"{max(value * dash_scale, _DOT_LENGTH_MM):.3f}" for value in dashes]
    return {
        "stroke-dasharray": " ".join(dash_texts),
        "stroke-dashoffset": f"{max(dashes[0] * dash_scale, _DOT_LENGTH_MM) / 2:.3f}",
    }


def _draw_segments(document: SvgPage, group: Element, segments: Sequence[Segment], course: _SegmentTexts) -> None:
    sizes = document.theme.sizes
    hit_group = document.group(
        group,
        {
            "class": "segments",
            "stroke": "#000000",
            "stroke-opacity": "0",
            "stroke-width": format_mm(sizes.hit),
            "pointer-events": "stroke",
        },
    )
    for segment in segments:
        segment_data = {
            "railroad": segment.railroad,
            "a": segment.a,
            "b": segment.b,
            "miles": segment.miles,
            "pieces": segment.pieces,
        }
        end_names = f"{course.names[segment.a]} - {course.names[segment.b]}"
        document.path(
            hit_group,
            line_path_data(course.lines[segment.id]),
            {"id": f"s-{segment.id}", "class": "segment"} | data_attributes(segment_data),
            tip=f"{course.marks[segment.railroad]}: {end_names}, {segment.miles:.0f} miles",
        )


def _stroke_attributes(name: str, colour: str, width: float) -> dict[str, str]:
    return {"class": name, "stroke": colour, "stroke-width": format_mm(width), "stroke-linejoin": "round"}


def _swing_line(line: Array, pen: Pen, unit: float) -> Array:
    """Return a zigzag or wave about the line, from end to end."""
    total_length = float(cumulative_lengths(line)[-1])
    period_count = max(1, round(total_length / (pen.wave * unit)))
    parts = _WAVE_PARTS if pen.round else 4
    stop_numbers = np.arange(period_count * parts + 1)
    stop_distances: Array = stop_numbers.astype(np.float64) * (total_length / (period_count * parts))
    smooth_line = resample_line(line, pen.wave * unit / 2)
    middle = interpolate_points(smooth_line, stop_distances)
    # rounding the few values of the sine makes them the same on every machine
    swing_shares = np.round(np.sin(np.arange(parts) * (2 * np.pi / parts)), 6)
    if not pen.round:
        swing_shares = np.array([0.0, 1.0, 0.0, -1.0])
    swung_line: Array = middle + (pen.swing * unit * swing_shares[stop_numbers % parts])[:, None] * line_normals(middle)
    return swung_line
