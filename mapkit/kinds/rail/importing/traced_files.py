"""Traced geometry in `drawings/` of a source package, the origin of its station lists."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.core.geodesy import MILES_PER_DEGREE
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.files import LINE_SUFFIXES
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.traced import TracedLayer
from mapkit.geography.land_plane import LAST_MI, LandPlane
from mapkit.kinds.rail.importing.drawings import BESIDE, unknown_format
from mapkit.kinds.rail.importing.mapping import (
    choose_keys,
    line_railroads,
    mapped_options,
    point_railroads,
    read_mapping,
)
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.tables import Railroad
from mapkit.kinds.rail.trace.thinning import thin_dense_lines


@dataclass(frozen=True)
class TracedFiles:
    """Contents of the drawings of a source package."""

    lines: tuple[TracedLine, ...]
    points: tuple[PinnedPoint, ...]
    notes: tuple[TraceNote, ...]
    pages: Mapping[str, DrawnPage]
    """Pages of drawings by file, if they have one."""


def read_traced(
    folder: Path,
    names: Iterable[str],
    *,
    railroads: Mapping[str, Railroad],
    crs: str | None,
    mapping: str | None,
    mapping_file: str = "drawings/mapping.csv",
    plane: LandPlane | None = None,
    snap_mi: float,
) -> TracedFiles:
    """Read the traced files of a source package.

    Args:
        folder: The source package.
        names: Files of `drawings/`, relative to the package; files without a suffix of geodata are skipped, with a note
            unless they are parts of a Shapefile or notes of the author.
        railroads: Railroads of the board; a line's key is the id, reporting mark or name of one, unless mapped.
        crs: The CRS of files that name none.
        mapping: The text of `drawings/mapping.csv`, if there is one.
        mapping_file: The name of that file, for messages.
        plane: The plane of an invented land, on which drawings lie without control points.
        snap_mi: The snapping distance; dense lines in degrees lose the vertices that it makes superfluous.

    Raises:
        SourceError: A file is invalid, or a line has no railroad.
        WorkspaceError: A file may not be read.
    """
    mapping_by_file = read_mapping(mapping, file=mapping_file) if mapping is not None else {}
    all_lines: list[TracedLine] = []
    all_points: list[PinnedPoint] = []
    trace_notes: list[TraceNote] = []
    page_by_file: dict[str, DrawnPage] = {}
    for file_name in names:
        suffix = Path(file_name).suffix.lower()
        if suffix not in LINE_SUFFIXES:
            if suffix not in BESIDE:
                trace_notes.append(unknown_format(file_name))
            continue
        file_mapping = mapping_by_file.get(Path(file_name).name)
        traced_layer = read_any(
            folder / file_name,
            name=file_name,
            options=mapped_options(ImportOptions(crs=crs, map_layers=plane is not None), file_mapping),
        )
        if plane is not None:
            traced_layer = lay_on_plane(traced_layer, plane)
        if traced_layer.crs is not None:  # at once, because a vertex takes five times as much as a part of a line
            traced_layer = replace(traced_layer, lines=thin_dense_lines(traced_layer.lines, snap_mi / MILES_PER_DEGREE))
        mapped_keys = file_mapping.railroads if file_mapping else ()
        traced_layer = choose_keys(traced_layer, railroads, mapped=mapped_keys)
        railroad_names = {key: railroad.name for key, railroad in railroads.items()}
        traced_layer = replace_marks_by_ids(traced_layer, railroads, mapped=mapped_keys)
        trace_notes += [
            TraceNote(kind=kind, message=text, what=what, feature=text.partition(":")[0])
            for kind, what, texts in (
                ("left out", "", traced_layer.notes),
                ("repair", "guessed", traced_layer.guesses),
            )
            for text in texts
        ]
        if traced_layer.page is not None:
            page_by_file[file_name] = traced_layer.page
        all_lines += traced_lines(traced_layer, line_railroads(traced_layer, railroad_names, file_mapping))
        all_points += pinned_points(traced_layer, point_railroads(traced_layer, railroad_names, file_mapping))
    return TracedFiles(tuple(all_lines), tuple(all_points), tuple(trace_notes), page_by_file)


def lay_on_plane(layer: TracedLayer, plane: LandPlane) -> TracedLayer:
    """Return a drawing of an invented land with its lines and points in degrees.

    Raises:
        SourceError: It is in degrees already, or reaches too far from the middle.
    """
    if layer.crs is not None:
        raise SourceError(
            f"{layer.file}: lines in longitude and latitude have no place in an invented land; draw them in an SVG"
        )

    def convert(shapes: NDArray[np.object_]) -> NDArray[np.object_]:
        lonlat = plane.to_degrees(shapely.get_coordinates(shapes))
        if np.isnan(lonlat).any():
            raise SourceError(
                f"{layer.file}: reaches more than {LAST_MI:g} miles from the middle; correct scale_mi or middle "
                "under [projection] of board.toml"
            )
        return np.asarray(shapely.set_coordinates(shapes.copy(), lonlat), dtype=np.object_)

    return replace(layer, crs="EPSG:4326", lines=convert(layer.lines), points=convert(layer.points))


def replace_marks_by_ids(
    layer: TracedLayer, railroads: Mapping[str, Railroad], *, mapped: Collection[str] = ()
) -> TracedLayer:
    """Return the layer with reporting marks among its keys replaced by ids, except for mapped keys."""
    id_by_mark = {railroad.short: key for key, railroad in railroads.items() if railroad.short not in mapped}
    return replace(
        layer,
        line_keys=tuple(id_by_mark.get(key, key) for key in layer.line_keys),
        point_owners=tuple(tuple(id_by_mark.get(key, key) for key in owners) for owners in layer.owners),
        point_layers=tuple(id_by_mark.get(key, key) for key in layer.layers),
    )


def traced_lines(layer: TracedLayer, railroads: Sequence[str | None]) -> list[TracedLine]:
    """Return the lines of a layer that have a railroad."""
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
    """Return the points of a layer, except omitted ones (None)."""
    point_coordinates = shapely.get_coordinates(layer.points).tolist()
    return [
        PinnedPoint(feature=feature, name=name, x=float(x), y=float(y), railroads=owners, pixels=layer.crs is None)
        for (x, y), feature, name, owners in zip(
            point_coordinates, layer.point_features, layer.point_names, railroads, strict=True
        )
        if owners is not None
    ]
