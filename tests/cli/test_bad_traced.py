"""Bad traced lines and control points in a board, by the command line: a message that helps, or a result and a note."""

import gzip
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
import shapely
from conftest import Run

from mapkit.formats.lines import features as import_features
from mapkit.formats.lines import vector as import_vector
from mapkit.formats.svg import tree as svg_xml

Files = Mapping[str, str | bytes | Callable[[], bytes]]
LINE = ((-71.0598, 42.3584), (-72.0, 42.5), (-73.7562, 42.6526))  # Boston - Albany
PLACED = "x,y,lon,lat\n0,0,-75,45\n1000,0,-70,45\n0,1000,-75,41\n1000,1000,-70,41\n500,500,-72.5,43\n"


def line(*places: Sequence[float]) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": [list(place) for place in places]}


def geojson(*geometries: Any, **members: Any) -> Files:
    features = [{"type": "Feature", "properties": {}, "geometry": geometry} for geometry in geometries]
    text = json.dumps({"type": "FeatureCollection", "features": features, **members})
    return {"lines/a.geojson": text, "lines/mapping.csv": "file,by,key,railroad\na.geojson,layer,*,shore\n"}


def svg(inside: str, head: str = 'viewBox="0 0 2000 1500"', *, points: str = PLACED) -> Files:
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return {"lines/a.svg": f"<svg {namespaces} {head}>{inside}</svg>", "control_points.csv": points}


TRACK = '<g id="shore"><path d="M788 660 540 610 249 587"/></g>'
KML = '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}</Document></kml>'
BOMB = '<!DOCTYPE {0} [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><{0}>&b;</{0}>'
OUTSIDE = '<!DOCTYPE {0} [<!ENTITY x SYSTEM "file:///etc/passwd">]><{0}>&x;</{0}>'


def bomb_zip() -> bytes:
    """A hundred megabytes of spaces in a hundred kilobytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("doc.kml", "w") as member:
        for _ in range(100):
            member.write(b" " * 2**20)
    return out.getvalue()


def lying_zip() -> bytes:
    """An archive whose index speaks of three gigabytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("doc.kml", b"x" * 1000)
    data = out.getvalue()
    return data.replace((1000).to_bytes(4, "little"), (3 * 2**30).to_bytes(4, "little"))


