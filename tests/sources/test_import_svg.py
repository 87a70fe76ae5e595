"""Lines and mileposts read from SVG: exact coordinates, names, keys, and what is refused."""

import contextlib
import gzip
import math
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import svgelements
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.errors import MapkitError, SourceError, WorkspaceError
from mapkit.formats.lines.svg import KEYS, read_svg
from mapkit.formats.svg import tree as svg_xml
from mapkit.formats.svg.names import decode_id, is_made_up
from mapkit.formats.svg.path import Budget, flatten_path
from mapkit.formats.svg.units import Affine, BadSvgError, parse_transform
from mapkit.formats.traced import KeyFrom, TracedLayer

NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"'
)


def read(text: str | bytes, tmp_path: Path, **options: Any) -> TracedLayer:
    path = tmp_path / "a.svg"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_svg(path, **options)


def svg(inside: str, attributes: str = 'width="1000" height="1000"') -> str:
    return f"<svg {NAMESPACES} {attributes}>{inside}</svg>"


def coordinates(layer: TracedLayer) -> list[list[tuple[float, float]]]:
    return [[(round(x, 6), round(y, 6)) for x, y in line.coords] for line in layer.lines]


def dots(layer: TracedLayer) -> list[tuple[float, float]]:
    return [(round(point.x, 6), round(point.y, 6)) for point in layer.points]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ('<path d="M1 2 3,4l5-6"/>', [[(1, 2), (3, 4), (8, -2)]]),
        ('<path d="m1 2 3,4 5,6"/>', [[(1, 2), (4, 6), (9, 12)]]),
        ('<path d="M1,1H5V7h-1v2h1 2"/>', [[(1, 1), (5, 1), (5, 7), (4, 7), (4, 9), (5, 9), (7, 9)]]),
        ('<path d="M0,0 10,0 10,10z"/>', [[(0, 0), (10, 0), (10, 10), (0, 0)]]),
        ('<path d="M0,0 10,0 0,0z"/>', [[(0, 0), (10, 0), (0, 0)]]),
        ('<path d="M0,0h1M5,5v1m1,1h1"/>', [[(0, 0), (1, 0)], [(5, 5), (5, 6)], [(6, 7), (7, 7)]]),
        ('<path d="M0,0h2v2zl-3,0"/>', [[(0, 0), (2, 0), (2, 2), (0, 0)], [(0, 0), (-3, 0)]]),
        ('<path d="m1,1h2v2zm5,5h1"/>', [[(1, 1), (3, 1), (3, 3), (1, 1)], [(6, 6), (7, 6)]]),
        ('<path d="M.5.5-1e1.5L+1-1"/>', [[(0.5, 0.5), (-10, 0.5), (1, -1)]]),
        ('<path d="M0,0A0,5 0 0 1 9,9"/>', [[(0, 0), (9, 9)]]),
        ('<polyline points="1,2 3 4,5,6"/>', [[(1, 2), (3, 4), (5, 6)]]),
        ('<polygon points="1,2 3,4 5,6"/>', [[(1, 2), (3, 4), (5, 6), (1, 2)]]),
        ('<line x1="1" y1="2" x2="1in" y2="50%"/>', [[(1, 2), (96, 500)]]),
        ('<line x2="7"/>', [[(0, 0), (7, 0)]]),
        ('<path d="none"/><path/><path d="M3,3"/><path d="M3,3z"/><polyline points="1,1 1,1"/>', []),
    ],
)
def test_straight_shapes(shape: str, expected: list[Any], tmp_path: Path) -> None:
    assert coordinates(read(svg(shape), tmp_path)) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('width="100" height="50"', (0, 0, 100, 50)),
        ('width="1in" height="2.54cm"', (0, 0, 96, 96)),
        ('width="210mm" height="297mm" viewBox="0 0 210 297"', (0, 0, 210, 297)),
        ('width="17.4933in" viewBox="0 0 2624 1338"', (0, 0, 2624, 1338)),
        ('width="6pc" height="2.54cm" viewBox="0 0 96 96"', (0, 0, 96, 96)),
        ('viewBox="5 5 100 100"', (5, 5, 100, 100)),
        ('width="100%" height="100%" viewBox="5 5 100 100"', (5, 5, 100, 100)),
        ('height="200" viewBox="0 0 100 50"', (0, 0, 100, 50)),
        ('width="200" height="100" viewBox="0 0 100 100" preserveAspectRatio="xMaxYMid meet"', (0, 0, 100, 100)),
        ('width="200" height="100" viewBox="0 0 100 100" preserveAspectRatio="none"', (0, 0, 100, 100)),
        ("", None),
    ],
)
def test_coordinates_are_the_drawings_own_units(
    head: str, expected: tuple[float, float, float, float] | None, tmp_path: Path
) -> None:
    layer = read(svg('<path d="M10,20h1"/><circle cx="10" cy="20" r=".1"/>', head), tmp_path)
    assert layer.crs is None
    assert layer.lines[0].coords[0] == (10, 20)
    assert layer.points[0].coords[0] == (10, 20)
    page = layer.page
    assert (page and (page.x, page.y, page.width, page.height)) == expected


