"""Inks of pixels: colours compared in OKLab, and the pale edges of lines assigned to the colour beside them.

A scan has few relevant colours: the inks of railroads, that of dots and names, and grounds, which cover most of it. A
table of all colours, with 64 steps per channel, holds the distance of each from these, so a picture of any size is one
look-up. At the edge of a line, ink and ground mix and look like another, paler ink; so each pixel takes the colour of
the neighbour most different from all grounds. A pixel may be of several similar inks: the railroad of a line is decided
by its whole length.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.core.arrays import Floats
from mapkit.drawing.colours.colour import oklab, rgb
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, neighbour_slices

Keys = NDArray[np.uint32]

_CHANNEL_BITS: Final = 6
_CHANNEL_STEPS: Final = 1 << _CHANNEL_BITS
GROUND_SHARE: Final = 0.001
"""Share of the picture that makes a colour a ground."""
_WIDE_SHARE: Final = 0.02
"""Share of the picture that makes a colour a ground even if it is as light or dark as inks, unlike a frame."""
_MAX_GROUNDS: Final = 80
_CELL: Final = 4
"""Width of cells of the picture, pixels: more than the screens of printers, and not much more than a line."""
_FLAT_RANGE: Final = 14
"""Greatest difference of any channel, of 255, between a flat cell and those around it."""
_FLAT_SHARE: Final = 0.002
"""Share of the flat cells that makes a colour a ground."""
_GROUND_DISTANCE: Final = 0.03
_MIN_INK_DISTANCE: Final = 0.06
"""Least distance of a ground from any ink, in OKLab."""
SURE: Final = 0.08
FAR: Final = 0.10
"""Distances to an ink's colour within which a pixel is of the ink (`SURE`), or may hide a line under it (`FAR`)."""
_ALIKE_DISTANCE: Final = 0.03
"""Lead in OKLab of another ink up to which a pixel still counts as of an ink."""
_GROUND_NEAR: Final = 0.05
_STRENGTH_SCALE: Final = 400.0
_PAPER_SHARES: Final = (0.15, 0.3, 0.45)
"""Shares of paper in the pixels of lines thinner than a pixel or two."""
_PAPER_COST: Final = 0.12
_HUE_STEP: Final = 0.0125
"""Step of the angles of hues, radians."""
_MAX_HUE: Final = 56
"""Greatest angle between a pixel and its ink, in these steps."""
_ALIKE_HUE: Final = 16
"""Lead of another ink up to which a pixel still counts as of an ink, in these steps."""
_HUE_BLUR: Final = (0.0625, 0.25, 0.375, 0.25, 0.0625)
"""Weights of the pixels of the picture of half the size over which a pixel shares its hue, along and across."""
_GROUND_CELL: Final = 4
"""Width of the cells that show the ground, in the same pixels."""
_GROUND_CELLS: Final = 5
"""Number of cells in a row and in a column whose median is the ground."""
_DARK: Final = 0.35
_BLACK_ANGLE: Final = 0.6
"""Greatest lightness in OKLab of black inks, and angle from that of symbols on white, radians."""
_BLEND_AXES: Final = np.diag((1.0, 6.0, 6.0)) @ np.array(
    [[0.299, 0.587, 0.114], [-0.169, -0.331, 0.5], [0.5, -0.419, -0.081]]
)
"""Luma and chroma (ITU-R BT.601) of red, green and blue; chroma weighs more, because it shows the ink."""


