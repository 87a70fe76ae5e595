"""Colour arithmetic against published figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.drawing.colours.colour import (
    ciede2000,
    contrast,
    lab,
    luminance,
    mix_colours,
    oklab,
    oklab_to_light,
    rgb,
    rgbs,
    to_encoded,
    to_hex,
)
from mapkit.drawing.colours.vision import DEUTAN, LMS_FROM_RGB, PROTAN, TRITAN, VISIONS, simulate_vision

# Sharma, Wu and Dalal (2005), table 1: L1 a1 b1, L2 a2 b2, CIEDE2000
SHARMA = (
    (50.0000, 2.6772, -79.7751, 50.0000, 0.0000, -82.7485, 2.0425),
    (50.0000, 3.1571, -77.2803, 50.0000, 0.0000, -82.7485, 2.8615),
    (50.0000, 2.8361, -74.0200, 50.0000, 0.0000, -82.7485, 3.4412),
    (50.0000, -1.3802, -84.2814, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, -1.1848, -84.8006, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, -0.9009, -85.5211, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, 0.0000, 0.0000, 50.0000, -1.0000, 2.0000, 2.3669),
    (50.0000, -1.0000, 2.0000, 50.0000, 0.0000, 0.0000, 2.3669),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0009, 7.1792),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0010, 7.1792),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0011, 7.2195),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0012, 7.2195),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0009, -2.4900, 4.8045),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0010, -2.4900, 4.8045),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0011, -2.4900, 4.7461),
    (50.0000, 2.5000, 0.0000, 50.0000, 0.0000, -2.5000, 4.3065),
    (50.0000, 2.5000, 0.0000, 73.0000, 25.0000, -18.0000, 27.1492),
    (50.0000, 2.5000, 0.0000, 61.0000, -5.0000, 29.0000, 22.8977),
    (50.0000, 2.5000, 0.0000, 56.0000, -27.0000, -3.0000, 31.9030),
    (50.0000, 2.5000, 0.0000, 58.0000, 24.0000, 15.0000, 19.4535),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.1736, 0.5854, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.2972, 0.0000, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 1.8634, 0.5757, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.2592, 0.3350, 1.0000),
    (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
    (63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630),
    (61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731),
    (35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645),
    (22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373),
    (36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146),
    (90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441),
    (90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381),
    (6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377),
    (2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082),
)

COLOURS = st.tuples(*[st.integers(0, 255)] * 3).map(lambda c: "#{:02x}{:02x}{:02x}".format(*c))


def test_ciede2000_of_the_published_pairs() -> None:
    assert len(SHARMA) == 34
    pairs = np.array(SHARMA)
    assert np.abs(ciede2000(pairs[:, :3], pairs[:, 3:6]) - pairs[:, 6]).max() < 5e-5
    assert np.abs(ciede2000(pairs[:, 3:6], pairs[:, :3]) - pairs[:, 6]).max() < 5e-5


@given(COLOURS, COLOURS)
def test_a_difference_is_symmetric_and_zero_for_one_colour_alone(one: str, other: str) -> None:
    a, b = lab(rgb(one)), lab(rgb(other))
    assert ciede2000(a, b) == pytest.approx(ciede2000(b, a), abs=1e-9)
    assert ciede2000(a, a) == 0
    assert (ciede2000(a, b) > 0) == (one != other)


def test_known_colours() -> None:
    # CIELAB of sRGB red under D65, as colour tables give it
    assert lab(rgb("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.01)
    assert lab(rgb("#ffffff")) == pytest.approx([100, 0, 0], abs=0.01)
    # Ottosson's own figures for sRGB red
    assert oklab(rgb("#ff0000")) == pytest.approx([0.628, 0.2249, 0.1258], abs=1e-3)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # the grey that WCAG's tutorials give as just too light
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert luminance("#ffffff") == pytest.approx(1)
    assert mix_colours("#000000", "#ffffff", 0.5) == "#808080"


@given(COLOURS)
def test_oklab_and_hex_there_and_back(colour: str) -> None:
    assert to_hex(to_encoded(oklab_to_light(oklab(rgb(colour))))) == colour


def test_cones_of_the_display() -> None:
    """Smith and Pokorny's cones for sRGB primaries, as libDaltonLens states them."""
    published = [[0.17886, 0.43997, 0.03597], [0.03380, 0.27515, 0.03621], [0.00031, 0.00192, 0.01528]]
    assert np.abs(LMS_FROM_RGB - published).max() < 1e-5


def test_simulations_are_near_those_published_for_srgb() -> None:
    """libDaltonLens corrects the display's XYZ after Judd and Vos, which moves an entry by a hundredth at most."""
    protan = [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]
    deutan = [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    tritan = [[1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.80500, 0.11911]]
    assert np.abs(PROTAN - protan).max() < 0.005
    assert np.abs(DEUTAN - deutan).max() < 0.005
    assert np.abs(TRITAN[1] - tritan).max() < 0.01


@given(COLOURS)
def test_who_lacks_a_cone_sees_the_simulation_as_it_is(colour: str) -> None:
    """Simulating again changes nothing where the first result was a colour of the display."""
    for vision in VISIONS:
        once = simulate_vision(rgb(colour), vision)
        if once.min() > 0.01 and once.max() < 0.99:
            assert simulate_vision(once, vision) == pytest.approx(once, abs=1e-6)


@pytest.mark.parametrize("vision", VISIONS)
def test_greys_stay_grey(vision: str) -> None:
    greys = rgbs(["#000000", "#404040", "#808080", "#c0c0c0", "#ffffff"])
    assert simulate_vision(greys, vision) == pytest.approx(greys, abs=1e-6)  # type: ignore[arg-type]


def test_what_people_confuse_looks_alike() -> None:
    """Red and the green of its lightness differ by 50 for most people, by little for who lacks red or green cones."""
    red, green = rgb("#c0504d"), rgb("#74803a")
    apart = {v: float(ciede2000(lab(simulate_vision(red, v)), lab(simulate_vision(green, v)))) for v in VISIONS}
    assert apart["normal"] > 40
    assert apart["deutan"] < 10
    assert apart["tritan"] > 20
