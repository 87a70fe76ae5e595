"""Scale bar in miles and kilometres, true in the middle of the map."""

from dataclasses import dataclass
from typing import Final

from mapkit.core import heavy
from mapkit.core.base import Area
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.drawing.svg_page import Element, SvgPage, format_mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.words import words_of

_BAR_PARTS: Final = 4
_REACH_MM: Final = 20.0
_METRES_PER_KM: Final = 1000.0
LEAST_MM: Final = 18.0
"""Of a bar; a shorter one is not drawn."""


@dataclass(frozen=True)
class ScaleBar:
    """Scale bar of round length."""

    unit: str
    length: float
    """In units."""
    mm: float
    """On the page."""


def mm_per_metre(board: Board) -> float:
    """Return the length of a metre on the page in the middle of the map, the mean of both axes, to nine decimals."""
    left, top, right, bottom = board.page.frame
    x, y = (left + right) / 2, (top + bottom) / 2
    reach_mm = min(_REACH_MM, (right - left) / 4, (bottom - top) / 4)
    end_places = [(x - reach_mm, y), (x + reach_mm, y), (x, y - reach_mm), (x, y + reach_mm)]
    projection = board.projection
    to_degrees = heavy.pyproj.Transformer.from_crs(projection.crs, "EPSG:4326", always_xy=True)
    west, east, north, south = (
        to_degrees.transform(
            (x - projection.offset_x_mm) / projection.scale_mm_per_m,
            (projection.offset_y_mm - y) / projection.scale_mm_per_m,
        )
        for x, y in end_places
    )
    total_miles = line_miles([west, east]) + line_miles([north, south])
    return round(4 * reach_mm / (total_miles * METRES_PER_MILE), 9) if total_miles > 0 else projection.scale_mm_per_m


def choose_scale_bar(board: Board, unit: str, room: float) -> ScaleBar | None:
    """Return the longest bar of 1, 2 or 5 times a power of ten that fits the room (millimetres), or None."""
    mm_per_unit = mm_per_metre(board) * (METRES_PER_MILE if unit == "miles" else _METRES_PER_KM)
    best_bar = None
    for power in range(-1, 5):
        for digit in (1, 2, 5):
            bar_length = digit * 10.0**power
            if LEAST_MM <= bar_length * mm_per_unit <= room:
                best_bar = ScaleBar(unit, round(bar_length, 1), round(bar_length * mm_per_unit, 2))
    return best_bar


def scale_height_mm(size: float) -> float:
    """Return the height of the two bars and their figures, in millimetres, at a font size."""
    return 2 * 1.25 * size + 2.6


def draw_scale(document: SvgPage, parent: Element, board: Board, area: Area, size: float) -> bool:
    """Draw bars of miles and, below, of kilometres; return whether there was room.

    Args:
        document: The page.
        parent: Where to draw.
        board: The board.
        area: Room for both bars, drawn from its left at its bottom.
        size: Of the figures, millimetres.
    """
    left, _, right, bottom = area
    theme = document.theme
    words = words_of(board)
    text_room = text_width(f"{words.number(10_000)} {words('board.miles')}", size)
    scale_bars = [
        bar for unit in ("miles", "km") if (bar := choose_scale_bar(board, unit, right - left - text_room)) is not None
    ]
    if len(scale_bars) < 2:  # noqa: PLR2004 - miles and kilometres
        return False
    scale_group = document.group(parent, {"id": "legend-scale", "font-size": format_mm(size), "fill": theme.ink})
    middle_y = bottom - 1.25 * size - 1.3
    for bar, is_above in zip(scale_bars, (True, False), strict=True):
        top = middle_y - 1.2 if is_above else middle_y
        part_mm = bar.mm / _BAR_PARTS
        for part_number in range(_BAR_PARTS):
            part_box = (left + part_number * part_mm, top, left + (part_number + 1) * part_mm, top + 1.2)
            part_colour = theme.ink if (part_number % 2 == 0) == is_above else theme.panel
            document.rect(scale_group, part_box, {"fill": part_colour, "stroke": theme.ink, "stroke-width": "0.15"})
        baseline = top - 0.35 * size if is_above else top + 1.2 + size
        document.text(scale_group, "0", (left, baseline), {})
        bar_end = left + bar.mm
        length_text = words.number(bar.length, 0 if bar.length == int(bar.length) else 1)
        length_label = f"{length_text} {words(f'board.{bar.unit}')}"
        document.text(scale_group, length_label, (bar_end - text_width(length_text, size) / 2, baseline), {})
    return True
