"""KML 2.2 for Google Earth and others: one folder per layer, every value as extended data."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.xmlreader import AttributesImpl

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.files import read_bytes
from mapkit.formats.json_reading import parse_json
from mapkit.formats.lines.kml import LimitedHandler, scan_xml
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.rail.exchange.board_parts import Line, Row, board_to_parts, convert_row_types
from mapkit.kinds.rail.exchange.completion import complete_layers
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.gis.geojson import parse_points, rest_without_tables, table_features
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, board_to_layers
from mapkit.kinds.rail.model.board import Board

MAX_PLACEMARKS: Final = 200_000

_HIDDEN_LAYERS = frozenset({"pieces", "mileposts"})
"""Layers that start switched off, because other layers show the same track and places."""
_FOLDER_TAGS = frozenset({"Folder", "Document"})
_BLANKS = re.compile(r"\s+")


class KmlFormat:
    """Mileposts, cities, track and regions on a globe."""

    name = "kml"
    title = "KML"
    suffixes = (".kml",)
    carries = "everything; a folder a layer, charts and rules as extended data of the document"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        refuse_invented_land(board, self.title)
        return ExportedBoard({f"{options.file_stem(board)}.kml": kml_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its placemarks."""
        return board_from_kml(_read_kml(path), file=path.name)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to its placemarks, of a file that another program saved."""
        return board_from_kml(_read_kml(path), file=path.name, base=base)


def _read_kml(path: Path) -> bytes:
    return read_bytes(path, name=path.name, cure="this is not a board")


def kml_text(board: Board) -> str:
    """Return the text of the file, one placemark per line."""
    board_parts = board_to_parts(board, drawn=True)
    layers = board_to_layers(board, board_parts)
    rest_values = dict(board_parts.rest) | {layer.name: list(layer.rows) for layer in layers if layer.kind == "table"}
    milepost_names = {row["id"]: row["name"] for row in board_parts.tables["mileposts"]}
    kml_lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>',
        f"<name>{xml_text(board.title)}</name>",
        *_style_lines(board),
        "<ExtendedData>",
        *(_data_element(key, json_text(value).rstrip("\n")) for key, value in rest_values.items()),
        "</ExtendedData>",
    ]
    for layer in layers:
        if layer.kind != "table":
            kml_lines += _folder_lines(layer, milepost_names)
    return "\n".join([*kml_lines, "</Document></kml>", ""])


def _folder_lines(layer: Layer, names: dict[str, str]) -> Iterator[str]:
    yield f"<Folder><name>{layer.name}</name>"
    visibility_tag = "<visibility>0</visibility>" if layer.name in _HIDDEN_LAYERS else ""
    for row, shape in layer.features():
        placemark_name = row.get("name")
        if placemark_name is None:
            placemark_name = (
                " - ".join(names.get(str(row[end_key]), str(row[end_key])) for end_key in ("a", "b"))
                if "a" in row
                else row["id"]
            )
        style_suffix = row["railroad"] if layer.name == "segments" else row["id"] if layer.name == "regions" else ""
        yield (
            f"<Placemark><name>{xml_text(placemark_name)}</name>{visibility_tag}"
            f"<styleUrl>#{layer.name}{'-' if style_suffix else ''}{style_suffix}</styleUrl><ExtendedData>"
            + "".join(_data_element(key, value) for key, value in row.items())
            + f"</ExtendedData>{_geometry_element(layer.kind, shape)}</Placemark>"
        )
    yield "</Folder>"


def _data_element(key: str, value: object) -> str:
    return f'<Data name="{xml_text(key)}"><value>{xml_text(value)}</value></Data>'


def _geometry_element(kind: str, shape: Any) -> str:  # noqa: ANN401 - type by kind of layer
    if not shape:
        return ""
    if kind == "MultiPolygon":
        polygon_text = "".join(
            "<Polygon>"
            + "".join(
                f"<{boundary_tag}><LinearRing><coordinates>{_coordinates_text(ring)}</coordinates></LinearRing></{boundary_tag}>"
                for ring_index, ring in enumerate(rings)
                for boundary_tag in ["innerBoundaryIs" if ring_index else "outerBoundaryIs"]
            )
            + "</Polygon>"
            for rings in shape
        )
        return f"<MultiGeometry>{polygon_text}</MultiGeometry>"
    points: Line = (shape,) if kind == "Point" else shape
    tessellate_tag = "<tessellate>1</tessellate>" if kind == "LineString" else ""
    return f"<{kind}>{tessellate_tag}<coordinates>{_coordinates_text(points)}</coordinates></{kind}>"


def _coordinates_text(points: Sequence[Point]) -> str:
    return " ".join(f"{lon!r},{lat!r}" for lon, lat in points)


def _style_lines(board: Board) -> Iterator[str]:
    for railroad in board.railroads:
        line_style = f"<LineStyle><color>{_hex_to_abgr(railroad.style.colour)}</color><width>3</width></LineStyle>"
        yield f'<Style id="segments-{railroad.id}">{line_style}</Style>'
    for region in board.regions:
        fill_style = f"<PolyStyle><color>{_hex_to_abgr(region.colour, 0x80)}</color></PolyStyle>"
        yield f'<Style id="regions-{region.id}"><LineStyle><width>0</width></LineStyle>{fill_style}</Style>'
    yield '<Style id="pieces"><LineStyle><color>ff999999</color><width>1</width></LineStyle></Style>'
    for layer_name, icon_scale, label_scale in (("mileposts", 0.4, 0), ("junctions", 0.3, 0), ("cities", 0.7, 1)):
        yield (
            f'<Style id="{layer_name}"><IconStyle><scale>{icon_scale}</scale></IconStyle>'
            f"<LabelStyle><scale>{label_scale}</scale></LabelStyle></Style>"
        )


def _hex_to_abgr(colour: str, alpha: int = 255) -> str:
    return f"{alpha:02x}{colour[5:7]}{colour[3:5]}{colour[1:3]}"


def board_from_kml(data: bytes, *, file: str, base: Board | None = None) -> Board:
    """Return the board of a KML text.

    In files that GDAL wrote, a layer is a document within the document, values are `SimpleData`, and the id is an
    attribute of the placemark.

    Args:
        data: The text.
        file: Name of the file in messages.
        base: Board that it was exported from, which completes it.

    Raises:
        SourceError: It is malformed, has entities, or is not a board's; placemarks are named.
    """
    handler = _KmlHandler()
    scan_xml(data, handler, file=file)
    if base is None and not {"id", "projection", "railroads"} <= set(handler.rest):
        raise SourceError(
            f"{file}: not a board: extended data of the document is missing; give a file that mapkit export --to kml "
            "wrote, or import its lines into a source package with mapkit import"
        )
    rest = {key: parse_json(value_text, file=f"{file}: {key}") for key, value_text in handler.rest.items()}
    layers: dict[str, list[LayerFeature]] = {name: [] for name in KINDS}
    for placemark in handler.places:
        where = f"placemark {placemark.name[:60]!r} in row {placemark.line}"
        if placemark.folder not in layers:
            raise SourceError(
                f"{file}: {where} is in the folder {placemark.folder[:40]!r}; folders are {', '.join(KINDS)}"
            )
        typed_row = convert_row_types(placemark.row, file=file, where=where)
        typed_row.setdefault("name", placemark.name)
        if placemark.ident:
            typed_row.setdefault("id", placemark.ident)
        feature_line = None
        if KINDS[placemark.folder] != "MultiPolygon" and placemark.coordinates:
            coordinate_pairs = [pair_text.split(",") for pair_text in _BLANKS.split(placemark.coordinates.strip())]
            feature_line = parse_points(coordinate_pairs, file=file, where=where)
        layers[placemark.folder].append(LayerFeature(where, typed_row, feature_line))
    return board_from_layers(
        *complete_layers(layers | table_features(rest), rest_without_tables(rest), base), file=file
    )


class _Placemark:
    """Placemark that is being read."""

    def __init__(self, folder: str, line: int, ident: str) -> None:
        self.folder = folder
        self.line = line
        self.ident = ident
        self.name = ""
        self.coordinates = ""
        self.row: Row = {}


class _KmlHandler(LimitedHandler):
    """SAX handler that collects placemarks and the extended data of the document."""

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
        tag_name = name.rpartition(":")[2]
        self._path.append(tag_name)
        self._text = []
        if tag_name in _FOLDER_TAGS:
            self._folders.append("")
        elif tag_name == "Placemark":
            if len(self.places) >= MAX_PLACEMARKS:
                raise SourceError(f"{self.line}: more than {MAX_PLACEMARKS} placemarks; this is not a board")
            folder_name = self._folders[-1] if self._folders else ""
            self.places.append(_Placemark(folder_name, self.line, str(attrs.get("id", ""))))
        elif tag_name in {"Data", "SimpleData"}:
            self._key = str(attrs.get("name", ""))

    def characters(self, content: str) -> None:
        self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - the name in xml.sax
        super().endElement(name)
        tag_name = self._path.pop()
        element_text = "".join(self._text)
        self._text = []
        parent_tag = self._path[-1] if self._path else ""
        placemark = self.places[-1] if "Placemark" in self._path else None
        if tag_name in _FOLDER_TAGS:
            self._folders.pop()
        elif tag_name == "name" and parent_tag in _FOLDER_TAGS:
            self._folders[-1] = element_text.strip()
        elif tag_name == "name" and parent_tag == "Placemark" and placemark is not None:
            placemark.name = element_text
        elif tag_name == "coordinates" and placemark is not None and parent_tag in ("Point", "LineString"):
            placemark.coordinates = element_text
        elif (tag_name == "value" and parent_tag == "Data") or tag_name == "SimpleData":
            target: Row = self.rest if placemark is None else placemark.row
            target[self._key] = element_text


FORMAT = KmlFormat()
