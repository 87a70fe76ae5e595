"""Audit of drawn lines: lines through a milepost that they do not serve, and lines that end off their milepost.

A reader of a board takes a line that touches a symbol to stop there (RB-M04, RB-C10).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.line_patterns import PENS

_TOLERANCE_MM = 0.05
"""Faults below it are invisible in print, and are written as 0.0 mm."""


@dataclass(frozen=True, order=True)
class LineFault:
    """Fault of a piece: its line touches another milepost's symbol, or ends off its own; `mm`: by how much."""

    kind: Literal["touches", "off"]
    piece: str
    milepost: str
    mm: float


def audit_lines(layout: Layout) -> tuple[LineFault, ...]:
    """Find every piece that touches a milepost it does not serve, and every piece that ends off its milepost.

    A line touches with its inked body, sawteeth and ties included, the symbol without its light edge: a dot or bar, or
    the squares of a city. A piece ends on a milepost if the middle of its line ends within the symbol.
    """
    board, sizes = layout.board, layout.sizes
    pieces = board.pieces
    half_body = {r.id: PENS[r.style.pattern].body * sizes.line / 2 for r in board.railroads}
    milepost_symbols = _make_symbols(layout)
    symbol_ids = sorted(milepost_symbols)
    symbol_shapes = np.array([milepost_symbols[i] for i in symbol_ids], dtype=object)
    piece_lines = np.array([shapely.LineString(layout.lines[p.id]) for p in pieces], dtype=object)
    half_widths = np.array([half_body[p.railroad] for p in pieces])
    line_faults = [
        LineFault("off", p.id, node, round(gap, 2))
        for p in pieces
        for node, end_point in ((p.a, layout.lines[p.id][0]), (p.b, layout.lines[p.id][-1]))
        if node in milepost_symbols
        and (gap := float(shapely.distance(milepost_symbols[node], shapely.Point(end_point)))) > _TOLERANCE_MM
    ]
    if len(pieces) and symbol_ids:
        near_symbols, near_pieces = shapely.STRtree(piece_lines).query(
            symbol_shapes, predicate="dwithin", distance=float(half_widths.max())
        )
        gap = shapely.distance(symbol_shapes[near_symbols], piece_lines[near_pieces])
        for i, j, distance in zip(near_symbols.tolist(), near_pieces.tolist(), gap.tolist(), strict=True):
            overlap_mm = float(half_widths[j]) - distance
            if symbol_ids[i] not in (pieces[j].a, pieces[j].b) and overlap_mm > _TOLERANCE_MM:
                line_faults.append(LineFault("touches", pieces[j].id, symbol_ids[i], round(overlap_mm, 2)))
    return tuple(sorted(line_faults))


def _make_symbols(layout: Layout) -> dict[str, BaseGeometry]:
    """Return the symbol of each milepost."""
    sizes = layout.sizes
    half_side = sizes.city_side / 2
    milepost_symbols: dict[str, BaseGeometry] = {
        m.id: shapely.Point(layout.spots[m.id]).buffer(sizes.dot_radius, quad_segs=16)
        for m in layout.board.mileposts
        if m.kind == "dot"
    }
    for milepost_id, bar_ends in layout.bars.items():
        milepost_symbols[milepost_id] = shapely.LineString(bar_ends).buffer(sizes.dot_radius, quad_segs=16)
    for city in layout.board.cities:
        x, y = layout.squares[city.id]
        city_square = shapely.box(x - half_side, y - half_side, x + half_side, y + half_side)
        milepost_symbols[city.milepost] = shapely.union(milepost_symbols.get(city.milepost, city_square), city_square)
    # twins have one plate, from the left end of the first to the right end of the last
    return {
        i: shapely.box(*symbol_shape.bounds) if symbol_shape.geom_type == "MultiPolygon" else symbol_shape
        for i, symbol_shape in milepost_symbols.items()
    }
