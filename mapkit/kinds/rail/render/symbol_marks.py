"""Marks of cities and dots in the shapes of a theme, on the map and in the legend.

The first element of each mark has its attributes and is a square or circle about its middle; others are on top of it.
"""

from collections.abc import Mapping
from math import cos, pi, sin

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import Element, SvgPage, format_mm
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board, CityMark


def draw_city_mark(
    document: SvgPage,
    layer: Element,
    middle: Point,
    attributes: Mapping[str, str],
    *,
    tip: str = "",
    mark: CityMark | None = None,
) -> None:
    """Draw the mark of a city, within the side of a square except for the glow of a light.

    A capital has a star in it, a port an anchor.
    """
    theme, side = document.theme, document.theme.sizes.city_side
    half, colour = side / 2, theme.symbol or theme.ink
    inside = {"pointer-events": "none"}
    if theme.symbols == "squares":
        document.rect(layer, box_around(middle, half), attributes, tip=tip)
        _draw_sign(document, layer, middle, mark, 0.4 * side, theme.casing)
    elif theme.symbols == "engraved":
        edge = {"fill": theme.casing, "stroke": colour, "stroke-width": format_mm(0.1 * side)}
        document.rect(layer, box_around(middle, 0.45 * side), edge | dict(attributes), tip=tip)
        if not _draw_sign(document, layer, middle, mark, 0.36 * side, colour):
            document.rect(layer, box_around(middle, 0.23 * side), {"fill": colour} | inside)
    elif theme.symbols == "roundels":
        edge = {"fill": colour, "stroke": theme.casing, "stroke-width": format_mm(0.1 * side)}
        document.circle(layer, middle, half, edge | dict(attributes), tip=tip)
        if not _draw_sign(document, layer, middle, mark, 0.36 * side, theme.casing):
            document.circle(layer, middle, 0.2 * side, {"fill": theme.casing} | inside)
    elif theme.symbols == "rings":
        edge = {"fill": theme.casing, "stroke": colour, "stroke-width": format_mm(0.12 * side)}
        document.circle(layer, middle, 0.42 * side, edge | dict(attributes), tip=tip)
        if not _draw_sign(document, layer, middle, mark, 0.33 * side, colour):
            document.circle(layer, middle, 0.19 * side, {"fill": colour} | inside)
    else:
        document.circle(layer, middle, 0.34 * side, {"fill": colour} | dict(attributes), tip=tip)
        for reach, opacity in ((1.25, 0.12), (0.85, 0.2), (0.55, 0.35)):
            document.circle(layer, middle, reach * side, {"fill": colour, "fill-opacity": f"{opacity:g}"} | inside)
        if not _draw_sign(document, layer, middle, mark, 0.3 * side, theme.water):
            document.circle(layer, middle, 0.18 * side, {"fill": "#ffffff"} | inside)


def _draw_sign(document: SvgPage, layer: Element, middle: Point, mark: CityMark | None, reach: float, ink: str) -> bool:
    """Draw a star or an anchor of that reach about a point, and return whether there is a mark."""
    x, y = middle
    if mark == "capital":
        spokes = [(reach * (1.0 if n % 2 == 0 else 0.42), n * pi / 5) for n in range(10)]
        corners = [(x + length * sin(angle), y - length * cos(angle)) for length, angle in spokes]
        path = "M" + "L".join(f"{format_mm(a)},{format_mm(b)}" for a, b in corners) + "Z"
        document.path(layer, path, {"class": "city-sign", "fill": ink, "stroke": "none", "pointer-events": "none"})
    elif mark == "port":
        ends = {name: format_mm(value) for name, value in {
            "x": x, "left": x - 0.78 * reach, "right": x + 0.78 * reach, "arm_left": x - 0.42 * reach,
            "arm_right": x + 0.42 * reach, "top": y - reach, "arm": y - 0.42 * reach, "side": y + 0.2 * reach,
            "bottom": y + 0.95 * reach,
        }.items()}  # fmt: skip
        path = (
            "M{x},{top}V{bottom}M{arm_left},{arm}H{arm_right}M{left},{side}Q{left},{bottom} {x},{bottom}"
            "Q{right},{bottom} {right},{side}"
        ).format(**ends)
        stroke = {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.26 * reach), "stroke-linecap": "round"}
        document.path(layer, path, {"class": "city-sign", "pointer-events": "none"} | stroke)
    return mark is not None


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
