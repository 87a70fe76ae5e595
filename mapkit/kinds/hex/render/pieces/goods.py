"""Cubes, New City tiles, rotors and empty-city markers (RW-C01, RW-C05, RW-C06, RW-R01)."""

import math
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.svg_page import Element, format_mm, line_path_data
from mapkit.kinds.hex.model.board import Component, HexCity
from mapkit.kinds.hex.render.palette import ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge_looks, draw_polygon
from mapkit.kinds.hex.rules.colours import GRAY, LETTERS

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
