"""GeoJSON (RFC 7946): a collection of features with a `layer` each; the member `mapkit` holds the rest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.json_reading import read_json
from mapkit.kinds.rail.exchange.board_parts import Line, board_to_parts
from mapkit.kinds.rail.exchange.completion import complete_layers
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, board_to_layers
from mapkit.kinds.rail.model.board import Board

MEMBER: Final = "mapkit"
"""The foreign member (RFC 7946, section 6.1) with tables and charts."""


class GeoJsonFormat:
    """Mileposts, junctions, cities, track and regions for any GIS or web map."""

    name = "geojson"
    title = "GeoJSON (RFC 7946)"
    suffixes = (".geojson",)
    carries = "everything; features of all layers in one file, charts and rules in the member mapkit"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        refuse_invented_land(board, self.title)
        return ExportedBoard({f"{options.file_stem(board)}.geojson": geojson_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its features."""
        return board_from_geojson(read_json(path), file=path.name)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to its features, of a file that a GIS saved."""
        return board_from_geojson(read_json(path), file=path.name, base=base)


def geojson_text(board: Board) -> str:
    """Return the text of the file, one feature per line."""
    board_parts = board_to_parts(board, drawn=True)
    layers = board_to_layers(board, board_parts)
    table_layers = [layer for layer in layers if layer.kind == "table"]
    return json_text(
        {
            "type": "FeatureCollection",
            "features": [feature for layer in layers if layer.kind != "table" for feature in _layer_to_features(layer)],
            MEMBER: dict(board_parts.rest) | {layer.name: list(layer.rows) for layer in table_layers},
        }
    )


def _layer_to_features(layer: Layer) -> list[dict[str, Any]]:
    return [
        {
            "type": "Feature",
            "id": f"{layer.name}/{row['id']}",
            "geometry": None if not shape else {"type": layer.kind, "coordinates": shape},
            "properties": {"layer": layer.name, **row},
        }
        for row, shape in layer.features()
    ]


def board_from_geojson(data: Any, *, file: str, base: Board | None = None) -> Board:  # noqa: ANN401 - foreign JSON
    """Return the board of the data of a file.

    A file of a single layer, as a GIS saves it, may have the layer's name in its own `name` in place of each feature's
    `layer`.

    Args:
        data: The JSON.
        file: Name of the file in messages.
        base: Board that it was exported from, which completes it.

    Raises:
        SourceError: It is not a board's.
    """
    collection = data if isinstance(data, dict) else {}
    rest, features = collection.get(MEMBER, None if base is None else {}), collection.get("features")
    if not isinstance(rest, dict) or not isinstance(features, list):
        raise SourceError(
            f"{file}: not a board: the member {MEMBER!r} is missing; give a file that mapkit export wrote, "
            "or import its lines into a source package with mapkit import"
        )
    layers: dict[str, list[LayerFeature]] = {name: [] for name in KINDS}
    for feature_number, feature in enumerate(features, start=1):
        where = f"feature {feature_number}"
        if not isinstance(feature, dict) or not isinstance(feature.get("properties"), dict):
            raise SourceError(f"{file}: {where}: not a feature with properties; remove it")
        feature_row: dict[str, Any] = feature["properties"]
        layer_name = feature_row.get("layer") or collection.get("name")
        if not isinstance(layer_name, str) or layer_name not in layers:
            raise SourceError(f"{file}: {where}: its layer is {str(layer_name)[:40]!r}; layers are {', '.join(KINDS)}")
        feature_line = (
            None if KINDS[layer_name] == "MultiPolygon" else _geometry_to_line(feature.get("geometry"), file, where)
        )
        layers[layer_name].append(LayerFeature(f"{where} ({layer_name})", feature_row, feature_line))
    return board_from_layers(
        *complete_layers(layers | table_features(rest), rest_without_tables(rest), base), file=file
    )


def table_features(member: Mapping[str, Any]) -> dict[str, list[LayerFeature]]:
    """Return the rows of tables that a file keeps among the rest, as features."""
    railroad_rows = member.get("railroads")
    valid_rows = railroad_rows if isinstance(railroad_rows, list) else []
    return {
        "railroads": [
            LayerFeature(f"railroads {row_number}", row, None)
            for row_number, row in enumerate(valid_rows, start=1)
            if isinstance(row, dict)
        ]
    }


def rest_without_tables(member: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rest without the tables among it."""
    return {key: value for key, value in member.items() if key != "railroads"}


def _geometry_to_line(geometry: Any, file: str, where: str) -> Line | None:  # noqa: ANN401 - foreign JSON
    if geometry is None:
        return None
    geometry_type = geometry.get("type") if isinstance(geometry, dict) else None
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if geometry_type == "Point":
        coordinates = [coordinates]
    elif geometry_type == "MultiLineString" and isinstance(coordinates, list) and len(coordinates) == 1:
        coordinates = coordinates[0]
    elif geometry_type != "LineString":
        raise SourceError(
            f"{file}: {where}: geometry {str(geometry_type)[:40]!r}; only points and single lines can be here"
        )
    return parse_points(coordinates, file=file, where=where)


def parse_points(points: Any, *, file: str, where: str) -> Line:  # noqa: ANN401 - foreign JSON
    """Return coordinates as points without heights.

    Raises:
        SourceError: They are not pairs of finite degrees.
    """
    try:
        line = tuple((float(point[0]), float(point[1])) for point in points)
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise SourceError(f"{file}: {where}: its coordinates are malformed; draw it again") from error
    if not all(abs(lon) <= 360 and abs(lat) <= 90 for lon, lat in line):  # noqa: PLR2004 - degrees
        raise SourceError(f"{file}: {where}: a coordinate is not in degrees; save the file in EPSG:4326")
    return line


FORMAT = GeoJsonFormat()
