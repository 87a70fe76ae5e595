"""Preview of a printed page as one SVG."""

from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.svg_file import SVG, Picture, read_picture
from mapkit.press.vector import PdfPage, PlacedPicture

_WHITE_FILL: Final = "#ffffff"


def page_svg(page: PdfPage) -> str:
    """Return a page as SVG in millimetres, on white, with the lower pictures first.

    Raises:
        PrintError: As for `read_picture`.
    """
    page_width, page_height = f"{page.width:g}", f"{page.height:g}"
    root = ET.Element(
        f"{SVG}svg",
        {"width": f"{page_width}mm", "height": f"{page_height}mm", "viewBox": f"0 0 {page_width} {page_height}"},
    )
    ET.SubElement(root, f"{SVG}rect", {"width": page_width, "height": page_height, "fill": _WHITE_FILL})
    for placed in page.pictures:
        _place_picture(root, placed, read_picture(placed.svg, "the page"))
    return Picture(root, page.width, page.height, (0, 0, page.width, page.height)).text()


def _place_picture(root: ET.Element, placed: PlacedPicture, picture: Picture) -> None:
    """Place a picture on the page; its ids may repeat, since nothing in a page refers to them."""
    picture_width, picture_height = (placed.height, placed.width) if placed.turned else (placed.width, placed.height)
    left, top = (0.0, 0.0) if placed.turned else (placed.x, placed.y)
    inner = picture.root
    for key, value in (("x", left), ("y", top), ("width", picture_width), ("height", picture_height)):
        inner.set(key, f"{value:g}")
    inner.set("preserveAspectRatio", "none")
    inner.attrib.pop("aria-labelledby", None)
    if placed.turned:
        group_attributes = {"transform": f"translate({placed.x:g} {placed.y + placed.height:g}) rotate(-90)"}
        root = ET.SubElement(root, f"{SVG}g", group_attributes)
    root.append(inner)
