"""What is fuzzed: each target takes any bytes and raises nothing but MapkitError.

A target is chosen by the folder of the same name in `corpus/`. It gives its bytes to a reader as a user's file would
come, and looks at the result: coordinates are finite, lists are of one length, a georeference leads back.
"""

import io
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import shapely
from PIL import Image, ImageDraw

from fuzz.patching import good_file, patched_binary, patched_text, patched_zip, reads_back
from mapkit.core.errors import ExportError, MapkitError, SourceError
from mapkit.document.plain_tables import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.pdf.glyphs import RefusedError, read_pages
from mapkit.formats.pdf.guard import refuse_hostile
from mapkit.formats.pdf.matrix import read_matrix_tables
from mapkit.formats.pixels import read_pixels
from mapkit.formats.recognising.components import find_components
from mapkit.formats.recognising.deskew import deskew_page
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.importing import rb3_to_source_files
from mapkit.kinds.rail.exchange.rb3.map_placement import flat_placement, place_by_frame
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3
from mapkit.kinds.rail.importing.mapping import line_railroads, read_mapping
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.reading.lines import read_lines
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.kinds.rail.sources.chart_tables import read_destinations, read_payoffs
from mapkit.kinds.rail.sources.cities import read_cities
from mapkit.kinds.rail.sources.city_coordinates import read_city_coordinates
from mapkit.kinds.rail.sources.config import parse_config, read_rules
from mapkit.kinds.rail.sources.control_points import parse_control_points
from mapkit.kinds.rail.sources.package import read_railroads
from mapkit.kinds.rail.sources.places import PlaceFinder, read_places
from mapkit.kinds.rail.sources.table_files import CITIES, DESTINATIONS, PAYOFFS, PLACES, RAILROADS
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Model
from mapkit.kinds.rail.variants.variant import parse_variant
from mapkit.variants.writing import variant_text

CORPUS = Path(__file__).resolve().parent / "corpus"
_TEMPLATE = Path(__file__).resolve().parents[2] / "mapkit" / "kinds" / "rail" / "sources" / "template"
_MODELS: tuple[Model, ...] = ("affine", "projective", "tps")
_MOST_POINTS = 30  # that are fitted, so that one input takes no second


@dataclass(frozen=True)
class Target:
    """One reader, and how bytes reach it.

    Attributes:
        run: Reads the file; returns whether it was accepted, raises on anything that is not a MapkitError.
        file: The name under which the bytes are given to the reader.
        words: What a mutation may insert.
        make: Makes the file of an input; by default it is the input.
    """

    run: Callable[[Path], None]
    file: str
    words: tuple[str, ...] = ()
    make: Callable[[bytes], bytes] = bytes

    def accepts(self, data: bytes) -> bool:
        """Return whether the reader takes these bytes; False if it refuses them as it should.

        Raises:
            Exception: A defect.
        """
        with tempfile.TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
            path = Path(folder) / self.file
            path.write_bytes(self.make(data))
            try:
                self.run(path)
            except MapkitError as error:
                _check_message(error, self.file)
                return False
        return True


def _check_message(error: MapkitError, file: str) -> None:
    """Hold a refusal to what is promised of it: it says something, and a SourceError names the file."""
    assert str(error).strip(), repr(error)
    if isinstance(error, SourceError):
        assert error.problems
        assert file in error.problems[0] or error.problems[0].startswith("projection"), error.problems[0]


def _check_layer(layer: TracedLayer) -> None:
    shapes = [*layer.lines, *layer.points]
    assert np.isfinite(shapely.get_coordinates(shapes)).all()
    assert not shapely.is_empty(shapes).any()
    assert not shapely.has_z(shapes).any()
    assert len(layer.lines) == len(layer.line_keys) == len(layer.line_features)
    assert len(layer.points) == len(layer.point_names) == len(layer.point_features)
    if layer.crs is not None:
        at = shapely.get_coordinates(shapes)
        assert (np.abs(at) <= (180, 90)).all()


