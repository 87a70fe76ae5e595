"""Sheets to cut out: pieces in rows, as many copies as the board has."""

import math
from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import Element, format_mm, line_path_data
from mapkit.kinds.hex.grid.cubes import SIDES
from mapkit.kinds.hex.model.board import Component, HexCity
from mapkit.kinds.hex.render.palette import TrackInks, ink_on, track_inks
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge_looks, draw_polygon
from mapkit.kinds.hex.render.pieces.tokens import token_pieces
from mapkit.kinds.hex.rules.colours import GRAY, LETTERS

# Cubes, New City tiles, rotors and empty-city markers (RW-C01, RW-C05, RW-C06, RW-R01).

CUBE: Final = 9.0
"""Side of the square that stands for a cube, in millimetres."""
_MARKER_MM: Final = 14.0
_ROTOR_SHARE: Final = 0.62
_LEAST_LEGIBLE_UNIT: Final = 0.93
"""Hexagons smaller than that, in 22 mm, have no room for words of 6 points."""


def goods_pieces(job: HexJob) -> list[CutPiece]:
    """Return cubes by colour, and pieces at cities."""
    maker_by_kind = {"cube": _make_cube, "new-city": _make_new_city, "marker": _make_marker, "mine": _make_mine}
    component_pieces = [
        maker_by_kind[component.kind](job, component)
        for component in job.board.components
        if component.kind in maker_by_kind
    ]
    return [*component_pieces, *rotor_pieces(job)]


def _make_cube(job: HexJob, cube: Component) -> CutPiece:
    colour = cube.colour or GRAY

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        draw_cube(canvas, group, job, colour, at)

    title = job.words("piece.cube", colour=job.words(f"colour.{colour}"))
    return CutPiece(f"cube-{cube.id}", "cube", title, (CUBE, CUBE), cube.count, draw)


def draw_cube(canvas: Canvas, group: Element, job: HexJob, colour: str, at: Point) -> None:
    """Draw a cube as a square of its colour, with its letter if the board has letters (RW-U04)."""
    (x, y), half, fill = at, CUBE / 2, job.fill(colour)
    box = (x - half, y - half, x + half, y + half)
    canvas.box(box, fill=fill, edge=job.theme.quiet_ink, width=0.2, parent=group, attributes={"data-colour": colour})
    inner_half = half - 0.9
    canvas.box(
        (x - inner_half, y - inner_half, x + inner_half, y + inner_half),
        edge=ink_on(fill),
        width=0.2,
        radius=0.8,
        parent=group,
    )
    if job.board.rules.display.letters_on_cubes and colour in LETTERS:
        letter_type = TextStyle(points_to_mm(15), bold=True, align="middle", fill=ink_on(fill))
        canvas.words(box, LETTERS[colour], letter_type, parent=group)


def _make_new_city(job: HexJob, tile: Component) -> CutPiece:
    colour = tile.colour or GRAY

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), fill, unit = at, job.fill(colour), job.board.grid.size_mm / 22.0
        ink = ink_on(fill)
        draw_polygon(canvas, group, job.spokes, at, {"fill": fill, "data-colour": colour, **cut_edge_looks(job.theme)})
        draw_polygon(
            canvas, group, job.spokes, at, {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.3)}, 0.9
        )
        _draw_houses(canvas, group, (x, y + 3.4 * unit), unit, ink)
        if colour in LETTERS:
            letter_type = TextStyle(points_to_mm(16) * unit, bold=True, align="middle", fill=ink)
            canvas.words((x - 5, y - 8.4 * unit, x + 5, y - 2.4 * unit), LETTERS[colour], letter_type, parent=group)
        if unit >= _LEAST_LEGIBLE_UNIT:
            half_width = job.board.grid.size_mm * 0.42
            text_type = TextStyle(points_to_mm(6.5) * unit, bold=True, align="middle", fill=ink)
            words = job.words("piece.new_city_short")
            canvas.words(
                (x - half_width, y + 4.6 * unit, x + half_width, y + 8.6 * unit), words, text_type, parent=group
            )

    title = job.words("piece.new_city", colour=job.words(f"colour.{colour}"))
    return CutPiece(f"new-city-{tile.id}", "new-city", title, job.box, tile.count, draw)


