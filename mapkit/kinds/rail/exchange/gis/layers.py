"""A board as layers of features in degrees: what GeoPackage, GeoJSON, KML and TopoJSON share.

`mileposts`, `junctions` and `cities` are points, `pieces` and `segments` lines, `regions` polygons; `railroads` is a
table. What people edit in a GIS comes back by `mapkit.kinds.rail.exchange.gis.layer_reading`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from zlib import crc32

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.gis.region_areas import Polygons, region_areas
from mapkit.kinds.rail.exchange.parts import APART, Line, Parts, Row, join_lines
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


def layers_of(board: Board, parts: Parts) -> tuple[Layer, ...]:
    """Return the layers of a board, from bottom to top.

    `mark` tells an edited line apart from one that is as it was; `used` tells pieces of segments apart from others.
    `railroad` is an id; `short` and `colour` beside it are there to be shown, and not read back.
    """
    tables = parts.tables
    points = {row["id"]: (row["lon"], row["lat"]) for row in (*tables["mileposts"], *tables["junctions"])}
    style = {r.id: {"short": r.short, "colour": r.style.colour} for r in board.railroads}
    pieces = {row["id"]: row for row in tables["pieces"]}
    lines: dict[str, Line] = {ident: tuple(row["line"]) for ident, row in pieces.items()}
    used = {ident for row in tables["segments"] for ident in row["pieces"].split(APART)}
    areas = region_areas(board)
    rows: dict[str, list[Row]] = {name: [dict(row) for row in tables[name]] for name in KINDS}
    shapes: dict[str, list[Shape]] = {
        "regions": [areas[row["id"]] or None for row in rows["regions"]],
        "pieces": [lines[row["id"]] for row in rows["pieces"]],
        "segments": [join_lines(r["a"], r["pieces"].split(APART), pieces, lines) for r in rows["segments"]],
        "junctions": [points[row["id"]] for row in rows["junctions"]],
        "mileposts": [points[row["id"]] for row in rows["mileposts"]],
        "cities": [points[row["milepost"]] for row in rows["cities"]],
        "railroads": [None for _ in rows["railroads"]],
    }
    for row in rows["pieces"]:
        row.update(mark=mark(row.pop("line")), used=row["id"] in used)
    for row in rows["segments"]:
        row.update(style[row["railroad"]])
    return tuple(Layer(name, kind, rows[name], shapes[name]) for name, kind in KINDS.items())


def mark(line: Sequence[Sequence[float]]) -> str:
    """Return a mark that changes when a vertex of a line moves by a centimetre or more."""
    return f"{crc32(' '.join(f'{lon:.7f},{lat:.7f}' for lon, lat in line).encode()):08x}"
