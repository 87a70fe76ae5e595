"""KML 2.2 for Google Earth and others: a folder a layer, every value as extended data."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.xmlreader import AttributesImpl

from mapkit.core.base import Point
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import Exported
from mapkit.formats.json_reading import parse_json
from mapkit.formats.lines.kml import LimitedHandler, scan_xml
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.rail.exchange.completing import completed
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.gis.geojson import points_of, rest_of, table_features
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_of
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, layers_of
from mapkit.kinds.rail.exchange.parts import Line, Row, take_apart, typed
from mapkit.kinds.rail.model.board import Board

MAX_BYTES: Final = 64 * 2**20
MAX_PLACEMARKS: Final = 200_000

_HIDDEN = frozenset({"pieces", "mileposts"})
"""Layers that start switched off: the same track and places are in others."""
_FOLDERS = frozenset({"Folder", "Document"})
_BLANKS = re.compile(r"\s+")


class KmlFormat:
    """Mileposts, cities, track and regions on a globe."""

    name = "kml"
    title = "KML"
    suffixes = (".kml",)
    carries = "everything; a folder a layer, charts and rules as extended data of the document"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return one file."""
        return Exported({f"{options.file_stem(board)}.kml": kml_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its placemarks."""
        return board_of_kml(_bytes(path), file=path.name)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to its placemarks, of a file that another program saved."""
        return board_of_kml(_bytes(path), file=path.name, base=base)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{path.name}: more than {MAX_BYTES} bytes; this is not a board")
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{path.name}: cannot be read from {path}: {error.strerror or error}") from error


def kml_text(board: Board) -> str:
    """Return the text of the file, a placemark a line."""
    parts = take_apart(board, drawn=True)
    layers = layers_of(board, parts)
    rest = dict(parts.rest) | {layer.name: list(layer.rows) for layer in layers if layer.kind == "table"}
    names = {row["id"]: row["name"] for row in parts.tables["mileposts"]}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>',
        f"<name>{xml_text(board.title)}</name>",
        *_styles(board),
        "<ExtendedData>",
        *(_data(key, json_text(value).rstrip("\n")) for key, value in rest.items()),
        "</ExtendedData>",
    ]
    for layer in layers:
        if layer.kind != "table":
            lines += _folder(layer, names)
    return "\n".join([*lines, "</Document></kml>", ""])


def _folder(layer: Layer, names: dict[str, str]) -> Iterator[str]:
    yield f"<Folder><name>{layer.name}</name>"
    seen = "<visibility>0</visibility>" if layer.name in _HIDDEN else ""
    for row, shape in layer.features():
        title = row.get("name")
        if title is None:
            title = (
                " - ".join(names.get(str(row[end]), str(row[end])) for end in ("a", "b")) if "a" in row else row["id"]
            )
        style = row["railroad"] if layer.name == "segments" else row["id"] if layer.name == "regions" else ""
        yield (
            f"<Placemark><name>{xml_text(title)}</name>{seen}"
            f"<styleUrl>#{layer.name}{'-' if style else ''}{style}</styleUrl><ExtendedData>"
            + "".join(_data(key, value) for key, value in row.items())
            + f"</ExtendedData>{_geometry(layer.kind, shape)}</Placemark>"
        )
    yield "</Folder>"


def _data(key: str, value: object) -> str:
    return f'<Data name="{xml_text(key)}"><value>{xml_text(value)}</value></Data>'


def _geometry(kind: str, shape: Any) -> str:  # noqa: ANN401 - what a layer's kind says
    if not shape:
        return ""
    if kind == "MultiPolygon":
        polygons = "".join(
            "<Polygon>"
            + "".join(
                f"<{side}><LinearRing><coordinates>{_coordinates(ring)}</coordinates></LinearRing></{side}>"
                for at, ring in enumerate(rings)
                for side in ["innerBoundaryIs" if at else "outerBoundaryIs"]
            )
            + "</Polygon>"
            for rings in shape
        )
        return f"<MultiGeometry>{polygons}</MultiGeometry>"
    points: Line = (shape,) if kind == "Point" else shape
    more = "<tessellate>1</tessellate>" if kind == "LineString" else ""
    return f"<{kind}>{more}<coordinates>{_coordinates(points)}</coordinates></{kind}>"


def _coordinates(points: Sequence[Point]) -> str:
    return " ".join(f"{lon!r},{lat!r}" for lon, lat in points)


def _styles(board: Board) -> Iterator[str]:
    for railroad in board.railroads:
        line = f"<LineStyle><color>{_abgr(railroad.style.colour)}</color><width>3</width></LineStyle>"
        yield f'<Style id="segments-{railroad.id}">{line}</Style>'
    for region in board.regions:
        fill = f"<PolyStyle><color>{_abgr(region.colour, 0x80)}</color></PolyStyle>"
        yield f'<Style id="regions-{region.id}"><LineStyle><width>0</width></LineStyle>{fill}</Style>'
    yield '<Style id="pieces"><LineStyle><color>ff999999</color><width>1</width></LineStyle></Style>'
    for layer, scale, label in (("mileposts", 0.4, 0), ("junctions", 0.3, 0), ("cities", 0.7, 1)):
        yield (
            f'<Style id="{layer}"><IconStyle><scale>{scale}</scale></IconStyle>'
            f"<LabelStyle><scale>{label}</scale></LabelStyle></Style>"
        )


def _abgr(colour: str, alpha: int = 255) -> str:
    return f"{alpha:02x}{colour[5:7]}{colour[3:5]}{colour[1:3]}"


def board_of_kml(data: bytes, *, file: str, base: Board | None = None) -> Board:
    """Return the board of a KML text.

    As GDAL writes it, a layer is a document in the document, values are `SimpleData`, and a placemark's attribute is
    its id.

    Args:
        data: The text.
        file: What to call it in messages.
        base: What it was exported from, which completes it.

    Raises:
        SourceError: It is malformed, has entities, or is not a board's; placemarks are named.
    """
    handler = _Kml()
    scan_xml(data, handler, file=file)
    if base is None and not {"id", "projection", "railroads"} <= set(handler.rest):
        raise SourceError(
            f"{file}: not a board: extended data of the document is missing; give a file that mapkit export --to kml "
            "wrote, or import its lines into a source package with mapkit import"
        )
    rest = {key: parse_json(text, file=f"{file}: {key}") for key, text in handler.rest.items()}
    layers: dict[str, list[LayerFeature]] = {name: [] for name in KINDS}
    for place in handler.places:
        where = f"placemark {place.name[:60]!r} in row {place.line}"
        if place.folder not in layers:
            raise SourceError(f"{file}: {where} is in the folder {place.folder[:40]!r}; folders are {', '.join(KINDS)}")
        row = typed(place.row, file=file, where=where)
        row.setdefault("name", place.name)
        if place.ident:
            row.setdefault("id", place.ident)
        line = None
        if KINDS[place.folder] != "MultiPolygon" and place.coordinates:
            pairs = [pair.split(",") for pair in _BLANKS.split(place.coordinates.strip())]
            line = points_of(pairs, file=file, where=where)
        layers[place.folder].append(LayerFeature(where, row, line))
    return board_of(*completed(layers | table_features(rest), rest_of(rest), base), file=file)


class _Placemark:
    """A placemark while it is read."""

    def __init__(self, folder: str, line: int, ident: str) -> None:
        self.folder = folder
        self.line = line
        self.ident = ident
        self.name = ""
        self.coordinates = ""
        self.row: Row = {}


class _Kml(LimitedHandler):
    """Collects placemarks, and the extended data of the document."""

    def __init__(self) -> None:
        super().__init__()
        self.rest: dict[str, str] = {}
        self.places: list[_Placemark] = []
        self._folders: list[str] = []
        self._path: list[str] = []
        self._key = ""
        self._text: list[str] = []

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name in xml.sax
        super().startElement(name, attrs)
        tag = name.rpartition(":")[2]
        self._path.append(tag)
        self._text = []
        if tag in _FOLDERS:
            self._folders.append("")
        elif tag == "Placemark":
            if len(self.places) >= MAX_PLACEMARKS:
                raise SourceError(f"{self.line}: more than {MAX_PLACEMARKS} placemarks; this is not a board")
            folder = self._folders[-1] if self._folders else ""
            self.places.append(_Placemark(folder, self.line, str(attrs.get("id", ""))))
        elif tag in {"Data", "SimpleData"}:
            self._key = str(attrs.get("name", ""))

    def characters(self, content: str) -> None:
        self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - the name in xml.sax
        super().endElement(name)
        tag = self._path.pop()
        text = "".join(self._text)
        self._text = []
        parent = self._path[-1] if self._path else ""
        place = self.places[-1] if "Placemark" in self._path else None
        if tag in _FOLDERS:
            self._folders.pop()
        elif tag == "name" and parent in _FOLDERS:
            self._folders[-1] = text.strip()
        elif tag == "name" and parent == "Placemark" and place is not None:
            place.name = text
        elif tag == "coordinates" and place is not None and parent in ("Point", "LineString"):
            place.coordinates = text
        elif (tag == "value" and parent == "Data") or tag == "SimpleData":
            target: Row = self.rest if place is None else place.row
            target[self._key] = text


FORMAT = KmlFormat()
