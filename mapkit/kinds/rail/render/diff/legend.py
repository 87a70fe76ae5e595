"""Legend below a drawn difference: the boards, the meaning and count of each mark, the summary of changes."""

from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.svg_page import Element, SvgPage, format_mm, line_path_data
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.difference import BoardDiff, How
from mapkit.kinds.rail.render.diff.marks import draw_line, draw_mark
from mapkit.kinds.rail.render.page_areas import LEAST_HEIGHT_MM

_KEY_SHARE: Final = 0.27
_TEXT_MM: Final = 5.6
_LEAST_TEXT_MM: Final = 3.0
_LINE_SPACING: Final = 1.5
_COLUMN_COUNT: Final = 2
_KEY_ORDER: Final[tuple[How, ...]] = ("added", "removed", "changed")


def draw_diff_legend(document: SvgPage, diff: BoardDiff, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    theme = document.theme
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    legend_group = document.group(document.layers["legend"], {"id": "diff-legend", "fill": theme.ink})
    key_right = left + (right - left) * _KEY_SHARE
    _draw_key(document, legend_group, diff, (left, top, key_right - 6, bottom))
    _write_summary(document, legend_group, diff, (key_right, top, right, bottom))


def _draw_key(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    key_width = right - left
    diff_title = diff.title()
    title_size = min(7.0, (bottom - top) * 0.14, key_width / max(text_width(diff_title, 1.0, bold=True), 0.1))
    y = top + title_size
    document.text(layer, diff_title, (left, y), {"font-size": format_mm(title_size), "font-weight": "bold"})
    row_step = min((bottom - y - 1.0) / (len(_KEY_ORDER) + 0.5), 11.0)
    for how in _KEY_ORDER:
        y += row_step
        row_group = document.group(layer, {"id": f"diff-key-{how}", "fill": "none"})
        sample_line = line_path_data([(left, y - 1.0), (left + 14.0, y - 1.0)])
        draw_line(document, row_group, how, sample_line, {"class": "sample"})
        document.circle(row_group, (left + 20.0, y - 1.0), sizes.dot_radius, {"fill": theme.ink})
        draw_mark(document, row_group, how, (left + 20.0, y - 1.0), sizes.dot_radius, {"class": "sample"})
        row_text = f"{how}: {diff.counts(how)}"
        text_ems = max(text_width(row_text, 1.0), 0.1)
        document.text(
            layer,
            row_text,
            (left + 26.0, y),
            {"font-size": format_mm(min(_TEXT_MM, row_step * 0.6, (key_width - 26.0) / text_ems))},
        )


def _write_summary(document: SvgPage, layer: Element, diff: BoardDiff, area: Area) -> None:
    """Write the steps in columns, in the largest text with room for all; in the smallest, as many as fit."""
    theme = document.theme
    left, top, right, bottom = area
    column_width = (right - left) / _COLUMN_COUNT
    text_size = _TEXT_MM
    while True:
        row_count = int((bottom - top) / (text_size * _LINE_SPACING))
        summary_lines = [line for step in diff.story for line in _wrap_step(step.text, column_width - 5, text_size)]
        if len(summary_lines) <= row_count * _COLUMN_COUNT or text_size <= _LEAST_TEXT_MM:
            break
        text_size -= 0.2
    shown_lines = row_count * _COLUMN_COUNT
    if len(summary_lines) > shown_lines:
        summary_lines = [
            *summary_lines[: shown_lines - 1],
            "... and more: see the list that mapkit variant diff prints",
        ]
    text_group = document.group(layer, {"id": "diff-story", "font-size": format_mm(text_size)})
    for index, line in enumerate(summary_lines):
        x = left + column_width * (index // row_count)
        y = top + text_size * (1 + _LINE_SPACING * (index % row_count))
        document.text(text_group, line, (x, y), {} if not line.startswith("   ") else {"fill": theme.quiet_ink})


def _wrap_step(text: str, room: float, size: float) -> list[str]:
    """Break a step into lines, three at most, with a hanging indent."""
    wrapped_lines, current_line = [], "-"
    for word in text.split():
        if text_width(f"{current_line} {word}", size) > room and current_line.strip(" -"):
            wrapped_lines.append(current_line)
            current_line = f"   {word}"
        else:
            current_line = f"{current_line} {word}"
    wrapped_lines.append(current_line)
    if len(wrapped_lines) > 3:  # noqa: PLR2004 - as the summary says
        wrapped_lines = [*wrapped_lines[:2], f"{wrapped_lines[2]} ..."]
    return wrapped_lines
