"""Track tiles (RW-B01): straight, gentle and sharp curves of one line, and of several."""

import math
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas
from mapkit.drawing.svg_page import Element, format_mm
from mapkit.kinds.hex.grid.cubes import SIDES
from mapkit.kinds.hex.model.board import Component
from mapkit.kinds.hex.render.palette import TrackInks, track_inks
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge_looks, draw_polygon

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
