"""KML as layers of features, one layer a folder.

Parsed with defusedxml rather than GDAL, which loses nested folders and opens files that a KML refers to.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

import numpy as np
import shapely
from defusedxml import sax as defused_sax
from defusedxml.common import DefusedXmlException

from mapkit.core.characters import refuse_bytes
from mapkit.core.errors import SourceError
from mapkit.formats.lines.features import MAX_FEATURES, FeatureLayer, ImportOptions, describe_features, read_columns
from mapkit.formats.tables import Problems

MAX_DEPTH = 100
MAX_XML_BYTES = 512 * 2**20

_COMMA_PATTERN = re.compile(r"\s*,\s*")
_TEXT_ELEMENTS = frozenset({"name", "coordinates", "value", "SimpleData", "coord", "styleUrl", "visibility",
                            "color", "width", "href"})  # fmt: skip
_LINE_ELEMENTS = frozenset({"LineString", "LinearRing", "Track"})
_FEWEST_DIMENSIONS = 2  # vertices of a line


class LimitedHandler(ContentHandler):
    """SAX handler that limits depth and tracks the root element and the current line."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.root = ""
        self.locator: Locator | None = None

    @property
    def line(self) -> int:
        """The line of the file that is being read."""
        return (self.locator.getLineNumber() or 1) if self.locator else 1

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - the name in xml.sax
        """Store the parser's locator."""
        self.locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: ARG002, N802 - as in xml.sax
        """Refuse elements that are nested too deep."""
        self.root = self.root or name.rpartition(":")[2]
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SourceError(f"{self.line}: elements nested more than {MAX_DEPTH} deep; this is not a map")

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - the name in xml.sax
        """Leave an element."""
        self.depth -= 1


def scan_xml(data: bytes, handler: LimitedHandler, *, file: str) -> None:
    """Send an XML text through a handler.

    Args:
        data: The file's bytes.
        handler: What reads it; a SourceError that it raises begins with the line.
        file: The file's name, for messages.

    Raises:
        SourceError: It is malformed, too large or nested too deeply, or has a document type, entities or anything
            external.
    """
    if len(data) > MAX_XML_BYTES:
        raise SourceError(f"{file}: {len(data)} bytes of XML, the limit is {MAX_XML_BYTES}; split the file")
    try:
        defused_sax.parse(BytesIO(data), handler, forbid_dtd=True)
    except DefusedXmlException as error:
        raise SourceError(
            f"{file}:{handler.line}: a document type or entities, which are refused; export the file without them"
        ) from error
    except SAXParseException as error:
        refuse_bytes(data, file=file)
        line = error.getLineNumber() or 1
        raise SourceError(f"{file}:{line}: malformed XML: {error.getMessage()}; export the file again") from error
    except (ValueError, LookupError) as error:  # encodings that expat does not have
        raise SourceError(f"{file}: its encoding cannot be read ({error}); save it as UTF-8") from error
    except SourceError as error:
        raise SourceError([f"{file}:{problem}" for problem in error.problems]) from error


def read_kml(data: bytes, *, file: str, stem: str, options: ImportOptions) -> tuple[list[FeatureLayer], list[str]]:
    """Return a layer for each folder that holds placemarks, in the order of the file, and notes.

    A layer has the name of its innermost folder with a name, else `stem`. What is hidden (`visibility`, of itself or of
    a folder around it; a style without width or opacity) is left out. The columns of a placemark are `name`,
    `id`, `folder` (all folders, as `East/Main lines`), `styleUrl` and its extended data. KML is always EPSG:4326.

    Args:
        data: The file's bytes.
        file: Its name, for messages.
        stem: The name of the layer outside any folder.
        options: The author's options.

    Raises:
        SourceError: It is malformed, has a document type or entities, or coordinates that cannot be read.
    """
    handler = _KmlHandler()
    scan_xml(data, handler, file=file)
    if handler.root != "kml":
        raise SourceError(f"{file}: the root element is <{handler.root[:40]}>, not <kml>; export it as KML")
    handler.problems = [f"{file}:{problem}" for problem in handler.problems]
    problems = Problems(found=handler.problems)
    problems.raise_if_any()
    placemarks_by_layer: dict[str, list[_Placemark]] = {}
    hidden_labels: list[str] = []
    single_vertex_numbers = set(handler.single)
    for placemark in handler.placemarks:
        if placemark.number in single_vertex_numbers and not placemark.shapes:
            continue
        if placemark.hidden or placemark.values.get("styleUrl", "").removeprefix("#") in handler.unpainted_styles:
            hidden_labels.append(f"{file}#{placemark.number}")
            continue
        placemarks_by_layer.setdefault(placemark.folders[-1] if placemark.folders else stem, []).append(placemark)
    notes = [
        f"{file}: {count} x <{name}>, which mapkit does not read; left out"
        for name, count in sorted(handler.ignored.items())
        if name != "NetworkLink" or not handler.links
    ]
    notes += [f"{file}: network link {link[:200]!r} was left out; save and import its target" for link in handler.links]
    notes += describe_features(hidden_labels, "hidden (visibility 0, or a style without width or opacity); left out")
    notes += [f"{file}#{number}: a line of a single vertex; left out" for number in handler.single]
    return [_build_layer(name, placemarks, file, options) for name, placemarks in placemarks_by_layer.items()], notes


