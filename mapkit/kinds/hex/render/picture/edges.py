"""What lies on edges: ridges, rivers, edges that no track crosses, ferries (RW-C04)."""

import math

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, data_attributes, line_d, mm
from mapkit.kinds.hex.model.board import HexEdge
from mapkit.kinds.hex.render.picture.pen import Pen


def draw_edges(pen: Pen) -> None:
    """Draw every edge that has something, with its id and data."""
    for edge in pen.board.edges:
        place = pen.board.grid.edge_named(edge.id)
        if place is None:
            continue
        data = {"edge": edge.id, "kinds": edge.kinds, "cost": edge.cost}
        attributes = {"id": f"edge-{edge.id}", "class": "edge", **data_attributes(data)}
        group = pen.page.group(pen.layer("edges"), attributes)
        first, second = (pen.sheet.centre(hexagon) for hexagon in place.hexes)
        draw_edge(pen, group, edge.kinds, pen.sheet.ends(place), (first, second))
        if edge.cost and edge.cost != pen.board.rules.track.ridge:
            _cost(pen, group, edge, pen.sheet.at(pen.board.grid.middle(place)))


def draw_edge(
    pen: Pen, group: Element, kinds: tuple[str, ...], ends: tuple[Point, Point], centres: tuple[Point, Point]
) -> None:
    """Draw what lies on an edge between two ends; a ferry goes from centre to centre."""
    page, unit, theme = pen.page, pen.unit, pen.theme
    looks = {"fill": "none", "stroke-linecap": "round"}
    d = line_d(list(ends))
    if "river" in kinds:
        page.path(group, d, {**looks, "stroke": pen.inks.river, "stroke-width": mm(1.3 * unit)})
    if "ridge" in kinds:
        page.path(group, d, {**looks, "stroke": theme.casing, "stroke-width": mm(2.2 * unit)})
        _teeth(pen, group, *ends)
        page.path(group, d, {**looks, "stroke": pen.inks.ridge, "stroke-width": mm(1.2 * unit)})
    if "impassable" in kinds:
        page.path(group, d, {**looks, "stroke": theme.ink, "stroke-width": mm(2.2 * unit)})
        page.path(group, d, {**looks, "stroke": theme.casing, "stroke-width": mm(0.8 * unit)})
    if "ferry" in kinds:
        dashes = {"stroke": theme.coast, "stroke-width": mm(0.8 * unit), "stroke-dasharray": "1.6 1.2"}
        page.path(group, line_d(list(centres)), {**looks, **dashes})


def _teeth(pen: Pen, group: Element, one: Point, other: Point) -> None:
    """Draw the crests of a ridge along its edge, pointing up the page."""
    (x1, y1), (x2, y2) = sorted((one, other))
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    high, half = 2.6 * pen.unit, length / 10
    teeth: list[str] = []
    for number in range(5):
        middle = (number * 2 + 1) * half
        corners = [(middle - half, 0.0), (middle - half * 0.1, high), (middle + half, 0.0)]
        points = [(x1 + along * ux + out * uy, y1 + along * uy - out * ux) for along, out in corners]
        teeth.append(line_d([*points, points[0]], closed=True))
    looks = {"fill": pen.inks.ridge, "stroke": pen.theme.casing, "stroke-width": mm(0.2 * pen.unit)}
    pen.page.path(group, " ".join(teeth), {**looks, "stroke-linejoin": "round"})


def _cost(pen: Pen, group: Element, edge: HexEdge, at: Point) -> None:
    """Draw the cost of an edge that is not that of every ridge."""
    size = max(2.2, 2.6 * pen.unit)
    pen.page.circle(group, at, size * 0.95, {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.2)})
    pen.text(group, pen.thousands(edge.cost).removeprefix("$"), at, size * 0.85, pen.theme.ink, bold=True)
