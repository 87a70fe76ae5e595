"""Bleed: a picture extended a little beyond its edge, so that an imprecise cut shows no white."""

from xml.etree import ElementTree as ET

from mapkit.core.errors import PrintError
from mapkit.drawing.svg_file import SVG, Picture, read_picture

MAX_BLEED = 10.0
_EDGE_TOLERANCE = 0.02
_PLAIN_GROUPS = {f"{SVG}g", f"{SVG}svg"}


def add_bleed(svg: str, bleed: float, name: str = "the picture") -> str:
    """Return a picture enlarged by `bleed` at each edge, in millimetres.

    Rectangles that reach the edge are extended beyond it; nothing else changes. The cut-off margin then has the colours
    of the background, of bands and of frames.

    Raises:
        PrintError: As for `read_picture`; or the bleed is negative or more than 10 mm.
    """
    if not 0 <= bleed <= MAX_BLEED:
        raise PrintError(f"bleed {bleed:g} mm: choose from 0 to {MAX_BLEED:g} mm")
    if bleed == 0:
        return svg
    picture = read_picture(svg, name)
    left, top, width, height = picture.box
    dx, dy = bleed * width / picture.width, bleed * height / picture.height
    _extend_rectangles(picture.root, picture, dx, dy)
    picture.root.set("viewBox", " ".join(map(_format_number, (left - dx, top - dy, width + 2 * dx, height + 2 * dy))))
    picture.root.set("width", f"{_format_number(picture.width + 2 * bleed)}mm")
    picture.root.set("height", f"{_format_number(picture.height + 2 * bleed)}mm")
    return picture.text()


def _extend_rectangles(parent: ET.Element, picture: Picture, dx: float, dy: float) -> None:
    """Extend rectangles beyond the edges of the page; transformed or clipped groups stay as they are."""
    left, top, width, height = picture.box
    for element in parent:
        if element.get("transform") or element.get("clip-path"):
            continue
        if element.tag in _PLAIN_GROUPS:
            _extend_rectangles(element, picture, dx, dy)
        if element.tag != f"{SVG}rect" or element.get("rx") or element.get("stroke", "none") != "none":
            continue
        try:
            x, y = float(element.get("x", "0")), float(element.get("y", "0"))
            right, bottom = x + float(element.get("width", "0")), y + float(element.get("height", "0"))
        except ValueError:
            continue
        x = x - dx if abs(x - left) < _EDGE_TOLERANCE else x
        y = y - dy if abs(y - top) < _EDGE_TOLERANCE else y
        right = right + dx if abs(right - left - width) < _EDGE_TOLERANCE else right
        bottom = bottom + dy if abs(bottom - top - height) < _EDGE_TOLERANCE else bottom
        for attribute, value in (("x", x), ("y", y), ("width", right - x), ("height", bottom - y)):
            element.set(attribute, _format_number(value))


def _format_number(value: float) -> str:
    number_text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text