def _traced(path: Path) -> None:
    """Read a file of lines, in two of the ways that an author may ask for; the first decides."""
    try:
        layer = read_any(path, options=ImportOptions(crs="EPSG:3857", column="railroad", key_from="id"))
        _check_layer(layer)
        line_railroads(layer, {"prr": "Pennsylvania", "nyc": "New York Central"})
    except MapkitError as error:
        _check_message(error, path.name)
    _check_layer(read_any(path, options=ImportOptions(rings=True)))


def _mapping(path: Path) -> None:
    for found in read_mapping(read_text(path, name=path.name), file=path.name).values():
        assert found.by in {"layer", "group", "id", "column"}
        assert (found.by == "column") == bool(found.column)


_PLACES = {"Ash": (-100.0, 42.0), "Birch": (-99.0, 41.0), "Cedar": (-101.5, 40.0), "Date": (-98.0, 43.5)}


def _finder(cities: Iterable[City] = ()) -> PlaceFinder:
    return PlaceFinder.of(cities=cities, places=_PLACES, countries=("MC",))


def _control_points(path: Path) -> None:
    points = parse_control_points(read_text(path, name=path.name), file=path.name, finder=_finder())
    errors = [error for model in _MODELS if (error := _placed(points[:_MOST_POINTS], model))]
    if errors:
        raise errors[0]


def _placed(points: tuple[ControlPoint, ...], model: Model) -> MapkitError | None:
    """Fit a model; what is accepted must lead back to a millionth of a degree."""
    try:
        placed = georeference(points, model=model)
    except MapkitError as error:
        return error
    placed.report()
    there = placed.lonlat_or_nan(np.array([(p.x, p.y) for p in points]))
    again = placed.lonlat_or_nan(placed.pixels_or_nan(there))
    known = np.isfinite(there).all(axis=1) & np.isfinite(again).all(axis=1)
    off = np.abs((again - there)[known])
    off[:, 0] = np.minimum(off[:, 0], 360 - off[:, 0]) * np.cos(np.radians(there[known, 1]))
    assert (off < 1e-6).all(), (model, off.max())
    return None


def _reader(path: Path, file: str) -> TableReader:
    return TableReader({file: read_text(path, name=path.name)})


_CONFIG = parse_config((_TEMPLATE / "board.toml").read_text(encoding="utf-8"))
_CITIES = read_cities(_reader(_TEMPLATE / CITIES, CITIES), _CONFIG.regions)
_RAILROADS = read_railroads(_reader(_TEMPLATE / RAILROADS, RAILROADS))


def _stations(path: Path) -> None:
    file = f"lines/{path.name}"
    reader = _reader(path, file)
    lines = read_lines(reader, file, _RAILROADS, set())
    reader.raise_if_any()
    assert lines


def _railroads(path: Path) -> None:
    reader = _reader(path, RAILROADS)
    railroads = read_railroads(reader)
    reader.raise_if_any()
    assert railroads


def _cities(path: Path) -> None:
    reader = _reader(path, CITIES)
    cities = read_cities(reader, _CONFIG.regions)
    reader.raise_if_any()
    assert cities


def _places(path: Path) -> None:
    reader = _reader(path, PLACES)
    places = read_places(reader)
    reader.raise_if_any()
    assert places


def _destinations(path: Path) -> None:
    reader = _reader(path, DESTINATIONS)
    read_destinations(reader, _CITIES, _CONFIG.regions)
    reader.raise_if_any()


def _pdf(path: Path) -> None:
    """In process, unlike mapkit itself: a crash of PDFium is a finding here."""
    data = path.read_bytes()
    refuse_hostile(data, file=path.name)
    try:
        tables, _ = read_matrix_tables(read_pages(data), file=path.name)
    except RefusedError as error:
        raise SourceError(f"{path.name}: {error}") from error
    if not tables:
        raise SourceError(f"{path.name}: no chart found")
    for cell in (cell for table in tables for row in table.rows for cell in row if cell.spot is not None):
        assert cell.spot is None or all(map(np.isfinite, cell.spot.box))


