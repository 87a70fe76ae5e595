"""GIS formats: what the standards ask, what QGIS shows, and what comes back from editing."""

import json
import os
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pyogrio  # type: ignore[import-untyped]
import pyproj
import pytest
import shapely
from conftest import REPOSITORY

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.exchange.gis.geojson import board_from_geojson, geojson_text
from mapkit.kinds.rail.exchange.gis.geopackage import geopackage_bytes
from mapkit.kinds.rail.exchange.gis.geopackage_reading import read_geopackage
from mapkit.kinds.rail.exchange.gis.kml import kml_text
from mapkit.kinds.rail.exchange.gis.topojson import board_from_topojson, topojson_text

QGIS = REPOSITORY / "tests" / "clients" / "qgis_open.py"
TOP_FIRST = ["cities", "mileposts", "junctions", "segments", "pieces", "regions"]
LAYERS = ["cities", "junctions", "mileposts", "pieces", "regions", "segments"]


def features(data: Any, layer: str) -> list[Any]:
    return [f for f in data["features"] if f["properties"]["layer"] == layer]


def pick(data: Any, layer: str, ident: str) -> Any:
    return next(f for f in features(data, layer) if f["properties"]["id"] == ident)


def edited(board: mapkit.Board, change: Callable[[Any], None]) -> mapkit.Board:
    data = json.loads(geojson_text(board))
    change(data)
    return board_from_geojson(data, file="x.geojson")


def test_geojson_is_as_rfc_7946_asks() -> None:
    board = mapkit.load(REPOSITORY / "build" / "usa" / "board.json")
    data = json.loads(geojson_text(board))
    assert data["type"] == "FeatureCollection"
    assert "crs" not in data
    assert sorted({f["properties"]["layer"] for f in data["features"]}) == LAYERS
    assert len({f["id"] for f in data["features"]}) == len(data["features"])
    shapes = shapely.from_geojson([json.dumps(f["geometry"]) for f in data["features"]])
    assert shapely.is_valid(shapes).all()
    west, south, east, north = shapely.total_bounds(shapes)
    assert -180 < west < east < 180
    assert -90 < south < north < 90
    for region in features(data, "regions"):
        for polygon in shapely.get_parts(shapely.from_geojson(json.dumps(region["geometry"]))):
            assert polygon.exterior.is_ccw
            assert not any(hole.is_ccw for hole in polygon.interiors)


def test_every_city_lies_in_its_region() -> None:
    board = mapkit.load(REPOSITORY / "build" / "usa" / "board.json")
    data = json.loads(geojson_text(board))
    grounds = {
        f["properties"]["id"]: shapely.buffer(shapely.from_geojson(json.dumps(f["geometry"])), 0.3)
        for f in features(data, "regions")
    }
    outside = [
        f["properties"]["id"]
        for f in features(data, "cities")
        if not grounds[f["properties"]["region"]].covers(shapely.Point(f["geometry"]["coordinates"]))
    ]
    assert outside == []


def test_topojson_segments_share_the_arcs_of_pieces(tiny: mapkit.Board) -> None:
    data = json.loads(topojson_text(tiny))
    pieces = {g["id"]: g["arcs"] for g in data["objects"]["pieces"]["geometries"]}
    segments = {g["id"]: g["arcs"] for g in data["objects"]["segments"]["geometries"]}
    assert len({arcs[0] for arcs in pieces.values()}) == len(tiny.pieces)
    for segment in tiny.segments:
        own = [pieces[ident][0] for ident in segment.pieces]
        assert [at if at >= 0 else ~at for at in segments[segment.id]] == own
    assert any(at < 0 for arcs in segments.values() for at in arcs)


def test_a_quantized_topojson_is_read(tiny: mapkit.Board) -> None:
    data = json.loads(topojson_text(tiny))
    step = 1e-5

    def whole(point: list[float]) -> list[int]:
        return [round((point[0] + 180) / step), round((point[1] + 90) / step)]

    data["transform"] = {"scale": [step, step], "translate": [-180, -90]}
    for arc in data["arcs"]:
        points = [whole(point) for point in arc]
        arc[:] = [points[0], *([b[0] - a[0], b[1] - a[1]] for a, b in pairwise(points))]
    for name in ("mileposts", "junctions", "cities"):
        for geometry in data["objects"][name]["geometries"]:
            geometry["coordinates"] = whole(geometry["coordinates"])
    assert board_from_topojson(data, file="x.topojson") == tiny


