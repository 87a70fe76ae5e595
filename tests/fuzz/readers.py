"""Every reader of a file that people or programs edit: a good file, what one edit makes of it, and the commands.

A reader's file lies in a workspace with a board `example` of the template and with the small board as `tiny.json`. A
command runs in process; it must end with exit code 0, 1 or 2, and if it does not do its work, say which file is wrong,
and leave all files as they were.
"""

import contextlib
import io
import json
import os
import re
import shutil
import sys
import traceback
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import geopandas as gpd
import openpyxl
import shapely
from edited import TEMPLATE
from hexagons import compiled, example
from PIL import Image, ImageDraw
from rb3_sample import LAKELAND
from scans.pdf_writer import PdfPage, pdf
from tiny import tiny_board

from fuzz.edits import (
    Edit,
    Maker,
    in_archive,
    of_bytes,
    of_csv,
    of_geopackage,
    of_json,
    of_lines,
    of_pdf,
    of_rb3,
    of_toml,
    of_workbook,
    of_xml,
)
from fuzz.patching import good_file
from mapkit.cli.app import main
from mapkit.core.geodesy import line_miles
from mapkit.core.jsontext import json_text
from mapkit.document.journal import decode
from mapkit.kinds.hex.exchange.format import HexExport
from mapkit.kinds.hex.exchange.registry import get_format

USAGE = 2
RAW = re.compile(
    r"Traceback|errors\.pydantic\.dev|[Ii]nput should|codec can't|\b[A-Z][a-z]\w*(Error|Exception)\b|GDAL|sqlite3"
    r"|NoneType|has no attribute|Expected `|[Ff]ield required|[Ee]xtra inputs|disk image"
)
"""What pydantic, GDAL, SQLite, msgspec and Python say, and messages of mapkit do not."""
Files = dict[str, bytes]


