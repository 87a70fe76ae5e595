"""Traced geometry in `drawings/` of a source package, from which its station lists were made."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import shapely

from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.files import LINE_SUFFIXES
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.importing.drawings import BESIDE, unknown_format
from mapkit.kinds.rail.importing.mapping import line_railroads, mapped_options, point_railroads, read_mapping
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.tables import Railroad


@dataclass(frozen=True)
class TracedFiles:
    """What the drawings of a source package hold."""

    lines: tuple[TracedLine, ...]
    points: tuple[PinnedPoint, ...]
    notes: tuple[TraceNote, ...]
    pages: Mapping[str, DrawnPage]
    """The pages of drawings that have one, by file."""


def read_traced(
    folder: Path,
    names: Iterable[str],
    *,
    railroads: Mapping[str, Railroad],
    crs: str | None,
    mapping: str | None,
    mapping_file: str = "drawings/mapping.csv",
) -> TracedFiles:
    """Read the traced files of a source package.

    Args:
        folder: The source package.
        names: Files of `drawings/`, relative to the package; those that are not geodata by their suffix are passed
            over, and noted unless they are parts of a Shapefile or notes of the author.
        railroads: The board's; a line's key is the id, reporting mark or name of one, unless mapped.
        crs: The CRS of files that name none.
        mapping: The text of `drawings/mapping.csv`, if there is one.
        mapping_file: How to call that file.

    Raises:
        SourceError: A file cannot be used, or a line has no railroad.
        WorkspaceError: A file may not be read.
    """
    mappings = read_mapping(mapping, file=mapping_file) if mapping is not None else {}
    lines: list[TracedLine] = []
    points: list[PinnedPoint] = []
    notes: list[TraceNote] = []
    pages: dict[str, DrawnPage] = {}
    for name in names:
        suffix = Path(name).suffix.lower()
        if suffix not in LINE_SUFFIXES:
            if suffix not in BESIDE:
                notes.append(unknown_format(name))
            continue
        own = mappings.get(Path(name).name)
        layer = read_any(folder / name, name=name, options=mapped_options(ImportOptions(crs=crs), own))
        known = {key: railroad.name for key, railroad in railroads.items()}
        layer = with_ids(layer, railroads, mapped=own.railroads if own else ())
        notes += [TraceNote(kind="left out", message=text, feature=text.partition(":")[0]) for text in layer.notes]
        if layer.page is not None:
            pages[name] = layer.page
        lines += traced_lines(layer, line_railroads(layer, known, own))
        points += pinned_points(layer, point_railroads(layer, known, own))
    return TracedFiles(tuple(lines), tuple(points), tuple(notes), pages)


def with_ids(layer: TracedLayer, railroads: Mapping[str, Railroad], *, mapped: Collection[str] = ()) -> TracedLayer:
    """Return the layer with reporting marks among its keys replaced by ids, except keys that the author mapped."""
    marks = {railroad.short: key for key, railroad in railroads.items() if railroad.short not in mapped}
    return replace(
        layer,
        line_keys=tuple(marks.get(key, key) for key in layer.line_keys),
        point_owners=tuple(tuple(marks.get(key, key) for key in owners) for owners in layer.owners),
        point_layers=tuple(marks.get(key, key) for key in layer.layers),
    )


def traced_lines(layer: TracedLayer, railroads: Sequence[str | None]) -> list[TracedLine]:
    """Return the lines of a layer, less those of no railroad."""
    return [
        TracedLine(
            feature=feature,
            railroad=railroad,
            line=tuple((float(x), float(y)) for x, y in shapely.get_coordinates(line)),
            level=level,
            pixels=layer.crs is None,
        )
        for line, feature, railroad, level in zip(
            layer.lines, layer.line_features, railroads, layer.levels, strict=True
        )
        if railroad is not None
    ]


def pinned_points(layer: TracedLayer, railroads: Sequence[tuple[str, ...] | None]) -> list[PinnedPoint]:
    """Return the points of a layer, less those left out (None)."""
    at = shapely.get_coordinates(layer.points).tolist()
    return [
        PinnedPoint(feature=feature, name=name, x=float(x), y=float(y), railroads=owners, pixels=layer.crs is None)
        for (x, y), feature, name, owners in zip(at, layer.point_features, layer.point_names, railroads, strict=True)
        if owners is not None
    ]
