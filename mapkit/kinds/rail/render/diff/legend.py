"""The strip below a drawn difference: the boards, what each mark means and how often it stands, the story."""

from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.svg_page import Element, SvgPage, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.difference import BoardDiff, How
from mapkit.kinds.rail.render.diff.marks import draw_line, draw_mark
from mapkit.kinds.rail.render.page_areas import LEAST_HEIGHT_MM

_KEY_SHARE: Final = 0.27
_TEXT: Final = 5.6
_LEAST_TEXT: Final = 3.0
_LEADING: Final = 1.5
_COLUMNS: Final = 2
_ORDER: Final[tuple[How, ...]] = ("added", "removed", "changed")


def draw_diff_legend(document: SvgPage, diff: BoardDiff, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    theme = document.theme
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    layer = document.group(document.layers["legend"], {"id": "diff-legend", "fill": theme.ink})
    edge = left + (right - left) * _KEY_SHARE
    _key(document, layer, diff, (left, top, edge - 6, bottom))
    _story(document, layer, diff, (edge, top, right, bottom))


def _key(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    room = right - left
    title = diff.title()
    size = min(7.0, (bottom - top) * 0.14, room / max(text_width(title, 1.0, bold=True), 0.1))
    y = top + size
    document.text(layer, title, (left, y), {"font-size": mm(size), "font-weight": "bold"})
    step = min((bottom - y - 1.0) / (len(_ORDER) + 0.5), 11.0)
    for how in _ORDER:
        y += step
        row = document.group(layer, {"id": f"diff-key-{how}", "fill": "none"})
        sample = line_d([(left, y - 1.0), (left + 14.0, y - 1.0)])
        draw_line(document, row, how, sample, {"class": "sample"})
        document.circle(row, (left + 20.0, y - 1.0), sizes.dot_radius, {"fill": theme.ink})
        draw_mark(document, row, how, (left + 20.0, y - 1.0), sizes.dot_radius, {"class": "sample"})
        text = f"{how}: {diff.counts(how)}"
        width = max(text_width(text, 1.0), 0.1)
        document.text(layer, text, (left + 26.0, y), {"font-size": mm(min(_TEXT, step * 0.6, (room - 26.0) / width))})


def _story(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    """Write the steps in columns, in the largest text that holds all, or as many as there is room for."""
    theme = document.theme
    left, top, right, bottom = area
    column = (right - left) / _COLUMNS
    size = _TEXT
    while True:
        rows = int((bottom - top) / (size * _LEADING))
        lines = [line for step in diff.story for line in _wrapped(step.text, column - 5, size)]
        if len(lines) <= rows * _COLUMNS or size <= _LEAST_TEXT:
            break
        size -= 0.2
    shown = rows * _COLUMNS
    if len(lines) > shown:
        lines = [*lines[: shown - 1], "... and more: see the list that mapkit variant diff prints"]
    group = document.group(layer, {"id": "diff-story", "font-size": mm(size)})
    for index, line in enumerate(lines):
        x = left + column * (index // rows)
        y = top + size * (1 + _LEADING * (index % rows))
        document.text(group, line, (x, y), {} if not line.startswith("   ") else {"fill": theme.quiet_ink})


def _wrapped(text: str, room: float, size: float) -> list[str]:
    """Break a step into lines, three at most; those after the first are set in."""
    lines, line = [], "-"
    for word in text.split():
        if text_width(f"{line} {word}", size) > room and line.strip(" -"):
            lines.append(line)
            line = f"   {word}"
        else:
            line = f"{line} {word}"
    lines.append(line)
    if len(lines) > 3:  # noqa: PLR2004 - said above
        lines = [*lines[:2], f"{lines[2]} ..."]
    return lines
