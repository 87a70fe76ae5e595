"""Importing geodata: a round trip of each format, what is left out or refused, and fuzzing."""

import json
import shutil
import sqlite3
import struct
import tempfile
import tracemalloc
import zipfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.errors import ChoiceError, MapkitError, SourceError, WorkspaceError
from mapkit.formats.lines import archive as import_zip
from mapkit.formats.lines import features as import_features
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.graph import read_graph
from mapkit.formats.lines.vector import read_vector
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.importing.mapping import FileMapping, line_railroads, mapped_options, read_mapping

LINES = [
    shapely.LineString([(-100.5, 40.25), (-99.125, 41.5), (-98, 41)]),
    shapely.LineString([(-98, 41), (-97.75, 42.0625)]),
]
KEYS = ("Santa Fé", "New York Central")
DOTS = [shapely.Point(-100.5, 40.25), shapely.Point(-98, 41)]
NAMES = ("São Paulo", "Utica")


def is_along(found: shapely.LineString, line: shapely.LineString) -> bool:
    """Return whether a line passes all vertices of another, and follows it but for how another CRS bends it."""
    vertices = shapely.multipoints(found.coords)
    off = [float(shapely.distance(shapely.Point(at), vertices)) for at in line.coords]
    return max(off) < 1e-9 and float(shapely.hausdorff_distance(found, line)) < 0.01


FORMATS = {
    "gpkg": "GPKG",
    "shp": "ESRI Shapefile",
    "gml": "GML",
    "fgb": "FlatGeobuf",
    "geojson": "GeoJSON",
    "kml": "KML",
}


def frame(shapes: Sequence[Any], crs: int | None = 4326, **columns: Sequence[Any]) -> Any:
    return gpd.GeoDataFrame(dict(columns), geometry=list(shapes), crs=crs)


def write(path: Path, data: Any, **options: Any) -> Path:
    data.to_file(path, driver=FORMATS[path.suffix[1:]], engine="pyogrio", **options)
    return path


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def features(*geometries: Any, **members: Any) -> str:
    listed = [
        {"type": "Feature", "geometry": geometry, "properties": {"rr": f"k{n}", "name": f"N{n}"}}
        for n, geometry in enumerate(geometries)
    ]
    return json.dumps({"type": "FeatureCollection", "features": listed, **members})


def line(*places: Sequence[float]) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": [list(place) for place in places]}


def geojson(tmp_path: Path, *geometries: Any, **members: Any) -> Path:
    return put(tmp_path / "lines.geojson", features(*geometries, **members))


def said(layer: TracedLayer) -> str:
    return "\n".join(layer.notes)


# Round trips


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_lines_come_back_as_written(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"lines.{suffix}", frame(LINES, Name=KEYS), encoding="UTF-8")
    layer = read_any(path, options=ImportOptions(column="Name"))
    assert layer.crs == "EPSG:4326"
    found = dict(zip(layer.line_keys, layer.lines, strict=True))
    assert set(found) == set(KEYS)
    for key, shape in zip(KEYS, LINES, strict=True):
        assert shapely.equals_exact(found[key], shape, 0)
    assert not layer.notes
    assert all(label.startswith(f"lines.{suffix}#") for label in layer.line_features)


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_points_are_mileposts_with_names(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"dots.{suffix}", frame(DOTS, Name=NAMES), encoding="UTF-8")
    layer = read_any(path)
    assert len(layer.lines) == 0
    found = dict(zip(layer.point_names, layer.points, strict=True))
    assert {name: (dot.x, dot.y) for name, dot in found.items()} == {
        name: (dot.x, dot.y) for name, dot in zip(NAMES, DOTS, strict=True)
    }


@pytest.mark.parametrize("suffix", ["gpkg", "shp", "gml", "fgb"])
def test_projected_lines_are_reprojected(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"lines.{suffix}", frame(LINES, rr=KEYS).to_crs(3857))
    layer = read_any(path, options=ImportOptions(column="rr"))
    found = dict(zip(layer.line_keys, layer.lines, strict=True))
    for key, shape in zip(KEYS, LINES, strict=True):
        assert is_along(found[key], shape)


@pytest.mark.parametrize("crs", [3857, 26914, "+proj=lcc +lat_1=33 +lat_2=45 +lon_0=-96 +datum=WGS84"])
def test_a_long_line_stays_straight_in_its_own_crs(tmp_path: Path, crs: int | str) -> None:
    """A point on a straight line of 400 miles is on the line that is read, to a hundred metres."""
    drawn = frame([shapely.LineString([(-103, 42), (-96, 38)])], rr=["a"]).to_crs(crs)
    points = drawn.geometry[0].interpolate([0.13, 0.5, 0.8], normalized=True)
    dots = gpd.GeoSeries(points, crs=crs).to_crs(4326)
    layer = read_any(write(tmp_path / "lines.gpkg", drawn))
    assert layer.lines[0].coords[0] == pytest.approx((-103, 42))
    assert layer.lines[0].coords[-1] == pytest.approx((-96, 38))
    assert shapely.distance(layer.lines[0], dots.to_numpy()).max() < 0.001


def test_a_projected_line_across_longitude_180_gets_no_needless_vertices(tmp_path: Path) -> None:
    drawn = frame([shapely.LineString([(177.4, -17.6), (178.4, -18.1), (181.2, -17.2)])], rr=["a"]).to_crs(3832)
    (found,) = read_any(write(tmp_path / "lines.gpkg", drawn)).lines
    assert len(found.coords) <= 5
    assert found.coords[-1] == pytest.approx((-178.8, -17.2))


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.fgb", frame(LINES * 20, rr=KEYS * 20))
    first, second = (read_any(path, options=ImportOptions(column="rr")) for _ in range(2))
    assert (first.line_keys, first.line_features) == (second.line_keys, second.line_features)
    assert shapely.equals_exact(first.lines, second.lines, 0).all()