def _picture(path: Path) -> None:
    """Decode a picture of a chart, and look for words in it where the extra for that is installed."""
    pixels = read_pixels(path, colours=False)
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    if find_spec("cv2") is not None:
        level = deskew_page(pixels[:, :, 0].copy())
        assert level is None or find_components(level.grey).grey.shape == level.grey.shape


_INKS = {"red": "#aa4845", "blue": "#2f74bb"}
_SIDE = 160
_SHAPE_BYTES = 6


def drawn(data: bytes) -> bytes:
    """Return a picture of what six bytes each say: a dot, a square, a line or a patch, from where to where, its ink."""
    image = Image.new("RGB", (_SIDE, _SIDE), "#f5f1e6")
    draw = ImageDraw.Draw(image)
    for at in range(0, min(len(data), 100 * _SHAPE_BYTES) - _SHAPE_BYTES + 1, _SHAPE_BYTES):
        what, x, y, to_x, to_y, ink = data[at : at + _SHAPE_BYTES]
        colour = ("#111111", *_INKS.values(), "#f5f1e6")[ink % 4]
        half = 4 + ink // 4 % 3
        if what % 4 == 0:
            draw.ellipse((x - half, y - half, x + half, y + half), fill="#111111")
        elif what % 4 == 1:
            draw.rectangle((x - 7, y - 7, x + 7, y + 7), fill="#111111")
        elif what % 4 == 2:
            draw.line((x, y, to_x, to_y), fill=colour, width=1 + ink // 4 % 5)
        else:
            draw.rectangle((min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)), fill=colour)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _scan(path: Path) -> None:
    """Read a picture of a board; links lead from symbol to symbol."""
    try:
        board = scan_board(read_pixels(path), _INKS, ("#111111",))
    except SourceError as error:
        raise SourceError(f"{path.name}: {error}") from error
    for link in board.links:
        assert 0 <= min(link.a, link.b) <= max(link.a, link.b) < len(board.symbols)
        assert 0 <= link.confidence <= 1
    for line in board.lines:
        assert np.isfinite(line.line).all()


def _payoffs(path: Path) -> None:
    reader = _reader(path, PAYOFFS)
    _, payoffs = read_payoffs(reader, _CITIES)
    reader.raise_if_any()
    assert all(cell.thousands is None or np.isfinite(cell.thousands) for cell in payoffs.values())


def _config(path: Path) -> None:
    parse_config(read_text(path, name=path.name))


def _rb3(path: Path) -> None:
    """Read a map; what is accepted is written and read back the same, and makes a source package where it lies."""
    rb3 = read_rb3(path)
    frame = RB3Frame.of_file(rb3)
    placed = flat_placement(rb3) if frame is None else place_by_frame(rb3, frame, file=path.name)
    files, _ = rb3_to_source_files(rb3, placed)
    parse_config(files["board.toml"])
    try:
        data = write_rb3(rb3)
    except ExportError:
        return  # read as UTF-8, with letters that Windows-1252 lacks
    assert read_rb3(data) == rb3
    assert write_rb3(read_rb3(data)) == data


def _rules(path: Path) -> None:
    read_rules(path, name=path.name)


def _variant(path: Path) -> None:
    """Read a variant; what is accepted is written and read back the same."""
    variant = parse_variant(read_text(path, name=path.name), file=path.name).variant
    assert parse_variant(variant_text(variant), file=path.name).variant == variant


def _coordinates(path: Path) -> None:
    for place in read_city_coordinates(path, file=path.name):
        assert abs(place.lon) <= 180
        assert abs(place.lat) <= 90


