"""Words of a level page by their ink: upright, standing, slanted."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from mapkit.formats.recognising.components import find_components
from mapkit.formats.recognising.deskew import HIGH

Grey = NDArray[np.uint8]
STEP = 4 * HIGH


def slanted(page: Image.Image, left: int, bottom: int, pieces: list[float]) -> None:
    """Draw a name that rises by 45 degrees: pieces as long as this, in heights of a character, with gaps between."""
    line = Image.new("L", (10 * HIGH, 10 * HIGH), 255)
    at = 0.0
    for piece in pieces:
        ends = (5 * HIGH + at * HIGH, 4.5 * HIGH, 5 * HIGH + (at + piece) * HIGH, 5.3 * HIGH)
        ImageDraw.Draw(line).rectangle(ends, 0)
        at += piece + 0.4
    turned = line.rotate(45, fillcolor=255)
    page.paste(turned, (left - 5 * HIGH, bottom - 5 * HIGH), turned.point([255] * 128 + [0] * 128))


def test_a_short_slanted_name_in_pieces_is_one_name() -> None:
    page = Image.new("L", (40 * HIGH, 14 * HIGH), 255)
    names = [[4.0], [3.0], [0.8, 1.6], [4.5]]
    for k, pieces in enumerate(names):
        slanted(page, 6 * HIGH + k * STEP, 9 * HIGH, pieces)
    draw = ImageDraw.Draw(page)
    for k in range(4):  # amounts of two digits, upright
        draw.rectangle((6 * HIGH + k * STEP, 11 * HIGH, 7.5 * HIGH + k * STEP, 12 * HIGH), 0)
    draw.line((3 * HIGH, 13 * HIGH, 3 * HIGH + 9, 13 * HIGH), 0)  # a hair, a pixel high
    found = find_components(np.asarray(page, dtype=np.uint8))
    lengths = [round(word.sides[0] / HIGH, 1) for word in sorted(found.tilted)]
    assert np.allclose(lengths, [4.0, 3.0, 2.8, 4.5], atol=0.15)
    assert len(found.upright) == 4


def test_a_g_in_a_large_title_is_a_letter_and_standing_names_are_not() -> None:
    page = Image.new("L", (60 * HIGH, 30 * HIGH), 255)
    draw = ImageDraw.Draw(page)
    for k in range(12):  # small print says how high characters are
        draw.rectangle((k * STEP, 20 * HIGH, k * STEP + HIGH // 2, 21 * HIGH), 0)
    for k, down in enumerate((0.0, 0.7, 0.0)):  # letters as high as 1.3, the second with a tail
        left = 10 * HIGH + k * (HIGH + 9)
        draw.rectangle((left, 4 * HIGH, left + HIGH, (5.3 + down) * HIGH), 0)
    for k in range(4):
        draw.rectangle((20 * HIGH + k * STEP, 10 * HIGH, 20.8 * HIGH + k * STEP, 14 * HIGH), 0)
    found = find_components(np.asarray(page, dtype=np.uint8))
    assert [round((box[2] - box[0]) / HIGH, 1) for box in found.upright if box[1] < 6 * HIGH] == [3.8]
    assert [word.turn for word in found.tilted] == [90.0] * 4