def test_nothing_is_written_beside_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gml", frame(LINES, rr=KEYS))
    before = sorted(tmp_path.iterdir())
    read_any(path)
    assert sorted(tmp_path.iterdir()) == before


def test_layers_have_each_their_crs_and_key(tmp_path: Path) -> None:
    path = tmp_path / "two.gpkg"
    write(path, frame(LINES[:1], rr=["a"]), layer="santa_fe")
    write(path, frame(LINES[1:], rr=["b"]).to_crs(3857), layer="nyc")
    write(path, frame(DOTS, name=NAMES), layer="dots")
    layer = read_any(path)
    assert layer.line_keys == ("santa_fe", "nyc")
    assert layer.line_features == ("two.gpkg:santa_fe#1", "two.gpkg:nyc#1")
    assert layer.point_names == NAMES
    assert is_along(layer.lines[1], LINES[1])
    assert read_any(path, options=ImportOptions(layers=("nyc",))).line_keys == ("nyc",)
    with pytest.raises(ChoiceError, match=r"two.gpkg: no layer 'nycc' \(did you mean 'nyc'\?\)"):
        read_any(path, options=ImportOptions(layers=("nycc",)))


# CRS: read or asked for


def test_a_shapefile_without_prj_is_refused_unless_a_system_is_given(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.shp", frame(LINES, rr=KEYS).to_crs(3857))
    path.with_suffix(".prj").unlink()
    with pytest.raises(SourceError, match=r"lines.shp: layer 'lines': it does not state its CRS.*--crs EPSG:3857"):
        read_any(path)
    assert is_along(read_any(path, options=ImportOptions(crs="EPSG:3857")).lines[0], LINES[0])
    with pytest.raises(SourceError, match=r"--crs, or tracing.crs in board.toml: unknown CRS 'EPSG:0'; give one like"):
        read_any(path, options=ImportOptions(crs="EPSG:0"))


@pytest.mark.parametrize("suffix", ["gpkg", "fgb", "gml"])
@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_a_file_without_crs_is_refused(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"lines.{suffix}", frame(LINES, crs=None, rr=KEYS))
    with pytest.raises(SourceError, match="does not state its CRS"):
        read_any(path)
    assert len(read_any(path, options=ImportOptions(crs="EPSG:4326")).lines) == 2


def test_a_stated_crs_wins_and_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gpkg", frame(LINES, rr=KEYS))
    layer = read_any(path, options=ImportOptions(crs="EPSG:3857"))
    assert shapely.equals_exact(layer.lines[0], LINES[0], 0)
    assert "states the CRS WGS 84, which is used, and not EPSG:3857, as asked for" in said(layer)


def test_a_crs_without_a_name_or_code_is_used(tmp_path: Path) -> None:
    data = frame(LINES, rr=KEYS).to_crs("+proj=lcc +lat_1=33 +lat_2=45 +lon_0=-96 +datum=WGS84")
    for suffix in ("gpkg", "fgb", "shp"):
        layer = read_any(write(tmp_path / f"lines.{suffix}", data), options=ImportOptions(column="rr"))
        found = layer.lines[layer.line_keys.index(KEYS[1])]
        assert is_along(found, LINES[1])


def test_a_gml_layer_of_two_crs_is_refused(tmp_path: Path) -> None:
    one = """<gml:featureMember><x:a><x:g><gml:LineString srsName="EPSG:{}"><gml:posList>0 0 1 1</gml:posList>
    </gml:LineString></x:g></x:a></gml:featureMember>"""
    text = '<x:F xmlns:x="http://x" xmlns:gml="http://www.opengis.net/gml">{}</x:F>'
    with pytest.raises(SourceError, match=r"does not state its CRS|more than one CRS"):
        read_any(put(tmp_path / "lines.gml", text.format(one.format(4326) + one.format(3857))))


def test_the_crs_member_of_old_geojson(tmp_path: Path) -> None:
    member = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
    x, y = 111319.49079327358, 222684.20850554405
    layer = read_any(geojson(tmp_path, line((0, 0), (x, y)), crs=member))
    assert shapely.get_coordinates(layer.lines[0])[1] == pytest.approx((1, 2), abs=1e-9)
    with pytest.raises(SourceError, match="does not state its CRS"):
        read_any(geojson(tmp_path, line((0, 0), (1, 1)), crs=None))
    with pytest.raises(SourceError, match="member crs does not name a CRS"):
        read_any(geojson(tmp_path, line((0, 0), (1, 1)), crs={"type": "link", "properties": {"href": "http://x"}}))
    with pytest.raises(SourceError, match="unknown CRS 'nowhere'"):
        read_any(geojson(tmp_path, line((0, 0), (1, 1)), crs={"type": "name", "properties": {"name": "nowhere"}}))


def test_metres_taken_for_degrees_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"lines.geojson#1: lon 500000, lat 4\.5e\+06 is outside the world"):
        read_any(geojson(tmp_path, line((0, 0), (1, 1)), line((5e5, 4.5e6), (5e5, 4.6e6))))


# What geometry may be


