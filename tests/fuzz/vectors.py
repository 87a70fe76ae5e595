"""Single edits of good files of every vector format, through the reader of `mapkit import`.

```
python tests/fuzz/vectors.py                     # 100 edits of each format
python tests/fuzz/vectors.py --edits 1000 dxf    # more of some
```

Each edit gives lines or points, or a MapkitError that names the file; it takes at most 60 seconds and 2 GB. The edits
are the same in every run. Exit code 1 if one fails; every format runs in a process of its own.
"""

import argparse
import io
import json
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

TESTS: Final = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(TESTS)  # not this folder, whose modules are those of the package `fuzz`
    sys.path.insert(0, str(TESTS.parent))

import geopandas as gpd  # noqa: E402 - after the path
import shapely  # noqa: E402

from fuzz.edits import Edit, Maker, in_archive, of_bytes, of_csv, of_geopackage, of_json, of_lines, of_xml  # noqa: E402
from mapkit.core.errors import MapkitError  # noqa: E402
from mapkit.formats.lines.any_file import read_any  # noqa: E402
from mapkit.formats.lines.features import ImportOptions  # noqa: E402

LONGEST_S: Final = 60
MOST_BYTES: Final = 2 * 10**9
_SEED: Final = 46
_LINES: Final = (
    shapely.LineString([(-71.06, 42.36), (-71.2, 42.5), (-71.45, 42.99)]),
    shapely.LineString([(-71.06, 42.36), (-70.26, 43.66)]),
)
_OSM: Final = """<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6"><node id="1" lat="42.36" lon="-71.06" version="1"/>
<node id="2" lat="42.99" lon="-71.45" version="1"/>
<way id="9" version="1"><nd ref="1"/><nd ref="2"/><tag k="railway" v="rail"/><tag k="operator" v="Shore Line"/></way>
</osm>
"""
_OVERPASS: Final = {
    "version": 0.6,
    "elements": [
        {
            "type": "way",
            "id": 9,
            "tags": {"operator": "Shore"},
            "geometry": [{"lat": 42.3, "lon": -71}, {"lat": 43, "lon": -71}],
        }
    ],
}  # fmt: skip
_TOPOJSON: Final = {
    "type": "Topology",
    "transform": {"scale": [0.001, 0.001], "translate": [-71.5, 42.3]},
    "arcs": [[[440, 60], [-100, 100], [-290, 530]]],
    "objects": {"lines": {"type": "GeometryCollection", "geometries": [
        {"type": "LineString", "arcs": [0], "properties": {"railroad": "Shore"}}]}},
}  # fmt: skip
_ESRI: Final = {
    "geometryType": "esriGeometryPolyline",
    "spatialReference": {"wkid": 4326},
    "fields": [{"name": "railroad", "type": "esriFieldTypeString", "length": 20}],
    "features": [{"attributes": {"railroad": "Shore"}, "geometry": {"paths": [[[-71.06, 42.36], [-71.45, 42.99]]]}}],
}
_GRAPH: Final = {
    "nodes": [{"id": "a", "lon": -71.06, "lat": 42.36}, {"id": "b", "lon": -71.45, "lat": 42.99}],
    "edges": [{"from": "a", "to": "b", "railroad": "shore"}],
}
_SVG: Final = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g id="Shore" transform="scale(2)">
<path style="fill:none;stroke:#c00" d="M1,1 C4,4 9,9 20,20 h5 a3,3 0 0 1 6,6"/>
<circle cx="1" cy="1" r="1"/></g></svg>"""
_E00: Final = """EXP  0 LINES.E00
ARC  2
         1         1         1         2         0         0         3
-7.1060000E+01 4.2360000E+01-7.1200000E+01 4.2500000E+01
-7.1450000E+01 4.2990000E+01
         2         2         1         3         0         0         2
-7.1060000E+01 4.2360000E+01-7.0260000E+01 4.3660000E+01
        -1         0         0         0         0         0         0
SIN  2
EOX
EOS
"""
_GEORSS: Final = """<?xml version="1.0"?>
<rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><title>Lines</title>
<item><title>Shore</title><georss:line>42.36 -71.06 42.5 -71.2 42.99 -71.45</georss:line></item>
<item><title>Valley</title><georss:line>42.36 -71.06 43.66 -70.26</georss:line></item>
</channel></rss>
"""
_S57: Final = Path(__file__).with_name("lines.000")
"""A chart with a railway along two nodes, written by GDAL."""
_GTFS: Final = {
    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,42.36,-71.06,1\ns,42.99,-71.45,2\n",
    "routes.txt": "route_id,route_short_name,route_long_name,route_type\nr,S,Shore Line,2\n",
    "trips.txt": "route_id,service_id,trip_id,shape_id\nr,d,t,s\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nb,Boston,42.36,-71.06\n",
}


@dataclass(frozen=True)
class VectorCase:
    """A good file, what edits it or one beside it, and all of them."""

    file: str
    make: Maker
    files: Callable[[], dict[str, bytes]]
    crs: str | None = None
    edited_file: str = ""


def write_drawn(file: str, driver: str, crs: str = "EPSG:4326", column: str = "railroad") -> dict[str, bytes]:
    """Return the files that GDAL writes of two lines, by name."""
    with tempfile.TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        frame = gpd.GeoDataFrame({column: ["Shore", "Valley"]}, geometry=list(_LINES), crs=crs)
        options: dict[str, Any] = {"GEOMETRY": "AS_WKT"} if driver == "CSV" else {}
        if driver in {"DXF", "DGN"}:
            frame = frame[["geometry"]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame.to_file(Path(folder) / file, driver=driver, engine="pyogrio", **options)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(Path(folder).rglob("*"))
            if path.is_file()
        }


def zip_files(files: dict[str, bytes]) -> bytes:
    """Return files in an archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


