"""The boxes of names hold the ink of the shipped fonts, measured from the glyphs themselves."""

from functools import cache
from typing import Any

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.text_extent import text_extent
from mapkit.drawing.text_width import FAMILIES, SANS, Family, text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import lay_out

SLACK = 0.07
"""What letters may reach over their advance widths, in parts of the font size (f does); names stay farther apart."""


@cache
def font(bold: bool, family: Family = SANS) -> Any:  # noqa: FBT001 - a key of the cache
    return TTFont(font_path("bold" if bold else "regular", family))


def ink(text: str, *, bold: bool, family: Family = SANS) -> tuple[float, float, float, float]:
    """Return left, bottom, right, top of the ink of a text in parts of its size, kerning aside."""
    face = font(bold, family)
    glyphs, names, unit = face.getGlyphSet(), face.getBestCmap(), face["head"].unitsPerEm
    at, boxes = 0.0, []
    for char in text:
        pen = BoundsPen(glyphs)
        glyphs[names[ord(char)]].draw(pen)
        if pen.bounds:
            left, bottom, right, top = pen.bounds
            boxes.append(((at + left) / unit, bottom / unit, (at + right) / unit, top / unit))
        at += face["hmtx"][names[ord(char)]][0]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("bold", [False, True])
def test_no_letter_reaches_above_or_below_its_extent(bold: bool, family: Family) -> None:  # noqa: FBT001 - the parameter
    letters = [chr(c) for c in font(bold, family).getBestCmap() if 0x21 <= c < 0x180 and c not in {0xA0, 0xAD}]
    assert len(letters) > 250
    found = []
    for char in letters:
        _, bottom, _, top = ink(char, bold=bold, family=family)
        up, down = text_extent(char, 1.0, family)
        if top > up + 1e-9 or -bottom > down + 1e-9:
            found.append((char, top, bottom, up, down))
    assert found == []


def test_extents_are_tight_where_letters_are_plain() -> None:
    assert text_extent("Omaha", 10.0) == pytest.approx((7.8, 0.3))
    assert text_extent("Pittsburgh", 10.0) == pytest.approx((8.7, 2.4))
    assert text_extent("Évora", 10.0)[0] > 10


@pytest.mark.parametrize("family", FAMILIES)
def test_every_name_of_the_board_lies_in_its_box(usa: Board, family: Family) -> None:
    for spot in lay_out(usa, get_board_theme(usa).sizes.model_copy(update={"family": family})).names:
        size = spot.name.size
        for row, (x, y) in spot.rows:
            left, bottom, right, top = ink(row, bold=spot.name.bold, family=family)
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[spot.anchor]
            first = x - share * text_width(row, size, bold=spot.name.bold, family=family)
            assert first + left * size >= spot.box[0] - SLACK * size
            assert first + right * size <= spot.box[2] + SLACK * size
            assert y - top * size >= spot.box[1] - 1e-6
            assert y - bottom * size <= spot.box[3] + 1e-6
