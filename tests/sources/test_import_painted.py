"""Drawings as people make them: what is painted is traced, and the nearest name that is a railroad's counts."""

from pathlib import Path

import pytest

from mapkit.formats.lines.any_file import read_any
from mapkit.kinds.rail.importing.mapping import choose_keys, read_mapping
from mapkit.kinds.rail.tables import Railroad

RAILROADS = {
    key: Railroad(name=name, short=key.upper(), price=0, public=False, colour="#aa2222", pattern="solid")
    for key, name in (("rr", "Red Railroad"), ("bl", "Blue Line"))
}
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:serif="http://www.serif.com/" '
    'viewBox="0 0 400 200">{}</svg>'
)
KML = '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}</Document></kml>'
MARK = "<Placemark>{}<LineString><coordinates>-100,39 -96,39</coordinates></LineString></Placemark>"
SHOWN = '<path stroke="red" fill="none" d="M0 0H9"/>'


@pytest.mark.parametrize(
    ("inside", "is_painted"),
    [
        ('<path stroke="red" d="M0 9H9"/>', True),
        ('<g stroke="red"><path d="M0 9H9"/></g>', True),
        ('<style>.a .b > path{stroke:red}</style><g class="a"><g class="b"><path d="M0 9H9"/></g></g>', True),
        ('<style>.a > path{stroke:red}</style><g class="a"><g class="b"><path d="M0 9H9"/></g></g>', False),
        ('<g stroke="red"><path style="stroke:none" d="M0 9H9"/></g>', False),
        ('<path stroke="transparent" d="M0 9H9"/>', False),
        ('<style>.n{stroke:none!important}</style><path class="n" style="stroke:red" d="M0 9H9"/>', False),
        ('<path stroke="rgba(255, 0, 0, 0)" d="M0 9H9"/>', False),
        ('<path stroke="#ff000000" d="M0 9H9"/>', False),
        ('<path stroke="red" stroke-width="0px" d="M0 9H9"/>', False),
        ('<g opacity="0"><g opacity="1"><path stroke="red" d="M0 9H9"/></g></g>', False),
        ('<g stroke-opacity="0"><path stroke="red" d="M0 9H9"/></g>', False),
        ('<path fill="#ccf" d="M50 50h90v90h-90z"/>', False),
        # trying all ways to nest these groups would take days
        (f"<style>z {'g ' * 8}path{{stroke:red}}</style>{'<g>' * 200}<path d='M0 9H9'/>{'</g>' * 200}", False),
    ],
)
def test_lines_that_a_renderer_does_not_paint_are_left_out(tmp_path: Path, inside: str, *, is_painted: bool) -> None:
    path = tmp_path / "a.svg"
    path.write_text(SVG.format(SHOWN + inside), encoding="utf-8")
    layer = read_any(path)
    assert len(layer.lines) == 1 + is_painted
    assert any("left out" in note for note in layer.notes) != is_painted


def test_the_renderer_decides_what_is_shown(tmp_path: Path) -> None:
    """Lines are compared with the rendered drawing, so that clipping, covering and any style sheet count."""
    inside = """
      <style>#e:first-child {stroke: none} #q:first-child {stroke: blue}</style>
      <clipPath id="half"><rect width="200" height="200"/></clipPath>
      <clipPath id="bit"><rect width="2" height="2"/></clipPath>
      <filter id="blur"><feGaussianBlur stdDeviation="1"/></filter>
      <g id="RR" fill="none" stroke="red" stroke-width="0.05">
        <path id="a" d="M0 100H400" style="filter: url(#blur)"/><path id="b" clip-path="url(#half)" d="M0 120H400"/>
        <path id="d" clip-path="url(#bit)" d="M0 140H400"/>
        <g><path id="e" d="M0 10H400"/></g>
        <path id="f" d="M0 160H400"/>
      </g>
      <g id="BL" fill="none"><path id="q" d="M0 15H400"/></g>
      <rect y="150" width="400" height="20" fill="white"/><path id="w" stroke="white" d="M0 155H400"/>"""
    path = tmp_path / "a.svg"
    path.write_text(SVG.format(inside), encoding="utf-8")
    layer = read_any(path)
    assert layer.line_features == ("a.svg#a", "a.svg#b")
    assert {
        "a.svg: shown in part only (clipped or covered), read whole: b (50 %)",
        "a.svg: not shown (clipped, covered or of the colour below), left out: w, f, e, d",
        "a.svg: painted, but not read; give it a plain stroke: q",
    } <= set(layer.notes)