@dataclass(frozen=True)
class InkDistances:
    """Distance of each pixel from some inks.

    Attributes:
        keys: The colour of each pixel, or of that neighbour which differs most from all grounds.
        off: How far each colour of the table is from each ink, OKLab; of shape (inks, colours).
        from_ground: Likewise from the nearest ground.
        hues: Angle of the blurred picture of half the size from the direction of each ink, in steps of `_HUE_STEP`, of
            shape (inks, height, width); None if colours alone tell inks apart.
    """

    keys: Keys
    off: Floats32
    from_ground: Floats32
    hues: NDArray[np.uint8] | None = None

    @cached_property
    def _nearest_ink(self) -> Floats32:
        return np.asarray(self.off.min(axis=0), np.float32)

    @cached_property
    def _nearest_hue(self) -> NDArray[np.uint8]:
        return np.zeros((0, 0), np.uint8) if self.hues is None else self.hues.min(axis=0)

    def of(self, number: int) -> Bools:
        """Return the mask of pixels that may be of an ink: no other ink is much nearer, nor is a ground."""
        ink_distance = self.off[number]
        is_of_ink = (
            (ink_distance < SURE)
            & (ink_distance <= self._nearest_ink + _ALIKE_DISTANCE)
            & self._is_off_ground(ink_distance)
        )[self.keys]
        if self.hues is None:
            return np.asarray(is_of_ink)
        own_hue = self.hues[number]
        is_of_hue = (own_hue < _MAX_HUE) & (own_hue <= self._nearest_hue + _ALIKE_HUE)
        is_stroke = (self.from_ground > _GROUND_NEAR)[self.keys]
        height, width = (2 * side for side in own_hue.shape)
        is_of_ink[:height, :width] |= is_stroke[:height, :width] & is_of_hue.repeat(2, axis=0).repeat(2, axis=1)
        return np.asarray(is_of_ink)

    def of_any(self) -> Bools:
        """Return the mask of pixels of any ink but the last, that of symbols."""
        ink_distance = self.off[:-1].min(axis=0)
        return np.asarray(((ink_distance < FAR) & self._is_off_ground(ink_distance))[self.keys])

    def of_names(self) -> Bools:
        """Return the mask of pixels of the last ink, that of symbols and names."""
        ink_distance = self.off[-1]
        return np.asarray(
            ((ink_distance < FAR) & (ink_distance <= self._nearest_ink) & self._is_off_ground(ink_distance))[self.keys]
        )

    def _is_off_ground(self, off: Floats32) -> Bools:
        return np.asarray(self.from_ground > np.minimum(off, _GROUND_NEAR))


@cache
def colour_table() -> Floats:
    """Return OKLab of every colour of the table, by its key."""
    return oklab(_table_channels())


@cache
def blend_table() -> Floats:
    """Return the blend coordinates of every colour of the table, by its key: luma and weighted chroma.

    Blur, JPEG and printers' screens average these, so that their sum across a stroke keeps the direction of its ink
    from the ground, however thin the stroke is.
    """
    return rgb_to_blend(_table_channels())


def rgb_to_blend(channels: Floats) -> Floats:
    """Return the blend coordinates of red, green and blue in the last axis, 0 to 1."""
    return np.asarray(channels @ _BLEND_AXES.T)


def blend_to_rgb(blends: Floats) -> Floats:
    """Return red, green and blue of blend coordinates in the last axis."""
    return np.asarray(blends @ np.linalg.inv(_BLEND_AXES).T)


def colour_blend(colour: str) -> Floats:
    """Return the blend coordinates of `#rrggbb`."""
    return rgb_to_blend(np.array(rgb(colour)))


def measure_angles(shifts: Floats, grounds: Floats, ink: Floats) -> Floats:
    """Return the angle of each shift from the direction of an ink, radians.

    Args:
        shifts: Differences from the ground beside them, in blend coordinates, of shape (n, 3).
        grounds: The grounds, of the same shape.
        ink: Blend coordinates of the ink.
    """
    directions = ink - grounds
    lengths = np.linalg.norm(shifts, axis=1) * np.linalg.norm(directions, axis=1)
    return np.asarray(np.arccos(np.clip((shifts * directions).sum(axis=1) / np.maximum(lengths, 1e-9), -1.0, 1.0)))


