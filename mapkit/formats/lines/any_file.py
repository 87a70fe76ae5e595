"""Traced geometry from any supported file, recognised by content rather than suffix."""

from pathlib import Path

import msgspec

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.formats.files import LINE_SUFFIXES
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.graph import read_graph
from mapkit.formats.lines.outlines import with_middles
from mapkit.formats.lines.svg import read_svg
from mapkit.formats.lines.vector import kind_of, read_vector
from mapkit.formats.traced import TracedLayer

_COMPANION_SUFFIXES = frozenset({".shx", ".dbf", ".prj", ".cpg"})


class _TopLevel(msgspec.Struct):
    """Top-level members of a JSON text, not decoded."""

    nodes: msgspec.Raw = msgspec.Raw(b"")


def read_any(path: Path, *, name: str | None = None, options: ImportOptions | None = None) -> TracedLayer:
    """Read a file of lines of any format; outlines of lines are handled as in `outlines`.

    Args:
        path: GeoJSON, GeoPackage, Shapefile (`.shp` or zip), KML, KMZ, GML, FlatGeobuf, SVG, or a graph as JSON.
        name: Its name in messages; the file's name if None.
        options: Columns, layers, CRS and encoding.

    Returns:
        Lines and points in EPSG:4326; those of a drawing, or of a graph in pixels, in its own units (crs None).

    Raises:
        SourceError: It cannot be used; the text names file and feature.
        WorkspaceError: It is missing or not readable.
    """
    options = options or ImportOptions()
    traced_layer = _read_layer(path, name=name or path.name, options=options)
    return traced_layer if options.rings else with_middles(traced_layer, centre_lines=options.centre_lines)


def _read_layer(path: Path, *, name: str, options: ImportOptions) -> TracedLayer:
    if path.suffix.lower() in _COMPANION_SUFFIXES:
        raise SourceError(f"{name}: part of a Shapefile; give its .shp")
    kind = kind_of(path, name=name)
    if kind == "svg" or (kind is None and path.suffix.lower() in {".svg", ".svgz"}):
        return read_svg(path, name=name, key_from=options.key_from)
    if kind == "json" and _has_nodes(path, name):
        return read_graph(path.read_bytes(), file=name, options=options)
    if kind is None:
        raise SourceError(f"{name}: not a format that mapkit reads; it reads {', '.join(LINE_SUFFIXES)}")
    return read_vector(path, name=name, options=options)


def _has_nodes(path: Path, name: str) -> bool:
    try:
        top_level = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"), type=_TopLevel)
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError):
        return False  # the reader of GeoJSON reports the mistake
    return bool(bytes(top_level.nodes))
