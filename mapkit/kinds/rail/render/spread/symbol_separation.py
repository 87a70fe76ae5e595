"""Separation of symbols by local stretches of the page.

Two symbols that lack room are parted by stretching the page between them along the way from one to the other, in a
disc round their middle; a step does so for all such pairs at once, and the next looks again. Where stretches overlap
they share the work, so that a crowd spreads outwards evenly.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.spread.crowding import CloseSymbols, Symbols, find_close_symbols
from mapkit.kinds.rail.render.spread.warps import WarpStep

ROUNDS: Final = 100
_SPARE_GAP_MM: Final = 0.04
_ROUNDING_MM: Final = 0.001
_MOST_STRETCH: Final = 0.5
_PUSH_FACTOR: Final = 1.2
_CROWD_PUSH: Final = 0.8
_REACH_FACTOR: Final = 2.5
_ROUND_SHARE: Final = 0.5
"""Isotropic share of a stretch, which preserves directions: 0 none, 1 all of it."""
_CELLS_PER_RADIUS: Final = 8
"""Cells of the grid to the radius of the smallest disc."""
_MOST_PAIRS: Final = 500
_EDGE_CELLS: Final = 4


@dataclass(frozen=True)
class _StretchDiscs:
    """Stretches of the page: middles, radii, directions, and amounts (1 doubles)."""

    middle: Array
    radius: Array
    way: Array
    stretch: Array


def separate_symbols(symbols: Symbols, xy: Array, frame: Area) -> tuple[WarpStep, ...]:
    """Return warp steps that give all symbols room, as far as the page allows."""
    warp_steps: list[WarpStep] = []
    if not len(find_close_symbols(symbols, xy, least=_ROUNDING_MM / 2).one):
        return ()
    for _ in range(ROUNDS):
        lacking_pairs = find_close_symbols(symbols, xy, least=-_ROUNDING_MM)
        if not len(lacking_pairs.one):
            break
        warp_step = _stretch_step(_make_discs(xy, lacking_pairs, frame), frame)
        warp_steps.append(warp_step)
        xy = warp_step(xy)
    return tuple(warp_steps)


def _make_discs(xy: Array, lacking: CloseSymbols, frame: Area) -> _StretchDiscs:
    worst_pairs = np.sort(np.lexsort((lacking.other, lacking.one, -np.round(lacking.lack, 6)))[:_MOST_PAIRS])
    first_symbols, second_symbols, gap_direction = (
        lacking.one[worst_pairs],
        lacking.other[worst_pairs],
        lacking.way[worst_pairs],
    )
    missing_gap = lacking.lack[worst_pairs] + _SPARE_GAP_MM
    centre_distance = ((xy[second_symbols] - xy[first_symbols]) * gap_direction).sum(axis=1)
    disc_middles = np.clip((xy[first_symbols] + xy[second_symbols]) / 2, frame[:2], frame[2:])
    disc_radii = _REACH_FACTOR * (centre_distance + missing_gap)
    # discs that overlap and stretch in the same direction share the work
    (x, y), (east, south) = disc_middles.T, gap_direction.T
    distance_ratio = (_apply_to_pairs(np.subtract, x) ** 2 + _apply_to_pairs(np.subtract, y) ** 2) / _apply_to_pairs(
        np.maximum, disc_radii
    ) ** 2
    direction_agreement = (_apply_to_pairs(np.multiply, east) + _apply_to_pairs(np.multiply, south)) ** 2
    shared_load = (
        np.maximum(1.0 - distance_ratio, 0.0) ** 3 * (_ROUND_SHARE + (1.0 - _ROUND_SHARE) * direction_agreement)
    ).sum(axis=1)
    # in a crowd the others push back
    push_factor = _PUSH_FACTOR + _CROWD_PUSH * (1.0 - 1.0 / shared_load)
    disc_stretch = np.minimum(push_factor * missing_gap / np.maximum(centre_distance, 1e-3), _MOST_STRETCH)
    return _StretchDiscs(disc_middles, disc_radii, gap_direction, disc_stretch / shared_load)


def _apply_to_pairs(of: np.ufunc, values: Array) -> Array:
    """Apply a ufunc to each pair of values, shape (n, n)."""
    figures: Array = of.outer(values, values)
    return figures


def _stretch_step(discs: _StretchDiscs, frame: Area) -> WarpStep:
    """Return the warp step that stretches all discs."""
    cell_size = float(discs.radius.min()) / _CELLS_PER_RADIUS
    moving_window = _moving_window(discs, frame, cell_size)
    left, top, right, bottom = moving_window
    columns = max(4, int(np.ceil((right - left) / cell_size)))
    rows = max(4, int(np.ceil((bottom - top) / cell_size)))
    cell_width, cell_height = (right - left) / columns, (bottom - top) / rows
    knot_moves = np.zeros((rows + 1, columns + 1, 2))
    for disc_middle, disc_radius, disc_direction, disc_stretch in zip(
        discs.middle, discs.radius, discs.way, discs.stretch, strict=True
    ):
        i0, i1 = (
            max(0, int((disc_middle[0] - disc_radius - left) / cell_width)),
            int((disc_middle[0] + disc_radius - left) / cell_width) + 2,
        )
        j0, j1 = (
            max(0, int((disc_middle[1] - disc_radius - top) / cell_height)),
            int((disc_middle[1] + disc_radius - top) / cell_height) + 2,
        )
        x = (left + cell_width * np.arange(i0, min(i1, columns + 1)) - disc_middle[0])[None, :]
        y = (top + cell_height * np.arange(j0, min(j1, rows + 1)) - disc_middle[1])[:, None]
        fade_out = np.maximum(1.0 - (x * x + y * y) / (disc_radius * disc_radius), 0.0)
        fade_out = disc_stretch * fade_out * fade_out * fade_out
        along_direction = (1.0 - _ROUND_SHARE) * (x * disc_direction[0] + y * disc_direction[1])
        knot_moves[j0:j1, i0:i1, 0] += fade_out * (along_direction * disc_direction[0] + _ROUND_SHARE * x)
        knot_moves[j0:j1, i0:i1, 1] += fade_out * (along_direction * disc_direction[1] + _ROUND_SHARE * y)
    return WarpStep.of(moving_window, knot_moves)


def _moving_window(discs: _StretchDiscs, frame: Area, cell: float) -> Area:
    """Return the part of the frame that moves, with a rim that does not."""
    rim_width = _EDGE_CELLS * cell
    lower_corner = (discs.middle - discs.radius[:, None]).min(axis=0) - rim_width
    upper_corner = (discs.middle + discs.radius[:, None]).max(axis=0) + rim_width
    return (
        max(frame[0], float(lower_corner[0])),
        max(frame[1], float(lower_corner[1])),
        min(frame[2], float(upper_corner[0])),
        min(frame[3], float(upper_corner[1])),
    )
