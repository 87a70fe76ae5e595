"""Distances between the colours of adjacent railroads and regions, under any colour vision and in a grey copy."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.base import Colour, Frozen
from mapkit.drawing.colours.colour import ciede2000, lab, lightness, rgbs
from mapkit.drawing.colours.vision import VISIONS, simulate_vision
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles, visible_tint
from mapkit.kinds.rail.render.lines.adjacency import find_adjacent_railroads, find_adjacent_regions

LIMIT: Final = 10.0
"""CIEDE2000 difference from which colour alone distinguishes two thin lines; below it, patterns have to differ.

The just noticeable difference of large adjacent fields is about 1; for lines a millimetre wide, compared with a legend
elsewhere, it is about ten times that.
"""
GREY_LIMIT: Final = 10.0
"""Difference of CIELAB lightness that distinguishes two thin lines in a grey copy, by the same factor of ten."""


class ColourPair(Frozen):
    """Two railroads or regions that touch, and the CIEDE2000 differences of their colours."""

    a: str
    b: str
    kind: Literal["beside", "touch", "regions"]
    normal: float
    protan: float
    deutan: float
    tritan: float
    smallest: float
    """Of the four visions."""
    grey: float
    """Difference of CIELAB lightness, as in a grey copy."""
    patterns_differ: bool
    """Of railroads; False for regions."""


class ColourReport(Frozen):
    """Colour distances on a board in a theme, the smallest first."""

    board: str
    theme: str
    limit: float
    grey_limit: float
    """Of the difference of lightness in a grey copy."""
    railroads: tuple[ColourPair, ...]
    regions: tuple[ColourPair, ...]
    alike: tuple[tuple[str, str], ...]
    """Railroads that touch, with the same pattern and colours nearer than the limit."""
    alike_in_grey: tuple[tuple[str, str], ...]
    """Railroads that touch, with the same pattern, nearer than the limit of grey copies."""
    smallest: float | None
    """Of railroads that touch, of equal or different patterns."""
    smallest_same_pattern: float | None
    """Of railroads that touch and have the same pattern."""
    smallest_grey: float | None
    """Difference of lightness of railroads that touch and have the same pattern."""


def measure_colour_distances(ours: Floats, theirs: Floats) -> Floats:
    """Return CIEDE2000 differences under the four visions, shape (4, ...), to two decimals.

    Args:
        ours: Gamma-encoded sRGB, shape (..., 3).
        theirs: As `ours`; the shapes broadcast.
    """
    return np.asarray(
        np.round(
            np.stack([ciede2000(lab(simulate_vision(ours, v)), lab(simulate_vision(theirs, v))) for v in VISIONS]), 2
        ),
        dtype=np.float64,
    )


def measure_grey_distances(ours: Floats, theirs: Floats) -> Floats:
    """Return differences of CIELAB lightness, to two decimals; shapes as for `distances`, without the four."""
    return np.asarray(np.round(np.abs(lightness(ours) - lightness(theirs)), 2), dtype=np.float64)


def report_colour_distances(board: Board, theme: Theme = CLASSIC) -> ColourReport:
    """Return the differences between every two railroads that touch, and regions that are neighbours.

    Under normal sight, simulated protanopia, deuteranopia and tritanopia (`mapkit.drawing.colours.vision`), and in a
    grey copy.
    """
    railroads = measure_railroad_distances(board, theme)
    same_pattern = [p for p in railroads if not p.patterns_differ]
    tint_styles = {r.id: Style(colour=visible_tint(r, theme), pattern="solid") for r in board.regions}
    regions = measure_colour_pairs(tint_styles, [(a, b, "regions") for a, b in find_adjacent_regions(board)])
    return ColourReport(
        board=board.id,
        theme=theme.name,
        limit=LIMIT,
        grey_limit=GREY_LIMIT,
        railroads=railroads,
        regions=regions,
        alike=tuple((p.a, p.b) for p in same_pattern if p.smallest < LIMIT),
        alike_in_grey=tuple(
            (p.a, p.b) for p in sorted(same_pattern, key=lambda p: (p.grey, p.a, p.b)) if p.grey < GREY_LIMIT
        ),
        smallest=_least_or_none(p.smallest for p in railroads),
        smallest_same_pattern=_least_or_none(p.smallest for p in same_pattern),
        smallest_grey=_least_or_none(p.grey for p in same_pattern),
    )


def measure_railroad_distances(board: Board, theme: Theme = CLASSIC) -> tuple[ColourPair, ...]:
    """Return every two railroads that touch with the differences of their colours in a theme, the smallest first."""
    return measure_colour_pairs(
        choose_railroad_styles(board, theme), [(t.a, t.b, t.kind) for t in find_adjacent_railroads(board)]
    )


def measure_colour_pairs(
    styles: Mapping[str, Style], pairs: Sequence[tuple[str, str, Literal["beside", "touch", "regions"]]]
) -> tuple[ColourPair, ...]:
    """Measure the differences of pairs, and return the pairs with the smallest first."""
    if not pairs:
        return ()

    def colours(ids: Iterable[str]) -> Floats:
        style_colours: list[Colour] = [styles[i].colour for i in ids]
        return rgbs(style_colours)

    first_colours, second_colours = colours(a for a, _, _ in pairs), colours(b for _, b, _ in pairs)
    vision_distances, grey_differences = (
        measure_colour_distances(first_colours, second_colours).T.tolist(),
        measure_grey_distances(first_colours, second_colours).tolist(),
    )
    colour_pairs = [
        ColourPair(
            a=a,
            b=b,
            kind=kind,
            normal=pair_distances[0],
            protan=pair_distances[1],
            deutan=pair_distances[2],
            tritan=pair_distances[3],
            smallest=min(pair_distances),
            grey=grey,
            patterns_differ=styles[a].pattern != styles[b].pattern,
        )
        for (a, b, kind), pair_distances, grey in zip(pairs, vision_distances, grey_differences, strict=True)
    ]
    return tuple(sorted(colour_pairs, key=lambda p: (p.smallest, p.a, p.b)))


def _least_or_none(values: Iterable[float]) -> float | None:
    return min(values, default=None)
