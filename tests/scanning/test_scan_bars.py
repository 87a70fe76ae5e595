"""Dots that are drawn out to bars across lines side by side."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mapkit.kinds.rail.scanning.inks import colour_lab, pixels_to_keys
from mapkit.kinds.rail.scanning.places import place_symbols
from mapkit.kinds.rail.scanning.symbols import Bar, Symbol, find_bar, find_symbols

INK = "#1b1b1b"
FINE = 4
DOTS = ((30, 30), (90, 30), (150, 30), (30, 90))
BAR = ((95, 104), (107, 86))
DOT = 5.5


def drawn() -> np.ndarray:
    """Return a picture with some dots and a bar."""
    image = Image.new("RGB", (180 * FINE, 130 * FINE), "#f5f1e6")
    draw = ImageDraw.Draw(image)
    (x0, y0), (x1, y1) = BAR
    steps = np.linspace(0, 1, 60)
    for x, y in (*DOTS, *((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in steps)):
        draw.ellipse([v * FINE for v in (x - DOT, y - DOT, x + DOT, y + DOT)], fill=INK)
    return np.asarray(image.resize((180, 130), Image.Resampling.BOX), dtype=np.uint8)


def test_a_bar_is_one_dot() -> None:
    found, sizes = find_symbols(pixels_to_keys(drawn()), colour_lab(INK))
    assert sizes.dot == pytest.approx(DOT, abs=0.2)
    assert [(s.kind, len(s.spots) > 0) for s in found] == [("dot", False)] * 4 + [("dot", True)]
    bar = found[4]
    assert (bar.x + 0.5, bar.y + 0.5) == pytest.approx((101, 95), abs=0.7)
    ends = sorted((bar.spots[0], bar.spots[-1]))
    assert np.abs(np.array(ends) + 0.5 - np.array(BAR)).max() < 1.5


def test_all_of_a_bar_is_marked() -> None:
    bar = Bar(60.0, 60.0, (1.0, 0.0), 15.0)
    places = place_symbols([Symbol("dot", 60, 60, 5, 1.0, bar.spots(5.0))], (120, 120), 10)
    assert [places.inside[60, x] for x in (38, 40, 60, 80, 82)] == [-1, 0, 0, 0, -1]
    assert set(places.inside[65, 46:75].tolist()) == {0}


@pytest.mark.parametrize(("wide", "bars"), [(11, 0), (13, 0), (31, 1), (99, 0)])
def test_what_is_as_long_as_wide_or_far_longer_is_no_bar(wide: int, bars: int) -> None:
    y, x = (v.ravel().astype(float) for v in np.mgrid[0:11, 0:wide])
    depth = 1 + np.minimum.reduce((x, wide - 1 - x, y, 10 - y))
    assert (find_bar(x, y, depth) is not None) == bool(bars)


def test_the_edge_of_a_bar() -> None:
    bar = Bar(0.0, 0.0, (1.0, 0.0), 10.0)
    assert bar.ends(np.radians([0, 90, 180]), 5.0) == pytest.approx([15, 5, 15])
