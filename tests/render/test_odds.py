"""Odds drawn as circles: areas in proportion, a key that says what they are, inside the page."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from math import pi

import pytest

import mapkit
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.render.odds import PART_PER_PERCENT, render_odds
from mapkit.kinds.rail.render.page_areas import divide_page

SVG = "{http://www.w3.org/2000/svg}"


def test_areas_are_in_proportion_and_the_key_agrees(usa: mapkit.Board) -> None:
    chances = {city: float(share * 100) for city, share in calculate_city_chances(usa).items()}
    root = ET.fromstring(render_odds(usa, chances, title="Odds & ends"))  # noqa: S314 - our own drawing
    (left, top, right, bottom), _ = divide_page(usa)
    circles = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "odds-circle"]
    one = (right - left) * (bottom - top) * PART_PER_PERCENT
    for circle in circles:
        assert pi * float(circle.get("r", 0)) ** 2 == pytest.approx(
            one * float(circle.get("data-percent", 0)), rel=0.01
        )
    assert sum(float(c.get("data-percent", 0)) for c in circles) == pytest.approx(100, abs=0.01)
    (key,) = [e for e in root.iter(f"{SVG}g") if e.get("id") == "odds-key"]
    texts = ["".join(e.itertext()) for e in key.iter(f"{SVG}text")]
    assert texts == ["Odds & ends", "1 %", "2 %", "5 %"]
    samples = [float(e.get("r", 0)) for e in key.iter(f"{SVG}circle")]
    percents = [int(re.sub(r"\D", "", text)) for text in texts[1:]]
    assert [pi * r * r / one for r in samples] == pytest.approx(percents, rel=0.01)


def test_who_has_no_chance_has_no_circle(tiny: mapkit.Board) -> None:
    first = tiny.cities[0]
    text = render_odds(tiny, {first.id: float(Fraction(100))})
    assert text.count('class="odds-circle"') == 1
    assert f'data-milepost="{first.milepost}"' in text
    assert text == render_odds(tiny, {first.id: 100.0})