@dataclass(frozen=True)
class Reader:
    """A kind of file, and the commands that read it.

    Attributes:
        file: Where it lies in the workspace.
        make: Makes one edit of it.
        commands: What is run, one after the other, each in the workspace as it was; `{}` is the file.
        good: Returns the good file; None if it lies in the workspace.
        beside: Other files of the workspace.
        named: What a message must hold to name the file; the name of the file by default.
    """

    file: str
    make: Maker
    commands: tuple[str, ...]
    good: Callable[[], bytes] | None = None
    beside: Callable[[], Files] = dict
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a command ended on an edited file.

    Attributes:
        wrong: What is not as promised; empty if all is.
    """

    command: str
    code: int
    text: str
    wrong: str


HEXES = ("import {}", "import {} --into mine")


@cache
def workspace() -> Files:
    """Return the files of the workspace."""
    paths = [path for path in sorted(TEMPLATE.rglob("*")) if path.is_file()]
    files = {f"sources/example/{path.relative_to(TEMPLATE).as_posix()}": path.read_bytes() for path in paths}
    return {**files, "nine.csv": COORDINATES.encode(), "tiny.json": json_text(tiny_board()).encode()}


_LINES = (
    ("shore", "New Haven", [(-72.93, 41.31), (-72.1, 41.36), (-71.41, 41.82), (-71.06, 42.36)]),
    ("valley", "Hartford", [(-72.93, 41.31), (-72.68, 41.76), (-72.6, 42.1), (-72.56, 42.86), (-73.2, 44.48)]),
)


@cache
def _hexes(form: str) -> bytes:
    """Return the small example of hexagons in a format."""
    board = compiled(example()).board
    files = get_format(form).write(board, HexExport()).files
    data = next(data for name, data in files.items() if name.endswith(get_format(form).suffixes[0]))
    return data.encode() if isinstance(data, str) else data


@cache
def _drawn() -> Any:
    shapes: list[Any] = [shapely.LineString(line) for _, _, line in _LINES]
    shapes += [shapely.Point(line[0]) for _, _, line in _LINES]
    names = {"railroad": [r for r, _, _ in _LINES] * 2, "name": [""] * 2 + [n for _, n, _ in _LINES], "n": [1, 2, 3, 4]}
    return gpd.GeoDataFrame(names, geometry=shapes, crs=4326)


@cache
def _saved(suffix: str, driver: str) -> Files:
    """Return what GDAL writes of two drawn lines."""
    frame = _drawn() if driver in ("GeoJSON", "KML", "GPX") else _drawn().iloc[:2]
    with TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        frame.to_file(Path(folder) / f"drawn{suffix}", driver=driver, engine="pyogrio")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def _gdal(suffix: str, driver: str) -> Callable[[], bytes]:
    return lambda: _saved(suffix, driver)[f"drawn{suffix}"]


def _shapefile() -> Files:
    return dict(_saved(".shp", "ESRI Shapefile").items())


def _zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 200"
 width="300mm" height="200mm"><defs><path id="p" d="M0,0 L9,9"/><clipPath id="c"><rect width="9" height="9"/></clipPath>
</defs><g id="shore" transform="translate(5,5)"><path d="M10,10 C20,20 30,20 40,10 A5,5 0 0 1 60,60"/>
<polyline points="60,60 80,80 90,60"/></g><g id="valley"><line x1="10" y1="90" x2="60" y2="60"/>
<use xlink:href="#p" x="3" transform="rotate(30)"/><circle cx="60" cy="60" r="2"/><text x="5" y="6">Ash</text></g></svg>
"""
POINTS = """x,y,lon,lat,city
10,10,-72.93,41.31,
60,60,-71.41,41.82,
90,60,,,Boston
10,90,-73.2,44.48,
80,20,-71.0,42.9,
"""
GRAPH = {
    "crs": "EPSG:4326",
    "nodes": [
        {"id": 1, "lon": -72.93, "lat": 41.31, "name": "New Haven"},
        {"id": 2, "lon": -71.41, "lat": 41.82, "name": "Providence", "milepost": False},
        {"id": 3, "lon": -71.06, "lat": 42.36, "name": "Boston"},
    ],
    "edges": [
        {"from": 1, "to": 2, "railroad": "shore", "path": [[-72.93, 41.31], [-72.1, 41.36], [-71.41, 41.82]]},
        {"from": 2, "to": 3, "railroad": "shore"},
    ],
}
PLACES = "place,lon,lat\nOrford,-72.1,43.9\nNowhere,-71,43\n"
MAPPING = "file,by,key,railroad\nmap.svg,id,shore,shore\nmap.svg,id,valley,valley\nmap.svg,id,*,cross\n"
THEME = """name = "mine"
about = "brown ink on old paper"
water = "#cfd8cf"
land = "#f1e7d0"
ink = "#3b2a1a"
quiet_ink = "#4d3a28"
lines = "ink"

[sizes]
city_text = 3.5
"""
VARIANT = """name = "mine"
title = "Mine"
board = "example"

[[operations]]
op = "set-payoff"
a = "albany"
b = "boston"
was = 7.5
value = 8.5
reason = "a slip"

[[operations]]
op = "change-railroad"
id = "shore"
name = "Shore Line and Sons"
price = 5000
was = { price = 8000 }
reason = "renamed"

[[operations]]
op = "add-milepost"
id = "old-lyme-ct"
name = "Old Lyme CT"
segments = ["shore--new-haven--new-london-ct"]
lon = -72.3
lat = 41.32
reason = "a dot more"

[[operations]]
op = "move-milepost"
id = "boston"
lon = -71.1
lat = 42.4
reason = "moved"

[[operations]]
op = "add-line"
railroad = "shore"
mileposts = ["boston", "springfield"]
reason = "a line"

[[operations]]
op = "set-rule"
path = "setup.starting_cash"
value = 25000
reason = "more to begin with"
"""
RULES = """preset = "ah"
options = ["half-time"]

[setup]
starting_cash = 25000

[fees]
own = 0

[[group_purchase.groups]]
name = "Two"
members = ["shore", "valley"]
price = 18000

[[house.words]]
title = "Kindness"
text = "Be kind."
"""
CONFIG = """
[units]
currency = "USD"
symbol = "$"
payoff = 1000

[drawing]
theme = "atlas"
sizes = { city_text = 3.1 }

[tracing]
snap_mi = 1.5
georeference = "affine"
crs = "EPSG:4326"

[spacing]
at_junctions = true
gap_mi = 30
railroads = { shore = 25 }
regions = { coast = 40 }

[layers]
land = "layers/land.geojson"

[destinations]
weights = "cities"

[extensions]
"org.example.game" = { mine = [1, 2] }

"""
LAND = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": {"region": "coast"},
         "geometry": {"type": "Polygon", "coordinates": [[[-75, 40], [-69, 40], [-69, 46], [-75, 46], [-75, 40]]]}}
    ],
}  # fmt: skip
STEPS = [
    {"kind": "edit-city", "id": "boston", "lon": -71.1, "lat": 42.4},
    {"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 8.5},
    {"kind": "set-setting", "key": "page.width", "value": 300},
    {"kind": "add-line", "railroad": "shore", "stops": [{"place": "Boston", "kind": "milepost"}, {"lon": -70.0,
     "lat": 43.0, "place": "Nowhere", "kind": "milepost"}]},
]  # fmt: skip
NINE = {"Albany": (-73.76, 42.65), "Boston": (-71.06, 42.36), "Burlington": (-73.21, 44.48), "Chicago": (-87.65, 41.85),
        "Denver": (-104.98, 39.74), "Miami": (-80.19, 25.77), "New Haven": (-72.93, 41.31), "Portland": (-70.26, 43.66),
        "Springfield": (-72.59, 42.1)}  # fmt: skip
COORDINATES = "name,lon,lat\n" + "".join(f"{name},{lon},{lat}\n" for name, (lon, lat) in NINE.items())
WISHES = "name,weight,least,most,exactly,avoid,cells\nAsh,3,2/72,40/72,,2,odd-7\nBirch,2,,,,,\nCedar,1,,,9/72,,\n"

BOARD = (
    "draw {} --out o.svg",
    "check {}",
    "report {}",
    "export {} --to lookup,bga,rb3,vassal --out out",
    "export {} --to gpkg,kml,tts,xlsx,graphml,gexf --out out",
    "variant from {} mine --of tiny.json",
    "import {} --into x",
    "variant diff {} tiny.json --as-variant mine",
    "route ash dale --board {}",
    "destinations odds {}",
    "sheets {} --out o",
    "print {} --out o.pdf",
)
TABLES = ("variant from {} mine --of tiny.json", "import {} --into x", "import {}", "payoffs read {} --board tiny.json")
DRAWN = ("import {}", "import {} --into example --new-railroads", "import {} --into example --keep-topology -m *=SHORE")
SHAPEFILE = tuple(command.replace("{}", "drawn.shp") for command in DRAWN)
PACKAGE = (
    "check example", "build example", "draw example --out o.svg", "report example",
    'do example {"kind":"set-payoff","a":"albany","b":"boston","thousands":9}', "trace example",
    "variant check mine", "export example --to engine,vassal,rb3,gpkg --out out",
)  # fmt: skip
PAYOFFS = (
    "payoffs read {}", "payoffs check {}", "payoffs read {} --board example", "payoffs diff {} example",
    "payoffs check {} --coordinates nine.csv",
)  # fmt: skip
PDFS = ("payoffs read {}", "destinations check {}", "railroads read {} --board example", "payoffs check {} -b example")
DESTINATIONS = ("destinations check {} --board example", "destinations diff {} example --board example")


def _board(name: str, suffix: str, make: Maker) -> Reader:
    return Reader(f"edited{suffix}", make, TABLES, lambda: good_file(name))


def _of_example(name: str) -> Callable[[], bytes]:
    return lambda: workspace()[f"sources/example/{name}"]


@cache
def _chart() -> dict[str, dict[str, float]]:
    """Return payoffs of nine cities, by distance."""
    miles = {(a, b): line_miles([p, q]) for a, p in NINE.items() for b, q in NINE.items()}
    return {a: {b: round(miles[a, b] / 50) / 2 for b in NINE} for a in NINE}


def _payoff_table() -> bytes:
    rows = [["", *NINE], *([city, *map(str, row.values())] for city, row in _chart().items())]
    return "".join(",".join(row) + "\n" for row in rows).encode()


def _payoff_workbook() -> bytes:
    book: Any = openpyxl.Workbook()
    book.active.append(["", *NINE])
    for city, row in _chart().items():
        book.active.append([city, *row.values()])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _payoff_json() -> bytes:
    return json.dumps(_chart()).encode()


def _payoff_pdf() -> bytes:
    page = PdfPage()
    for k, city in enumerate(NINE):
        page.text(140 + 60 * k, 80, city, 9)
        page.text(40, 100 + 14 * k, city, 9)
        for j, amount in enumerate(_chart()[city].values()):
            page.text(140 + 60 * j, 100 + 14 * k, f"{amount:g}", 9)
    return pdf([page])


@cache
def _stage() -> bytes:
    """Return the stage of the example that `mapkit trace` writes."""
    with TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        put(Path(folder), {**workspace(), "drawn.geojson": _gdal(".geojson", "GeoJSON")()})
        run(Path(folder), "import drawn.geojson --into example --new-railroads")
        ended = run(Path(folder), "trace example --until node --out stage.gpkg")
        assert ended.code == 0, ended.text
        return (Path(folder) / "stage.gpkg").read_bytes()


@cache
def _journal() -> bytes:
    with TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        put(Path(folder), {**workspace(), "steps.json": json.dumps(STEPS).encode()})
        ended = run(Path(folder), "do example steps.json")
        assert ended.code == 0, ended.text
        run(Path(folder), "undo example")
        return (Path(folder) / "sources" / "example.journal").read_bytes()


def of_journal(data: bytes, chance: Random) -> Edit:
    """Edit one entry of a journal, and sign it again in most cases."""
    if not chance.randrange(4):
        return of_lines(data, chance)
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    entry = decode(lines[at])
    edit = of_json(json.dumps(entry).encode(), chance)
    signed = b'{"crc":"' + f"{zlib.crc32(edit.data):08x}".encode() + b'","entry":' + edit.data + b"}\n"
    return Edit(f"entry {at + 1}: {edit.says}", b"".join([*lines[:at], signed, *lines[at + 1 :]]))


def _with_drawing() -> Files:
    return {"sources/example/drawings/map.svg": SVG.encode(), "sources/example/drawings/mapping.csv": MAPPING.encode(),
            "sources/example/control_points.csv": POINTS.encode()}  # fmt: skip


def _config() -> bytes:
    """Return a board.toml that uses most of what it may hold."""
    rules = (
        RULES.replace("preset", "[rules]\npreset").replace("[setup]", "[rules.setup]").replace("[fees]", "[rules.fees]")
    )
    rules = rules.replace("[[group", "[[rules.group").replace("[[house", "[[rules.house")
    accepted = '\n[accepted]\n"N05:cross:rutland-vt" = "intended"\n'
    plain = workspace()["sources/example/board.toml"].decode()
    return (plain[: plain.index("[accepted]")] + CONFIG + rules + accepted).encode()


def _with_land() -> Files:
    return {"sources/example/layers/land.geojson": json.dumps(LAND).encode()}


def _scan() -> bytes:
    """Return a picture of two dots and a line between them."""
    image = Image.new("RGB", (160, 80), "#f5f1e6")
    draw = ImageDraw.Draw(image)
    draw.line((40, 40, 120, 40), fill="#e2671f", width=5)
    for x in (40, 120):
        draw.ellipse((x - 6, 34, x + 6, 46), fill="#1b1b1b")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


OF_A_BOARD = ("board.toml", ".csv", "drawings/", "layers/", "RB3", "example was not built", "this board", "mine.toml")
"""How messages name a file of a source package, which a mistake in another file may be found in."""


def _source(name: str, make: Maker, beside: Callable[[], Files] = dict) -> Reader:
    return Reader(f"sources/example/{name}", make, PACKAGE, None, beside, OF_A_BOARD)


def _hex_board(form: str, suffix: str, make: Maker) -> Reader:
    return Reader(f"edited{suffix}", make, HEXES, lambda: _hexes(form))


READERS: dict[str, Reader] = {
    "board.json": Reader("edited.json", of_json, BOARD, lambda: good_file("engine")),
    "geojson board": _board("geojson", ".geojson", of_json),
    "topojson board": _board("topojson", ".topojson", of_json),
    "node-link board": _board("node-link", ".node-link.json", of_json),
    "gexf board": _board("gexf", ".gexf", of_xml),
    "graphml board": _board("graphml", ".graphml", of_xml),
    "kml board": _board("kml", ".kml", of_xml),
    "geopackage board": _board("gpkg", ".gpkg", of_geopackage),
    "workbook board": _board("xlsx", ".xlsx", of_workbook),
    "rb3": Reader(
        "edited.rb3", of_rb3, ("import {} --into x --country none", "import {}", "draw {} --out o.svg"), LAKELAND.encode
    ),
    "geojson": Reader("edited.geojson", of_json, DRAWN, _gdal(".geojson", "GeoJSON")),
    "geopackage": Reader("edited.gpkg", of_geopackage, DRAWN, _gdal(".gpkg", "GPKG")),
    "kml": Reader("edited.kml", of_xml, DRAWN, _gdal(".kml", "KML")),
    "gml": Reader("edited.gml", of_xml, DRAWN, _gdal(".gml", "GML")),
    "flatgeobuf": Reader("edited.fgb", of_bytes, DRAWN, _gdal(".fgb", "FlatGeobuf")),
    "shapefile .shp": Reader("drawn.shp", of_bytes, SHAPEFILE, None, _shapefile),
    "shapefile .dbf": Reader("drawn.dbf", of_bytes, SHAPEFILE, None, _shapefile, ("drawn.",)),
    "shapefile .shx": Reader("drawn.shx", of_bytes, SHAPEFILE, None, _shapefile, ("drawn.",)),
    "shapefile .prj": Reader("drawn.prj", of_bytes, SHAPEFILE, None, _shapefile, ("drawn.",)),
    "shapefile zip": Reader("edited.zip", in_archive(".", of_bytes), DRAWN, lambda: _zipped(_shapefile())),
    "kmz": Reader("edited.kmz", in_archive(".", of_xml), DRAWN, lambda: _zipped({"doc.kml": _gdal(".kml", "KML")()})),
    "svg": Reader(
        "edited.svg", of_xml, (*DRAWN, "picture {} --out o.png --to png", "picture {} --out o.pdf"), SVG.encode
    ),
    "graph": Reader("edited.json", of_json, DRAWN, json.dumps(GRAPH).encode),
    "stage": Reader("edited.gpkg", of_geopackage, ("import {} --into example", "trace example --from {}"), _stage),
    "board.toml": Reader("sources/example/board.toml", of_toml, PACKAGE, _config, _with_land),
    "own layer": _source(
        "layers/land.geojson", of_json, lambda: {"sources/example/board.toml": _config(), **_with_land()}
    ),
    "cities.csv": _source("cities.csv", of_csv),
    "railroads.csv": _source("railroads.csv", of_csv),
    "lines.csv": _source("lines/shore.csv", of_csv),
    "places.csv": Reader("sources/example/places.csv", of_csv, PACKAGE, PLACES.encode),
    "payoffs.csv": _source("charts/payoffs.csv", of_csv),
    "destinations.csv": _source("charts/destinations.csv", of_csv),
    "mapping.csv": _source("drawings/mapping.csv", of_csv, _with_drawing),
    "control_points.csv": Reader(
        "sources/example/control_points.csv",
        of_csv,
        (*PACKAGE, "georeference example", "georeference {}"),
        None,
        _with_drawing,
    ),
    "drawing of a board": _source("drawings/map.svg", of_xml, _with_drawing),
    "geojson of a board": Reader(
        "sources/example/drawings/own.geojson", of_json, PACKAGE, _gdal(".geojson", "GeoJSON")
    ),
    "payoff table": Reader("edited.csv", of_csv, PAYOFFS, _payoff_table),
    "payoff workbook": Reader("edited.xlsx", of_workbook, PAYOFFS, _payoff_workbook),
    "payoff json": Reader("edited.json", of_json, PAYOFFS, _payoff_json),
    "payoff pdf": Reader("edited.pdf", of_pdf, PDFS, _payoff_pdf),
    "destination table": Reader("edited.csv", of_csv, DESTINATIONS, _of_example("charts/destinations.csv")),
    "coordinates": Reader(
        "edited.csv",
        of_csv,
        ("payoffs check chart.csv --coordinates {}",),
        COORDINATES.encode,
        lambda: {"chart.csv": _payoff_table()},
    ),
    "wishes": Reader("edited.csv", of_csv, ("destinations solve {}",), WISHES.encode),
    "variant": Reader(
        "variants/mine.toml",
        of_toml,
        (
            "variant show mine",
            "variant check mine",
            "variant apply mine --out o.json",
            "variant diff example {}",
            "variant rebase {} --from example --onto example",
            "build example --variant mine",
            "variant list",
        ),
        VARIANT.encode,
        named=("mine",),
    ),
    "scan": Reader("edited.png", of_bytes, ("trace-scan {} --board example --dry-run",), _scan),
    "theme": Reader("mine.toml", of_toml, ("draw example --theme {} --out o.svg",), THEME.encode),
    "rules": Reader(
        "mine.toml",
        of_toml,
        ("rules check {}", "rules show {}", "rules diff {} ah", "rules sheet {} --out o.md"),
        RULES.encode,
    ),
    "steps": Reader(
        "steps.json",
        of_json,
        ("do example {} --label All",),
        json.dumps(STEPS).encode,
        named=("steps.json", "example", "sources"),
    ),
    "hex board file": _hex_board("json", ".json", of_json),
    "hexjson": _hex_board("hexjson", ".hexjson", of_json),
    "tiled": _hex_board("tiled", ".tmx", of_xml),
    "tiled json": _hex_board("tiled-json", ".tmj", of_json),
    "18xx-maker": _hex_board("18xx-maker", ".18xx-maker.json", of_json),
    "journal": Reader(
        "sources/example.journal",
        of_journal,
        (
            "journal example",
            "undo example",
            'do example {"kind":"set-payoff","a":"albany","b":"boston","thousands":9}',
            "check example",
        ),
        _journal,
        named=("example", "nothing to undo", "so nothing was written"),
    ),
}


def put(folder: Path, files: Files) -> None:
    """Write files."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def files_of(reader: Reader) -> Files:
    """Return the workspace of a reader, with its good file."""
    files = {**workspace(), **reader.beside()}
    if "variant check mine" in reader.commands:
        files["variants/mine.toml"] = VARIANT.encode()
    if reader.good is not None:
        files[reader.file] = reader.good()
    return files


def _there(folder: Path) -> Files:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != ".lock"}  # fmt: skip


def _changed(before: Files, after: Files) -> set[str]:
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def _written_all_the_same(ended: Ended) -> set[str]:
    """Return what a command writes though its exit code is 1: a variant of a part of the edit, a journal."""
    if "nothing to undo" in ended.text or "so nothing was written" in ended.text:
        return {"sources/example.journal", "sources/example.journal.damaged"}
    return {"mine", "variants/mine.toml"} if "no operation says this: " in ended.text else set()


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    old = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(old)


def run(folder: Path, command: str, named: tuple[str, ...] = ()) -> Ended:
    """Run a command of mapkit in a folder and judge how it ended."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    argv, sys.argv = sys.argv, ["mapkit", *command.split(" ")]
    try:
        with _in(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        where = traceback.format_exc()
        return Ended(command, -1, where, f"{type(error).__name__}: {error}")
    finally:
        sys.argv = argv
    text = out.getvalue() + err.getvalue()
    wrong = ""
    if code not in (0, 1, USAGE):
        wrong = f"exit code {code}"
    elif found := RAW.search(text):
        wrong = f"the words of a library: {found[0]}"
    elif re.search("^mapkit: ", text, re.MULTILINE) and named and not any(name in text for name in named):
        wrong = "the file is not named"
    return Ended(command, code, text, wrong)


def try_edit(reader: Reader, edit: Edit, folder: Path, commands: tuple[str, ...] | None = None) -> list[Ended]:
    """Run the commands of a reader on an edited file, each in a folder as it was, and return how they ended."""
    files = {**files_of(reader), reader.file: edit.data}
    named = (*(reader.named or (Path(reader.file).name,)), "places.csv")  # the places that drawn lines give
    ends = []
    for command in reader.commands if commands is None else commands:
        shutil.rmtree(folder, ignore_errors=True)
        put(folder, files)
        ended = run(folder, command.replace("{}", reader.file) if "{}" in command else command, named)
        odd = _changed(files, _there(folder)) - _written_all_the_same(ended)
        if ended.code and not ended.wrong and odd:
            ended = Ended(command, ended.code, ended.text, f"files changed though it failed: {sorted(odd)}")
        ends.append(ended)
    return ends
