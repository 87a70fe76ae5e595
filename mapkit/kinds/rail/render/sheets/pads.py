"""Player pads: boxes to fill in by pencil, two or four on a page."""

from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import FLOOR, points_to_mm
from mapkit.drawing.page import MARGIN, page_size
from mapkit.drawing.sheet import PAPERS, Sheet
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Railroad
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.rules.rules import Engine

_PAD_MM: Final = 3.5
_HEAD_MM: Final = 8.0
_FIELD_MM: Final = 9.0
_LABEL_SIZE: Final = points_to_mm(6.5)
_GAP_MM: Final = 3.0
_ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


def make_pad_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of two pads, and one of four smaller ones; on half a page, one pad."""
    pad_pages, words = [], job.words
    width, height = page_size(job)
    for across, down in ((1, 2), (2, 2)) if width > PAPERS["a5"][0] else ((1, 1),):
        pad_count = across * down
        page_canvas = Canvas(
            (width, height),
            job.theme,
            title=words("pad.title", board=job.board.title),
            description=words("pad.about", count=pad_count),
        )
        left, top, right, bottom = MARGIN, MARGIN, width - MARGIN, height - MARGIN
        pad_width = (right - left - (across - 1) * 2 * _PAD_MM) / across
        pad_height = (bottom - top - (down - 1) * 2 * _PAD_MM) / down
        for pad_number in range(pad_count):
            x, y = (
                left + pad_number % across * (pad_width + 2 * _PAD_MM),
                top + pad_number // across * (pad_height + 2 * _PAD_MM),
            )
            _draw_pad(job, page_canvas, (x, y, x + pad_width, y + pad_height))
        sheet_title = words("pad.titled", count=pad_count)
        pad_pages.append(Sheet(f"pad-{pad_count}", sheet_title, page_canvas.to_text(), width, height, "page", None))
    return pad_pages


def _draw_pad(job: SheetJob, canvas: Canvas, area: Area) -> None:
    left, top, right, bottom = area
    theme = job.theme
    canvas.box(area, edge=theme.ink, width=0.35, radius=2.0)
    inner_box = (left + _PAD_MM, top + 2.0, right - _PAD_MM, bottom - _PAD_MM)
    left, top, right, bottom = inner_box
    canvas.words(
        (left, top, left + (right - left) * 0.5, top + _HEAD_MM),
        job.board.title,
        TextStyle(points_to_mm(13), bold=True),
    )
    _draw_engine_boxes(job, canvas, (left + (right - left) * 0.5, top, right, top + _HEAD_MM))
    y = top + _HEAD_MM + 1.0
    third_width = (right - left - 2 * _GAP_MM) / 3
    for field_number, label in enumerate(("player", "home", "destination")):
        x = left + field_number * (third_width + _GAP_MM)
        canvas.box((x, y, x + third_width, y + _FIELD_MM), edge=theme.quiet_ink, radius=1.0)
        label_box = (x + 1.2, y + 0.4, x + third_width - 1.0, y + 3.4)
        canvas.words(label_box, job.words(f"pad.{label}"), TextStyle(_LABEL_SIZE, fill=theme.quiet_ink))
    y += _FIELD_MM + _GAP_MM
    column_count, _, row_height = _railroad_cells(job, right - left)
    owned_height = 4.4 + -(-len(job.board.railroads) // column_count) * row_height
    owned_top = max(bottom - owned_height, y + 20.0)
    table_right = left + (right - left - _GAP_MM) * 0.56
    _draw_table(
        canvas,
        (left, y, table_right, owned_top - _GAP_MM),
        _column_heads(job, "from", "to", "payoff"),
        (0.38, 0.38, 0.24),
    )
    _draw_table(
        canvas,
        (table_right + _GAP_MM, y, right, owned_top - _GAP_MM),
        _column_heads(job, "in", "out", "cash"),
        (1 / 3, 1 / 3, 1 / 3),
    )
    _draw_owned_boxes(job, canvas, (left, owned_top, right, bottom))


def _column_heads(job: SheetJob, *names: str) -> tuple[str, ...]:
    return tuple(job.words(f"pad.{name}") for name in names)


def _draw_engine_boxes(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each engine, flush right."""
    left, top, right, bottom = area
    engine_names = [job.engine(engine) for engine in _ENGINES]
    side = 2.8
    size = min(
        points_to_mm(8),
        (right - left - len(engine_names) * (side + 3.0))
        / sum(text_width(n, 1.0, family=job.theme.family) for n in engine_names),
    )
    size = max(size, FLOOR)
    x = right - sum(text_width(n, size, family=job.theme.family) + side + 3.0 for n in engine_names) + 2.0
    middle = (top + bottom) / 2
    for engine_name in engine_names:
        canvas.box((x, middle - side / 2, x + side, middle + side / 2), edge=job.theme.ink, radius=0.4)
        name_width = text_width(engine_name, size, family=job.theme.family)
        canvas.words((x + side + 0.8, top, x + side + 0.9 + name_width, bottom), engine_name, TextStyle(size))
        x += side + name_width + 3.0


