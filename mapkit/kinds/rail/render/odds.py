"""Odds as circles on the board: the area of a circle is the chance of its milepost's cities."""

from collections.abc import Mapping
from math import pi, sqrt
from typing import Final

from mapkit.drawing.svg_page import SvgPage, data_attributes, format_mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.page_areas import divide_page

PART_PER_PERCENT: Final = 1 / 5000
"""Part of the map's area that a circle of one percent takes."""
_FILL_COLOUR: Final = "#c0392b"
_SAMPLE_PERCENTS: Final = (1, 2, 5)
_KEY_PART: Final = 1 / 60
"""Height of the key's text as a part of the map's longer side, over four."""


def render_odds(board: Board, chances: Mapping[str, float], *, title: str = "Odds of destinations") -> str:
    """Draw the board with a circle for each city milepost, a 5000th of the map for one percent, and a key.

    Args:
        board: The board to draw.
        chances: City (id) -> chance in percent. Twins share a circle (RB-C06).
        title: Title of the key.
    """
    layout = lay_out(board)
    document = draw_board(layout)
    # Above the mileposts and below squares and names, so that both stay readable.
    odds_layer = document.group(document.layers["mileposts"], {"id": "odds", "class": "odds"})
    city_names = {city.id: city.name for city in board.cities}
    cities_at: dict[str, list[str]] = {}
    for city in board.cities:
        cities_at.setdefault(city.milepost, []).append(city.id)
    milepost_odds = []
    for milepost in board.mileposts:
        milepost_cities = cities_at.get(milepost.id, [])
        total_percent = sum(chances.get(city, 0.0) for city in milepost_cities)
        if total_percent > 0:
            milepost_odds.append((total_percent, milepost, milepost_cities))
    for total_percent, milepost, milepost_cities in sorted(milepost_odds, key=lambda spot: (-spot[0], spot[1].id)):
        tip_text = ", ".join(f"{city_names[city]} {chances.get(city, 0.0):.3f} %" for city in milepost_cities)
        document.circle(
            odds_layer,
            layout.spots[milepost.id],
            odds_radius_mm(board, total_percent),
            {"class": "odds-circle", **_circle_style()}
            | data_attributes({"milepost": milepost.id, "percent": f"{total_percent:.4f}"}),
            tip=tip_text,
        )
    _draw_key(document, board, title)
    return document.to_text()


def odds_radius_mm(board: Board, percent: float) -> float:
    """Return the radius in millimetres of the circle for a chance in percent."""
    (left, top, right, bottom), _ = divide_page(board)
    return sqrt(percent * (right - left) * (bottom - top) * PART_PER_PERCENT / pi)


def _circle_style() -> dict[str, str]:
    return {"fill": _FILL_COLOUR, "fill-opacity": "0.35", "stroke": _FILL_COLOUR, "stroke-width": format_mm(0.3)}


def _draw_key(document: SvgPage, board: Board, title: str) -> None:
    """Draw sample circles in the lower left corner of the map."""
    theme = document.theme
    (left, top, right, bottom), _ = divide_page(board)
    text = max(right - left, bottom - top) * _KEY_PART / 4 + 1.0
    gap = text * 0.8
    sample_radii = [odds_radius_mm(board, percent) for percent in _SAMPLE_PERCENTS]
    labels = [f"{percent} %" for percent in _SAMPLE_PERCENTS]
    widths = [
        2 * r + gap / 2 + text_width(label, text, family=theme.family) + gap
        for r, label in zip(sample_radii, labels, strict=True)
    ]
    key_width = max(sum(widths), text_width(title, text, bold=True, family=theme.family) + gap) + gap
    key_height = 2 * sample_radii[-1] + text + 3 * gap
    x, y = left + gap, bottom - key_height - gap
    key_group = document.group(
        document.layers["legend"], {"id": "odds-key", "font-size": format_mm(text), "fill": theme.ink}
    )
    box_style = {"fill": "#ffffff", "fill-opacity": "0.9", "stroke": theme.ink, "stroke-width": format_mm(0.2)}
    document.rect(key_group, (x, y, x + key_width, y + key_height), box_style)
    document.text(key_group, title, (x + gap, y + gap + 0.8 * text), {"font-weight": "bold"})
    circle_middle = y + key_height - gap - sample_radii[-1]
    x += gap
    for r, label, advance in zip(sample_radii, labels, widths, strict=True):
        document.circle(key_group, (x + r, circle_middle), r, _circle_style())
        document.text(key_group, label, (x + 2 * r + gap / 2, circle_middle + 0.36 * text), {})
        x += advance
