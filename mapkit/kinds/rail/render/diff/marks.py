"""The three ways in which differences are marked: a colour and a form each."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, SvgPage, line_d, mm
from mapkit.kinds.rail.model.difference import How

COLOURS: Final[dict[How, str]] = {"added": "#0072b2", "removed": "#d55e00", "changed": "#f0e442"}
"""Okabe and Ito: dark, middle and light, so that they differ in grey too."""
MARKS: Final[tuple[How, ...]] = ("changed", "removed", "added")
"""From the bottom up."""

_LINE: Final = 1.5
_EDGE: Final = 0.35
_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"


def draw_line(document: SvgPage, parent: Element, how: How, d: str, attributes: dict[str, str], tip: str = "") -> None:
    """Draw a line: a casing, and the colour upon it, dashed if it was removed."""
    ends = {"stroke-linejoin": "round"}
    casing = {"class": "casing", "stroke": _BLACK if how == "changed" else _WHITE}
    document.path(parent, d, casing | ends | {"stroke-width": mm(_LINE + 2 * _EDGE)})
    stroke = {"stroke": COLOURS[how], "stroke-width": mm(_LINE)} | ends
    if how == "removed":
        stroke |= {"stroke-dasharray": "2.2 1.3"}
    document.path(parent, d, attributes | stroke, tip=tip)


def draw_mark(
    document: SvgPage, parent: Element, how: How, at: Point, radius: float, attributes: dict[str, str]
) -> None:
    """Draw a mark about a symbol of the radius (millimetres): a ring, a cross or a diamond."""
    tip = attributes.pop("data-tip", "")
    x, y = at
    group = document.group(parent, attributes | {"fill": "none"})
    colour = COLOURS[how]
    if how == "added":
        r = radius + 1.1
        document.circle(group, at, r, {"stroke": _WHITE, "stroke-width": mm(1.5)})
        document.circle(group, at, r, {"stroke": colour, "stroke-width": mm(0.9)}, tip=f"added: {tip}")
    elif how == "removed":
        r = radius + 0.7
        d = f"{line_d([(x - r, y - r), (x + r, y + r)])} {line_d([(x - r, y + r), (x + r, y - r)])}"
        document.path(group, d, {"stroke": _WHITE, "stroke-width": mm(1.7)})
        document.path(group, d, {"stroke": colour, "stroke-width": mm(1.0)}, tip=f"removed: {tip}")
    else:
        r = (radius + 0.9) * 1.35
        d = line_d([(x, y - r), (x + r, y), (x, y + r), (x - r, y), (x, y - r)], closed=True)
        document.path(group, d, {"stroke": _BLACK, "stroke-width": mm(1.5), "stroke-linejoin": "miter"})
        ring = {"stroke": colour, "stroke-width": mm(0.8), "stroke-linejoin": "miter"}
        document.path(group, d, ring, tip=f"changed: {tip}")
