"""Colours of sheets, derived from a theme, and of heat maps."""

from typing import Final

from mapkit.drawing.colours.colour import contrast, grey_of, luminance
from mapkit.drawing.theme.theme import Theme

WHITE: Final = "#ffffff"
BLACK: Final = "#000000"
HEAT: Final = ("#f6efd9", "#f3d9a4", "#ecb96a", "#dd8f45", "#c0613a", "#8f3a3c", "#56233a")
"""From the least to the most; lightness falls all the way, so that no colour vision is needed."""
_LIGHT_PAPER: Final = 0.5


def paper_of(theme: Theme) -> str:
    """Return the background of a sheet: white if the theme's paper is light, to save ink."""
    return WHITE if luminance(theme.paper) > _LIGHT_PAPER else theme.paper


def theme_colour(theme: Theme, colour: str) -> str:
    """Return a colour outside the theme: unchanged, or in a theme of ink alone as grey of equal luminance."""
    return grey_of(colour) if theme.lines == "ink" else colour


def ink_on(fill: str) -> str:
    """Return white or black, whichever has more contrast to a fill."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))
