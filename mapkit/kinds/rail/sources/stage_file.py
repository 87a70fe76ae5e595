"""GeoPackages of tracing stages, for QGIS and for the next stage.

Layers: `lines` and `points` in degrees (EPSG:4326), `lines_px` and `points_px` of drawings in pixels, `segments` of the
last stage, `notes` on repairs and doubts at their places, and the table `stage`, which identifies the file. Pixels are
written with y upward (`-y`), as QGIS shows a picture without a georeference.
"""

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from pydantic import ValidationError

from mapkit.core import heavy
from mapkit.core.characters import describe_character, find_in_data
from mapkit.core.errors import SourceError, WorkspaceError, did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.formats.geopackage import FrameLayer, write_geopackage
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.features import MAX_FEATURES, split_keys
from mapkit.formats.lines.vector import count_to_read
from mapkit.formats.lines.vector_kinds import infer_kind
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.stage import StageData, StageLine, StagePoint

SUFFIX = ".gpkg"

_FORMAT = "mapkit/stage 1"
_PIXEL_SUFFIX = "_px"
_CRS = "EPSG:4326"
_KEY_SEPARATOR = "; "


def stage_bytes(data: StageData) -> bytes:
    """Return the GeoPackage of a stage; the same data give the same bytes."""
    layers: list[FrameLayer] = []
    for layer_suffix, is_pixels in (("", False), (_PIXEL_SUFFIX, True)):
        crs = None if is_pixels else _CRS
        stage_lines = [line for line in data.lines if line.pixels == is_pixels]
        stage_points = [point for point in data.points if point.pixels == is_pixels]
        line_shapes = [shapely.LineString(_flip_pixels(line.line, is_pixels)) for line in stage_lines]
        point_shapes = [shapely.Point(p.x, -p.y if is_pixels else p.y) for p in stage_points]
        layers += [
            _make_layer(
                f"lines{layer_suffix}", [_line_row(line) for line in stage_lines], line_shapes, "LineString", crs
            ),
            _make_layer(
                f"points{layer_suffix}", [_point_row(point) for point in stage_points], point_shapes, "Point", crs
            ),
        ]
    if data.segments:
        segment_shapes = [shapely.MultiLineString(s.lines) for s in data.segments]
        layer_rows = [s.model_dump(include={"id", "railroad", "a", "b", "miles", "feature"}) for s in data.segments]
        layers.append(_make_layer("segments", layer_rows, segment_shapes, "MultiLineString", _CRS))
    sorted_notes = sorted(data.notes, key=lambda note: _note_point(note) is None)  # notes without a place come last
    layer_rows = [note.model_dump(include={"kind", "what", "message", "feature"}) for note in sorted_notes]
    layers.append(_make_layer("notes", layer_rows, [_note_point(note) for note in sorted_notes], "Point", _CRS))
    stage_frame = heavy.pandas.DataFrame([{"format": _FORMAT, "board": data.board, "stage": data.stage}])
    return write_geopackage([*layers, FrameLayer("stage", stage_frame, None)])


def _note_point(note: TraceNote) -> shapely.Point | None:
    return None if note.lon is None or note.lat is None else shapely.Point(note.lon, note.lat)


def _make_layer(
    name: str, rows: Sequence[dict[str, Any]], shapes: Sequence[Any], kind: str, crs: str | None
) -> FrameLayer:
    return FrameLayer(name, heavy.geopandas.GeoDataFrame(list(rows), geometry=list(shapes), crs=crs), kind)


def _line_row(line: StageLine) -> dict[str, Any]:
    return line.model_dump(include={"railroad", "level", "feature", "id", "a", "b", "station_list"})


def _point_row(point: StagePoint) -> dict[str, Any]:
    return {
        "name": point.name,
        "kind": point.kind,
        "railroads": _KEY_SEPARATOR.join(point.railroads),
        "feature": point.feature,
        "how": point.how,
        "pinned": point.pinned,
    }


def _flip_pixels(points: Any, pixels: bool) -> Any:  # noqa: ANN401, FBT001
    xy = np.array(points, dtype=np.float64).reshape(-1, 2)
    return xy * [1, -1] if pixels else xy


