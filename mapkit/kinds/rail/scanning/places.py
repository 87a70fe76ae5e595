"""Where symbols lie in a picture, which pixels are beside them, and which lines run into them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Bools, Ints32, groups
from mapkit.kinds.rail.scanning.symbols import Symbol

_EDGE: Final = 1.0
"""How far the pale edge of a symbol reaches."""
_LEAST: Final = 6
"""Pixels that a stroke has at least."""
_GAP: Final = 3.2
"""How far before a symbol a stroke may end, in halves of a dot: a dashed line may begin with a gap."""
_FRINGE: Final = 4.0
"""What reaches no farther from a symbol is its pale edge, pixels."""
_FRINGE_OF_DOTS: Final = 3.0
"""Likewise of what has as many pixels as a dot of a dotted line."""
_TOUCHING: Final = 2
_CLOSE: Final = 1
"""What comes so near is not a line that passes: those keep some paper between."""
_NEAR_PART: Final = 2.2
_LONG: Final = 1.25
"""How much longer than wide the end of a stroke is that points to a symbol."""
_LONG_ELSEWHERE: Final = 1.6
"""Likewise if the stroke touches another symbol: it may be no more than the end of a line there."""
_EDGED: Final = 2.0
"""A symbol's edge may look like ink so far from it, pixels."""
_BEYOND: Final = 4.0
"""Lines that end in a symbol side by side may be in one piece around it, nearer than this; one that passes is wider."""
_ON_BOTH_SIDES: Final = np.radians(110)
_BY_ITSELF: Final = np.radians(60)
"""A stroke that another symbol cuts off is seen to pass by less, if the two together are on both sides."""
_LEAST_TOUCHING: Final = 3
_LEAST_STROKE: Final = 8
_LEAST_DOT: Final = 16
"""Pixels that a dot of a dotted line has at least."""
_CORNER: Final = 1.4


@dataclass(frozen=True)
class SymbolMap:
    """The symbols of a picture in its pixels.

    Attributes:
        inside: The number of the symbol at each pixel, -1 where there is none.
        beside: Pixels within reach of a symbol, as places in the flat picture.
        whose: The symbol that each of these is beside.
        off: How far each of these is from that symbol's edge.
    """

    symbols: tuple[Symbol, ...]
    inside: Ints32
    beside: Ints
    whose: Ints
    off: np.ndarray


def place_symbols(symbols: Sequence[Symbol], shape: tuple[int, int], reach: int) -> SymbolMap:
    """Mark symbols, and what lies within `reach` pixels of them."""
    height, width = shape
    inside = np.full(shape, -1, np.int32)
    beside, whose, off = [], [], []
    for number, symbol in enumerate(symbols):
        spots = symbol.spots or ((symbol.x, symbol.y),)
        far = symbol.half + _EDGE + reach
        top, bottom = max(0, int(min(y for _, y in spots) - far)), min(height, int(max(y for _, y in spots) + far + 2))
        left, right = max(0, int(min(x for x, _ in spots) - far)), min(width, int(max(x for x, _ in spots) + far + 2))
        down, across = np.mgrid[top:bottom, left:right]
        gap = np.full(down.shape, np.inf)
        for x, y in spots:
            dx, dy = np.abs(across - x), np.abs(down - y)
            if symbol.kind == "dot":
                one = np.hypot(dx, dy) - symbol.half
            else:
                one = np.hypot(np.maximum(dx - symbol.half, 0), np.maximum(dy - symbol.half, 0))
            gap = np.minimum(gap, one - _EDGE)
        inside[top:bottom, left:right][gap <= 0] = number
        near = (gap > 0) & (gap <= reach)
        beside.append(down[near] * width + across[near])
        whose.append(np.full(int(near.sum()), number))
        off.append(gap[near])
    empty = np.zeros(0, np.int64)
    return SymbolMap(
        tuple(symbols),
        inside,
        np.concatenate(beside) if beside else empty,
        np.concatenate(whose) if whose else empty,
        np.concatenate(off) if off else np.zeros(0),
    )


def served(here: SymbolMap, ink: Bools, dot: float, gap: float = np.inf, dense: Bools | None = None) -> Bools:
    """Return by number whether an ink runs into a symbol.

    It touches the symbol, or it is a stroke that ends just before it and points to its middle.

    Args:
        here: The symbols, and what is beside them.
        ink: Where the ink is, without symbols.
        dot: Half the width of a dot.
        gap: How far before a symbol lines of this ink end at most, pixels, if that is known.
        dense: Where the ink is as dense as in lines, if that is known. A thinner stroke touches the symbol, or it is a
            letter.
    """
    gap = min(gap, _GAP * dot)
    count = len(here.symbols)
    inked = ink.ravel()[here.beside]
    spots, whose, off = here.beside[inked], here.whose[inked], here.off[inked]
    width = ink.shape[1]
    order = np.argsort(whose, kind="stable")
    cuts = np.searchsorted(whose[order], np.arange(count + 1))
    begins = np.searchsorted(here.whose, np.arange(count + 1))
    close = np.zeros(ink.size, np.bool_)
    close[here.beside[here.off <= _CLOSE]] = True
    out = np.zeros(count, np.bool_)
    for number in np.flatnonzero(np.diff(cuts) >= _LEAST).tolist():
        mine = order[cuts[number] : cuts[number + 1]]
        if off[mine].min() > gap:
            continue
        y, x, away = spots[mine] // width, spots[mine] % width, off[mine]
        touches = close[spots[mine]]
        thick = np.ones(len(mine), np.bool_) if dense is None else dense.ravel()[spots[mine]]
        strokes = [
            _Stroke(x[group], y[group], away[group], bool(touches[group].any()), bool(thick[group].any()))
            for group in groups(y, x)
        ]
        symbol = here.symbols[number]
        near = here.beside[begins[number] : begins[number + 1]]
        blocked = near[here.inside.ravel()[near] >= 0]
        beyond = blocked % width, blocked // width
        within = [stroke for stroke in strokes if float(stroke.off.min()) <= gap]
        out[number] = any(_runs_into(symbol, stroke, beyond, dot) for stroke in within) or any(
            _dotted_into(symbol, stroke, strokes, dot) for stroke in within
        )
    return out


