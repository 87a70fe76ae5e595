"""The track of share values as a page: a line for each space, lowest at the foot (BA-C05)."""

from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import paper_of
from mapkit.drawing.page import body_area, page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.game import ShareSpace
from mapkit.kinds.cards.render.emblems import emblem
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_MOST: Final = 17.0
"""Height of a line in millimetres."""
_A_PAGE: Final = 25
_LANE: Final = 36.0
"""Where the places of markers begin."""
_GOLD: Final = "#d9a93a"
_GREEN: Final = "#3d7a5a"


def track_sheets(job: CardJob) -> list[Sheet]:
    """Return the track on pages; lines that do not fit one page follow on others."""
    out = []
    for number, lines in enumerate(track_lines(job), 1):
        title = job.words("track.title")
        note = job.words("track.example") if job.game.track_is_example else ""
        canvas = page(job, title, note=note, foot=job.words("track.note"))
        pen = CardPen(canvas, canvas.layer)
        for space, area in lines:
            draw_line(pen, job, space, area)
        out.append(Sheet(f"track-{number}", title, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return out


def track_lines(job: CardJob) -> list[list[tuple[ShareSpace, Area]]]:
    """Return the lines of each page of the track, each with its box in millimetres."""
    spaces = job.game.track
    left, top, right, bottom = body_area(job)
    out = []
    for at in range(0, len(spaces), _A_PAGE):
        run = spaces[at : at + _A_PAGE]
        high = min(_MOST, (bottom - top) / len(run))
        out.append([(one, (left, bottom - (n + 1) * high, right, bottom - n * high)) for n, one in enumerate(run)])
    return out


def marker_places(job: CardJob, area: Area) -> list[Point]:
    """Return where the markers of the holdings stand on a line of the track."""
    left, top, right, bottom = area
    step = (right - left - _LANE) / max(1, len(job.game.holdings))
    return [(left + _LANE + step * (n + 0.5), (top + bottom) / 2) for n in range(len(job.game.holdings))]


def draw_line(pen: CardPen, job: CardJob, space: ShareSpace, area: Area) -> None:
    """Draw a line of the track: its value, and a place for the marker of each holding."""
    left, top, right, bottom = area
    value = "" if space.value is None else space.value
    data = {"space": space.id, "value": value, "start": space.start, "end": space.end}
    group = pen.inside({"id": f"space-{space.id}", "class": "space", **data_attributes(data)})
    theme, high = job.theme, bottom - top
    gap = min(1.2, high * 0.1)
    colour = _GOLD if space.end else _GREEN if space.start else theme.quiet_ink
    fill = mixed(job.colour(colour), paper_of(theme), 0.3 if space.end or space.start else 0.08)
    plate = (left, top + gap, left + 34.0, bottom - gap)
    group.box(plate, fill=fill, edge=theme.ink, width=0.4, radius=1.6)
    said = "?" if space.value is None else job.words.number(space.value)
    word = "gap" if space.value is None else "start" if space.start else "end" if space.end else ""
    split = plate[3] - (min(4.6, high * 0.3) if word and space.value is not None else 0.0)
    size = min(pt(24), high * 0.5)
    group.words((plate[0] + 1, plate[1], plate[2] - 1, split), said, Type(size, bold=True, align="middle"))
    if word and space.value is not None:
        small = Type(pt(8.5), align="middle")
        group.words((plate[0] + 1, split - 0.8, plate[2] - 1, plate[3] - 0.4), job.words(f"track.{word}"), small)
    lane = (left + _LANE, top + gap, right, bottom - gap)
    group.box(lane, fill=theme.panel, edge=theme.border, width=0.25, radius=1.6)
    if space.value is None:
        group.words((lane[0] + 3, lane[1], lane[2] - 3, lane[3]), job.words("track.gap"), Type(pt(10), italic=True))
        return
    holdings = job.game.holdings
    r = min(high * 0.36, 6.5)
    for number, (one, at) in enumerate(zip(holdings, marker_places(job, area), strict=True)):
        pale = mixed(job.colour(one.colour), paper_of(theme), 0.22)
        emblem(group, at, r, number, job.codes[one.id], pale, ring=job.colour(one.colour))
