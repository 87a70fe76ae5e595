"""`mapkit scan dots`: the dots and squares of a picture, and what it refuses."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from PIL import Image, ImageDraw, ImageFont
from scanned import DOT, SPOTS, SQUARE, SQUARES, drawn

import mapkit
from mapkit.core.arrays import Floats
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.scanning import dots
from mapkit.kinds.rail.scanning.inks import colour_lab, pixels_to_keys
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol, find_symbols


@pytest.fixture(autouse=True)
def _picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Image.fromarray(drawn()).save("old.png")
    Image.new("RGB", (300, 200), "#f5f1e6").save("plain.png")


def test_every_dot_and_square_is_found_where_it_is(run: Run) -> None:
    ran = run("find-dots", "old.png", "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["width"], found["height"]) == (520, 400)
    assert found["dot_width"] == pytest.approx(2 * DOT, abs=0.5)
    assert found["square_width"] == pytest.approx(2 * SQUARE, abs=0.5)
    seen = {(s["kind"], round(s["x"] + 0.5), round(s["y"] + 0.5)) for s in found["symbols"]}
    assert seen == {("square" if name in SQUARES else "dot", x, y) for name, (x, y) in SPOTS.items()}


def test_they_are_listed_from_top_to_bottom(run: Run) -> None:
    ran = run("find-dots", "old.png", "--symbols", "#1b1b1b")
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows[0] == ["kind", "x", "y", "width", "sure"]
    assert [row[0] for row in rows[1:]] == ["square", "dot", "square", "dot", "dot", "dot", "square", "dot"]
    assert "old.png: 5 dots, 3 squares of colour #1b1b1b" in ran.err


def test_a_picture_without_them_is_refused_with_what_it_shows(run: Run) -> None:
    ran = run("find-dots", "plain.png")
    assert ran.code == 1
    assert "plain.png: no board found in this picture: 0 dots and squares of colour" in ran.err
    assert "Seen: 300 by 200 pixels, 100% #f5f1e6" in ran.err
    assert run("find-dots", "old.png", "--symbols", "black").code == 1
    assert run("find-dots", "none.png").code == 1


def test_it_can_be_called_from_python() -> None:
    assert [symbol.kind for symbol in mapkit.find_dots("old.png").symbols].count("square") == 3


@pytest.mark.slow
def test_a_page_of_text_is_no_board(run: Run) -> None:
    page = Image.new("RGB", (1200, 900), "white")
    font = ImageFont.load_default(40)
    for row in range(18):
        ImageDraw.Draw(page).text((40, 20 + 48 * row), "No board: good dogs and old books, too. " * 2, "#1a1a1a", font)
    page.save("text.png")
    ran = run("find-dots", "text.png")
    assert ran.code == 1
    assert re.search(
        r"text\.png: no board found in this picture: of \d+ spots .* stand on lines as letters do", ran.err
    )
    assert "Seen: 1200 by 900 pixels" in ran.err


def stones(*, alike: int, other: int) -> Image.Image:
    """Return a picture of round dots of one size, and of others drawn out to one side."""
    page = Image.new("RGB", (1000, 700), "#c0b090")
    brush = ImageDraw.Draw(page)
    for k in range(alike + other):
        x, y = 40 + 60 * (k % 15), 40 + 60 * (k // 15) + 7 * k % 23
        brush.ellipse((x - 8, y - 8, x + 8, y + 8), fill="#1b1b1b")
        if k >= alike:
            brush.rectangle((x - 5, y - 2, x + 24, y + 2), fill="#1b1b1b")
            brush.rectangle((x - 2, y - 5, x + 2, y + 24), fill="#1b1b1b")
            brush.line((x, y, x + 20, y - 20), fill="#1b1b1b", width=6)
            brush.line((x, y, x - 20, y - 20), fill="#1b1b1b", width=6)
    return page


@pytest.mark.parametrize(("alike", "other", "said"), [(60, 2, ""), (60, 20, "warning"), (10, 60, "no board found")])
def test_dots_that_are_not_round_are_doubted_then_refused(alike: int, other: int, said: str, run: Run) -> None:
    stones(alike=alike, other=other).save("stones.png")
    ran = run("find-dots", "stones.png", "--symbols", "#1b1b1b", "--json")
    assert ran.code == (1 if said == "no board found" else 0)
    assert said in ran.err
    if ran.code == 0:
        warnings = json.loads(ran.out)["warnings"]
        assert bool(warnings) == bool(said)
        assert all(f"of {alike + other} dots and squares, {other} are not quite round" in one for one in warnings)


def test_of_two_colours_that_has_the_dots_in_which_they_are_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on dark boards: more spots are dark, but the light ones are dots."""
    spots = {0: [Symbol("dot", 9.0 * k, 7.0 * k, 5.0, 0.6) for k in range(40)]}
    spots[1] = [Symbol("dot", 9.0 * k, 7.0 * k, 5.0, 1.0) for k in range(30)]

    def found(_: object, ink: Floats, *_ground: float) -> tuple[tuple[Symbol, ...], Sizes]:
        own = spots[int(ink[0] > 0.5)]
        return tuple(own), Sizes(5.0, 0.0, len(own))

    monkeypatch.setattr(dots, "find_symbols", found)
    colour, symbols, _ = dots.find_board_symbols(np.full((40, 60, 3), 90, dtype=np.uint8), ("#101010", "#f0f0f0"))
    assert (colour, len(symbols)) == ("#f0f0f0", 30)


