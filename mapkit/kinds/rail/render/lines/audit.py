"""Lines that say what is not so: drawn through a milepost that they do not serve, or past one that they do.

A reader of a board takes a line that touches a symbol to stop there (RB-M04, RB-C10).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.pens import PENS
from mapkit.kinds.rail.render.lines.polyline import Array

_TOLERANCE_MM = 0.01


@dataclass(frozen=True, order=True)
class LineFault:
    """A piece whose line touches another milepost's symbol, or ends off its own; `mm`: by how much."""

    kind: Literal["touches", "off"]
    piece: str
    milepost: str
    mm: float


@dataclass(frozen=True, order=True)
class StyleClash:
    """Two railroads with the same colour and pattern, and the first milepost where they meet, by id."""

    railroad: str
    other: str
    milepost: str


def audit_lines(layout: Layout) -> tuple[LineFault, ...]:
    """Return every piece that touches a milepost it does not serve, and every piece that ends off its milepost.

    A line touches with its inked body, sawteeth and ties included, the symbol without its light edge: a dot or bar, or
    the squares of a city. A piece ends on a milepost if the middle of its line ends within the symbol.
    """
    board, sizes = layout.board, layout.sizes
    pieces = board.pieces
    body = {r.id: PENS[r.style.pattern].body * sizes.line / 2 for r in board.railroads}
    symbols = _symbols(layout)
    ids = sorted(symbols)
    shapes = np.array([symbols[i] for i in ids], dtype=object)
    lines = np.array([shapely.LineString(layout.lines[p.id]) for p in pieces], dtype=object)
    half = np.array([body[p.railroad] for p in pieces])
    faults = [
        LineFault("off", p.id, node, round(gap, 2))
        for p in pieces
        for node, end in ((p.a, layout.lines[p.id][0]), (p.b, layout.lines[p.id][-1]))
        if node in symbols and (gap := _gap(symbols[node], end)) > _TOLERANCE_MM
    ]
    if len(pieces) and ids:
        near, piece = shapely.STRtree(lines).query(shapes, predicate="dwithin", distance=float(half.max()))
        gap = shapely.distance(shapes[near], lines[piece])
        for i, j, distance in zip(near.tolist(), piece.tolist(), gap.tolist(), strict=True):
            inside = float(half[j]) - distance
            if ids[i] not in (pieces[j].a, pieces[j].b) and inside > _TOLERANCE_MM:
                faults.append(LineFault("touches", pieces[j].id, ids[i], round(inside, 2)))
    return tuple(sorted(faults))


def style_clashes(board: Board) -> tuple[StyleClash, ...]:
    """Return the railroads that share colour and pattern and meet at a milepost, where no one can tell them apart."""
    style = {r.id: r.style for r in board.railroads}
    first: dict[tuple[str, str], str] = {}
    at: dict[str, set[str]] = {}
    for piece in board.pieces:
        for node in (piece.a, piece.b):
            at.setdefault(node, set()).add(piece.railroad)
    for node in sorted(at):
        here: dict[Style, list[str]] = {}
        for railroad in sorted(at[node]):
            here.setdefault(style[railroad], []).append(railroad)
        for same in here.values():
            for i, one in enumerate(same):
                for other in same[i + 1 :]:
                    first.setdefault((one, other), node)
    return tuple(StyleClash(one, other, node) for (one, other), node in sorted(first.items()))


def _symbols(layout: Layout) -> dict[str, BaseGeometry]:
    """Return milepost -> its symbol."""
    sizes = layout.sizes
    half = sizes.city_side / 2
    found: dict[str, BaseGeometry] = {
        m.id: shapely.Point(layout.spots[m.id]).buffer(sizes.dot_radius, quad_segs=16)
        for m in layout.board.mileposts
        if m.kind == "dot"
    }
    for ident, ends in layout.bars.items():
        found[ident] = shapely.LineString(ends).buffer(sizes.dot_radius, quad_segs=16)
    for city in layout.board.cities:
        x, y = layout.squares[city.id]
        box = shapely.box(x - half, y - half, x + half, y + half)
        found[city.milepost] = shapely.union(found.get(city.milepost, box), box)
    # twins have one plate, from the left end of the first to the right end of the last
    return {i: shapely.box(*s.bounds) if s.geom_type == "MultiPolygon" else s for i, s in found.items()}


def _gap(symbol: BaseGeometry, end: Array) -> float:
    return float(shapely.distance(symbol, shapely.Point(end)))
