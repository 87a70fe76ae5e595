"""Stages of tracing as GeoPackages: what QGIS shows and may edit, and the next stage reads.

Layers: `lines` and `points` in degrees (EPSG:4326), `lines_px` and `points_px` of drawings in pixels, `segments` of the
last stage, `notes` with everything repaired or doubtful at its place, and the table `stage`, which says what this is.
Pixels are written with y upward (`-y`), as QGIS shows a picture that has no place yet.
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
from mapkit.core.invalid import invalid
from mapkit.formats.geopackage import FrameLayer, geopackage_of
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.features import MAX_FEATURES, split_keys
from mapkit.formats.lines.vector import count_to_read, kind_of
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.stage import StageData, StageLine, StagePoint

SUFFIX = ".gpkg"

_FORMAT = "mapkit/stage 1"
_PIXELS = "_px"
_CRS = "EPSG:4326"
_APART = "; "


def stage_bytes(data: StageData) -> bytes:
    """Return the GeoPackage of a stage; the same data give the same bytes."""
    layers: list[FrameLayer] = []
    for suffix, pixels in (("", False), (_PIXELS, True)):
        crs = None if pixels else _CRS
        lines = [line for line in data.lines if line.pixels == pixels]
        points = [point for point in data.points if point.pixels == pixels]
        courses = [shapely.LineString(_turned(line.line, pixels)) for line in lines]
        spots = [shapely.Point(p.x, -p.y if pixels else p.y) for p in points]
        layers += [
            _layer(f"lines{suffix}", [_line(line) for line in lines], courses, "LineString", crs),
            _layer(f"points{suffix}", [_point(point) for point in points], spots, "Point", crs),
        ]
    if data.segments:
        tracks = [shapely.MultiLineString(s.lines) for s in data.segments]
        rows = [s.model_dump(include={"id", "railroad", "a", "b", "miles", "feature"}) for s in data.segments]
        layers.append(_layer("segments", rows, tracks, "MultiLineString", _CRS))
    notes = sorted(data.notes, key=lambda note: _spot(note) is None)  # those without a place come last
    rows = [note.model_dump(include={"kind", "what", "message", "feature"}) for note in notes]
    layers.append(_layer("notes", rows, [_spot(note) for note in notes], "Point", _CRS))
    head = heavy.pandas.DataFrame([{"format": _FORMAT, "board": data.board, "stage": data.stage}])
    return geopackage_of([*layers, FrameLayer("stage", head, None)])


def _spot(note: TraceNote) -> shapely.Point | None:
    return None if note.lon is None or note.lat is None else shapely.Point(note.lon, note.lat)


def _layer(name: str, rows: Sequence[dict[str, Any]], shapes: Sequence[Any], kind: str, crs: str | None) -> FrameLayer:
    return FrameLayer(name, heavy.geopandas.GeoDataFrame(list(rows), geometry=list(shapes), crs=crs), kind)


def _line(line: StageLine) -> dict[str, Any]:
    return line.model_dump(include={"railroad", "level", "feature", "id", "a", "b", "station_list"})


def _point(point: StagePoint) -> dict[str, Any]:
    return {
        "name": point.name,
        "kind": point.kind,
        "railroads": _APART.join(point.railroads),
        "feature": point.feature,
        "how": point.how,
        "pinned": point.pinned,
    }


def _turned(points: Any, pixels: bool) -> Any:  # noqa: ANN401, FBT001
    xy = np.array(points, dtype=np.float64).reshape(-1, 2)
    return xy * [1, -1] if pixels else xy


def is_stage(path: Path) -> bool:
    """Return whether a file is a stage that `stage_bytes` wrote."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as base:
            return bool(base.execute("SELECT format FROM stage").fetchone() == (_FORMAT,))
    except (sqlite3.Error, UnicodeDecodeError):  # damaged: what reads it says so
        return False


def read_stage(path: Path, *, board: str | None = None, railroads: Collection[str] | None = None) -> StageData:
    """Read a stage that `stage_bytes` wrote, edited or not.

    Args:
        path: The file.
        board: The board that it must be of; None takes any.
        railroads: The ids of the board's railroads, which lines and points must name; None takes any.

    Raises:
        SourceError: It is no such file or of another board, or a row of it is not a line or point, or of no railroad;
            layer and row are named.
        WorkspaceError: It is missing or may not be read.
    """
    if not path.is_file():
        raise WorkspaceError(f"{path}: no such file; mapkit trace BOARD --until STAGE --out {path.name} makes one")
    if kind_of(path, name=path.name) != "gpkg":
        raise SourceError(f"{path.name}: not a GeoPackage; give a file that mapkit trace --out wrote")

    try:
        layers = [str(name) for name, _ in heavy.pyogrio.list_layers(path)]
        head = _rows(path, "stage")[0] if "stage" in layers else ({}, None)
        if not head or head[0].get("format") != _FORMAT:
            raise SourceError(f"{path.name}: not a stage of mapkit; give a file that mapkit trace --out wrote")
        if board not in (None, head[0].get("board")):
            of = f"the board {head[0].get('board')!r}, not {board!r}"
            raise SourceError(f"{path.name}: the file is of {of}; give a file of this board")
        tables = {name: _rows(path, name) for name in layers if name not in ("stage", "segments")}
    except (RuntimeError, ValueError, LookupError, OSError) as error:  # all that pyogrio raises
        raise SourceError(f"{path.name}: {translate_error(error)}; write it again") from error
    problems: list[str] = []
    lines = [line for suffix in ("", _PIXELS) for line in _read_lines(path.name, tables, suffix, problems)]
    points = [point for suffix in ("", _PIXELS) for point in _read_points(path.name, tables, suffix, problems)]
    if railroads is not None:
        problems += _strangers(path.name, tables, railroads)
    notes = _read_notes(path.name, tables.get("notes", []), problems)
    if problems:
        raise SourceError(problems)
    try:
        return StageData(
            board=head[0]["board"],
            stage=head[0]["stage"],
            lines=tuple(lines),
            points=tuple(points),
            notes=tuple(notes),
        )
    except ValidationError as error:
        raise SourceError(f"{path.name}: the table stage: {_first(error)}") from error


