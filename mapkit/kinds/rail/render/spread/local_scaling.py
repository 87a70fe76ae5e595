"""Local scaling of a map: crowded parts grow a little, the rest shrinks a little.

The room that a part needs is the area of its symbols, names and lines. Where need by area is above `COMFORT`, the
page grows at a rate that follows the excess; everything else shrinks at one even rate. The growth is laid out by
the gradient of a potential (a Poisson equation with a closed edge), as flow-based cartograms do (Gastner, Seguy and
More 2018), but stops early: shapes stay familiar.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, cumulative_lengths, interpolate_points
from mapkit.kinds.rail.render.spread.crowding import Symbols
from mapkit.kinds.rail.render.spread.warps import STEEPEST, WarpStep, bound_steepness, make_grid
from mapkit.kinds.rail.render.symbols import format_milepost_label

COMFORT: Final = 0.28
"""Ratio of need to area up to which a place does not grow."""
ENOUGH: Final = 0.4
"""A board that is nowhere above this ratio is not scaled at all."""


@dataclass(frozen=True)
class _ScalingParameters:
    """Parameters of a scaling: the scale of the averages of need, and the growth."""

    comfort: float
    enough: float
    spread: float
    """Standard deviation of the averages of need, millimetres."""
    cell: float
    rate: float = 0.12
    """How much a place of excess 1 (twice `comfort`) grows in a turn, by area; no place counts more."""
    turns: int = 6


_NAME_SCALING: Final = _ScalingParameters(comfort=COMFORT, enough=ENOUGH, spread=16.0, cell=8.0)
_INK_SCALING: Final = _ScalingParameters(comfort=0.5, enough=0.6, spread=6.0, cell=3.0, rate=0.25, turns=12)
_SAMPLE_MM: Final = 4.0
_LINE_SPACING: Final = 1.2

Needs = tuple[Array, Array]
"""Places, shape (n, 2), and the room that each needs in square millimetres."""


def scale_crowded_parts(board: Board, sizes: Sizes, frame: Area) -> tuple[WarpStep, ...]:
    """Return a warp step that gives crowded parts more room; none if every part has enough."""
    places, needed_rooms = measure_needs(board, sizes)
    # more than one step would distort familiar shapes
    return _grow_places(places, needed_rooms, frame, _NAME_SCALING)[:1]


def loosen_symbols(symbols: Symbols, xy: Array, frame: Area) -> tuple[WarpStep, ...]:
    """Return warp steps that give crowds of symbols about enough room."""
    half_sizes = symbols.half + (symbols.radius + symbols.keep)[:, None]
    return _grow_places(xy, 4 * half_sizes[:, 0] * half_sizes[:, 1], frame, _INK_SCALING)


def _grow_places(places: Array, rooms: Array, frame: Area, scale: _ScalingParameters) -> tuple[WarpStep, ...]:
    need_ratio = average_need(places, rooms, frame, scale)
    if not (need_ratio > scale.enough).any():
        return ()
    x, y = make_grid(frame, scale.cell)
    home_knots = np.column_stack([axis_values.ravel() for axis_values in np.meshgrid(x, y)])
    finished_steps: list[WarpStep] = []
    joint_step: WarpStep | None = None
    moved_knots, start_places = home_knots, places
    for _ in range(scale.turns):
        growth_step = _growth_step(need_ratio, frame, scale)
        # turns are composed into one step as far as possible, as all points of the land pass through each step
        next_knots = growth_step(moved_knots)
        knot_moves = (next_knots - home_knots).reshape(len(y), len(x), 2)
        if joint_step is not None and bound_steepness(frame, knot_moves) > STEEPEST:
            finished_steps.append(joint_step)
            start_places = joint_step(start_places)
            next_knots = growth_step(home_knots)
            knot_moves = (next_knots - home_knots).reshape(len(y), len(x), 2)
        moved_knots, joint_step = next_knots, WarpStep.of(frame, knot_moves)
        need_ratio = average_need(joint_step(start_places), rooms, frame, scale)
        if not (need_ratio > scale.comfort).any():
            break
    return (*finished_steps, joint_step) if joint_step is not None else ()


def measure_needs(board: Board, sizes: Sizes) -> Needs:
    """Return the places that need room, and how much: symbols with their names, and track."""
    milepost_spots = {m.id: (m.x, m.y) for m in board.mileposts}
    dot_mileposts = [m for m in board.mileposts if m.kind == "dot"]
    symbol_places = [(m.x, m.y) for m in dot_mileposts] + [milepost_spots[c.milepost] for c in board.cities]
    symbol_rooms = [
        text_width(format_milepost_label(m.name), sizes.dot_text) * sizes.dot_text * _LINE_SPACING + sizes.least_gap**2
        for m in dot_mileposts
    ] + [
        text_width(c.name, sizes.city_text, bold=True) * sizes.city_text * _LINE_SPACING
        + (sizes.city_side + sizes.least_gap) ** 2
        for c in board.cities
    ]
    track_samples = [_sample_line(np.array(p.path, dtype=np.float64)) for p in board.pieces]
    all_places = np.concatenate(
        [
            np.array(symbol_places, dtype=np.float64).reshape(-1, 2),
            *(sample_points for sample_points, _ in track_samples),
        ]
    )
    all_rooms = np.concatenate(
        [
            np.array(symbol_rooms, dtype=np.float64),
            *(sample_lengths * 2 * sizes.lane for _, sample_lengths in track_samples),
        ]
    )
    return all_places, all_rooms


def average_need(places: Array, rooms: Array, frame: Area, scale: _ScalingParameters = _NAME_SCALING) -> Array:
    """Return the ratio of needed to available room, averaged, at the knots of the grid over the frame."""
    x, y = make_grid(frame, scale.cell)
    cell_width, cell_height = float(x[1] - x[0]), float(y[1] - y[0])
    u = (np.minimum(np.maximum(places[:, 0], x[0]), x[-1]) - x[0]) / cell_width
    v = (np.minimum(np.maximum(places[:, 1], y[0]), y[-1]) - y[0]) / cell_height
    i, j = np.minimum(u.astype(np.int64), len(x) - 2), np.minimum(v.astype(np.int64), len(y) - 2)
    s, t = u - i, v - j
    knot_need = np.zeros(len(x) * len(y))
    for k, weight_share in ((0, (1 - s) * (1 - t)), (1, s * (1 - t)), (len(x), (1 - s) * t), (len(x) + 1, s * t)):
        knot_need += np.bincount(j * len(x) + i + k, weights=rooms * weight_share, minlength=len(knot_need))
    knot_area = np.full((len(y), len(x)), cell_width * cell_height)
    knot_area[[0, -1]] /= 2
    knot_area[:, [0, -1]] /= 2
    knot_need = knot_need.reshape(knot_area.shape)
    for axis, cell_size in ((0, cell_height), (1, cell_width)):
        for _ in range(int(np.ceil(2 * (scale.spread / cell_size) ** 2))):
            knot_need, knot_area = _blur(knot_need, axis), _blur(knot_area, axis)
    need_ratio: Array = np.round(knot_need / knot_area, 6)
    return need_ratio


def _growth_step(need: Array, frame: Area, scale: _ScalingParameters) -> WarpStep:
    """Return one step of growth."""
    excess_need = np.minimum(np.maximum(need / scale.comfort - 1.0, 0.0), 1.0)
    # the mean over the frame; knots at its edge have half a cell
    rows, columns = excess_need.shape[0] - 1, excess_need.shape[1] - 1
    growth_rates = scale.rate * excess_need
    cell_share = np.ones_like(growth_rates)
    cell_share[[0, -1]] /= 2
    cell_share[:, [0, -1]] /= 2
    growth_rates -= (growth_rates * cell_share).sum() / cell_share.sum()
    left, top, right, bottom = frame
    cell_width, cell_height = (right - left) / columns, (bottom - top) / rows
    row_waves = (2 - 2 * np.cos(np.pi * np.arange(rows + 1) / rows)) / cell_height**2
    column_waves = (2 - 2 * np.cos(np.pi * np.arange(columns + 1) / columns)) / cell_width**2
    waves_squared = row_waves[:, None] + column_waves[None, :]
    waves_squared[0, 0] = 1.0
    wave_amplitudes = -_cosine_transform(growth_rates) / waves_squared
    wave_amplitudes[0, 0] = 0.0
    potential = _cosine_transform(wave_amplitudes) / (4 * rows * columns)
    knot_moves = np.zeros((*growth_rates.shape, 2))
    knot_moves[:, 1:-1, 0] = (potential[:, 2:] - potential[:, :-2]) / (2 * cell_width)
    knot_moves[1:-1, :, 1] = (potential[2:] - potential[:-2]) / (2 * cell_height)
    return WarpStep.of(frame, knot_moves)


def _cosine_transform(field: Array) -> Array:
    """Return the cosine transform (DCT-I) of a field in both directions; except for a factor it is its own inverse."""
    for axis in (0, 1):
        mirrored_field = np.concatenate((field, np.flip(field, axis).take(range(1, field.shape[axis] - 1), axis)), axis)
        field = np.fft.rfft(mirrored_field, axis=axis).real
    return field


def _sample_line(path: Array) -> tuple[Array, Array]:
    """Sample points along a line, with the length that each represents."""
    total_length = float(cumulative_lengths(path)[-1])
    sample_count = max(1, int(np.ceil(total_length / _SAMPLE_MM)))
    stops = (np.arange(sample_count, dtype=np.float64) + 0.5) * (total_length / sample_count)
    return interpolate_points(path, np.asarray(stops, dtype=np.float64)), np.full(
        sample_count, total_length / sample_count
    )


def _blur(field: Array, axis: int) -> Array:
    """Blur the field by one pass of the weights 1, 2, 1 without loss at the edges."""
    field = np.moveaxis(field, axis, 0)
    blurred_field = field / 2
    blurred_field[1:] += field[:-1] / 4
    blurred_field[:-1] += field[1:] / 4
    blurred_field[0] += field[0] / 4
    blurred_field[-1] += field[-1] / 4
    return np.moveaxis(blurred_field, 0, axis)
