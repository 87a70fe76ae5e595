"""Link tokens of each player, and the marker of the first player (RW-C06, RW-U06)."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import plain
from mapkit.drawing.svg_page import Element, mm
from mapkit.kinds.hex.model.board import Component
from mapkit.kinds.hex.render.palette import PLAYERS, ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge

_TOKEN: Final = 13.0
_FIRST: Final = 26.0
_ENGINE: Final = (
    "M-6.5,3 L-6.5,-1 L-5.6,-1 L-5.6,-2.4 L-5,-2.4 L-5,-4.6 L-3.4,-4.6 L-3.4,-2.4 L1,-2.4 L1,-5 L6,-5 L6,3 Z "
    "M2.2,-3.8 L2.2,-1.2 L4.8,-1.2 L4.8,-3.8 Z"
)


def token_pieces(job: HexJob) -> list[CutPiece]:
    """Return a token for each player, and the marker of the first player."""
    out = []
    for one in job.board.components:
        if one.kind == "token":
            out += [_token(job, one, number) for number in range(job.players() if one.each else len(PLAYERS))]
        elif one.kind == "first-player":
            out.append(_first(job, one))
    return out


def _token(job: HexJob, token: Component, number: int) -> CutPiece:
    name = list(PLAYERS)[number]
    said = job.words(f"player.{name}")

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), r, fill = at, _TOKEN / 2 - 0.1, plain(job.theme, PLAYERS[name])
        ink = ink_on(fill)
        canvas.document.circle(group, at, r, {"fill": fill, **cut_edge(job.theme)})
        canvas.document.circle(group, at, r - 0.9, {"fill": "none", "stroke": ink, "stroke-width": mm(0.3)})
        figure = Type(pt(8), bold=True, align="middle", fill=ink)
        if job.board.rules.display.names_on_links:
            canvas.words((x - 5, y - 3.2, x + 5, y + 0.4), said, figure.but(size=pt(8.5)), parent=group)
        else:
            draw_engine(canvas, group, (x, y - 0.8), ink, 0.55)
        canvas.words((x - 3, y + 1.4, x + 3, y + 4.6), str(number + 1), figure, parent=group)

    title = job.words("piece.token", player=said)
    return CutPiece(f"{token.id}-{name}", "token", title, (_TOKEN, _TOKEN), token.count, draw)


def _first(job: HexJob, marker: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), r, fill = at, _FIRST / 2 - 0.1, plain(job.theme, "#e3b341")
        ink = ink_on(fill)
        canvas.document.circle(group, at, r, {"fill": fill, **cut_edge(job.theme)})
        canvas.document.circle(group, at, r - 1.4, {"fill": "none", "stroke": ink, "stroke-width": mm(0.5)})
        draw_engine(canvas, group, (x, y - 1.6), ink, 1.15)
        kind = Type(pt(7.5), bold=True, align="middle", fill=ink)
        canvas.words((x - 9, y + 4.6, x + 9, y + 8.2), job.words("piece.first_player"), kind, parent=group)

    return CutPiece(marker.id, "first-player", job.words("piece.first_player"), (_FIRST, _FIRST), marker.count, draw)


def draw_engine(canvas: Canvas, group: Element, at: Point, ink: str, scale: float) -> None:
    """Draw a locomotive, 13 mm wide at a scale of 1, its middle at a point."""
    looks = {"fill": ink, "fill-rule": "evenodd", "transform": f"translate({mm(at[0])} {mm(at[1])}) scale({scale:g})"}
    drawn = canvas.group(looks, group)
    canvas.document.path(drawn, _ENGINE, {})
    for wheel in (-4.2, -0.4, 3.8):
        canvas.document.circle(drawn, (wheel, 3.6), 1.3, {})