Table = list[tuple[dict[str, Any], Any]]


def _rows(path: Path, layer: str) -> Table:
    count = count_to_read(path, layer, f"{path.name}: {layer}", MAX_FEATURES)
    frame = heavy.pyogrio.read_dataframe(path, layer=layer, max_features=count, on_invalid="ignore")
    shapes = frame.pop("geometry") if "geometry" in frame else [None] * len(frame)
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return list(zip(rows, shapes, strict=True))


def _read_lines(file: str, tables: dict[str, Table], suffix: str, problems: list[str]) -> list[StageLine]:
    out: list[StageLine] = []
    for number, (row, shape) in enumerate(tables.get(f"lines{suffix}", []), start=1):
        where = f"{file}: lines{suffix} row {number}"
        parts = [] if shape is None else [p for p in shapely.get_parts(shape) if p.geom_type == "LineString"]
        if not parts:
            problems.append(f"{where}: the line is missing; draw it, or delete the row")
        for part in parts:
            line = tuple(map(tuple, _turned(shapely.get_coordinates(part), bool(suffix)).tolist()))
            values = {name: row.get(name) or "" for name in ("railroad", "id", "a", "b")}
            values["feature"] = _said(row, "feature") or where
            flags = {"level": row.get("level") or 0, "station_list": bool(row.get("station_list"))}
            try:
                out.append(StageLine.model_validate({**values, **flags, "line": line, "pixels": bool(suffix)}))
            except ValidationError as error:
                problems.append(f"{where}: {_first(error)}")
    return out


def _said(row: dict[str, Any], column: str) -> Any:  # noqa: ANN401 - what a cell holds
    """Return the value of a cell; a text of nothing but spaces is empty."""
    value = row.get(column) or ""
    return value.strip() if isinstance(value, str) else value


def _read_points(file: str, tables: dict[str, Table], suffix: str, problems: list[str]) -> list[StagePoint]:
    out: list[StagePoint] = []
    for number, (row, shape) in enumerate(tables.get(f"points{suffix}", []), start=1):
        where = f"{file}: points{suffix} row {number}"
        if shape is None or shape.geom_type != "Point" or shape.is_empty:
            problems.append(f"{where}: the point is missing; place it, or delete the row")
            continue
        x, y = _turned(shapely.get_coordinates(shape)[:1], bool(suffix))[0].tolist()
        values = {
            "feature": _said(row, "feature") or (where if row.get("kind") in (None, "", "dot") else ""),
            "name": _said(row, "name"),
            "kind": row.get("kind") or "dot",
            "how": row.get("how") or "traced",
            "railroads": split_keys(row.get("railroads") or ""),
            "pinned": row.get("pinned") is None or bool(row["pinned"]),
        }
        if (found := find_in_data(values)) is not None:
            problems.append(f"{where}: {found[0]!r} holds {describe_character(found[1])}; delete it")
            continue
        try:
            out.append(StagePoint.model_validate({**values, "x": x, "y": y, "pixels": bool(suffix)}))
        except ValidationError as error:
            problems.append(f"{where}: {_first(error)}")
    return out


def _strangers(file: str, tables: dict[str, Table], railroads: Collection[str]) -> list[str]:
    """Return what is wrong with the railroads that rows name, a row at a time."""
    out: list[str] = []
    for layer in ("lines", "lines_px", "points", "points_px"):
        column = "railroad" if layer.startswith("lines") else "railroads"
        for number, (row, _) in enumerate(tables.get(layer, []), start=1):
            named = str(row.get(column) or "")
            for key in split_keys(named) if column == "railroads" else [named]:
                if key not in railroads:
                    hint = did_you_mean(key, railroads) or "; correct it"
                    out.append(f"{file}: {layer} row {number}: railroad {key!r} is not in railroads.csv{hint}")
    return out


def _read_notes(file: str, table: Table, problems: list[str]) -> list[TraceNote]:
    out: list[TraceNote] = []
    for number, (row, shape) in enumerate(table, start=1):
        known = shape is not None and not shape.is_empty
        lon, lat = shapely.get_coordinates(shape)[0].tolist() if known else (None, None)
        values = {name: row.get(name) or "" for name in ("kind", "what", "message", "feature")}
        try:
            out.append(TraceNote.model_validate({**values, "lon": lon, "lat": lat}))
        except ValidationError as error:
            problems.append(f"{file}: notes row {number}: {_first(error)}")
    return out


def _first(error: ValidationError) -> str:
    return invalid(error.errors()[0])
