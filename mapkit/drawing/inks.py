"""Colours of sheets, from a theme's."""

from typing import Final

from mapkit.drawing.colours.colour import contrast, grey_of, luminance
from mapkit.drawing.theme.theme import Theme

WHITE: Final = "#ffffff"
BLACK: Final = "#000000"
_MIDDLE: Final = 0.5


def paper_of(theme: Theme) -> str:
    """Return the ground of a sheet: white where the theme's paper is light, so that it takes no ink."""
    return WHITE if luminance(theme.paper) > _MIDDLE else theme.paper


def plain(theme: Theme, colour: str) -> str:
    """Return a colour that no theme states: itself, or in a theme of ink alone the grey that is as light."""
    return grey_of(colour) if theme.lines == "ink" else colour


def ink_on(fill: str) -> str:
    """Return white or black, whichever stands out more from a fill."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))
