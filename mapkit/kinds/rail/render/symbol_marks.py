"""Marks of cities and dots in the shapes of a theme, on the map and in the legend.

The first element of each mark has its attributes and is a square or circle about its middle; others are on top of it.
"""

from collections.abc import Mapping

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import Element, SvgPage, format_mm


def draw_city_mark(
    document: SvgPage, layer: Element, middle: Point, attributes: Mapping[str, str], *, tip: str = ""
) -> None:
    """Draw the mark of a city, within the side of a square except for the glow of a light."""
    theme, side = document.theme, document.theme.sizes.city_side
    half, colour = side / 2, theme.symbol or theme.ink
    inside = {"pointer-events": "none"}
    if theme.symbols == "squares":
        document.rect(layer, box_around(middle, half), attributes, tip=tip)
    elif theme.symbols == "engraved":
        edge = {"fill": theme.casing, "stroke": colour, "stroke-width": format_mm(0.1 * side)}
        document.rect(layer, box_around(middle, 0.45 * side), edge | dict(attributes), tip=tip)
        document.rect(layer, box_around(middle, 0.23 * side), {"fill": colour} | inside)
    elif theme.symbols == "roundels":
        edge = {"fill": colour, "stroke": theme.casing, "stroke-width": format_mm(0.1 * side)}
        document.circle(layer, middle, half, edge | dict(attributes), tip=tip)
        document.circle(layer, middle, 0.2 * side, {"fill": theme.casing} | inside)
    elif theme.symbols == "rings":
        edge = {"fill": theme.casing, "stroke": colour, "stroke-width": format_mm(0.12 * side)}
        document.circle(layer, middle, 0.42 * side, edge | dict(attributes), tip=tip)
        document.circle(layer, middle, 0.19 * side, {"fill": colour} | inside)
    else:
        document.circle(layer, middle, 0.34 * side, {"fill": colour} | dict(attributes), tip=tip)
        for reach, opacity in ((1.25, 0.12), (0.85, 0.2), (0.55, 0.35)):
            document.circle(layer, middle, reach * side, {"fill": colour, "fill-opacity": f"{opacity:g}"} | inside)
        document.circle(layer, middle, 0.18 * side, {"fill": "#ffffff"} | inside)


def draw_dot_mark(
    document: SvgPage, layer: Element, middle: Point, attributes: Mapping[str, str], *, tip: str = ""
) -> None:
    """Draw the mark of a dot; the layer has the ink and edge of plain dots."""
    theme, radius = document.theme, document.theme.sizes.dot_radius
    if theme.symbols == "engraved":
        edge = {"fill": theme.casing, "stroke": theme.ink, "stroke-width": format_mm(0.3 * radius)}
        document.circle(layer, middle, 0.8 * radius, edge | dict(attributes), tip=tip)
    elif theme.symbols == "rings":
        document.circle(layer, middle, 0.75 * radius, attributes, tip=tip)
    elif theme.symbols == "lights":
        colour = theme.symbol or theme.ink
        document.circle(layer, middle, 0.5 * radius, {"fill": colour, "stroke": "none"} | dict(attributes), tip=tip)
        light = {"fill": colour, "stroke": "none", "fill-opacity": "0.25", "pointer-events": "none"}
        document.circle(layer, middle, 1.1 * radius, light)
    else:
        document.circle(layer, middle, radius, attributes, tip=tip)


def box_around(middle: Point, half: float) -> Area:
    """Return the square about a point."""
    x, y = middle
    return (x - half, y - half, x + half, y + half)