def test_the_kml_has_a_folder_a_layer_and_a_style_for_each_reference(tiny: mapkit.Board) -> None:
    space = "{http://www.opengis.net/kml/2.2}"
    root = ET.fromstring(kml_text(tiny))  # noqa: S314 - our own text
    assert sorted(f.findtext(f"{space}name", "") for f in root.iter(f"{space}Folder")) == LAYERS
    styles = {s.get("id") for s in root.iter(f"{space}Style")}
    assert {str(u.text).removeprefix("#") for u in root.iter(f"{space}styleUrl")} <= styles


def test_qgis_finds_layers_and_a_style_for_each(tmp_path: Path, tiny: mapkit.Board) -> None:
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny))
    kinds = {str(name): kind for name, kind in pyogrio.list_layers(path)}
    assert [name for name, kind in kinds.items() if kind is not None] == TOP_FIRST, "QGIS draws the first on top"
    assert pyogrio.read_info(path, layer="segments")["features"] == len(tiny.segments)
    assert pyogrio.read_info(path, layer="mileposts")["crs"] == "EPSG:4326"
    with closing(sqlite3.connect(path)) as base:
        rows = base.execute(
            "SELECT f_table_name, styleQML FROM layer_styles WHERE f_table_schema = '' AND f_geometry_column = 'geom' "
            "AND useAsDefault = 1"
        ).fetchall()
        columns = {c[2] for c in base.execute("SELECT 0, * FROM gpkg_geometry_columns")}
    assert sorted(name for name, _ in rows) == LAYERS
    assert columns == {"geom"}
    trees = {name: ET.fromstring(qml) for name, qml in rows}  # noqa: S314 - our own text
    categories = [c.get("value") for c in trees["segments"].iter("category")]
    assert categories == [r.id for r in tiny.railroads]
    for tree in trees.values():
        assert {c.get("symbol") for c in tree.iter("category")} <= {s.get("name") for s in tree.iter("symbol")}


def test_qgis_shows_every_city_name_over_whatever_is_there(tmp_path: Path, tiny: mapkit.Board) -> None:
    """QGIS 3.22 placed 5 of the 67 names of the United States while areas kept names off; now it places all."""
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny))
    with closing(sqlite3.connect(path)) as base:
        rows = base.execute("SELECT f_table_name, styleQML, update_time FROM layer_styles").fetchall()
    trees = {name: ET.fromstring(qml) for name, qml, _ in rows}  # noqa: S314 - our own text
    rendering = {name: next(tree.iter("rendering"), None) for name, tree in trees.items()}
    assert {name for name, each in rendering.items() if each is not None} == {"cities", "regions"}
    cities, regions = rendering["cities"], rendering["regions"]
    assert cities is not None
    assert regions is not None
    assert cities.get("displayAll") == "1"
    assert next(trees["cities"].iter("placement")).get("overlapHandling") == "AllowOverlapIfRequired"
    assert regions.get("obstacle") == "0"
    assert {time for _, _, time in rows} == {"2000-01-01T00:00:00Z"}


def test_qgis_finds_a_project_of_all_layers(tmp_path: Path, tiny: mapkit.Board) -> None:
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny, file="tiny.gpkg"))
    with closing(sqlite3.connect(path)) as base:
        [(name, content)] = base.execute("SELECT name, content FROM qgis_projects").fetchall()
        columns = {name: {c[1] for c in base.execute(f"PRAGMA table_info({name})")} for name in (*LAYERS, "railroads")}
    with zipfile.ZipFile(BytesIO(bytes.fromhex(content))) as archive:
        project = ET.fromstring(archive.read("board.qgs"))  # noqa: S314 - our own text
    assert name == tiny.id
    maps = {each.findtext("id", ""): each for each in project.iter("maplayer")}
    order = [each.get("id", "") for each in project.iter("layer-tree-layer")]
    top_first = ["railroads", *TOP_FIRST]
    assert [maps[each].findtext("layername") for each in order] == [n for n in top_first if getattr(tiny, n)]
    assert all(len(each) > 10 for each in maps), "QGIS replaces shorter ids"
    sources = {each.findtext("datasource") for each in maps.values()}
    assert sources == {f"./tiny.gpkg|layername={each.findtext('layername')}" for each in maps.values()}
    assert project.findtext("projectCrs/spatialrefsys/proj4") == tiny.projection.crs
    assert {each.get("labelsEnabled") for key, each in maps.items() if key.endswith("cities")} == {"1"}
    relations = list(project.iter("relation"))
    assert len(relations) == (7 if tiny.junctions else 6)
    for relation in relations:
        layer = maps[relation.get("referencingLayer", "")].findtext("layername", "")
        field = relation.find("fieldRef")
        assert field is not None
        assert field.get("referencingField") in columns[layer]
        assert relation.get("referencedLayer") in maps
    extent = {each.tag: float(each.text or "") for each in project.iterfind("mapcanvas/extent/*")}
    for milepost in tiny.mileposts:
        x, y = pyproj.Transformer.from_crs(4326, tiny.projection.crs, always_xy=True).transform(
            milepost.lon, milepost.lat
        )
        assert extent["xmin"] < x < extent["xmax"]
        assert extent["ymin"] < y < extent["ymax"]


