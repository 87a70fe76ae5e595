"""Colours of railroads and regions in a theme, from the board's own colours."""

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
"""Least contrast of graphics by WCAG 2.2 (1.4.11)."""
LIGHT_CONTRAST: Final = 4.5
"""Least contrast of lines on a dark ground, where thin lines look thinner."""

_BOARD_LIGHTNESS: Final = (0.2, 0.7)
_LIGHT_LIGHTNESS: Final = (0.6, 0.9)
"""OKLab lightness of railroads on light ground, and of the same on dark ground."""


def railroad_styles(board: Board, theme: Theme) -> Mapping[str, Style]:
    """Return the drawn style of each railroad by id; `data-` attributes keep the board's own (RB-C08).

    In a dark theme colours are lightened in OKLab to 4.5:1 against the casing; hue and order of lightness are kept. In
    print all are ink, and patterns are reassigned so that adjacent railroads share as few as possible.
    """
    if theme.lines == "ink":
        pattern_of = ink_patterns(board)
        return {r.id: Style(colour=theme.ink, pattern=pattern_of[r.id]) for r in board.railroads}
    colour_of = railroad_colours(board, theme)
    return {r.id: r.style.model_copy(update={"colour": colour_of[r.id]}) for r in board.railroads}


def railroad_colours(board: Board, theme: Theme) -> Mapping[str, Colour]:
    """Return the colour of each railroad's style, without the slow search for patterns."""
    if theme.lines == "ink":
        return {r.id: theme.ink for r in board.railroads}
    if theme.lines == "light":
        return {r.id: lightened(r.style.colour, theme.casing) for r in board.railroads}
    return {r.id: r.style.colour for r in board.railroads}


@lru_cache(maxsize=256)
def lightened(colour: str, ground: str) -> str:
    """Lighten a colour to stand out from a dark ground, in the same hue; darker colours stay darker than others."""
    oklab_colour = oklab(rgb(colour))
    least_source, most_source = _BOARD_LIGHTNESS
    lightness_share = min(max((float(oklab_colour[0]) - least_source) / (most_source - least_source), 0.0), 1.0)
    least_lightness, most_lightness = _LIGHT_LIGHTNESS
    return against(
        shifted(
            colour,
            round(least_lightness + (most_lightness - least_lightness) * lightness_share - float(oklab_colour[0]), 4),
        ),
        ground,
        LIGHT_CONTRAST,
    )


def region_tint(region: Region, theme: Theme) -> str:
    """Return the fill colour of a region, before the theme's opacity."""
    if theme.tint_ground is None:
        return region.colour
    return mixed(strengthened(region.colour, theme.tint_chroma), theme.tint_ground, theme.tint_share)


def tint_seen(region: Region, theme: Theme) -> str:
    """Return the visible colour of a region's ground; in a theme without tints, the land's."""
    if theme.tint != "fill":
        return theme.land
    return mixed(region_tint(region, theme), theme.land, theme.tint_opacity)
