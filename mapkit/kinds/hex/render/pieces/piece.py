"""Pieces to cut out: their shape, number and drawing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas
from mapkit.drawing.svg_page import Element, format_mm, line_path_data
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.hex.render.pieces.job import HexJob

PieceKind = Literal["tile", "cube", "new-city", "marker", "rotor", "token", "first-player", "mine"]
Draw = Callable[[Canvas, Element, Point], None]
"""Draws a piece into a group of a canvas, its middle at a point."""


@dataclass(frozen=True)
class CutPiece:
    """Pieces of one sort.

    Attributes:
        id: Unique among a board's pieces, also the stem of a file: `tile-gentle`, `cube-red`.
        kind: What it is.
        title: For lists of pieces, in the language of the job.
        size: Width and height in millimetres.
        count: How many there are; None where it is not known.
        draw: Draws one.
    """

    id: str
    kind: PieceKind
    title: str
    size: tuple[float, float]
    count: int | None
    draw: Draw


def piece_svg(job: HexJob, piece: CutPiece) -> str:
    """Return one piece as an SVG of its own size, without a ground."""
    canvas = Canvas(piece.size, job.theme, title=piece.title, description=f"{piece.title}: {job.title}", clear=True)
    group = canvas.group({"class": piece.kind, "data-piece": piece.id})
    piece.draw(canvas, group, (piece.size[0] / 2, piece.size[1] / 2))
    return canvas.to_text()


def draw_polygon(
    canvas: Canvas, parent: Element, points: Sequence[Point], at: Point, looks: dict[str, str], share: float = 1.0
) -> None:
    """Draw a polygon around a point, scaled towards it."""
    polygon_points = [(at[0] + share * x, at[1] + share * y) for x, y in points]
    canvas.document.path(parent, line_path_data([*polygon_points, polygon_points[0]], closed=True), looks)


def cut_edge_looks(theme: Theme) -> dict[str, str]:
    """Return the style of the cutting line of a piece."""
    return {"stroke": theme.quiet_ink, "stroke-width": format_mm(0.2)}
