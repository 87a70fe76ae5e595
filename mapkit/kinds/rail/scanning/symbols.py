"""Dots and squares of a scanned board: their positions, kinds and confidences.

A symbol is a patch of one ink that is as wide as it is high. Names and lines in the same ink are thinner, so the search
starts from the deepest pixels of the ink: 64 rays from each measure the reach of the ink, and a disc or a square is
fitted to their ends. All dots of a board have one size, the most frequent; squares may have several frequent ones, as
large and small cities do. Patches of other sizes are left out.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Floats32, connected_components, find_deep_pixels
from mapkit.kinds.rail.scanning.inks import Keys, distances_from_colour

# Bars: dots extended across lines that run side by side. A bar is as wide as a dot and has round ends.

_CORE_DEPTH: Final = 1.0
"""Depth of the core of a bar below its deepest pixels, pixels."""
_MIN_LENGTH: Final = 0.5
_MAX_LENGTH: Final = 5.0
"""Limits of half the length of a bar's core, in halves of its width."""
_MAX_CORE_SPREAD: Final = 0.3
"""Greatest spread of the core across the bar, in halves of its width."""
_SPOT_SPACING: Final = 0.25
"""Distance between the spots along a bar, in halves of its width."""


@dataclass(frozen=True)
class Bar:
    """Segment that may be the core of a bar: its middle, its direction, and half its length, pixels."""

    x: float
    y: float
    along: tuple[float, float]
    reach: float

    def ends(self, angles: Floats, half: float) -> Floats:
        """Return the distance of the bar's edge from its middle at some angles, for a width of twice `half`."""
        along_share = np.abs(np.cos(angles) * self.along[0] + np.sin(angles) * self.along[1])
        across_share = np.sqrt(np.maximum(1 - along_share**2, 1e-12))
        side_distance = half / across_share
        cap_distance = self.reach * along_share + np.sqrt(np.maximum(half**2 - (self.reach * across_share) ** 2, 0))
        return np.asarray(np.where(side_distance * along_share <= self.reach, side_distance, cap_distance))

    def spots(self, half: float) -> tuple[tuple[float, float], ...]:
        """Return points along the bar; discs around them cover it."""
        steps = np.linspace(-self.reach, self.reach, max(2, round(2 * self.reach / (_SPOT_SPACING * half)) + 1))
        return tuple((self.x + float(t) * self.along[0], self.y + float(t) * self.along[1]) for t in steps)


def find_bar(x: Floats, y: Floats, depth: Floats) -> Bar | None:
    """Return the segment through the deepest ink of a patch; None if the patch is about as long as wide.

    Args:
        x: Pixels of the patch.
        y: Likewise.
        depth: How far each is from the edge of the ink.
    """
    max_depth = float(depth.max())
    is_core = depth >= max_depth - _CORE_DEPTH
    core_xy = np.stack((x[is_core], y[is_core]), axis=1)
    core_middle = core_xy.mean(axis=0)
    _, _, axes = np.linalg.svd(core_xy - core_middle, full_matrices=False)
    if len(axes) < 2:  # noqa: PLR2004 - a plane has two axes
        return None
    along, across = ((core_xy - core_middle) @ axis for axis in axes)
    first_along, last_along = float(along.min()), float(along.max())
    reach = (last_along - first_along) / 2
    if (
        not _MIN_LENGTH * max_depth <= reach <= _MAX_LENGTH * max_depth
        or float(across.std()) > _MAX_CORE_SPREAD * max_depth
    ):
        return None
    x0, y0 = core_middle + axes[0] * (first_along + last_along) / 2
    return Bar(float(x0), float(y0), (float(axes[0][0]), float(axes[0][1])), reach)


Kind = Literal["dot", "square"]