def is_stage(path: Path) -> bool:
    """Return whether a file is a stage that `stage_bytes` wrote."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            return bool(database.execute("SELECT format FROM stage").fetchone() == (_FORMAT,))
    except (sqlite3.Error, UnicodeDecodeError):  # damaged: its reader reports it
        return False


def read_stage(path: Path, *, board: str | None = None, railroads: Collection[str] | None = None) -> StageData:
    """Read a stage that `stage_bytes` wrote, edited or not.

    Args:
        path: The file.
        board: The expected board; None accepts any.
        railroads: The ids of the board's railroads, for lines and points; None accepts any.

    Raises:
        SourceError: It is not such a file or of another board, or a row is not a line or point, or has an unknown
            railroad; layer and row are named.
        WorkspaceError: It is missing or may not be read.
    """
    if not path.is_file():
        raise WorkspaceError(f"{path}: no such file; mapkit trace BOARD --until STAGE --out {path.name} makes one")
    if infer_kind(path, name=path.name) != "gpkg":
        raise SourceError(f"{path.name}: not a GeoPackage; give a file that mapkit trace --out wrote")

    try:
        layer_names = [str(layer_name) for layer_name, _ in heavy.pyogrio.list_layers(path)]
        stage_row = _read_rows(path, "stage")[0] if "stage" in layer_names else ({}, None)
        if not stage_row or stage_row[0].get("format") != _FORMAT:
            raise SourceError(f"{path.name}: not a stage of mapkit; give a file that mapkit trace --out wrote")
        if board not in (None, stage_row[0].get("board")):
            boards_text = f"the board {stage_row[0].get('board')!r}, not {board!r}"
            raise SourceError(f"{path.name}: the file is of {boards_text}; give a file of this board")
        rows_by_layer = {
            layer_name: _read_rows(path, layer_name)
            for layer_name in layer_names
            if layer_name not in ("stage", "segments")
        }
    except (RuntimeError, ValueError, LookupError, OSError) as error:  # all errors of pyogrio
        raise SourceError(f"{path.name}: {translate_error(error)}; write it again") from error
    problems: list[str] = []
    stage_lines = [
        line for suffix in ("", _PIXEL_SUFFIX) for line in _read_lines(path.name, rows_by_layer, suffix, problems)
    ]
    stage_points = [
        point for suffix in ("", _PIXEL_SUFFIX) for point in _read_points(path.name, rows_by_layer, suffix, problems)
    ]
    if railroads is not None:
        problems += _list_unknown_railroads(path.name, rows_by_layer, railroads)
    trace_notes = _read_notes(path.name, rows_by_layer.get("notes", []), problems)
    if problems:
        raise SourceError(problems)
    try:
        return StageData(
            board=stage_row[0]["board"],
            stage=stage_row[0]["stage"],
            lines=tuple(stage_lines),
            points=tuple(stage_points),
            notes=tuple(trace_notes),
        )
    except ValidationError as error:
        raise SourceError(f"{path.name}: the table stage: {_describe_first_error(error)}") from error


Table = list[tuple[dict[str, Any], Any]]


def _read_rows(path: Path, layer: str) -> Table:
    row_count = count_to_read(path, layer, f"{path.name}: {layer}", MAX_FEATURES)
    layer_frame = heavy.pyogrio.read_dataframe(path, layer=layer, max_features=row_count, on_invalid="ignore")
    row_shapes = layer_frame.pop("geometry") if "geometry" in layer_frame else [None] * len(layer_frame)
    row_values = layer_frame.astype(object).where(layer_frame.notna(), None).to_dict("records")
    return list(zip(row_values, row_shapes, strict=True))


def _read_lines(file: str, tables: dict[str, Table], suffix: str, problems: list[str]) -> list[StageLine]:
    stage_lines: list[StageLine] = []
    for row_number, (row, shape) in enumerate(tables.get(f"lines{suffix}", []), start=1):
        where = f"{file}: lines{suffix} row {row_number}"
        line_parts = [] if shape is None else [p for p in shapely.get_parts(shape) if p.geom_type == "LineString"]
        if not line_parts:
            problems.append(f"{where}: the line is missing; draw it, or delete the row")
        for line_part in line_parts:
            line_points = tuple(map(tuple, _flip_pixels(shapely.get_coordinates(line_part), bool(suffix)).tolist()))
            text_values = {column_name: row.get(column_name) or "" for column_name in ("railroad", "id", "a", "b")}
            text_values["feature"] = _cell_value(row, "feature") or where
            other_values = {"level": row.get("level") or 0, "station_list": bool(row.get("station_list"))}
            try:
                stage_lines.append(
                    StageLine.model_validate(
                        {**text_values, **other_values, "line": line_points, "pixels": bool(suffix)}
                    )
                )
            except ValidationError as error:
                problems.append(f"{where}: {_describe_first_error(error)}")
    return stage_lines


def _cell_value(row: dict[str, Any], column: str) -> Any:  # noqa: ANN401 - any value of a cell
    """Return the value of a cell; a text of only spaces counts as empty."""
    value = row.get(column) or ""
    return value.strip() if isinstance(value, str) else value


def _read_points(file: str, tables: dict[str, Table], suffix: str, problems: list[str]) -> list[StagePoint]:
    stage_points: list[StagePoint] = []
    for row_number, (row, shape) in enumerate(tables.get(f"points{suffix}", []), start=1):
        where = f"{file}: points{suffix} row {row_number}"
        if shape is None or shape.geom_type != "Point" or shape.is_empty:
            problems.append(f"{where}: the point is missing; place it, or delete the row")
            continue
        x, y = _flip_pixels(shapely.get_coordinates(shape)[:1], bool(suffix))[0].tolist()
        point_values = {
            "feature": _cell_value(row, "feature") or (where if row.get("kind") in (None, "", "dot") else ""),
            "name": _cell_value(row, "name"),
            "kind": row.get("kind") or "dot",
            "how": row.get("how") or "traced",
            "railroads": split_keys(row.get("railroads") or ""),
            "pinned": row.get("pinned") is None or bool(row["pinned"]),
        }
        if (forbidden_character := find_in_data(point_values)) is not None:
            problems.append(
                f"{where}: {forbidden_character[0]!r} holds {describe_character(forbidden_character[1])}; delete it"
            )
            continue
        try:
            stage_points.append(StagePoint.model_validate({**point_values, "x": x, "y": y, "pixels": bool(suffix)}))
        except ValidationError as error:
            problems.append(f"{where}: {_describe_first_error(error)}")
    return stage_points


def _list_unknown_railroads(file: str, tables: dict[str, Table], railroads: Collection[str]) -> list[str]:
    """List unknown railroads in rows, one row at a time."""
    problem_texts: list[str] = []
    for layer in ("lines", "lines_px", "points", "points_px"):
        column = "railroad" if layer.startswith("lines") else "railroads"
        for row_number, (row, _) in enumerate(tables.get(layer, []), start=1):
            railroad_text = str(row.get(column) or "")
            for railroad_id in split_keys(railroad_text) if column == "railroads" else [railroad_text]:
                if railroad_id not in railroads:
                    hint = did_you_mean(railroad_id, railroads) or "; correct it"
                    problem_texts.append(
                        f"{file}: {layer} row {row_number}: railroad {railroad_id!r} is not in railroads.csv{hint}"
                    )
    return problem_texts


def _read_notes(file: str, table: Table, problems: list[str]) -> list[TraceNote]:
    trace_notes: list[TraceNote] = []
    for row_number, (row, shape) in enumerate(table, start=1):
        has_place = shape is not None and not shape.is_empty
        lon, lat = shapely.get_coordinates(shape)[0].tolist() if has_place else (None, None)
        note_values = {
            column_name: row.get(column_name) or "" for column_name in ("kind", "what", "message", "feature")
        }
        try:
            trace_notes.append(TraceNote.model_validate({**note_values, "lon": lon, "lat": lat}))
        except ValidationError as error:
            problems.append(f"{file}: notes row {row_number}: {_describe_first_error(error)}")
    return trace_notes


def _describe_first_error(error: ValidationError) -> str:
    return invalid_value_message(error.errors()[0])