def _measure_hues(keys: Keys, inks: Sequence[Floats] | Floats) -> NDArray[np.uint8]:
    """Return the angle of a picture from the direction of each ink, as in `InkDistances.hues`.

    Args:
        keys: Of the picture.
        inks: Blend coordinates of each ink.
    """
    height, width = (side // 2 * 2 for side in keys.shape)
    shifts = []
    grounds = []
    for channel in blend_table().T.astype(np.float32):
        values = channel[keys[:height, :width]]
        halved = (values[0::2, 0::2] + values[0::2, 1::2] + values[1::2, 0::2] + values[1::2, 1::2]) / 4
        cells = halved[: height // 2 // _GROUND_CELL * _GROUND_CELL, : width // 2 // _GROUND_CELL * _GROUND_CELL]
        cells = cells.reshape(cells.shape[0] // _GROUND_CELL, _GROUND_CELL, -1, _GROUND_CELL).mean(axis=(1, 3))
        padded = np.pad(cells, _GROUND_CELLS // 2, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, (_GROUND_CELLS, _GROUND_CELLS))
        ground = np.median(windows, axis=(2, 3))
        ground = ground.repeat(_GROUND_CELL, axis=0).repeat(_GROUND_CELL, axis=1)
        pads = ((0, halved.shape[0] - ground.shape[0]), (0, halved.shape[1] - ground.shape[1]))
        ground = np.pad(ground, pads, mode="edge")
        shifts.append(_blur(halved - ground))
        grounds.append(ground)
    lengths = np.sqrt(sum(shift * shift for shift in shifts))
    hues = np.zeros((len(inks), *lengths.shape), np.uint8)
    for number, ink in enumerate(inks):
        directions = [np.float32(value) - ground for value, ground in zip(ink, grounds, strict=True)]
        products = sum(shift * direction for shift, direction in zip(shifts, directions, strict=True))
        sizes = np.sqrt(sum(direction * direction for direction in directions))
        cosines = np.clip(products / np.maximum(lengths * sizes, 1e-9), -1, 1)
        hues[number] = np.minimum(np.arccos(cosines) / _HUE_STEP, 255)
    return hues


def _blur(values: Floats32) -> Floats32:
    """Return values averaged by `_HUE_BLUR`."""
    blurred = values
    for _ in range(2):
        reach = len(_HUE_BLUR) // 2
        padded = np.pad(blurred, ((reach, reach), (0, 0)), mode="edge")
        shifted = (np.float32(weight) * padded[i : i + len(blurred)] for i, weight in enumerate(_HUE_BLUR))
        blurred = functools.reduce(np.add, shifted).T
    return blurred


def _table_channels() -> Floats:
    """Return red, green and blue of every colour of the table, 0 to 1."""
    values = (np.arange(_CHANNEL_STEPS) + 0.5) / _CHANNEL_STEPS
    return np.stack(np.meshgrid(values, values, values, indexing="ij"), axis=-1).reshape(-1, 3)


def pixels_to_keys(pixels: Pixels) -> Keys:
    """Return each pixel's key in the table of colours."""
    keys = np.zeros(pixels.shape[:-1], np.uint32)
    for channel in range(3):
        keys <<= _CHANNEL_BITS
        keys |= pixels[..., channel] >> (8 - _CHANNEL_BITS)
    return keys


def colour_lab(colour: str) -> Floats:
    """Return OKLab of `#rrggbb`."""
    return oklab(rgb(colour))


def distances_from_colour(colour: Floats) -> Floats:
    """Return the OKLab distance of every colour of the table from one colour."""
    return np.asarray(np.linalg.norm(colour_table() - colour, axis=1))


def find_grounds(keys: Keys, inks: Floats, share: float = GROUND_SHARE) -> Floats:
    """Return the colours that cover most of a picture and are not near any ink, the most frequent first."""
    key_counts = np.bincount(keys.ravel(), minlength=_CHANNEL_STEPS**3)
    table = colour_table()
    ground_colours: list[Floats] = []
    for key in np.argsort(-key_counts, kind="stable")[:_MAX_GROUNDS]:
        if key_counts[key] < keys.size * share:
            break
        colour = table[key]
        if _is_ground(colour, inks, key_counts, table) and all(
            float(np.linalg.norm(ground_colour - colour)) > _GROUND_DISTANCE for ground_colour in ground_colours
        ):
            ground_colours.append(colour)
    return np.array(ground_colours).reshape(-1, 3)


def merge_grounds(first: Floats, second: Floats) -> Floats:
    """Return the colours of `first`, and those of `second` that are not near any of them."""
    new_grounds = [c for c in second if not (np.linalg.norm(first - c, axis=1) <= _GROUND_DISTANCE).any()]
    return np.concatenate((first, np.array(new_grounds).reshape(-1, 3)))


def _find_flat_keys(pixels: Pixels) -> Keys:
    """Return the mean colours of the cells of a picture that look like all cells around them.

    Grain of paper, noise and printers' screens spread a ground over many colours; the means of cells do not show them.
    """
    height, width = pixels.shape[0] // _CELL * _CELL, pixels.shape[1] // _CELL * _CELL
    if min(height, width) < 3 * _CELL:
        return np.zeros(0, np.uint32)
    cells = np.asarray(Image.fromarray(pixels[:height, :width]).reduce(_CELL), np.int16)
    lowest, highest = cells.copy(), cells.copy()
    for own_slice, neighbour_slice in neighbour_slices(*cells.shape[:2]):
        np.minimum(lowest[own_slice], cells[neighbour_slice], out=lowest[own_slice])
        np.maximum(highest[own_slice], cells[neighbour_slice], out=highest[own_slice])
    is_flat = (highest - lowest).max(axis=2) <= _FLAT_RANGE
    return pixels_to_keys(cells[is_flat].astype(np.uint8))


def _is_ground(colour: Floats, inks: Floats, counts: NDArray[np.int64], table: Floats) -> bool:
    """Return whether a colour is far from all inks, and lighter or darker than all of them unless it covers much."""
    if not len(inks):
        return True
    if float(np.linalg.norm(inks - colour, axis=1).min()) < _MIN_INK_DISTANCE:
        return False
    if not inks[:, 0].min() <= colour[0] <= inks[:, 0].max():
        return True
    is_alike = np.linalg.norm(table - colour, axis=1) < _GROUND_DISTANCE
    return bool(counts[is_alike].sum() >= _WIDE_SHARE * counts.sum())


def _distances_from_ink(ink: Floats, paper: Floats | None) -> Floats:
    """Return the distance of every colour of the table from an ink, or from a thin line of it on paper."""
    ink_distance = distances_from_colour(ink)
    if paper is None:
        return ink_distance
    for share in _PAPER_SHARES:
        ink_distance = np.minimum(
            ink_distance, distances_from_colour(ink + share * (paper - ink)) + _PAPER_COST * share
        )
    return ink_distance


def blend_inks(colours: Sequence[str], symbol_colour: str) -> Floats:
    """Return the blend coordinates of inks and of symbols, the last.

    A tint below it gives black a hue: an ink about as dark as symbols is theirs.
    """
    symbols = colour_blend(symbol_colour)
    blends = np.array([*(colour_blend(colour) for colour in colours), symbols])
    is_dark = np.array([colour_lab(colour)[0] < _DARK for colour in (*colours, symbol_colour)])
    white = colour_blend("#ffffff")[None]
    is_black = is_dark & (measure_angles(blends - white, white, symbols) < _BLACK_ANGLE)
    blends[is_black] = symbols
    return blends


def read_inks(pixels: Pixels, colours: Sequence[Floats], blends: Sequence[Floats] | Floats = ()) -> InkDistances:
    """Return the distance of each pixel from some inks; the last is that of symbols and names.

    Args:
        pixels: The picture.
        colours: OKLab of the inks.
        blends: Blend coordinates of the inks, if their hues are to be told apart as well.
    """
    keys = pixels_to_keys(pixels)
    inks = np.array(colours).reshape(-1, 3)
    grounds = merge_grounds(find_grounds(keys, inks), find_grounds(_find_flat_keys(pixels), inks, _FLAT_SHARE))
    # The paper beside thin lines is the ground that most differs from the inks in lightness.
    lightness_difference = np.abs(grounds[:, 0] - inks[:, 0].mean())
    paper = np.asarray(grounds[int(lightness_difference.argmax())]) if len(grounds) else None
    ink_distances = np.stack([_distances_from_ink(colour, paper) for colour in inks]).astype(np.float32)
    no_ground = np.full(ink_distances.shape[1], 1.0)
    ground_distance = (
        np.stack([distances_from_colour(c) for c in grounds], axis=1).min(axis=1) if len(grounds) else no_ground
    )
    key_strength = np.minimum(ground_distance * _STRENGTH_SCALE, 255).astype(np.uint8)
    # Each pixel takes the colour of its strongest neighbour, if that is stronger than itself.
    strength = key_strength[keys]
    strongest_keys, strongest = keys.copy(), strength.copy()
    for own_slice, neighbour_slice in neighbour_slices(*keys.shape):
        is_stronger = strength[neighbour_slice] > strongest[own_slice]
        np.copyto(strongest[own_slice], strength[neighbour_slice], where=is_stronger)
        np.copyto(strongest_keys[own_slice], keys[neighbour_slice], where=is_stronger)
    hues = _measure_hues(keys, blends) if len(blends) else None
    return InkDistances(strongest_keys, ink_distances, ground_distance.astype(np.float32), hues)
