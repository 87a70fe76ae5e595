"""Layers of a board in degrees, common to GeoPackage, GeoJSON, KML and TopoJSON.

`mileposts`, `junctions` and `cities` are points, `pieces` and `segments` lines, `regions` polygons; `railroads` is a
table. `mapkit.kinds.rail.exchange.gis.layer_reading` reads layers that were edited in a GIS.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from zlib import crc32

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.board_parts import PIECE_SEPARATOR, BoardParts, Line, Row, join_lines
from mapkit.kinds.rail.exchange.gis.region_areas import Polygons, region_areas
from mapkit.kinds.rail.model.board import Board

Kind = Literal["Point", "LineString", "MultiPolygon", "table"]
Shape = Point | Line | Polygons | None

KINDS: Final[Mapping[str, Kind]] = {
    "regions": "MultiPolygon",
    "pieces": "LineString",
    "segments": "LineString",
    "junctions": "Point",
    "mileposts": "Point",
    "cities": "Point",
    "railroads": "table",
}
"""The layers from bottom to top."""


@dataclass(frozen=True)
class Layer:
    """Features of one kind: rows with the same fields, and a shape for each."""

    name: str
    kind: Kind
    rows: Sequence[Row]
    shapes: Sequence[Shape]

    def features(self) -> Iterable[tuple[Row, Any]]:
        """Yield each row with its shape."""
        return zip(self.rows, self.shapes, strict=True)


def board_to_layers(board: Board, parts: BoardParts) -> tuple[Layer, ...]:
    """Return the layers of a board, from bottom to top.

    `mark` distinguishes edited lines from unchanged ones, `used` pieces of segments from other pieces. `railroad` is an
    id; `short` and `colour` are for display only and not read back.
    """
    tables = parts.tables
    point_by_id = {row["id"]: (row["lon"], row["lat"]) for row in (*tables["mileposts"], *tables["junctions"])}
    style_by_railroad = {r.id: {"short": r.short, "colour": r.style.colour} for r in board.railroads}
    piece_by_id = {row["id"]: row for row in tables["pieces"]}
    line_by_piece: dict[str, Line] = {piece_id: tuple(row["line"]) for piece_id, row in piece_by_id.items()}
    used_pieces = {piece_id for row in tables["segments"] for piece_id in row["pieces"].split(PIECE_SEPARATOR)}
    region_polygons = region_areas(board)
    rows_by_layer: dict[str, list[Row]] = {
        layer_name: [dict(row) for row in tables[layer_name]] for layer_name in KINDS
    }
    shapes_by_layer: dict[str, list[Shape]] = {
        "regions": [region_polygons[row["id"]] or None for row in rows_by_layer["regions"]],
        "pieces": [line_by_piece[row["id"]] for row in rows_by_layer["pieces"]],
        "segments": [
            join_lines(r["a"], r["pieces"].split(PIECE_SEPARATOR), piece_by_id, line_by_piece)
            for r in rows_by_layer["segments"]
        ],
        "junctions": [point_by_id[row["id"]] for row in rows_by_layer["junctions"]],
        "mileposts": [point_by_id[row["id"]] for row in rows_by_layer["mileposts"]],
        "cities": [point_by_id[row["milepost"]] for row in rows_by_layer["cities"]],
        "railroads": [None for _ in rows_by_layer["railroads"]],
    }
    for row in rows_by_layer["pieces"]:
        row.update(mark=line_checksum(row.pop("line")), used=row["id"] in used_pieces)
    for row in rows_by_layer["segments"]:
        row.update(style_by_railroad[row["railroad"]])
    return tuple(
        Layer(layer_name, kind, rows_by_layer[layer_name], shapes_by_layer[layer_name])
        for layer_name, kind in KINDS.items()
    )


def line_checksum(line: Sequence[Sequence[float]]) -> str:
    """Return a checksum that changes when a vertex of a line moves by a centimetre or more."""
    return f"{crc32(' '.join(f'{lon:.7f},{lat:.7f}' for lon, lat in line).encode()):08x}"
