"""A page of a printout as one SVG, to look at before it is printed."""

from typing import Final
from xml.etree import ElementTree as ET

from mapkit.press.svg_file import SVG, Picture, read_picture
from mapkit.press.vector import PdfPage, PlacedPicture

_WHITE: Final = "#ffffff"


def page_svg(page: PdfPage, name: str = "the page") -> str:
    """Return a page as SVG in millimetres, on white; the lower pictures first.

    Raises:
        PrintError: As for `read_picture`.
    """
    wide, high = f"{page.width:g}", f"{page.height:g}"
    root = ET.Element(f"{SVG}svg", {"width": f"{wide}mm", "height": f"{high}mm", "viewBox": f"0 0 {wide} {high}"})
    ET.SubElement(root, f"{SVG}rect", {"width": wide, "height": high, "fill": _WHITE})
    for placed in page.pictures:
        _place(root, placed, read_picture(placed.svg, name))
    return Picture(root, page.width, page.height, (0, 0, page.width, page.height)).text()


def _place(root: ET.Element, placed: PlacedPicture, picture: Picture) -> None:
    """Put a picture on the page; ids would occur twice there, and nothing in a page is looked up by them."""
    wide, high = (placed.height, placed.width) if placed.turned else (placed.width, placed.height)
    left, top = (0.0, 0.0) if placed.turned else (placed.x, placed.y)
    inner = picture.root
    for key, value in (("x", left), ("y", top), ("width", wide), ("height", high)):
        inner.set(key, f"{value:g}")
    inner.set("preserveAspectRatio", "none")
    inner.attrib.pop("aria-labelledby", None)
    if placed.turned:
        around = {"transform": f"translate({placed.x:g} {placed.y + placed.height:g}) rotate(-90)"}
        root = ET.SubElement(root, f"{SVG}g", around)
    root.append(inner)