def _zipped_kml() -> dict[str, bytes]:
    return {"edited.kmz": zip_files({"doc.kml": write_drawn("a.kml", "KML", column="Name")["a.kml"]})}


def _zipped_geodatabase() -> dict[str, bytes]:
    return {"edited.gdb.zip": zip_files(write_drawn("a.gdb", "OpenFileGDB"))}


def _zipped_timetable() -> dict[str, bytes]:
    return {"edited.zip": zip_files({name: text.encode() for name, text in _GTFS.items()})}


def _zipped_shapefile() -> dict[str, bytes]:
    return {"edited.zip": zip_files(write_drawn("a.shp", "ESRI Shapefile"))}


def _drawn(
    file: str, driver: str, make: Maker, *, crs: str | None = None, column: str = "railroad", beside: str = ""
) -> VectorCase:
    edited_file = str(Path(file).with_suffix(beside)) if beside else ""
    return VectorCase(file, make, lambda: write_drawn(file, driver, column=column), crs, edited_file)


def _written(file: str, make: Maker, data: bytes | object) -> VectorCase:
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    return VectorCase(file, make, lambda: {file: content})


def _varint(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + _varint(value >> 7) if value > 0x7F else bytes([value])


def _field(number: int, value: int | bytes) -> bytes:
    """Return a field of a message in protocol buffers."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _packed(*values: int) -> bytes:
    return b"".join(_varint(value << 1 if value >= 0 else (-value << 1) - 1) for value in values)


def _blob(kind: bytes, content: bytes) -> bytes:
    blob = _field(1, content)
    header = _field(1, kind) + _field(3, len(blob))
    return len(header).to_bytes(4, "big") + header + blob


def _osm_pbf() -> dict[str, bytes]:
    """Return a way of two nodes, uncompressed so that edits reach what is in the blocks."""
    texts = b"".join(_field(1, text) for text in (b"", b"railway", b"rail", b"operator", b"Shore Line"))
    degree = 10**7
    lats, lons = (_packed(*(round(at * degree) for at in pair)) for pair in ((42.36, 0.63), (-71.06, -0.39)))
    dense = _field(1, _packed(1, 1)) + _field(8, lats) + _field(9, lons)
    way = _field(1, 9) + _field(2, bytes([1, 3])) + _field(3, bytes([2, 4])) + _field(8, _packed(1, 1))
    groups = _field(2, _field(2, dense)) + _field(2, _field(3, way))
    header = _field(4, b"OsmSchema-V0.6") + _field(4, b"DenseNodes")
    return {"edited.osm.pbf": _blob(b"OSMHeader", header) + _blob(b"OSMData", _field(1, texts) + groups)}


def of_text_lines(data: bytes, chance: Random) -> tuple[str, bytes]:
    """Return what was done to a line of a text, and the text."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    edits: tuple[tuple[str, list[bytes]], ...] = (
        ("gone", []),
        ("twice", [lines[at]] * 2),
        ("empty", [b"\n"]),
        ("a word", [b"nowhere\n"]),
        ("NaN", [b"NaN\n"]),
        ("huge", [b"1e400\n"]),
        ("long", [b"9" * 5000 + b"\n"]),
        ("moved", [lines[chance.randrange(len(lines))]]),
    )
    says, new_lines = chance.choice(edits)
    return f"line {at + 1} {says}", b"".join([*lines[:at], *new_lines, *lines[at + 1 :]])


def of_text(data: bytes, chance: Random) -> Edit:
    """Edit a line of a text, or bytes of it."""
    return of_bytes(data, chance) if not chance.randrange(3) else Edit(*of_text_lines(data, chance))