def test_missing_empty_and_non_finite_geometry_is_left_out_by_name(tmp_path: Path) -> None:
    text = features(
        line((0, 0), (1, 1)), None, {"type": "LineString", "coordinates": []}, line((0, 0), (1, float("nan"))),
        line((0, 0), (float("inf"), 1)), line((5, 5)), {"type": "GeometryCollection", "geometries": []},
    )  # fmt: skip
    layer = read_any(put(tmp_path / "lines.geojson", text), options=ImportOptions(column="rr"))
    assert layer.line_keys == ("k0",)
    assert set(layer.notes) == {
        "lines.geojson#1: no geometry; left out",
        "lines.geojson#2: an empty geometry; left out",
        "lines.geojson#3: a coordinate is not a finite number; left out",
        "lines.geojson#4: a coordinate is not a finite number; left out",
        "lines.geojson#5: a line of a single vertex; left out",
        "lines.geojson#6: an empty geometry; left out",
    }


def test_missing_and_nan_geometry_of_gdal_formats(tmp_path: Path) -> None:
    with np.errstate(invalid="ignore"):
        shapes = [LINES[0], None, shapely.LineString(), shapely.LineString([(0, 0), (np.nan, 1)])]
    layer = read_any(write(tmp_path / "lines.gpkg", frame(shapes, rr=list("abcd"))), options=ImportOptions(column="rr"))
    assert layer.line_keys == ("a",)
    assert [note.split(":")[0] for note in layer.notes] == ["lines.gpkg#2", "lines.gpkg#3", "lines.gpkg#4"]


def test_a_malformed_geometry_of_a_gdal_format_is_left_out_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gpkg", frame(LINES, rr=KEYS))
    data = path.read_bytes()
    start = struct.pack("<BII", 1, 2, 2) + struct.pack("<dd", *LINES[1].coords[0])
    assert data.count(start) == 1
    put(path, data.replace(start, struct.pack("<BII", 1, 2, 1) + start[9:]))
    layer = read_any(path)
    assert len(layer.lines) == 1
    assert layer.notes == ("lines.gpkg#2: a malformed geometry, such as a single vertex; left out",)


def test_heights_are_dropped_and_said(tmp_path: Path) -> None:
    high = shapely.LineString([(0, 0, 5), (1, 1, 6)])
    for suffix in FORMATS:
        layer = read_any(write(tmp_path / f"lines.{suffix}", frame([high], rr=["a"])))
        assert not shapely.has_z(layer.lines).any()
        assert shapely.equals_exact(layer.lines[0], shapely.LineString([(0, 0), (1, 1)]), 0)
        assert "has heights or measures; dropped" in said(layer)


def test_collections_are_taken_apart_in_order(tmp_path: Path) -> None:
    inner = {"type": "MultiLineString", "coordinates": [[[2, 2], [3, 3]], [[4, 4], [5, 5]]]}
    outer = {
        "type": "GeometryCollection",
        "geometries": [line((0, 0), (1, 1)), inner, {"type": "Point", "coordinates": [9, 9]}],
    }
    layer = read_any(geojson(tmp_path, outer, {"type": "GeometryCollection", "geometries": [outer]}))
    assert [shape.coords[0] for shape in layer.lines] == [(0, 0), (2, 2), (4, 4)] * 2
    assert layer.line_features == ("lines.geojson#0",) * 3 + ("lines.geojson#1",) * 3
    assert layer.point_names == ("N0", "N1")


def test_polygons_are_left_out_or_taken_as_rings(tmp_path: Path) -> None:
    polygon = shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 5, 5))
    for suffix in FORMATS:
        path = write(tmp_path / f"lines.{suffix}", frame([polygon], rr=["a"]))
        with pytest.raises(
            SourceError, match=rf"no line and no point in it(.|\n)*lines.{suffix}#\d+: a polygon, left out"
        ):
            read_any(path)
        layer = read_any(path, options=ImportOptions(rings=True))
        assert [len(shape.coords) for shape in layer.lines] == [5, 5]
        assert "a polygon; its rings are taken as lines" in said(layer)
    mixed = read_any(geojson(tmp_path, line((0, 0), (1, 1)), json.loads(shapely.to_geojson(polygon))))
    assert len(mixed.lines) == 1
    assert said(mixed).startswith("lines.geojson#1: a polygon, left out; draw lines, or take its rings (--rings)")


def test_a_line_across_longitude_180_is_taken_however_it_is_written(tmp_path: Path) -> None:
    jump = line((178, 60), (179, 61), (-179, 62))
    beyond = line((178, 60), (179, 61), (181, 62))
    split = {"type": "MultiLineString", "coordinates": [[(178, 60), (180, 61.5)], [(-180, 61.5), (-179, 62)]]}
    layer = read_any(geojson(tmp_path, jump, beyond, split, line((-180, 61), (-181, 61))))
    assert [shape.coords[:] for shape in layer.lines] == [
        [(178, 60), (179, 61), (-179, 62)],
        [(178, 60), (179, 61), (-179, 62)],
        [(178, 60), (180, 61.5)],
        [(180, 61.5), (-179, 62)],
        [(180, 61), (179, 61)],
    ]
    assert not layer.notes


@pytest.mark.parametrize(
    ("box", "count"),
    [((-179.5, 61, -178, 63), 1), ((178.5, 60, -179.5, 61.1), 1), ((-180, 60, 177, 63), 1), ((0, 60, 170, 63), 0)],
)
def test_a_box_takes_lines_across_longitude_180(
    box: tuple[float, float, float, float], count: int, tmp_path: Path
) -> None:
    path = geojson(tmp_path, line((178, 60), (179, 61), (-179.2, 62)), line((5, 50), (6, 51)))
    if count:
        assert len(read_any(path, options=ImportOptions(bbox=box)).lines) == count
    else:
        with pytest.raises(SourceError, match="2 of 2 features lie outside the box"):
            read_any(path, options=ImportOptions(bbox=box))


