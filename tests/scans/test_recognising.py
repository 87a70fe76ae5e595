"""The recogniser of text in pictures."""

import re
from pathlib import Path

import numpy as np
import pytest
from optional import recogniser
from PIL import Image, ImageDraw, ImageFont

from mapkit.core.errors import ChoiceError
from mapkit.core.processes.installing import install_command
from mapkit.formats import page_files
from mapkit.formats import recogniser as lazy_recogniser
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising import engine
from mapkit.formats.recognising.engine import find_texts, read_lines


def drawn(text: str, *, size: int = 30, wide: int = 240, high: int = 48, turn: float = 0) -> Pixels:
    picture = Image.new("RGB", (wide, high), "white")
    ImageDraw.Draw(picture).text((wide / 2, high / 2), text, "black", ImageFont.load_default(size), "mm")
    turned = picture.rotate(turn, expand=True, fillcolor="white")
    return np.asarray(turned, dtype=np.uint8)


def test_lines_are_read_in_the_order_given() -> None:
    recogniser()
    texts = ["Albany", "12.5", "Santa Fe", "8"]
    readings = read_lines([drawn(text, wide=60 + 20 * len(text)) for text in texts])
    assert [reading.text for reading in readings] == texts
    assert min(reading.least for reading in readings) > 0.5


def test_only_some_characters_may_come() -> None:
    recogniser()
    assert read_lines([drawn("O5", wide=90)], only="0123456789")[0].text == "05"


def test_nothing_is_nothing() -> None:
    recogniser()
    assert read_lines([]) == []
    assert read_lines([np.full((20, 60, 3), 255, dtype=np.uint8)])[0].text == ""
    assert find_texts(np.full((300, 200, 3), 255, dtype=np.uint8)) == []


@pytest.mark.parametrize("turn", [0, 20, 90])
def test_a_line_is_found_where_it_stands(turn: float) -> None:
    recogniser()
    page = np.full((400, 500, 3), 255, dtype=np.uint8)
    line = drawn("Mountain City", wide=260, turn=turn)
    high, wide = line.shape[:2]
    page[90 : 90 + high, 120 : 120 + wide] = line
    (found,) = find_texts(page)
    assert found.text == "Mountain City"
    assert np.abs(found.corners.mean(axis=0) - (120 + wide / 2, 90 + high / 2)).max() < 8


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_NEEDED_PACKAGES", ("no_such_library",))
    cure = re.escape(install_command("scan"))
    with pytest.raises(ChoiceError, match=f"install the reader of text in pictures: {cure}$"):
        read_lines([drawn("8")])


def test_a_picture_that_is_read_again_is_not_recognised_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = Word(
        "8", 1, (1.5, 2.25, 9, 20), 1.5, 2.25, 9, 20, 12, 0.1, (1.5, 11), (9, 11), sure=False, others=("8", "3")
    )
    read: list[int] = []

    def page(_grey: object, number: int, _tell: object) -> Page:
        read.append(number)
        return Page(number, (word._replace(page=number),), 0, 1)

    monkeypatch.setenv("MAPKIT_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(lazy_recogniser, "read_picture_page", page)
    monkeypatch.setattr(lazy_recogniser, "require_recogniser", lambda _: None)
    for name, colour in (("a.png", 200), ("b.png", 100)):
        Image.new("L", (300, 300), colour).save(tmp_path / name)
    a, b = tmp_path / "a.png", tmp_path / "b.png"
    first = page_files.read_picture_pages(a, [b], file="a.png")
    assert page_files.read_picture_pages(a, [b], file="a.png") == first
    assert read == [1, 2]
    page_files.read_picture_pages(b, file="b.png")
    assert read == [1, 2, 1]