CASES: Final[dict[str, VectorCase]] = {
    "geojson": _drawn("edited.geojson", "GeoJSON", of_json),
    "geojsonseq": _drawn("edited.geojsonl", "GeoJSONSeq", of_lines),
    "gpkg": _drawn("edited.gpkg", "GPKG", of_geopackage),
    "sqlite": _drawn("edited.sqlite", "SQLite", of_geopackage),
    "shp": _drawn("edited.shp", "ESRI Shapefile", of_bytes),
    "shx": _drawn("edited.shp", "ESRI Shapefile", of_bytes, beside=".shx"),
    "dbf": _drawn("edited.shp", "ESRI Shapefile", of_bytes, beside=".dbf"),
    "shp.zip": VectorCase("edited.zip", in_archive(".", of_bytes), _zipped_shapefile),
    "kml": _drawn("edited.kml", "KML", of_xml, column="Name"),
    "kmz": VectorCase("edited.kmz", in_archive(".", of_xml), _zipped_kml),
    "gml": _drawn("edited.gml", "GML", of_xml),
    "fgb": _drawn("edited.fgb", "FlatGeobuf", of_bytes),
    "gpx": _drawn("edited.gpx", "GPX", of_xml, column="name"),
    "dxf": _drawn("edited.dxf", "DXF", of_text, crs="EPSG:4326"),
    "dgn": _drawn("edited.dgn", "DGN", of_bytes, crs="EPSG:4326"),
    "tab": _drawn("edited.tab", "MapInfo File", of_text),
    "map": _drawn("edited.tab", "MapInfo File", of_bytes, beside=".map"),
    "dat": _drawn("edited.tab", "MapInfo File", of_bytes, beside=".dat"),
    "mif": _drawn("edited.mif", "MapInfo File", of_text),
    "mid": _drawn("edited.mif", "MapInfo File", of_text, beside=".mid"),
    "csv": _drawn("edited.csv", "CSV", of_csv),
    "gdb.zip": VectorCase("edited.gdb.zip", in_archive(".", of_bytes), _zipped_geodatabase),
    "gmt": _drawn("edited.gmt", "OGR_GMT", of_text),
    "jml": _drawn("edited.jml", "JML", of_xml, crs="EPSG:4326"),
    "osm": _written("edited.osm", of_xml, _OSM.encode()),
    "pbf": VectorCase("edited.osm.pbf", of_bytes, _osm_pbf),
    "e00": VectorCase("edited.e00", of_text, lambda: {"edited.e00": _E00.encode()}, "EPSG:4326"),
    "georss": _written("edited.xml", of_xml, _GEORSS.encode()),
    "s57": VectorCase("edited.000", of_bytes, lambda: {"edited.000": _S57.read_bytes()}),
    "overpass": _written("edited.json", of_json, _OVERPASS),
    "topojson": _written("edited.topojson", of_json, _TOPOJSON),
    "esrijson": _written("edited.json", of_json, _ESRI),
    "graph": _written("edited.json", of_json, _GRAPH),
    "gtfs": VectorCase("edited.zip", in_archive(".", of_csv), _zipped_timetable),
    "svg": _written("edited.svg", of_xml, _SVG),
}
"""Files by kind, or by the suffix of the file beside it that is edited."""


def find_faults(name: str, edits: int, folder: Path) -> Iterator[str]:
    """Yield what is wrong with the reading of each edit of a format."""
    case = CASES[name]
    files = case.files()
    for file, data in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(data)
    path = folder / case.file
    options = ImportOptions(crs=case.crs)
    good = read_any(path, options=options)
    assert len(good.lines)
    edited_file = case.edited_file or case.file
    for number in range(edits):
        edit = case.make(files[edited_file], Random(f"{name} {_SEED} {number}"))  # noqa: S311 - no secret
        (folder / edited_file).write_bytes(edit.data)
        started = time.monotonic()
        try:
            layer = read_any(path, options=options)
        except MapkitError as error:
            if case.file not in str(error):
                yield f"{name} {number}: {edit.says}: does not name the file: {error}"
        except Exception as error:  # noqa: BLE001 - what is looked for
            yield f"{name} {number}: {edit.says}: {type(error).__name__}: {error}"
        else:
            if name != "svg" and not len(layer.lines) and not len(layer.points):  # an empty drawing is refused later
                yield f"{name} {number}: {edit.says}: nothing, and no error"
        if (seconds := time.monotonic() - started) > LONGEST_S:
            yield f"{name} {number}: {edit.says}: {seconds:.0f} seconds"


def main() -> int:
    """Run all formats; return 1 if one has a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", help="all by default")
    parser.add_argument("--edits", type=int, default=100, help="of each format")
    parser.add_argument("--here", action="store_true", help="one format, in this process")
    options = parser.parse_args()
    if options.here:
        import resource  # noqa: PLC0415 - Unix only

        with tempfile.TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
            faults = list(find_faults(options.formats[0], options.edits, Path(folder)))
        print("\n".join(faults))
        peak_bytes = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{options.formats[0]}: {options.edits} edits, {len(faults)} faults, {peak_bytes / 1e6:,.0f} MB at most")
        return int(bool(faults) or peak_bytes > MOST_BYTES)
    failed = [
        name
        for name in options.formats or CASES
        if subprocess.run(
            [sys.executable, __file__, "--here", name, "--edits", str(options.edits)],
            check=False, timeout=LONGEST_S + 10 * options.edits,
        ).returncode
    ]  # fmt: skip
    print("failed: " + ", ".join(failed) if failed else "no faults")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