def test_malformed_features_are_all_named(tmp_path: Path) -> None:
    bad = [{"type": "LineString", "coordinates": [[0, 0], [1, "x"]]}, {"type": "Circle"}, {"type": "LineString"}, 7]
    with pytest.raises(SourceError) as caught:
        read_any(geojson(tmp_path, line((0, 0), (1, 1)), *bad))
    assert [problem.split(":")[0] for problem in caught.value.problems] == [f"lines.geojson#{n}" for n in (1, 2, 3, 4)]


def test_curves_become_lines(tmp_path: Path) -> None:
    gml = """<x:FeatureCollection xmlns:x="http://x" xmlns:gml="http://www.opengis.net/gml"><gml:featureMember><x:a>
    <x:g><gml:Curve srsName="EPSG:4326"><gml:segments><gml:Arc><gml:posList>0 0 1 1 2 0</gml:posList></gml:Arc>
    </gml:segments></gml:Curve></x:g></x:a></gml:featureMember></x:FeatureCollection>"""
    layer = read_any(put(tmp_path / "lines.gml", gml))
    assert len(layer.lines) == 1
    assert shapely.get_num_coordinates(layer.lines[0]) > 3


def test_a_file_with_nothing_says_why(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no line and no point in it(.|\n)*lines.geojson#0: no geometry"):
        read_any(geojson(tmp_path, None))
    with pytest.raises(SourceError, match="no line and no point"):
        read_any(put(tmp_path / "lines.geojson", '{"type":"FeatureCollection","features":[]}'))


# Attributes


def test_columns_are_found_whatever_their_case_or_named(tmp_path: Path) -> None:
    path = geojson(tmp_path, line((0, 0), (1, 1)), {"type": "Point", "coordinates": [0, 0]})
    assert read_any(path, options=ImportOptions(column="RR")).line_keys == ("k0",)
    assert read_any(path).line_keys == ("lines",)
    assert read_any(path, options=ImportOptions(name_column="rr")).point_names == ("k1",)
    with pytest.raises(ChoiceError, match=r"layer 'lines': no column 'rrr' \(did you mean 'rr'\?\)"):
        read_any(path, options=ImportOptions(column="rrr"))
    with pytest.raises(ChoiceError, match=r"no column 'zzz'; it has rr, name"):
        read_any(path, options=ImportOptions(name_column="zzz"))


def test_keys_are_text_and_a_missing_one_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gpkg", frame([*LINES, LINES[0]], n=[7.0, None, 8.5]))
    layer = read_any(path, options=ImportOptions(column="n"))
    assert layer.line_keys == ("7", "", "8.5")
    assert layer.notes == ("lines.gpkg#2: column 'n' is empty, so it has no railroad",)


def test_encodings_of_a_shapefile(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.shp", frame(LINES, rr=KEYS), encoding="ISO-8859-1")
    by_rr = ImportOptions(column="rr")
    assert read_any(path, options=by_rr).line_keys == KEYS
    path.with_suffix(".cpg").write_text("UTF-8", encoding="utf-8")
    with pytest.raises(SourceError, match=r"lines.shp#0: .* is not utf-8, as its .cpg says; .*--encoding cp1252"):
        read_any(path, options=by_rr)
    assert read_any(path, options=ImportOptions(column="rr", encoding="cp1252")).line_keys == KEYS
    for text in ("ANSI 1252", "88591", "1252", "ISO-8859-1"):
        path.with_suffix(".cpg").write_text(text, encoding="utf-8")
        assert read_any(path, options=by_rr).line_keys == KEYS
    path.with_suffix(".cpg").write_text("klingon", encoding="utf-8")
    with pytest.raises(SourceError, match="unknown encoding 'klingon'"):
        read_any(path, options=by_rr)
    path.with_suffix(".cpg").unlink()
    dbf = bytearray(path.with_suffix(".dbf").read_bytes())
    dbf[29] = 0
    path.with_suffix(".dbf").write_bytes(dbf)
    with pytest.raises(SourceError, match=r"lines.shp#0: no .cpg says; name the encoding"):
        read_any(path, options=by_rr)


# Shapefiles and archives


def zipped(path: Path, *members: Path, folder: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.write(member, folder + member.name)
    return path


@pytest.mark.parametrize("folder", ["../deep/", "..\\deep\\"])
def test_a_zip_of_shapefiles_has_a_layer_for_each(tmp_path: Path, folder: str) -> None:
    made = tmp_path / "made"
    made.mkdir()
    write(made / "b.shp", frame(LINES[:1], rr=["x"]), encoding="UTF-8")
    write(made / "a.shp", frame(LINES[1:], rr=["y"]).to_crs(3857), encoding="UTF-8")
    path = zipped(tmp_path / "lines.zip", *made.iterdir(), folder=folder)
    layer = read_any(path)
    assert layer.line_keys == ("a", "b")
    assert layer.line_features == ("lines.zip:a#0", "lines.zip:b#0")
    assert is_along(layer.lines[0], LINES[1])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lines.zip", "made"]


def test_kmz(tmp_path: Path) -> None:
    kml = write(tmp_path / "doc.kml", frame(LINES, Name=KEYS))
    layer = read_any(zipped(tmp_path / "lines.kmz", kml), options=ImportOptions(column="name"))
    assert layer.line_keys == KEYS


def test_parts_of_a_shapefile(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.shp", frame(LINES, rr=KEYS))
    with pytest.raises(SourceError, match="part of a Shapefile"):
        read_any(path.with_suffix(".dbf"))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceError, match=r"lines.shp: its .shp is cut short"):
        read_any(path)
    path.with_suffix(".shx").unlink()
    with pytest.raises(SourceError, match=r"its .shx is missing"):
        read_any(path)


def test_zip_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines.kmz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", b"<kml>" + b" " * (8 * 2**20))
    with pytest.raises(SourceError, match=r"lines.kmz: 'doc.kml' unpacks to more than 200 times"):
        read_any(path)
    monkeypatch.setattr(import_zip, "MAX_UNPACKED", 2**20)
    with pytest.raises(SourceError, match="unpacks to 8388613 bytes, the limit is 1048576"):
        read_any(path)
    monkeypatch.setattr(import_zip, "MAX_MEMBERS", 0)
    with pytest.raises(SourceError, match="1 files in the archive"):
        read_any(path)


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines.kmz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", b"<kml>" + b"abc " * 5000)
    data = path.read_bytes()
    put(path, data.replace(struct.pack("<I", 20005), struct.pack("<I", 100)))
    with pytest.raises(SourceError, match=r"lines\.kmz"):
        read_any(path)


def test_damaged_and_foreign_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(SourceError, match=r"x.zip: no Shapefile, KML, file geodatabase or shapes.txt"):
        read_any(tmp_path / "x.zip")
    put(tmp_path / "y.zip", (tmp_path / "x.zip").read_bytes()[:40])
    with pytest.raises(SourceError, match=r"y.zip: the archive is damaged"):
        read_any(tmp_path / "y.zip")


# XML


KML = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}</Document></kml>'
MARK = "<Placemark><name>{}</name><LineString><coordinates>{}</coordinates></LineString></Placemark>"


def test_folders_of_kml_are_layers(tmp_path: Path) -> None:
    text = KML.format(
        "<name>All</name>"
        + MARK.format("loose", "0,0 1,1")
        + "<Folder><name>East</name><Folder><name>PRR</name>"
        + MARK.format("main", "2,2,10\n 3, 3, 11 ")
        + "</Folder>"
        + MARK.format("other", "4,4 5,5")
        + "</Folder><Placemark><ExtendedData><Data name='rr'><value>nyc</value></Data></ExtendedData><MultiGeometry>"
        "<Point><coordinates>7,8,0</coordinates></Point><LineString><coordinates>1,1</coordinates></LineString>"
        "</MultiGeometry></Placemark><NetworkLink><Link><href>http://x/</href></Link></NetworkLink>"
    )
    layer = read_any(put(tmp_path / "lines.kml", text))
    assert dict(zip(layer.line_keys, layer.line_features, strict=True)) == {
        "lines": "lines.kml#0",
        "PRR": "lines.kml#1",
        "East": "lines.kml#2",
    }
    assert [tuple(shape.coords) for shape in layer.lines] == [((0, 0), (1, 1)), ((2, 2), (3, 3)), ((4, 4), (5, 5))]
    assert [dot.coords[0] for dot in layer.points] == [(7, 8)]
    assert [note for note in layer.notes if "etwork" in note] == [
        "lines.kml: network link 'http://x/' was left out; save and import its target"
    ]
    assert "lines.kml#3: a line of a single vertex; left out" in layer.notes


def test_tracks_of_kml(tmp_path: Path) -> None:
    text = KML.format(
        "<Placemark><gx:Track xmlns:gx='http://www.google.com/kml/ext/2.2'><when>2020</when><gx:coord>1 2 3</gx:coord>"
        "<gx:coord>4 5 6</gx:coord></gx:Track></Placemark>"
    )
    layer = read_any(put(tmp_path / "lines.kml", text))
    assert tuple(layer.lines[0].coords) == ((1, 2), (4, 5))


def test_bad_coordinates_of_kml_name_line_and_placemark(tmp_path: Path) -> None:
    text = KML.format("\n" + MARK.format("Main", "0,0 one,1"))
    with pytest.raises(SourceError, match=r"lines.kml:2: placemark 'Main': 'one,1' is not a lon,lat"):
        read_any(put(tmp_path / "lines.kml", text))


BOMB = '<!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
DEEP = "<a>" * 5000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB + "<{root}>&b;</{end}>", "a document type or entities, which are refused"),
        (OUTSIDE + "<{root}>&x;</{end}>", "a document type or entities, which are refused"),
        ('<!DOCTYPE kml SYSTEM "http://x/y.dtd"><{root}></{end}>', "a document type or entities"),
        ("<{root}>" + DEEP, "nested more than 100 deep"),
        ("<{root}><a></b></{end}>", ":1: malformed XML: mismatched tag"),
        ('<?xml version="1.0" encoding="klingon"?><{root}></{end}>', "malformed XML|encoding cannot be read"),
        ("<{root}>\xff</{end}>", "malformed XML"),
    ],
)
@pytest.mark.parametrize(("root", "end"), [("kml", "kml"), ('g:F xmlns:g="http://www.opengis.net/gml"', "g:F")])
def test_dangerous_and_malformed_xml_is_refused(
    tmp_path: Path, content: str, message: str, root: str, end: str
) -> None:
    path = put(tmp_path / "lines.xml", content.format(root=root, end=end).encode("latin-1"))
    with pytest.raises(SourceError, match=message):
        read_any(path)