def _draw_houses(canvas: Canvas, group: Element, at: Point, unit: float, ink: str) -> None:
    """Draw the roofs of a city, with their ground at a point."""
    x, y = at
    for left_units, width, height in ((-6.0, 3.6, 3.4), (-2.0, 4.0, 5.6), (2.4, 3.6, 4.2)):
        x1, x2, wall_top = x + left_units * unit, x + (left_units + width) * unit, y - (height - 1.4) * unit
        house_outline = [
            (x1, y),
            (x1, wall_top),
            ((x1 + x2) / 2, wall_top - 1.4 * unit),
            (x2, wall_top),
            (x2, y),
            (x1, y),
        ]
        canvas.document.path(group, line_path_data(house_outline, closed=True), {"fill": ink})


def _make_marker(job: HexJob, marker: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), theme, r = at, job.theme, _MARKER_MM / 2 - 0.1
        canvas.document.circle(group, at, r, {"fill": theme.panel, **cut_edge_looks(theme)})
        ring_looks = {"fill": "none", "stroke": theme.ink, "stroke-width": format_mm(0.6)}
        canvas.document.circle(group, at, r - 1.2, ring_looks)
        side_mm = 4.2
        dash_looks = {
            "fill": "none",
            "stroke": theme.ink,
            "stroke-width": format_mm(0.35),
            "stroke-dasharray": "0.8 0.6",
        }
        box = (x - side_mm / 2, y - 3.6, x + side_mm / 2, y - 3.6 + side_mm)
        canvas.document.rect(group, box, dash_looks)
        text_type = TextStyle(points_to_mm(6.5), bold=True, align="middle")
        canvas.words((x - 5.2, y + 0.8, x + 5.2, y + 3.6), job.words("piece.marker_short"), text_type, parent=group)

    title = job.words("piece.marker")
    return CutPiece(f"marker-{marker.id}", "marker", title, (_MARKER_MM, _MARKER_MM), marker.count, draw)


def _make_mine(job: HexJob, mine: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), theme, r = at, job.theme, _MARKER_MM / 2 - 0.1
        canvas.document.circle(group, at, r, {"fill": theme.ink, **cut_edge_looks(theme)})
        ink = ink_on(theme.ink)
        line_looks = {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.8), "stroke-linecap": "round"}
        for sign in (-1, 1):
            canvas.document.path(
                group, line_path_data([(x - 2.6 * sign, y - 4), (x + 2.6 * sign, y + 0.8)]), line_looks
            )
            pick_points = [(x - sign * 4.2, y - 2.4), (x - sign * 3.0, y - 4.2), (x - sign * 0.8, y - 4.8)]
            canvas.document.path(group, line_path_data(pick_points), line_looks)
        text_type = TextStyle(points_to_mm(6.5), bold=True, align="middle", fill=ink)
        canvas.words((x - 5, y + 1.6, x + 5, y + 4.4), job.words("piece.mine"), text_type, parent=group)

    return CutPiece(f"mine-{mine.id}", "mine", job.words("piece.mine"), (_MARKER_MM, _MARKER_MM), mine.count, draw)


def rotor_pieces(job: HexJob) -> list[CutPiece]:
    """Return a disc for each city with a rotor, if rotors are used and the order of the wheel is known (RW-R04)."""
    rules = job.board.rules.rotors
    rotors = []
    for city in job.board.cities:
        wheel_colours = tuple(colour for colour in (city.wheel or rules.wheel or ()) if colour not in city.colours[:1])
        if rules.enabled and city.rotor and wheel_colours:
            rotors.append(_make_rotor(job, city, wheel_colours))
    return rotors


def _make_rotor(job: HexJob, city: HexCity, wheel: tuple[str, ...]) -> CutPiece:
    size_mm = job.board.grid.size_mm * _ROTOR_SHARE

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        draw_rotor(canvas, group, job, wheel, at)

    title = job.words("piece.rotor", city=city.name)
    return CutPiece(f"rotor-{city.id}", "rotor", title, (size_mm, size_mm), 1, draw)


