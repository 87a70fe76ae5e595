"""Odds as circles on the board: the area of a circle is the chance of its milepost's cities."""

from collections.abc import Mapping
from math import pi, sqrt
from typing import Final

from mapkit.drawing.svg_page import SvgPage, data_attributes, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.page_areas import page_areas

PART_PER_PERCENT: Final = 1 / 5000
"""Part of the map's area that a circle of one percent takes."""
_FILL: Final = "#c0392b"
_SAMPLES: Final = (1, 2, 5)
_KEY_PART: Final = 1 / 60
"""Height of the key's text as a part of the map's longer side, over four."""


def render_odds(board: Board, chances: Mapping[str, float], *, title: str = "Odds of destinations") -> str:
    """Return the drawn board with a circle for each city milepost; one percent takes a 5000th of the map, and a key.

    Args:
        board: The board to draw.
        chances: City (id) -> chance in percent. Twins share a circle (RB-C06).
        title: What the key says the circles are.
    """
    layout = lay_out(board)
    document = draw_board(layout)
    # Above the mileposts and below squares and names, so that both stay readable.
    layer = document.group(document.layers["mileposts"], {"id": "odds", "class": "odds"})
    names = {city.id: city.name for city in board.cities}
    at: dict[str, list[str]] = {}
    for city in board.cities:
        at.setdefault(city.milepost, []).append(city.id)
    spots = []
    for milepost in board.mileposts:
        cities = at.get(milepost.id, [])
        percent = sum(chances.get(city, 0.0) for city in cities)
        if percent > 0:
            spots.append((percent, milepost, cities))
    for percent, milepost, cities in sorted(spots, key=lambda spot: (-spot[0], spot[1].id)):
        tip = ", ".join(f"{names[city]} {chances.get(city, 0.0):.3f} %" for city in cities)
        document.circle(
            layer,
            layout.spots[milepost.id],
            radius(board, percent),
            {"class": "odds-circle", **_style()}
            | data_attributes({"milepost": milepost.id, "percent": f"{percent:.4f}"}),
            tip=tip,
        )
    _key(document, board, title)
    return document.to_text()


def radius(board: Board, percent: float) -> float:
    """Return the radius in millimetres of the circle for a chance in percent."""
    (left, top, right, bottom), _ = page_areas(board)
    return sqrt(percent * (right - left) * (bottom - top) * PART_PER_PERCENT / pi)


def _style() -> dict[str, str]:
    return {"fill": _FILL, "fill-opacity": "0.35", "stroke": _FILL, "stroke-width": mm(0.3)}


def _key(document: SvgPage, board: Board, title: str) -> None:
    """Draw sample circles in the lower left corner of the map."""
    theme = document.theme
    (left, top, right, bottom), _ = page_areas(board)
    text = max(right - left, bottom - top) * _KEY_PART / 4 + 1.0
    gap = text * 0.8
    radii = [radius(board, percent) for percent in _SAMPLES]
    labels = [f"{percent} %" for percent in _SAMPLES]
    widths = [2 * r + gap / 2 + text_width(label, text) + gap for r, label in zip(radii, labels, strict=True)]
    width = max(sum(widths), text_width(title, text, bold=True) + gap) + gap
    height = 2 * radii[-1] + text + 3 * gap
    x, y = left + gap, bottom - height - gap
    group = document.group(document.layers["legend"], {"id": "odds-key", "font-size": mm(text), "fill": theme.ink})
    box = {"fill": "#ffffff", "fill-opacity": "0.9", "stroke": theme.ink, "stroke-width": mm(0.2)}
    document.rect(group, (x, y, x + width, y + height), box)
    document.text(group, title, (x + gap, y + gap + 0.8 * text), {"font-weight": "bold"})
    middle = y + height - gap - radii[-1]
    x += gap
    for r, label, advance in zip(radii, labels, widths, strict=True):
        document.circle(group, (x + r, middle), r, _style())
        document.text(group, label, (x + 2 * r + gap / 2, middle + 0.36 * text), {})
        x += advance