def test_qgis_opens_the_project(tmp_path: Path) -> None:
    """Needs the Python package of QGIS (apt-get install python3-qgis)."""
    python = shutil.which("python3", path=os.pathsep.join(("/usr/bin", "/opt/homebrew/bin")))
    if (
        python is None
        or subprocess.run([python, "-c", "import qgis.core"], capture_output=True, check=False).returncode
    ):
        pytest.skip("QGIS for Python is not installed: apt-get install python3-qgis")
    board = mapkit.load(REPOSITORY / "build" / "usa" / "board.json")
    (tmp_path / "usa.gpkg").write_bytes(geopackage_bytes(board, file="usa.gpkg"))
    done = subprocess.run(
        [python, QGIS, f"geopackage:{tmp_path / 'usa.gpkg'}?projectName=usa", tmp_path / "map.png"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    seen = json.loads(done.stdout.splitlines()[-1])["project"]
    assert (seen["opened"], seen["relations"], seen["errors"]) == (True, 7, [])
    assert list(seen["layers"].items()) == [(name, len(getattr(board, name))) for name in TOP_FIRST]
    assert seen["projection"].startswith("+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=37.5 +lon_0=-96")


def test_relations_between_layers_are_in_the_file(tmp_path: Path, tiny: mapkit.Board) -> None:
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny))
    with closing(sqlite3.connect(path)) as base:
        relations = base.execute(
            "SELECT base_table_name, related_table_name, mapping_table_name FROM gpkgext_relations"
        ).fetchall()
        tables = {row[0] for row in base.execute("SELECT table_name FROM gpkg_extensions WHERE column_name IS NULL")}
        keys = {
            table: [name for _, name, _, _, _, key in base.execute(f"PRAGMA table_info({table})") if key]
            for _, _, table in relations
        }
        pairs = base.execute(
            "SELECT c.id, m.id FROM cities_mileposts p JOIN cities c ON c.fid = base_id "
            "JOIN mileposts m ON m.fid = related_id"
        ).fetchall()
        ends = base.execute(
            "SELECT s.id, m.id FROM segments_mileposts p JOIN segments s ON s.fid = base_id "
            "JOIN mileposts m ON m.fid = related_id"
        ).fetchall()
    assert {(one, other) for one, other, _ in relations} >= {("cities", "mileposts"), ("segments", "railroads")}
    assert {"gpkgext_relations", *(table for _, _, table in relations)} <= tables
    assert keys == {table: ["id"] for _, _, table in relations}, "QGIS shows a table without a key as broken"
    assert sorted(pairs) == [(city.id, city.milepost) for city in tiny.cities]
    assert sorted(ends) == sorted((s.id, end) for s in tiny.segments for end in (s.a, s.b))


def test_a_moved_milepost_takes_its_lines_along(tiny: mapkit.Board) -> None:
    def move(data: Any) -> None:
        pick(data, "mileposts", "hill")["geometry"]["coordinates"] = [-99.2, 41.3]

    moved = edited(tiny, move)
    hill = next(m for m in moved.mileposts if m.id == "hill")
    assert (hill.lon, hill.lat) == (-99.2, 41.3)
    before = {s.id: s for s in tiny.segments}
    changed = {s.id for s in moved.segments if s != before[s.id]}
    assert changed == {s.id for s in tiny.segments if "hill" in (s.a, s.b) or "blue--hill--j" in s.pieces} | {
        s.id for s in tiny.segments if any(p.id in s.pieces for p in tiny.pieces if "hill" in (p.a, p.b))
    }
    piece = next(p for p in moved.pieces if p.id == "green--elm--hill")
    assert piece.line == ((-100.1, 41.2), (-99.2, 41.3))
    assert piece.miles == round(line_miles(piece.line), 2)
    assert piece.path[-1] == (hill.x, hill.y)
    assert [m for m in moved.mileposts if m.id != "hill"] == [m for m in tiny.mileposts if m.id != "hill"]