def test_files_that_point_elsewhere_are_refused(tmp_path: Path) -> None:
    vrt = "<OGRVRTDataSource><OGRVRTLayer name='x'><SrcDataSource>/etc</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
    for text in (vrt, vrt.replace("Source>", "Source xmlns:gml='http://www.opengis.net/gml'>", 1)):
        with pytest.raises(SourceError, match=r"not a format|points at other files"):
            read_any(put(tmp_path / "lines.gml", text))
    for text in (
        '{"type":"gdal_streamed_alg","command_line":"gdal vector pipeline ! read /etc/x"}',
        '{"type":"Topology"}',
    ):
        with pytest.raises(SourceError, match=r"is not GeoJSON|it is damaged"):
            read_any(put(tmp_path / "lines.json", text))


# Damage, limits, dispatch


@pytest.mark.parametrize("suffix", ["gpkg", "fgb", "gml", "geojson", "kml"])
def test_a_file_cut_short_is_refused(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"lines.{suffix}", frame(LINES * 50, rr=KEYS * 50))
    data = path.read_bytes()
    with pytest.raises(SourceError, match=rf"^lines.{suffix}"):
        read_any(put(path, data[: len(data) * 2 // 3]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"), (b" \n", "the file is empty"), (b"\x00\x01\x02", "not a format"),
        (b"hello", "not a format"), (b"<html><body/></html>", "not a format"), (b"[1, 2]", "not valid GeoJSON"),
        (b"{", "not valid JSON"), (b'{"type": 5}', "not valid GeoJSON"), (b"[" * 100_000, "not valid GeoJSON"),
        (b'{"type":"FeatureCollection","features":[{"type":"Feature","geometry":' + b"[" * 9000, "nested too deep"),
        (b'{"type":"FeatureCollection","features":[{"type":"X"}]}', "lines.x#0: type 'X' stands where"),
        (b'{"type":"Point","coordinates":[1,2],"a":"\xff"}', "UTF-8|utf-8"),
    ],
)  # fmt: skip
def test_what_is_no_map(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_any(put(tmp_path / "lines.x", content))


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for path in (tmp_path / "none.gpkg", tmp_path):
        with pytest.raises(WorkspaceError, match="cannot be read"):
            read_any(path)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.gpkg"
    for n in range(4):
        write(path, frame(LINES, rr=KEYS), layer=f"l{n}")
    monkeypatch.setattr(import_features, "MAX_LAYERS", 3)
    with pytest.raises(SourceError, match="4 layers, the limit is 3"):
        read_any(path)
    assert len(read_any(path, options=ImportOptions(layers=("l1", "l3"))).lines) == 4
    monkeypatch.setattr("mapkit.formats.lines.vector.MAX_FEATURES", 3)
    with pytest.raises(SourceError, match="more than 3 features"):
        read_any(path, options=ImportOptions(layers=("l1", "l3")))
    monkeypatch.setattr(import_features, "MAX_VERTICES", 3)
    with pytest.raises(SourceError, match="vertices, the limit is 3"):
        read_any(path, options=ImportOptions(layers=("l1",)))
    monkeypatch.setattr("mapkit.formats.lines.vector_kinds.MAX_BYTES", 3)
    with pytest.raises(SourceError, match="bytes is more than the limit of 3"):
        read_any(path)


@pytest.mark.parametrize("stated", [-5, 0, 1, 10**9, 10**12])
def test_the_number_of_features_that_a_file_states_is_not_believed(stated: int, tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gpkg", frame(LINES, rr=KEYS))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE gpkg_ogr_contents SET feature_count = ?", (stated,))
    tracemalloc.start()
    try:
        assert list(read_any(path, options=ImportOptions(column="rr")).line_keys) == list(KEYS)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_wrong_suffix_does_no_harm(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.gpkg", frame(LINES, rr=KEYS))
    assert len(read_any(path.rename(tmp_path / "lines.geojson")).lines) == 2


def test_a_drawing_goes_to_its_reader(tmp_path: Path) -> None:
    layer = read_any(put(tmp_path / "a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0L5 5"/></svg>'))
    assert (layer.crs, len(layer.lines)) == (None, 1)


def test_many_notes_of_a_kind_are_summed_up(tmp_path: Path) -> None:
    layer = read_any(geojson(tmp_path, line((0, 0), (1, 1)), *[None] * 50))
    assert len(layer.notes) == 21
    assert layer.notes[-1] == "and 30 more features: no geometry; left out"


# Graphs


def graph(**members: Any) -> bytes:
    nodes = [{"id": "a", "lon": 0, "lat": 1, "name": "Ay"}, {"id": "b", "lon": 2, "lat": 3}, {"id": 3, "lon": 4, "lat": 5, "milepost": False}]  # fmt: skip  # noqa: E501
    edges = [{"from": "a", "to": "b", "railroad": "prr"}, {"source": "b", "target": 3, "railroad": "nyc", "path": [[2, 3], [3, 3, 9], [4, 5]]}]  # fmt: skip  # noqa: E501
    return json.dumps({"nodes": nodes, "edges": edges, **members}).encode()


def test_a_graph(tmp_path: Path) -> None:
    layer = read_any(put(tmp_path / "graph.json", graph()))
    assert (layer.crs, layer.line_keys, layer.point_names) == ("EPSG:4326", ("prr", "nyc"), ("Ay", "b"))
    assert [tuple(shape.coords) for shape in layer.lines] == [((0, 1), (2, 3)), ((2, 3), (3, 3), (4, 5))]
    assert layer.line_features == ("graph.json#edges/0", "graph.json#edges/1")
    assert layer.point_features == ("graph.json#nodes/0", "graph.json#nodes/1")


def test_a_graph_in_pixels_or_metres() -> None:
    nodes = [{"id": "a", "x": 0, "y": 0}, {"id": "b", "x": 111319.49079327358, "y": 0}]
    edges = [{"a": "a", "b": "b", "railroad": "prr"}]
    assert read_graph(graph(nodes=nodes, edges=edges, crs="pixels"), file="g").crs is None
    metres = read_graph(graph(nodes=nodes, edges=edges, crs="EPSG:3857"), file="g")
    assert metres.lines[0].coords[1] == pytest.approx((1, 0))
    with pytest.raises(SourceError, match="does not state its CRS"):
        read_graph(graph(nodes=nodes, edges=edges), file="g")


def test_bad_graphs_name_every_problem() -> None:
    nodes = [{"id": "a", "lon": 0, "lat": 1}, {"id": "a", "lon": 0, "lat": 1}, {"id": "c", "lon": "x", "lat": 1}]
    edges = [{"from": "a", "to": "z", "railroad": "p"}, {"from": "a", "to": "a"}, {"from": "a"}, {"from": "a", "to": "a", "railroad": "p", "path": [[1, 2]]}]  # fmt: skip  # noqa: E501
    with pytest.raises(SourceError) as caught:
        read_graph(graph(nodes=nodes, edges=edges), file="g")
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "g#nodes/1", "g#nodes/2", "g#edges/0", "g#edges/1", "g#edges/2", "g#edges/3",
    ]  # fmt: skip


# Mapping


MAPPING = "file,by,key,railroad\na.gpkg,column:RR,Penn,prr\na.gpkg,column:RR,Amtrak,\nb.svg,group,*,nyc\n"
KNOWN = {"prr": "Pennsylvania", "nyc": "New York Central"}


def keyed(*keys: str) -> TracedLayer:
    lines = np.array([LINES[0]] * len(keys), dtype=object)
    none = np.empty(0, dtype=object)
    return TracedLayer("f", "EPSG:4326", lines, keys, tuple(f"f#{n}" for n in range(len(keys))), none, (), ())


def test_a_mapping() -> None:
    found = read_mapping(MAPPING)
    assert found["a.gpkg"] == FileMapping("column", "RR", {"Penn": "prr", "Amtrak": None}, "drawings/mapping.csv:2")
    assert mapped_options(ImportOptions(), found["a.gpkg"]).column == "RR"
    assert mapped_options(ImportOptions(), found["b.svg"]).key_from == "group"
    assert line_railroads(keyed("Penn", "Amtrak", "Penn"), KNOWN, found["a.gpkg"]) == ("prr", None, "prr")
    assert line_railroads(keyed("any"), KNOWN, found["b.svg"]) == ("nyc",)
    with pytest.raises(SourceError, match=r"f#0: the mapping has no row for key 'Pen' \(did you mean 'Penn'\?\)"):
        line_railroads(keyed("Pen"), KNOWN, found["a.gpkg"])


def test_without_a_mapping_keys_are_ids_or_names() -> None:
    assert line_railroads(keyed("prr", "NEW YORK-CENTRAL"), KNOWN) == ("prr", "nyc")
    with pytest.raises(SourceError, match=r"f#1: key 'prx' is not a railroad of the board \(did you mean 'prr'\?\)"):
        line_railroads(keyed("prr", "prx"), KNOWN)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,layer,k,prr\na,layer,k,nyc", "3: key 'k' of a appears twice"),
        ("a,layer,k,prr\na,id,l,nyc", "3: a is mapped by layer above"),
        ("a,colour,k,prr", "2: by is 'colour'; write layer, group, id, own, class, auto or column:NAME"),
        ("a,column:,k,prr", "2: by is 'column:'"),
        (",layer,k,prr", "2: file may not be empty"),
    ],
)
def test_bad_mappings(rows: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_mapping(f"file,by,key,railroad\n{rows}\n")


# Fuzzing: whatever the bytes, only our own errors


def survives(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder) / name, data)
        try:
            layer = read_any(path, options=ImportOptions(rings=True))
        except MapkitError as error:
            assert str(error)  # noqa: PT017 - any text will do
        else:
            assert np.isfinite(shapely.get_coordinates([*layer.lines, *layer.points])).all()
            assert not shapely.is_empty(layer.lines).any()
            assert len(layer.lines) == len(layer.line_keys) == len(layer.line_features)
            assert len(layer.points) == len(layer.point_names) == len(layer.point_features)


NUMBERS = st.floats(width=32) | st.integers(-200, 200) | st.none() | st.text(max_size=2)
PLACES = st.recursive(st.lists(NUMBERS, max_size=4), lambda inner: st.lists(inner, max_size=4), max_leaves=12)
TYPES = st.sampled_from(["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "Circle"])
GEOMETRIES = st.recursive(
    st.none() | st.fixed_dictionaries({"type": TYPES}, optional={"coordinates": PLACES}),
    lambda inner: st.builds(
        lambda many: {"type": "GeometryCollection", "geometries": many}, st.lists(inner, max_size=3)
    ),
    max_leaves=5,
)
SLICES = st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=3)), min_size=1, max_size=4)
FUZZ = settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow])


