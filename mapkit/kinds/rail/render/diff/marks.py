"""Marks of the three kinds of differences: a colour and a form each."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, SvgPage, format_mm, line_path_data
from mapkit.kinds.rail.model.difference import How

COLOURS: Final[dict[How, str]] = {"added": "#0072b2", "removed": "#d55e00", "changed": "#f0e442"}
"""Okabe and Ito: dark, middle and light, so that they differ in grey too."""
MARKS: Final[tuple[How, ...]] = ("changed", "removed", "added")
"""From the bottom up."""

_LINE_MM: Final = 1.5
_EDGE_MM: Final = 0.35
_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"


def draw_line(document: SvgPage, parent: Element, how: How, d: str, attributes: dict[str, str], tip: str = "") -> None:
    """Draw a line: a casing, and the colour upon it, dashed if it was removed."""
    join_style = {"stroke-linejoin": "round"}
    casing_style = {"class": "casing", "stroke": _BLACK if how == "changed" else _WHITE}
    document.path(parent, d, casing_style | join_style | {"stroke-width": format_mm(_LINE_MM + 2 * _EDGE_MM)})
    line_style = {"stroke": COLOURS[how], "stroke-width": format_mm(_LINE_MM)} | join_style
    if how == "removed":
        line_style |= {"stroke-dasharray": "2.2 1.3"}
    document.path(parent, d, attributes | line_style, tip=tip)


def draw_mark(
    document: SvgPage, parent: Element, how: How, at: Point, radius: float, attributes: dict[str, str]
) -> None:
    """Draw a mark about a symbol of the radius (millimetres): a ring, a cross or a diamond."""
    tip_text = attributes.pop("data-tip", "")
    x, y = at
    group = document.group(parent, attributes | {"fill": "none"})
    colour = COLOURS[how]
    if how == "added":
        mark_radius = radius + 1.1
        document.circle(group, at, mark_radius, {"stroke": _WHITE, "stroke-width": format_mm(1.5)})
        document.circle(
            group, at, mark_radius, {"stroke": colour, "stroke-width": format_mm(0.9)}, tip=f"added: {tip_text}"
        )
    elif how == "removed":
        mark_radius = radius + 0.7
        left, right, top, bottom = x - mark_radius, x + mark_radius, y - mark_radius, y + mark_radius
        mark_path = f"{line_path_data([(left, top), (right, bottom)])} {line_path_data([(left, bottom), (right, top)])}"
        document.path(group, mark_path, {"stroke": _WHITE, "stroke-width": format_mm(1.7)})
        document.path(group, mark_path, {"stroke": colour, "stroke-width": format_mm(1.0)}, tip=f"removed: {tip_text}")
    else:
        mark_radius = (radius + 0.9) * 1.35
        mark_path = line_path_data(
            [
                (x, y - mark_radius),
                (x + mark_radius, y),
                (x, y + mark_radius),
                (x - mark_radius, y),
                (x, y - mark_radius),
            ],
            closed=True,
        )
        document.path(group, mark_path, {"stroke": _BLACK, "stroke-width": format_mm(1.5), "stroke-linejoin": "miter"})
        ring_style = {"stroke": colour, "stroke-width": format_mm(0.8), "stroke-linejoin": "miter"}
        document.path(group, mark_path, ring_style, tip=f"changed: {tip_text}")
