"""Players' markers for screens (RB-C17): a pawn and two chips each, on a clear ground, to be drawn small."""

from typing import Final, Literal

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.inks import WHITE, ink_on
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.render.sheets.chips import PLAYERS, draw_icon

Token = Literal["Pawn", "Departure", "Destination"]

SIDE: Final = 26.0
"""Side of a token's square in millimetres."""


def player_names(words: Words) -> list[str]:
    """Return what the colours of `PLAYERS` are called."""
    return words("player.colours").split(", ")


def token_svg(player: int, kind: Token, theme: Theme = CLASSIC) -> str:
    """Return a marker: a pawn is a square with a train, chips are round, the one of the departure is pale.

    Args:
        player: 0 to 5.
        kind: Which of a player's three.
        theme: Its edge is in the theme's ink.
    """
    colour = PLAYERS[player]
    canvas = Canvas((SIDE, SIDE), theme, title=f"{kind} {player + 1}", description="A marker", clear=True)
    middle = (SIDE / 2, SIDE / 2)
    ground = mixed(colour, WHITE, 0.3) if kind == "Departure" else colour
    ink = ink_on(ground)
    group = canvas.group({"class": "token"})
    if kind == "Pawn":
        box = (1.0, 1.0, SIDE - 1, SIDE - 1)
        canvas.box(box, fill=ground, edge=WHITE, width=2.0, radius=5.0, parent=group)
        canvas.box((0.3, 0.3, SIDE - 0.3, SIDE - 0.3), edge=theme.ink, width=0.6, radius=5.4, parent=group)
    else:
        radius = SIDE / 2
        canvas.document.circle(group, middle, radius - 0.3, {"fill": WHITE, "stroke": theme.ink, "stroke-width": "0.6"})
        canvas.document.circle(group, middle, radius - 2.0, {"fill": ground})
    draw_icon(canvas, group, kind, (SIDE / 2, 9.5), ink, scale=1.35)
    number = Type(7.5, bold=True, align="middle", fill=ink)
    canvas.words((SIDE / 2 - 5, 15.6, SIDE / 2 + 5, 23.6), str(player + 1), number, parent=group)
    return canvas.to_text()
