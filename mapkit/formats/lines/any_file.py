"""Traced geometry from any supported file, recognised by content rather than suffix."""

from pathlib import Path

from mapkit.core.errors import SourceError
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.graph import read_graph
from mapkit.formats.lines.outlines import replace_outlines
from mapkit.formats.lines.svg import read_svg
from mapkit.formats.lines.vector import read_vector
from mapkit.formats.lines.vector_kinds import infer_json_kind, infer_kind
from mapkit.formats.traced import TracedLayer

_COMPANION_SUFFIXES = frozenset({".shx", ".dbf", ".prj", ".cpg"})


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


def _read_layer(path: Path, *, name: str, options: ImportOptions) -> TracedLayer:
    if path.suffix.lower() in _COMPANION_SUFFIXES:
        raise SourceError(f"{name}: part of a Shapefile; give its .shp")
    kind = infer_kind(path, name=name)
    if kind == "svg" or (kind is None and path.suffix.lower() in {".svg", ".svgz"}):
        return read_svg(
            path, name=name, key_from=options.key_from, with_fills=options.centre_lines, with_map=options.map_layers
        )
    if kind == "json" and infer_json_kind(data := path.read_bytes()) == "graph":
        return read_graph(data, file=name, options=options)
    if kind is None:
        raise SourceError(f"{name}: not a format that mapkit reads; mapkit import --list-formats lists the formats")
    return read_vector(path, name=name, options=options)
