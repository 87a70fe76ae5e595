"""Link tokens of each player, and the marker of the first player (RW-C06, RW-U06)."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import theme_colour
from mapkit.drawing.svg_page import Element, format_mm
from mapkit.kinds.hex.model.board import Component
from mapkit.kinds.hex.render.palette import PLAYERS, ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece, cut_edge_looks

_TOKEN_MM: Final = 13.0
_FIRST_PLAYER_MM: Final = 26.0
_ENGINE_PATH: Final = (
    "M-6.5,3 L-6.5,-1 L-5.6,-1 L-5.6,-2.4 L-5,-2.4 L-5,-4.6 L-3.4,-4.6 L-3.4,-2.4 L1,-2.4 L1,-5 L6,-5 L6,3 Z "
    "M2.2,-3.8 L2.2,-1.2 L4.8,-1.2 L4.8,-3.8 Z"
)


def token_pieces(job: HexJob) -> list[CutPiece]:
    """Return a token for each player, and the marker of the first player."""
    pieces = []
    for component in job.board.components:
        if component.kind == "token":
            pieces += [
                _make_token(job, component, number)
                for number in range(job.players() if component.each else len(PLAYERS))
            ]
        elif component.kind == "first-player":
            pieces.append(_make_first_player(job, component))
    return pieces


def _make_token(job: HexJob, token: Component, number: int) -> CutPiece:
    player_colour = list(PLAYERS)[number]
    colour_name = job.words(f"player.{player_colour}")

    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), radius_mm, fill = at, _TOKEN_MM / 2 - 0.1, theme_colour(job.theme, PLAYERS[player_colour])
        ink = ink_on(fill)
        canvas.document.circle(group, at, radius_mm, {"fill": fill, **cut_edge_looks(job.theme)})
        canvas.document.circle(
            group, at, radius_mm - 0.9, {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.3)}
        )
        text_type = TextStyle(points_to_mm(8), bold=True, align="middle", fill=ink)
        if job.board.rules.display.names_on_links:
            canvas.words(
                (x - 5, y - 3.2, x + 5, y + 0.4), colour_name, text_type.but(size=points_to_mm(8.5)), parent=group
            )
        else:
            draw_engine(canvas, group, (x, y - 0.8), ink, 0.55)
        canvas.words((x - 3, y + 1.4, x + 3, y + 4.6), str(number + 1), text_type, parent=group)

    title = job.words("piece.token", player=colour_name)
    return CutPiece(f"{token.id}-{player_colour}", "token", title, (_TOKEN_MM, _TOKEN_MM), token.count, draw)


def _make_first_player(job: HexJob, marker: Component) -> CutPiece:
    def draw(canvas: Canvas, group: Element, at: Point) -> None:
        (x, y), radius_mm, fill = at, _FIRST_PLAYER_MM / 2 - 0.1, theme_colour(job.theme, "#e3b341")
        ink = ink_on(fill)
        canvas.document.circle(group, at, radius_mm, {"fill": fill, **cut_edge_looks(job.theme)})
        canvas.document.circle(
            group, at, radius_mm - 1.4, {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.5)}
        )
        draw_engine(canvas, group, (x, y - 1.6), ink, 1.15)
        text_type = TextStyle(points_to_mm(7.5), bold=True, align="middle", fill=ink)
        canvas.words((x - 9, y + 4.6, x + 9, y + 8.2), job.words("piece.first_player"), text_type, parent=group)

    return CutPiece(
        marker.id,
        "first-player",
        job.words("piece.first_player"),
        (_FIRST_PLAYER_MM, _FIRST_PLAYER_MM),
        marker.count,
        draw,
    )


def draw_engine(canvas: Canvas, group: Element, at: Point, ink: str, scale: float) -> None:
    """Draw a locomotive, 13 mm wide at a scale of 1, its middle at a point."""
    group_looks = {
        "fill": ink,
        "fill-rule": "evenodd",
        "transform": f"translate({format_mm(at[0])} {format_mm(at[1])}) scale({scale:g})",
    }
    engine_group = canvas.group(group_looks, group)
    canvas.document.path(engine_group, _ENGINE_PATH, {})
    for wheel_x in (-4.2, -0.4, 3.8):
        canvas.document.circle(engine_group, (wheel_x, 3.6), 1.3, {})
