"""Traced geometry from any supported file, recognised by content rather than suffix."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.formats.files import read_bytes
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.graph import read_graph
from mapkit.formats.lines.outlines import replace_outlines
from mapkit.formats.lines.svg import read_svg
from mapkit.formats.lines.vector import read_vector
from mapkit.formats.lines.vector_kinds import MAX_BYTES, VECTOR_FORMATS, infer_json_kind, infer_kind
from mapkit.formats.traced import TracedLayer

_COMPANION_SUFFIXES = frozenset({".shx", ".dbf", ".prj", ".cpg"})
_GEODATA_OPTIONS: Final = frozenset(
    {"column", "name_column", "crs", "layers", "bbox", "where", "rings", "centre_lines"}
)
_OPTIONS_BY_KIND: Final[Mapping[str, frozenset[str]]] = {
    "svg": frozenset({"key_from", "bbox", "where", "rings", "centre_lines"}),
    "graph": _GEODATA_OPTIONS - {"layers"},
    "shp": _GEODATA_OPTIONS | {"encoding"},
    "shp.zip": _GEODATA_OPTIONS | {"encoding"},
    "gtfs": _GEODATA_OPTIONS - {"layers"},
    "overpass": _GEODATA_OPTIONS - {"layers"},
}
"""Options that have an effect on files of a kind, or are refused by its reader; those of geodata for all others."""


def read_any(path: Path, *, name: str | None = None, options: ImportOptions | None = None) -> TracedLayer:
    """Read a file of lines of any format; outlines of lines are handled as in `outlines`.

    Args:
        path: SVG, a graph as JSON, or geodata in a format of `VECTOR_FORMATS`.
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
    return traced_layer if options.rings else replace_outlines(traced_layer, centre_lines=options.centre_lines)


def usable_options(path: Path) -> tuple[str, frozenset[str]]:
    """Return the kind of a file in words, and the fields of `ImportOptions` that have an effect on it.

    Raises:
        SourceError: The file is of no readable format; likewise WorkspaceError if it is missing.
    """
    kind = _infer_kind(path, path.name)
    title = {"svg": "SVG drawing", "graph": "graph as JSON"}.get(kind) or VECTOR_FORMATS[kind].title
    return title, _OPTIONS_BY_KIND.get(kind, _GEODATA_OPTIONS)


def _read_layer(path: Path, *, name: str, options: ImportOptions) -> TracedLayer:
    kind = _infer_kind(path, name)
    if kind == "svg":
        return read_svg(
            path, name=name, key_from=options.key_from, with_fills=options.centre_lines, with_map=options.map_layers
        )
    if kind == "graph":
        return read_graph(read_bytes(path, name=name, limit=MAX_BYTES), file=name, options=options)
    return read_vector(path, name=name, options=options)


def _infer_kind(path: Path, name: str) -> str:
    """Return `"svg"`, `"graph"` or the key of `VECTOR_FORMATS`."""
    if path.suffix.lower() in _COMPANION_SUFFIXES:
        raise SourceError(f"{name}: part of a Shapefile; give its .shp")
    kind = infer_kind(path, name=name)
    if kind is None and path.suffix.lower() in {".svg", ".svgz"}:
        return "svg"
    if kind is None:
        raise SourceError(f"{name}: not a format that mapkit reads; mapkit import --list-formats lists the formats")
    return infer_json_kind(read_bytes(path, name=name, limit=MAX_BYTES)) if kind == "json" else kind
