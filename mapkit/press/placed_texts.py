"""Texts of a picture with their places."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.core.base import Area
from mapkit.drawing.fit import POINT
from mapkit.drawing.svg_file import SVG, Picture, face_of, family_of
from mapkit.drawing.text_extent import CAP_HEIGHT, text_extent
from mapkit.drawing.text_width import SANS, Family, text_width
from mapkit.formats.svg.units import Affine, parse_transform

_TEXT_TAGS: Final = (f"{SVG}text", f"{SVG}tspan")
_ANCHOR_SHARES: Final = {"middle": 0.5, "end": 1.0}
"""Share of a text's width left of its position."""


@dataclass(frozen=True)
class PlacedText:
    """A text of a picture, its size in points, and the box around it in user units."""

    text: str
    points: float
    box: Area
    of: str
    """`data-of` of the drawing of a board: `c-` and the id of a city."""


def list_placed_texts(picture: Picture) -> Iterator[PlacedText]:
    """Yield the texts of a picture."""
    open_elements: list[tuple[ET.Element, Affine, float, Family]] = [(picture.root, Affine(), 0.0, SANS)]
    while open_elements:
        element, placed, size, family = open_elements.pop()
        family = family_of(element, family)
        placed = placed.then(parse_transform(element.get("transform", "")))
        size = float(element.get("font-size", size))
        if element.tag in _TEXT_TAGS and element.text and element.text.strip():
            x, y = zip(*(placed.apply(*corner) for corner in _text_corners(element, size, family)), strict=True)
            scale = abs(placed.a * placed.d - placed.b * placed.c) ** 0.5
            yield PlacedText(
                element.text, size * scale / POINT, (min(x), min(y), max(x), max(y)), element.get("data-of", "")
            )
        open_elements.extend((child, placed, size, family) for child in element)


def _text_corners(element: ET.Element, size: float, family: Family) -> list[tuple[float, float]]:
    """Return the corners of a text in its own system; ascents are those of its letters."""
    text, face = element.text or "", face_of(element, "regular")
    width = text_width(text, size, bold=face == "bold", italic=face == "italic", family=family)
    x = float(element.get("x", 0)) - width * _ANCHOR_SHARES.get(element.get("text-anchor", ""), 0.0)
    y = float(element.get("y", 0))
    above, below = text_extent(text, size, family)
    top, bottom = y - max(above, CAP_HEIGHT * size), y + below
    return [(x, top), (x + width, top), (x, bottom), (x + width, bottom)]