@pytest.mark.parametrize(("head", "most"), [('viewBox="0 0 100 100" width="1000"', 0.0101), ('width="100"', 0.101)])
def test_curves_are_as_fine_as_the_page_shows_them(head: str, most: float, tmp_path: Path) -> None:
    line = read(svg('<path d="M0,0 A40,40 0 0 1 80,0"/>', head), tmp_path).lines[0]
    away = np.abs(np.hypot(*(shapely.get_coordinates(line.segmentize(0.1)) - (40, 0)).T) - 40)
    assert most / 20 < away.max() <= most


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("translate(5)", (6, 2)),
        ("translate(5 -3)", (6, -1)),
        ("scale(2)", (2, 4)),
        ("scale(2,3)", (2, 6)),
        ("rotate(90)", (-2, 1)),
        ("rotate(90 1 1)", (0, 1)),
        ("skewX(45)", (3, 2)),
        ("skewY(45)", (1, 3)),
        ("matrix(1 2 3 4 5 6)", (12, 16)),
        ("translate(1,0),scale(2) rotate(180)", (-1, -4)),
        ("rotate(0.25turn) translate(10px 0)", (-2, 11)),
        ("none", (1, 2)),
    ],
)
def test_one_transform(text: str, expected: tuple[float, float], tmp_path: Path) -> None:
    for place in (f'transform="{text}"', f'style="transform:{text}"'):
        layer = read(svg(f'<g {place}><path d="M1,2 9,9"/></g>'), tmp_path)
        assert layer.lines[0].coords[0] == pytest.approx(expected)


numbers = st.floats(-20, 20).map(lambda value: round(value, 3))
functions = st.one_of(
    st.tuples(st.just("translate"), st.lists(numbers, min_size=2, max_size=2)),
    st.tuples(st.just("scale"), st.lists(st.floats(0.5, 2).map(lambda v: round(v, 3)), min_size=2, max_size=2)),
    st.tuples(st.just("rotate"), st.lists(numbers, min_size=1, max_size=1)),
    st.tuples(st.just("rotate"), st.lists(numbers, min_size=3, max_size=3)),
    st.tuples(st.just("skewX"), st.lists(numbers, min_size=1, max_size=1)),
    st.tuples(st.just("skewY"), st.lists(numbers, min_size=1, max_size=1)),
    st.tuples(st.just("matrix"), st.lists(numbers, min_size=6, max_size=6)),
)


def as_matrix(name: str, v: list[float]) -> Any:
    """Build the matrix of the standard by numpy, independently of the reader."""
    if name == "rotate" and len(v) == 3:
        shift = as_matrix("translate", v[1:])
        return shift @ as_matrix("rotate", v[:1]) @ np.linalg.inv(shift)
    m = np.eye(3)
    angle = math.radians(v[0])
    if name == "translate":
        m[:2, 2] = v
    elif name == "scale":
        m[0, 0], m[1, 1] = v
    elif name == "rotate":
        m[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    elif name == "skewX":
        m[0, 1] = math.tan(angle)
    elif name == "skewY":
        m[1, 0] = math.tan(angle)
    else:
        m[:2] = np.array(v).reshape(3, 2).T
    return m


@settings(max_examples=examples(80))
@given(chain=st.lists(st.lists(functions, min_size=1, max_size=3), min_size=1, max_size=3), x=numbers, y=numbers)
def test_nested_transforms_are_the_product_of_their_matrices(chain: list[Any], x: float, y: float) -> None:
    inside, product = f'<path d="M{x},{y}l1,0 0,1"/>', np.eye(3)
    for group in chain:
        for name, values in group:
            product = product @ as_matrix(name, values)
    for group in reversed(chain):
        text = " ".join(f"{name}({','.join(map(str, values))})" for name, values in group)
        inside = f'<g transform="{text}">{inside}</g>'
    expected = (product @ np.array([[x, x + 1, x + 1], [y, y, y + 1], [1, 1, 1]]))[:2].T
    with tempfile.TemporaryDirectory() as folder:
        layer = read(svg(inside), Path(folder))
    if len(layer.lines):
        got = np.array(layer.lines[0].coords)
        assert np.allclose(got, expected, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(product).max() * 20))
    else:
        assert abs(np.linalg.det(product[:2, :2])) < 1e-6


def farthest_from(polyline: Any, curve: Any) -> float:
    """Return the largest distance of sampled points of a curve from a polyline."""
    a, b = polyline[:-1, None, :], polyline[1:, None, :]
    along = b - a
    share = np.clip(((curve - a) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-30), 0, 1)
    return float(np.linalg.norm(a + share[..., None] * along - curve, axis=-1).min(axis=0).max())


