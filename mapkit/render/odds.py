"""Odds as circles on the board: the area of a circle is the chance of its milepost's cities."""

from collections.abc import Mapping
from math import pi, sqrt
from typing import Final

from mapkit.model.board import Board
from mapkit.render.board import draw_board
from mapkit.render.document import data_attributes, mm

MM2_PER_PERCENT: Final = 60.0
_FILL: Final = "#c0392b"


def render_odds(board: Board, chances: Mapping[str, float]) -> str:
    """Return the drawn board with a circle for each city milepost; one percent takes 60 square millimetres.

    Args:
        board: The board to draw.
        chances: City (id) -> chance in percent. Twins share a circle (RB-C06).
    """
    document = draw_board(board)
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
            (milepost.x, milepost.y),
            radius(percent),
            {"class": "odds-circle", "fill": _FILL, "fill-opacity": "0.35", "stroke": _FILL, "stroke-width": mm(0.3)}
            | data_attributes({"milepost": milepost.id, "percent": f"{percent:.4f}"}),
            tip=tip,
        )
    return document.to_text()


def radius(percent: float) -> float:
    """Return the radius in millimetres of the circle for a chance in percent."""
    return sqrt(percent * MM2_PER_PERCENT / pi)