def test_dots_that_became_paths_are_mileposts(tmp_path: Path) -> None:
    circle = '<path fill="#000" d="M138,80a2,2 0 1 0 4,0a2,2 0 1 0 -4,0z"><title>Dot</title></path>'
    path = tmp_path / "a.svg"
    path.write_text(
        SVG.format(SHOWN + circle + '<path fill="none" stroke="red" d="M38,80a2,2 0 1 0 4,0"/>'), encoding="utf-8"
    )
    layer = read_any(path)
    assert (layer.point_names, len(layer.lines)) == (("Dot",), 2)
    assert [round(value, 3) for value in layer.points[0].coords[0]] == [140, 80]


@pytest.mark.parametrize(
    ("inside", "keys"),
    [
        ('<g id="RR1" serif:id="Red Railroad"><path stroke="red" d="M0 0H9"/></g>', ("Red Railroad",)),
        ('<g id="layer-bl"><path id="p1" stroke="red" d="M0 0H9"/></g>', ("bl",)),
        ('<g id="RR"><g id="branches"><path stroke="red" d="M0 0H9"/></g></g>', ("RR",)),
        (
            (
                '<g inkscape:groupmode="layer" inkscape:label="Blue Line"><path id="a" stroke="red" d="M0 0H9"/>'
                '<use id="a2" xlink:href="#a" y="9"/></g>'
            ),
            ("Blue Line", "Blue Line"),
        ),
        ('<g inkscape:label="RR / BL"><path stroke="red" d="M0 0H9"/></g>', ("RR", "BL")),
        ('<g inkscape:label="A / B"><path stroke="red" d="M0 0H9"/></g>', ("A / B",)),
        ('<g inkscape:label="A; B"><path stroke="red" d="M0 0H9"/></g>', ("A", "B")),
    ],
)
def test_the_nearest_name_of_a_railroad_is_the_key(tmp_path: Path, inside: str, keys: tuple[str, ...]) -> None:
    path = tmp_path / "a.svg"
    path.write_text(SVG.format(inside), encoding="utf-8")
    assert choose_keys(read_any(path), RAILROADS).line_keys == keys


def test_hidden_placemarks_are_left_out_and_folders_name_railroads(tmp_path: Path) -> None:
    path = tmp_path / "rr.kml"
    inside = (
        "<Folder><name>Blue Line</name><Folder><name>branches</name>" + MARK.format("<name>x</name>") + "</Folder>"
        "<Folder><visibility>0</visibility>" + MARK.format("") + "</Folder></Folder>"
        + MARK.format("<name>y</name>") + MARK.format("<visibility>0</visibility>")
        + MARK.format("<Style><LineStyle><color>00ffffff</color></LineStyle></Style>")
        + "<NetworkLink><Link><href>http://example.com/a.kml</href></Link></NetworkLink>"
    )  # fmt: skip
    path.write_text(KML.format(inside), encoding="utf-8")
    layer = choose_keys(read_any(path), RAILROADS)
    assert layer.line_keys == ("Blue Line", "rr")
    assert [note for note in layer.notes if "hidden" in note] == [
        f"rr.kml#{number}: hidden (visibility 0, or a style without width or opacity); left out" for number in (1, 3, 4)
    ]
    assert any("'http://example.com/a.kml' was left out" in note for note in layer.notes)


def test_lines_without_a_key_can_be_mapped() -> None:
    mapping = read_mapping("file,by,key,railroad\na.svg,auto,,rr\n")
    assert mapping["a.svg"].railroads == {"": "rr"}


def test_notes_on_paint_have_the_shapes_that_they_are_about(tmp_path: Path) -> None:
    """Clipped, covered, unpainted and unread lines are shown where they are in the drawing."""
    inside = """
      <style>#q:first-child {stroke: blue}</style><clipPath id="half"><rect width="200" height="200"/></clipPath>
      <g id="RR" fill="none" stroke="red"><path id="a" d="M0 100H400"/>
        <path id="b" clip-path="url(#half)" d="M0 120H400"/><path id="f" d="M0 160H400"/>
        <path id="n" stroke="none" d="M0 180H9"/></g>
      <g id="BL" fill="none"><path id="q" d="M0 15H400"/></g><rect y="150" width="400" height="20" fill="white"/>"""
    path = tmp_path / "a.svg"
    path.write_text(SVG.format(inside), encoding="utf-8")
    layer = read_any(path)
    assert {note: [shape.wkt for shape in shapes] for note, shapes in layer.note_shapes.items()} == {
        "a.svg: not painted (no stroke, width or opacity), left out: n, q": [
            "LINESTRING (0 180, 9 180)",
            "LINESTRING (0 15, 400 15)",
        ],
        "a.svg: shown in part only (clipped or covered), read whole: b (50 %)": ["LINESTRING (0 120, 400 120)"],
        "a.svg: painted, but not read; give it a plain stroke: q": ["LINESTRING (0 15, 400 15)"],
        "a.svg: not shown (clipped, covered or of the colour below), left out: f": ["LINESTRING (0 160, 400 160)"],
    }
