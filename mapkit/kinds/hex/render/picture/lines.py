"""Major lines, and links that are printed on the board or lead off it."""

from mapkit.core.base import Point
from mapkit.drawing.fit import pt
from mapkit.drawing.svg_page import Element, data_attributes, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.hex.model.board import MajorLine, PrintedLink
from mapkit.kinds.hex.render.palette import track_inks
from mapkit.kinds.hex.render.picture.pen import Pen


def draw_lines(pen: Pen) -> None:
    """Draw major lines and links with their ids and data."""
    for line in pen.board.lines:
        _line(pen, line)
    for link in pen.board.links:
        _link(pen, link)


def _line(pen: Pen, line: MajorLine) -> None:
    data = {"line": line.id, "name": line.name, "points": line.points, "cities": line.cities}
    group = pen.page.group(pen.layer("lines"), {"id": f"line-{line.id}", "class": "line", **data_attributes(data)})
    points = [pen.places[city] for city in line.cities]
    draw_major(pen, group, points)
    (x1, y1), (x2, y2) = points[len(points) // 2 - 1], points[len(points) // 2]
    _token(pen, group, ((x1 + x2) / 2, (y1 + y2) / 2), str(line.points))


def draw_major(pen: Pen, group: Element, points: list[Point]) -> None:
    """Draw a major line: dark dashes on a light band."""
    looks = {"fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"}
    casing = {"stroke": pen.theme.casing, "stroke-width": mm(2.0 * pen.unit), "stroke-opacity": "0.85"}
    dashes = {"stroke": pen.inks.major, "stroke-width": mm(0.9 * pen.unit), "stroke-dasharray": "2.6 2.2"}
    pen.page.path(group, line_d(points), {**looks, **casing})
    pen.page.path(group, line_d(points), {**looks, **dashes})


def _link(pen: Pen, link: PrintedLink) -> None:
    data = {
        "link": link.id,
        "a": link.a,
        "b": link.b or "",
        "cost": link.cost,
        "owner": link.owner,
        "name": link.name,
        "colours": link.colours,
    }
    group = pen.page.group(pen.layer("lines"), {"id": f"link-{link.id}", "class": "link", **data_attributes(data)})
    start = pen.places[link.a]
    end = pen.places[link.b] if link.b else _off_board(pen, link.a)
    draw_link(pen, group, start, end)
    cost = pen.thousands(link.cost) if link.cost else ""
    said = " ".join(part for part in ("" if link.b else link.name, cost) if part)
    if said:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        _plate(pen, group, middle if link.b else end, said)


def draw_link(pen: Pen, group: Element, start: Point, end: Point) -> None:
    """Draw a printed link as track, in the style of the board's track (RW-U01)."""
    inks = track_inks(pen.board.rules.display.track_style)
    d, unit = line_d([start, end]), pen.unit
    ties = {"stroke-dasharray": f"{mm(0.5 * unit)} {mm(0.8 * unit)}"}
    for colour, width, more in (
        (inks.bed, 3.2, {}),
        (inks.ties, 2.5, ties),
        (inks.rails, 1.7, {}),
        (inks.bed, 0.9, {}),
    ):
        pen.page.path(group, d, {"fill": "none", "stroke": colour, "stroke-width": mm(width * unit), **more})


def _plate(pen: Pen, group: Element, at: Point, said: str) -> None:
    size = max(pt(7), 2.8 * pen.unit)
    half = text_width(said, size, bold=True) / 2 + 1.0
    left, _, right, _ = pen.sheet.frame
    x = min(max(at[0], left + half + 0.6), right - half - 0.6)
    box = (x - half, at[1] - size * 0.75, x + half, at[1] + size * 0.75)
    looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.2), "rx": mm(0.8)}
    pen.page.rect(group, box, looks)
    pen.text(group, said, (x, at[1]), size, pen.theme.ink, bold=True)


def _token(pen: Pen, group: Element, at: Point, text: str) -> None:
    r = 2.9 * pen.unit
    looks = {"fill": pen.theme.panel, "stroke": pen.inks.major, "stroke-width": mm(0.5)}
    pen.page.circle(group, at, r, looks)
    pen.text(group, text, at, max(pt(6), 3.4 * pen.unit), pen.theme.ink, bold=True)


def _off_board(pen: Pen, city: str) -> Point:
    """Return where a link off the board ends: beyond a neighbour without track, the nearest to a side."""
    board, sheet = pen.board, pen.sheet
    grid = board.grid
    home = next(one.hex for one in board.cities if one.id == city)
    cube = grid.hex_of(home)
    assert cube is not None  # noqa: S101 - cities lie on the grid
    closed = {terrain.id for terrain in board.terrains if terrain.cost is None}
    kinds = {hexagon.id: hexagon.terrain for hexagon in board.hexes}
    around = cube.neighbours()
    free = [one for one in around if one not in grid or kinds[grid.hex_id(one)] in closed] or list(around)
    left, top, right, bottom = sheet.frame
    x, y = sheet.centre(cube)

    def depth(point: Point) -> float:
        return min(point[0] - left, right - point[0], point[1] - top, bottom - point[1])

    nx, ny = min((sheet.centre(one) for one in free), key=lambda point: (round(depth(point), 3), point))
    return x + 1.25 * (nx - x), y + 1.25 * (ny - y)
