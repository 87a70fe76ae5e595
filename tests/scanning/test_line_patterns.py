"""Railroads printed in one ink: told apart by the pattern of the line on which the user clicked."""

import numpy as np
from PIL import Image, ImageDraw

from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import unite_inks
from mapkit.kinds.rail.scanning.inks import colour_lab, pixels_to_keys, read_inks
from mapkit.kinds.rail.scanning.scan import ScannedBoard, scan_board

INK, PAPER, BLUE = "#141414", "#f5f1e6", "#1c5fa8"
FINE = 4
COLUMNS = (60, 180, 300, 420)
RISE = 24
"""How much a line rises from a dot to the next: dots at one height are taken for letters."""
STARTS = {"solid": (140, 260), "dashed": (200, 320), "tied": (380, 440)}
"""Height of the first dot of each line."""
SIZE = (480, 500)
CLICKS = {name: (120.0, starts[0] - RISE / 2) for name, starts in STARTS.items()}


def drawn() -> Pixels:
    """Return a picture of three railroads in one ink: solid lines, dashes, lines with ties."""
    image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), PAPER)
    draw = ImageDraw.Draw(image)

    def stroke(x: float, y: float, end_x: float, end_y: float, width: int) -> None:
        draw.line((x * FINE, y * FINE, end_x * FINE, end_y * FINE), fill=BLUE, width=width * FINE)

    for name, starts in STARTS.items():
        for start in starts:
            step = 10 if name == "dashed" else COLUMNS[-1] - COLUMNS[0]
            for x in range(COLUMNS[0], COLUMNS[-1], step):
                end = x + (6 if name == "dashed" else step)
                stroke(x, height_at(start, x), end, height_at(start, end), 3)
            for x in range(COLUMNS[0], COLUMNS[-1], 8) if name == "tied" else ():
                stroke(x, height_at(start, x) - 4, x, height_at(start, x) + 4, 2)
            for x in COLUMNS:
                y = height_at(start, x)
                draw.ellipse([v * FINE for v in (x - 6, y - 6, x + 6, y + 6)], fill=INK)
    return np.asarray(image.resize(SIZE, Image.Resampling.BOX), dtype=np.uint8)


def height_at(start: float, x: float) -> float:
    return start - RISE * (x - COLUMNS[0]) / (COLUMNS[1] - COLUMNS[0])


def owners_by_line(board: ScannedBoard) -> dict[int, list[str]]:
    """Return the railroads of the links of each line, by the height of its first dot."""
    owners: dict[int, list[str]] = {}
    for link in board.links:
        if link.confidence >= 0.5:
            dot = board.symbols[link.a]
            owners.setdefault(round((dot.y - height_at(0, dot.x)) / 10) * 10, []).append(link.railroad)
    return owners


RIGHT = {start: [name] * 3 for name, starts in STARTS.items() for start in starts}


def test_railroads_in_one_ink_are_told_apart_by_their_patterns() -> None:
    assert owners_by_line(scan_board(drawn(), dict.fromkeys(STARTS, BLUE), (INK,), clicks=CLICKS)) == RIGHT


def test_without_clicks_nothing_tells_them_apart() -> None:
    assert owners_by_line(scan_board(drawn(), dict.fromkeys(STARTS, BLUE), (INK,))) != RIGHT


def test_small_dots_are_found() -> None:
    """Half as large, a dot is six pixels wide."""
    small = Image.fromarray(drawn()).resize((SIZE[0] // 2, SIZE[1] // 2), Image.Resampling.BOX)
    board = scan_board(np.asarray(small, dtype=np.uint8), {"solid": BLUE}, (INK,))
    places = sorted((symbol.x * 2, symbol.y * 2) for symbol in (*board.symbols, *board.stray))
    dots = sorted((x, height_at(start, x)) for starts in STARTS.values() for start in starts for x in COLUMNS)
    assert np.abs(np.array(places) - np.array(dots)).max() < 1.5


def test_thin_strokes_take_the_ink_that_they_are_a_pale_mix_of() -> None:
    """A pale band of strokes is blue; a greener blue and red are inks of their own."""
    image = Image.new("RGB", (200, 120), PAPER)
    draw = ImageDraw.Draw(image)
    colours = {"blue": BLUE, "pale": "#86a9cb", "green": "#1c8fa8", "red": "#b3262e"}
    clicks = {}
    for row, (name, colour) in enumerate(colours.items()):
        y = 15 + 30 * row
        draw.line((10, y, 190, y), fill=colour, width=5)
        clicks[name] = (100.0, float(y))
    united = unite_inks(np.asarray(image, dtype=np.uint8), colours, clicks, 3.0)
    assert united == {"blue": BLUE, "pale": BLUE, "green": "#1c8fa8", "red": "#b3262e"}


def test_a_tint_of_many_colours_is_a_ground() -> None:
    """No single colour of a printer's screen covers a thousandth of the picture."""
    noise = np.random.default_rng(5).normal(0, 12, (160, 160, 3))
    pixels = np.clip(np.array([222.0, 205.0, 178.0]) + noise, 0, 255).astype(np.uint8)
    pixels[80:84] = (28, 95, 168)
    inked = read_inks(pixels, [colour_lab(BLUE), colour_lab(INK)])
    assert float(inked.from_ground[pixels_to_keys(np.array([[[222, 205, 178]]], np.uint8))].max()) < 0.03
    assert inked.of(0)[81:83].mean() > 0.9
    assert inked.of(0)[:70].mean() < 0.01