def draw_rotor(canvas: Canvas, group: Element, job: HexJob, wheel: tuple[str, ...], at: Point) -> None:
    """Draw the wheel of a rotor: a sector for each colour, clockwise from the top, with its letter."""
    (x, y), r = at, job.board.grid.size_mm * _ROTOR_SHARE / 2 - 0.1
    sector_angle = 2 * math.pi / len(wheel)

    def spot(turn: float, far: float) -> Point:
        return x + far * math.sin(turn), y - far * math.cos(turn)

    for number, colour in enumerate(wheel):
        fill = job.fill(colour)
        (x1, y1), (x2, y2) = (spot((number + side) * sector_angle, r) for side in (-0.5, 0.5))
        is_large_arc = int(len(wheel) == 1)
        sector_path = (
            f"M{format_mm(x)},{format_mm(y)} L{format_mm(x1)},{format_mm(y1)} "
            f"A{format_mm(r)},{format_mm(r)} 0 {is_large_arc} 1 {format_mm(x2)},{format_mm(y2)}Z"
        )
        sector_looks = {"fill": fill, "stroke": job.theme.casing, "stroke-width": format_mm(0.2), "data-colour": colour}
        if len(wheel) > 1:
            canvas.document.path(group, sector_path, sector_looks)
        else:
            canvas.document.circle(group, at, r, sector_looks)
        if colour in LETTERS:
            cx, cy = spot(number * sector_angle, r * 0.66)
            letter_type = TextStyle(points_to_mm(10) * r / 7, bold=True, align="middle", fill=ink_on(fill))
            canvas.words((cx - 3, cy - 2.4, cx + 3, cy + 2.4), LETTERS[colour], letter_type, parent=group)
    canvas.document.circle(group, at, r, {"fill": "none", **cut_edge_looks(job.theme)})
    canvas.document.circle(group, at, 0.6, {"fill": job.theme.ink})


# Track tiles (RW-B01): straight, gentle and sharp curves of one line, and of several.

Course = tuple[int, int]
"""The two sides of a hexagon that a line of track joins."""

_SHARP_TURN, _STRAIGHT_TURN = 1, 3
_COURSES: Final[dict[str, tuple[Course, ...]]] = {
    "straight": ((0, 3), (1, 4), (2, 5)),
    "gentle": ((0, 2), (3, 5), (1, 4)),
    "sharp": ((0, 1), (2, 3), (4, 5)),
    "cross": ((0, 3), (1, 4), (2, 5)),
}
"""Shape of a tile -> the lines on it, in the order in which they are laid on: no two end at one side."""


def tile_courses(shape: str, lines: int) -> tuple[Course, ...]:
    """Return the lines of a tile by the sides that they join; none for an unknown shape.

    Args:
        shape: `straight`, `gentle`, `sharp`, `cross`.
        lines: How many; a cross has two at least.
    """
    return _COURSES.get(shape, ())[: max(lines, 2) if shape == "cross" else lines]


def tile_pieces(job: HexJob) -> list[CutPiece]:
    """Return a piece for each sort of track tile of the board's components."""
    tile_components = [component for component in job.board.components if component.kind == "tile"]
    return [_make_tile(job, component) for component in tile_components]


def _make_tile(job: HexJob, tile: Component) -> CutPiece:
    shape = tile.shape or "other"
    tile_title = job.words.count(f"piece.tile_{shape}", tile.lines)

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        draw_tile(canvas, group, job, tile_courses(shape, tile.lines), at)

    return CutPiece(f"tile-{tile.id}", "tile", tile_title, job.box, tile.count, draw)


def draw_tile(canvas: Canvas, group: Element, job: HexJob, lines: tuple[Course, ...], at: Point) -> None:
    """Draw a tile with its lines of track around a point."""
    draw_polygon(canvas, group, job.spokes, at, {"fill": job.theme.land, **cut_edge_looks(job.theme)})
    for course in lines:
        draw_track(canvas, group, job, course, at)


def draw_track(canvas: Canvas, group: Element, job: HexJob, course: Course, at: Point) -> None:
    """Draw a line of track between two sides of the hexagon around a point, in the board's style (RW-U01)."""
    unit_mm = job.board.grid.size_mm / 22.0
    group_data = {"class": "track", "data-sides": f"{course[0]} {course[1]}", "fill": "none"}
    track_group = canvas.group(group_data, group)
    stroke_track(
        canvas, track_group, course_d(job.spokes, course, at), track_inks(job.board.rules.display.track_style), unit_mm
    )


def stroke_track(canvas: Canvas, group: Element, d: str, inks: TrackInks, unit: float) -> None:
    """Draw track along a path: its bed, its ties, its two rails.

    Args:
        canvas: Where to.
        group: Likewise.
        d: The path.
        inks: Its colours.
        unit: A 22nd of a hexagon's width.
    """
    draw_path = canvas.document.path
    tie_looks = {"stroke-dasharray": f"{format_mm(0.55 * unit)} {format_mm(0.75 * unit)}"}
    draw_path(group, d, {"stroke": inks.bed, "stroke-width": format_mm(4.6 * unit)})
    draw_path(group, d, {"stroke": inks.ties, "stroke-width": format_mm(3.5 * unit), **tie_looks})
    draw_path(group, d, {"stroke": inks.rails, "stroke-width": format_mm(2.5 * unit)})
    draw_path(group, d, {"stroke": inks.bed, "stroke-width": format_mm(1.5 * unit)})
    draw_path(group, d, {"stroke": inks.ties, "stroke-width": format_mm(1.5 * unit), **tie_looks})


