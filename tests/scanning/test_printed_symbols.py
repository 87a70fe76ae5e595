"""Symbols of printed boards: squares of several sizes, and dots on lines that are wider than they are."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.inks import colour_lab, pixels_to_keys
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.kinds.rail.scanning.symbols import find_symbols

INK, PAPER, RED = "#161616", "#f5f1e6", "#b3262e"


def picture(
    size: tuple[int, int], lines: Sequence[tuple[int, ...]], symbols: Sequence[tuple[str, int, int, int]]
) -> Pixels:
    """Return a picture with red lines 14 pixels wide below symbols: their kind, middle and half width."""
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    for line in lines:
        draw.line(line, RED, 14)
    for kind, x, y, half in symbols:
        box = (x - half, y - half, x + half, y + half)
        (draw.rectangle if kind == "square" else draw.ellipse)(box, fill=INK)
    return np.asarray(image)


def test_squares_of_two_sizes_are_found() -> None:
    large = [("square", 60 + 60 * i, 60, 13) for i in range(6)]
    small = [("square", 60 + 60 * i, 140, 10) for i in range(8)]
    dots = [("dot", 60 + 40 * i, 220, 5) for i in range(12)]
    symbols, _ = find_symbols(pixels_to_keys(picture((600, 300), [], [*large, *small, *dots])), colour_lab(INK))
    kinds = [symbol.kind for symbol in symbols]
    assert (kinds.count("square"), kinds.count("dot")) == (14, 12)


def test_a_line_wider_than_its_dots_ends_at_each() -> None:
    spots = [(60, 150), (200, 150), (340, 150), (480, 150), (340, 40), (340, 260)]
    lines = [(60, 150, 480, 150), (340, 40, 340, 260)]
    found = scan_board(picture((540, 300), lines, [("dot", x, y, 5) for x, y in spots]), {"red": RED}, [INK])
    places = [(round(symbol.x / 20), round(symbol.y / 10)) for symbol in found.symbols]
    links = {tuple(sorted((places[link.a], places[link.b]))) for link in found.links if link.confidence >= 0.5}
    assert found.stray == ()
    assert links == {
        ((3, 15), (10, 15)),
        ((10, 15), (17, 15)),
        ((17, 15), (24, 15)),
        ((17, 4), (17, 15)),
        ((17, 15), (17, 26)),
    }