@dataclass
class _Placemark:
    number: int
    folders: tuple[str, ...]
    values: dict[str, str] = field(default_factory=dict)
    shapes: list[shapely.Geometry] = field(default_factory=list)
    hidden: bool = False


@dataclass
class _Shape:
    """A geometry being read: its vertices, or the rings of a polygon."""

    kind: str
    vertices: list[tuple[float, ...]] = field(default_factory=list)
    rings: list[list[tuple[float, ...]]] = field(default_factory=list)


def _build_layer(name: str, placemarks: list[_Placemark], file: str, options: ImportOptions) -> FeatureLayer:
    geometries = np.empty(len(placemarks), dtype=object)
    for placemark_index, placemark in enumerate(placemarks):
        if placemark.shapes:
            geometries[placemark_index] = shapely.GeometryCollection(placemark.shapes)
    columns = tuple(dict.fromkeys(column for placemark in placemarks for column in placemark.values))
    return FeatureLayer(
        name=name,
        crs="EPSG:4326",
        labels=[f"{file}#{placemark.number}" for placemark in placemarks],
        geometries=geometries,
        columns=columns,
        values={
            column: [placemark.values.get(column) for placemark in placemarks]
            for column in read_columns(columns, options)
        },
        alternates=[(placemark.values.get("name", ""), *reversed(placemark.folders)) for placemark in placemarks],
    )


