"""Positions of symbols in a picture, the pixels beside them, and the lines that run into them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Bools, Ints32, connected_components
from mapkit.kinds.rail.scanning.symbols import Symbol

_EDGE_WIDTH: Final = 1.0
"""Width of the pale edge of a symbol, pixels."""
_MIN_STROKE_PIXELS: Final = 6
"""Least number of pixels in a stroke."""
_MAX_GAP_HALVES: Final = 3.2
"""Greatest gap between a stroke and its symbol, in halves of a dot: a dashed line may begin with a gap."""
_FRINGE_PIXELS: Final = 4.0
"""Pixels no farther from a symbol are its pale edge."""
_FRINGE_OF_DOTS: Final = 3.0
"""The same for patches with as many pixels as a dot of a dotted line."""
_TOUCHING_PIXELS: Final = 3
_CLOSE_PIXELS: Final = 1.5
"""Nearer strokes are not passing lines, which leave some paper between."""
_NEAR_PART_HALVES: Final = 3.2
_MIN_ELONGATION: Final = 1.25
"""Least ratio of length to width of the end of a stroke that points to a symbol."""
_MIN_ELONGATION_ELSEWHERE: Final = 1.6
"""The same if the stroke touches another symbol: it may be only the end of a line there."""
_EDGE_FRINGE: Final = 2.0
"""Distance from a symbol up to which its edge may look like ink, pixels."""
_BESIDE_FRINGE: Final = 4.0
"""Lines that end in a symbol side by side may be connected around it nearer than this; a passing line reaches wider."""
_BOTH_SIDES_ANGLE: Final = np.radians(110)
_LONG_STROKE_HALVES: Final = 4.0
"""Least reach of a stroke of a line beyond the edge of a symbol, in halves of a dot."""
_BROKEN_HALVES: Final = 1.15
"""Greatest gap between a line and a dot that interrupts it, in halves of a dot."""
_AROUND_ANGLE: Final = np.radians(210)
"""Least angle of a symbol's edge that strokes take up which run into it; a passing line touches one side."""
_OWN_ANGLE: Final = np.radians(60)
"""Least angle of a passing stroke that another symbol cuts off, if the two together are on both sides."""
_MIN_TOUCHING_PIXELS: Final = 3
_MIN_TOUCHING_STROKE: Final = 8
_MIN_DOT_PIXELS: Final = 16
"""Least number of pixels in a dot of a dotted line."""
_CORNER_FACTOR: Final = 1.4


@dataclass(frozen=True)
class SymbolMap:
    """Symbols of a picture in its pixels.

    Attributes:
        inside: The number of the symbol at each pixel, -1 where there is none.
        beside: Pixels within reach of a symbol, as indices into the flat picture.
        whose: Symbol beside each of these.
        off: Distance of each of these from that symbol's edge.
    """

    symbols: tuple[Symbol, ...]
    inside: Ints32
    beside: Ints
    whose: Ints
    off: np.ndarray


def place_symbols(symbols: Sequence[Symbol], shape: tuple[int, int], reach: int) -> SymbolMap:
    """Mark symbols, and the pixels within `reach` of them."""
    height, width = shape
    symbol_map = np.full(shape, -1, np.int32)
    beside_parts, symbol_parts, distance_parts = [], [], []
    for number, symbol in enumerate(symbols):
        symbol_spots = symbol.spots or ((symbol.x, symbol.y),)
        mark_reach = symbol.half + _EDGE_WIDTH + reach
        top, bottom = (
            max(0, int(min(y for _, y in symbol_spots) - mark_reach)),
            min(height, int(max(y for _, y in symbol_spots) + mark_reach + 2)),
        )
        left, right = (
            max(0, int(min(x for x, _ in symbol_spots) - mark_reach)),
            min(width, int(max(x for x, _ in symbol_spots) + mark_reach + 2)),
        )
        pixel_rows, pixel_columns = np.mgrid[top:bottom, left:right]
        edge_distance = np.full(pixel_rows.shape, np.inf)
        for x, y in symbol_spots:
            dx, dy = np.abs(pixel_columns - x), np.abs(pixel_rows - y)
            if symbol.kind == "dot":
                spot_distance = np.hypot(dx, dy) - symbol.half
            else:
                spot_distance = np.hypot(np.maximum(dx - symbol.half, 0), np.maximum(dy - symbol.half, 0))
            edge_distance = np.minimum(edge_distance, spot_distance - _EDGE_WIDTH)
        symbol_map[top:bottom, left:right][edge_distance <= 0] = number
        is_near = (edge_distance > 0) & (edge_distance <= reach)
        beside_parts.append(pixel_rows[is_near] * width + pixel_columns[is_near])
        symbol_parts.append(np.full(int(is_near.sum()), number))
        distance_parts.append(edge_distance[is_near])
    no_pixels = np.zeros(0, np.int64)
    return SymbolMap(
        tuple(symbols),
        symbol_map,
        np.concatenate(beside_parts) if beside_parts else no_pixels,
        np.concatenate(symbol_parts) if symbol_parts else no_pixels,
        np.concatenate(distance_parts) if distance_parts else np.zeros(0),
    )


