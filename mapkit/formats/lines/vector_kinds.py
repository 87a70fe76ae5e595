"""Kinds of geodata files, recognised by content, with the GDAL driver that reads each.

GDAL opens every format that it recognises, including those that refer to other files, databases and the network. Only
the drivers in `VECTOR_FORMATS` are used, on a copy of a file with the content of that format.
"""

import codecs
import re
from pathlib import Path
from typing import Final

import msgspec
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError, WorkspaceError, read_failure
from mapkit.core.package_data import read_table
from mapkit.formats.files import ZIP, check_file
from mapkit.formats.lines.archive import member_names, member_path, open_archive

MAX_BYTES = 2 * 2**30
_HEAD_BYTES = 2**16


class VectorFormat(Frozen):
    """A format of geodata."""

    title: str
    suffixes: tuple[str, ...] = Field(description="Usual suffixes of its files")
    driver: str = Field(default="", description="The GDAL driver that reads it; empty if mapkit does")
    companions: tuple[str, ...] = Field(default=(), description="Suffixes of the files that belong to one of it")
    key_column: str = Field(default="", description="Column with the railroad if there is no column `railroad`")
    crs: str = Field(default="", description="CRS that the format prescribes; empty if files state theirs")
    skipped_layers: tuple[str, ...] = Field(default=(), description="Layers that repeat the content of others")
    open_options: dict[str, str] = Field(default_factory=dict, description="Options for the GDAL driver")


class _FormatTable(Frozen):
    """`vector_formats.toml`."""

    formats: dict[str, VectorFormat]


VECTOR_FORMATS: Final = read_table("mapkit.formats.lines", "vector_formats", _FormatTable).formats
"""Formats by kind."""

_SIGNATURES: Final = tuple((re.compile(pattern, re.DOTALL), kind) for pattern, kind in (
    (rb"SQLite format 3\0(?:.{52}GP(?:KG|10|11|12)|.{0,65000}gpkg_contents)", "gpkg"),
    (rb"SQLite format 3\0", "sqlite"),
    (rb"fgb\x03fgb", "fgb"),
    (rb"\x00\x00\x27\x0a", "shp"),
    (rb"....\x0a\x09OSMHeader", "pbf"),
    (rb"[\x08\xc8][\x05\x09]\xfe", "dgn"),
    (rb"\d{5}[123]LE1", "s57"),
    (rb"AutoCAD Binary DXF", "dxf"),
    (rb"(?:\s*999\s*\n[^\n]*\n)*\s*0\s*\n\s*SECTION", "dxf"),
    (rb"# @VGMT", "gmt"),
    (rb"EXP  [01]", "e00"),
    (rb"(?i)!table\s+!version", "tab"),
    (rb"(?i)version\s+\d+\s+charset", "mif"),
))  # fmt: skip
_WKT_LINE: Final = re.compile(rb"(?i)(?:LINESTRING|POINT)\s*(?:ZM?|M)?\s*\([\s(]*-?[\d.]")
_ROOT_ELEMENT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_KIND_BY_ROOT: Final = {"kml": "kml", "svg": "svg", "gpx": "gpx", "osm": "osm", "JCSDataFile": "jml"}
_OTHER_FORMATS: Final = (
    (b"PAR1", "GeoParquet; save it as GeoPackage, such as with ogr2ogr lines.gpkg lines.parquet"),
    (b"\x1f\x8b", "a compressed file; unpack it"),
)


class _TopLevel(msgspec.Struct):
    """Top-level members of a JSON text that tell its format, not decoded."""

    type: msgspec.Raw = msgspec.Raw(b"")
    nodes: msgspec.Raw = msgspec.Raw(b"")
    elements: msgspec.Raw = msgspec.Raw(b"")
    geometryType: msgspec.Raw = msgspec.Raw(b"")  # noqa: N815 - as Esri writes it


