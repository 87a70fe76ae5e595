"""Cards as pictures: faces side by side in one PNG, as virtual tables and web clients cut them out again."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.sheet import CARD, Sheet
from mapkit.press.raster import svg_to_png
from mapkit.press.svg_file import SVG, read_picture

LONGEST: Final = 4096
"""Pixels of a picture's longer side: what Tabletop Simulator's maker advises, and what phones can show."""

MOST: Final = (10, 7)
"""Columns and rows of a grid at most."""

LEAST: Final = 2
"""Columns and rows of a grid at least."""

SHARPNESS: Final = (8, 7, 6)
"""Pixels a millimetre of card, the best that has room."""

_REFERENCE: Final = re.compile(r"url\(\s*#([^)\s]+)\s*\)")
_HREFS: Final = ("href", "{http://www.w3.org/1999/xlink}href")


@dataclass(frozen=True)
class CardGrid:
    """Faces of cards in one picture, row by row.

    Attributes:
        png: The picture.
        columns: Faces in a row.
        rows: Rows.
        width: Pixels across.
        height: Pixels down.
    """

    png: bytes
    columns: int
    rows: int
    width: int
    height: int


@dataclass(frozen=True)
class CardSet:
    """Cards of one deck.

    Attributes:
        grids: Pictures of the faces; cards that look the same on both sides share a face.
        places: For each card, in their order: number of its grid and of its cell, both from 0.
        back: PNG of the back, of the first card if they differ.
        backs: Pictures of the backs in the places of the faces, if not all cards have the same; else none.
    """

    grids: tuple[CardGrid, ...]
    places: tuple[tuple[int, int], ...]
    back: bytes
    backs: tuple[CardGrid, ...] = ()


_REMEMBERED: OrderedDict[str, CardGrid] = OrderedDict()
_KEPT: Final = 4


def card_set(cards: Sequence[Sheet]) -> CardSet:
    """Return the pictures of cards.

    Args:
        cards: Sheets of kind `card`, at least one.

    Raises:
        PrintError: A card cannot be drawn.
    """
    faces: dict[tuple[str, str | None], int] = {}
    for card in cards:
        faces.setdefault((card.svg, card.back), len(faces))
    most = MOST[0] * MOST[1]
    starts = range(0, len(faces), most)
    fronts = [svg for svg, _ in faces]
    grids = tuple(_drawn(fronts[start : start + most]) for start in starts)
    places = tuple(divmod(faces[card.svg, card.back], most) for card in cards)
    reverses = [back or _blank() for _, back in faces]
    back = svg_to_png(reverses[0], width=int(CARD[0] * SHARPNESS[0]), name="the back of the cards")
    several = len({*reverses}) > 1
    backs = tuple(_drawn(reverses[start : start + most]) for start in starts) if several else ()
    return CardSet(grids, places, back, backs)


def grid_shape(count: int) -> tuple[int, int, int]:
    """Return columns, rows and pixels a millimetre for `count` faces: the sharpest, then the least empty, then wide."""
    for sharp in SHARPNESS:
        across, down = (
            min(most, int(LONGEST / (side * sharp))) for most, side in zip(MOST, CARD, strict=True)
        )  # what LONGEST has room for
        fits = [
            (columns * rows, -columns, rows)
            for columns in range(LEAST, across + 1)
            for rows in range(LEAST, down + 1)
            if columns * rows >= count
        ]
        if fits:
            _, columns, rows = min(fits)
            return -columns, rows, sharp
    raise ValueError(f"{count} cards do not fit a grid of {MOST[0]} x {MOST[1]}")


def _drawn(svgs: Sequence[str]) -> CardGrid:
    """Draw a grid; the last ones are kept, as several formats ask for the same cards."""
    columns, rows, sharp = grid_shape(len(svgs))
    key = hashlib.sha256("\0".join(svgs).encode()).hexdigest()
    if key not in _REMEMBERED:
        width, height = int(CARD[0] * columns * sharp), int(CARD[1] * rows * sharp)
        png = svg_to_png(grid_svg(svgs, columns, rows), width=width, name="the cards")
        _REMEMBERED[key] = CardGrid(png, columns, rows, width, height)
        while len(_REMEMBERED) > _KEPT:
            _REMEMBERED.popitem(last=False)
    return _REMEMBERED[key]


def grid_svg(svgs: Sequence[str], columns: int, rows: int) -> str:
    """Return cards in a grid as one SVG text; ids of each card get a prefix of their own."""
    width, height = CARD[0] * columns, CARD[1] * rows
    size = {"width": f"{width:g}mm", "height": f"{height:g}mm", "viewBox": f"0 0 {width:g} {height:g}"}
    root = ET.Element(f"{SVG}svg", {**size, "version": "1.1"})
    ET.SubElement(root, f"{SVG}rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": "#ffffff"})
    for at, svg in enumerate(svgs):
        row, column = divmod(at, columns)
        card = read_picture(svg, "a card").root
        _prefix_ids(card, f"c{at}-")
        place = (column * CARD[0], row * CARD[1], *CARD)
        for key, value in zip(("x", "y", "width", "height"), place, strict=True):
            card.set(key, f"{value:g}")
        card.set("overflow", "visible")  # nothing of a card leaves it; clipping takes resvg longer than drawing
        root.append(card)
    return ET.tostring(root, encoding="unicode")


def _prefix_ids(root: ET.Element, prefix: str) -> None:
    for element in root.iter():
        for key, value in list(element.items()):
            if key == "id":
                element.set(key, prefix + value)
            elif key == "aria-labelledby":
                element.set(key, " ".join(prefix + word for word in value.split()))
            elif key in _HREFS and value.startswith("#"):
                element.set(key, f"#{prefix}{value[1:]}")
            elif "url(" in value:
                element.set(key, _REFERENCE.sub(rf"url(#{prefix}\1)", value))


def _blank() -> str:
    width, height = CARD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}"><rect width="100%" height="100%" fill="#ffffff"/></svg>'
    )