def _draw_table(canvas: Canvas, area: Area, heads: tuple[str, ...], shares: tuple[float, ...]) -> None:
    left, top, right, bottom = area
    theme = canvas.theme
    head_height = 4.4
    row_count = max(1, int((bottom - top - head_height) / 6.0))
    row_height = (bottom - top - head_height) / row_count
    canvas.box(area, edge=theme.quiet_ink, radius=1.0)
    for row_number in range(row_count):
        y = top + head_height + row_number * row_height
        canvas.line([(left, y), (right, y)], ink=theme.border, width=0.15)
    x = left
    for column_number, (label, share) in enumerate(zip(heads, shares, strict=True)):
        column_width = (right - left) * share
        if column_number:
            canvas.line([(x, top), (x, bottom)], ink=theme.border, width=0.25)
        label_type = TextStyle(_LABEL_SIZE, fill=theme.quiet_ink, bold=True)
        canvas.words((x + 1.2, top, x + column_width - 0.5, top + head_height), label, label_type)
        x += column_width


def _railroad_cells(job: SheetJob, width: float) -> tuple[int, float, float]:
    """Return columns, width and height of the boxes of railroads."""
    reporting_marks = [r.short for r in job.board.railroads]
    widest_mark = max(
        (text_width(mark, points_to_mm(7.5), bold=True, family=job.theme.family) for mark in reporting_marks),
        default=0.0,
    )
    column_count = max(1, min(int(width / min(max(widest_mark + 5.6, 9.0), width)), 14))
    row_count = -(-len(reporting_marks) // column_count)
    column_count = -(-len(reporting_marks) // max(row_count, 1)) or 1
    return column_count, width / column_count, min(4.6, 52.0 / max(row_count, 1))


def _draw_owned_boxes(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each railroad that can be owned, from A to Z."""
    left, top, right, _ = area
    sorted_railroads: list[Railroad] = sorted(job.board.railroads, key=lambda r: (job.sort_key(r.short), r.id))
    column_count, cell_width, high = _railroad_cells(job, right - left)
    label_type = TextStyle(_LABEL_SIZE, bold=True, fill=job.theme.quiet_ink)
    canvas.words((left, top, right, top + 4.0), job.words("pad.owned"), label_type)
    row_count = -(-len(sorted_railroads) // column_count)
    box_side = min(2.8, high - 0.6)
    for railroad_number, railroad in enumerate(sorted_railroads):
        x, y = left + railroad_number // row_count * cell_width, top + 4.4 + railroad_number % row_count * high
        middle = y + high / 2
        canvas.box((x, middle - box_side / 2, x + box_side, middle + box_side / 2), edge=job.theme.ink, radius=0.4)
        canvas.words(
            (x + box_side + 0.9, y, x + cell_width - 0.6, y + high),
            railroad.short,
            TextStyle(points_to_mm(7.5), bold=True),
        )