PALEST_GROUND: Final = 0.47
"""OKLab distance of the palest ground from the ink of symbols; the edge of a symbol is at half of it."""
_MIN_INK: Final = 0.6
LEAST_RADIUS: Final = 3
MOST_RADIUS: Final = 60
_MAX_DEPTH: Final = MOST_RADIUS // 2
_RAY_COUNT: Final = 64
_RAY_ANGLES: Final[Floats] = np.arange(_RAY_COUNT, dtype=np.float64) * (2 * np.pi / _RAY_COUNT)
_SQUARE_TURNS: Final = np.radians(np.arange(-45, 45, 5))
_MAX_GOOD_ERROR: Final = 0.08
_TYPICAL_DISC: Final = 0.8
_TYPICAL_SQUARE: Final = 0.85
"""Least shares of rays that fit a disc or a square, in symbols that determine the usual size."""
_SQUARE_LEAD: Final = 0.6
"""Greatest ratio of the errors as a square and as a disc of a square that is smaller than most."""
_LEAST_DISC: Final = 0.55
_LEAST_SQUARE: Final = 0.7
_LEAST_BAR: Final = 0.85
"""The same for all symbols; lines in the same ink lengthen rays."""
_EDGE_VALUE: Final = 0.5
_SIZE_BIN: Final = 0.06
_MIN_FREQUENT: Final = 5
_FREQUENT_SHARE: Final = 0.15
"""Least number and share of squares that have one size as others than the most frequent."""
_TWIN_GAP: Final = 1.35
_COLOUR_TOLERANCE: Final = 0.07
"""Margin beyond the usual distance of a symbol's colour from the ink, in OKLab."""


