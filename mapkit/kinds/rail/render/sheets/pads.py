"""Player pads: boxes to fill in by pencil, two or four a page."""

from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import FLOOR, pt
from mapkit.drawing.page import MARGIN, page_size
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Railroad
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.rules.rules import Engine

_PAD: Final = 3.5
_HEAD: Final = 8.0
_FIELD: Final = 9.0
_LABEL: Final = pt(6.5)
_GAP: Final = 3.0
_ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


def pad_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of two pads, and one of four smaller ones."""
    out, words = [], job.words
    for across, down in ((1, 2), (2, 2)):
        count = across * down
        width, height = page_size(job)
        canvas = Canvas(
            (width, height),
            job.theme,
            title=words("pad.title", board=job.board.title),
            description=words("pad.about", count=count),
        )
        left, top, right, bottom = MARGIN, MARGIN, width - MARGIN, height - MARGIN
        wide = (right - left - (across - 1) * 2 * _PAD) / across
        high = (bottom - top - (down - 1) * 2 * _PAD) / down
        for at in range(count):
            x, y = left + at % across * (wide + 2 * _PAD), top + at // across * (high + 2 * _PAD)
            _pad(job, canvas, (x, y, x + wide, y + high))
        title = words("pad.titled", count=count)
        out.append(Sheet(f"pad-{count}", title, canvas.to_text(), width, height, "page", None))
    return out


def _pad(job: SheetJob, canvas: Canvas, area: Area) -> None:
    left, top, right, bottom = area
    theme = job.theme
    canvas.box(area, edge=theme.ink, width=0.35, radius=2.0)
    inner = (left + _PAD, top + 2.0, right - _PAD, bottom - _PAD)
    left, top, right, bottom = inner
    canvas.words((left, top, left + (right - left) * 0.5, top + _HEAD), job.board.title, Type(pt(13), bold=True))
    _engines(job, canvas, (left + (right - left) * 0.5, top, right, top + _HEAD))
    y = top + _HEAD + 1.0
    third = (right - left - 2 * _GAP) / 3
    for at, label in enumerate(("player", "home", "destination")):
        x = left + at * (third + _GAP)
        _field(canvas, (x, y, x + third, y + _FIELD), job.words(f"pad.{label}"))
    y += _FIELD + _GAP
    owned = _owned_height(job, right - left)
    foot = max(bottom - owned, y + 20.0)
    middle = left + (right - left - _GAP) * 0.56
    _table(canvas, (left, y, middle, foot - _GAP), _heads(job, "from", "to", "payoff"), (0.38, 0.38, 0.24))
    _table(canvas, (middle + _GAP, y, right, foot - _GAP), _heads(job, "in", "out", "cash"), (1 / 3, 1 / 3, 1 / 3))
    _owned(job, canvas, (left, foot, right, bottom))


def _heads(job: SheetJob, *names: str) -> tuple[str, ...]:
    return tuple(job.words(f"pad.{name}") for name in names)


def _field(canvas: Canvas, area: Area, label: str) -> None:
    left, top, right, _ = area
    canvas.box(area, edge=canvas.theme.quiet_ink, radius=1.0)
    quiet = Type(_LABEL, fill=canvas.theme.quiet_ink)
    canvas.words((left + 1.2, top + 0.4, right - 1.0, top + 3.4), label, quiet)


def _engines(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each engine, flush right."""
    left, top, right, bottom = area
    names = [job.engine(engine) for engine in _ENGINES]
    side = 2.8
    size = min(pt(8), (right - left - len(names) * (side + 3.0)) / sum(text_width(n, 1.0) for n in names))
    size = max(size, FLOOR)
    x = right - sum(text_width(n, size) + side + 3.0 for n in names) + 2.0
    middle = (top + bottom) / 2
    for name in names:
        canvas.box((x, middle - side / 2, x + side, middle + side / 2), edge=job.theme.ink, radius=0.4)
        wide = text_width(name, size)
        canvas.words((x + side + 0.8, top, x + side + 0.9 + wide, bottom), name, Type(size))
        x += side + wide + 3.0


def _table(canvas: Canvas, area: Area, heads: tuple[str, ...], shares: tuple[float, ...]) -> None:
    left, top, right, bottom = area
    theme = canvas.theme
    head = 4.4
    rows = max(1, int((bottom - top - head) / 6.0))
    step = (bottom - top - head) / rows
    canvas.box(area, edge=theme.quiet_ink, radius=1.0)
    for row in range(rows):
        y = top + head + row * step
        canvas.line([(left, y), (right, y)], ink=theme.border, width=0.15)
    x = left
    for at, (label, share) in enumerate(zip(heads, shares, strict=True)):
        wide = (right - left) * share
        if at:
            canvas.line([(x, top), (x, bottom)], ink=theme.border, width=0.25)
        quiet = Type(_LABEL, fill=theme.quiet_ink, bold=True)
        canvas.words((x + 1.2, top, x + wide - 0.5, top + head), label, quiet)
        x += wide


def _cells(job: SheetJob, width: float) -> tuple[int, float, float]:
    """Return columns, width and height of the boxes of railroads."""
    marks = [r.short for r in job.board.railroads]
    widest = max((text_width(mark, pt(7.5), bold=True) for mark in marks), default=0.0)
    columns = max(1, min(int(width / min(max(widest + 5.6, 9.0), width)), 14))
    rows = -(-len(marks) // columns)
    columns = -(-len(marks) // max(rows, 1)) or 1
    return columns, width / columns, min(4.6, 52.0 / max(rows, 1))


def _owned_height(job: SheetJob, width: float) -> float:
    columns, _, high = _cells(job, width)
    return 4.4 + -(-len(job.board.railroads) // columns) * high


def _owned(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each railroad that can be owned, from A to Z."""
    left, top, right, _ = area
    railroads: list[Railroad] = sorted(job.board.railroads, key=lambda r: (job.alphabetical(r.short), r.id))
    columns, wide, high = _cells(job, right - left)
    quiet = Type(_LABEL, bold=True, fill=job.theme.quiet_ink)
    canvas.words((left, top, right, top + 4.0), job.words("pad.owned"), quiet)
    rows = -(-len(railroads) // columns)
    side = min(2.8, high - 0.6)
    for at, railroad in enumerate(railroads):
        x, y = left + at // rows * wide, top + 4.4 + at % rows * high
        middle = y + high / 2
        canvas.box((x, middle - side / 2, x + side, middle + side / 2), edge=job.theme.ink, radius=0.4)
        canvas.words((x + side + 0.9, y, x + wide - 0.6, y + high), railroad.short, Type(pt(7.5), bold=True))
