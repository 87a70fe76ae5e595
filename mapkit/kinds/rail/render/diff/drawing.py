"""The difference of two boards, drawn over a quiet map: what was added, removed and changed.

Each has a colour that people with any colour vision can tell from the others (Okabe and Ito's blue, vermilion and
yellow), and a form of its own: added is solid with rings, removed is dashed with crosses, changed is edged in black
with diamonds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, line_d, mm
from mapkit.geography.backdrop import Backdrop
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.model.difference import BoardDiff, How
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.diff.legend import draw_diff_legend
from mapkit.kinds.rail.render.diff.marks import MARKS, draw_line, draw_mark
from mapkit.kinds.rail.render.diff.union import GONE, Union, union_of
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.courses import segment_line

_QUIET: Final = Style(colour="#9b978f", pattern="solid")
_LEAST_MOVE_MM: Final = 0.5


@dataclass(frozen=True)
class _Spot:
    """Something to mark at a place of the page."""

    how: How
    kind: str
    id: str
    at: Point
    radius: float
    tip: str


def render_diff(a: Board, b: Board, diff: BoardDiff, *, backdrop: Backdrop | None = None) -> str:
    """Return an SVG of board B with its differences from A drawn over it; the same boards give the same text.

    Railroads are grey; what differs is coloured, and the strip below the map says how often and in words what was
    done. A part of a board is drawn on the page of the whole.

    Args:
        a: The board before.
        b: The board after.
        diff: `mapkit.diff_boards(a, b)`.
        backdrop: What lies below the railroads; the shipped base map by default.
    """
    union = union_of(a, b, diff)
    quiet = tuple(r.model_copy(update={"style": _QUIET}) for r in union.board.railroads)
    board = union.board.model_copy(update={"railroads": quiet, "title": f"{b.title}, compared with {a.title}"})
    layout = lay_out(board, backdrop=backdrop)
    document = draw_board(layout, legend=False)
    _lines(document, layout, diff)
    _spots(document, layout, union, diff, {c.id: (c.milepost, c.name) for c in a.cities})
    draw_diff_legend(document, diff, layout.strip)
    return document.to_text()


def _lines(document: SvgPage, layout: Layout, diff: BoardDiff) -> None:
    """Draw segments, changed ones lowest, so that what came and went stands out."""
    layer = document.group(document.layers["lines"], {"id": "diff-lines", "fill": "none"})
    board, lines = layout.board, layout.lines
    pieces = {p.id: p for p in board.pieces}
    segments = {s.id: s for s in board.segments}
    names, shorts = {m.id: m.name for m in board.mileposts}, {r.id: r.short for r in board.railroads}
    for how in ("changed", "removed", "added"):
        group = document.group(layer, {"id": f"diff-segments-{how}", "class": f"diff-{how}"})
        for change in diff.of("segment", how):
            segment = segments[GONE + change.id if how == "removed" else change.id]
            tip = f"{how}: {shorts[segment.railroad]} {names[segment.a]} - {names[segment.b]}"
            tip += "".join(f"; was {f.a}" for f in change.fields if f.field == "railroad")
            attributes = {"class": f"diff-segment diff-{how}"} | data_attributes({"segment": change.id})
            draw_line(document, group, how, line_d(segment_line(segment, pieces, lines)), attributes, tip)


def _spots(
    document: SvgPage, layout: Layout, union: Union, diff: BoardDiff, gone: Mapping[str, tuple[str, str]]
) -> None:
    """Mark mileposts and cities, and lead from a moved milepost's old place to the new one."""
    sizes = document.theme.sizes
    layer = document.group(document.layers["cities"], {"id": "diff-marks", "fill": "none"})
    spots = layout.spots
    before = dict(zip(union.before, layout.warp(np.array(list(union.before.values())).reshape(-1, 2)), strict=True))
    names = {m.id: m.name for m in union.board.mileposts}
    kinds = {m.id: m.kind for m in union.board.mileposts}
    cities = layout.squares
    towns = {c.id: c.name for c in union.board.cities}
    marks: list[_Spot] = []
    for change in diff.of("milepost"):
        radius = sizes.city_side * 0.75 if kinds[change.id] == "city" else sizes.dot_radius
        marks.append(_Spot(change.how, "milepost", change.id, spots[change.id], radius, names[change.id]))
        if change.changes("lon", "lat"):
            _moved(document, layer, before[change.a or ""], spots[change.id])
    for change in diff.of("city"):
        if change.how == "removed":
            milepost, name = gone[change.id]
            # The place may still be there, under another id.
            at = spots.get(milepost, before[milepost])
        else:
            at, name = cities[change.id], towns[change.id]
        marks.append(_Spot(change.how, "city", change.id, at, sizes.city_side * 0.75, name))
    for spot in sorted(marks, key=lambda s: (MARKS.index(s.how), s.kind, s.id)):
        attributes = {"class": f"diff-{spot.kind} diff-{spot.how}"} | data_attributes({spot.kind: spot.id})
        draw_mark(document, layer, spot.how, spot.at, spot.radius, attributes | {"data-tip": spot.tip})


def _moved(document: SvgPage, layer: Element, old: Point, new: Point) -> None:
    if float(np.hypot(new[0] - old[0], new[1] - old[1])) < _LEAST_MOVE_MM:
        return
    dots = {"stroke": "#000000", "stroke-width": mm(0.4), "stroke-dasharray": "0.5 0.7"}
    document.path(layer, line_d([old, new]), {"class": "diff-moved"} | dots)
    document.circle(layer, old, 0.7, {"class": "diff-moved", "fill": "#ffffff", "stroke": "#000000"} | dots)
