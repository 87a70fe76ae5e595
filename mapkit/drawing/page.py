"""Common layout of pages: margins, heading with a rule below, footer."""

from typing import Final, Protocol

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import paper_of
from mapkit.drawing.sheet import PAPERS, Paper, Sheet
from mapkit.drawing.theme.theme import Theme
from mapkit.drawing.words.language import Words


class PageJob(Protocol):
    """Settings of a set of pages."""

    @property
    def title(self) -> str:
        """Title of the board."""
        ...

    @property
    def theme(self) -> Theme:
        """Theme of the pages."""
        ...

    @property
    def paper(self) -> Paper:
        """Size of paper."""
        ...

    @property
    def words(self) -> Words:
        """Language of the pages."""
        ...


MARGIN: Final = 11.0
"""Of a page, in millimetres."""

_HEAD_HEIGHT: Final = 10.0
_FOOT_HEIGHT: Final = 5.0
_BODY_GAP: Final = 3.0


def page_size(job: PageJob, *, landscape: bool = False) -> tuple[float, float]:
    """Return width and height of a page in millimetres."""
    width, height = PAPERS[job.paper]
    return (height, width) if landscape else (width, height)


def body_area(job: PageJob, *, landscape: bool = False) -> Area:
    """Return the area of a page for its content."""
    width, height = page_size(job, landscape=landscape)
    return (MARGIN, MARGIN + _HEAD_HEIGHT + _BODY_GAP, width - MARGIN, height - MARGIN - _FOOT_HEIGHT - _BODY_GAP)


def page_sheet(ident: str, title: str, canvas: Canvas) -> Sheet:
    """Return a finished page."""
    return Sheet(ident, title, canvas.to_text(), canvas.width, canvas.height, "page", None)


def begin_page(job: PageJob, title: str, *, note: str = "", foot: str = "", landscape: bool = False) -> Canvas:
    """Begin a page with a title, a note at the right of the heading, and a footer with the board's name."""
    size = page_size(job, landscape=landscape)
    canvas = Canvas(
        size,
        job.theme,
        title=f"{job.title}: {title}",
        description=f"{job.words('sheet.page_of_board', title=title, board=job.title)} {note}".strip(),
    )
    theme = job.theme
    left, top, right, bottom = MARGIN, MARGIN, size[0] - MARGIN, size[1] - MARGIN
    middle = left + (right - left) * 0.6
    canvas.words((left, top, middle - 2, top + _HEAD_HEIGHT - 1), title, TextStyle(points_to_mm(20), bold=True))
    note_type = TextStyle(points_to_mm(9), fill=theme.quiet_ink, align="end", lines=2)
    canvas.words((middle, top, right, top + _HEAD_HEIGHT - 1), note, note_type)
    canvas.line([(left, top + _HEAD_HEIGHT), (right, top + _HEAD_HEIGHT)], ink=theme.ink, width=0.5)
    canvas.line([(left, bottom - _FOOT_HEIGHT), (right, bottom - _FOOT_HEIGHT)], ink=theme.border)
    foot_type = TextStyle(points_to_mm(7.5), fill=theme.quiet_ink)
    middle = left + (right - left) * 0.45
    canvas.words((left, bottom - _FOOT_HEIGHT + 0.8, middle - 2, bottom), job.title, foot_type)
    canvas.words((middle, bottom - _FOOT_HEIGHT + 0.8, right, bottom), foot, foot_type.but(align="end"))
    return canvas


def draw_ground(canvas: Canvas, area: Area, colour: str, radius: float) -> None:
    """Colour a card up to its edge, so that it bleeds, around an empty panel with round corners."""
    canvas.box((0.0, 0.0, canvas.width, canvas.height), fill=colour)
    canvas.box(area, fill=paper_of(canvas.theme), radius=radius)


def page_number_text(job: PageJob, number: int, count: int) -> str:
    """Return `page 2 of 3`, or nothing for a single page."""
    return job.words("sheet.page", number=number, count=count) if count > 1 else ""


def title_with_page(job: PageJob, title: str, page: str) -> str:
    """Return the title of a sheet, with its page if there are several."""
    return job.words("sheet.with_page", title=title, page=page) if page else title