def find_served_symbols(
    here: SymbolMap, ink: Bools, dot: float, gap: float = np.inf, dense: Bools | None = None, *, passing: float = 0.0
) -> Bools:
    """Return by number whether an ink runs into a symbol.

    It touches the symbol, or it is a stroke that ends just before it and points to its middle.

    Args:
        here: The symbols, and what is beside them.
        ink: Where the ink is, without symbols.
        dot: Half the width of a dot.
        gap: Greatest gap between lines of this ink and a symbol, pixels, if it is known.
        dense: Mask of ink as dense as in lines, if it is known. A thinner stroke that does not touch the symbol is a
            letter.
        passing: Greatest distance from a symbol of a long line that serves it in passing, pixels.
    """
    gap = min(gap, _MAX_GAP_HALVES * dot)
    count = len(here.symbols)
    is_inked = ink.ravel()[here.beside]
    inked_pixels, whose, off = here.beside[is_inked], here.whose[is_inked], here.off[is_inked]
    width = ink.shape[1]
    by_symbol = np.argsort(whose, kind="stable")
    symbol_cuts = np.searchsorted(whose[by_symbol], np.arange(count + 1))
    symbol_begins = np.searchsorted(here.whose, np.arange(count + 1))
    is_close = np.zeros(ink.size, np.bool_)
    is_close[here.beside[here.off <= _CLOSE_PIXELS]] = True
    is_served = np.zeros(count, np.bool_)
    for number in np.flatnonzero(np.diff(symbol_cuts) >= _MIN_STROKE_PIXELS).tolist():
        own_pixels = by_symbol[symbol_cuts[number] : symbol_cuts[number + 1]]
        if off[own_pixels].min() > gap:
            continue
        y, x, away_px = (
            inked_pixels[own_pixels] // width,
            inked_pixels[own_pixels] % width,
            off[own_pixels],
        )
        is_touching = is_close[inked_pixels[own_pixels]]
        is_dense = np.ones(len(own_pixels), np.bool_) if dense is None else dense.ravel()[inked_pixels[own_pixels]]
        strokes = [
            _Stroke(x[group], y[group], away_px[group], bool(is_touching[group].any()), bool(is_dense[group].any()))
            for group in connected_components(y, x)
        ]
        symbol = here.symbols[number]
        pixels_beside = here.beside[symbol_begins[number] : symbol_begins[number + 1]]
        pixels_of_others = pixels_beside[here.inside.ravel()[pixels_beside] >= 0]
        other_xy = pixels_of_others % width, pixels_of_others // width
        near_strokes = [stroke for stroke in strokes if float(stroke.off.min()) <= gap]
        is_served[number] = (
            _is_surrounded(symbol, near_strokes, dot)
            or _is_between(near_strokes, dot)
            or any(_runs_into(symbol, stroke, other_xy, dot, passing) for stroke in near_strokes)
            or any(_is_dotted_into(symbol, stroke, strokes, dot) for stroke in near_strokes)
        )
    return is_served


@dataclass(frozen=True)
class _Stroke:
    """Connected pixels of an ink, with the distance of each from the edge of the symbol beside them.

    `touches` says whether they touch a symbol, which may be another one, `dense` whether they may be of a line.
    """

    x: Ints
    y: Ints
    off: np.ndarray
    touches: bool
    dense: bool

    @property
    def middle(self) -> Floats:
        """Middle of the stroke, x and y."""
        return np.array([self.x.mean(), self.y.mean()])


def _runs_into(symbol: Symbol, stroke: _Stroke, others: tuple[Ints, Ints], dot: float, passing: float) -> bool:
    """Return whether a stroke touches a symbol, or ends before it and points to it.

    Args:
        symbol: The symbol.
        stroke: The stroke.
        others: Pixels beside the symbol that lie in other symbols, x and y.
        dot: Half the width of a dot.
        passing: As in `find_served_symbols`.
    """
    x, y, off = stroke.x, stroke.y, stroke.off
    if float(off.max()) < (_FRINGE_PIXELS if len(x) < _MIN_DOT_PIXELS else _FRINGE_OF_DOTS):
        return False
    touches_at_reach = [
        len(x) >= _MIN_TOUCHING_STROKE and int((off <= far).sum()) >= _MIN_TOUCHING_PIXELS
        for far in (_CLOSE_PIXELS, _TOUCHING_PIXELS)
    ]
    if _passes(symbol, stroke, others, _BESIDE_FRINGE if touches_at_reach[0] else _EDGE_FRINGE):
        return _is_long(stroke, dot) and float(off.min()) <= passing
    if touches_at_reach[0] or not stroke.dense:
        return touches_at_reach[0]
    min_distance = float(off.min())
    is_near_part = off <= min_distance + _NEAR_PART_HALVES * dot
    if touches_at_reach[1] or len(x) < _MIN_DOT_PIXELS:
        return touches_at_reach[1]
    near_xy = np.stack((x[is_near_part], y[is_near_part]), axis=1).astype(float)
    near_middle = near_xy.mean(axis=0)
    sizes, axes = np.linalg.eigh(np.cov((near_xy - near_middle).T) + np.eye(2) * 1e-6)
    min_elongation = _MIN_ELONGATION_ELSEWHERE if stroke.touches else _MIN_ELONGATION
    return bool(np.sqrt(sizes[1] / sizes[0]) >= min_elongation) and _points_to(symbol, near_middle, axes[:, 1])


