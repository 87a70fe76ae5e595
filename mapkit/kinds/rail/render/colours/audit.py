"""Audit of the colours of a board in a theme."""

from typing import Final

from mapkit.core.base import Colour, Frozen
from mapkit.drawing.colours.colour import contrast
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.colours.distances import GREY_LIMIT, LIMIT, ColourPair, measure_railroad_distances
from mapkit.kinds.rail.render.colours.railroad_styles import LINE_CONTRAST, choose_railroad_colours, visible_tint

LEAST_TEXT_CONTRAST: Final = 4.5
"""WCAG 2.2, 1.4.3, for text of any size."""


class TextContrast(Frozen):
    """Contrast of a kind of text on a kind of ground."""

    text: str
    ground: str
    """Where: `legend`, `land`, `water`, or the id of a region."""
    ink: Colour
    behind: Colour
    ratio: float


class LineContrast(Frozen):
    """Contrast of a railroad's line to its casing."""

    railroad: str
    ink: Colour
    behind: Colour
    ratio: float


def measure_text_contrasts(board: Board, theme: Theme) -> tuple[TextContrast, ...]:
    """Return the contrast of every kind of text on every possible ground, the least first.

    Names on the map are held against the bare ground, as if they had no halo: a halo is thinner than a letter's gap.
    """
    ground_colours = [("land", theme.land), ("water", theme.water), ("halo", theme.halo)]
    ground_colours += [(region.id, visible_tint(region, theme)) for region in board.regions]
    contrast_rows = [("name", ground_name, theme.ink, behind) for ground_name, behind in ground_colours]
    contrast_rows += [("legend", "legend", theme.ink, theme.panel), ("credits", "legend", theme.quiet_ink, theme.panel)]
    all_contrasts = (
        TextContrast(text=text, ground=ground_name, ink=ink, behind=behind, ratio=contrast(ink, behind))
        for text, ground_name, ink, behind in contrast_rows
    )
    return tuple(sorted(all_contrasts, key=lambda t: (t.ratio, t.text, t.ground)))


def find_faint_texts(board: Board, theme: Theme) -> tuple[TextContrast, ...]:
    """Return kinds of text with a contrast under 4.5:1."""
    return tuple(t for t in measure_text_contrasts(board, theme) if t.ratio < LEAST_TEXT_CONTRAST)


def find_faint_lines(board: Board, theme: Theme) -> tuple[LineContrast, ...]:
    """Return railroads with a line contrast under 3:1 (WCAG 2.2, 1.4.11) to the casing beside it."""
    line_contrasts = (
        LineContrast(railroad=railroad_id, ink=colour, behind=theme.casing, ratio=contrast(colour, theme.casing))
        for railroad_id, colour in choose_railroad_colours(board, theme).items()
    )
    return tuple(
        sorted(
            (line_contrast for line_contrast in line_contrasts if line_contrast.ratio < LINE_CONTRAST),
            key=lambda f: (f.ratio, f.railroad),
        )
    )


def find_alike_railroads(board: Board, theme: Theme) -> tuple[ColourPair, ...]:
    """Return railroads that touch, of the same pattern, with colours under the limit under any of four visions."""
    return tuple(p for p in measure_railroad_distances(board, theme) if p.smallest < LIMIT and not p.patterns_differ)


def find_alike_in_grey(board: Board) -> tuple[ColourPair, ...]:
    """Return railroads that touch, of the same pattern, that a grey copy of the board's own colours makes alike.

    The colours are those of light grounds (themes `classic` and `atlas`): `dark` is for screens, and `print` tells
    railroads apart by pattern alone.
    """
    return tuple(p for p in measure_railroad_distances(board) if p.grey < GREY_LIMIT and not p.patterns_differ)
