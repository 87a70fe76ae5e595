"""A board as GeoDataFrames and back, in the layers of a GeoPackage."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.exchange.board_parts import Line, board_to_parts, convert_row_types
from mapkit.kinds.rail.exchange.completion import complete_layers
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, board_to_layers
from mapkit.kinds.rail.model.board import Board

REST: Final = "board"
"""Table of all board data outside the layers, with the columns `key` and `value` (JSON)."""

STYLES: Final = "layer_styles"
"""The table of a GeoPackage in which QGIS keeps styles; it is not read."""

CRS: Final = "EPSG:4326"

_PLACE: Final = ("lon", "lat", "x", "y")
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "regions": ("id", "name", "short", "colour"),
    "pieces": ("id", "railroad", "a", "b", "miles", "mark", "used"),
    "segments": ("id", "railroad", "a", "b", "miles", "pieces"),
    "junctions": ("id", "railroad", *_PLACE),
    "mileposts": ("id", "name", "kind", *_PLACE),
    "cities": ("id", "name", "region", "milepost"),
    "railroads": ("id", "name", "short", "price", "public", "colour", "pattern"),
    REST: ("key", "value"),
}
"""Columns of each layer. All are required except coordinates, which follow from the shape."""

_SHAPE_LAYERS: Final = frozenset({"pieces", "segments", "junctions", "mileposts"})
"""The layers whose shapes are read; the shapes of cities and regions follow from others."""

_DEGREE_DECIMALS: Final = 9
"""Decimals of degrees converted from another CRS: a tenth of a millimetre, which removes rounding errors."""

_MAX_LON_DEG, _MAX_LAT_DEG = 360, 90


def to_geodataframes(board: Board, *, drawn: bool = False) -> dict[str, "heavy.pandas.DataFrame"]:
    """Return a board as data frames by the names of its layers, as a GeoPackage holds them.

    `regions`, `pieces`, `segments`, `junctions`, `mileposts` and `cities` are GeoDataFrames in degrees (EPSG:4326).
    `railroads` is a DataFrame. So is `board`, the rest of the board: a `key`, and its `value` as JSON.

    Args:
        board: The board.
        drawn: Whether to lay the board out and add the positions of points in the picture, `drawn_x` and `drawn_y`
            (mm).
    """
    board_parts = board_to_parts(board, drawn=drawn)
    frame_by_layer = {layer.name: _layer_to_frame(layer) for layer in board_to_layers(board, board_parts)}
    rest_rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in board_parts.rest.items()]
    return {**frame_by_layer, REST: heavy.pandas.DataFrame(rest_rows, columns=list(_COLUMNS[REST]))}


def _layer_to_frame(layer: Layer) -> "heavy.pandas.DataFrame":
    row_frame = heavy.pandas.DataFrame(list(layer.rows), columns=None if layer.rows else list(_COLUMNS[layer.name]))
    if layer.kind == "table":
        return row_frame
    shapes: list[Any] = [_shape_to_geometry(layer.kind, shape) for shape in layer.shapes]
    return heavy.geopandas.GeoDataFrame(row_frame, geometry=shapes, crs=CRS)


def _shape_to_geometry(kind: str, shape: Any) -> BaseGeometry | None:  # noqa: ANN401 - type by kind of layer
    if not shape:
        return None
    if kind == "MultiPolygon":
        return shapely.MultiPolygon([shapely.Polygon(outer_ring, hole_rings) for outer_ring, *hole_rings in shape])
    return shapely.Point(shape) if kind == "Point" else shapely.LineString(shape)


def from_geodataframes(
    frames: Mapping[str, "heavy.pandas.DataFrame"], *, base: Board | None = None, file: str = "the frames"
) -> Board:
    """Return the board of frames that `to_geodataframes` made, changed or not.

    A point that was moved takes the ends of its lines along, a new line with a railroad is a new segment, and all
    columns are read, as from a GeoPackage. Frames in another CRS are converted to degrees.

    Args:
        frames: The frames by name, or those that were changed, with `base`. GeoDataFrames of the layers of a
            GeoPackage serve as well.
        base: The board that the frames were made of: layers, rows of the table `board` and values that are missing,
            and layers without rows, are taken from there.
        file: Name of the frames in messages.

    Raises:
        SourceError: A frame, a column, a CRS or a shape is missing, or a row is no part of a board; layer and row are
            named.
    """
    known_layers = (*KINDS, REST)
    for layer_name in frames:
        if layer_name not in (*known_layers, STYLES):
            hint = did_you_mean(str(layer_name), known_layers) or f"; layers are {join_some(known_layers)}"
            raise SourceError(f"{file}: no layer of a board is called {str(layer_name)[:80]!r}{hint}")
    missing_layers = [layer_name for layer_name in known_layers if layer_name not in frames]
    if base is None and missing_layers:
        raise SourceError(
            f"{file}: no layer {', '.join(missing_layers)}; add what to_geodataframes gives (a frame without "
            "rows where the "
            "board has none), or give the board that it was made of as base"
        )
    return read_frames(frames, base=base, file=file)


def read_frames(frames: Mapping[str, "heavy.pandas.DataFrame"], *, base: Board | None, file: str) -> Board:
    """Return the board of frames; frames of layers without rows may be missing.

    Raises:
        SourceError: As for `from_geodataframes`.
    """
    layers = {
        layer_name: _read_features(frames[layer_name], layer_name, file, base)
        for layer_name in KINDS
        if layer_name in frames
    }
    rest = _read_rest(frames[REST], file) if REST in frames else {}
    return board_from_layers(*complete_layers(layers, rest, base), file=file)


def _read_rest(frame: "heavy.pandas.DataFrame", file: str) -> dict[str, Any]:
    _refuse_columns(frame, REST, _COLUMNS[REST], file)
    return {
        str(key): parse_json(str(json_value), file=f"{file}: {REST}: {key}")
        for key, json_value in zip(frame["key"], frame["value"], strict=True)
    }


def _refuse_columns(frame: "heavy.pandas.DataFrame", name: str, needed: Sequence[str], file: str) -> None:
    if not hasattr(frame, "columns"):
        raise SourceError(f"{file}: {name} is a {type(frame).__name__}; give a data frame")
    missing_columns = [column_name for column_name in needed if column_name not in frame.columns]
    if missing_columns:
        raise SourceError(f"{file}: {name} has no column {join_some(missing_columns)}; add what to_geodataframes gives")
    doubled_columns = frame.columns[frame.columns.duplicated()]
    if len(doubled_columns):
        raise SourceError(f"{file}: {name} has the column {str(doubled_columns[0])[:80]!r} twice; remove one")


def _read_features(frame: "heavy.pandas.DataFrame", name: str, file: str, base: Board | None) -> list[LayerFeature]:
    needed_columns = (
        [column_name for column_name in _COLUMNS[name] if column_name not in _PLACE] if base is None else ["id"]
    )
    _refuse_columns(frame, name, needed_columns, file)
    shape_column = getattr(frame, "active_geometry_name", None)
    if shape_column is None and name in _SHAPE_LAYERS:
        raise SourceError(f"{file}: {name} has no geometry; make it a GeoDataFrame with its shapes")
    shape_lines: Sequence[Line | None] = [None] * len(frame)
    if shape_column is not None and KINDS[name] in ("Point", "LineString"):
        shape_lines = _read_lines(frame, name, file)  # type: ignore[arg-type]
    value_frame = frame.drop(columns=[column_name for column_name in (shape_column,) if column_name is not None])
    value_rows = value_frame.astype(object).where(value_frame.notna(), None).to_dict("records")
    layer_features = []
    for row_number, (value_row, line) in enumerate(zip(value_rows, shape_lines, strict=True), start=1):
        where = f"{name} row {row_number}"
        layer_features.append(
            LayerFeature(
                where, convert_row_types({str(k): v for k, v in value_row.items()}, file=file, where=where), line
            )
        )
    return layer_features


def _read_lines(frame: "heavy.geopandas.GeoDataFrame", name: str, file: str) -> list[Line | None]:
    """Return the points of each shape in degrees; None for a missing shape."""
    frame_shapes = frame.geometry
    is_converted = False
    if frame.crs is None:
        if not (frame_shapes.isna() | frame_shapes.is_empty).all():
            raise SourceError(f"{file}: {name} has no CRS; set it by set_crs, {CRS} for degrees")
    elif not frame.crs.equals(CRS):
        west, south, east, north = frame_shapes.total_bounds
        if frame.crs.is_projected and max(-west, east) <= _MAX_LON_DEG and max(-south, north) <= _MAX_LAT_DEG:
            raise SourceError(
                f"{file}: {name} is in the CRS {frame.crs.name}, but its coordinates are degrees; correct it with "
                f"set_crs({CRS!r}, allow_override=True)"
            )
        try:
            frame_shapes = frame_shapes.to_crs(CRS)
        except heavy.pyproj.exceptions.ProjError as error:
            raise SourceError(
                f"{file}: {name} is in the CRS {frame.crs.name}, which cannot be converted to {CRS}; convert it "
                "with to_crs, or correct it with set_crs"
            ) from error
        is_converted = True
    return [
        geometry_to_points(shape, f"{file}: {name} row {row_number}", converted=is_converted)
        for row_number, shape in enumerate(np.asarray(frame_shapes, dtype=object), start=1)
    ]


def geometry_to_points(shape: BaseGeometry | None, where: str, *, converted: bool = False) -> Line | None:
    """Return the points of a shape in degrees, without heights; None if it is empty.

    Args:
        shape: A point or a single line, or a collection of one.
        where: Name of the table in messages.
        converted: Whether it came from another CRS, so that its last digits are rounding errors.

    Raises:
        SourceError: It is neither, or a coordinate is not in degrees.
    """
    if shape is None or shape.is_empty:
        return None
    shape_parts = shapely.get_parts(shape)
    shape = shape_parts[0] if len(shape_parts) == 1 else shape
    if shape.geom_type not in ("Point", "LineString"):
        raise SourceError(f"{where}: geometry {shape.geom_type}; only points and single lines can be here")
    shape_points = shapely.get_coordinates(shape)
    if converted:
        shape_points = np.round(shape_points, _DEGREE_DECIMALS) + 0.0
    line = tuple((float(lon), float(lat)) for lon, lat in shape_points.tolist())
    if not all(abs(lon) <= _MAX_LON_DEG and abs(lat) <= _MAX_LAT_DEG for lon, lat in line):
        cure = "correct the layer's CRS" if converted else f"save the layer in {CRS}"
        raise SourceError(f"{where}: a coordinate is not in degrees; {cure}")
    return line
