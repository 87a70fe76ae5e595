"""Traced geometry in `lines/` of a source package, beside its station lists."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import shapely

from mapkit.model.board import SourceFile
from mapkit.model.network import TraceNote
from mapkit.model.source import PinnedPoint, RailroadRow, TracedLine
from mapkit.sources.import_any import SUFFIXES, read_any
from mapkit.sources.import_features import ImportOptions
from mapkit.sources.import_mapping import line_railroads, mapped_options, point_railroads, read_mapping
from mapkit.sources.traced import TracedLayer

_BESIDE = frozenset({".shx", ".dbf", ".prj", ".cpg", ".md", ".txt"})


@dataclass(frozen=True)
class TracedFiles:
    """What the traced files of a source package hold, and their hashes."""

    lines: tuple[TracedLine, ...]
    points: tuple[PinnedPoint, ...]
    notes: tuple[TraceNote, ...]
    files: tuple[SourceFile, ...]


def read_traced(
    folder: Path,
    names: Iterable[str],
    *,
    railroads: Sequence[RailroadRow],
    crs: str | None,
    mapping: str | None,
) -> TracedFiles:
    """Read the traced files of a source package.

    Args:
        folder: The source package.
        names: Files of `lines/`, relative to it; those that are no geodata by their suffix are passed over, and noted
            unless they are parts of a Shapefile or notes of the author.
        railroads: The board's; a line's key is the id, reporting mark or name of one, unless mapped.
        crs: The CRS of files that name none.
        mapping: The text of `lines/mapping.csv`, if there is one.

    Raises:
        SourceError: A file cannot be used, or a line has no railroad.
        WorkspaceError: A file may not be read.
    """
    mappings = read_mapping(mapping, file="lines/mapping.csv") if mapping is not None else {}
    lines: list[TracedLine] = []
    points: list[PinnedPoint] = []
    notes: list[TraceNote] = []
    files: list[SourceFile] = []
    for name in names:
        suffix = Path(name).suffix.lower()
        if suffix not in SUFFIXES:
            if suffix not in _BESIDE:
                text = f"{name}: not a format that mapkit reads; passed over; it reads {', '.join(SUFFIXES)}"
                notes.append(TraceNote(kind="left out", what="unknown format", message=text, feature=name))
            continue
        own = mappings.get(Path(name).name)
        layer = read_any(folder / name, name=name, options=mapped_options(ImportOptions(crs=crs), own))
        known = {railroad.id: railroad.name for railroad in railroads}
        layer = with_ids(layer, railroads, mapped=own.railroads if own else ())
        found = line_railroads(layer, known, own)
        said = (*layer.notes, *found.notes)
        notes += [TraceNote(kind="left out", message=text, feature=text.partition(":")[0]) for text in said]
        lines += _lines(layer, found.railroads)
        points += _points(layer, point_railroads(layer, known, own))
        files.append(SourceFile(path=name, sha256=hashlib.sha256((folder / name).read_bytes()).hexdigest()))
    return TracedFiles(tuple(lines), tuple(points), tuple(notes), tuple(files))


def with_ids(layer: TracedLayer, railroads: Sequence[RailroadRow], *, mapped: Collection[str] = ()) -> TracedLayer:
    """Return the layer with reporting marks among its keys replaced by ids, but for keys that the author mapped."""
    marks = {railroad.short: railroad.id for railroad in railroads if railroad.short not in mapped}
    return replace(
        layer,
        line_keys=tuple(marks.get(key, key) for key in layer.line_keys),
        point_owners=tuple(tuple(marks.get(key, key) for key in owners) for owners in layer.owners),
        point_layers=tuple(marks.get(key, key) for key in layer.layers),
    )


def _lines(layer: TracedLayer, railroads: Sequence[str | None]) -> list[TracedLine]:
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


def _points(layer: TracedLayer, railroads: Sequence[tuple[str, ...] | None]) -> list[PinnedPoint]:
    at = shapely.get_coordinates(layer.points).tolist()
    return [
        PinnedPoint(feature=feature, name=name, x=float(x), y=float(y), railroads=owners, pixels=layer.crs is None)
        for (x, y), feature, name, owners in zip(at, layer.point_features, layer.point_names, railroads, strict=True)
        if owners is not None
    ]
