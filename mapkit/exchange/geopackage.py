"""GeoPackage: the layers of a board with styles that QGIS shows at once, and its tables; edited files come back."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely

from mapkit.exchange.form import Exported, ExportOptions
from mapkit.exchange.geopackage_reading import read_geopackage
from mapkit.exchange.layers import Layer, layers_of
from mapkit.exchange.parts import Row, take_apart
from mapkit.exchange.qgis_styles import styles
from mapkit.model.board import Board

REST: Final = "board"
"""The table of everything that is no layer: `key`, and `value` as JSON."""

_CRS = "EPSG:4326"
_GDAL: Final = {
    "OGR_CURRENT_DATE": "2000-01-01T00:00:00.000Z",  # GDAL would write today's into the file
    "OGR_SQLITE_SYNCHRONOUS": "OFF",  # the file is temporary
}


class GeoPackageFormat:
    """The board for QGIS and other GIS."""

    name = "gpkg"
    title = "GeoPackage"
    suffixes = (".gpkg",)
    carries = "everything; layers with QGIS styles, tables for the rest; read back with edits made in a GIS"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return one file."""
        return Exported({f"{board.id}.gpkg": geopackage_bytes(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its layers."""
        return read_geopackage(path)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to the layers that the file has."""
        return read_geopackage(path, base)


def geopackage_bytes(board: Board) -> bytes:
    """Return the file; the same board gives the same bytes with the same GDAL."""
    import pyogrio  # type: ignore[import-untyped]  # noqa: PLC0415

    parts = take_apart(board)
    before = {name: pyogrio.get_gdal_config_option(name) for name in _GDAL}
    pyogrio.set_gdal_config_options(_GDAL)
    try:
        with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
            path = Path(folder) / "board.gpkg"
            for layer in layers_of(board, parts):
                _write_layer(path, layer)
            rest = [{"key": key, "value": json.dumps(value, ensure_ascii=False)} for key, value in parts.rest.items()]
            _write(path, REST, rest, None, None)
            _write(path, "layer_styles", _style_rows(board), None, None)
            return path.read_bytes()
    finally:
        pyogrio.set_gdal_config_options(before)


def _write_layer(path: Path, layer: Layer) -> None:
    if layer.kind == "table":
        _write(path, layer.name, layer.rows, None, None)
        return
    made: list[Any] = []
    for _, shape in layer.features():
        if not shape:
            made.append(None)
        elif layer.kind == "MultiPolygon":
            made.append(shapely.MultiPolygon([shapely.Polygon(outer, holes) for outer, *holes in shape]))
        else:
            made.append(getattr(shapely, layer.kind)(shape))
    wkb = np.empty(len(made), dtype=object)
    wkb[:] = [None if one is None else shapely.to_wkb(one) for one in made]
    _write(path, layer.name, layer.rows, wkb, layer.kind)


def _style_rows(board: Board) -> list[Row]:
    """Return the rows of the table that QGIS keeps styles in."""
    return [
        {
            "f_table_catalog": "",
            "f_table_schema": "",
            "f_table_name": name,
            "f_geometry_column": "geom",
            "styleName": "mapkit",
            "styleQML": qml,
            "styleSLD": "",
            "useAsDefault": True,
            "description": "As mapkit draws the board",
            "owner": "",
            "ui": "",
            "update_time": np.datetime64("2000-01-01T00:00:00", "ms"),
        }
        for name, qml in styles(board).items()
    ]


def _write(path: Path, name: str, rows: Sequence[Row], wkb: Any, kind: str | None) -> None:  # noqa: ANN401
    from pyogrio import raw  # noqa: PLC0415

    if not rows:
        return
    fields = list(rows[0])
    raw.write(
        path,
        geometry=wkb,
        field_data=[np.array([row[field] for row in rows], dtype=_dtype(rows[0][field])) for field in fields],
        fields=fields,
        layer=name,
        driver="GPKG",
        geometry_type=kind,
        crs=None if kind is None else _CRS,
        append=path.exists(),
        geometry_name="geom",
    )


def _dtype(value: object) -> Any:  # noqa: ANN401
    if isinstance(value, np.datetime64):
        return "datetime64[ms]"
    return {bool: np.bool_, int: np.int64, float: np.float64}.get(type(value), object)


FORMAT = GeoPackageFormat()
