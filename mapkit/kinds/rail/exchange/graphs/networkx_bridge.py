"""The whole board in the graph that `mapkit.kinds.rail.network.multigraph` makes of it, and back."""

import json
from collections.abc import Mapping
from typing import Any, Final

from mapkit.core import heavy
from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.exchange.completing import completed
from mapkit.kinds.rail.exchange.gis.geojson import points_of
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_of
from mapkit.kinds.rail.exchange.gis.layers import mark
from mapkit.kinds.rail.exchange.parts import APART, Line, Row, join_lines, take_apart
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.multigraph import multigraph

MEMBER: Final = "mapkit"
"""The graph attribute with what is neither node nor edge, as JSON."""

_CARRIED = ("regions", "cities", "railroads", "junctions", "pieces")
_DRAWN = ("drawn_x", "drawn_y")


def to_networkx(board: Board, *, drawn: bool = False) -> "heavy.networkx.MultiGraph[str]":
    """Return the network of a board as an undirected multigraph.

    Node attributes: `name`, `kind`, `lon`, `lat` (degrees), `x`, `y` (mm, where the projection puts it), `cities`
    (names, joined by ` / `) and `region`, both empty for dots; with `drawn`, which lays the board out, `drawn_x` and
    `drawn_y`, where the picture has it (mm).

    Edge attributes: `id`, `railroad`, `a`, `b`, `miles`, `pieces` (ids of track pieces: two segments that share one
    cannot both be used in one trip), `colour`. Graph attributes: `name`, `board`, and `mapkit`, the rest of the board
    as JSON text, from which `from_networkx` makes it again.
    """
    parts = take_apart(board, drawn=drawn)
    carried = {name: [dict(row) for row in parts.tables[name]] for name in _CARRIED}
    used = {ident for row in parts.tables["segments"] for ident in row["pieces"].split(APART)}
    for row in carried["pieces"]:
        row["used"] = row["id"] in used
    where = {row["id"]: [row[key] for key in ("lon", "lat", "x", "y")] for row in parts.tables["mileposts"]}
    member = {**parts.rest, **carried, "positions": where}
    drawn_at = {row["id"]: {key: row[key] for key in _DRAWN} for row in parts.tables["mileposts"]} if drawn else None
    graph = multigraph(board, places=drawn_at)
    graph.graph |= {"name": board.title, "board": board.id}
    graph.graph[MEMBER] = json.dumps(member, ensure_ascii=False, separators=(",", ":"))
    return graph


