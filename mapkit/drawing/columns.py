"""Pages of text in two columns: sections of points, as in a rule sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import LEADING, Fitted, points_to_mm, wrap_text
from mapkit.drawing.page import PageJob, begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import Family

_FONT_SIZES: Final = tuple(points_to_mm(quarters / 4) for quarters in range(38, 29, -1))
_COLUMN_COUNT: Final = 2
_GUTTER_MM: Final = 7.0
_INDENT_EM: Final = 1.1
_HEAD_SCALE: Final = 1.25
_SPACE_BELOW_HEAD: Final = 0.3
_SPACE_BEFORE_SECTION: Final = 0.7
_SPACE_BETWEEN_POINTS: Final = 0.28


class ColumnSection(Protocol):
    """A section: heading and points, numbered or not."""

    @property
    def title(self) -> str:
        """Heading."""
        ...

    @property
    def points(self) -> Sequence[str]:
        """Points, a paragraph each."""
        ...

    @property
    def numbered(self) -> bool:
        """Whether the points have numbers."""
        ...


@dataclass(frozen=True)
class ColumnText:
    """Text of the pages.

    Attributes:
        about: At the right of the heading.
        sections: In order.
        notes: Paragraphs in italics below them.
    """

    about: str
    sections: Sequence[ColumnSection]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class _Line:
    """A line of a column: text, mark before it, space above it, and whether it is a heading."""

    text: str
    mark: str = ""
    head: bool = False
    above: float = 0.0
    stays: bool = False
    """Whether the next line must be in the same column."""
    section: int = -1
    point: int = -1


def column_sheets(job: PageJob, name: str, title: str, text: ColumnText) -> list[Sheet]:
    """Return a text as pages in two columns: one page if text of 7.5 points fits, else as few as possible.

    Args:
        job: What the pages are made for.
        name: What the ids of the sheets begin with.
        title: Of the pages.
        text: What stands on them.
    """
    left, top, right, bottom = body_area(job)
    width = (right - left - _GUTTER_MM * (_COLUMN_COUNT - 1)) / _COLUMN_COUNT
    best_layout: tuple[int, float, list[list[_Line]]] | None = None
    for size in _FONT_SIZES:
        columns = _break_columns(_set_lines(text, width, size, job.theme.family), size, bottom - top)
        pages = -(-len(columns) // _COLUMN_COUNT)
        if best_layout is None or pages < best_layout[0]:
            best_layout = (pages, size, columns)
    assert best_layout is not None  # noqa: S101 - there are sizes
    page_count, size, columns = best_layout
    sheets = []
    for page_number in range(1, page_count + 1):
        canvas = begin_page(job, title, note=text.about, foot=page_number_text(job, page_number, page_count))
        for column_index, column in enumerate(columns[(page_number - 1) * _COLUMN_COUNT : page_number * _COLUMN_COUNT]):
            x = left + column_index * (width + _GUTTER_MM)
            _draw_column(canvas, column, (x, top, x + width), size)
        page_text = page_number_text(job, page_number, page_count)
        sheet_title = title_with_page(job, title, page_text)
        sheets.append(page_sheet(f"{name}-{page_number}", sheet_title, canvas))
    return sheets


def _set_lines(text: ColumnText, width: float, size: float, family: Family) -> list[_Line]:
    set_lines: list[_Line] = []
    for section_index, section in enumerate(text.sections):
        set_lines.append(
            _Line(section.title, head=True, above=_SPACE_BEFORE_SECTION, stays=True, section=section_index)
        )
        for number, point in enumerate(section.points):
            mark = f"{number + 1}." if section.numbered else "•"
            lines = wrap_text(point, width - _INDENT_EM * size, size, family=family)
            set_lines += [
                _Line(
                    line,
                    mark=mark if index == 0 else "",
                    above=_SPACE_BETWEEN_POINTS if index == 0 and number else 0.0,
                    stays=index in (0, len(lines) - 2) and index < len(lines) - 1,
                    section=section_index,
                    point=number,
                )
                for index, line in enumerate(lines)
            ]
    for note in text.notes:
        lines = wrap_text(note, width - _INDENT_EM * size, size, italic=True, family=family)
        set_lines += [
            _Line(line, above=0.0 if index else _SPACE_BEFORE_SECTION, stays=index < 1)
            for index, line in enumerate(lines)
        ]
    return set_lines


def _line_height(line: _Line, size: float, *, first: bool) -> float:
    space_above = 0.0 if first else line.above
    return (space_above + (LEADING * _HEAD_SCALE + _SPACE_BELOW_HEAD if line.head else LEADING)) * size


def _break_columns(lines: list[_Line], size: float, height: float) -> list[list[_Line]]:
    """Break lines into columns, without a lone heading at a foot or a lone line of a point at a head or foot."""
    broken_columns: list[list[_Line]] = [[]]
    remaining_height = height
    block_start = 0
    while block_start < len(lines):
        block_end = block_start
        while lines[block_end].stays and block_end + 1 < len(lines):
            block_end += 1
        line_block = lines[block_start : block_end + 1]
        needed_height = sum(
            _line_height(line, size, first=not broken_columns[-1] and line is line_block[0]) for line in line_block
        )
        if needed_height > remaining_height and broken_columns[-1]:
            broken_columns.append([])
            remaining_height = height
            needed_height = sum(_line_height(line, size, first=line is line_block[0]) for line in line_block)
        broken_columns[-1] += line_block
        remaining_height -= needed_height
        block_start = block_end + 1
    return broken_columns


def _draw_column(canvas: Canvas, column: list[_Line], area: tuple[float, float, float], size: float) -> None:
    left, y, right = area
    theme = canvas.theme
    indent = _INDENT_EM * size
    for index, line in enumerate(column):
        height = _line_height(line, size, first=index == 0)
        text_size = size * (_HEAD_SCALE if line.head else 1.0)
        line_foot = y + height - (_SPACE_BELOW_HEAD * size if line.head else 0.0)
        line_top = line_foot - LEADING * text_size
        text_type = TextStyle(text_size, bold=line.head, italic=line.section < 0)
        if line.mark:
            canvas.set((left, line_top, left + indent, line_foot), Fitted((line.mark,), text_size), text_type)
        box = (left if line.head else left + indent, line_top, right, line_foot)
        parent = None
        if line.section >= 0:
            data_names = {"data-section": str(line.section)} | ({} if line.head else {"data-point": str(line.point)})
            parent = canvas.group(data_names)
        canvas.set(box, Fitted((line.text,), text_size), text_type, parent=parent)
        if line.head:
            canvas.line([(left, line_foot + 0.1), (right, line_foot + 0.1)], ink=theme.border, width=0.2)
        y += height
