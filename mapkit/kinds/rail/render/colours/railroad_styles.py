"""Colours of railroads and regions in a theme, derived from the board's own colours."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mapkit.core.base import Colour
from mapkit.drawing.colours.colour import mix_colours, oklab, rgb
from mapkit.drawing.theme.steps import ensure_contrast, scale_chroma, shift_lightness
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board, Region, Style
from mapkit.kinds.rail.render.colours.ink_patterns import assign_ink_patterns

LINE_CONTRAST: Final = 3.0
"""Least contrast of graphics by WCAG 2.2 (1.4.11)."""
LIGHT_CONTRAST: Final = 4.5
"""Least contrast of lines on a dark ground, where thin lines look thinner."""

_BOARD_LIGHTNESS: Final = (0.2, 0.7)
_LIGHT_LIGHTNESS: Final = (0.6, 0.9)
"""Range of the OKLab lightness of railroads on dark ground; `_BOARD_LIGHTNESS` is the range on light ground."""


def choose_railroad_styles(board: Board, theme: Theme) -> Mapping[str, Style]:
    """Return the drawn style of each railroad by id; `data-` attributes keep the style from the board (RB-C08).

    A dark theme lightens the colours in OKLab to a contrast of 4.5:1 with the casing and keeps their hues and order of
    lightness. An ink-only theme draws all railroads in its ink and reassigns the patterns, so that adjacent railroads
    share as few as possible.
    """
    if theme.lines == "ink":
        pattern_of = assign_ink_patterns(board)
        return {r.id: Style(colour=theme.ink, pattern=pattern_of[r.id]) for r in board.railroads}
    colour_of = choose_railroad_colours(board, theme)
    return {r.id: r.style.model_copy(update={"colour": colour_of[r.id]}) for r in board.railroads}


def choose_railroad_colours(board: Board, theme: Theme) -> Mapping[str, Colour]:
    """Return only the drawn colour of each railroad by id, without the slow assignment of patterns."""
    if theme.lines == "ink":
        return {r.id: theme.ink for r in board.railroads}
    if theme.lines == "light":
        return {r.id: lighten_colour(r.style.colour, theme.casing) for r in board.railroads}
    return {r.id: r.style.colour for r in board.railroads}


@lru_cache(maxsize=256)
def lighten_colour(colour: str, ground: str) -> str:
    """Lighten a colour for a dark ground; keep its hue and its place in the order of lightness."""
    oklab_colour = oklab(rgb(colour))
    least_source, most_source = _BOARD_LIGHTNESS
    lightness_share = min(max((float(oklab_colour[0]) - least_source) / (most_source - least_source), 0.0), 1.0)
    least_lightness, most_lightness = _LIGHT_LIGHTNESS
    return ensure_contrast(
        shift_lightness(
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
    return mix_colours(scale_chroma(region.colour, theme.tint_chroma), theme.tint_ground, theme.tint_share)


def visible_tint(region: Region, theme: Theme) -> str:
    """Return the colour of a region's ground: its tint blended with the land, or the land in a theme without tints."""
    if theme.tint != "fill":
        return theme.land
    return mix_colours(region_tint(region, theme), theme.land, theme.tint_opacity)