REFUSED: dict[str, tuple[Files, str]] = {
    "malformed SVG": ({"lines/a.svg": "<svg>\n<g></svg>"}, r"lines/a\.svg:2: not well-formed XML: mismatched tag"),
    "malformed KML": ({"lines/a.kml": "<kml>\n<g></kml>"}, r"lines/a\.kml:2: malformed XML: mismatched tag; export"),
    "entity bomb in SVG": (
        {"lines/a.svg": BOMB.format("svg")},
        r"lines/a\.svg: declares the entity 'a', which is refused; save",
    ),
    "entity bomb in KML": (
        {"lines/a.kml": BOMB.format("kml")},
        r"lines/a\.kml:1: a document type or entities, which are refused; export",
    ),
    "external entity in SVG": (
        {"lines/a.svg": OUTSIDE.format("svg")},
        r"lines/a\.svg: declares the entity 'x', which is refused; save",
    ),
    "external entity in KML": (
        {"lines/a.kml": OUTSIDE.format("kml")},
        r"lines/a\.kml:1: a document type or entities, which are refused",
    ),
    "deep SVG": ({"lines/a.svg": "<svg>" + "<g>" * 50_000}, r"lines/a\.svg:1: g\[256\] is nested 256 deep; ungroup"),
    "deep KML": ({"lines/a.kml": "<kml>" + "<g>" * 50_000}, r"lines/a\.kml:1: elements nested more than 100 deep"),
    "deep GeoJSON": (
        {"lines/a.geojson": '{"type":"LineString","coordinates":' + "[" * 90_000},
        r"lines/a\.geojson: nested too deep",
    ),
    "huge SVG": (
        {"lines/a.svg": lambda: b"<svg>" + b" " * 2**26},
        r"lines/a\.svg: 67108869 bytes is more than the limit of 67108864; split the file",
    ),
    "SVGZ bomb": (
        {"lines/a.svgz": lambda: gzip.compress(b"<svg>" + b" " * 2**27)},
        r"lines/a\.svgz: unpacks to more than the limit of 67108864 bytes; simplify",
    ),
    "SVGZ cut short": (
        {"lines/a.svgz": gzip.compress(b"<svg/>")[:-5]},
        r"lines/a\.svgz: the compressed SVG is damaged; save it as plain SVG",
    ),
    "zip bomb": ({"lines/a.kmz": bomb_zip}, r"lines/a\.kmz: 'doc\.kml' unpacks to more than 200 times its size"),
    "zip of gigabytes": (
        {"lines/a.zip": lying_zip()},
        r"lines/a\.zip: unpacks to 3221225472 bytes, the limit is 2147483648; pack fewer",
    ),
    "zip cut short": ({"lines/a.zip": b"PK\x03\x04"}, r"lines/a\.zip: the archive is damaged; save it"),
    "GeoJSON of nothing": (
        geojson(None),
        r"lines/a\.geojson: no line and no point in it; check(.|\n)*lines/a\.geojson#0: no geometry; left out",
    ),
    "metres for degrees": (geojson(line((5e5, 4e6), (6e5, 4e6))), r"a\.geojson#0: lon 500000, lat 4e\+06 is outside"),
    "no CRS": (
        geojson(line(*LINE), crs=None),
        r"layer 'a': it does not state its CRS; name it by --crs, .* crs = \"EPSG:4326\" under \[tracing\] in board",
    ),
    "a CRS for one feature": (
        geojson(line(*LINE), line(*LINE) | {"crs": {"type": "name", "properties": {"name": "EPSG:3857"}}}),
        r"lines/a\.geojson#1: has a crs of its own \(.*EPSG:3857.*\); export all features in one CRS",
    ),
    "no geometry of GeoJSON": (geojson({"type": "Circle"}), r"a\.geojson#0: geometry of type 'Circle'; GeoJSON has"),
    "text as coordinate": (geojson(line((0, "x"), (1, 1))), r"a\.geojson#0: the coordinates of its LineString are"),  # type: ignore[arg-type]
    "not UTF-8": ({"lines/a.geojson": b'{"type":"\n\xff"}'}, r"lines/a\.geojson:2: not UTF-8; save the file as UTF-8"),
    "a polygon": (
        geojson({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}),
        r"lines/a\.geojson#0: a polygon, left out; draw lines",
    ),
    "unit of a font": (svg('<circle id="c" r="2em"/>'), r"lines/a\.svg:1: circle 'c': r: unit 'em' is not read; use"),
    "use of another file": (
        svg('<use id="u" href="b.svg#a"/>'),
        r"lines/a\.svg:1: use 'u': refers to 'b\.svg#a' outside the file, which is refused; embed it",
    ),
    "use of itself": (
        svg('<g id="a"><use href="#a"/></g>'),
        r"lines/a\.svg:1: use\[1\]: draws itself through '#a'; remove the circle of references",
    ),
    "no control points": (
        {"lines/a.svg": svg(TRACK)["lines/a.svg"]},
        r"lines/a\.svg#path\[1\]: a drawing in pixels needs control_points\.csv; add it",
    ),
    "a pixel off the world": (
        svg('<path id="shore" d="M0 0L900000000 5"/>'),
        r"lines/a\.svg#shore: pixel \(9e\+08, 5\) has no place on the earth; correct the control points near it",
    ),
}


def put(folder: Path, files: Files) -> None:
    for name, given in files.items():
        content = given() if callable(given) else given
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_reason_and_nothing_written(name: str, example: Path, run: Run) -> None:
    files, message = REFUSED[name]
    put(example, files)
    workspace = example.parent.parent
    ran = run("build", "example", "--workspace", workspace)
    assert ran.code == 1, ran
    assert re.search(message, ran.err), ran.err
    assert "Traceback" not in ran.err
    assert not (workspace / "build").exists()


# Control points, for each of the two commands that use them


def first(count: int) -> str:
    """Return the first control points."""
    return "\n".join(PLACED.splitlines()[: count + 1])


