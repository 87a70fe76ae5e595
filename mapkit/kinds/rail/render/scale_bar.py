"""A scale in miles and kilometres, true in the middle of the map."""

from dataclasses import dataclass
from typing import Final

from mapkit.core import heavy
from mapkit.core.base import Area
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.drawing.svg_page import Element, SvgPage, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.words import words_of

_PARTS: Final = 4
_REACH_MM: Final = 20.0
_METRES_PER_KM: Final = 1000.0
LEAST_MM: Final = 18.0
"""Of a bar; a shorter one is not drawn."""


@dataclass(frozen=True)
class Bar:
    """A bar of round length."""

    unit: str
    length: float
    """In units."""
    mm: float
    """On the page."""


def mm_per_metre(board: Board) -> float:
    """Return how long a metre is on the page in the middle of the map, between up and across, to nine decimals."""
    left, top, right, bottom = board.page.frame
    x, y = (left + right) / 2, (top + bottom) / 2
    reach = min(_REACH_MM, (right - left) / 4, (bottom - top) / 4)
    ends = [(x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]
    p = board.projection
    back = heavy.pyproj.Transformer.from_crs(p.crs, "EPSG:4326", always_xy=True)
    west, east, north, south = (
        back.transform((x - p.offset_x_mm) / p.scale_mm_per_m, (p.offset_y_mm - y) / p.scale_mm_per_m) for x, y in ends
    )
    metres = line_miles([west, east]) + line_miles([north, south])
    return round(4 * reach / (metres * METRES_PER_MILE), 9) if metres > 0 else p.scale_mm_per_m


def bar_of(board: Board, unit: str, room: float) -> Bar | None:
    """Return the longest bar of 1, 2 or 5 times a power of ten that has room (millimetres), or None."""
    per_unit = mm_per_metre(board) * (METRES_PER_MILE if unit == "miles" else _METRES_PER_KM)
    best = None
    for power in range(-1, 5):
        for digit in (1, 2, 5):
            length = digit * 10.0**power
            if LEAST_MM <= length * per_unit <= room:
                best = Bar(unit, round(length, 1), round(length * per_unit, 2))
    return best


def scale_height(size: float) -> float:
    """Return what the two bars and their figures take, in millimetres, at a font size."""
    return 2 * 1.25 * size + 2.6


def draw_scale(document: SvgPage, parent: Element, board: Board, area: Area, size: float) -> bool:
    """Draw bars of miles and, below, of kilometres; returns whether there was room.

    Args:
        document: The page.
        parent: Where to draw.
        board: Whose scale.
        area: Room for both; they start at its left and stand on its bottom.
        size: Of the figures, millimetres.
    """
    left, _, right, bottom = area
    theme = document.theme
    words = words_of(board)
    spare = text_width(f"{words.number(10_000)} {words('board.miles')}", size)
    bars = [bar for unit in ("miles", "km") if (bar := bar_of(board, unit, right - left - spare)) is not None]
    if len(bars) < 2:  # noqa: PLR2004 - miles and kilometres
        return False
    group = document.group(parent, {"id": "legend-scale", "font-size": mm(size), "fill": theme.ink})
    middle = bottom - 1.25 * size - 1.3
    for bar, above in zip(bars, (True, False), strict=True):
        top = middle - 1.2 if above else middle
        step = bar.mm / _PARTS
        for part in range(_PARTS):
            box = (left + part * step, top, left + (part + 1) * step, top + 1.2)
            fill = theme.ink if (part % 2 == 0) == above else theme.panel
            document.rect(group, box, {"fill": fill, "stroke": theme.ink, "stroke-width": "0.15"})
        base = top - 0.35 * size if above else top + 1.2 + size
        document.text(group, "0", (left, base), {})
        at = left + bar.mm
        length = words.number(bar.length, 0 if bar.length == int(bar.length) else 1)
        said = f"{length} {words(f'board.{bar.unit}')}"
        document.text(group, said, (at - text_width(length, size) / 2, base), {})
    return True
