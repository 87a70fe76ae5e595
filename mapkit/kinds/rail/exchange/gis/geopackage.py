"""GeoPackage: layers of a board with QGIS styles, and its tables; edited files can be read back."""

from pathlib import Path
from typing import Final

from mapkit.core import heavy
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.geopackage import FrameLayer, Relation, write_geopackage
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.gis.frames import REST, STYLES, to_geodataframes
from mapkit.kinds.rail.exchange.gis.geopackage_reading import read_geopackage
from mapkit.kinds.rail.exchange.gis.layers import KINDS
from mapkit.kinds.rail.exchange.gis.qgis_project import make_qgis_project
from mapkit.kinds.rail.exchange.gis.qgis_styles import make_qgis_styles
from mapkit.kinds.rail.model.board import Board

_RELATIONS: Final = (
    Relation("cities", ("milepost",), "mileposts"),
    Relation("cities", ("region",), "regions"),
    Relation("segments", ("a", "b"), "mileposts"),
    Relation("segments", ("railroad",), "railroads"),
    Relation("pieces", ("railroad",), "railroads"),
    Relation("junctions", ("railroad",), "railroads"),
)


class GeoPackageFormat:
    """The board for QGIS and other GIS."""

    name = "gpkg"
    title = "GeoPackage"
    suffixes = (".gpkg",)
    carries = (
        "everything; layers with QGIS styles and a project, tables for the rest; read back with edits made in a GIS"
    )
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        refuse_invented_land(board, self.title)
        file_name = f"{options.file_stem(board)}.gpkg"
        return ExportedBoard({file_name: geopackage_bytes(board, file=file_name)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its layers."""
        return read_geopackage(path)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to the layers that the file has."""
        return read_geopackage(path, base)


def geopackage_bytes(board: Board, *, file: str = "board.gpkg") -> bytes:
    """Return the GeoPackage; the same board and the same GDAL give the same bytes.

    Args:
        board: The board.
        file: Name that it will have, by which its project finds its layers.
    """
    styles = make_qgis_styles(board)
    frame_by_layer = to_geodataframes(board, drawn=True)
    geometry_types: dict[str, str | None] = {
        layer_name: None if kind == "table" else kind for layer_name, kind in KINDS.items()
    }
    frame_layers = [  # QGIS draws the first layer of a file on top
        FrameLayer(layer_name, frame_by_layer[layer_name], geometry_types[layer_name])
        for layer_name in reversed(list(KINDS))
    ]
    frame_layers.append(FrameLayer(REST, frame_by_layer[REST], None))
    style_rows = [
        {
            "f_table_catalog": "",
            "f_table_schema": "",
            "f_table_name": layer_name,
            "f_geometry_column": "geom",
            "styleName": "mapkit",
            "styleQML": style.qml,
            "styleSLD": "",
            "useAsDefault": True,
            "description": "As mapkit draws the board",
            "owner": "",
            "ui": "",
            "update_time": heavy.pandas.Timestamp("2000-01-01", tz="UTC").as_unit("ms"),
        }
        for layer_name, style in styles.items()
    ]
    return write_geopackage(
        [*frame_layers, FrameLayer(STYLES, heavy.pandas.DataFrame(style_rows), None)],
        _RELATIONS,
        projects={board.id: make_qgis_project(board, styles, _RELATIONS, file=file)},
    )


FORMAT = GeoPackageFormat()
