"""Players' markers (RB-C17): for each player a pawn and two chips, departure and destination, to cut out."""

from typing import Final

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, plain
from mapkit.drawing.page import body_area, page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import Element
from mapkit.kinds.rail.render.sheets.job import SheetJob

PLAYERS: Final = ("#c8321f", "#1c5fa8", "#e0a800", "#2e7d3a", "#7b3f98", "#3d3d3d")
"""Colours of players, told apart by their numbers too (RB-C17: six at most)."""

_KINDS: Final = ("Pawn", "Departure", "Destination")
_RADIUS: Final = 13.0


def chip_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of markers for as many players as may play."""
    players = job.board.rules.setup.max_players
    canvas = page(
        job,
        job.words("chip.title"),
        note=job.words("chip.note"),
    )
    left, top, right, bottom = body_area(job)
    high = (bottom - top) / len(PLAYERS)
    wide = (right - left) / len(_KINDS)
    radius = min(_RADIUS, high / 2 - 1.5)
    for player in range(players):
        colour = plain(job.theme, PLAYERS[player])
        for at, kind in enumerate(_KINDS):
            middle = (left + wide * (at + 0.5), top + high * (player + 0.5))
            _chip(canvas, middle, radius, colour, (kind, job.words(f"chip.{kind.lower()}"), player + 1))
    return [Sheet("chips", job.words("chip.title"), canvas.to_text(), canvas.width, canvas.height, "page", None)]


def _chip(canvas: Canvas, middle: tuple[float, float], radius: float, colour: str, what: tuple[str, str, int]) -> None:
    (x, y), (kind, said, player) = middle, what
    ink = ink_on(colour)
    group = canvas.group({"class": "chip"})
    canvas.document.circle(
        group, middle, radius, {"fill": colour, "stroke": canvas.theme.quiet_ink, "stroke-width": "0.2"}
    )
    ring = {"fill": "none", "stroke": ink, "stroke-width": "0.5"}
    canvas.document.circle(group, middle, radius - 1.4, ring)
    draw_icon(canvas, group, kind, (x, y - 4.2), ink)
    number = Type(pt(12), bold=True, align="middle", fill=ink)
    canvas.words((x - 4, y + 0.8, x + 4, y + 5.9), str(player), number, parent=group)
    label = Type(pt(7.5), align="middle", fill=ink)
    canvas.words((x - 6, y + 5.4, x + 6, y + 8.8), said, label, parent=group)


def draw_icon(
    canvas: Canvas, group: Element, kind: str, at: tuple[float, float], ink: str, *, scale: float = 1.0
) -> None:
    """Draw an arrow that leaves, a flag or a train, 13 mm wide and 9 mm high at most, its middle at a place."""
    x, y = at
    grown = "" if scale == 1.0 else f" scale({scale:g})"
    shapes = {
        "Departure": "M-6,-5 L-4.4,-5 L-4.4,4 L-6,4 Z M-3,-1.8 L1.4,-1.8 L1.4,-5 L6.2,-0.5 L1.4,4 L1.4,0.8 L-3,0.8 Z",
        "Destination": "M-3.6,4 L-3.6,-6 L-2.6,-6 L5,-3.4 L-2.6,-0.6 L-2.6,4 Z",
        "Pawn": "M-6.5,3 L-6.5,0 L-5.6,0 L-5.6,-2 L-5,-2 L-5,-4.6 L-3.4,-4.6 L-3.4,-2 L1,-2 L1,-5 L6,-5 L6,3 Z "
        "M2.2,-3.8 L2.2,-1 L4.8,-1 L4.8,-3.8 Z",
    }
    looks = {"fill": ink, "fill-rule": "evenodd", "transform": f"translate({x:.2f} {y:.2f}){grown}"}
    drawn = canvas.group(looks, group)
    canvas.document.path(drawn, shapes[kind], {})
    if kind == "Pawn":
        for wheel in (-4.2, -0.4, 3.8):
            canvas.document.circle(drawn, (wheel, 4.0), 1.3, {})
