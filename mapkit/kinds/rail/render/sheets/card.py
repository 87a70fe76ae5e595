"""What every card has: a frame with round corners, and a back with the board's name."""

from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on
from mapkit.drawing.sheet import CARD
from mapkit.kinds.rail.model.board import Style
from mapkit.kinds.rail.render.lines.tracks import stroke
from mapkit.kinds.rail.render.sheets.job import SheetJob

EDGE: Final = 2.6
"""From the edge of a card to its frame, in millimetres."""

INNER: Final[Area] = (EDGE, EDGE, CARD[0] - EDGE, CARD[1] - EDGE)
"""The frame of a card."""

ROUND: Final = 2.6
"""Radius of the frame's corners."""

_SHEAF: Final = 8
_LANE: Final = 2.3


def card(job: SheetJob, title: str) -> Canvas:
    """Begin a card."""
    return Canvas(
        CARD, job.theme, title=f"{job.board.title}: {title}", description=job.words("sheet.card", title=title)
    )


def band(canvas: Canvas, height: float, fill: str) -> Area:
    """Draw a band along the top of the frame, its upper corners round; returns its box."""
    left, top, right, _ = INNER
    canvas.box((left, top, right, top + 2 * ROUND), fill=fill, radius=ROUND)
    canvas.box((left, top + ROUND, right, top + height), fill=fill)
    return (left, top, right, top + height)


def frame(canvas: Canvas, ink: str) -> None:
    """Draw the frame, above everything that touches it."""
    canvas.box(INNER, edge=ink, width=0.4, radius=ROUND)


def sample(canvas: Canvas, style: Style, start: float, end: float, y: float) -> None:
    """Draw a stretch of a railroad's line."""
    group = canvas.group({"class": "sample", "fill": "none"})
    stroke(canvas.document, group, style, {"sample": np.array([(start, y), (end, y)])}, {"sample": {}})


def back(job: SheetJob, kind: str) -> str:
    """Return the back of a card: the board's name between sheaves of its railroads' lines.

    Args:
        job: The board and its theme.
        kind: What the cards are, said below the name.
    """
    canvas = card(job, job.words("sheet.back", kind=kind))
    theme = job.theme
    left, top, right, bottom = INNER
    ground = mixed(theme.water, theme.casing, 0.45)
    canvas.box(INNER, fill=ground, radius=ROUND)
    dear = sorted(job.board.railroads, key=lambda r: (-r.price, r.id))
    lanes = [job.styles[railroad.id] for railroad in dear[: 2 * _SHEAF]]
    upper = lanes[: -(-len(lanes) // 2)]
    for at, style in enumerate(upper):
        sample(canvas, style, left, right, top + 5 + at * _LANE)
    for at, style in enumerate(reversed(lanes[len(upper) :])):
        sample(canvas, style, left, right, bottom - 5 - at * _LANE)
    middle = (top + bottom) / 2
    ink = ink_on(ground)
    plate = (left + 4, middle - 14, right - 4, middle + 14)
    canvas.box(plate, fill=theme.casing, edge=theme.ink, width=0.5, radius=2.0)
    canvas.box((plate[0] + 1, plate[1] + 1, plate[2] - 1, plate[3] - 1), edge=theme.ink, width=0.2, radius=1.4)
    name = Type(pt(22), bold=True, align="middle", lines=3, fill=ink_on(theme.casing))
    canvas.words((plate[0] + 3, plate[1] + 2, plate[2] - 3, plate[3] - 8), job.board.title, name)
    small = Type(pt(9), align="middle", fill=ink_on(theme.casing))
    canvas.words((plate[0] + 3, plate[3] - 8, plate[2] - 3, plate[3] - 2.5), kind, small)
    frame(canvas, ink)
    return canvas.to_text()