POINTS: dict[str, tuple[str, str, str]] = {
    "too few": ("affine", first(2), r"csv: an affine map needs at least 3 control points.* there are 2; add"),
    "too few for a projective map": (
        "projective", first(3), r"a projective map needs at least 4 control points.* there are 3; add",
    ),
    "too few for a spline": (
        "tps", first(3), r"a thin-plate spline needs at least 4 control points.* there are 3; add",
    ),
    "on a line": (
        "affine", "x,y,lon,lat\n0,0,-75,45\n9,9,-74,44\n20,20,-73,43\n",
        r"control_points\.csv: the pixels of all 3 control points lie on one line; add one well off it",
    ),
    "places on a line": (
        "affine", "x,y,lon,lat\n0,0,-72,45\n9,0,-72,44\n20,20,-72,43\n",
        r"control_points\.csv: the places of all 3 control points lie on one line",
    ),
    "repeated": ("affine", PLACED + "0,0,-75,45\n", r"control_points\.csv:7: row 7 repeats row 2; remove one"),
    "a pixel with two places": (
        "affine", PLACED + "0,0,-71,45\n", r"control_points\.csv:7: pixel \(0, 0\) has two places, .* correct one",
    ),
    "a place with two pixels": (
        "tps", PLACED + "7,9,-75,45\n", r"control_points\.csv:7: row 7 has two pixels, \(7, 9\) here and",
    ),
    "unknown city": ("affine", "x,y,city\n0,0,Bostn\n", r"control_points\.csv:2: place 'Bostn' is not in the"),
    "text": ("affine", PLACED + "x,1,2,3\n", r"control_points\.csv:7: x is 'x', which is not a number"),
    "not finite": ("affine", PLACED + "1,nan,2,3\n", r"control_points\.csv:7: y is 'nan', which is not a number"),
    "off the world": ("affine", PLACED + "1,1,2,93\n", r"control_points\.csv:7: lon 2, lat 93 is outside the world"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", ["build", "georeference"])
@pytest.mark.parametrize("name", POINTS)
def test_control_points_that_do_not_do(name: str, command: str, example: Path, run: Run) -> None:
    model, points, message = POINTS[name]
    put(example, svg(TRACK, points=points))
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(
        text.replace("[[regions]]", f'[tracing]\ngeoreference = "{model}"\n\n[[regions]]', 1), encoding="utf-8"
    )
    ran = run(command, "example", "--workspace", example.parent.parent)
    assert ran.code == 1, ran
    assert re.search(message, ran.err), ran.err
    assert "Traceback" not in ran.err


@pytest.mark.slow
@pytest.mark.parametrize("model", ["affine", "tps"])
def test_a_wild_point_is_named_though_the_picture_leads_off_the_world(model: str, tmp_path: Path, run: Run) -> None:
    """Three million pixels off: the middle of the picture has no place, and what is not known is reported as that."""
    table = tmp_path / "points.csv"
    table.write_text(first(3) + "\n7000,3000500,-72.5,43\n200,700,-74,42.1\n", encoding="utf-8")
    ran = run("georeference", table, "--json", "--model", model, "--svg", tmp_path / "check.svg")
    assert ran.code == 0, ran
    report = json.loads(ran.out)
    assert report["worst"] == 5
    assert report["points"][3]["left_out_miles"] is None
    assert report["miles_per_pixel"] > 0
    assert {w["code"] for w in report["warnings"]} >= {"nearly-on-a-line"}
    assert "nan" not in (tmp_path / "check.svg").read_text(encoding="utf-8")


# What can be read, though parts are left out: the graph, and the notes


def checked(example: Path, files: Files, run: Run) -> tuple[set[tuple[str, str]], list[str]]:
    """Return the railroads and source features of traced segments, and what check G02 says."""
    put(example, files)
    workspace = example.parent.parent
    ran = run("build", "example", "--workspace", workspace, "--allow-errors")
    assert ran.code == 0, ran
    board = json.loads((workspace / "build" / "example" / "board.json").read_text(encoding="utf-8"))
    origins = board["provenance"]["elements"]["pieces"]
    traced = {
        (piece["railroad"], origins[piece["id"]]["feature"].replace("drawings/", "lines/"))
        for piece in board["pieces"]
        if origins[piece["id"]]["how"] == "traced"
    }
    found = json.loads((workspace / "build" / "example" / "findings.json").read_text(encoding="utf-8"))["findings"]
    return traced, sorted(f["message"].replace("drawings/", "lines/") for f in found if f["code"] == "G02")


def test_missing_empty_and_non_finite_geometry(example: Path, run: Run) -> None:
    nothing = {"type": "GeometryCollection", "geometries": []}
    files = geojson(line(*LINE), None, line(), line((0, 0), (1, float("nan"))), line((5, 5)), nothing)
    traced, notes = checked(example, files, run)
    assert traced == {("shore", "lines/a.geojson#0")}
    assert notes == [
        "lines/a.geojson#1: no geometry; left out",
        "lines/a.geojson#2: an empty geometry; left out",
        "lines/a.geojson#3: a coordinate is not a finite number; left out",
        "lines/a.geojson#4: a line of a single vertex; left out",
        "lines/a.geojson#5: an empty geometry; left out",
    ]


def test_heights_and_mixed_geometry(example: Path, run: Run) -> None:
    raised = [[*place, 7.5] if n else list(place) for n, place in enumerate(LINE)]
    mixed = {"type": "GeometryCollection", "geometries": [{"type": "MultiLineString", "coordinates": [raised]}]}
    traced, notes = checked(example, geojson(mixed), run)
    assert traced == {("shore", "lines/a.geojson#0")}
    assert notes == ["lines/a.geojson#0: has heights or measures; dropped"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inside", "head", "feature", "notes"),
    [
        (TRACK, 'width="20in" height="15in" viewBox="0 0 1920 1440"', "path[1]", []),
        (
            '<defs><path id="a" d="M788 660 540 610 249 587"/></defs><g id="shore"><use xlink:href="#a"/></g>',
            'viewBox="0 0 2000 1500"', "use[1]/a", [],
        ),
        (
            TRACK.replace("<path", '<clipPath id="c"><path d="M0 0h9v9z"/></clipPath><path id="p" clip-path="url(#c)"'),
            "", "p", ["lines/a.svg: clipped or masked, read whole: p"],
        ),
        (
            TRACK + '<text id="t"><textPath xlink:href="#p">Main line</textPath></text>',
            "", "path[1]", ["lines/a.svg: text is not read: t"],
        ),
    ],
    ids=["units", "use", "clip path", "text on a path"],
)  # fmt: skip
def test_drawings_with(inside: str, head: str, feature: str, notes: list[str], example: Path, run: Run) -> None:
    assert checked(example, svg(inside, head), run) == ({("shore", f"lines/a.svg#{feature}")}, notes)


def test_a_compressed_drawing_is_the_drawing(example: Path, run: Run) -> None:
    files = svg(TRACK)
    packed = gzip.compress(str(files["lines/a.svg"]).encode())
    found = checked(example, {"lines/a.svgz": packed, "control_points.csv": PLACED}, run)
    assert found == ({("shore", "lines/a.svgz#path[1]")}, [])


def test_thousands_of_layers_of_a_drawing(example: Path, run: Run) -> None:
    """Each is a key; all that no railroad has are reported in one error of bounded length."""
    layers = "".join(f'<g id="line-no-{n}x"><path d="M0 0h9"/></g>' for n in range(3000))
    put(example, svg(layers))
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert "lines/a.svg#path[1]: key 'line-no-0x' is not a railroad of the board" in ran.err
    assert "... and 2,990 more problems" in ran.err
    assert len(ran.err.splitlines()) < 60


def test_thousands_of_layers_of_geodata(example: Path, run: Run) -> None:
    mark = "<Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>"
    folders = "".join(f"<Folder><name>f{n}</name>{mark}</Folder>" for n in range(1001))
    put(example, {"lines/a.kml": KML.format(folders)})
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert (ran.code, ran.err.splitlines()[-1]) == (
        1,
        "lines/a.kml: 1001 layers, the limit is 1000; name the ones to read",
    )


# Formats that GDAL writes


def frame(count: int, crs: int = 4326, **columns: Sequence[Any]) -> Any:
    return gpd.GeoDataFrame(dict(columns), geometry=[shapely.LineString(LINE)] * count, crs=4326).to_crs(crs)


def shapefile(example: Path) -> Path:
    path = example / "lines" / "a.shp"
    frame(1, rr=["Santa Fé"]).to_file(path, encoding="ISO-8859-1")
    mapping = "file,by,key,railroad\na.shp,column:rr,Santa Fé,shore\n"
    (example / "lines" / "mapping.csv").write_text(mapping, encoding="utf-8")
    return path


def no_prj(path: Path) -> None:
    path.with_suffix(".prj").unlink()


def wrong_encoding(path: Path) -> None:
    path.with_suffix(".cpg").write_text("UTF-8", encoding="ascii")


def unknown_encoding(path: Path) -> None:
    path.with_suffix(".cpg").write_text("klingon", encoding="ascii")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (no_prj, r"lines/a\.shp: layer 'a': it does not state its CRS; .*under \[tracing\] in board\.toml"),
        (wrong_encoding, r"lines/a\.shp#0: b'Santa F\\xe9' is not utf-8, as its \.cpg says; .*--encoding cp1252"),
        (
            unknown_encoding,
            r"lines/a\.shp: unknown encoding 'klingon'; name the encoding by --encoding, .*in a \.cpg file",
        ),
    ],
)
def test_bad_shapefiles(damage: Callable[[Path], None], message: str, example: Path, run: Run) -> None:
    damage(shapefile(example))
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert re.search(message, ran.err), ran.err


