"""Three engines in profile, of simple shapes, drawn in a box of 100 by 44 units."""

from collections.abc import Callable
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.inks import BLACK, WHITE, theme_colour
from mapkit.drawing.svg_page import Element
from mapkit.kinds.rail.rules.rules import Engine

_WIDTH_UNITS, _HEIGHT_UNITS = 100.0, 44.0
_RAIL_Y: Final = 42.0


def draw_locomotive(canvas: Canvas, engine: Engine, area: Area, colour: str) -> None:
    """Draw an engine as large as its box allows, standing at the bottom."""
    left, top, right, bottom = area
    unit_mm = min((right - left) / _WIDTH_UNITS, (bottom - top) / _HEIGHT_UNITS)
    x, y = (left + right - _WIDTH_UNITS * unit_mm) / 2, bottom - _HEIGHT_UNITS * unit_mm
    engine_group = canvas.group({"class": "engine", "transform": f"translate({x:.2f} {y:.2f}) scale({unit_mm:.4f})"})
    canvas.box((0, _RAIL_Y, _WIDTH_UNITS, _RAIL_Y + 1.2), fill=BLACK, parent=engine_group)
    _DRAW_BY_ENGINE[engine](canvas, engine_group, colour)


def _draw_wheels(canvas: Canvas, group: Element, middles: list[float], radius: float, colour: str) -> None:
    y = _RAIL_Y - radius
    for x in middles:
        canvas.document.circle(group, (x, y), radius, {"fill": BLACK})
        canvas.document.circle(group, (x, y), radius * 0.72, {"fill": mix_colours(colour, WHITE, 0.75)})
        canvas.document.circle(group, (x, y), radius * 0.26, {"fill": BLACK})


def _draw_shape(canvas: Canvas, group: Element, d: str, fill: str) -> None:
    canvas.document.path(group, d, {"fill": fill})


def _draw_freight(canvas: Canvas, group: Element, colour: str) -> None:
    canvas.box((76, 19, 98, 34), fill=mix_colours(colour, BLACK, 0.7), radius=1.0, parent=group)
    _draw_shape(canvas, group, "M78,19 Q82,13 87,16 Q92,12 96,19 Z", BLACK)
    _draw_wheels(canvas, group, [80.5, 87.5, 94.5], 3.6, colour)
    canvas.box((16, 15, 62, 29), fill=colour, radius=3.0, parent=group)
    canvas.box((13, 16.5, 17, 27.5), fill=BLACK, radius=1.0, parent=group)
    _draw_shape(canvas, group, "M20,15 L21,7 L19,5 L27,5 L25,7 L26,15 Z", BLACK)
    _draw_shape(canvas, group, "M34,15 Q34,10 37.5,10 Q41,10 41,15 Z M47,15 Q47,11 50,11 Q53,11 53,15 Z", BLACK)
    _draw_shape(
        canvas, group, "M60,8 L76,8 L77,10 L74,10 L74,33 L60,33 L60,10 L58,10 Z", mix_colours(colour, BLACK, 0.8)
    )
    canvas.box((63, 13, 71, 20), fill=mix_colours(colour, WHITE, 0.25), radius=0.8, parent=group)
    canvas.box((12, 29, 76, 33), fill=BLACK, parent=group)
    _draw_shape(canvas, group, "M12,31 L3,41.5 L13,41.5 L16,33 Z", mix_colours(colour, BLACK, 0.6))
    _draw_wheels(canvas, group, [19.5, 27.5], 3.6, colour)
    _draw_wheels(canvas, group, [38.5, 52, 65.5], 6.4, colour)
    canvas.box((38, 34.6, 66, 36.2), fill=mix_colours(colour, WHITE, 0.4), radius=0.8, parent=group)


def _draw_express(canvas: Canvas, group: Element, colour: str) -> None:
    canvas.box((77, 12, 99, 35), fill=colour, radius=1.0, parent=group)
    _draw_wheels(canvas, group, [81, 88, 95], 3.6, colour)
    _draw_shape(canvas, group, "M4,38 Q3,18 20,13 L76,11 L76,38 Z", colour)
    _draw_shape(canvas, group, "M30,12.7 Q34,8 44,8 L66,8 L66,11.4 Z", mix_colours(colour, BLACK, 0.8))
    _draw_shape(canvas, group, "M5.2,27 Q6,24 7.5,22 L99,22 L99,24.5 L7,24.5 Z", mix_colours(colour, WHITE, 0.12))
    _draw_shape(canvas, group, "M4.6,30 L76,30 L76,31.2 L4.4,31.2 Z", mix_colours(colour, WHITE, 0.35))
    canvas.box((66, 13.5, 73.5, 19.5), fill=mix_colours(colour, WHITE, 0.2), radius=1.0, parent=group)
    canvas.document.circle(group, (10.5, 19.5), 1.6, {"fill": theme_colour(canvas.theme, "#f6d66b")})
    _draw_wheels(canvas, group, [15, 23], 3.6, colour)
    _draw_wheels(canvas, group, [36, 49, 62], 6.0, colour)
    canvas.box((36, 35.4, 62.5, 36.8), fill=mix_colours(colour, WHITE, 0.4), radius=0.7, parent=group)
    _draw_shape(canvas, group, "M28,33.5 L70,33.5 L70,31 L28,31 Z", mix_colours(colour, BLACK, 0.85))


def _draw_superchief(canvas: Canvas, group: Element, colour: str) -> None:
    silver, gold = (theme_colour(canvas.theme, tone) for tone in ("#c9ccd0", "#f0c64a"))
    _draw_shape(canvas, group, "M3,37 Q2,28 9,23 L14,20 L20,11 Q21,10 24,10 L99,10 L99,37 Z", silver)
    _draw_shape(canvas, group, "M3,37 Q2,28 9,23 L14,20 L20,11 Q21,10 24,10 L40,10 Q38,24 24,28 L15,37 Z", colour)
    _draw_shape(canvas, group, "M40,10 L43.5,10 Q41,26 26,30 L19,37 L15,37 L24,28 Q38,24 40,10 Z", gold)
    _draw_shape(canvas, group, "M18.6,18.5 L22.5,12.6 L29,12.6 L29,18.5 Z", mix_colours(silver, WHITE, 0.15))
    canvas.box((31, 12.6, 34.5, 18.5), fill=mix_colours(silver, WHITE, 0.15), radius=0.6, parent=group)
    canvas.document.circle(group, (9.2, 26), 1.5, {"fill": theme_colour(canvas.theme, "#fff3c4")})
    for x in (50.0, 62.0, 74.0, 86.0):
        canvas.document.circle(group, (x, 18), 2.4, {"fill": mix_colours(BLACK, silver, 0.75)})
    for y in (26.0, 28.6, 31.2):
        canvas.box((44, y, 99, y + 1.0), fill=mix_colours(silver, BLACK, 0.75), parent=group)
    canvas.box((13, 35, 99, 38), fill=mix_colours(silver, BLACK, 0.35), parent=group)
    _draw_wheels(canvas, group, [22, 30.5, 39], 4.2, colour)
    _draw_wheels(canvas, group, [74, 82.5, 91], 4.2, colour)


_DRAW_BY_ENGINE: Final[dict[Engine, Callable[[Canvas, Element, str], None]]] = {
    "freight": _draw_freight,
    "express": _draw_express,
    "superchief": _draw_superchief,
}
