"""The track of share values as a page: a line for each space, lowest at the foot (BA-C05)."""

from typing import Final

from mapkit.core.base import Area
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
_GOLD: Final = "#d9a93a"
_GREEN: Final = "#3d7a5a"


def track_sheets(job: CardJob) -> list[Sheet]:
    """Return the track on pages; lines that do not fit one page follow on others."""
    spaces = job.game.track
    runs = [spaces[at : at + _A_PAGE] for at in range(0, len(spaces), _A_PAGE)]
    out = []
    for number, run in enumerate(runs, 1):
        title = job.words("track.title")
        foot = job.words("track.note")
        note = job.words("track.example") if job.game.track_is_example else ""
        canvas = page(job, title, note=note, foot=foot)
        pen = CardPen(canvas, canvas.layer)
        left, top, right, bottom = body_area(job)
        high = min(_MOST, (bottom - top) / len(run))
        for line, space in enumerate(run):
            y = bottom - (line + 1) * high
            draw_line(pen, job, space, (left, y, right, y + high))
        out.append(Sheet(f"track-{number}", title, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return out


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
    lane = (left + 36.0, top + gap, right, bottom - gap)
    group.box(lane, fill=theme.panel, edge=theme.border, width=0.25, radius=1.6)
    if space.value is None:
        group.words((lane[0] + 3, lane[1], lane[2] - 3, lane[3]), job.words("track.gap"), Type(pt(10), italic=True))
        return
    holdings = job.game.holdings
    r = min(high * 0.36, 6.5)
    step = (lane[2] - lane[0]) / max(1, len(holdings))
    for number, one in enumerate(holdings):
        at = (lane[0] + step * (number + 0.5), (top + bottom) / 2)
        pale = mixed(job.colour(one.colour), paper_of(theme), 0.22)
        emblem(group, at, r, number, job.codes[one.id], pale, ring=job.colour(one.colour))
