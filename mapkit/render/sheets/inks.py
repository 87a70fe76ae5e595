"""Colours of sheets, from a theme's."""

from typing import Final

from mapkit.model.board import Railroad, Region, Style
from mapkit.render.theme import Theme

WHITE: Final = "#ffffff"
BLACK: Final = "#000000"
_MIDDLE: Final = 0.5
_SRGB_KNEE: Final = 0.04045


def paper_of(theme: Theme) -> str:
    """Return the ground of a sheet: white where the theme's paper is light, so that it takes no ink."""
    return WHITE if luminance(theme.paper) > _MIDDLE else theme.paper


def style_of(_theme: Theme, railroad: Railroad) -> Style:
    """Return how a railroad is drawn in a theme."""
    return railroad.style


def tint_of(_theme: Theme, region: Region) -> str:
    """Return the colour of a region in a theme."""
    return region.colour


def ink_on(fill: str) -> str:
    """Return white or black, whichever stands out more from a fill."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour between two: `share` of the first, the rest of the second."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2)."""
    r, g, b = (_linear(c / 255) for c in _channels(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(value: float) -> float:
    return value / 12.92 if value <= _SRGB_KNEE else ((value + 0.055) / 1.055) ** 2.4
