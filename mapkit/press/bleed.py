"""Bleed: a picture drawn a little over its edge, so that a cut that is a hair off shows no white."""

from xml.etree import ElementTree as ET

from mapkit.core.errors import PrintError
from mapkit.press.svg_file import SVG, Picture, read_picture

MAX_BLEED = 10.0
_NEAR = 0.02
_PLAIN = {f"{SVG}g", f"{SVG}svg"}


def with_bleed(svg: str, bleed: float, name: str = "the picture") -> str:
    """Return a picture that is larger by `bleed` at each edge, in millimetres.

    Rectangles that reach the edge are carried over it; nothing else changes. What is cut away then has the colours
    of the ground, of bands and of frames.

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
    _carry(picture.root, picture, dx, dy)
    picture.root.set("viewBox", " ".join(map(_short, (left - dx, top - dy, width + 2 * dx, height + 2 * dy))))
    picture.root.set("width", f"{_short(picture.width + 2 * bleed)}mm")
    picture.root.set("height", f"{_short(picture.height + 2 * bleed)}mm")
    return picture.text()


def _carry(parent: ET.Element, picture: Picture, dx: float, dy: float) -> None:
    """Carry rectangles over the edges of the page; groups that are moved or clipped are left alone."""
    left, top, width, height = picture.box
    for element in parent:
        if element.get("transform") or element.get("clip-path"):
            continue
        if element.tag in _PLAIN:
            _carry(element, picture, dx, dy)
        if element.tag != f"{SVG}rect" or element.get("rx") or element.get("stroke", "none") != "none":
            continue
        try:
            x, y = float(element.get("x", "0")), float(element.get("y", "0"))
            right, bottom = x + float(element.get("width", "0")), y + float(element.get("height", "0"))
        except ValueError:
            continue
        x = x - dx if abs(x - left) < _NEAR else x
        y = y - dy if abs(y - top) < _NEAR else y
        right = right + dx if abs(right - left - width) < _NEAR else right
        bottom = bottom + dy if abs(bottom - top - height) < _NEAR else bottom
        for key, value in (("x", x), ("y", y), ("width", right - x), ("height", bottom - y)):
            element.set(key, _short(value))


def _short(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