class _KmlHandler(LimitedHandler):
    """SAX handler that collects placemarks."""

    def __init__(self) -> None:
        super().__init__()
        self.placemarks: list[_Placemark] = []
        self.problems: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.single: list[int] = []
        self.links: list[str] = []
        self.unpainted_styles: set[str] = set()
        self._style = ""
        self._hidden_folders: list[bool] = []
        self._element_path: list[str] = []
        self._folders: list[str] = []
        self._placemark: _Placemark | None = None
        self._shape: _Shape | None = None
        self._data_name = ""
        self._text: list[str] | None = None
        self._text_handlers: dict[str, Callable[[str], None]] = {
            "name": self._set_name,
            "styleUrl": lambda text: self._set_value("styleUrl", text),
            "value": lambda text: self._set_value(self._data_name, text),
            "SimpleData": lambda text: self._set_value(self._data_name, text),
            "coordinates": self._add_coordinates,
            "coord": self._add_track_vertex,
            "visibility": self._set_visibility,
            "color": lambda text: self._set_style(is_painted=not text.lower().startswith("00")),
            "width": lambda text: self._set_style(is_painted=text.strip("0.") != ""),
            "href": self._add_link,
        }

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name in xml.sax
        super().startElement(name, attrs)
        local_name = name.rpartition(":")[2]
        self._element_path.append(local_name)
        self._text = [] if local_name in _TEXT_ELEMENTS else None
        if local_name in {"Folder", "Document"}:
            self._hidden_folders.append(False)
        if local_name == "Folder":
            self._folders.append("")
        elif local_name == "Style":
            self._style = attrs.get("id", "")
        elif local_name == "Placemark":
            self._placemark = _Placemark(len(self.placemarks), tuple(folder for folder in self._folders if folder))
            self._placemark.hidden = any(self._hidden_folders)
            self._set_value("id", attrs.get("id", ""))
            self._set_value("folder", "/".join(self._placemark.folders))
            self.placemarks.append(self._placemark)
            if len(self.placemarks) > MAX_FEATURES:
                raise SourceError(f"{self.line}: more than {MAX_FEATURES} placemarks; split the file")
        elif local_name in {"Data", "SimpleData"}:
            self._data_name = attrs.get("name", "")
        elif local_name in {"NetworkLink", "GroundOverlay", "PhotoOverlay", "ScreenOverlay", "Model"}:
            self.ignored[local_name] += 1
        elif self._placemark and (
            local_name in {"Point", "Polygon"} or (local_name in _LINE_ELEMENTS and not self._in_polygon)
        ):
            self._shape = _Shape(local_name)

    @property
    def _in_polygon(self) -> bool:
        return self._shape is not None and self._shape.kind == "Polygon"

    def characters(self, content: str) -> None:
        if self._text is not None:
            self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - the name in xml.sax
        super().endElement(name)
        local_name = self._element_path.pop()
        if self._text is not None:
            text = "".join(self._text).strip()
            self._text = None
            self._text_handlers[local_name](text)
        if local_name in {"Folder", "Document"}:
            self._hidden_folders.pop()
        if local_name == "Folder":
            self._folders.pop()
        elif local_name == "Placemark":
            self._placemark = None
        elif self._shape and local_name == self._shape.kind:
            with np.errstate(all="ignore"):  # NaN, which is noted with its feature later
                self._build_shape(self._shape)
            self._shape = None

    def _set_value(self, column: str, text: str) -> None:
        if self._placemark and column and text:
            self._placemark.values.setdefault(column, text)

    def _set_visibility(self, text: str) -> None:
        if text != "0":
            return
        if self._placemark:
            self._placemark.hidden = True
        elif self._element_path and self._element_path[-1] in {"Folder", "Document"}:
            self._hidden_folders[-1] = True

    def _set_style(self, *, is_painted: bool) -> None:
        if is_painted or "LineStyle" not in self._element_path:
            return
        if self._placemark:
            self._placemark.hidden = True
        else:
            self.unpainted_styles.add(self._style)

    def _add_link(self, text: str) -> None:
        if "NetworkLink" in self._element_path:
            self.links.append(text)

    def _set_name(self, text: str) -> None:
        parent = self._element_path[-1] if self._element_path else ""
        if parent == "Folder" and self._folders:
            self._folders[-1] = text
        elif parent == "Placemark":
            self._set_value("name", text)

    def _add_track_vertex(self, text: str) -> None:
        """Read a vertex of a track: numbers with spaces between them."""
        self._add_vertices(",".join(text.split()))

    def _add_coordinates(self, text: str) -> None:
        self._add_vertices(_COMMA_PATTERN.sub(",", text))

    def _add_vertices(self, text: str) -> None:
        if not self._shape or not self._placemark:
            return
        vertices: list[tuple[float, ...]] = []
        for token in text.split():
            try:
                lon, lat, *_ = vertex = tuple(float(number) for number in token.split(",") if number)
            except ValueError:
                name = self._placemark.values.get("name", f"#{self._placemark.number}")
                self.problems.append(f"{self.line}: placemark {name!r}: {token[:40]!r} is not a lon,lat; correct it")
                return
            vertices.append(vertex if len(vertex) == 3 else (lon, lat))  # noqa: PLR2004 - lon, lat, height
        if self._in_polygon:
            self._shape.rings.append(vertices)
        else:
            self._shape.vertices += vertices

    def _build_shape(self, shape: _Shape) -> None:
        if not self._placemark:
            return
        geometry: shapely.Geometry
        flat_vertices = _equalize_dimensions(shape.vertices)
        try:
            if shape.kind == "Polygon":
                outer, *inner = [_equalize_dimensions(ring) for ring in shape.rings if ring] or [[]]
                geometry = shapely.Polygon(outer, inner)
            elif shape.kind == "Point":
                geometry = shapely.Point(flat_vertices[0]) if flat_vertices else shapely.Point()
            elif len(flat_vertices) == 1:
                self.single.append(self._placemark.number)
                return
            else:
                geometry = shapely.LineString(flat_vertices)
        except (ValueError, shapely.errors.GEOSException) as error:
            name = self._placemark.values.get("name", f"#{self._placemark.number}")
            self.problems.append(f"{self.line}: placemark {name!r}: {shape.kind} cannot be used: {error}")
            return
        self._placemark.shapes.append(geometry)


def _equalize_dimensions(vertices: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return vertices of equal dimension: with heights only if all have one."""
    dimension = min(map(len, vertices), default=_FEWEST_DIMENSIONS)
    return [vertex[:dimension] for vertex in vertices]
