"""Drawing of the difference of two boards over a quiet map: added, removed and changed elements.

Each has a colour that people with any colour vision can tell from the others (Okabe and Ito's blue, vermilion and
yellow), and a form of its own: added is solid with rings, removed is dashed with crosses, changed is edged in black
with diamonds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.text_width import text_width
from mapkit.geography.backdrop import Backdrop
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.model.difference import BoardDiff, How
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.diff.union import REMOVED_PREFIX, BoardUnion, unite_boards
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.segment_lines import join_segment_line
from mapkit.kinds.rail.render.page_areas import LEAST_HEIGHT_MM

# Marks of the three kinds of differences: a colour and a form each.

COLOURS: Final[dict[How, str]] = {"added": "#0072b2", "removed": "#d55e00", "changed": "#f0e442"}
"""Okabe and Ito: dark, middle and light, so that they differ in grey too."""
MARKS: Final[tuple[How, ...]] = ("changed", "removed", "added")
"""From the bottom up."""

_LINE_MM: Final = 1.5
_EDGE_MM: Final = 0.35
_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"


def draw_line(document: SvgPage, parent: Element, how: How, d: str, attributes: dict[str, str], tip: str = "") -> None:
    """Draw a line: a casing, and the colour upon it, dashed if it was removed."""
    join_style = {"stroke-linejoin": "round"}
    casing_style = {"class": "casing", "stroke": _BLACK if how == "changed" else _WHITE}
    document.path(parent, d, casing_style | join_style | {"stroke-width": format_mm(_LINE_MM + 2 * _EDGE_MM)})
    line_style = {"stroke": COLOURS[how], "stroke-width": format_mm(_LINE_MM)} | join_style
    if how == "removed":
        line_style |= {"stroke-dasharray": "2.2 1.3"}
    document.path(parent, d, attributes | line_style, tip=tip)


def draw_mark(
    document: SvgPage, parent: Element, how: How, at: Point, radius: float, attributes: dict[str, str]
) -> None:
    """Draw a mark about a symbol of the radius (millimetres): a ring, a cross or a diamond."""
    tip_text = attributes.pop("data-tip", "")
    x, y = at
    group = document.group(parent, attributes | {"fill": "none"})
    colour = COLOURS[how]
    if how == "added":
        mark_radius = radius + 1.1
        document.circle(group, at, mark_radius, {"stroke": _WHITE, "stroke-width": format_mm(1.5)})
        document.circle(
            group, at, mark_radius, {"stroke": colour, "stroke-width": format_mm(0.9)}, tip=f"added: {tip_text}"
        )
    elif how == "removed":
        mark_radius = radius + 0.7
        left, right, top, bottom = x - mark_radius, x + mark_radius, y - mark_radius, y + mark_radius
        mark_path = f"{line_path_data([(left, top), (right, bottom)])} {line_path_data([(left, bottom), (right, top)])}"
        document.path(group, mark_path, {"stroke": _WHITE, "stroke-width": format_mm(1.7)})
        document.path(group, mark_path, {"stroke": colour, "stroke-width": format_mm(1.0)}, tip=f"removed: {tip_text}")
    else:
        mark_radius = (radius + 0.9) * 1.35
        mark_path = line_path_data(
            [
                (x, y - mark_radius),
                (x + mark_radius, y),
                (x, y + mark_radius),
                (x - mark_radius, y),
                (x, y - mark_radius),
            ],
            closed=True,
        )
        document.path(group, mark_path, {"stroke": _BLACK, "stroke-width": format_mm(1.5), "stroke-linejoin": "miter"})
        ring_style = {"stroke": colour, "stroke-width": format_mm(0.8), "stroke-linejoin": "miter"}
        document.path(group, mark_path, ring_style, tip=f"changed: {tip_text}")


# Legend below a drawn difference: the boards, the meaning and count of each mark, the summary of changes.

_KEY_SHARE: Final = 0.27
_TEXT_MM: Final = 5.6
_LEAST_TEXT_MM: Final = 3.0
_LINE_SPACING: Final = 1.5
_COLUMN_COUNT: Final = 2
_KEY_ORDER: Final[tuple[How, ...]] = ("added", "removed", "changed")


def draw_diff_legend(document: SvgPage, diff: BoardDiff, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    theme = document.theme
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    legend_group = document.group(document.layers["legend"], {"id": "diff-legend", "fill": theme.ink})
    key_right = left + (right - left) * _KEY_SHARE
    _draw_key(document, legend_group, diff, (left, top, key_right - 6, bottom))
    _write_summary(document, legend_group, diff, (key_right, top, right, bottom))


def _draw_key(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    key_width = right - left
    diff_title = diff.title()
    title_size = min(7.0, (bottom - top) * 0.14, key_width / max(text_width(diff_title, 1.0, bold=True), 0.1))
    y = top + title_size
    document.text(layer, diff_title, (left, y), {"font-size": format_mm(title_size), "font-weight": "bold"})
    row_step = min((bottom - y - 1.0) / (len(_KEY_ORDER) + 0.5), 11.0)
    for how in _KEY_ORDER:
        y += row_step
        row_group = document.group(layer, {"id": f"diff-key-{how}", "fill": "none"})
        sample_line = line_path_data([(left, y - 1.0), (left + 14.0, y - 1.0)])
        draw_line(document, row_group, how, sample_line, {"class": "sample"})
        document.circle(row_group, (left + 20.0, y - 1.0), sizes.dot_radius, {"fill": theme.ink})
        draw_mark(document, row_group, how, (left + 20.0, y - 1.0), sizes.dot_radius, {"class": "sample"})
        row_text = f"{how}: {diff.counts(how)}"
        text_ems = max(text_width(row_text, 1.0), 0.1)
        document.text(
            layer,
            row_text,
            (left + 26.0, y),
            {"font-size": format_mm(min(_TEXT_MM, row_step * 0.6, (key_width - 26.0) / text_ems))},
        )


def _write_summary(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    """Write the steps in columns, in the largest text with room for all; in the smallest, as many as fit."""
    theme = document.theme
    left, top, right, bottom = area
    column_width = (right - left) / _COLUMN_COUNT
    text_size = _TEXT_MM
    while True:
        row_count = int((bottom - top) / (text_size * _LINE_SPACING))
        summary_lines = [line for step in diff.story for line in _wrap_step(step.text, column_width - 5, text_size)]
        if len(summary_lines) <= row_count * _COLUMN_COUNT or text_size <= _LEAST_TEXT_MM:
            break
        text_size -= 0.2
    shown_lines = row_count * _COLUMN_COUNT
    if len(summary_lines) > shown_lines:
        summary_lines = [
            *summary_lines[: shown_lines - 1],
            "... and more: see the list that mapkit variant diff prints",
        ]
    text_group = document.group(layer, {"id": "diff-story", "font-size": format_mm(text_size)})
    for index, line in enumerate(summary_lines):
        x = left + column_width * (index // row_count)
        y = top + text_size * (1 + _LINE_SPACING * (index % row_count))
        document.text(text_group, line, (x, y), {} if not line.startswith("   ") else {"fill": theme.quiet_ink})


def _wrap_step(text: str, room: float, size: float) -> list[str]:
    """Break a step into lines, three at most, with a hanging indent."""
    wrapped_lines, current_line = [], "-"
    for word in text.split():
        if text_width(f"{current_line} {word}", size) > room and current_line.strip(" -"):
            wrapped_lines.append(current_line)
            current_line = f"   {word}"
        else:
            current_line = f"{current_line} {word}"
    wrapped_lines.append(current_line)
    if len(wrapped_lines) > 3:  # noqa: PLR2004 - as the summary says
        wrapped_lines = [*wrapped_lines[:2], f"{wrapped_lines[2]} ..."]
    return wrapped_lines


_QUIET_STYLE: Final = Style(colour="#9b978f", pattern="solid")
_LEAST_MOVE_MM: Final = 0.5


@dataclass(frozen=True)
class _DiffMark:
    """Mark for a difference at a place of the page."""

    how: How
    kind: str
    id: str
    at: Point
    radius: float
    tip: str


def render_diff(a: Board, b: Board, diff: BoardDiff, *, backdrop: Backdrop | None = None) -> str:
    """Draw board B with its differences from A as an SVG; the same boards give the same text.

    Railroads are grey and differences coloured; the strip below the map counts and describes the changes. A part of a
    board is drawn on the page of the whole.

    Args:
        a: The board before.
        b: The board after.
        diff: `mapkit.diff_boards(a, b)`.
        backdrop: Layers below the railroads; the shipped base map by default.
    """
    board_union = unite_boards(a, b, diff)
    quiet_railroads = tuple(r.model_copy(update={"style": _QUIET_STYLE}) for r in board_union.board.railroads)
    shown_board = board_union.board.model_copy(
        update={"railroads": quiet_railroads, "title": f"{b.title}, compared with {a.title}", "boxes": {}}
    )
    board_layout = lay_out(shown_board, backdrop=backdrop)
    document = draw_board(board_layout, legend=False)
    _draw_segments(document, board_layout, diff)
    _draw_marks(document, board_layout, board_union, diff, {c.id: (c.milepost, c.name) for c in a.cities})
    draw_diff_legend(document, diff, board_layout.strip)
    return document.to_text()


def _draw_segments(document: SvgPage, layout: Layout, diff: BoardDiff) -> None:
    """Draw segments, changed ones lowest, so that added and removed ones stand out."""
    line_layer = document.group(document.layers["lines"], {"id": "diff-lines", "fill": "none"})
    board, lines = layout.board, layout.lines
    piece_by_id = {p.id: p for p in board.pieces}
    segment_by_id = {s.id: s for s in board.segments}
    names, reporting_marks = {m.id: m.name for m in board.mileposts}, {r.id: r.short for r in board.railroads}
    for how in ("changed", "removed", "added"):
        how_group = document.group(line_layer, {"id": f"diff-segments-{how}", "class": f"diff-{how}"})
        for change in diff.of("segment", how):
            segment = segment_by_id[REMOVED_PREFIX + change.id if how == "removed" else change.id]
            tip_text = f"{how}: {reporting_marks[segment.railroad]} {names[segment.a]} - {names[segment.b]}"
            tip_text += "".join(f"; was {f.a}" for f in change.fields if f.field == "railroad")
            attributes = {"class": f"diff-segment diff-{how}"} | data_attributes({"segment": change.id})
            draw_line(
                document,
                how_group,
                how,
                line_path_data(join_segment_line(segment, piece_by_id, lines)),
                attributes,
                tip_text,
            )


def _draw_marks(
    document: SvgPage,
    layout: Layout,
    board_union: BoardUnion,
    diff: BoardDiff,
    removed_cities: Mapping[str, tuple[str, str]],
) -> None:
    """Mark mileposts and cities, and lead from a moved milepost's old place to the new one."""
    sizes = document.theme.sizes
    mark_layer = document.group(document.layers["cities"], {"id": "diff-marks", "fill": "none"})
    spots = layout.spots
    places_before = dict(
        zip(board_union.before, layout.warp(np.array(list(board_union.before.values())).reshape(-1, 2)), strict=True)
    )
    milepost_names = {m.id: m.name for m in board_union.board.mileposts}
    milepost_kinds = {m.id: m.kind for m in board_union.board.mileposts}
    cities = layout.squares
    city_names = {c.id: c.name for c in board_union.board.cities}
    marks: list[_DiffMark] = []
    for change in diff.of("milepost"):
        radius = sizes.city_side * 0.75 if milepost_kinds[change.id] == "city" else sizes.dot_radius
        marks.append(_DiffMark(change.how, "milepost", change.id, spots[change.id], radius, milepost_names[change.id]))
        if change.changes("lon", "lat"):
            _draw_move(document, mark_layer, places_before[change.a or ""], spots[change.id])
    for change in diff.of("city"):
        if change.how == "removed":
            old_milepost, city_name = removed_cities[change.id]
            # The place may still be there, under another id.
            city_place = spots.get(old_milepost, places_before[old_milepost])
        else:
            city_place, city_name = cities[change.id], city_names[change.id]
        marks.append(_DiffMark(change.how, "city", change.id, city_place, sizes.city_side * 0.75, city_name))
    for spot in sorted(marks, key=lambda s: (MARKS.index(s.how), s.kind, s.id)):
        attributes = {"class": f"diff-{spot.kind} diff-{spot.how}"} | data_attributes({spot.kind: spot.id})
        draw_mark(document, mark_layer, spot.how, spot.at, spot.radius, attributes | {"data-tip": spot.tip})


def _draw_move(document: SvgPage, layer: Element, old_place: Point, new_place: Point) -> None:
    if float(np.hypot(new_place[0] - old_place[0], new_place[1] - old_place[1])) < _LEAST_MOVE_MM:
        return
    dots = {"stroke": "#000000", "stroke-width": format_mm(0.4), "stroke-dasharray": "0.5 0.7"}
    document.path(layer, line_path_data([old_place, new_place]), {"class": "diff-moved"} | dots)
    document.circle(layer, old_place, 0.7, {"class": "diff-moved", "fill": "#ffffff", "stroke": "#000000"} | dots)