def _is_dotted_into(symbol: Symbol, first: _Stroke, strokes: Sequence[_Stroke], dot: float) -> bool:
    """Return whether a stroke and one behind it lie on a line that ends before a symbol and points to it."""
    if not _is_whole(first):
        return False
    first_middle = first.middle
    for other_stroke in strokes:
        stroke_vector = other_stroke.middle - first_middle
        stroke_distance = float(np.hypot(*stroke_vector))
        is_behind = (
            float(other_stroke.off.min()) > float(first.off.max()) - 1 and stroke_distance <= 2 * _MAX_GAP_HALVES * dot
        )
        if (
            is_behind
            and stroke_distance > 0
            and _is_whole(other_stroke)
            and _points_to(symbol, first_middle, stroke_vector / stroke_distance)
        ):
            return True
    return False


def _is_whole(stroke: _Stroke) -> bool:
    """Return whether a stroke may be a dot or dash of a line."""
    return stroke.dense and len(stroke.x) >= _MIN_DOT_PIXELS and float(stroke.off.max()) >= _FRINGE_PIXELS


def _points_to(symbol: Symbol, spot: Floats, along: Floats) -> bool:
    """Return whether a line through a spot meets a symbol; lines to a square may miss its middle."""
    aim_points = symbol.spots or ((symbol.x, symbol.y),)
    reach = symbol.half * (_CORNER_FACTOR if symbol.kind == "square" else 1) + _EDGE_WIDTH
    return any(abs(along[0] * (v - spot[1]) - along[1] * (u - spot[0])) <= reach for u, v in aim_points)


def _is_surrounded(symbol: Symbol, strokes: Sequence[_Stroke], dot: float) -> bool:
    """Return whether long strokes lie all around a symbol, as lines do that run through a dot no wider than they are.

    Short strokes around it are those of a letter.
    """
    near = [
        np.arctan2(stroke.y - symbol.y, stroke.x - symbol.x)[stroke.off <= _FRINGE_PIXELS]
        for stroke in strokes
        if _is_long(stroke, dot)
    ]
    return bool(near) and _angular_spread(np.concatenate(near)) > _AROUND_ANGLE


def _is_between(strokes: Sequence[_Stroke], dot: float) -> bool:
    """Return whether two long strokes end before a symbol, as a line does that its dot interrupts."""
    ends = [stroke for stroke in strokes if _is_long(stroke, dot) and float(stroke.off.min()) <= _BROKEN_HALVES * dot]
    return len(ends) > 1


def _is_long(stroke: _Stroke, dot: float) -> bool:
    """Return whether a stroke may be a line, not a letter."""
    return stroke.dense and float(stroke.off.max()) >= _LONG_STROKE_HALVES * dot


def _passes(symbol: Symbol, stroke: _Stroke, others: tuple[Ints, Ints], edge: float) -> bool:
    """Return whether a stroke goes by a symbol: a piece of it, `edge` and more off the symbol, is on two sides.

    Another symbol may cut the stroke off there.
    """
    is_beyond_edge = (stroke.off >= edge) & (stroke.off <= _FRINGE_PIXELS + symbol.half)
    x, y = stroke.x[is_beyond_edge], stroke.y[is_beyond_edge]
    ink_count = len(x)
    x, y = np.concatenate((x, others[0])), np.concatenate((y, others[1]))
    bearings = np.arctan2(y - symbol.y, x - symbol.x)
    for piece in connected_components(y, x):
        if (
            _angular_spread(bearings[piece]) > _BOTH_SIDES_ANGLE
            and _angular_spread(bearings[piece[piece < ink_count]]) > _OWN_ANGLE
        ):
            return True
    return False


def _angular_spread(bearings: Floats) -> float:
    """Return the angle that some bearings take up, radians."""
    if not len(bearings):
        return 0.0
    sorted_bearings = np.sort(bearings)
    return float(2 * np.pi - np.diff(np.append(sorted_bearings, sorted_bearings[0] + 2 * np.pi)).max())
