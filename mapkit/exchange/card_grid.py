"""Card sheets for virtual tables and web clients: faces in a grid in one PNG."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.svg_file import SVG, read_picture
from mapkit.press.raster import svg_to_png

LONGEST: Final = 4096
"""Pixels of a picture's longer side: what Tabletop Simulator's maker advises, and what phones can show."""

MOST: Final = (10, 7)
"""Columns and rows of a grid at most."""

LEAST: Final = 2
"""Columns and rows of a grid at least."""

SHARPNESS: Final = (8, 7, 6)
"""Pixels a millimetre of card, the best that has room."""

_URL_REFERENCE: Final = re.compile(r"url\(\s*#([^)\s]+)\s*\)")
_HREF_ATTRIBUTES: Final = ("href", "{http://www.w3.org/1999/xlink}href")


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


_GRID_CACHE: OrderedDict[str, CardGrid] = OrderedDict()
_MAX_CACHED: Final = 4


def draw_card_set(cards: Sequence[Sheet]) -> CardSet:
    """Return the pictures of cards.

    Args:
        cards: Sheets of kind `card`, at least one.

    Raises:
        PrintError: A card cannot be drawn.
    """
    face_numbers: dict[tuple[str, str | None], int] = {}
    for card in cards:
        face_numbers.setdefault((card.svg, card.back), len(face_numbers))
    cells_per_grid = MOST[0] * MOST[1]
    grid_starts = range(0, len(face_numbers), cells_per_grid)
    front_svgs = [svg for svg, _ in face_numbers]
    face_grids = tuple(_draw_grid(front_svgs[start : start + cells_per_grid]) for start in grid_starts)
    card_places = tuple(divmod(face_numbers[card.svg, card.back], cells_per_grid) for card in cards)
    back_svgs = [back or _blank_card() for _, back in face_numbers]
    back_png = svg_to_png(back_svgs[0], width=int(CARD[0] * SHARPNESS[0]), name="the back of the cards")
    has_several = len({*back_svgs}) > 1
    back_grids = (
        tuple(_draw_grid(back_svgs[start : start + cells_per_grid]) for start in grid_starts) if has_several else ()
    )
    return CardSet(face_grids, card_places, back_png, back_grids)


def grid_shape(count: int) -> tuple[int, int, int]:
    """Return columns, rows and pixels a millimetre for `count` faces: the sharpest, least empty, widest grid."""
    for pixels_per_mm in SHARPNESS:
        max_columns, max_rows = (
            min(max_count, int(LONGEST / (card_side * pixels_per_mm)))
            for max_count, card_side in zip(MOST, CARD, strict=True)
        )  # as many as fit LONGEST
        fitting_shapes = [
            (columns * rows, -columns, rows)
            for columns in range(LEAST, max_columns + 1)
            for rows in range(LEAST, max_rows + 1)
            if columns * rows >= count
        ]
        if fitting_shapes:
            _, columns, rows = min(fitting_shapes)
            return -columns, rows, pixels_per_mm
    raise ValueError(f"{count} cards do not fit a grid of {MOST[0]} x {MOST[1]}")


def _draw_grid(svgs: Sequence[str]) -> CardGrid:
    """Draw a grid; the latest are cached, since several formats use the same cards."""
    columns, rows, pixels_per_mm = grid_shape(len(svgs))
    content_hash = hashlib.sha256("\0".join(svgs).encode()).hexdigest()
    if content_hash not in _GRID_CACHE:
        width, height = int(CARD[0] * columns * pixels_per_mm), int(CARD[1] * rows * pixels_per_mm)
        png = svg_to_png(grid_svg(svgs, columns, rows), width=width, name="the cards")
        _GRID_CACHE[content_hash] = CardGrid(png, columns, rows, width, height)
        while len(_GRID_CACHE) > _MAX_CACHED:
            _GRID_CACHE.popitem(last=False)
    return _GRID_CACHE[content_hash]


def grid_svg(svgs: Sequence[str], columns: int, rows: int) -> str:
    """Return cards in a grid as one SVG text, with a prefix for the ids of each card."""
    width, height = CARD[0] * columns, CARD[1] * rows
    root_size = {"width": f"{width:g}mm", "height": f"{height:g}mm", "viewBox": f"0 0 {width:g} {height:g}"}
    root = ET.Element(f"{SVG}svg", {**root_size, "version": "1.1"})
    ET.SubElement(root, f"{SVG}rect", {"width": f"{width:g}", "height": f"{height:g}", "fill": "#ffffff"})
    for cell_number, svg in enumerate(svgs):
        row, column = divmod(cell_number, columns)
        card_root = read_picture(svg, "a card").root
        id_prefix = f"c{cell_number}-"
        for element in card_root.iter():
            for key, value in list(element.items()):
                if key == "id":
                    element.set(key, id_prefix + value)
                elif key == "aria-labelledby":
                    element.set(key, " ".join(id_prefix + word for word in value.split()))
                elif key in _HREF_ATTRIBUTES and value.startswith("#"):
                    element.set(key, f"#{id_prefix}{value[1:]}")
                elif "url(" in value:
                    element.set(key, _URL_REFERENCE.sub(rf"url(#{id_prefix}\1)", value))
        cell_box = (column * CARD[0], row * CARD[1], *CARD)
        for side, side_length in zip(("x", "y", "width", "height"), cell_box, strict=True):
            card_root.set(side, f"{side_length:g}")
        card_root.set("overflow", "visible")  # nothing of a card leaves it; clipping takes resvg longer than drawing
        root.append(card_root)
    return ET.tostring(root, encoding="unicode")


def _blank_card() -> str:
    width, height = CARD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}"><rect width="100%" height="100%" fill="#ffffff"/></svg>'
    )