def changed(data: bytes, slices: list[tuple[int, bytes]]) -> bytes:
    out = bytearray(data)
    for where, new in slices:
        at = where % (len(out) or 1)
        out[at : at + max(len(new), 1)] = new
    return bytes(out)


@FUZZ
@given(st.lists(GEOMETRIES, max_size=4))
def test_fuzz_geojson_geometry(geometries: list[Any]) -> None:
    survives("f.geojson", features(*geometries).encode())


@FUZZ
@given(SLICES)
def test_fuzz_geojson_bytes(slices: list[tuple[int, bytes]]) -> None:
    data = features(line((0, 0), (1, 1)), {"type": "Point", "coordinates": [1, 2]}, None)
    survives("f.geojson", changed(data.encode(), slices))


@FUZZ
@given(st.binary(max_size=200))
def test_fuzz_any_bytes(data: bytes) -> None:
    survives("f.kml", data)
    survives("f.json", b'{"type":' + data)
    survives("f.svg", b"<kml>" + data)


@FUZZ
@given(SLICES)
def test_fuzz_kml_bytes(slices: list[tuple[int, bytes]]) -> None:
    mark = MARK.format("Main", "0,0 1,1 2,2,3") + "<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>"
    mark += (
        "0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon><Point><coordinates>1,2</coordinates>"
    )
    survives(
        "f.kml", changed(KML.format(f"<Folder><name>E</name>{mark}</Point></Placemark></Folder>").encode(), slices)
    )


