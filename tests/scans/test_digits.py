"""The second reader of amounts: shapes learned from the page find what the recogniser misread."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from mapkit.formats.recognising.boxes import Box
from mapkit.formats.recognising.deskew import HIGH
from mapkit.formats.recognising.digits import read_by_shapes

TEXTS = [f"{tens}{units}{half}" for tens, units, half in product(("", "1", "2"), range(10), ("", ".5"))]
STEP, ROW = 150, 2 * HIGH


def sheet(texts: list[str] = TEXTS * 3) -> tuple[NDArray[np.uint8], list[str], list[Box]]:
    """Return a page of texts, by default each three times, and the box around each."""
    page = Image.new("L", (10 * STEP + STEP, (len(texts) // 10 + 2) * ROW), 255)
    draw = ImageDraw.Draw(page)
    boxes = []
    for k, text in enumerate(texts):
        at = (STEP // 2 + k % 10 * STEP, ROW // 2 + k // 10 * ROW)
        draw.text(at, text, 0, ImageFont.load_default(33))
        left, top, right, bottom = draw.textbbox(at, text, ImageFont.load_default(33))
        boxes.append((int(left), int(top), int(right), int(bottom)))
    return np.asarray(page, dtype=np.uint8), texts, boxes


def test_what_is_read_rightly_is_confirmed() -> None:
    page, texts, boxes = sheet()
    verdicts = read_by_shapes(page, boxes, texts, [0.99] * len(texts))
    assert [one.text for one in verdicts] == texts
    assert [text for text, one in zip(texts, verdicts, strict=True) if not one.agrees] == []


@pytest.mark.parametrize("blur", [0, 1.5])
def test_digits_beside_a_comma_are_no_part_of_it(blur: float) -> None:
    page, texts, boxes = sheet([f"${500 * k:,}" for k in range(3, 57)] * 2)
    blurred_page = np.asarray(Image.fromarray(page).filter(ImageFilter.GaussianBlur(blur)), dtype=np.uint8)
    verdicts = read_by_shapes(blurred_page, boxes, texts, [0.99] * len(texts))
    assert [text for text, one in zip(texts, verdicts, strict=True) if not one.agrees] == []


def test_what_is_misread_is_not() -> None:
    """However sure the recogniser is: another digit, a point more or less, a digit less."""
    page, texts, boxes = sheet()
    wrong = list(texts)
    for k, text in enumerate(texts[::7]):
        digit = text[0]
        wrong[7 * k] = [
            str((int(digit) + 1 + k % 9) % 10) + text[1:],
            text.replace(".", "") if "." in text else text + ".5",
            text[1:] if text[1:2].isdigit() else "1" + text,
        ][k % 3]
    verdicts = read_by_shapes(page, boxes, wrong, [0.99] * len(texts))
    changed = {k for k, (one, other) in enumerate(zip(texts, wrong, strict=True)) if one != other}
    assert len(changed) == len(texts[::7])
    assert {k for k, one in enumerate(verdicts) if not one.agrees} == changed
