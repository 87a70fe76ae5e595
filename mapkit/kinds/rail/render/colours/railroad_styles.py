"""How railroads and regions are coloured in a theme: from the board's own colours."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mapkit.core.base import Colour
from mapkit.drawing.colours.colour import mixed, oklab, rgb
from mapkit.drawing.theme.steps import against, shifted, strengthened
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board, Region, Style
from mapkit.kinds.rail.render.colours.ink_patterns import ink_patterns

LINE_CONTRAST: Final = 3.0
"""What WCAG 2.2 (1.4.11) asks of graphics."""
LIGHT_CONTRAST: Final = 4.5
"""What lines have on a dark ground, where thin lines look thinner."""

_BOARD_LIGHTNESS: Final = (0.2, 0.7)
_LIGHT_LIGHTNESS: Final = (0.6, 0.9)
"""OKLab lightness of railroads on light ground, and of the same on dark ground."""


def railroad_styles(board: Board, theme: Theme) -> Mapping[str, Style]:
    """Return railroad id -> the style it is drawn in; `data-` attributes keep the board's own (RB-C08).

    In a dark theme colours are lightened in OKLab to 4.5:1 against the casing; hue and order of lightness are kept. In
    print all are ink, and patterns are reassigned so that railroads that touch or run side by side share one as little
    as can be.
    """
    if theme.lines == "ink":
        patterns = ink_patterns(board)
        return {r.id: Style(colour=theme.ink, pattern=patterns[r.id]) for r in board.railroads}
    colours = railroad_colours(board, theme)
    return {r.id: r.style.model_copy(update={"colour": colours[r.id]}) for r in board.railroads}


def railroad_colours(board: Board, theme: Theme) -> Mapping[str, Colour]:
    """Return railroad id -> the colour of its style, without looking for patterns, which takes far longer."""
    if theme.lines == "ink":
        return {r.id: theme.ink for r in board.railroads}
    if theme.lines == "light":
        return {r.id: lightened(r.style.colour, theme.casing) for r in board.railroads}
    return {r.id: r.style.colour for r in board.railroads}


@lru_cache(maxsize=256)
def lightened(colour: str, ground: str) -> str:
    """Return a colour that stands out from a dark ground, of the same hue; darker colours stay darker than others."""
    value = oklab(rgb(colour))
    low, high = _BOARD_LIGHTNESS
    share = min(max((float(value[0]) - low) / (high - low), 0.0), 1.0)
    least, most = _LIGHT_LIGHTNESS
    return against(shifted(colour, round(least + (most - least) * share - float(value[0]), 4)), ground, LIGHT_CONTRAST)


def region_tint(region: Region, theme: Theme) -> str:
    """Return the colour that a region is filled with, before the theme's opacity."""
    if theme.tint_ground is None:
        return region.colour
    return mixed(strengthened(region.colour, theme.tint_chroma), theme.tint_ground, theme.tint_share)


def tint_seen(region: Region, theme: Theme) -> str:
    """Return the colour that a region's ground is seen in; in a theme without tints, the land's."""
    if theme.tint != "fill":
        return theme.land
    return mixed(region_tint(region, theme), theme.land, theme.tint_opacity)