def infer_kind(path: Path, *, name: str) -> str | None:
    """Return the key of `VECTOR_FORMATS` that a file's content matches, `"svg"`, `"json"`, or None if unknown.

    `"json"` is any JSON; `infer_json_kind` distinguishes its formats.

    Raises:
        SourceError: It is empty or too large, an archive without a map in it, or of a format that another program must
            convert.
        WorkspaceError: It is missing or not readable.
    """
    if path.is_dir():
        if any(path.glob("*.gdbtable")):
            return "gdb"
        raise WorkspaceError(f"{name or path}: a folder cannot be read; name a file in it")
    try:
        check_file(path, name=name, limit=MAX_BYTES, cure="split or simplify it")
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise read_failure(name, path, error) from error
    if not head.strip():
        raise SourceError(f"{name}: the file is empty; export it again")
    if head.startswith(ZIP):
        return _kind_of_archive(path, name)
    for start, format_text in _OTHER_FORMATS:
        if head.startswith(start) and path.suffix.lower() != ".svgz":
            raise SourceError(f"{name}: this is {format_text}")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.replace(b"\0", b"")[2:]
    return _kind_of_head(head)


def _kind_of_head(head: bytes) -> str | None:
    head_text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if head_text.startswith((b"{", b"[", b"\x1e")):
        return "json"
    if head_text.startswith(b"<"):
        uncommented_head = re.sub(rb"<!--.*?-->", b"", head_text, flags=re.DOTALL)
        root_match = _ROOT_ELEMENT.search(uncommented_head)
        root_name = root_match[1].decode("ascii", "replace") if root_match else ""
        if root_name in _KIND_BY_ROOT:
            return _KIND_BY_ROOT[root_name]
        if root_name in {"rss", "feed"} and b"georss" in head_text:
            return "georss"
        return "gml" if b"opengis.net/gml" in head_text else None
    for pattern, kind in _SIGNATURES:
        if pattern.match(head_text if kind != "shp" else head):
            return kind
    return "csv" if _is_table_of_shapes(head_text) else None


def infer_json_kind(data: bytes) -> str:
    """Return `"graph"` or the key of `VECTOR_FORMATS` of a JSON text; `"geojson"` for all others."""
    try:
        top_level = msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8), type=_TopLevel)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return "geojson"  # its reader reports the mistake, or reads a sequence
    if bytes(top_level.nodes):
        return "graph"
    if bytes(top_level.type) == b'"Topology"':
        return "topojson"
    if bytes(top_level.geometryType).startswith(b'"esriGeometry'):
        return "esrijson"
    return "overpass" if bytes(top_level.elements) else "geojson"


def _kind_of_archive(path: Path, name: str) -> str:
    with open_archive(path, file=name) as archive:
        members = [member_path(member) for member in member_names(archive)]
    suffixes = {member.suffix.lower() for member in members}
    for suffix, kind in ((".kml", "kmz"), (".shp", "shp.zip"), (".gdbtable", "gdb.zip")):
        if suffix in suffixes:
            return kind
    if any(member.name == "shapes.txt" for member in members):
        return "gtfs"
    raise SourceError(
        f"{name}: no Shapefile, KML, file geodatabase or shapes.txt of GTFS in the archive; unpack it and import the "
        "file in it"
    )


def _is_table_of_shapes(head: bytes) -> bool:
    """Return whether a text is a table with WKT, or with columns of longitude and latitude."""
    header, _, rows = head.partition(b"\n")
    cells = {cell.strip(b'" \r').lower() for cell in re.split(rb"[,;\t|]", header)}
    has_degrees = bool(cells & {b"lon", b"lng", b"long", b"longitude"} and cells & {b"lat", b"latitude"})
    return (len(cells) > 1 and b"\0" not in head and (has_degrees or bool(_WKT_LINE.search(rows)))) or (
        bool(cells & {b"wkt", b"geom", b"geometry", b"the_geom"}) and bool(_WKT_LINE.search(rows))
    )