def test_a_shapefile_without_prj_is_read_with_a_system_given(example: Path, run: Run) -> None:
    no_prj(shapefile(example))
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("[[regions]]", '[tracing]\ncrs = "EPSG:4326"\n\n[[regions]]', 1), encoding="utf-8")
    assert checked(example, {}, run) == ({("shore", "lines/a.shp#0")}, [])
    config.write_text(text.replace("[[regions]]", '[tracing]\ncrs = "EPSG:0"\n\n[[regions]]', 1), encoding="utf-8")
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert (ran.code, "tracing.crs in board.toml: unknown CRS 'EPSG:0'; give one like" in ran.err) == (1, True)


def test_layers_of_different_crs_lie_where_they_are(example: Path, run: Run) -> None:
    path = example / "lines" / "a.gpkg"
    frame(1, rr=["x"]).to_file(path, layer="shore")
    frame(1, 3857, rr=["x"]).to_file(path, layer="valley")
    traced, notes = checked(example, {}, run)
    assert traced == {("shore", "lines/a.gpkg:shore#1"), ("valley", "lines/a.gpkg:valley#1")}
    assert notes == []


def test_a_layer_that_lies_about_its_crs(example: Path, run: Run) -> None:
    path = example / "lines" / "a.gpkg"
    frame(1, 3857, rr=["x"]).to_file(path, layer="shore")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE gpkg_contents SET srs_id = 4326")
        database.execute("UPDATE gpkg_geometry_columns SET srs_id = 4326")
    database.close()
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert re.search(r"lines/a\.gpkg#1: lon -7\.9.* is outside the world .*; it is wrong, or not in WGS 84", ran.err)


def test_limits(example: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of geodata and drawings, each made small."""
    frame(3, rr=["x"] * 3).to_file(example / "lines" / "a.gpkg", layer="shore")
    monkeypatch.setattr(import_vector, "MAX_FEATURES", 2)
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert (ran.code, "lines/a.gpkg: more than 2 features; split the file" in ran.err) == (1, True)
    monkeypatch.setattr(import_vector, "MAX_FEATURES", 10)
    monkeypatch.setattr(import_features, "MAX_VERTICES", 8)
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert (ran.code, "lines/a.gpkg: 9 vertices, the limit is 8; split or simplify it" in ran.err) == (1, True)
    (example / "lines" / "a.gpkg").unlink()
    put(example, svg("<g/>" * 20))
    monkeypatch.setattr(svg_xml, "MAX_ELEMENTS", 20)
    ran = run("build", "example", "--workspace", example.parent.parent)
    assert (ran.code, "lines/a.svg:1: more than 20 elements; split the file" in ran.err) == (1, True)