@FUZZ
@given(st.text(alphabet="0123456789.,- en+infa\n", max_size=40))
def test_fuzz_kml_coordinates(text: str) -> None:
    survives("f.kml", KML.format(MARK.format("x", text)).encode())


@settings(parent=FUZZ, max_examples=examples(40))
@given(SLICES, st.sampled_from(["gpkg", "fgb", "gml", "shp.zip"]))
def test_fuzz_gdal_formats(slices: list[tuple[int, bytes]], kind: str) -> None:
    survives(f"f.{kind}", changed(_sample(kind), slices))


def _sample(kind: str) -> bytes:
    if kind not in _SAMPLES:
        folder = Path(tempfile.mkdtemp())
        if kind == "shp.zip":
            write(folder / "a.shp", frame(LINES, rr=KEYS), encoding="UTF-8")
            path = zipped(folder / "a.zip", *sorted(folder.iterdir()))
        else:
            path = write(folder / f"a.{kind}", frame(LINES, rr=KEYS))
        _SAMPLES[kind] = path.read_bytes()
        shutil.rmtree(folder)
    return _SAMPLES[kind]


_SAMPLES: dict[str, bytes] = {}


@FUZZ
@given(SLICES)
def test_fuzz_graphs(slices: list[tuple[int, bytes]]) -> None:
    survives("g.json", changed(graph(), slices))


