"""Pages of text in two columns: sections of points, such as a rule sheet has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import LEADING, Fitted, pt, wrap
from mapkit.drawing.page import Paged, body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet

_SIZES: Final = tuple(pt(quarters / 4) for quarters in range(38, 27, -1))
_COLUMNS: Final = 2
_GUTTER: Final = 7.0
_INDENT_EM: Final = 1.1
_HEAD: Final = 1.25
_BELOW: Final = 0.3
_BEFORE: Final = 0.7
_BETWEEN: Final = 0.28


class ColumnSection(Protocol):
    """A section: its heading, and its points, numbered or not."""

    @property
    def title(self) -> str:
        """The heading."""
        ...

    @property
    def points(self) -> Sequence[str]:
        """A paragraph each."""
        ...

    @property
    def numbered(self) -> bool:
        """Whether points have numbers."""
        ...


@dataclass(frozen=True)
class ColumnText:
    """What stands on pages.

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
    """A line of a column: its text, what stands before it, whether it is a heading, and the space above it."""

    text: str
    mark: str = ""
    head: bool = False
    above: float = 0.0
    stays: bool = False
    """Whether the next line must be in the same column."""
    section: int = -1
    point: int = -1


def column_sheets(job: Paged, name: str, title: str, text: ColumnText) -> list[Sheet]:
    """Return a text as pages in two columns: on one page where text of 7 points allows it, else on as few as it needs.

    Args:
        job: What the pages are made for.
        name: What the ids of the sheets begin with.
        title: Of the pages.
        text: What stands on them.
    """
    left, top, right, bottom = body_area(job)
    width = (right - left - _GUTTER * (_COLUMNS - 1)) / _COLUMNS
    best: tuple[int, float, list[list[_Line]]] | None = None
    for size in _SIZES:
        columns = _columns(_lines(text, width, size), size, bottom - top)
        pages = -(-len(columns) // _COLUMNS)
        if best is None or pages < best[0]:
            best = (pages, size, columns)
    assert best is not None  # noqa: S101 - there are sizes
    count, size, columns = best
    out = []
    for number in range(1, count + 1):
        canvas = page(job, title, note=text.about, foot=page_of(job, number, count))
        for at, column in enumerate(columns[(number - 1) * _COLUMNS : number * _COLUMNS]):
            x = left + at * (width + _GUTTER)
            _draw(canvas, column, (x, top, x + width), size)
        where = page_of(job, number, count)
        whole = titled(job, title, where)
        out.append(Sheet(f"{name}-{number}", whole, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return out


def _lines(text: ColumnText, width: float, size: float) -> list[_Line]:
    out: list[_Line] = []
    for at, section in enumerate(text.sections):
        out.append(_Line(section.title, head=True, above=_BEFORE, stays=True, section=at))
        for number, point in enumerate(section.points):
            mark = f"{number + 1}." if section.numbered else "•"
            lines = wrap(point, width - _INDENT_EM * size, size)
            out += [
                _Line(
                    line,
                    mark=mark if index == 0 else "",
                    above=_BETWEEN if index == 0 and number else 0.0,
                    stays=index in (0, len(lines) - 2) and index < len(lines) - 1,
                    section=at,
                    point=number,
                )
                for index, line in enumerate(lines)
            ]
    for note in text.notes:
        lines = wrap(note, width - _INDENT_EM * size, size, italic=True)
        out += [_Line(line, above=0.0 if index else _BEFORE, stays=index < 1) for index, line in enumerate(lines)]
    return out


def _height(line: _Line, size: float, *, first: bool) -> float:
    above = 0.0 if first else line.above
    return (above + (LEADING * _HEAD + _BELOW if line.head else LEADING)) * size


def _columns(lines: list[_Line], size: float, height: float) -> list[list[_Line]]:
    """Break lines into columns: no heading alone at a foot, no single line of a point at a head or foot."""
    out: list[list[_Line]] = [[]]
    left = height
    at = 0
    while at < len(lines):
        end = at
        while lines[end].stays and end + 1 < len(lines):
            end += 1
        block = lines[at : end + 1]
        needed = sum(_height(line, size, first=not out[-1] and line is block[0]) for line in block)
        if needed > left and out[-1]:
            out.append([])
            left = height
            needed = sum(_height(line, size, first=line is block[0]) for line in block)
        out[-1] += block
        left -= needed
        at = end + 1
    return out


def _draw(canvas: Canvas, column: list[_Line], area: tuple[float, float, float], size: float) -> None:
    left, y, right = area
    theme = canvas.theme
    indent = _INDENT_EM * size
    for index, line in enumerate(column):
        height = _height(line, size, first=index == 0)
        text = size * (_HEAD if line.head else 1.0)
        foot = y + height - (_BELOW * size if line.head else 0.0)
        top = foot - LEADING * text
        kind = Type(text, bold=line.head, italic=line.section < 0)
        if line.mark:
            canvas.set((left, top, left + indent, foot), Fitted((line.mark,), text), kind)
        box = (left if line.head else left + indent, top, right, foot)
        parent = None
        if line.section >= 0:
            data = {"data-section": str(line.section)} | ({} if line.head else {"data-point": str(line.point)})
            parent = canvas.group(data)
        canvas.set(box, Fitted((line.text,), text), kind, parent=parent)
        if line.head:
            canvas.line([(left, foot + 0.1), (right, foot + 0.1)], ink=theme.border, width=0.2)
        y += height