def from_networkx(graph: "heavy.networkx.Graph[Any]", *, file: str = "the graph", base: Board | None = None) -> Board:
    """Return the board of a graph that `to_networkx` made, changed or not.

    Edges taken away are segments taken away; an edge added with `railroad` (or keyed by one, in a multigraph) is a new
    segment, straight; a node added is a new milepost and needs `name`, `lon` and `lat`; a node whose `lon` or `lat`
    changed takes its lines along.

    Args:
        graph: The graph; directed ones are taken as undirected.
        file: What to call it in messages.
        base: The board that the graph was made of; what other programs dropped of it, attributes of the graph, its
            nodes and its edges, is taken from there.

    Raises:
        SourceError: It has no attribute `mapkit`, or a node or edge is no part of a board.
    """
    origin = None if base is None else to_networkx(base)
    member = graph.graph.get(MEMBER) or (None if origin is None else origin.graph[MEMBER])
    data = parse_json(member, file=f"{file}: {MEMBER}") if isinstance(member, str) else member
    if not isinstance(data, Mapping):
        raise SourceError(f"{file}: not a board: the graph attribute {MEMBER!r} is missing; make the graph with mapkit")
    rest = {key: value for key, value in data.items() if key not in (*_CARRIED, "positions")}
    tables: dict[str, list[Row]] = {}
    for name in _CARRIED:
        rows = data.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise SourceError(f"{file}: {MEMBER}: {name} is not a list of rows; export the board again")
        tables[name] = rows
    layers = {
        name: [LayerFeature(f"{name} {at}", row, None) for at, row in enumerate(rows, 1)]
        for name, rows in tables.items()
    }
    positions = data.get("positions", {})
    was: dict[str, dict[str, Any]] = {} if origin is None else {n: dict(v) for n, v in origin.nodes(data=True)}
    drawn = {} if origin is None else {values["id"]: values for _, _, values in origin.edges(data=True)}
    layers["mileposts"] = [
        _node(str(node), {**was.get(str(node), {}), **values}, positions, file)
        for node, values in graph.nodes(data=True)
    ]
    points = {f.row["id"]: f.line[0] for f in layers["mileposts"] if f.line}
    layers["junctions"] = [_junction(row, number, file) for number, row in enumerate(tables["junctions"], 1)]
    layers["pieces"] = [_piece(row, number, file) for number, row in enumerate(tables["pieces"], 1)]
    lines: dict[str, Line] = {str(f.row.get("id")): f.line or () for f in layers["pieces"]}
    pieces = {str(f.row.get("id")): f.row for f in layers["pieces"]}
    listed = (
        graph.edges(keys=True, data=True)
        if isinstance(graph, heavy.networkx.MultiGraph)
        else ((a, b, "", values) for a, b, values in graph.edges(data=True))
    )
    layers["segments"] = [
        _edge(str(a), str(b), str(key), {**drawn.get(str(values.get("id")), {}), **values}, points, pieces, lines)
        for a, b, key, values in listed
    ]
    return board_of(*completed(layers, rest, base), file=file)


def _number(value: Any) -> float | None:  # noqa: ANN401 - foreign attributes
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _place(row: Mapping[str, Any], where: str, file: str) -> Line:
    lon, lat = _number(row.get("lon")), _number(row.get("lat"))
    if lon is None or lat is None:
        raise SourceError(f"{file}: {where}: lon or lat is not a number; give both in degrees")
    return points_of([(lon, lat)], file=file, where=where)


def _node(ident: str, values: Mapping[str, Any], positions: Any, file: str) -> LayerFeature:  # noqa: ANN401
    where = f"node {ident[:80]!r}"
    line = _place(values, where, file)
    row = {"id": ident, "name": values.get("name"), "kind": values.get("kind", "dot")}
    was = positions.get(ident) if isinstance(positions, dict) else None
    if isinstance(was, list) and len(was) == 4:  # noqa: PLR2004 - lon, lat, x, y
        row |= dict(zip(("lon", "lat", "x", "y"), was, strict=True))
    return LayerFeature(where, row, line)


def _junction(row: Row, number: int, file: str) -> LayerFeature:
    where = f"junctions {number}"
    return LayerFeature(where, row, _place(row, where, file))


def _piece(row: Row, number: int, file: str) -> LayerFeature:
    line = points_of(row.get("line"), file=file, where=f"pieces {number}")
    kept = {key: value for key, value in row.items() if key != "line"}
    return LayerFeature(f"pieces {number}", {**kept, "mark": mark(line)}, line)


def _edge(
    a: str,
    b: str,
    key: str,
    values: Row,
    points: Mapping[str, Any],
    pieces: Mapping[str, Row],
    lines: Mapping[str, Line],
) -> LayerFeature:
    where = f"edge {a[:60]!r} - {b[:60]!r}"
    if values.get("id") and values.get("pieces"):
        start = str(values.get("a") or min(a, b))
        values.setdefault("a", start)
        values.setdefault("b", b if start == a else a)
        return LayerFeature(where, values, join_lines(start, str(values["pieces"]).split(APART), pieces, lines) or None)
    values["railroad"] = values.get("railroad") or key
    ends = [points[end] for end in (a, b) if end in points]
    return LayerFeature(where, {**values, "id": "", "pieces": ""}, tuple(ends))
