"""Room for crowded parts of a map: they grow a little, all the rest shrinks a little.

The room that a part needs is the area of its symbols, names and lines. Where need by area is above `COMFORT`, the
page grows at a rate that follows the excess; everything else shrinks at one even rate. The growth is laid out by
the gradient of a potential (a Poisson equation with a closed edge), as flow-based cartograms do (Gastner, Seguy and
More 2018), but far from to the end: shapes stay those of the map that people know.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, points_at
from mapkit.kinds.rail.render.spread.crowding import Symbols
from mapkit.kinds.rail.render.spread.warps import STEEPEST, WarpStep, grid_of, steepness_of
from mapkit.kinds.rail.render.symbols import milepost_label

COMFORT: Final = 0.28
"""Need by area up to which a place is left as it is."""
ENOUGH: Final = 0.4
"""A board that is nowhere above it is not eased at all."""


@dataclass(frozen=True)
class _Scale:
    """On what scale to look, and how much to do there."""

    comfort: float
    enough: float
    spread: float
    """Width of the bell in millimetres over which need is averaged."""
    cell: float
    rate: float = 0.12
    """How much a place of excess 1 (twice `comfort`) grows in a turn, by area; no place counts more."""
    turns: int = 6


_NAMES: Final = _Scale(comfort=COMFORT, enough=ENOUGH, spread=16.0, cell=8.0)
_INK: Final = _Scale(comfort=0.5, enough=0.6, spread=6.0, cell=3.0, rate=0.25, turns=12)
_SAMPLE_MM: Final = 4.0
_LEADING: Final = 1.2

Needs = tuple[Array, Array]
"""Places, shape (n, 2), and the room that each needs in square millimetres."""


def scale_crowded_parts(board: Board, sizes: Sizes, frame: Area) -> tuple[WarpStep, ...]:
    """Return the step, if any, that gives crowded parts more room; none where every part has enough."""
    places, rooms = needs_of(board, sizes)
    # one step is as much as leaves the shapes that people know
    return _grown(places, rooms, frame, _NAMES)[:1]


def loosen_symbols(symbols: Symbols, xy: Array, frame: Area) -> tuple[WarpStep, ...]:
    """Return steps that give crowds of symbols about the room that they need to stand apart."""
    half = symbols.half + (symbols.radius + symbols.keep)[:, None]
    return _grown(xy, 4 * half[:, 0] * half[:, 1], frame, _INK)


def _grown(places: Array, rooms: Array, frame: Area, scale: _Scale) -> tuple[WarpStep, ...]:
    need = need_by_area(places, rooms, frame, scale)
    if not (need > scale.enough).any():
        return ()
    x, y = grid_of(frame, scale.cell)
    home = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    done: list[WarpStep] = []
    whole: WarpStep | None = None
    knots, start = home, places
    for _ in range(scale.turns):
        step = _step(need, frame, scale)
        # turns are put together as long as they make one step, for land of many points goes through each
        further = step(knots)
        moved = (further - home).reshape(len(y), len(x), 2)
        if whole is not None and steepness_of(frame, moved) > STEEPEST:
            done.append(whole)
            start = whole(start)
            further = step(home)
            moved = (further - home).reshape(len(y), len(x), 2)
        knots, whole = further, WarpStep.of(frame, moved)
        need = need_by_area(whole(start), rooms, frame, scale)
        if not (need > scale.comfort).any():
            break
    return (*done, whole) if whole is not None else ()


def needs_of(board: Board, sizes: Sizes) -> Needs:
    """Return what needs room, and how much: symbols with their names, and track."""
    spots = {m.id: (m.x, m.y) for m in board.mileposts}
    dots = [m for m in board.mileposts if m.kind == "dot"]
    places = [(m.x, m.y) for m in dots] + [spots[c.milepost] for c in board.cities]
    rooms = [
        text_width(milepost_label(m.name), sizes.dot_text) * sizes.dot_text * _LEADING + sizes.least_gap**2
        for m in dots
    ] + [
        text_width(c.name, sizes.city_text, bold=True) * sizes.city_text * _LEADING
        + (sizes.city_side + sizes.least_gap) ** 2
        for c in board.cities
    ]
    track = [_along(np.array(p.path, dtype=np.float64)) for p in board.pieces]
    at = np.concatenate([np.array(places, dtype=np.float64).reshape(-1, 2), *(points for points, _ in track)])
    room = np.concatenate([np.array(rooms, dtype=np.float64), *(share * 2 * sizes.lane for _, share in track)])
    return at, room


def need_by_area(places: Array, rooms: Array, frame: Area, scale: _Scale = _NAMES) -> Array:
    """Return the room needed by the room there is, averaged, at the knots of the grid over the frame."""
    x, y = grid_of(frame, scale.cell)
    wide, high = float(x[1] - x[0]), float(y[1] - y[0])
    u = (np.minimum(np.maximum(places[:, 0], x[0]), x[-1]) - x[0]) / wide
    v = (np.minimum(np.maximum(places[:, 1], y[0]), y[-1]) - y[0]) / high
    i, j = np.minimum(u.astype(np.int64), len(x) - 2), np.minimum(v.astype(np.int64), len(y) - 2)
    s, t = u - i, v - j
    need = np.zeros(len(x) * len(y))
    for k, part in ((0, (1 - s) * (1 - t)), (1, s * (1 - t)), (len(x), (1 - s) * t), (len(x) + 1, s * t)):
        need += np.bincount(j * len(x) + i + k, weights=rooms * part, minlength=len(need))
    area = np.full((len(y), len(x)), wide * high)
    area[[0, -1]] /= 2
    area[:, [0, -1]] /= 2
    need = need.reshape(area.shape)
    for axis, cell in ((0, high), (1, wide)):
        for _ in range(int(np.ceil(2 * (scale.spread / cell) ** 2))):
            need, area = _blurred(need, axis), _blurred(area, axis)
    ratio: Array = np.round(need / area, 6)
    return ratio


def _step(need: Array, frame: Area, scale: _Scale) -> WarpStep:
    """Return a turn of growth."""
    excess = np.minimum(np.maximum(need / scale.comfort - 1.0, 0.0), 1.0)
    # the mean over the frame, the knots at its edge with the half of a cell that they have
    rows, columns = excess.shape[0] - 1, excess.shape[1] - 1
    growth = scale.rate * excess
    share = np.ones_like(growth)
    share[[0, -1]] /= 2
    share[:, [0, -1]] /= 2
    growth -= (growth * share).sum() / share.sum()
    left, top, right, bottom = frame
    wide, high = (right - left) / columns, (bottom - top) / rows
    down = (2 - 2 * np.cos(np.pi * np.arange(rows + 1) / rows)) / high**2
    across = (2 - 2 * np.cos(np.pi * np.arange(columns + 1) / columns)) / wide**2
    waves_squared = down[:, None] + across[None, :]
    waves_squared[0, 0] = 1.0
    waves = -_cosines(growth) / waves_squared
    waves[0, 0] = 0.0
    height = _cosines(waves) / (4 * rows * columns)
    knots = np.zeros((*growth.shape, 2))
    knots[:, 1:-1, 0] = (height[:, 2:] - height[:, :-2]) / (2 * wide)
    knots[1:-1, :, 1] = (height[2:] - height[:-2]) / (2 * high)
    return WarpStep.of(frame, knots)


def _cosines(field: Array) -> Array:
    """Return the cosine transform (DCT-I) of a field in both directions; except for a factor it is its own inverse."""
    for axis in (0, 1):
        mirrored = np.concatenate((field, np.flip(field, axis).take(range(1, field.shape[axis] - 1), axis)), axis)
        field = np.fft.rfft(mirrored, axis=axis).real
    return field


def _along(path: Array) -> tuple[Array, Array]:
    """Return points along a line, and the length that each stands for."""
    total = float(lengths(path)[-1])
    count = max(1, int(np.ceil(total / _SAMPLE_MM)))
    stops = (np.arange(count, dtype=np.float64) + 0.5) * (total / count)
    return points_at(path, np.asarray(stops, dtype=np.float64)), np.full(count, total / count)


def _blurred(field: Array, axis: int) -> Array:
    """Return the field after one pass of 1-2-1 that loses nothing at the edges."""
    field = np.moveaxis(field, axis, 0)
    out = field / 2
    out[1:] += field[:-1] / 4
    out[:-1] += field[1:] / 4
    out[0] += field[0] / 4
    out[-1] += field[-1] / 4
    return np.moveaxis(out, 0, axis)
