"""Colours as numbers: sRGB, CIELAB, OKLab, contrast, and CIEDE2000 differences."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats

WHITE_D65: Final = (0.95047, 1.0, 1.08883)
"""The white point of sRGB (CIE XYZ, 2 degree observer)."""
XYZ_FROM_RGB: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
"""Linear sRGB to CIE XYZ (IEC 61966-2-1)."""

_LMS_FROM_RGB: Final = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_OKLAB_FROM_LMS: Final = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_HALF, _WHOLE = 180.0, 360.0
_BEND_ENCODED, _BEND_LIGHT = 0.04045, 0.0031308
"""Where sRGB's curve starts, on either side."""
_CHROMA_CONSTANT: Final = 25.0**7
_GAMUT_SLACK: Final = 1e-4


def rgb(colour: str) -> Floats:
    """Return `#rrggbb` as three numbers from 0 to 1, gamma-encoded."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def rgbs(colours: Sequence[str]) -> Floats:
    """Return colours as an array of shape (n, 3), gamma-encoded."""
    return np.array([rgb(colour) for colour in colours]).reshape(-1, 3)


def to_hex(value: Floats) -> str:
    """Return gamma-encoded red, green, blue as `#rrggbb`, clipped to 0 to 1."""
    parts = np.rint(np.clip(np.round(value, 6), 0.0, 1.0) * 255).astype(int).tolist()
    return "#" + "".join(f"{part:02x}" for part in parts)


def to_linear(value: Floats) -> Floats:
    """Return linear light of gamma-encoded sRGB, any shape."""
    return np.where(value <= _BEND_ENCODED, value / 12.92, ((np.maximum(value, 0.0) + 0.055) / 1.055) ** 2.4)


def to_encoded(light: Floats) -> Floats:
    """Return gamma-encoded sRGB of linear light, any shape, clipped to 0 to 1."""
    light = np.clip(light, 0.0, 1.0)
    return np.where(light <= _BEND_LIGHT, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


@lru_cache(maxsize=4096)  # few colours, asked for in every pair and theme
def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2), 0 to 1."""
    # rounded, because a power may differ in its last digit between machines
    red, green, blue = np.round(to_linear(rgb(colour)), 9).tolist()
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def grey_of(colour: str) -> str:
    """Return the grey with the luminance of a colour."""
    return to_hex(to_encoded(np.full(3, luminance(colour))))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2), 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mix_colours(over: str, under: str, opacity: float) -> str:
    """Return the visible colour of `over` on `under` with an opacity from 0 to 1, as SVG blends it."""
    pairs = zip(bytes.fromhex(over[1:]), bytes.fromhex(under[1:]), strict=True)
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in pairs)


def lab(value: Floats) -> Floats:
    """Return CIELAB (D65) of gamma-encoded sRGB, shape (..., 3)."""
    xyz = to_linear(value) @ XYZ_FROM_RGB.T / np.array(WHITE_D65)
    curved_xyz = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack(
        [
            116 * curved_xyz[..., 1] - 16,
            500 * (curved_xyz[..., 0] - curved_xyz[..., 1]),
            200 * (curved_xyz[..., 1] - curved_xyz[..., 2]),
        ],
        axis=-1,
    )


def lightness(value: Floats) -> Floats:
    """Return CIELAB lightness, 0 to 100, of gamma-encoded sRGB of shape (..., 3)."""
    return np.asarray(lab(value)[..., 0])


def oklab(value: Floats) -> Floats:
    """Return OKLab (Ottosson 2020) of gamma-encoded sRGB, shape (..., 3)."""
    return np.asarray(np.cbrt(to_linear(value) @ _LMS_FROM_RGB.T) @ _OKLAB_FROM_LMS.T)


def in_gamut(light: Floats) -> bool:
    """Return whether sRGB has a colour, given as linear light."""
    return bool(light.min() >= -_GAMUT_SLACK and light.max() <= 1 + _GAMUT_SLACK)


def oklab_to_light(value: Floats) -> Floats:
    """Return linear sRGB of OKLab, shape (..., 3); outside 0 to 1 there is no such colour in sRGB."""
    cube_roots = value @ np.linalg.inv(_OKLAB_FROM_LMS).T
    return np.asarray(cube_roots**3 @ np.linalg.inv(_LMS_FROM_RGB).T)


def ciede2000(one: Floats, other: Floats) -> Floats:
    """Return the CIEDE2000 differences of CIELAB colours, shapes (..., 3) that broadcast.

    With kL = kC = kH = 1, as Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes,
    supplementary test data, and mathematical observations" (2005) write it down.
    """
    l1, a1, b1 = (one[..., i] for i in range(3))
    l2, a2, b2 = (other[..., i] for i in range(3))
    mean7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    a_stretch = 1 + 0.5 * (1 - np.sqrt(mean7 / (mean7 + _CHROMA_CONSTANT)))
    c1, c2 = np.hypot(a_stretch * a1, b1), np.hypot(a_stretch * a2, b2)
    h1 = np.degrees(np.arctan2(b1, a_stretch * a1)) % 360
    h2 = np.degrees(np.arctan2(b2, a_stretch * a2)) % 360
    is_grey = c1 * c2 == 0
    hue_turn = h2 - h1
    hue_turn = np.where(hue_turn > _HALF, hue_turn - _WHOLE, np.where(hue_turn < -_HALF, hue_turn + _WHOLE, hue_turn))
    hue_turn = np.where(is_grey, 0.0, hue_turn)
    lightness_difference, chroma_difference = l2 - l1, c2 - c1
    hue_difference = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(hue_turn) / 2)
    l_mean, c_mean, h_sum = (l1 + l2) / 2, (c1 + c2) / 2, h1 + h2
    h_mean = np.where(
        np.abs(h1 - h2) <= _HALF, h_sum / 2, np.where(h_sum < _WHOLE, (h_sum + _WHOLE) / 2, (h_sum - _WHOLE) / 2)
    )
    h_mean = np.where(is_grey, h_sum, h_mean)
    t = (
        1
        - 0.17 * np.cos(np.radians(h_mean - 30))
        + 0.24 * np.cos(np.radians(2 * h_mean))
        + 0.32 * np.cos(np.radians(3 * h_mean + 6))
        - 0.20 * np.cos(np.radians(4 * h_mean - 63))
    )
    c7 = c_mean**7
    squared_offset = (l_mean - 50) ** 2
    s_l = 1 + 0.015 * squared_offset / np.sqrt(20 + squared_offset)
    s_c = 1 + 0.045 * c_mean
    s_h = 1 + 0.015 * c_mean * t
    rotation_angle = np.radians(60 * np.exp(-(((h_mean - 275) / 25) ** 2)))
    r_t = -np.sin(rotation_angle) * 2 * np.sqrt(c7 / (c7 + _CHROMA_CONSTANT))
    of_l, of_c, of_h = lightness_difference / s_l, chroma_difference / s_c, hue_difference / s_h
    return np.asarray(np.sqrt(np.maximum(of_l**2 + of_c**2 + of_h**2 + r_t * of_c * of_h, 0.0)))