SPOT = st.tuples(st.integers(-500, 500), st.integers(-500, 500))


@settings(max_examples=examples(60))
@given(st.lists(SPOT, min_size=4, max_size=4), st.sampled_from([1.0, 0.1, 0.01]), st.sampled_from([0.2, 1.0, 7.0]))
def test_cubic_curves_keep_the_tolerance(spots: list[tuple[int, int]], tolerance: float, scale: float) -> None:
    p = np.array(spots, dtype=float)
    data = "M{},{}C{},{} {},{} {},{}".format(*p.ravel())
    (line,) = flatten_path(data, Affine(scale, 0, 0, scale, 3, 4), tolerance=tolerance, budget=Budget(10**6, 10**6))
    t = np.linspace(0, 1, 500)[:, None]
    curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    assert farthest_from(line, curve * scale + [3, 4]) <= tolerance * 1.001
    assert line[-1].tolist() == pytest.approx((p[3] * scale + [3, 4]).tolist(), abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("M0,0Q10,20 30,0", "M0,0C6.666666666666667,13.333333333333334 16.666666666666668,13.333333333333334 30,0"),
        ("M5,5q10,20 30,0", "M5,5Q15,25 35,5"),
        ("M0,0Q10,20 30,0T60,0", "M0,0Q10,20 30,0Q50,-20 60,0"),
        ("M0,0Q10,20 30,0t30,0", "M0,0Q10,20 30,0T60,0"),
        ("M0,0T30,0", "M0,0Q0,0 30,0"),
        ("M0,0C0,9 9,9 9,0S30,5 40,0", "M0,0C0,9 9,9 9,0C9,-9 30,5 40,0"),
        ("M0,0C0,9 9,9 9,0s21,5 31,0 1,2 9,9", "M0,0C0,9 9,9 9,0S30,5 40,0 41,2 49,9"),
        ("M1,1S30,5 40,0", "M1,1C1,1 30,5 40,0"),
        ("M0,0c0,9 9,9 9,0c0,9 9,9 9,0", "M0,0C0,9 9,9 9,0C9,9 18,9 18,0"),
        ("M0,0a5,5 0 0110,0 5,5 0 01.5.5", "M0,0A5,5 0 0 1 10,0A5,5 0 0 1 10.5,.5"),
    ],
)
def test_curves_that_are_equal(one: str, other: str) -> None:
    lines = [flatten_path(d, Affine(), tolerance=0.1, budget=Budget(9999, 9999)) for d in (one, other)]
    assert len(lines[0]) == len(lines[1]) == 1
    assert np.allclose(lines[0][0], lines[1][0], atol=1e-9)


