"""Drawings that hold outlines of lines, as other programs write them: said once, and turned into lines."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import shapely
from conftest import Run

from mapkit.core.errors import SourceError
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.middle import trace_centre_lines
from mapkit.formats.lines.svg_text import layer_to_svg

Dialect = Callable[[Sequence[shapely.Geometry]], str]

BENT = shapely.LineString([(100, 100), (300, 120), (420, 300), (800, 280)])
BRANCH = shapely.LineString([(300, 120), (340, 20)])
CENTRED = ImportOptions(centre_lines=True)


def outline(*lines: shapely.LineString, width: float = 6.0) -> shapely.Geometry:
    return shapely.union_all([line.buffer(width / 2, cap_style="flat", join_style="mitre") for line in lines])


def path_data(shape: shapely.Geometry) -> str:
    rings = shapely.get_rings(shape)
    return " ".join("M" + " L".join(f"{x:.3f},{y:.3f}" for x, y in ring.coords[:-1]) + " Z" for ring in rings)


def inkscape(shapes: Sequence[shapely.Geometry]) -> str:
    """Write shapes as Inkscape does after Stroke to Path."""
    name = "http://www.inkscape.org/namespaces/inkscape"
    layer = '<g inkscape:groupmode="layer" inkscape:label="SP" id="layer1">'
    paths = "".join(f'<path id="path{n}" style="fill:#000" d="{path_data(s)}"/>' for n, s in enumerate(shapes))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="{name}" width="210mm" viewBox="0 0 900 400">'
    return f'{head}{layer}{paths}<circle cx="100" cy="100" r="3"><title>Albany</title></circle></g></svg>'


def illustrator(shapes: Sequence[shapely.Geometry]) -> str:
    """Write shapes as Illustrator does after Expand."""
    corners = [shapely.get_coordinates(shape).tolist() for shape in shapes]
    points = [" ".join(f"{x:.2f},{y:.2f}" for x, y in ring) for ring in corners]
    paths = "".join(f'<polygon class="st0" points="{text}"/>' for text in points)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 400"><g id="SP">{paths}</g></svg>'


def off(line: shapely.Geometry, others: Sequence[shapely.LineString]) -> float:
    """Return how far a line lies from the others together, in both directions."""
    return float(shapely.hausdorff_distance(line, shapely.union_all(list(others))))


@pytest.mark.parametrize("dialect", [inkscape, illustrator])
def test_outlines_are_left_out_with_one_note(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(dialect([outline(BENT), outline(BRANCH)]), encoding="utf-8")
    layer = read_any(path)
    assert len(layer.lines) == 0
    (note,) = layer.notes
    assert note.startswith("map.svg: 2 closed shapes are outlines of lines")
    assert "--centre-lines" in note


@pytest.mark.parametrize("dialect", [inkscape, illustrator])
def test_centre_lines_are_the_strokes_of_before(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(dialect([outline(BENT), outline(BRANCH)]), encoding="utf-8")
    layer = read_any(path, options=CENTRED)
    assert layer.line_keys == ("SP", "SP")
    assert [off(line, [of]) < 1.0 for line, of in zip(layer.lines, (BENT, BRANCH), strict=True)] == [True, True]
    ends = [sorted(map(tuple, np.round(shapely.get_coordinates(line)[[0, -1]]).tolist())) for line in layer.lines]
    assert ends == [[(100, 100), (800, 280)], [(300, 120), (340, 20)]]


def test_short_strokes_of_the_same_pen_are_outlines_too(tmp_path: Path) -> None:
    short = shapely.LineString([(500, 100), (520, 100)])
    path = tmp_path / "map.svg"
    path.write_text(inkscape([outline(BENT), outline(short)]), encoding="utf-8")
    layer = read_any(path, options=CENTRED)
    assert len(layer.lines) == 2
    assert off(layer.lines[1], [short]) < 4.0
    assert "2 closed shapes became 2 lines" in layer.notes[-1]


def test_a_file_of_nothing_but_outlines_says_so(run: Run, example: Path, tmp_path: Path) -> None:
    rings = [{"type": "Polygon", "coordinates": [[[-9, 40], [-8, 40.5], [-8, 40.51], [-9, 40.01], [-9, 40]]]}]
    lines = [{**ring, "type": "LineString", "coordinates": ring["coordinates"][0]} for ring in rings]
    features = [{"type": "Feature", "properties": {"railroad": "red"}, "geometry": line} for line in lines]
    file = tmp_path / "rings.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    done = run("import", file, "--into", "example", "--workspace", example.parent.parent)
    assert done.code == 1
    assert "import the file again with --centre-lines" in done.err


def test_a_network_in_one_shape_meets_at_its_fork(tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(inkscape([outline(BENT, BRANCH)]), encoding="utf-8")
    lines = list(read_any(path, options=CENTRED).lines)
    assert len(lines) == 3
    assert off(shapely.union_all([BENT, BRANCH]), lines) < 3.0
    ends = [tuple(point) for line in lines for point in shapely.get_coordinates(line)[[0, -1]].tolist()]
    assert sorted(ends.count(end) for end in set(ends)) == [1, 1, 1, 3]


def test_a_ring_between_two_circles_is_one_closed_line() -> None:
    circle = shapely.Point(50, 50).buffer(40).exterior
    (line,) = trace_centre_lines(circle.buffer(1.0))
    assert line.is_closed
    assert off(line, [circle]) < 1.0


def test_drawn_strokes_stay_whatever_is_asked(tmp_path: Path) -> None:
    loop = "M 10 10 L 90 10 L 90 90 L 10 90 Z"
    path = tmp_path / "map.svg"
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g id="SP"><path d="{loop}"/></g></svg>'
    path.write_text(text, encoding="utf-8")
    assert len(read_any(path).lines) == len(read_any(path, options=CENTRED).lines) == 1


def test_the_drawing_of_centre_lines_reads_back_as_them(tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(inkscape([outline(BENT), outline(BRANCH)]), encoding="utf-8")
    layer = read_any(path, options=CENTRED)
    path.write_text(layer_to_svg(layer), encoding="utf-8")
    again = read_any(path)
    assert (again.line_keys, again.point_names, again.layers) == (layer.line_keys, ("Albany",), layer.layers)
    assert again.page == layer.page
    assert all(shapely.equals_exact(a, b, 0.01) for a, b in zip(again.lines, layer.lines, strict=True))


def test_polygons_of_geodata(tmp_path: Path) -> None:
    line = shapely.LineString([(-73.7562, 42.6526), (-72.3, 42.5), (-71.0598, 42.3584)])
    shape = shapely.geometry.mapping(line.buffer(0.01, cap_style="flat"))
    path = tmp_path / "map.geojson"
    path.write_text(
        json.dumps({"type": "Feature", "properties": {"railroad": "SP"}, "geometry": shape}), encoding="utf-8"
    )
    with pytest.raises(SourceError, match="a polygon, left out; draw lines"):
        read_any(path)
    (middle,) = read_any(path, options=CENTRED).lines
    assert off(middle, [line]) < 0.003


def test_a_shape_too_thin_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    path.write_text(inkscape([outline(shapely.LineString([(0, 0), (2e5, 0)]), width=1.0)]), encoding="utf-8")
    with pytest.raises(SourceError, match=r"map\.svg#path0: a shape is .* times as long as it is wide"):
        read_any(path, options=CENTRED)


def test_importing_outlines_by_the_command(example: Path, run: Run, tmp_path: Path) -> None:
    for name in ("cross.csv", "shore.csv", "valley.csv"):
        (example / "lines" / name).unlink()
    header = (example / "railroads.csv").read_text(encoding="utf-8").splitlines()[0]
    (example / "railroads.csv").write_text(f"{header}\n", encoding="utf-8")
    points = "x,y,city\n100,100,Albany\n800,280,Boston\n340,20,Burlington\n"
    (example / "control_points.csv").write_text(points, encoding="utf-8")
    drawing = tmp_path / "scan.svg"
    drawing.write_text(inkscape([outline(BENT), outline(BRANCH)]), encoding="utf-8")
    done = run("import", drawing, "--into", example, "--centre-lines", "--new-railroads")
    assert done.code == 0
    assert "2 closed shapes became 2 lines along their middle" in done.out
    assert (example / "railroads.csv").read_text(encoding="utf-8").splitlines()[1].startswith("sp,SP,SP,0,")
    assert (example / "drawings" / "scan.svg").read_text(encoding="utf-8").count("<polyline") == 2
    assert (example / "lines" / "sp.csv").is_file()
