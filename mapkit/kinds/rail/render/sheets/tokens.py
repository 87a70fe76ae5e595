"""Players' markers for screens (RB-C17): a pawn and two chips each, on a clear ground, to be drawn small."""

from typing import Final, Literal

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.inks import WHITE, ink_on
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.render.sheets.chips import PLAYERS, draw_icon

Token = Literal["Pawn", "Departure", "Destination"]

SIDE: Final = 26.0
"""Side of a token's square in millimetres."""


def list_player_names(words: Words) -> list[str]:
    """Return the names of the colours of `PLAYERS`."""
    return words("player.colours").split(", ")


def token_svg(player: int, kind: Token) -> str:
    """Draw a marker: a pawn is a square with a train, chips are round, that of the departure is pale.

    Args:
        player: 0 to 5.
        kind: One of a player's three markers.
    """
    player_colour = PLAYERS[player]
    canvas = Canvas((SIDE, SIDE), CLASSIC, title=f"{kind} {player + 1}", description="A marker", clear=True)
    middle = (SIDE / 2, SIDE / 2)
    ground_colour = mix_colours(player_colour, WHITE, 0.3) if kind == "Departure" else player_colour
    token_ink = ink_on(ground_colour)
    group = canvas.group({"class": "token"})
    if kind == "Pawn":
        token_box = (1.0, 1.0, SIDE - 1, SIDE - 1)
        canvas.box(token_box, fill=ground_colour, edge=WHITE, width=2.0, radius=5.0, parent=group)
        canvas.box((0.3, 0.3, SIDE - 0.3, SIDE - 0.3), edge=CLASSIC.ink, width=0.6, radius=5.4, parent=group)
    else:
        radius = SIDE / 2
        canvas.document.circle(
            group, middle, radius - 0.3, {"fill": WHITE, "stroke": CLASSIC.ink, "stroke-width": "0.6"}
        )
        canvas.document.circle(group, middle, radius - 2.0, {"fill": ground_colour})
    draw_icon(canvas, group, kind, (SIDE / 2, 9.5), token_ink, scale=1.35)
    number_type = TextStyle(7.5, bold=True, align="middle", fill=token_ink)
    canvas.words((SIDE / 2 - 5, 15.6, SIDE / 2 + 5, 23.6), str(player + 1), number_type, parent=group)
    return canvas.to_text()