def test_read_vector_says_what_a_drawing_needs(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="a drawing, which needs control points"):
        read_vector(put(tmp_path / "a.svg", "<svg/>"))


def test_names_of_waypoints_are_no_railroads(tmp_path: Path) -> None:
    waypoint = '<wpt lat="41" lon="-98"><name>Utica</name></wpt>'
    track = '<trk><name>NYC</name><trkseg><trkpt lat="41" lon="-98"/><trkpt lat="42" lon="-97"/></trkseg></trk>'
    text = f'<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">{waypoint}{track}</gpx>'
    layer = read_any(put(tmp_path / "lines.gpx", text))
    assert (layer.line_keys, layer.point_names, layer.owners) == (("NYC",), ("Utica",), ((),))


def test_heights_of_zero_are_not_worth_a_word(tmp_path: Path) -> None:
    assert read_any(geojson(tmp_path, line((0, 0, 0), (1, 1, 0)))).notes == ()


def _dxf(*entities: tuple[str, str, float, float, str]) -> str:
    """Return a drawing with a long line, and marks as circles or texts: kind, layer, x, y, text."""
    lines = ["0", "SECTION", "2", "ENTITIES", "0", "LINE", "8", "Main", "10", "0", "20", "0", "11", "900", "21", "300"]
    for kind, layer, x, y, text in entities:
        lines += ["0", kind, "8", layer, "10", str(x), "20", str(y), "40", "2", *(["1", text] if text else [])]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])


def test_small_circles_of_a_dxf_are_mileposts_named_by_texts(tmp_path: Path) -> None:
    marks = (("CIRCLE", "Stations", 0, 0, ""), ("TEXT", "Names", 3, 3, "Utica"), ("CIRCLE", "Stations", 900, 300, ""))
    path = put(tmp_path / "lines.dxf", _dxf(*marks, ("TEXT", "Names", 400, 10, "Scale 1:100")))
    layer = read_any(path, options=ImportOptions(crs="EPSG:32614"))
    assert (layer.line_keys, layer.point_names, layer.owners) == (("Main",), ("Utica", ""), ((), ()))
    assert "(Scale 1:100): a text beside no mark; left out" in said(layer)
    texts = put(tmp_path / "texts.dxf", _dxf(("TEXT", "Names", 0, 0, "Utica")))
    assert read_any(texts, options=ImportOptions(crs="EPSG:32614")).point_names == ("Utica",)


@pytest.mark.parametrize(("crs", "title"), [(32614, "(ftUS|in feet)"), (3857, r"EPSG:3857 \(Web Mercator\) in feet")])
def test_a_grid_in_feet_is_named_by_the_places_of_a_board(crs: int, title: str, tmp_path: Path) -> None:
    places = [(-100.5, 40.25), (-99.125, 41.5), (-98.0, 41.0)]
    drawn = frame(LINES, rr=KEYS).to_crs(crs)
    shapes = [shapely.transform(shape, lambda vertices: vertices / 0.3048) for shape in drawn.geometry]
    path = geojson(tmp_path, *(shapely.geometry.mapping(shape) for shape in shapes))
    with pytest.raises(SourceError, match=rf"this looks like .*{title}.*add --crs") as refused:
        read_any(path, options=ImportOptions(find_places=lambda: places))
    option = str(refused.value).rpartition("--crs ")[2].strip('"')
    drawn_line = read_any(path, options=ImportOptions(crs=option)).lines[1]
    assert shapely.hausdorff_distance(drawn_line, LINES[1]) < 0.01
