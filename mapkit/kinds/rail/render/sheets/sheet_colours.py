"""Colours of sheets derived from a board's."""

from mapkit.drawing.inks import paper_of
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Region
from mapkit.kinds.rail.render.colours.railroad_styles import region_tint


def choose_region_tint(theme: Theme, region: Region) -> str:
    """Return the colour of a region in a theme: the paper's if regions are not filled with one."""
    return region_tint(region, theme) if theme.is_tinted else paper_of(theme)
