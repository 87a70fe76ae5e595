"""A board as GeoDataFrames, and back: the layers that GeoPackages hold, for people who use geopandas."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.exchange.completing import completed
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_of
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, layers_of
from mapkit.kinds.rail.exchange.parts import Line, take_apart, typed
from mapkit.kinds.rail.model.board import Board

REST: Final = "board"
"""The table of everything that is not a layer: `key`, and `value` as JSON."""

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
"""The columns of each layer. All are needed but those of the place, which follows from the shape."""

_SHAPED: Final = frozenset({"pieces", "segments", "junctions", "mileposts"})
"""The layers whose shapes are read; the shapes of cities and regions follow from others."""

_DECIMALS: Final = 9
"""Of degrees that were converted from another CRS: a tenth of a millimetre, which drops what converting left."""

_MOST_LON, _MOST_LAT = 360, 90


def to_geodataframes(board: Board, *, drawn: bool = False) -> dict[str, "heavy.pandas.DataFrame"]:
    """Return a board as data frames by the names of its layers, as a GeoPackage holds them.

    `regions`, `pieces`, `segments`, `junctions`, `mileposts` and `cities` are GeoDataFrames in degrees (EPSG:4326).
    `railroads` is a DataFrame. So is `board`, the rest of the board: a `key`, and its `value` as JSON.

    Args:
        board: The board.
        drawn: Whether points say in `drawn_x` and `drawn_y` where the picture has them (mm), which lays the board out.
    """
    parts = take_apart(board, drawn=drawn)
    frames = {layer.name: _frame(layer) for layer in layers_of(board, parts)}
    rest = [(key, json.dumps(value, ensure_ascii=False)) for key, value in parts.rest.items()]
    return {**frames, REST: heavy.pandas.DataFrame(rest, columns=list(_COLUMNS[REST]))}


def _frame(layer: Layer) -> "heavy.pandas.DataFrame":
    rows = heavy.pandas.DataFrame(list(layer.rows), columns=None if layer.rows else list(_COLUMNS[layer.name]))
    if layer.kind == "table":
        return rows
    shapes: list[Any] = [_shape(layer.kind, shape) for shape in layer.shapes]
    return heavy.geopandas.GeoDataFrame(rows, geometry=shapes, crs=CRS)


def _shape(kind: str, shape: Any) -> BaseGeometry | None:  # noqa: ANN401 - what a layer's kind says
    if not shape:
        return None
    if kind == "MultiPolygon":
        return shapely.MultiPolygon([shapely.Polygon(outer, holes) for outer, *holes in shape])
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
        file: What to call the frames in messages.

    Raises:
        SourceError: A frame, a column, a CRS or a shape is missing, or a row is no part of a board; layer and row are
            named.
    """
    _refuse_layers(frames, base, file)
    return read_frames(frames, base=base, file=file)


def read_frames(frames: Mapping[str, "heavy.pandas.DataFrame"], *, base: Board | None, file: str) -> Board:
    """Return the board of frames, of which those may be missing that would have no rows.

    Raises:
        SourceError: As for `from_geodataframes`.
    """
    layers = {name: _features(frames[name], name, file, base) for name in KINDS if name in frames}
    rest = _rest(frames[REST], file) if REST in frames else {}
    return board_of(*completed(layers, rest, base), file=file)


def _refuse_layers(frames: Mapping[str, "heavy.pandas.DataFrame"], base: Board | None, file: str) -> None:
    known = (*KINDS, REST)
    for name in frames:
        if name not in (*known, STYLES):
            hint = did_you_mean(str(name), known) or f"; layers are {', '.join(known)}"
            raise SourceError(f"{file}: no layer of a board is called {str(name)[:80]!r}{hint}")
    missing = [name for name in known if name not in frames]
    if base is None and missing:
        raise SourceError(
            f"{file}: no layer {', '.join(missing)}; add what to_geodataframes gives (a frame without rows where the "
            "board has none), or give the board that it was made of as base"
        )


def _rest(frame: "heavy.pandas.DataFrame", file: str) -> dict[str, Any]:
    _refuse_columns(frame, REST, _COLUMNS[REST], file)
    return {
        str(key): parse_json(str(value), file=f"{file}: {REST}: {key}")
        for key, value in zip(frame["key"], frame["value"], strict=True)
    }


