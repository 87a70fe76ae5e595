"""Colours learned from a legend: the sample beside each name, in the column of names."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from PIL import Image, ImageDraw

from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import FoundText
from mapkit.kinds.rail.scanning.legend import read_legend_colours

RAILROADS = {"red": ("RR", "Red Railroad"), "blue": ("B&P", "Blue and Pale"), "green": ("GL", "Green Line")}
SAMPLES = {"RR": (200, 30, 40), "B&P": (20, 50, 140), "GL": (60, 140, 110)}


def text(said: str, x: int, y: int, confidence: float = 0.99) -> FoundText:
    box = np.array(((x, y), (x + 40, y), (x + 40, y + 14), (x, y + 14)), np.float32)
    return FoundText(said, confidence, box)


def legend(*, dashes: bool = False) -> tuple[Pixels, list[FoundText]]:
    """Return a page with three samples at x 20 to 100, the names of which begin at 120; and one name in the map."""
    image = Image.new("RGB", (500, 200), (245, 241, 230))
    draw = ImageDraw.Draw(image)
    found = []
    for row, (name, colour) in enumerate(SAMPLES.items()):
        y = 30 + 40 * row
        for x in range(20, 100, 20 if dashes else 80):
            draw.rectangle((x, y - 2, x + (12 if dashes else 80), y + 2), fill=colour)
        found.append(text(name, 120, y - 7))
    draw.rectangle((300, 98, 380, 102), fill=(0, 0, 0))
    return np.asarray(image), [*found, text("RR", 400, 93)]


@pytest.mark.parametrize("dashes", [False, True])
def test_each_name_has_the_ink_beside_it(*, dashes: bool) -> None:
    found = read_legend_colours(*legend(dashes=dashes), RAILROADS)
    assert found == {"blue": "#14328c", "green": "#3c8c6e", "red": "#c81e28"}


def test_a_sample_may_stand_behind_its_name() -> None:
    page, _ = legend()
    turned = np.ascontiguousarray(page[:, ::-1])
    found = read_legend_colours(turned, [text("RR", 340, 23), text("GL", 340, 103)], RAILROADS)
    assert found == {"green": "#3c8c6e", "red": "#c81e28"}


def test_whole_names_count_and_those_that_are_not_sure_do_not() -> None:
    page, _ = legend()
    texts = [text("red railroad", 120, 23), text("Blue and Pale", 120, 63), text("GL", 120, 103, 0.4)]
    assert read_legend_colours(page, texts, RAILROADS) == {"blue": "#14328c", "red": "#c81e28"}


def test_letters_before_a_name_are_not_a_sample() -> None:
    """Whole names stand behind short ones, as tall as these; the short ones are beside the samples."""
    page, texts = legend()
    lettered = page.copy()
    for y in (30, 70, 110):
        for x in range(122, 160, 8):
            lettered[y - 6 : y + 7, x : x + 3] = 20
    whole = [text(names[1], 170, 23 + 40 * row) for row, names in enumerate(RAILROADS.values())]
    assert read_legend_colours(lettered, whole, RAILROADS) == {}
    found = read_legend_colours(lettered, [*whole, *texts], RAILROADS)
    assert found == {"blue": "#14328c", "green": "#3c8c6e", "red": "#c81e28"}


def test_names_far_below_each_other_are_not_a_column() -> None:
    page, texts = legend()
    tall = np.concatenate((page, np.full((400, 500, 3), 240, np.uint8), page))
    low = text("GL", 120, 600 + 103)
    assert read_legend_colours(tall, [texts[0], low], RAILROADS) == {}


def test_a_name_alone_is_no_legend() -> None:
    page, texts = legend()
    assert read_legend_colours(page, texts[:1], RAILROADS) == {}


def test_a_picture_without_a_legend_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "ink", "--from", "usa").code == 0
    Image.fromarray(legend()[0]).save(tmp_path / "old.png")
    monkeypatch.setattr("mapkit.kinds.rail.api.scans.tracing.require_recogniser", lambda _: None)
    monkeypatch.setattr("mapkit.kinds.rail.api.scans.tracing.read_texts", lambda _, **__: [])
    ran = run("trace-scan", "old.png", "--board", "ink", "--legend")
    assert ran.code == 1
    assert "old.png: no legend found that names two railroads of railroads.csv beside samples of their lines" in ran.err