@dataclass(frozen=True)
class Symbol:
    """Dot or square: its middle in pixels, half its width, and its confidence, 0 to 1.

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

    `patches` counts patches about as wide as high in their ink, of any size and shape.
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


def find_symbols(keys: Keys, ink: Floats, palest_ground: float = PALEST_GROUND) -> tuple[tuple[Symbol, ...], Sizes]:
    """Return the symbols of a picture in one ink, from top to bottom, and their sizes.

    Args:
        keys: Of the picture, in the table of colours.
        ink: OKLab of what dots and squares are filled with.
        palest_ground: OKLab distance from it of what lies around symbols.
    """
    ink_distance = distances_from_colour(ink)
    ink_share = np.clip(1 - (ink_distance - 0.02) / (palest_ground - 0.02), 0.0, 1.0).astype(np.float32)
    # Deeper pixels are left out: the rim of a large dot is enough, and a dark ground takes little memory.
    ys, xs, squared_depths = find_deep_pixels((ink_share > _MIN_INK)[keys], LEAST_RADIUS, _MAX_DEPTH)
    blobs: list[_Blob] = []
    for group in connected_components(ys, xs):
        group_depths = np.sqrt(squared_depths[group])
        max_depth = float(group_depths.max())
        if len(group) > 4 * (2 * max_depth + 3) ** 2:
            continue  # a patch of ground
        deepest_pixels = group[group_depths >= max_depth - 0.5]
        x, y = float(xs[deepest_pixels].mean()), float(ys[deepest_pixels].mean())
        blob_colour_off = float(ink_distance[keys[ys[deepest_pixels], xs[deepest_pixels]]].mean())
        blob_bar = find_bar(xs[group].astype(float), ys[group].astype(float), group_depths)
        fitted_blob = _fit_blob(ink_share, keys, x, y, max_depth, blob_colour_off, blob_bar)
        if fitted_blob is not None:
            blobs.append(fitted_blob)
    return _blobs_to_symbols(blobs)


def _fit_blob(
    ink_share: Floats32, keys: Keys, x: float, y: float, most: float, colour_off: float, bar: Bar | None
) -> _Blob | None:
    """Fit a disc and a square to the ends of the rays from a spot; `ink_share` is that of each colour of the table."""
    ray_ends = _measure_rays(ink_share, keys, x, y, 3 * most + 4)
    disc_radius = float(np.median(ray_ends))
    if disc_radius < 1:
        return None
    turned_angles = _RAY_ANGLES[None] - _SQUARE_TURNS[:, None]
    square_shapes = 1 / np.maximum(np.abs(np.cos(turned_angles)), np.abs(np.sin(turned_angles)))
    half_widths = np.median(ray_ends[None] / square_shapes, axis=1)
    ray_misses = np.abs(ray_ends[None] - half_widths[:, None] * square_shapes)
    square_errors = np.median(ray_misses, axis=1) / half_widths
    square_shares = (ray_misses < 0.12 * half_widths[:, None] + 0.7).mean(axis=1)
    best_turn = int((square_shares - square_errors).argmax())
    return _Blob(
        x,
        y,
        colour_off,
        disc_radius,
        float(np.median(np.abs(ray_ends - disc_radius))) / disc_radius,
        float((np.abs(ray_ends - disc_radius) < 0.15 * disc_radius + 0.7).mean()),
        float(half_widths[best_turn]),
        float(square_errors[best_turn]),
        float(square_shares[best_turn]),
        bar,
        _measure_rays(ink_share, keys, bar.x, bar.y, 3 * most + bar.reach + 4) if bar else ray_ends,
    )


def _measure_rays(ink_share: Floats32, keys: Keys, x: float, y: float, reach: float) -> Floats:
    """Return the reach of the ink from a spot in all directions, in parts of a pixel."""
    ray_steps = np.arange(0, reach, 0.5)
    height, width = keys.shape
    ray_x = np.clip(x + np.cos(_RAY_ANGLES)[:, None] * ray_steps, 0, width - 1.001)
    ray_y = np.clip(y + np.sin(_RAY_ANGLES)[:, None] * ray_steps, 0, height - 1.001)
    left, top = ray_x.astype(int), ray_y.astype(int)
    fx, fy = ray_x - left, ray_y - top
    ink_values = (
        ink_share[keys[top, left]] * (1 - fx) * (1 - fy)
        + ink_share[keys[top, left + 1]] * fx * (1 - fy)
        + ink_share[keys[top + 1, left]] * (1 - fx) * fy
        + ink_share[keys[top + 1, left + 1]] * fx * fy
    )
    is_outside = ink_values < _EDGE_VALUE
    first_outside = np.maximum(np.where(is_outside.any(axis=1), is_outside.argmax(axis=1), len(ray_steps) - 1), 1)
    ray_rows = np.arange(_RAY_COUNT)
    value_before, value_after = ink_values[ray_rows, first_outside - 1], ink_values[ray_rows, first_outside]
    edge_share = np.where(
        value_before > value_after, (value_before - _EDGE_VALUE) / np.maximum(value_before - value_after, 1e-6), 0.5
    )
    return np.asarray((first_outside - 1 + np.clip(edge_share, 0, 1)) * 0.5)


def _blobs_to_symbols(blobs: list[_Blob]) -> tuple[tuple[Symbol, ...], Sizes]:
    """Return the blobs of the usual size as symbols."""
    disc_blobs = [
        b for b in blobs if b.radius_error < min(_MAX_GOOD_ERROR, b.half_error) and b.round_share >= _TYPICAL_DISC
    ]
    dot_radius = next(iter(_find_usual_sizes([b.radius for b in disc_blobs])), 0.0)
    square_blobs = [
        b
        for b in blobs
        if b.half_error < min(_MAX_GOOD_ERROR, b.radius_error)
        and b.square_share >= _TYPICAL_SQUARE
        and b.half > 1.2 * dot_radius
    ]
    square_halves = _find_usual_sizes([b.half for b in square_blobs])
    square_half = next(iter(square_halves), 0.0)
    colour_offsets = np.array([b.colour_off for b in (*disc_blobs, *square_blobs)])
    max_colour_off = float(np.median(colour_offsets)) + _COLOUR_TOLERANCE if len(colour_offsets) else 0.0
    found_symbols: list[Symbol] = []
    for b in blobs:
        if b.colour_off > max_colour_off:
            continue
        if any(_has_size(b, half) for half in square_halves) or _is_smaller_square(b, dot_radius, square_half):
            found_symbols.append(Symbol("square", b.x, b.y, b.half, b.square_share))
        elif dot_radius and b.bar and (bar_share := _bar_share(b, dot_radius)) >= max(_LEAST_BAR, b.round_share):
            found_symbols.append(Symbol("dot", b.bar.x, b.bar.y, dot_radius, bar_share, b.bar.spots(dot_radius)))
        elif (
            dot_radius
            and -0.1 * dot_radius - 0.3 < b.radius - dot_radius < 0.45 * dot_radius
            and b.round_share >= _LEAST_DISC
        ):
            found_symbols.append(Symbol("dot", b.x, b.y, dot_radius, b.round_share))
    found_symbols = _join_twins(found_symbols)
    return tuple(sorted(found_symbols, key=lambda s: (s.y, s.x))), Sizes(dot_radius, square_half, len(blobs))


def _has_size(b: _Blob, half: float) -> bool:
    return abs(b.half - half) < 0.15 * half and b.square_share >= _LEAST_SQUARE


def _is_smaller_square(b: _Blob, dot: float, half: float) -> bool:
    """Return whether a blob between dots and squares in size, such as a small city, is clearly square."""
    return dot < b.half < half and b.square_share >= _TYPICAL_SQUARE and b.half_error < _SQUARE_LEAD * b.radius_error


def _bar_share(b: _Blob, dot: float) -> float:
    """Return the share of the rays that end like those of a bar as wide as a dot."""
    if b.bar is None:
        return 0.0
    return float((np.abs(b.bar_ends - b.bar.ends(_RAY_ANGLES, dot)) < 0.15 * dot + 0.7).mean())


def _find_usual_sizes(values: list[float]) -> list[float]:
    """Return the most frequent size, then others that are frequent too."""
    size_array = np.array(values)
    size_bins = np.round(np.log(size_array) / _SIZE_BIN).astype(int)
    usual_sizes: list[float] = []
    while len(size_bins):
        bin_counts = Counter(size_bins.tolist())
        best_bin = max(
            bin_counts, key=lambda step: (bin_counts[step - 1] + bin_counts[step] + bin_counts[step + 1], step)
        )
        is_alike = np.abs(size_bins - best_bin) <= 1
        if usual_sizes and is_alike.sum() < max(_MIN_FREQUENT, _FREQUENT_SHARE * len(values)):
            break
        usual_sizes.append(float(np.median(size_array[is_alike])))
        size_array, size_bins = size_array[~is_alike], size_bins[~is_alike]
    return usual_sizes


def _join_twins(found: list[Symbol]) -> list[Symbol]:
    """Return symbols with two squares side by side as one."""
    joined_symbols: list[Symbol] = []
    taken_symbols: set[int] = set()
    for i, first_symbol in enumerate(found):
        if i in taken_symbols:
            continue
        joined_symbol = first_symbol
        for j in range(i + 1, len(found)) if first_symbol.kind == "square" else ():
            second_symbol = found[j]
            half = max(first_symbol.half, second_symbol.half)
            wide_distance, narrow_distance = sorted(
                (abs(second_symbol.x - first_symbol.x), abs(second_symbol.y - first_symbol.y)), reverse=True
            )
            if (
                j not in taken_symbols
                and second_symbol.kind == "square"
                and wide_distance < 2 * half * _TWIN_GAP + 1
                and narrow_distance < 0.3 * half
            ):
                taken_symbols.add(j)
                twin_spots = ((first_symbol.x, first_symbol.y), (second_symbol.x, second_symbol.y))
                x, y = (first_symbol.x + second_symbol.x) / 2, (first_symbol.y + second_symbol.y) / 2
                joined_symbol = Symbol("square", x, y, half, min(first_symbol.sure, second_symbol.sure), twin_spots)
                break
        joined_symbols.append(joined_symbol)
    return joined_symbols
