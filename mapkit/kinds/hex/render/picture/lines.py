"""Major lines, and links that are printed on the board or lead off it."""

from mapkit.core.base import Point
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.svg_page import Element, data_attributes, format_mm, line_path_data
from mapkit.drawing.text_width import text_width
from mapkit.kinds.hex.model.board import PrintedLink
from mapkit.kinds.hex.render.palette import track_inks
from mapkit.kinds.hex.render.picture.pen import Pen


def draw_lines(pen: Pen) -> None:
    """Draw major lines and links with their ids and data."""
    for line in pen.board.lines:
        line_data = {"line": line.id, "name": line.name, "points": line.points, "cities": line.cities}
        group = pen.page.group(
            pen.layer("lines"), {"id": f"line-{line.id}", "class": "line", **data_attributes(line_data)}
        )
        city_points = [pen.places[city] for city in line.cities]
        draw_major(pen, group, city_points)
        (x1, y1), (x2, y2) = city_points[len(city_points) // 2 - 1], city_points[len(city_points) // 2]
        at = ((x1 + x2) / 2, (y1 + y2) / 2)
        radius_mm = 2.9 * pen.unit
        disc_looks = {"fill": pen.theme.panel, "stroke": pen.inks.major, "stroke-width": format_mm(0.5)}
        pen.page.circle(group, at, radius_mm, disc_looks)
        pen.text(group, str(line.points), at, max(points_to_mm(6), 3.4 * pen.unit), pen.theme.ink, bold=True)
    for link in pen.board.links:
        _draw_link_with_text(pen, link)


def draw_major(pen: Pen, group: Element, points: list[Point]) -> None:
    """Draw a major line: dark dashes on a light band."""
    line_looks = {"fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"}
    casing_looks = {"stroke": pen.theme.casing, "stroke-width": format_mm(2.0 * pen.unit), "stroke-opacity": "0.85"}
    dash_looks = {"stroke": pen.inks.major, "stroke-width": format_mm(0.9 * pen.unit), "stroke-dasharray": "2.6 2.2"}
    pen.page.path(group, line_path_data(points), {**line_looks, **casing_looks})
    pen.page.path(group, line_path_data(points), {**line_looks, **dash_looks})


def _draw_link_with_text(pen: Pen, link: PrintedLink) -> None:
    link_data = {
        "link": link.id,
        "a": link.a,
        "b": link.b or "",
        "cost": link.cost,
        "owner": link.owner,
        "name": link.name,
        "colours": link.colours,
    }
    group = pen.page.group(pen.layer("lines"), {"id": f"link-{link.id}", "class": "link", **data_attributes(link_data)})
    start = pen.places[link.a]
    end = pen.places[link.b] if link.b else _find_off_board_end(pen, link.a)
    draw_link(pen, group, start, end)
    cost_text = pen.thousands(link.cost) if link.cost else ""
    link_text = " ".join(part for part in ("" if link.b else link.name, cost_text) if part)
    if link_text:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        at = middle if link.b else end
        text_size = max(points_to_mm(7), 2.8 * pen.unit)
        half_width = text_width(link_text, text_size, bold=True, family=pen.theme.family) / 2 + 1.0
        left, _, right, _ = pen.sheet.frame
        x = min(max(at[0], left + half_width + 0.6), right - half_width - 0.6)
        box = (x - half_width, at[1] - text_size * 0.75, x + half_width, at[1] + text_size * 0.75)
        plate_looks = {
            "fill": pen.theme.panel,
            "stroke": pen.theme.ink,
            "stroke-width": format_mm(0.2),
            "rx": format_mm(0.8),
        }
        pen.page.rect(group, box, plate_looks)
        pen.text(group, link_text, (x, at[1]), text_size, pen.theme.ink, bold=True)


def draw_link(pen: Pen, group: Element, start: Point, end: Point) -> None:
    """Draw a printed link as track, in the style of the board's track (RW-U01)."""
    link_inks = track_inks(pen.board.rules.display.track_style)
    link_path, unit = line_path_data([start, end]), pen.unit
    tie_looks = {"stroke-dasharray": f"{format_mm(0.5 * unit)} {format_mm(0.8 * unit)}"}
    for colour, width, extra_looks in (
        (link_inks.bed, 3.2, {}),
        (link_inks.ties, 2.5, tie_looks),
        (link_inks.rails, 1.7, {}),
        (link_inks.bed, 0.9, {}),
    ):
        pen.page.path(
            group, link_path, {"fill": "none", "stroke": colour, "stroke-width": format_mm(width * unit), **extra_looks}
        )


def _find_off_board_end(pen: Pen, city: str) -> Point:
    """Return the end of a link off the board: beyond a neighbour without track, the one nearest to a side."""
    board, sheet = pen.board, pen.sheet
    grid = board.grid
    city_hex = next(board_city.hex for board_city in board.cities if board_city.id == city)
    cube = grid.hex_of(city_hex)
    assert cube is not None  # noqa: S101 - cities lie on the grid
    closed_terrains = {terrain.id for terrain in board.terrains if terrain.cost is None}
    terrain_by_hex = {hexagon.id: hexagon.terrain for hexagon in board.hexes}
    neighbours = cube.neighbours()
    free_neighbours = [
        neighbour
        for neighbour in neighbours
        if neighbour not in grid or terrain_by_hex[grid.hex_id(neighbour)] in closed_terrains
    ] or list(neighbours)
    left, top, right, bottom = sheet.frame
    x, y = sheet.centre(cube)

    def depth(point: Point) -> float:
        return min(point[0] - left, right - point[0], point[1] - top, bottom - point[1])

    nx, ny = min(
        (sheet.centre(neighbour) for neighbour in free_neighbours), key=lambda point: (round(depth(point), 3), point)
    )
    return x + 1.25 * (nx - x), y + 1.25 * (ny - y)
