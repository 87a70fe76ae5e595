"""Common parts of cards: a frame with round corners, and a back with the board's name."""

from typing import Final

import numpy as np

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on
from mapkit.drawing.page import draw_ground
from mapkit.drawing.sheet import CARD, SAFE
from mapkit.kinds.rail.model.board import Style
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

INNER: Final[Area] = (SAFE, SAFE, CARD[0] - SAFE, CARD[1] - SAFE)
"""Box of the frame, in millimetres."""

ROUND: Final = 2.6
"""Radius of the corners of the frame, in millimetres."""

_SHEAF_LINES: Final = 8
_LANE_MM: Final = 2.3


def begin_card(job: SheetJob, title: str, ground: str) -> Canvas:
    """Return the canvas of a card with an empty panel on its ground, which bleeds."""
    canvas = Canvas(
        CARD, job.theme, title=f"{job.board.title}: {title}", description=job.words("sheet.card", title=title)
    )
    draw_ground(canvas, INNER, ground, ROUND)
    return canvas


def draw_band(canvas: Canvas, height: float, fill: str) -> Area:
    """Draw a band with rounded upper corners along the top of the frame, and return its box."""
    left, top, right, _ = INNER
    canvas.box((left, top, right, top + 2 * ROUND), fill=fill, radius=ROUND)
    canvas.box((left, top + ROUND, right, top + height), fill=fill)
    return (left, top, right, top + height)


def draw_frame(canvas: Canvas, ink: str) -> None:
    """Draw the frame on top of everything drawn before."""
    canvas.box(INNER, edge=ink, width=0.4, radius=ROUND)


def draw_line_sample(canvas: Canvas, style: Style, start: float, end: float, y: float) -> None:
    """Draw a horizontal sample of a railroad's line at height `y`, from x `start` to `end`."""
    sample_group = canvas.group({"class": "sample", "fill": "none"})
    draw_pattern_lines(
        canvas.document, sample_group, style, {"sample": np.array([(start, y), (end, y)])}, {"sample": {}}
    )


def draw_card_back(job: SheetJob, kind: str) -> str:
    """Draw the back of a card: the board's name between samples of its railroads' lines.

    Args:
        job: The board and its theme.
        kind: Kind of the cards, printed below the name.
    """
    theme = job.theme
    left, top, right, bottom = INNER
    ground_colour = mix_colours(theme.water, theme.casing, 0.45)
    card_canvas = begin_card(job, job.words("sheet.back", kind=kind), ground_colour)
    card_canvas.box(INNER, fill=ground_colour, radius=ROUND)
    sorted_railroads = sorted(job.board.railroads, key=lambda r: (-r.price, r.id))
    line_styles = [job.styles[railroad.id] for railroad in sorted_railroads[: 2 * _SHEAF_LINES]]
    upper_styles = line_styles[: -(-len(line_styles) // 2)]
    for line_number, style in enumerate(upper_styles):
        draw_line_sample(card_canvas, style, left, right, top + 5 + line_number * _LANE_MM)
    for line_number, style in enumerate(reversed(line_styles[len(upper_styles) :])):
        draw_line_sample(card_canvas, style, left, right, bottom - 5 - line_number * _LANE_MM)
    middle = (top + bottom) / 2
    frame_ink = ink_on(ground_colour)
    plate = (left + 4, middle - 14, right - 4, middle + 14)
    card_canvas.box(plate, fill=theme.casing, edge=theme.ink, width=0.5, radius=2.0)
    card_canvas.box((plate[0] + 1, plate[1] + 1, plate[2] - 1, plate[3] - 1), edge=theme.ink, width=0.2, radius=1.4)
    name_type = TextStyle(points_to_mm(22), bold=True, align="middle", lines=3, fill=ink_on(theme.casing))
    card_canvas.words((plate[0] + 3, plate[1] + 2, plate[2] - 3, plate[3] - 8), job.board.title, name_type)
    small_type = TextStyle(points_to_mm(9), align="middle", fill=ink_on(theme.casing))
    card_canvas.words((plate[0] + 3, plate[3] - 8, plate[2] - 3, plate[3] - 2.5), kind, small_type)
    draw_frame(card_canvas, frame_ink)
    return card_canvas.to_text()