def test_a_new_line_becomes_a_segment_and_nothing_else(tiny: mapkit.Board) -> None:
    def add(data: Any) -> None:
        line = {"type": "LineString", "coordinates": [[-97.0, 42.05], [-98.0, 42.6], [-99.0, 42.1]]}
        data["features"].append(
            {"type": "Feature", "geometry": line, "properties": {"layer": "segments", "railroad": "green"}}
        )

    grown = edited(tiny, add)
    [new] = [s for s in grown.segments if s.id not in {s.id for s in tiny.segments}]
    assert (new.id, new.a, new.b, new.pieces) == (
        "green--birch--dale", "birch", "dale", ("green--birch--dale",),
    )  # fmt: skip
    assert new.miles == round(line_miles([(-99.0, 42.1), (-98.0, 42.6), (-97.0, 42.05)]), 2)
    rest = tuple(s for s in grown.segments if s.id != new.id), tuple(p for p in grown.pieces if p.id != new.id)
    assert grown.model_copy(update={"segments": rest[0], "pieces": rest[1]}) == tiny


def test_a_deleted_segment_leaves_with_its_track(tiny: mapkit.Board) -> None:
    def delete(data: Any) -> None:
        data["features"].remove(pick(data, "segments", "red--ash--birch"))

    less = edited(tiny, delete)
    assert len(less.segments) == len(tiny.segments) - 1
    assert {p.id for p in tiny.pieces} - {p.id for p in less.pieces} == {"red--ash--birch"}


def test_a_bent_segment_bends_its_piece(tiny: mapkit.Board) -> None:
    def bend(data: Any) -> None:
        pick(data, "segments", "red--ash--birch")["geometry"]["coordinates"].insert(1, [-99.5, 43.0])

    bent = edited(tiny, bend)
    piece = next(p for p in bent.pieces if p.id == "red--ash--birch")
    assert piece.line == ((-100.0, 42.0), (-99.5, 43.0), (-99.0, 42.1))
    assert next(s for s in bent.segments if s.id == "red--ash--birch").miles == round(line_miles(piece.line), 2)


@pytest.mark.parametrize(
    ("properties", "points", "said"),
    [
        ({"railroad": "green"}, [[-97.0, 42.05], [-95.0, 42.0]], "miles from the nearest milepost"),
        ({}, [[-97.0, 42.05], [-99.0, 42.1]], "needs a line and the id of its railroad"),
        ({"railroad": "gren"}, [[-97.0, 42.05], [-99.0, 42.1]], "did you mean 'green'"),
        ({"railroad": "green"}, [[-97.0, 42.05], [-97.1, 42.3], [-97.0, 42.05]], "begins and ends at 'dale'"),
    ],
)
def test_a_new_line_that_cannot_be_a_segment_is_reported(
    tiny: mapkit.Board, properties: Any, points: Any, said: str
) -> None:
    def add(data: Any) -> None:
        shape = {"type": "LineString", "coordinates": points}
        data["features"].append(
            {"type": "Feature", "geometry": shape, "properties": {"layer": "segments", **properties}}
        )

    with pytest.raises(SourceError, match=said):
        edited(tiny, add)


def test_a_point_moved_with_sql_comes_back_from_a_geopackage(tmp_path: Path, tiny: mapkit.Board) -> None:
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny))
    with closing(sqlite3.connect(path)) as base:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            base.execute(f'DROP TRIGGER "{name}"')  # they need functions that SQLite alone has not
        [(blob,)] = base.execute("SELECT geom FROM mileposts WHERE id = 'elm'")
        base.execute("UPDATE mileposts SET geom = ? WHERE id = 'elm'", (blob[:8] + shapely.Point(-100.5, 41.0).wkb,))
        base.commit()
    moved = read_geopackage(path)
    elm = next(m for m in moved.mileposts if m.id == "elm")
    assert (elm.lon, elm.lat) == (-100.5, 41.0)
    assert next(p for p in moved.pieces if p.id == "green--ash--elm").line == ((-100.0, 42.0), (-100.5, 41.0))