def course_d(spokes: tuple[Point, ...], course: Course, at: Point) -> str:
    """Return the path of a line of track between the middles of two sides, square to both."""
    start_middle, end_middle = (_side_middle(spokes, side) for side in course)
    turn_sides = (course[1] - course[0]) % SIDES
    turn_sides = min(turn_sides, SIDES - turn_sides)
    start, end = (f"{format_mm(at[0] + x)},{format_mm(at[1] + y)}" for x, y in (start_middle, end_middle))
    if turn_sides == _STRAIGHT_TURN:
        return f"M{start} L{end}"
    radius_mm = math.dist(spokes[0], spokes[1]) * (0.5 if turn_sides == _SHARP_TURN else 1.5)
    # the middle of the arc lies on the side of the hexagon's centre, so the path bends around the sides that it joins
    sweep_flag = 0 if start_middle[0] * end_middle[1] - start_middle[1] * end_middle[0] > 0 else 1
    return f"M{start} A{format_mm(radius_mm)},{format_mm(radius_mm)} 0 0 {sweep_flag} {end}"


def _side_middle(spokes: tuple[Point, ...], side: int) -> Point:
    (x1, y1), (x2, y2) = spokes[side - 1], spokes[side]
    return (x1 + x2) / 2, (y1 + y2) / 2


_GAP_MM: Final = 1.2
"""Between pieces, in millimetres."""
_SHEET_KINDS: Final = {
    "tiles": ("tile",),
    "cubes": ("cube",),
    "markers": ("new-city", "rotor", "marker", "mine", "first-player"),
    "tokens": ("token",),
}
"""Sheet -> the kinds of pieces on it, in order."""


def all_pieces(job: HexJob) -> list[CutPiece]:
    """Return every sort of piece of a board's components."""
    return [*tile_pieces(job), *goods_pieces(job), *token_pieces(job)]


def cutting_sheets(job: HexJob) -> list[Sheet]:
    """Return the sheets to cut out; pieces with an unknown number are on them once."""
    pieces = all_pieces(job)
    sheets: list[Sheet] = []
    for name, kinds in _SHEET_KINDS.items():
        sheet_pieces = [piece for kind in kinds for piece in pieces if piece.kind == kind]
        sheets += _make_sheets(job, name, sheet_pieces)
    return sheets


def _make_sheets(job: HexJob, name: str, pieces: Sequence[CutPiece]) -> list[Sheet]:
    piece_pages = lay_out_pieces(job, pieces)
    sheets = []
    for number, placed_pieces in enumerate(piece_pages, 1):
        title = job.words(f"piece.{name}")
        page_text = page_number_text(job, number, len(piece_pages))
        canvas = begin_page(job, title, note=job.words("piece.cut"), foot=page_text)
        group_by_piece = {}
        for piece, at in placed_pieces:
            if piece.id not in group_by_piece:
                group_by_piece[piece.id] = canvas.group({"class": piece.kind, "data-piece": piece.id})
            piece.draw(canvas, canvas.group({"class": "piece"}, group_by_piece[piece.id]), at)
        sheets.append(page_sheet(f"{name}-{number}", title_with_page(job, title, page_text), canvas))
    return sheets


def lay_out_pieces(job: HexJob, pieces: Sequence[CutPiece]) -> list[list[tuple[CutPiece, Point]]]:
    """Return the pieces of each page with the middle of each: in rows of equal size, from the top left."""
    left, top, right, bottom = body_area(job)
    piece_pages: list[list[tuple[CutPiece, Point]]] = []
    x, y, row_height = left, top, 0.0
    row_size: tuple[float, float] | None = None
    for piece in pieces:
        width, height = piece.size
        for _ in range(1 if piece.count is None else piece.count):
            if row_size != piece.size or x + width > right:
                x, y, row_height, row_size = left, y + row_height, 0.0, piece.size
            if not piece_pages or y + height > bottom:
                piece_pages.append([])
                x, y = left, top
            piece_pages[-1].append((piece, (x + width / 2, y + height / 2)))
            x, row_height = x + width + _GAP_MM, height + _GAP_MM
    return piece_pages
