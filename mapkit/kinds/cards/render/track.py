"""Pages with the track of share values: a line for each space, the lowest at the bottom (BA-C05)."""

from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import paper_of
from mapkit.drawing.page import begin_page, body_area, page_sheet
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.game import ShareSpace
from mapkit.kinds.cards.render.emblems import draw_emblem
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_LARGEST_LINE_MM: Final = 17.0
"""Maximum height of a line."""
_LINES_A_PAGE: Final = 25
_MARKERS_LEFT_MM: Final = 36.0
"""Distance from the left end of a line to the first place for a marker."""
_GOLD_COLOUR: Final = "#d9a93a"
_GREEN_COLOUR: Final = "#3d7a5a"


def track_sheets(job: CardJob) -> list[Sheet]:
    """Return the pages of the track; a long track continues on further pages."""
    sheets = []
    for number, lines in enumerate(track_lines(job), 1):
        title = job.words("track.title")
        note = job.words("track.example") if job.game.track_is_example else ""
        canvas = begin_page(job, title, note=note, foot=job.words("track.note"))
        pen = CardPen(canvas, canvas.layer)
        for space, area in lines:
            draw_line(pen, job, space, area)
        sheets.append(page_sheet(f"track-{number}", title, canvas))
    return sheets


def track_lines(job: CardJob) -> list[list[tuple[ShareSpace, Area]]]:
    """Return the lines of each page of the track, each with its box in millimetres."""
    spaces = job.game.track
    left, top, right, bottom = body_area(job)
    page_lines = []
    for at in range(0, len(spaces), _LINES_A_PAGE):
        page_spaces = spaces[at : at + _LINES_A_PAGE]
        high = min(_LARGEST_LINE_MM, (bottom - top) / len(page_spaces))
        page_lines.append(
            [(space, (left, bottom - (n + 1) * high, right, bottom - n * high)) for n, space in enumerate(page_spaces)]
        )
    return page_lines


def marker_places(job: CardJob, area: Area) -> list[Point]:
    """Return the centre of each holding's marker on a line of the track."""
    left, top, right, bottom = area
    marker_step = (right - left - _MARKERS_LEFT_MM) / max(1, len(job.game.holdings))
    return [
        (left + _MARKERS_LEFT_MM + marker_step * (n + 0.5), (top + bottom) / 2) for n in range(len(job.game.holdings))
    ]


def draw_line(pen: CardPen, job: CardJob, space: ShareSpace, area: Area) -> None:
    """Draw a line of the track: its value, and a place for the marker of each holding."""
    left, top, right, bottom = area
    value = "" if space.value is None else space.value
    space_data = {"space": space.id, "value": value, "start": space.start, "end": space.end}
    space_pen = pen.inside({"id": f"space-{space.id}", "class": "space", **data_attributes(space_data)})
    theme, high = job.theme, bottom - top
    gap_mm = min(1.2, high * 0.1)
    plate_colour = _GOLD_COLOUR if space.end else _GREEN_COLOUR if space.start else theme.quiet_ink
    plate_fill = mix_colours(job.colour(plate_colour), paper_of(theme), 0.3 if space.end or space.start else 0.08)
    plate = (left, top + gap_mm, left + 34.0, bottom - gap_mm)
    space_pen.box(plate, fill=plate_fill, edge=theme.ink, width=0.4, radius=1.6)
    value_text = "?" if space.value is None else job.words.number(space.value)
    label_key = "gap" if space.value is None else "start" if space.start else "end" if space.end else ""
    label_top = plate[3] - (min(4.6, high * 0.3) if label_key and space.value is not None else 0.0)
    value_size = min(points_to_mm(24), high * 0.5)
    space_pen.words(
        (plate[0] + 1, plate[1], plate[2] - 1, label_top), value_text, TextStyle(value_size, bold=True, align="middle")
    )
    if label_key and space.value is not None:
        label_type = TextStyle(points_to_mm(8.5), align="middle")
        space_pen.words(
            (plate[0] + 1, label_top - 0.8, plate[2] - 1, plate[3] - 0.4), job.words(f"track.{label_key}"), label_type
        )
    marker_area = (left + _MARKERS_LEFT_MM, top + gap_mm, right, bottom - gap_mm)
    space_pen.box(marker_area, fill=theme.panel, edge=theme.border, width=0.25, radius=1.6)
    if space.value is None:
        space_pen.words(
            (marker_area[0] + 3, marker_area[1], marker_area[2] - 3, marker_area[3]),
            job.words("track.gap"),
            TextStyle(points_to_mm(10), italic=True),
        )
        return
    holdings = job.game.holdings
    r = min(high * 0.36, 6.5)
    for number, (holding, at) in enumerate(zip(holdings, marker_places(job, area), strict=True)):
        pale_colour = mix_colours(job.colour(holding.colour), paper_of(theme), 0.22)
        draw_emblem(space_pen, at, r, number, job.codes[holding.id], pale_colour, ring=job.colour(holding.colour))
