"""Dots and squares of a scanned board: where they are, their kind, and how sure that is.

A symbol is a patch of one ink that is as wide as it is high. Names and lines in the same ink are thinner, so the
deepest pixels of the ink are looked at: around each, 64 rays measure how far the ink reaches, and a disc or a square is
fitted to their ends. On a board all dots are of one size, and so are all squares: what most of them have is their size,
and what differs from it is left out.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, depths, groups
from mapkit.kinds.rail.scanning.bars import Bar, bar_in
from mapkit.kinds.rail.scanning.inks import distances, keys_of

Kind = Literal["dot", "square"]

_PALEST: Final = 0.47
"""Distance of a ground from the ink of symbols; half of it is where a symbol ends."""
_INK: Final = 0.6
LEAST_RADIUS: Final = 3.0
MOST_RADIUS: Final = 60
_MOST_DEPTH: Final = MOST_RADIUS // 2
_RAYS: Final = 64
_ANGLES: Final[Floats] = np.arange(_RAYS, dtype=np.float64) * (2 * np.pi / _RAYS)
_TURNS: Final = np.radians(np.arange(-45, 45, 5))
_GOOD_ERROR: Final = 0.08
_TYPICAL_DISC: Final = 0.8
_TYPICAL_SQUARE: Final = 0.85
"""Shares of the rays that end where those of a disc or a square do, in symbols that show what is usual."""
_LEAST_DISC: Final = 0.55
_LEAST_SQUARE: Final = 0.7
_LEAST_BAR: Final = 0.85
"""Likewise in all; lines in the same ink lengthen rays."""
_EDGE: Final = 0.5
_BIN: Final = 0.06
_TWIN_GAP: Final = 1.35
_COLOUR: Final = 0.07
"""How much further than usual the colour of a symbol may be from the ink, in OKLab."""


@dataclass(frozen=True)
class Symbol:
    """A dot or a square: its middle in pixels, half its width, and how sure it is, 0 to 1.

    Twins are two squares side by side that stand for one milepost: `spots` has the middle of each. Of a dot that is
    drawn out to a bar, `spots` has places along it.
    """

    kind: Kind
    x: float
    y: float
    half: float
    sure: float
    spots: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Sizes:
    """Half the width of dots and of squares, pixels; 0 if there are none.

    `patches` counts what is about as wide as high in their ink, of any size and shape.
    """

    dot: float
    square: float
    patches: int = 0


@dataclass(frozen=True)
class _Blob:
    x: float
    y: float
    colour_off: float
    radius: float
    radius_error: float
    round_share: float
    half: float
    half_error: float
    square_share: float
    bar: Bar | None
    bar_ends: Floats


def find_symbols(pixels: Pixels, ink: Floats) -> tuple[tuple[Symbol, ...], Sizes]:
    """Return the symbols of a picture in one ink, from top to bottom, and their sizes.

    Args:
        pixels: The picture.
        ink: OKLab of what dots and squares are filled with.
    """
    keys = keys_of(pixels)
    off = distances(ink)
    soft = np.clip(1 - (off - 0.02) / (_PALEST - 0.02), 0.0, 1.0).astype(np.float32)[keys]
    mask: Bools = soft > _INK
    deep = depths(mask, _MOST_DEPTH)
    # What is deeper is not told apart: of a large dot its rim is enough, and of a dark ground it takes little memory.
    ys, xs = np.nonzero((deep >= LEAST_RADIUS**2) & (deep < _MOST_DEPTH**2))
    blobs: list[_Blob] = []
    for group in groups(ys, xs):
        reach = np.sqrt(deep[ys[group], xs[group]])
        most = float(reach.max())
        if len(group) > 4 * (2 * most + 3) ** 2:
            continue  # a patch of ground
        top = group[reach >= most - 0.5]
        x, y = float(xs[top].mean()), float(ys[top].mean())
        off_here = float(off[keys[ys[top], xs[top]]].mean())
        bar = bar_in(xs[group].astype(float), ys[group].astype(float), reach)
        blob = _blob(soft, x, y, most, off_here, bar)
        if blob is not None:
            blobs.append(blob)
    return _consistent(blobs)


def _blob(soft: Floats32, x: float, y: float, most: float, colour_off: float, bar: Bar | None) -> _Blob | None:
    """Fit a disc and a square to the ends of the rays from a spot."""
    ends = _rays(soft, x, y, 3 * most + 4)
    radius = float(np.median(ends))
    if radius < 1:
        return None
    angles = _ANGLES[None] - _TURNS[:, None]
    shapes = 1 / np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles)))
    halves = np.median(ends[None] / shapes, axis=1)
    misses = np.abs(ends[None] - halves[:, None] * shapes)
    errors = np.median(misses, axis=1) / halves
    shares = (misses < 0.12 * halves[:, None] + 0.7).mean(axis=1)
    turn = int((shares - errors).argmax())
    return _Blob(
        x,
        y,
        colour_off,
        radius,
        float(np.median(np.abs(ends - radius))) / radius,
        float((np.abs(ends - radius) < 0.15 * radius + 0.7).mean()),
        float(halves[turn]),
        float(errors[turn]),
        float(shares[turn]),
        bar,
        _rays(soft, bar.x, bar.y, 3 * most + bar.reach + 4) if bar else ends,
    )


def _rays(soft: Floats32, x: float, y: float, reach: float) -> Floats:
    """Return how far the ink reaches from a spot in all directions, in parts of a pixel."""
    steps = np.arange(0, reach, 0.5)
    height, width = soft.shape
    across = np.clip(x + np.cos(_ANGLES)[:, None] * steps, 0, width - 1.001)
    down = np.clip(y + np.sin(_ANGLES)[:, None] * steps, 0, height - 1.001)
    left, top = across.astype(int), down.astype(int)
    fx, fy = across - left, down - top
    values = (
        soft[top, left] * (1 - fx) * (1 - fy)
        + soft[top, left + 1] * fx * (1 - fy)
        + soft[top + 1, left] * (1 - fx) * fy
        + soft[top + 1, left + 1] * fx * fy
    )
    outside = values < _EDGE
    first = np.maximum(np.where(outside.any(axis=1), outside.argmax(axis=1), len(steps) - 1), 1)
    rows = np.arange(_RAYS)
    before, after = values[rows, first - 1], values[rows, first]
    part = np.where(before > after, (before - _EDGE) / np.maximum(before - after, 1e-6), 0.5)
    return np.asarray((first - 1 + np.clip(part, 0, 1)) * 0.5)


def _consistent(blobs: list[_Blob]) -> tuple[tuple[Symbol, ...], Sizes]:
    """Return the blobs that have the size of most, as symbols."""
    discs = [b for b in blobs if b.radius_error < min(_GOOD_ERROR, b.half_error) and b.round_share >= _TYPICAL_DISC]
    dot = _usual([b.radius for b in discs])
    boxes = [
        b
        for b in blobs
        if b.half_error < min(_GOOD_ERROR, b.radius_error) and b.square_share >= _TYPICAL_SQUARE and b.half > 1.2 * dot
    ]
    square = _usual([b.half for b in boxes])
    sure = np.array([b.colour_off for b in (*discs, *boxes)])
    most_off = float(np.median(sure)) + _COLOUR if len(sure) else 0.0
    found: list[Symbol] = []
    for b in blobs:
        if b.colour_off > most_off:
            continue
        if square and abs(b.half - square) < 0.15 * square and b.square_share >= _LEAST_SQUARE:
            found.append(Symbol("square", b.x, b.y, b.half, b.square_share))
        elif dot and b.bar and (share := _bar_share(b, dot)) >= max(_LEAST_BAR, b.round_share):
            found.append(Symbol("dot", b.bar.x, b.bar.y, dot, share, b.bar.spots(dot)))
        elif dot and -0.1 * dot - 0.3 < b.radius - dot < 0.45 * dot and b.round_share >= _LEAST_DISC:
            found.append(Symbol("dot", b.x, b.y, dot, b.round_share))
    found = _joined_twins(found, square)
    return tuple(sorted(found, key=lambda s: (s.y, s.x))), Sizes(dot, square, len(blobs))


def _bar_share(b: _Blob, dot: float) -> float:
    """Return the share of the rays that end where those of a bar as wide as a dot do."""
    if b.bar is None:
        return 0.0
    return float((np.abs(b.bar_ends - b.bar.ends(_ANGLES, dot)) < 0.15 * dot + 0.7).mean())


def _usual(values: list[float]) -> float:
    """Return the size that most have; 0 without any."""
    if not values:
        return 0.0
    sizes = np.array(values)
    steps = np.round(np.log(sizes) / _BIN).astype(int)
    counts = Counter(steps.tolist())
    best = max(counts, key=lambda step: (counts[step - 1] + counts[step] + counts[step + 1], step))
    return float(np.median(sizes[np.abs(steps - best) <= 1]))


def _joined_twins(found: list[Symbol], half: float) -> list[Symbol]:
    """Return symbols with two squares side by side as one."""
    out: list[Symbol] = []
    taken: set[int] = set()
    for i, one in enumerate(found):
        if i in taken:
            continue
        twin = one
        for j in range(i + 1, len(found)) if one.kind == "square" else ():
            other = found[j]
            wide, narrow = sorted((abs(other.x - one.x), abs(other.y - one.y)), reverse=True)
            if j not in taken and other.kind == "square" and wide < 2 * half * _TWIN_GAP + 1 and narrow < 0.3 * half:
                taken.add(j)
                spots = ((one.x, one.y), (other.x, other.y))
                x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
                twin = Symbol("square", x, y, half, min(one.sure, other.sure), spots)
                break
        out.append(twin)
    return out