def test_dots_that_are_larger_than_depths_reach_are_found_where_they_are() -> None:
    spots = [(100, 100), (200, 500), (300, 120), (500, 300), (700, 500)]
    page = Image.new("RGB", (900, 700), "white")
    draw = ImageDraw.Draw(page)
    for x, y in spots:
        draw.ellipse((x - 45, y - 45, x + 45, y + 45), fill=(20, 20, 20))
    found, sizes = find_symbols(pixels_to_keys(np.asarray(page)), colour_lab("#141414"))
    assert sorted((round(dot.x), round(dot.y)) for dot in found) == spots
    assert sizes.dot == pytest.approx(45.5, abs=0.3)


def test_a_pattern_of_light_spots_is_not_taken_for_the_dots_of_a_board() -> None:
    """There are more of them than of the dots, and as round; but they stand in rows."""
    page = Image.new("RGB", (1200, 900), "#88aacc")
    draw = ImageDraw.Draw(page)
    for x in range(620, 1180, 30):
        for y in range(40, 860, 30):
            draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill="#ffffff")
    spots = [(60 + 47 * k, 60 + 97 * (k * k % 8) + 5 * k) for k in range(11)]
    for x, y in spots:
        draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill="#1a1a1a")
    colour, found, _ = dots.find_board_symbols(np.asarray(page), ("#1a1a1a", "#ffffff"))
    assert colour == "#1a1a1a"
    assert sorted((round(dot.x), round(dot.y)) for dot in found) == sorted(spots)


def test_dots_on_dark_lines_are_found_and_dark_grey_spots_are_not() -> None:
    """Purple lines are as wide as a dot; the grey of the spots is dark enough for the edge of a dot on paper."""
    page = Image.new("RGB", (900, 700), "#f5f1e6")
    draw = ImageDraw.Draw(page)
    spots = [(80 + 70 * k, 60 + 90 * row + 5 * k) for row in range(6) for k in range(11)]
    for row in range(6):
        y = 60 + 90 * row
        draw.line((80, y, 780, y + 50), fill="#4a2f6a" if row < 2 else "#d0a050", width=11)
    for x, y in spots:
        draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill="#161614")
    for x in range(60, 880, 90):
        draw.rounded_rectangle((x - 6, 640, x + 6, 654), 5, fill="#3f3f3d")
    _, found, _ = dots.find_clearest_symbols(np.asarray(page), ("#161614",))
    assert sorted((round(dot.x), round(dot.y)) for dot in found) == sorted(spots)


@pytest.mark.parametrize(
    ("patches", "said"), [(780, ""), (1000, "of 1,000 spots of colour #f2f0ea, such as parts of letters, 100 are of")]
)
def test_a_board_has_more_dots_among_its_letters_than_a_page_of_text(
    patches: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dark board at a high resolution has 13 of 100, the dots of large letters on a page are up to 10."""
    some = tuple(Symbol("dot", 40.0 * k, 17.0 * (k * 7 % 100), 6.0, 1.0) for k in range(100))
    monkeypatch.setattr(dots, "find_symbols", lambda *_: (some, Sizes(6.0, 0.0, patches)))
    if not said:
        assert set(dots.find_board_symbols(drawn(), ("#f2f0ea",))[1]) == set(some)
    else:
        with pytest.raises(SourceError, match=said):
            dots.find_board_symbols(drawn(), ("#f2f0ea",))
