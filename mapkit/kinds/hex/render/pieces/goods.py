"""Cubes, New City tiles, rotors and empty-city markers (RW-C01, RW-C05, RW-C06, RW-R01)."""

import math
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import pt
from mapkit.drawing.svg_page import Element, line_d, mm
from mapkit.kinds.hex.model.board import Component, HexCity
from mapkit.kinds.hex.render.palette import ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge, polygon
from mapkit.kinds.hex.rules.colours import GRAY, LETTERS

CUBE: Final = 9.0
"""Side of the square that stands for a cube, in millimetres."""
_MARKER: Final = 14.0
_ROTOR_SHARE: Final = 0.62
_LEGIBLE: Final = 0.93
"""Hexagons smaller than that, in 22 mm, have no room for words of 6 points."""


def goods_pieces(job: HexJob) -> list[CutPiece]:
    """Return cubes by colour, and what lies at cities."""
    makers = {"cube": _cube, "new-city": _new_city, "marker": _marker, "mine": _mine}
    found = [makers[one.kind](job, one) for one in job.board.components if one.kind in makers]
    return [*found, *rotor_pieces(job)]


def _cube(job: HexJob, cube: Component) -> CutPiece:
    colour = cube.colour or GRAY

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        draw_cube(canvas, group, job, colour, at)

    title = job.words("piece.cube", colour=job.words(f"colour.{colour}"))
    return CutPiece(f"cube-{cube.id}", "cube", title, (CUBE, CUBE), cube.count, draw)


def draw_cube(canvas: Canvas, group: Element, job: HexJob, colour: str, at: Point) -> None:
    """Draw a cube as a square of its colour, with its letter where the board has letters (RW-U04)."""
    (x, y), half, fill = at, CUBE / 2, job.fill(colour)
    box = (x - half, y - half, x + half, y + half)
    canvas.box(box, fill=fill, edge=job.theme.quiet_ink, width=0.2, parent=group, attributes={"data-colour": colour})
    inner = half - 0.9
    canvas.box((x - inner, y - inner, x + inner, y + inner), edge=ink_on(fill), width=0.2, radius=0.8, parent=group)
    if job.board.rules.display.letters_on_cubes and colour in LETTERS:
        kind = Type(pt(15), bold=True, align="middle", fill=ink_on(fill))
        canvas.words(box, LETTERS[colour], kind, parent=group)


def _new_city(job: HexJob, tile: Component) -> CutPiece:
    colour = tile.colour or GRAY

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), fill, unit = at, job.fill(colour), job.board.grid.size_mm / 22.0
        ink = ink_on(fill)
        polygon(canvas, group, job.spokes, at, {"fill": fill, "data-colour": colour, **cut_edge(job.theme)})
        polygon(canvas, group, job.spokes, at, {"fill": "none", "stroke": ink, "stroke-width": mm(0.3)}, 0.9)
        _houses(canvas, group, (x, y + 3.4 * unit), unit, ink)
        if colour in LETTERS:
            kind = Type(pt(16) * unit, bold=True, align="middle", fill=ink)
            canvas.words((x - 5, y - 8.4 * unit, x + 5, y - 2.4 * unit), LETTERS[colour], kind, parent=group)
        if unit >= _LEGIBLE:
            width = job.board.grid.size_mm * 0.42
            small = Type(pt(6.5) * unit, bold=True, align="middle", fill=ink)
            words = job.words("piece.new_city_short")
            canvas.words((x - width, y + 4.6 * unit, x + width, y + 8.6 * unit), words, small, parent=group)

    title = job.words("piece.new_city", colour=job.words(f"colour.{colour}"))
    return CutPiece(f"new-city-{tile.id}", "new-city", title, job.box, tile.count, draw)


def _houses(canvas: Canvas, group: Element, at: Point, unit: float, ink: str) -> None:
    """Draw the roofs of a city, their ground at a point."""
    x, y = at
    for left, width, height in ((-6.0, 3.6, 3.4), (-2.0, 4.0, 5.6), (2.4, 3.6, 4.2)):
        x1, x2, top = x + left * unit, x + (left + width) * unit, y - (height - 1.4) * unit
        roof = [(x1, y), (x1, top), ((x1 + x2) / 2, top - 1.4 * unit), (x2, top), (x2, y), (x1, y)]
        canvas.document.path(group, line_d(roof, closed=True), {"fill": ink})


