"""Features of edges: ridges, rivers, edges that no track crosses, ferries (RW-C04)."""

import math

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, data_attributes, format_mm, line_path_data
from mapkit.kinds.hex.render.picture.pen import Pen


def draw_edges(pen: Pen) -> None:
    """Draw every edge that has a feature, with its id and data."""
    for edge in pen.board.edges:
        named_edge = pen.board.grid.edge_named(edge.id)
        if named_edge is None:
            continue
        data = {"edge": edge.id, "kinds": edge.kinds, "cost": edge.cost}
        attributes = {"id": f"edge-{edge.id}", "class": "edge", **data_attributes(data)}
        group = pen.page.group(pen.layer("edges"), attributes)
        first_centre, second_centre = (pen.sheet.centre(hexagon) for hexagon in named_edge.hexes)
        draw_edge(pen, group, edge.kinds, pen.sheet.ends(named_edge), (first_centre, second_centre))
        if edge.cost and edge.cost != pen.board.rules.track.ridge:
            at = pen.sheet.at(pen.board.grid.middle(named_edge))
            text_size = max(2.2, 2.6 * pen.unit)
            pen.page.circle(
                group,
                at,
                text_size * 0.95,
                {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": format_mm(0.2)},
            )
            pen.text(group, pen.thousands(edge.cost).removeprefix("$"), at, text_size * 0.85, pen.theme.ink, bold=True)


def draw_edge(
    pen: Pen, group: Element, kinds: tuple[str, ...], ends: tuple[Point, Point], centres: tuple[Point, Point]
) -> None:
    """Draw the features of an edge between two ends; a ferry goes from centre to centre."""
    page, unit, theme = pen.page, pen.unit, pen.theme
    line_looks = {"fill": "none", "stroke-linecap": "round"}
    edge_path = line_path_data(list(ends))
    if "river" in kinds:
        page.path(group, edge_path, {**line_looks, "stroke": pen.inks.river, "stroke-width": format_mm(1.3 * unit)})
    if "ridge" in kinds:
        page.path(group, edge_path, {**line_looks, "stroke": theme.casing, "stroke-width": format_mm(2.2 * unit)})
        _draw_teeth(pen, group, *ends)
        page.path(group, edge_path, {**line_looks, "stroke": pen.inks.ridge, "stroke-width": format_mm(1.2 * unit)})
    if "impassable" in kinds:
        page.path(group, edge_path, {**line_looks, "stroke": theme.ink, "stroke-width": format_mm(2.2 * unit)})
        page.path(group, edge_path, {**line_looks, "stroke": theme.casing, "stroke-width": format_mm(0.8 * unit)})
    if "ferry" in kinds:
        ferry_looks = {"stroke": theme.coast, "stroke-width": format_mm(0.8 * unit), "stroke-dasharray": "1.6 1.2"}
        page.path(group, line_path_data(list(centres)), {**line_looks, **ferry_looks})


def _draw_teeth(pen: Pen, group: Element, one: Point, other: Point) -> None:
    """Draw the crests of a ridge along its edge, pointing up the page."""
    (x1, y1), (x2, y2) = sorted((one, other))
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tooth_height, half_width = 2.6 * pen.unit, length / 10
    tooth_paths: list[str] = []
    for number in range(5):
        tooth_middle = (number * 2 + 1) * half_width
        corners = [
            (tooth_middle - half_width, 0.0),
            (tooth_middle - half_width * 0.1, tooth_height),
            (tooth_middle + half_width, 0.0),
        ]
        points = [
            (x1 + along_mm * ux + height_mm * uy, y1 + along_mm * uy - height_mm * ux)
            for along_mm, height_mm in corners
        ]
        tooth_paths.append(line_path_data([*points, points[0]], closed=True))
    tooth_looks = {"fill": pen.inks.ridge, "stroke": pen.theme.casing, "stroke-width": format_mm(0.2 * pen.unit)}
    pen.page.path(group, " ".join(tooth_paths), {**tooth_looks, "stroke-linejoin": "round"})
