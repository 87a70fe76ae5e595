"""Colours of sheets, from a theme's."""

from typing import Final

from mapkit.kinds.rail.model.board import Region
from mapkit.kinds.rail.render.colours.colour import contrast, grey_of, luminance
from mapkit.kinds.rail.render.colours.railroad_styles import region_tint
from mapkit.kinds.rail.render.theme.theme import Theme

WHITE: Final = "#ffffff"
BLACK: Final = "#000000"
_MIDDLE: Final = 0.5


def paper_of(theme: Theme) -> str:
    """Return the ground of a sheet: white where the theme's paper is light, so that it takes no ink."""
    return WHITE if luminance(theme.paper) > _MIDDLE else theme.paper


def tint_of(theme: Theme, region: Region) -> str:
    """Return the colour of a region in a theme: the paper's where regions are not filled with one."""
    return region_tint(region, theme) if theme.tint == "fill" else paper_of(theme)


def plain(theme: Theme, colour: str) -> str:
    """Return a colour that no theme states: itself, or in a theme of ink alone the grey that is as light."""
    return grey_of(colour) if theme.lines == "ink" else colour


def ink_on(fill: str) -> str:
    """Return white or black, whichever stands out more from a fill."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))
