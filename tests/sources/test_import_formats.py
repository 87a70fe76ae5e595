"""Importing geodata of every format that GDAL reads from local files, and inferring coordinates without a CRS."""

import json
import zipfile
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions

LINES = [shapely.LineString([(-100, 39), (-96, 39.5)]), shapely.LineString([(-96, 39.5), (-97, 38)])]
CITIES = [(-100.0, 39.0), (-96.0, 39.5), (-97.0, 38.0)]
FRAME = gpd.GeoDataFrame({"railroad": ["RR", "BL"], "name": ["RR", "BL"]}, geometry=LINES, crs=4326)
WRITTEN: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("GPX", "x.gpx", {"FORCE_GPX_TRACK": "YES"}),
    ("GPX", "extended.gpx", {"FORCE_GPX_TRACK": "YES", "GPX_USE_EXTENSIONS": "YES"}),
    ("MapInfo File", "x.tab", {}),
    ("MapInfo File", "x.mif", {}),
    ("CSV", "x.csv", {"GEOMETRY": "AS_WKT", "SEPARATOR": "SEMICOLON"}),
    ("GeoJSONSeq", "x.geojsonl", {}),
    ("GeoJSONSeq", "x.geojsons", {"RS": "YES"}),
    ("SQLite", "x.sqlite", {}),
    ("OpenFileGDB", "x.gdb", {}),
    ("OGR_GMT", "x.gmt", {}),
    ("JML", "x.jml", {}),
)


@pytest.mark.parametrize(("driver", "name", "options"), WRITTEN, ids=[name for _, name, _ in WRITTEN])
def test_a_format_of_gdal_is_recognised_by_content(
    tmp_path: Path, driver: str, name: str, options: dict[str, Any]
) -> None:
    frame = FRAME[["name", "geometry"]] if driver == "GPX" else FRAME
    frame.to_file(tmp_path / name, driver=driver, engine="pyogrio", **options)
    layer = read_any(tmp_path / name)
    assert layer.line_keys == ("RR", "BL")
    assert all(shapely.equals_exact(found, line, 1e-6) for found, line in zip(layer.lines, LINES, strict=True))


def test_dxf_gives_its_layers_and_needs_a_crs(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"Layer": ["RR", "BL"]}, geometry=LINES, crs=4326)
    frame.to_file(tmp_path / "x.dxf", driver="DXF", engine="pyogrio")
    with pytest.raises(SourceError, match=r"does not state its CRS.*--crs EPSG:4326"):
        read_any(tmp_path / "x.dxf")
    assert read_any(tmp_path / "x.dxf", options=ImportOptions(crs="EPSG:4326")).line_keys == ("RR", "BL")


def test_text_formats_of_other_programs(tmp_path: Path) -> None:
    way = {"type": "way", "id": 1, "tags": {"operator": "RR"}, "nodes": [1, 2]}
    nodes = [
        {"type": "node", "id": 1, "lat": 39, "lon": -100, "tags": {"railway": "station", "name": "A"}},
        {"type": "node", "id": 2, "lat": 39.5, "lon": -96},
    ]
    broken = {"type": "way", "id": 9, "nodes": [1, 7]}
    (tmp_path / "o.json").write_text(json.dumps({"elements": [way, broken, *nodes]}), encoding="utf-8")
    layer = read_any(tmp_path / "o.json")
    assert (layer.line_keys, layer.point_names) == (("RR",), ("A",))
    assert layer.notes == ("o.json#way/9: its nodes are not in the file; left out; ask Overpass for 'out geom'",)
    (tmp_path / "o.osm").write_text(
        '<osm version="0.6"><node id="1" lat="39" lon="-100"/><node id="2" lat="39.5" lon="-96"/><way id="3">'
        '<nd ref="1"/><nd ref="2"/><tag k="railway" v="rail"/><tag k="operator" v="RR"/></way></osm>',
        encoding="utf-8",
    )
    assert read_any(tmp_path / "o.osm").line_keys == ("RR",)
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as archive:
        archive.writestr("routes.txt", "route_id,route_short_name\n1,RR\n2,BL\n")
        archive.writestr("trips.txt", "route_id,trip_id,shape_id\n1,a,s\n2,b,s\n")
        archive.writestr(
            "shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,39.5,-96,2\ns,39,-100,1\n"
        )
    layer = read_any(tmp_path / "g.zip")
    assert layer.line_keys == ("RR; BL",)
    assert layer.lines[0].equals(LINES[0])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.csv", "<OGRVRTDataSource><OGRVRTLayer name='x'/></OGRVRTDataSource>", "not a format that mapkit reads"),
        ("p.gpkg", "PAR1", "this is GeoParquet; save it as GeoPackage"),
        ("s.tab", '!table\n!version 300\n"\\IsSeamless" = "TRUE"\n', "points at other files"),
        ("r.geojsonl", '{"type":"Feature"}\n{"type":"Feature","a":}\n', r"record 2:1: not valid JSON"),
    ],
)
def test_a_file_that_points_elsewhere_or_is_damaged_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_any(tmp_path / name)


@pytest.mark.parametrize(
    ("crs", "named"),
    [(3857, "EPSG:3857 .Web Mercator.*--crs EPSG:3857"), (5070, "--crs EPSG:5070"), (32614, "--crs EPSG:32614")],
)
def test_coordinates_without_a_crs_are_recognised_by_the_cities(tmp_path: Path, crs: int, named: str) -> None:
    path = tmp_path / "x.geojson"
    collection = json.loads(FRAME.to_crs(crs).to_json())
    path.write_text(json.dumps({"type": "FeatureCollection", "features": collection["features"]}), encoding="utf-8")
    with pytest.raises(SourceError, match=named):
        read_any(path, options=ImportOptions(find_places=lambda: CITIES))
    layer = read_any(path, options=ImportOptions(crs=f"EPSG:{crs}"))
    assert shapely.hausdorff_distance(layer.lines[0], LINES[0]) < 0.1


def test_a_table_of_multilinestrings_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text(
        "railroad\tWKT\nRR\tMULTILINESTRING((-100 39,-96 39.5),(-90 39,-91 39))\n", encoding="utf-8"
    )
    assert read_any(tmp_path / "x.tsv").line_keys == ("RR", "RR")


def test_swapped_axes_turns_and_pixels_take_one_option(tmp_path: Path) -> None:
    def write(name: str, vertices: list[list[float]]) -> Path:
        geometry = {"type": "LineString", "coordinates": vertices}
        feature = {"type": "Feature", "properties": {}, "geometry": geometry}
        (tmp_path / name).write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), encoding="utf-8")
        return tmp_path / name

    swapped = write("swapped.geojson", [[39, -100], [39.5, -96]])
    with pytest.raises(SourceError, match=r"degrees with the latitude first.*--crs latlon"):
        read_any(swapped)
    assert read_any(swapped, options=ImportOptions(crs="latlon")).lines[0].equals(LINES[0])
    assert read_any(write("turned.geojson", [[260, 39], [264, 39.5]])).lines[0].equals(LINES[0])
    pixels = write("pixels.geojson", [[10, -20], [1197, -700]])
    with pytest.raises(SourceError, match=r"pixels of a picture.*--crs pixels"):
        read_any(pixels)
    layer = read_any(pixels, options=ImportOptions(crs="pixels"))
    assert (layer.crs, list(layer.lines[0].coords)) == (None, [(10, 20), (1197, 700)])
