"""Marks of cities and dots in the shapes of a theme, on the map and in the legend.

The first element of each mark has its attributes and is a square or circle about its middle; others are on top of it.
"""

from collections.abc import Mapping

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import Element, SvgPage, format_mm
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board


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


def find_interchanges(board: Board, theme: Theme) -> frozenset[str]:
    """Return the dots (ids) where two railroads or more meet, in a theme that marks them."""
    if theme.symbols == "squares":
        return frozenset()
    railroads: dict[str, set[str]] = {milepost.id: set() for milepost in board.mileposts if milepost.kind == "dot"}
    for segment in board.segments:
        for end in {segment.a, segment.b} & railroads.keys():
            railroads[end].add(segment.railroad)
    return frozenset(ident for ident, met in railroads.items() if len(met) > 1)


def draw_dot_mark(
    document: SvgPage,
    layer: Element,
    middle: Point,
    attributes: Mapping[str, str],
    *,
    tip: str = "",
    is_interchange: bool = False,
) -> None:
    """Draw the mark of a dot; the layer has the ink and edge of plain dots."""
    theme, radius = document.theme, document.theme.sizes.dot_radius
    if is_interchange and theme.symbols != "lights":
        edge = {"fill": theme.casing, "stroke": theme.ink, "stroke-width": format_mm(0.35 * radius)}
        document.circle(layer, middle, 0.85 * radius, edge | dict(attributes), tip=tip)
        if theme.symbols == "engraved":
            document.circle(layer, middle, 0.4 * radius, {"stroke": "none", "pointer-events": "none"})
        return
    if theme.symbols == "engraved":
        edge = {"fill": theme.casing, "stroke": theme.ink, "stroke-width": format_mm(0.3 * radius)}
        document.circle(layer, middle, 0.8 * radius, edge | dict(attributes), tip=tip)
    elif theme.symbols == "rings":
        document.circle(layer, middle, 0.75 * radius, attributes, tip=tip)
    elif theme.symbols == "lights":
        colour = theme.symbol or theme.ink
        reach = radius * (1.5 if is_interchange else 1.0)
        document.circle(layer, middle, 0.5 * reach, {"fill": colour, "stroke": "none"} | dict(attributes), tip=tip)
        light = {"fill": colour, "stroke": "none", "fill-opacity": "0.25", "pointer-events": "none"}
        document.circle(layer, middle, 1.1 * reach, light)
    else:
        document.circle(layer, middle, radius, attributes, tip=tip)


def box_around(middle: Point, half: float) -> Area:
    """Return the square about a point."""
    x, y = middle
    return (x - half, y - half, x + half, y + half)
