"""Making SVG elements with svgwrite: fixed decimals, `data-` attributes, SVG 1.1 only.

Batik, which VASSAL draws with, knows no `dominant-baseline`, no `paint-order` and no `rgba()`; nothing here
needs them.
"""

from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET

from svgwrite import Drawing
from svgwrite.base import BaseElement, Title
from svgwrite.container import Group
from svgwrite.path import Path
from svgwrite.shapes import Circle, Rect
from svgwrite.text import Text

from mapkit.model.base import Point

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_PLAIN = {"debug": False}


def fixed(value: float) -> str:
    """Return a length with two decimals at most, without a negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def drawing(width_mm: float, height_mm: float) -> Drawing:
    """Return an empty drawing whose user unit is a millimetre."""
    return Drawing(
        size=(f"{fixed(width_mm)}mm", f"{fixed(height_mm)}mm"),
        viewBox=f"0 0 {fixed(width_mm)} {fixed(height_mm)}",
        **_PLAIN,
    )


def document(page: Drawing) -> str:
    """Return the text of a drawing, an element a line."""
    root = page.get_xml()
    ET.indent(root, space=" ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def with_attributes(  # noqa: PLR0913 - each attribute has its own name
    element: BaseElement,
    *,
    ident: str | None = None,
    css: str | None = None,
    title: str | None = None,
    data: Mapping[str, object] | None = None,
    style: Mapping[str, object] | None = None,
) -> BaseElement:
    """Set id, class, `data-` attributes and presentation attributes; a title is read out and shown on hover."""
    if ident is not None:
        element["id"] = ident
    if css is not None:
        element["class"] = css
    for key, value in (data or {}).items():
        element[f"data-{key}"] = _data(value)
    for key, value in (style or {}).items():
        element[key] = fixed(value) if isinstance(value, float) else str(value)
    if title is not None:
        element.elements.insert(0, Title(title))
    return element


def _data(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return repr(value) if isinstance(value, float) else str(value)


def group(ident: str | None = None, css: str | None = None, **style: object) -> Group:
    """Return a group; underscores in `style` become hyphens."""
    return with_attributes(
        Group(**_PLAIN), ident=ident, css=css, style={k.replace("_", "-"): v for k, v in style.items()}
    )


def line_data(points: Sequence[Point]) -> str:
    """Return the path data of an open polyline."""
    return "M" + "L".join(f"{fixed(x)} {fixed(y)}" for x, y in points)


def area_data(rings: Iterable[Sequence[Point]]) -> str:
    """Return the path data of closed rings, whose last point repeats the first."""
    return "".join(line_data(ring[:-1]) + "Z" for ring in rings)


def path(data: str, **style: object) -> Path:
    """Return a path; underscores in `style` become hyphens."""
    return with_attributes(Path(d=data, **_PLAIN), style={k.replace("_", "-"): v for k, v in style.items()})


def circle(centre: Point, radius: float, **style: object) -> Circle:
    """Return a circle."""
    made = Circle(center=(fixed(centre[0]), fixed(centre[1])), r=fixed(radius), **_PLAIN)
    return with_attributes(made, style={k.replace("_", "-"): v for k, v in style.items()})


def rect(x: float, y: float, width: float, height: float, **style: object) -> Rect:
    """Return a rectangle by its top left corner."""
    made = Rect(insert=(fixed(x), fixed(y)), size=(fixed(width), fixed(height)), **_PLAIN)
    return with_attributes(made, style={k.replace("_", "-"): v for k, v in style.items()})


def text(content: str, x: float, y: float, size: float, **style: object) -> Text:
    """Return a line of text whose baseline starts (or is centred, or ends) at a point."""
    made = Text(content, insert=(fixed(x), fixed(y)), font_size=fixed(size), **_PLAIN)
    return with_attributes(made, style={k.replace("_", "-"): v for k, v in style.items()})