@pytest.mark.parametrize(("large", "sweep"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_arcs_lie_on_their_circle(large: int, sweep: int) -> None:
    """From (10, 0) to (0, 10) with radius 10: about (0, 0) or (10, 10), a quarter or three quarters."""
    data = f"M10,0A10,10 0 {large} {sweep} 0,10"
    (line,) = flatten_path(data, Affine(), tolerance=0.001, budget=Budget(9999, 9999))
    centre = np.array([0, 0]) if large != sweep else np.array([10, 10])
    assert np.allclose(np.linalg.norm(line - centre, axis=1), 10)
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    assert length == pytest.approx(math.pi * (15 if large else 5), rel=1e-3)
    assert line[-1].tolist() == [0, 10]


def test_arc_radii_too_small_grow() -> None:
    for radius in ("3,3", "1e-9,1e-9"):
        (line,) = flatten_path(f"M0,0A{radius} 0 0 1 20,0", Affine(), tolerance=0.01, budget=Budget(9999, 9999))
        assert np.allclose(np.linalg.norm(line - [10, 0], axis=1), 10)
        assert line[:, 1].min() == pytest.approx(-10, abs=0.02)


def test_paths_agree_with_svgelements() -> None:
    """Random path data of every command: each point that svgelements gives is on the polyline.

    But for a smooth curve after one of another kind: svgelements mirrors there, against SVG 1.1, 8.3.6 and 8.3.7.
    """
    rng = random.Random(3)  # noqa: S311 - a test
    for _ in range(40):
        data, letter = "M100,100", "M"
        for _ in range(6):
            smooth = "Ss" if letter in "CcSs" else "Tt" if letter in "QqTt" else ""
            letter = rng.choice("LlHhVvCcQqAa" + smooth * 3)
            size = {"h": 1, "v": 1, "l": 2, "t": 2, "s": 4, "q": 4, "c": 6, "a": 2}[letter.lower()]
            values = " ".join(str(rng.randint(-200, 200)) for _ in range(size))
            flags = f"{rng.randint(20, 90)} {rng.randint(20, 90)} {rng.randint(0, 180)} {rng.randint(0, 1)} "
            values = f"{flags}{rng.randint(0, 1)} {values}" if letter in "Aa" else values
            data += f"{letter}{values}"
        (line,) = flatten_path(data, Affine(), tolerance=0.05, budget=Budget(99999, 99999))
        for segment in list(svgelements.Path(data))[1:]:
            curve = np.array([tuple(segment.point(t / 20)) for t in range(21)])
            assert farthest_from(line, curve) < 0.0501, (data, segment)


MARKS = """
<circle id="altoona" cx="10" cy="20" r="3"/>
<ellipse cx="30" cy="40" rx="3"><title> Harrisburg
  PA </title></ellipse>
<rect id="rect12" inkscape:label="Lewistown" x="50" y="60" width="4" height="6"/>
<circle id="path1234-5" cx="70" cy="80" r="3"/>
<g transform="rotate(45 100 100)"><rect x="98" y="98" width="4" height="4" data-name="New York"/></g>
<path sodipodi:type="arc" sodipodi:cx="5" sodipodi:cy="6" sodipodi:rx="2" sodipodi:ry="2" d="m 7,6 a 2,2 0 1 1 -4,0 z"
  transform="translate(100,0)" id="Reading"/>
"""


MARKS_FILE = svg(MARKS).encode()


def test_marks_are_mileposts(tmp_path: Path) -> None:
    layer = read(svg(MARKS), tmp_path)
    assert dots(layer) == [(10, 20), (30, 40), (52, 63), (70, 80), (100, 100), (105, 6)]
    assert layer.point_names == ("altoona", "Harrisburg PA", "Lewistown", "", "New York", "Reading")
    assert layer.point_features[0] == "a.svg#altoona"
    assert layer.point_features[1] == "a.svg#ellipse[1]"
    assert len(layer.lines) == 0
    assert layer.notes == ()


def test_frames_and_nothings_are_noted(tmp_path: Path) -> None:
    inside = '<rect id="back" width="100%" height="100%"/><circle id="none" cx="4"/><path id="p" d="M1,1z"/>'
    layer = read(svg(inside + '<image id="scan" href="scan.png"/><blink id="b"/>'), tmp_path)
    assert len(layer.points) == len(layer.lines) == 0
    assert layer.notes == (
        "a.svg: larger than a quarter of the page, taken for a frame and left out: back",
        "a.svg: without size, left out: none",
        "a.svg: without length, left out: p",
        "a.svg: pictures are not read: scan",
        "a.svg: elements of kinds that are not read: b",
    )


INKSCAPE = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" id="svg5" stroke="#000" {NAMESPACES}>
  <sodipodi:namedview id="namedview7" inkscape:document-units="mm"><inkscape:grid id="grid1"/></sodipodi:namedview>
  <defs id="defs2"><clipPath id="clip"><path id="path99" d="M0,0h9v9z"/></clipPath><marker id="m"><path d="M0,0h1"/>
  </marker></defs>
  <metadata id="metadata1"/>
  <g inkscape:groupmode="layer" id="layer1" inkscape:label="Pennsylvania" transform="translate(10,10)">
    <path style="fill:none;stroke:#f00" d="m 10,10 5,0 c 0,0 5,0 5,0" id="path12"/>
    <path d="m 1,1 2,2" id="path13" inkscape:label="Reading"/>
    <g id="g20"><path d="m 1,1 2,2" id="pa-branch"/></g>
    <g id="g21" inkscape:label="B&amp;O"><path d="m 1,1 2,2" id="path15" clip-path="url(#clip)"/></g>
    <g inkscape:groupmode="layer" id="layer5" inkscape:label="Branches"><path d="m 0,0 1,1" id="path16"/></g>
    <path d="m 1,1 2,2" id="path17" data-railroad="erie" inkscape:label="x"/>
  </g>
  <g inkscape:groupmode="layer" id="layer2" inkscape:label="Layer 2">
    <path d="m 1,1 2,2" id="path18"/><path d="m 1,1 2,2" id="nyc"/>
  </g>
  <g inkscape:groupmode="layer" id="layer3" inkscape:label="Old" style="display:none"><path d="m 1,1 2,2"/></g>
  <g inkscape:groupmode="layer" id="layer4" inkscape:label="Names">
    <text id="text1"><tspan>Altoona</tspan></text>
    <text id="text2"><textPath xlink:href="#path12">Pennsylvania RR</textPath></text>
  </g>
</svg>"""


def test_inkscape(tmp_path: Path) -> None:
    layer = read(INKSCAPE, tmp_path)
    assert dict(zip(layer.line_features, layer.line_keys, strict=True)) == {
        "a.svg#path12": "Pennsylvania",
        "a.svg#path13": "Reading",
        "a.svg#pa-branch": "Pennsylvania",
        "a.svg#path15": "B&O",
        "a.svg#path16": "Branches",
        "a.svg#path17": "erie",
        "a.svg#path18": "Layer 2",
        "a.svg#nyc": "nyc",
    }
    assert np.array(layer.lines[0].coords)[[0, 1, -1]] == pytest.approx(np.array([[20, 20], [25, 20], [30, 20]]))
    assert layer.notes == (
        "a.svg: hidden (display:none), left out: layer3 (Old)",
        "a.svg: text is not read: text1, text2",
    )


def test_text_beside_a_dot_names_it(tmp_path: Path) -> None:
    labels = """
      <style>.t {font-size: 6px} .u {font-size: 8px; text-anchor: end}</style>
      <circle cx="100" cy="100" r="2"/><circle cx="110" cy="100" r="2"/><circle cx="200" cy="100" r="2"/>
      <circle cx="300" cy="100" r="2"/><circle cx="350" cy="100" r="2"/>
      <circle cx="400" cy="100" r="2"><title>Eve</title></circle>
      <text class="t" transform="matrix(1 0 0 1 103 95)">Aville</text><text class="t" x="113 115" y="107">Bville</text>
      <text class="u" x="196" y="103">Cee<tspan> Town</tspan></text>
      <text x="303" y="90" font-size="6"><tspan x="303" y="90">New</tspan><tspan x="303" y="96">Dorp</tspan></text>
      <text x="352" y="98" class="t">120</text><text x="340" y="120" font-size="40">WEST</text>
      <text x="402" y="98" class="t">Eve (terminus)</text>
      <text x="302" y="104" class="t" display="none">Hidden</text>"""
    layer = read(svg(labels), tmp_path)
    assert layer.point_names == ("Aville", "Bville", "Cee Town", "New Dorp", "", "Eve")
    assert set(layer.notes) == {
        "a.svg: hidden (display:none), left out: text[8]",
        "a.svg: text is not read: text[5], text[6]",
    }
    (guess,) = layer.guesses
    assert guess.startswith("a.svg: named by the text beside it, a title names a milepost otherwise: Aville (a.svg#")
    assert guess.endswith(
        "circle[1]), Bville (a.svg#circle[2]), Cee Town (a.svg#circle[3]), New Dorp (a.svg#circle[4])"
    )


ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" stroke="#000" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/" x="0px" y="0px" viewBox="0 0 612 792"
  style="enable-background:new 0 0 612 792;" xml:space="preserve">
<style type="text/css">
 .st0{display:none;} /* hidden */
 .st1{fill:none;stroke:#ED1C24;}
 @media print{.st1{display:none;}}
</style>
<symbol id="dot" viewBox="-5 -5 10 10"><circle id="XMLID_3_" r="5"/></symbol>
<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/" width="1" height="1"/>
<g i:extraneous="self">
<g id="Union_Pacific"><path class="st1" d="M10,10c0,0,10,0,10,0l5,5"/></g>
<g id="New_York__x26__Erie_1_"><polyline class="st1" points="1,1 2,2 "/>
<g id="XMLID_1_"><line x1="3" y1="3" x2="4" y2="4"/>
</g></g>
<g id="Layer_3_1_"><path id="Lehigh_x2F_Hudson" d="M0,0h5"/><path id="Path_7" d="M0,0h6"/></g>
<g id="Old" class="st0"><path d="M0,0h7"/></g>
<use xlink:href="#dot" id="Salt_Lake_City" width="10" height="10" x="-5" y="-5"
  transform="matrix(1 0 0 -1 100 200)" style="overflow:visible;"/>
</g></switch></svg>"""


def test_illustrator(tmp_path: Path) -> None:
    layer = read(ILLUSTRATOR, tmp_path)
    assert layer.line_keys == ("Union Pacific", "New York & Erie", "New York & Erie", "Lehigh/Hudson", "Layer 3")
    assert coordinates(layer)[0][-2:] == [(20, 10), (25, 15)]
    assert coordinates(layer)[1:3] == [[(1, 1), (2, 2)], [(3, 3), (4, 4)]]
    assert dots(layer) == [(100, 200)]
    assert layer.point_names == ("Salt Lake City",)
    assert layer.notes == ("a.svg: hidden (display:none), left out: Old",)


@pytest.mark.parametrize(
    ("raw", "plain", "illustrator"),
    [
        ("Union_x20_Pacific", "Union Pacific", "Union Pacific"),
        ("B_x26_O_2_", "B&O 2".replace(" ", "_") + "_", "B&O"),
        ("_x31_st_Line", "1st_Line", "1st Line"),
        ("A_x5F_B", "A_B", "A_B"),
        ("_xFFFFFF_", "_xFFFFFF_", "_xFFFFFF_"),
        ("pa-main", "pa-main", "pa-main"),
    ],
)
def test_decoded_ids(raw: str, plain: str, illustrator: str) -> None:
    assert (decode_id(raw, illustrator=False), decode_id(raw, illustrator=True)) == (plain, illustrator)


def test_ids_that_programs_make_up() -> None:
    made = ["path1234", "path12-3-4", "g12", "Layer_1", "Layer 1", "circle5", "XMLID_12_", "SVGID_1_", "<Path>", "rect",
            "Group 3", "_Path_", "Ebene_1", "use4", "polyline2", "Vector_2", "text1-7"]  # fmt: skip
    chosen = ["g", "pa", "pathway", "Line B", "B&O", "rock island", "linear", "A1", "usa", "G", "Starlight", "altoona2"]
    assert [name for name in made if not is_made_up(name)] == []
    assert [name for name in chosen if is_made_up(name)] == []


@pytest.mark.parametrize(
    ("key_from", "expected"),
    [("auto", ("pa", "pa")), ("own", ("main", "")), ("group", ("pa", "pa")), ("layer", ("rails", "rails")),
     ("id", ("main", "path2")), ("class", ("trunk", ""))],
)  # fmt: skip
def test_keys_by_choice(key_from: KeyFrom, expected: tuple[str, str], tmp_path: Path) -> None:
    paths = '<path id="main" class="trunk" d="M0,0h1"/><path id="path2" d="M0,0h1"/>'
    inside = f'<g inkscape:groupmode="layer" inkscape:label="rails"><g id="pa">{paths}</g></g>'
    assert read(svg(inside), tmp_path, key_from=key_from).line_keys == expected
    assert key_from in KEYS


def test_arguments_are_checked(tmp_path: Path) -> None:
    for options in ({"tolerance_px": 0}, {"tolerance_px": math.nan}, {"key_from": "colour"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            read(svg(""), tmp_path, **options)


def test_one_path_of_many_pieces(tmp_path: Path) -> None:
    layer = read(svg('<path id="pa" d="M0,0h1M3,3zM2,2h1z"/>'), tmp_path)
    assert layer.line_features == ("a.svg#pa/1", "a.svg#pa/2")
    assert layer.line_keys == ("pa", "pa")


def test_use(tmp_path: Path) -> None:
    inside = """<defs><circle id="dot" r="2"/><g id="twice"><path id="path1" d="M0,0h1"/><use href="#dot" x="9"/></g>
    <symbol id="sign" viewBox="0 0 10 10"><rect id="box" x="4" y="4" width="2" height="2"/></symbol></defs>
    <use xlink:href="#dot" x="10" y="20" id="altoona"/>
    <g id="pa"><use href="#twice" transform="scale(2)" x="5" id="use1"/></g>
    <use href="#sign" x="100" y="100" width="50" height="50"><title>York</title></use>
    <use href="#gone" id="orphan"/>"""
    layer = read(svg(inside), tmp_path)
    assert dots(layer) == [(10, 20), (28, 0), (125, 125)]
    assert layer.point_names == ("altoona", "", "York")
    assert layer.point_features[1] == "a.svg#use1/use[1]/dot"
    assert coordinates(layer) == [[(10, 0), (12, 0)]]
    assert layer.line_keys == ("twice",)
    assert layer.notes == ("a.svg: `use` of something that is not in the file, left out: orphan",)


def test_nested_svg_and_hiding(tmp_path: Path) -> None:
    inside = """<svg x="100" y="50" width="20" height="20" viewBox="0 0 10 10"><path d="M1,1h50%"/></svg>"""
    layer = read(svg(inside.replace("50%", "5")), tmp_path)
    assert coordinates(layer) == [[(102, 52), (112, 52)]]
    inside = """<style>#b, path.c { display : none !important } path:hover { display: none }</style>
    <g visibility="hidden"><path id="a" d="M0,0h1"/><path d="M0,0h2" style="visibility:visible"/></g>
    <path id="b" d="M0,0h3"/><path class="c d" d="M0,0h4"/>
    <path class="c" style="display:inline !important" d="M0,0h5"/>"""
    layer = read(svg(inside), tmp_path)
    assert [line.length for line in layer.lines] == [2, 5]
    assert layer.notes == (
        "a.svg: rules of the style sheet that hide or move things and are not read: path:hover",
        "a.svg: hidden (visibility:hidden), left out: a",
        "a.svg: hidden (display:none), left out: b, path[4]",
    )


BOMB = """<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"""
USE_BOMB = "<defs><path id='u0' d='M0,0h1'/>" + "".join(
    f"<g id='u{i}'>" + f"<use href='#u{i - 1}'/>" * 9 + "</g>" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.svg:1: the file is empty"),
        ("hello", "a.svg:1: not well-formed XML"),
        ("<svg><g></svg>", "a.svg:1: not well-formed XML: mismatched tag"),
        ("<kml/>", "the outermost element is not svg"),
        ('<svg xmlns="http://example.org/"/>', "the outermost element is not svg"),
        (BOMB + "<svg>&b;</svg>", "declares the entity 'a', which is refused"),
        ('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "declares the entity 'x'"),
        ('<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://a/b">%x;]><svg/>', "which is refused"),
        ('<!DOCTYPE svg SYSTEM "http://a/b.dtd"><svg>&x;</svg>', "undefined entity"),
        ('<?xml version="1.0" encoding="martian"?><svg/>', "a.svg:1: "),
        ('<?xml version="1.0" encoding="shift_jis"?><svg/>', "a.svg:1: "),
        ("<svg>" + "<g>" * 300 + "</g>" * 300 + "</svg>", "g[256] is nested 256 deep"),
        (svg('\n<path id="pa" d="M0,0 L5"/>'), "a.svg:2: path 'pa': path data: L with 1 numbers, not a multiple of 2"),
        (svg('<path d="M0,0 q 1,2 x"/>'), "a.svg:1: path[1]: path data after q: 'x' is not a number"),
        (svg('<path d="L0,0"/>'), "begins with L, not with M"),
        (svg('<path d="5 M0,0"/>'), "'5' before the first command"),
        (svg('<path d="M0,0z5"/>'), "z with 1 numbers"),
        (svg('<path d="M0,0A5,5 0 2 1 9,9"/>'), "is not an arc"),
        (svg('<path d="M0,0 1e999,1"/>'), "inf is out of range"),
        (svg('<path d="M0,0 nan,1"/>'), "after M: 'n' is not a number"),
        (svg('<path d="M0,0' + "l9e8,0" * 9 + '"/>'), "runs out of range"),
        (svg('<path d="M0,0C0,9e8 9e8,9e8 9e8,0" transform="scale(1e6)"/>'), "vertices"),
        (svg('<polyline id="x" points="1 2 3"/>'), "polyline 'x': points: 3 numbers, so one has no y"),
        (svg('<circle id="c" r="2em"/>'), "circle 'c': r: unit 'em' is not read"),
        (svg('<circle r="-2"/>'), "has a negative size"),
        (svg('<circle r="x"/>'), "r: 'x' is not a length"),
        (svg('<circle r="2" cx="5%"/>', ""), "'5%' of a drawing without size"),
        (svg("", 'width="0"'), "width and height must be above 0"),
        (svg("", 'width="2vw"'), "width: unit 'vw' is not read"),
        (svg("", 'viewBox="0 0 0 5"'), "viewBox: '0 0 0 5' must be four numbers"),
        (svg("", 'viewBox="0 0 5 5" preserveAspectRatio="middle"'), "preserveAspectRatio: 'middle' cannot be read"),
        (svg("", 'transform="scale(2)"'), "a transform of the outermost svg is not read"),
        (svg('<g id="g" transform="rotate(1 2)"/>'), "g 'g': transform: rotate with 2 numbers is not read"),
        (svg('<g transform="translate3d(1,2,3)"/>'), "transform: 'translate3d"),
        (svg('<g transform="scale(2"/>'), "transform: 'scale(2' cannot be read"),
        (svg('<g transform="rotate(5px)"/>'), "'5px' is not an angle"),
        (svg('<g transform="scale(2)" transform-origin="50%"/>'), "transform-origin is not read"),
        (svg('<use href="other.svg#a"/>'), "refers to 'other.svg#a' outside the file"),
        (svg('<g id="a"><use href="#a"/></g>'), "draws itself through '#a'"),
        (svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), "draws itself"),
        (svg(USE_BOMB + "</defs><use href='#u11'/>"), "`use` draws more than"),
    ],
)
def test_refused(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.formats.lines.svg.MAX_USED", 5000)
    with pytest.raises(SourceError, match=re.escape(message)) as caught:
        read(text, tmp_path)
    assert all(problem.startswith("a.svg") for problem in caught.value.problems)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match=r"a\.svg: the compressed SVG is damaged; save it as plain SVG"):
        read(gzip.compress(svg("").encode())[:-9], tmp_path)
    with pytest.raises(WorkspaceError, match=r"gone\.svg: cannot be read"):
        read_svg(tmp_path / "gone.svg")
    monkeypatch.setattr("mapkit.formats.lines.svg.MAX_VERTICES", 10)
    with pytest.raises(SourceError, match=r"path 'b': more than 10 vertices"):
        read(svg('<path id="a" d="M0,0h1h1h1"/><path id="b" d="M0,0' + "h1" * 9 + '"/>'), tmp_path)
    monkeypatch.setattr(svg_xml, "MAX_ELEMENTS", 5)
    with pytest.raises(SourceError, match="more than 5 elements"):
        read(svg("<g/>" * 9), tmp_path)
    monkeypatch.setattr(svg_xml, "MAX_BYTES", 5)
    with pytest.raises(SourceError, match="more than the limit of 5"):
        read(svg(""), tmp_path)


def test_a_compressed_file_is_its_content(tmp_path: Path) -> None:
    plain, packed = (read(data, tmp_path) for data in (MARKS_FILE, gzip.compress(MARKS_FILE)))
    assert dots(packed) == dots(plain)
    assert packed.point_names == plain.point_names
    halves = gzip.compress(MARKS_FILE[:99]) + gzip.compress(MARKS_FILE[99:])
    assert dots(read(halves, tmp_path)) == dots(plain)


def test_every_mistake_at_once(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read(svg('<path id="a" d="x"/>\n<path d="M0,0h1"/>\n<circle id="b" r="y"/>'), tmp_path)
    assert caught.value.problems == (
        "a.svg:1: path 'a': path data: 'x' before the first command",
        "a.svg:3: circle 'b': r: 'y' is not a length; write a number",
    )


def test_hostile_repetition_is_read_in_linear_time(tmp_path: Path) -> None:
    """Would take hours if a pattern went back over what it has read."""
    long = 300_000
    for inside in (
        f'<path d="M0,0A{"1" * long}"/>', f'<path d="M0,0A{" " * long}x"/>', f'<g transform="{"a" * long}"/>',
        f'<g transform="{" " * long}x"/>', f'<circle r="1{" " * long}x"/>', f"<style>{'/*' * long}</style>",
        f"<style>{'@' * long}{{</style>", f'<path id="{"g1" * long}" d="M0,0h1"/>',
        f'<path id="{"_" * long}" d="M0,0h1"/>',
        f'<path d="M0,0h1{"," * long}"/>', f'<polyline points="{"1e" * long}"/>',
    ):  # fmt: skip
        try:
            read(svg(inside), tmp_path)
        except SourceError:
            continue


def test_encodings(tmp_path: Path) -> None:
    text = svg('<circle r="1" inkscape:label="São Paulo"/>')
    for data in (
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        b'<?xml version="1.0" encoding="iso-8859-1"?>' + text.encode("latin-1"),
    ):
        assert read(data, tmp_path).point_names == ("São Paulo",)


def survives(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            layer = read(data, Path(folder))
        except MapkitError:
            return
    for shape in (*layer.lines, *layer.points):
        assert not shape.is_empty
        assert np.isfinite(shape.bounds).all()
    assert len(layer.lines) == len(layer.line_keys) == len(layer.line_features)
    assert len(layer.points) == len(layer.point_names) == len(layer.point_features)


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    survives(data)
    survives(b"<svg>" + data + b"</svg>")


SEEDS = [INKSCAPE, ILLUSTRATOR, svg(MARKS), svg(USE_BOMB[:400].rpartition("<use")[0] + "</g></defs>")]
PIECES = [b"1e9", b"-", b"%", b"0", b"1e-300", b"#u1", b"A", b"z", b"s", b"T", b"use", b"NaN", b"svg", b"display:none",
          b"mm", b"(", b"\xff", b"<", b'"', b"path", b"99999999999", b"symbol", b"1e308", b"."]  # fmt: skip


@settings(max_examples=examples(300))
@given(
    st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(PIECES)), max_size=5)
)
def test_damaged_files_raise_only_errors_of_mapkit(text: str, changes: list[tuple[float, int, bytes]]) -> None:
    data = text.encode()
    for share, cut, piece in changes:
        at = int(share * len(data))
        data = data[:at] + piece + data[at + cut :]
    survives(data)


@settings(max_examples=examples(300))
@given(
    st.text("MmLlHhVvCcSsQqTtAaZz0123456789.,-+e ", max_size=60),
    st.text("()0123456789.,-e matrixscleownkXY", max_size=40),
)
def test_random_path_data_and_transforms(data: str, text: str) -> None:
    survives(svg(f'<path d="M0 0{data}"/><path d="{data}" transform="{text}"/>').encode())


@settings(max_examples=examples(100))
@given(
    st.lists(st.tuples(st.sampled_from("LlHhVvCcSsQqTtAaZzMm"), st.lists(st.floats(-2e9, 2e9), min_size=7, max_size=7)))
)
def test_random_well_formed_path_data(commands: list[tuple[str, list[float]]]) -> None:
    sizes = {"z": 0, "h": 1, "v": 1, "l": 2, "m": 2, "t": 2, "s": 4, "q": 4, "c": 6, "a": 7}
    data = "M0,0"
    for letter, values in commands:
        used = [str(value) for value in values[: sizes[letter.lower()]]]
        if letter in "Aa":
            used[3:5] = [str(int(values[3] > 0)), str(int(values[4] > 0))]
        data += letter + " ".join(used)
    problem = ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            read(svg(f'<path d="{data}"/>'), Path(folder), tolerance_px=1e4)
        except MapkitError as error:
            problem = str(error)
    assert not problem or "range" in problem or "vertices" in problem


@given(st.text(max_size=40))
def test_transform_text_never_surprises(text: str) -> None:
    with contextlib.suppress(BadSvgError):
        parse_transform(text)
