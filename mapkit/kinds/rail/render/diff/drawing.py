"""Drawing of the difference of two boards over a quiet map: added, removed and changed elements.

Each has a colour that people with any colour vision can tell from the others (Okabe and Ito's blue, vermilion and
yellow), and a form of its own: added is solid with rings, removed is dashed with crosses, changed is edged in black
with diamonds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.geography.backdrop import Backdrop
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.model.difference import BoardDiff, How
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.diff.legend import draw_diff_legend
from mapkit.kinds.rail.render.diff.marks import MARKS, draw_line, draw_mark
from mapkit.kinds.rail.render.diff.union import REMOVED_PREFIX, BoardUnion, unite_boards
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.segment_lines import join_segment_line

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
        update={"railroads": quiet_railroads, "title": f"{b.title}, compared with {a.title}"}
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
