"""Railroads printed in one ink: told apart by the pattern of the line on which the user clicked."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import unite_inks
from mapkit.kinds.rail.scanning.dots import drop_letters
from mapkit.kinds.rail.scanning.ink_assignment import LineClaim, measure_ink_directions
from mapkit.kinds.rail.scanning.inks import (
    blend_inks,
    colour_blend,
    colour_lab,
    measure_angles,
    pixels_to_keys,
    read_inks,
    rgb_to_blend,
)
from mapkit.kinds.rail.scanning.line_patterns import assign_railroads, find_clicked_lines
from mapkit.kinds.rail.scanning.scan import ScannedBoard, scan_board
from mapkit.kinds.rail.scanning.symbols import Symbol

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


def test_lines_show_an_ink_that_no_click_was_taken_for() -> None:
    """Alone, a click on amber joins yellow; a hundred lines in amber make it an ink of its own."""
    image = Image.new("RGB", (200, 120), PAPER)
    draw = ImageDraw.Draw(image)
    colours = {"yellow": "#e8b41a", "amber": "#dd8a22", "red": "#b3262e"}
    clicks = {name: (100.0, 15.0 + 30 * row) for row, name in enumerate(colours)}
    for name, (_, y) in clicks.items():
        draw.line((10, y, 190, y), fill=colours[name], width=5)
    pixels = np.asarray(image, dtype=np.uint8)
    alone = unite_inks(pixels, colours, clicks, 3.0)
    assert alone["amber"] == alone["yellow"] != alone["red"]
    ground = colour_blend(PAPER)
    lines = [
        LineClaim(0, np.zeros((1, 21), np.float32), np.zeros(3), 1.0, np.zeros(1), ground=ground, shift=shift, xy=xy)
        for name, count in (("yellow", 100), ("amber", 100), ("red", 100))
        for shift, xy in [(colour_blend(colours[name]) - ground, np.array([clicks[name]]))]
        for _ in range(count)
    ]
    assert unite_inks(pixels, colours, clicks, 3.0, lines) == colours


@pytest.mark.parametrize("share", [0.15, 0.6])
def test_the_direction_of_a_line_tells_its_ink_on_any_tint_and_however_thin_it_is(share: float) -> None:
    """Ink on a tint reflects a share of what the tint reflects."""
    inks = {"green": np.array([0.11, 0.48, 0.24]), "red": np.array([0.70, 0.15, 0.18])}
    tints = [np.array([1.0, 1.0, 1.0]), np.array([0.87, 0.93, 0.85]), np.array([0.99, 0.93, 0.80])]
    lines = [
        LineClaim(
            0,
            np.zeros((0, 21), np.float32),
            np.zeros(3),
            1.0,
            np.zeros(1),
            ground=rgb_to_blend(tint),
            shift=rgb_to_blend(share * (tint * ink - tint)),
        )
        for ink in inks.values()
        for tint in tints
    ]
    directions = measure_ink_directions(lines)
    assert np.ptp(directions.reshape(2, 3, 3), axis=1).max() < 1e-9
    assert np.linalg.norm(directions[0] - directions[3]) > 1.0


def test_a_tint_of_many_colours_is_a_ground() -> None:
    """No single colour of a printer's screen covers a thousandth of the picture."""
    noise = np.random.default_rng(5).normal(0, 12, (160, 160, 3))
    pixels = np.clip(np.array([222.0, 205.0, 178.0]) + noise, 0, 255).astype(np.uint8)
    pixels[80:84] = (28, 95, 168)
    inked = read_inks(pixels, [colour_lab(BLUE), colour_lab(INK)])
    assert float(inked.from_ground[pixels_to_keys(np.array([[[222, 205, 178]]], np.uint8))].max()) < 0.03
    assert inked.of(0)[81:83].mean() > 0.9
    assert inked.of(0)[:70].mean() < 0.01


def test_railroads_spread_to_lines_of_one_pattern_and_along_their_track() -> None:
    """Two patterns, far lines of which look more like the other click; the last two lines are too short to have any."""
    across = np.linspace(0.0, 1.0, 8)
    solid = np.stack((across, np.zeros(8)), axis=1)
    dashed = np.stack((across, np.full(8, 0.6)), axis=1)
    features = np.concatenate((solid, dashed, np.full((2, 2), np.nan)))
    ends = np.array([(2 * i, 2 * i + 1) for i in range(16)] + [(1, 40), (31, 41)])
    eastward = np.tile([[1.0, 0.0], [-1.0, 0.0]], (18, 1, 1))
    clicked = np.array([[0.0, 0.0], [1.0, 0.6]])
    numbers, likelihoods = assign_railroads(features, ends, eastward, clicked, np.array([0, 15]))
    assert numbers.tolist() == [0] * 8 + [1] * 8 + [0, 1]
    assert likelihoods.min() > 0.5


def test_a_railroad_goes_straight_on_rather_than_round_a_corner() -> None:
    """Of two lines of unknown pattern beyond a symbol, each goes on the line that it continues."""
    features = np.array([[0.0, 0.0], [0.0, 1.0], [np.nan, np.nan], [np.nan, np.nan]])
    ends = np.array([(0, 1), (2, 1), (1, 3), (1, 4)])
    slope = np.array([0.6, 0.8])
    directions = np.array([[[1.0, 0.0], [-1.0, 0.0]], [slope, -slope], [[1.0, 0.0], [-1.0, 0.0]], [slope, -slope]])
    numbers, _likelihoods = assign_railroads(features, ends, directions, features[:2], np.array([0, 1]))
    assert numbers.tolist() == [0, 1, 0, 1]


def test_a_click_far_from_all_lines_takes_the_nearest_that_is_free() -> None:
    distances = np.array([[1.0, 30.0], [3.0, 40.0], [50.0, 80.0]])
    assert find_clicked_lines(distances).tolist() == [0, 1]


def test_black_below_a_tint_is_the_ink_of_symbols() -> None:
    blends = blend_inks(["#292307", "#2c692b", "#7a5e3c"], INK)
    assert np.allclose(blends[0], blends[-1])
    assert not np.allclose(blends[1], blends[-1])
    assert not np.allclose(blends[2], blends[-1])


@pytest.mark.parametrize("share", [0.15, 0.3, 0.6, 1.0])
def test_a_stroke_keeps_the_direction_of_its_ink_however_thin_it_is(share: float) -> None:
    ground, ink = colour_blend("#dce8d8"), colour_blend(BLUE)
    shift = share * (ink - ground)
    angles = [
        float(measure_angles(shift[None], ground[None], colour_blend(c))[0]) for c in (BLUE, "#1c8fa8", "#b3262e")
    ]
    assert angles[0] < 1e-6
    assert 0.25 < angles[1] < angles[2]


def test_letters_of_a_word_are_no_dots() -> None:
    """An unclear dot between strokes as tall as letters is one of them; beside a level line, or alone, it is a dot."""
    pixels = np.full((60, 200, 3), 240, np.uint8)
    for x in (20, 28, 36, 60, 68, 76):
        pixels[20:40, x : x + 4] = 20
    pixels[50:53, 120:190] = 20
    dots = [
        Symbol("dot", 48.0, 30.0, 5.0, 0.6),
        Symbol("dot", 155.0, 51.0, 5.0, 0.6),
        Symbol("dot", 150.0, 15.0, 5.0, 0.6),
    ]
    assert drop_letters(pixels, dots, INK) == tuple(dots[1:])
    clear = Symbol("dot", 48.0, 30.0, 5.0, 0.95)
    assert drop_letters(pixels, [clear], INK) == (clear,)