@dataclass(frozen=True)
class _Stroke:
    """Pixels of an ink that touch each other, how far each is from the edge of the symbol that they are beside.

    `touches` says whether they touch a symbol, which may be another one, `dense` whether they may be of a line.
    """

    x: Ints
    y: Ints
    off: np.ndarray
    touches: bool
    dense: bool

    @property
    def middle(self) -> Floats:
        """Its middle, x and y."""
        return np.array([self.x.mean(), self.y.mean()])


def _runs_into(symbol: Symbol, stroke: _Stroke, others: tuple[Ints, Ints], dot: float) -> bool:
    """Return whether a stroke touches a symbol, or ends before it and points to it.

    Args:
        symbol: The symbol.
        stroke: The stroke.
        others: Pixels beside the symbol that lie in other symbols, x and y.
        dot: Half the width of a dot.
    """
    x, y, off = stroke.x, stroke.y, stroke.off
    if float(off.max()) < (_FRINGE if len(x) < _LEAST_DOT else _FRINGE_OF_DOTS):
        return False
    touching = [len(x) >= _LEAST_STROKE and int((off <= far).sum()) >= _LEAST_TOUCHING for far in (_CLOSE, _TOUCHING)]
    if _passes(symbol, stroke, others, _BEYOND if touching[0] else _EDGED):
        return False
    if touching[0] or not stroke.dense:
        return touching[0]
    least = float(off.min())
    near = off <= least + _NEAR_PART * dot
    if touching[1] or len(x) < _LEAST_DOT:
        return touching[1]
    spots = np.stack((x[near], y[near]), axis=1).astype(float)
    middle = spots.mean(axis=0)
    sizes, axes = np.linalg.eigh(np.cov((spots - middle).T) + np.eye(2) * 1e-6)
    long = _LONG_ELSEWHERE if stroke.touches else _LONG
    return bool(np.sqrt(sizes[1] / sizes[0]) >= long) and _points_to(symbol, middle, axes[:, 1])


def _dotted_into(symbol: Symbol, first: _Stroke, strokes: Sequence[_Stroke], dot: float) -> bool:
    """Return whether a stroke and one behind it lie on a line that ends before a symbol and points to it."""
    if not _whole(first):
        return False
    near = first.middle
    for other in strokes:
        along = other.middle - near
        size = float(np.hypot(*along))
        behind = float(other.off.min()) > float(first.off.max()) - 1 and size <= 2 * _GAP * dot
        if behind and size > 0 and _whole(other) and _points_to(symbol, near, along / size):
            return True
    return False


def _whole(stroke: _Stroke) -> bool:
    """Return whether a stroke may be a dot or dash of a line."""
    return stroke.dense and len(stroke.x) >= _LEAST_DOT and float(stroke.off.max()) >= _FRINGE


def _points_to(symbol: Symbol, spot: Floats, along: Floats) -> bool:
    """Return whether a line through a spot meets a symbol; to a square lines come from beside its middle, too."""
    aims = symbol.spots or ((symbol.x, symbol.y),)
    reach = symbol.half * (_CORNER if symbol.kind == "square" else 1) + _EDGE
    return any(abs(along[0] * (v - spot[1]) - along[1] * (u - spot[0])) <= reach for u, v in aims)


def _passes(symbol: Symbol, stroke: _Stroke, others: tuple[Ints, Ints], edge: float) -> bool:
    """Return whether a stroke goes by a symbol: a piece of it, `edge` and more off the symbol, is on two sides.

    Another symbol may cut the stroke off there.
    """
    beyond = (stroke.off >= edge) & (stroke.off <= _FRINGE + symbol.half)
    x, y = stroke.x[beyond], stroke.y[beyond]
    ink = len(x)
    x, y = np.concatenate((x, others[0])), np.concatenate((y, others[1]))
    bearings = np.arctan2(y - symbol.y, x - symbol.x)
    for piece in groups(y, x):
        if _spread(bearings[piece]) > _ON_BOTH_SIDES and _spread(bearings[piece[piece < ink]]) > _BY_ITSELF:
            return True
    return False


def _spread(bearings: Floats) -> float:
    """Return the angle that some bearings take up, radians."""
    if not len(bearings):
        return 0.0
    around = np.sort(bearings)
    return float(2 * np.pi - np.diff(np.append(around, around[0] + 2 * np.pi)).max())
