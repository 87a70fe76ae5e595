"""Players' markers (RB-C17): for each player a pawn and two chips, departure and destination, to cut out."""

from typing import Final

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, theme_colour
from mapkit.drawing.page import begin_page, body_area, page_sheet
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import Element
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

PLAYERS: Final = ("#c8321f", "#1c5fa8", "#e0a800", "#2e7d3a", "#7b3f98", "#3d3d3d")
"""Colours of players, told apart by their numbers too (RB-C17: six at most)."""

_CHIP_KINDS: Final = ("Pawn", "Departure", "Destination")
_LARGEST_RADIUS: Final = 13.0


def make_chip_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of markers for the greatest number of players."""
    player_count = job.board.rules.setup.max_players
    canvas = begin_page(
        job,
        job.words("chip.title"),
        note=job.words("chip.note"),
    )
    left, top, right, bottom = body_area(job)
    row_height = (bottom - top) / len(PLAYERS)
    column_width = (right - left) / len(_CHIP_KINDS)
    chip_radius = min(_LARGEST_RADIUS, row_height / 2 - 1.5)
    for player in range(player_count):
        player_colour = theme_colour(job.theme, PLAYERS[player])
        for column_number, kind in enumerate(_CHIP_KINDS):
            chip_place = (left + column_width * (column_number + 0.5), top + row_height * (player + 0.5))
            _draw_chip(
                canvas,
                chip_place,
                chip_radius,
                player_colour,
                (kind, job.words(f"chip.{kind.lower()}"), player + 1),
            )
    return [page_sheet("chips", job.words("chip.title"), canvas)]


def _draw_chip(
    canvas: Canvas, middle: tuple[float, float], radius: float, colour: str, what: tuple[str, str, int]
) -> None:
    (x, y), (kind, kind_text, player) = middle, what
    chip_ink = ink_on(colour)
    chip_group = canvas.group({"class": "chip"})
    canvas.document.circle(
        chip_group, middle, radius, {"fill": colour, "stroke": canvas.theme.quiet_ink, "stroke-width": "0.2"}
    )
    ring_style = {"fill": "none", "stroke": chip_ink, "stroke-width": "0.5"}
    canvas.document.circle(chip_group, middle, radius - 1.4, ring_style)
    draw_icon(canvas, chip_group, kind, (x, y - 4.2), chip_ink)
    number_type = TextStyle(points_to_mm(12), bold=True, align="middle", fill=chip_ink)
    canvas.words((x - 4, y + 0.8, x + 4, y + 5.9), str(player), number_type, parent=chip_group)
    label_type = TextStyle(points_to_mm(7.5), align="middle", fill=chip_ink)
    canvas.words((x - 6, y + 5.4, x + 6, y + 8.8), kind_text, label_type, parent=chip_group)


def draw_icon(
    canvas: Canvas, group: Element, kind: str, at: tuple[float, float], ink: str, *, scale: float = 1.0
) -> None:
    """Draw an arrow that leaves, a flag or a train, at most 13 mm wide and 9 mm high, centred on a place."""
    x, y = at
    scale_text = "" if scale == 1.0 else f" scale({scale:g})"
    icon_paths = {
        "Departure": "M-6,-5 L-4.4,-5 L-4.4,4 L-6,4 Z M-3,-1.8 L1.4,-1.8 L1.4,-5 L6.2,-0.5 L1.4,4 L1.4,0.8 L-3,0.8 Z",
        "Destination": "M-3.6,4 L-3.6,-6 L-2.6,-6 L5,-3.4 L-2.6,-0.6 L-2.6,4 Z",
        "Pawn": "M-6.5,3 L-6.5,0 L-5.6,0 L-5.6,-2 L-5,-2 L-5,-4.6 L-3.4,-4.6 L-3.4,-2 L1,-2 L1,-5 L6,-5 L6,3 Z "
        "M2.2,-3.8 L2.2,-1 L4.8,-1 L4.8,-3.8 Z",
    }
    icon_style = {"fill": ink, "fill-rule": "evenodd", "transform": f"translate({x:.2f} {y:.2f}){scale_text}"}
    icon_group = canvas.group(icon_style, group)
    canvas.document.path(icon_group, icon_paths[kind], {})
    if kind == "Pawn":
        for wheel_x in (-4.2, -0.4, 3.8):
            canvas.document.circle(icon_group, (wheel_x, 4.0), 1.3, {})