def _marker(job: HexJob, marker: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), theme, r = at, job.theme, _MARKER / 2 - 0.1
        canvas.document.circle(group, at, r, {"fill": theme.panel, **cut_edge(theme)})
        ring = {"fill": "none", "stroke": theme.ink, "stroke-width": mm(0.6)}
        canvas.document.circle(group, at, r - 1.2, ring)
        side = 4.2
        dashes = {"fill": "none", "stroke": theme.ink, "stroke-width": mm(0.35), "stroke-dasharray": "0.8 0.6"}
        box = (x - side / 2, y - 3.6, x + side / 2, y - 3.6 + side)
        canvas.document.rect(group, box, dashes)
        kind = Type(pt(6.5), bold=True, align="middle")
        canvas.words((x - 5.2, y + 0.8, x + 5.2, y + 3.6), job.words("piece.marker_short"), kind, parent=group)

    title = job.words("piece.marker")
    return CutPiece(f"marker-{marker.id}", "marker", title, (_MARKER, _MARKER), marker.count, draw)


def _mine(job: HexJob, mine: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), theme, r = at, job.theme, _MARKER / 2 - 0.1
        canvas.document.circle(group, at, r, {"fill": theme.ink, **cut_edge(theme)})
        ink = ink_on(theme.ink)
        strokes = {"fill": "none", "stroke": ink, "stroke-width": mm(0.8), "stroke-linecap": "round"}
        for sign in (-1, 1):
            canvas.document.path(group, line_d([(x - 2.6 * sign, y - 4), (x + 2.6 * sign, y + 0.8)]), strokes)
            ends = [(x - sign * 4.2, y - 2.4), (x - sign * 3.0, y - 4.2), (x - sign * 0.8, y - 4.8)]
            canvas.document.path(group, line_d(ends), strokes)
        kind = Type(pt(6.5), bold=True, align="middle", fill=ink)
        canvas.words((x - 5, y + 1.6, x + 5, y + 4.4), job.words("piece.mine"), kind, parent=group)

    return CutPiece(f"mine-{mine.id}", "mine", job.words("piece.mine"), (_MARKER, _MARKER), mine.count, draw)


def rotor_pieces(job: HexJob) -> list[CutPiece]:
    """Return a disc for each city with a rotor, where rotors are used and the order of the wheel is known (RW-R04)."""
    rules = job.board.rules.rotors
    out = []
    for city in job.board.cities:
        wheel = tuple(colour for colour in (city.wheel or rules.wheel or ()) if colour not in city.colours[:1])
        if rules.enabled and city.rotor and wheel:
            out.append(_rotor(job, city, wheel))
    return out


def _rotor(job: HexJob, city: HexCity, wheel: tuple[str, ...]) -> CutPiece:
    size = job.board.grid.size_mm * _ROTOR_SHARE

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        draw_rotor(canvas, group, job, wheel, at)

    title = job.words("piece.rotor", city=city.name)
    return CutPiece(f"rotor-{city.id}", "rotor", title, (size, size), 1, draw)


def draw_rotor(canvas: Canvas, group: Element, job: HexJob, wheel: tuple[str, ...], at: Point) -> None:
    """Draw the wheel of a rotor: a sector for each colour, clockwise from the top, with its letter."""
    (x, y), r = at, job.board.grid.size_mm * _ROTOR_SHARE / 2 - 0.1
    step = 2 * math.pi / len(wheel)

    def spot(turn: float, far: float) -> Point:
        return x + far * math.sin(turn), y - far * math.cos(turn)

    for number, colour in enumerate(wheel):
        fill = job.fill(colour)
        (x1, y1), (x2, y2) = (spot((number + side) * step, r) for side in (-0.5, 0.5))
        large = int(len(wheel) == 1)
        d = f"M{mm(x)},{mm(y)} L{mm(x1)},{mm(y1)} A{mm(r)},{mm(r)} 0 {large} 1 {mm(x2)},{mm(y2)}Z"
        looks = {"fill": fill, "stroke": job.theme.casing, "stroke-width": mm(0.2), "data-colour": colour}
        if len(wheel) > 1:
            canvas.document.path(group, d, looks)
        else:
            canvas.document.circle(group, at, r, looks)
        if colour in LETTERS:
            cx, cy = spot(number * step, r * 0.66)
            kind = Type(pt(10) * r / 7, bold=True, align="middle", fill=ink_on(fill))
            canvas.words((cx - 3, cy - 2.4, cx + 3, cy + 2.4), LETTERS[colour], kind, parent=group)
    canvas.document.circle(group, at, r, {"fill": "none", **cut_edge(job.theme)})
    canvas.document.circle(group, at, 0.6, {"fill": job.theme.ink})