_NUMBERS = ("1e9", "-1", "0", "1e-300", "1e308", "nan", "inf", "-0.0", "180", "90", "99999999999999999999")
_JSON = ('"type"', '"coordinates"', '"geometry"', '"properties"', '"features"', "null", "NaN", "Infinity", "true",
         '"Point"', '"LineString"', '"MultiLineString"', '"Polygon"', '"GeometryCollection"', '"geometries"', '"crs"',
         "\\ud800", "[[", "]]", '"Feature"', '"FeatureCollection"', '"name"', '"id"')  # fmt: skip
_GRAPH = ('"nodes"', '"edges"', '"links"', '"from"', '"to"', '"path"', '"railroad"', '"milepost"', '"lon"', '"x"',
          '"pixels"', '"EPSG:3857"', '"crs"', "false", "null", "[]", "{}")  # fmt: skip
_SVG = ("<use href='#a'/>", "transform='", "matrix(", "rotate(", "scale(0)", "viewBox='", "preserveAspectRatio='",
        "clip-path='url(#a)'", "display:none", "visibility:hidden", "data-railroad='", "symbol", "<svg>", "</g>", "mm",
        "%", "em", "A1,1 0 01", "C", "s", "t", "z", "<!DOCTYPE svg [", "<!ENTITY a 'b'>", "&a;", "<title>", "<style>",
        "sodipodi:type='arc'", "<text>", "<textPath>", "<switch>", "xlink:href=", "points='", "\x1f\x8b")  # fmt: skip
_KML = ("<Folder>", "</Folder>", "<name>", "<Placemark>", "<LineString>", "<coordinates>", "<Point>", "<Polygon>",
        "<outerBoundaryIs>", "<LinearRing>", "<MultiGeometry>", "<gx:Track>", "<gx:coord>", "<ExtendedData>",
        "<Data name='railroad'>", "<value>", "<!DOCTYPE kml>", "<!ENTITY a 'b'>", "&a;", "1,2 3,4", ",,", "1,2,3",
        "<SimpleData name='name'>", "xmlns:gx='x'")  # fmt: skip
_RB3 = ("projection=", "origin=", "unit=", "[info]",
        "'[", "]", "0,0", "-1,-1", "'s,", "s,1,1,14", "9/#4/x/D", "[pay]", "[rout]", "[re1]", "1,", "2003", "'", '"',
        "\r\n", "\xff", "\x81", "50", "100", ".5", "[zoo]")  # fmt: skip
_CSV = ('"', '""', ",", ",,", "\n", "\r", "\ufeff", "é", "\u200b", "'")
_BOARD = ("ash", "birch", "red", "blue--j", "red--ash--birch", "west", "city", "dot", "null", "true", "{}", "[]",
          "mileposts", "segments", "pieces", "drawn", "projection", "+proj=longlat", "EPSG:4326")  # fmt: skip
_TOML = ("[[operations]]", 'op = "', "reason = ", "was = {", "}", '"', "'''", "move-milepost", "add-segment",
         "set-rule", "path = ", "value = ", "railroad = ", "id = ", "lon = ", "lat = ", "line = [[", "]]",
         "board = ", "preset = ",
         "options = [", "[rules]", "setup.starting_cash", "change-payoff", "#")  # fmt: skip


def _board(name: str, suffix: str, *words: str) -> Target:
    """Return the target of a format that whole boards are read from."""
    patch = patched_zip if name == "xlsx" else patched_binary if name == "gpkg" else patched_text
    return Target(
        partial(reads_back, name),
        f"fuzzed{suffix}",
        (*words, *_BOARD, *_NUMBERS),
        lambda data: patch(good_file(name), data),
    )