def _refuse_columns(frame: "heavy.pandas.DataFrame", name: str, needed: Sequence[str], file: str) -> None:
    if not hasattr(frame, "columns"):
        raise SourceError(f"{file}: {name} is a {type(frame).__name__}; give a data frame")
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise SourceError(f"{file}: {name} has no column {', '.join(missing)}; add what to_geodataframes gives")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise SourceError(f"{file}: {name} has the column {str(twice[0])[:80]!r} twice; remove one")


def _features(frame: "heavy.pandas.DataFrame", name: str, file: str, base: Board | None) -> list[LayerFeature]:
    needed = [column for column in _COLUMNS[name] if column not in _PLACE] if base is None else ["id"]
    _refuse_columns(frame, name, needed, file)
    shape_column = getattr(frame, "active_geometry_name", None)
    if shape_column is None and name in _SHAPED:
        raise SourceError(f"{file}: {name} has no geometry; make it a GeoDataFrame with its shapes")
    lines: Sequence[Line | None] = [None] * len(frame)
    if shape_column is not None and KINDS[name] in ("Point", "LineString"):
        lines = _lines(frame, name, file)  # type: ignore[arg-type]
    values = frame.drop(columns=[column for column in (shape_column,) if column is not None])
    rows = values.astype(object).where(values.notna(), None).to_dict("records")
    out = []
    for number, (row, line) in enumerate(zip(rows, lines, strict=True), start=1):
        where = f"{name} row {number}"
        out.append(LayerFeature(where, typed({str(k): v for k, v in row.items()}, file=file, where=where), line))
    return out


def _lines(frame: "heavy.geopandas.GeoDataFrame", name: str, file: str) -> list[Line | None]:
    """Return the points of each shape in degrees; None where there is none."""
    shapes = frame.geometry
    converted = False
    if frame.crs is None:
        if not (shapes.isna() | shapes.is_empty).all():
            raise SourceError(f"{file}: {name} has no CRS; say which it is with set_crs, {CRS} for degrees")
    elif not frame.crs.equals(CRS):
        west, south, east, north = shapes.total_bounds
        if frame.crs.is_projected and max(-west, east) <= _MOST_LON and max(-south, north) <= _MOST_LAT:
            raise SourceError(
                f"{file}: {name} is in the CRS {frame.crs.name}, but its coordinates are degrees; correct it with "
                f"set_crs({CRS!r}, allow_override=True)"
            )
        try:
            shapes = shapes.to_crs(CRS)
        except heavy.pyproj.exceptions.ProjError as error:
            raise SourceError(
                f"{file}: {name} is in the CRS {frame.crs.name}, which cannot be converted to {CRS}; convert it "
                "with to_crs, or correct it with set_crs"
            ) from error
        converted = True
    return [
        line_of(shape, f"{file}: {name} row {number}", converted=converted)
        for number, shape in enumerate(np.asarray(shapes, dtype=object), start=1)
    ]


def line_of(shape: BaseGeometry | None, where: str, *, converted: bool = False) -> Line | None:
    """Return the points of a shape in degrees, without heights; None if it is empty.

    Args:
        shape: A point or a single line, or a collection of one.
        where: What to call it in messages.
        converted: Whether it came from another CRS, so that its last digits say nothing.

    Raises:
        SourceError: It is neither, or a coordinate is not in degrees.
    """
    if shape is None or shape.is_empty:
        return None
    parts = shapely.get_parts(shape)
    shape = parts[0] if len(parts) == 1 else shape
    if shape.geom_type not in ("Point", "LineString"):
        raise SourceError(f"{where}: geometry {shape.geom_type}; only points and single lines can be here")
    points = shapely.get_coordinates(shape)
    if converted:
        points = np.round(points, _DECIMALS) + 0.0
    line = tuple((float(lon), float(lat)) for lon, lat in points.tolist())
    if not all(abs(lon) <= _MOST_LON and abs(lat) <= _MOST_LAT for lon, lat in line):
        cure = "correct the layer's CRS" if converted else f"save the layer in {CRS}"
        raise SourceError(f"{where}: a coordinate is not in degrees; {cure}")
    return line