_BOARDS = {
    "board-engine": _board("engine", ".json", *_JSON),
    "board-geojson": _board("geojson", ".geojson", *_JSON),
    "board-gexf": _board("gexf", ".gexf", "<attvalue for='0' value='", "<node id='", "<edge source='", "<!DOCTYPE x["),
    "board-gpkg": _board("gpkg", ".gpkg", "SQLite format 3\0", "CREATE VIEW", "CREATE TRIGGER", "GP\0\1"),
    "board-graphml": _board("graphml", ".graphml", "<data key='d0'>", "<node id='", "<edge source='", "<!DOCTYPE x["),
    "board-kml": _board("kml", ".kml", *_KML),
    "board-node-link": _board("node-link", ".node-link.json", *_JSON, '"nodes"', '"edges"', '"key"', '"source"'),
    "board-topojson": _board("topojson", ".topojson", *_JSON, '"arcs"', '"objects"', '"transform"', '"scale"'),
    "board-xlsx": _board("xlsx", ".xlsx", "<f>1+1</f>", "<c r='A1' t='s'>", "<mergeCell ref='A1:B2'/>", "t='e'", "<v>"),
}

_PDF = ("obj", "endobj", "stream", "endstream", "/Kids [3 0 R]", "/Rotate 90", "BT", "Tm", "Tj", "xref", "startxref")

TARGETS: dict[str, Target] = {
    "svg": Target(_traced, "fuzzed.svg", (*_SVG, *_NUMBERS)),
    "kml": Target(_traced, "fuzzed.kml", (*_KML, *_NUMBERS)),
    "geojson": Target(_traced, "fuzzed.geojson", (*_JSON, *_NUMBERS)),
    "graph": Target(_traced, "fuzzed.json", (*_GRAPH, *_NUMBERS)),
    "zip": Target(_traced, "fuzzed.zip", ("PK\x01\x02", "PK\x03\x04", "PK\x05\x06", ".shp", ".kml", "../")),
    "mapping": Target(_mapping, "mapping.csv", (*_CSV, "layer", "group", "id", "column:", "*")),
    "control_points": Target(_control_points, "control_points.csv", (*_CSV, *_NUMBERS, "lon", "lat", "city", *_PLACES)),
    "stations": Target(_stations, "stations.csv", (*_CSV, *_NUMBERS, "milepost", "via", "shore", "Boston", *_PLACES)),
    "railroads": Target(_railroads, "railroads.csv", (*_CSV, *_NUMBERS, "true", "solid", "#ff0000")),
    "cities": Target(_cities, "cities.csv", (*_CSV, *_NUMBERS, "milepost", "weight", "coast", "inland")),
    "places": Target(_places, "places.csv", (*_CSV, *_NUMBERS, "place", "lon", "lat", "note")),
    "destinations": Target(_destinations, "destinations.csv", (*_CSV, *_NUMBERS, "regions", "coast", "Boston")),
    "payoffs": Target(_payoffs, "payoffs.csv", (*_CSV, *_NUMBERS, "Albany", "Boston", "Hartford")),
    "picture": Target(_picture, "fuzzed.png", ("IHDR", "IDAT", "tRNS", "JFIF", "Exif", "RIFF", "WEBP", "II*")),
    "scan": Target(_scan, "fuzzed.png", ("\x00\x14\x1e\x00\x00\x04", "\x02\x14\x1e\x46\x1e\x05"), drawn),
    "pdf": Target(_pdf, "fuzzed.pdf", (*_PDF, *_NUMBERS)),
    "rb3": Target(_rb3, "fuzzed.rb3", (*_RB3, *_NUMBERS)),
    **_BOARDS,
    "rules": Target(_rules, "rules.toml", (*_TOML, *_NUMBERS)),
    "variant": Target(_variant, "fuzzed.toml", (*_TOML, *_NUMBERS)),
    "coordinates": Target(_coordinates, "coordinates.csv", (*_CSV, *_NUMBERS, "city", "name", "lon", "lat", "id")),
    "config": Target(_config, "board.toml", ("[", "]]", "=", '"""', "{", *_NUMBERS, "1979-05-27", "true", "[rules]")),
}
