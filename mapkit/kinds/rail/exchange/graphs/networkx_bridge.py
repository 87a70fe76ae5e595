"""Conversion of a whole board to the graph of `mapkit.kinds.rail.network.multigraph` and back."""

import json
from collections.abc import Mapping
from typing import Any, Final

from mapkit.core import heavy
from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.exchange.board_parts import PIECE_SEPARATOR, Line, Row, board_to_parts, join_lines
from mapkit.kinds.rail.exchange.completion import complete_layers
from mapkit.kinds.rail.exchange.gis.geojson import parse_points
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import line_checksum
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.multigraph import board_to_multigraph

MEMBER: Final = "mapkit"
"""Graph attribute with all board data other than nodes and edges, as JSON."""

_CARRIED_TABLES = ("regions", "cities", "railroads", "junctions", "pieces")
_DRAWN_FIELDS = ("drawn_x", "drawn_y")


def to_networkx(board: Board, *, drawn: bool = False) -> "heavy.networkx.MultiGraph[str]":
    """Return the network of a board as an undirected multigraph.

    Node attributes: `name`, `kind`, `lon`, `lat` (degrees), `x`, `y` (projected position, mm), `cities` (names, joined
    by ` / `) and `region`, both empty for dots; with `drawn`, which lays the board out, also `drawn_x` and `drawn_y`
    (position in the picture, mm).

    Edge attributes: `id`, `railroad`, `a`, `b`, `miles`, `pieces` (ids of track pieces: two segments that share one
    cannot both be used in one trip), `colour`. Graph attributes: `name`, `board`, and `mapkit`, the rest of the board
    as JSON text, for `from_networkx`.
    """
    board_parts = board_to_parts(board, drawn=drawn)
    carried_rows = {table_name: [dict(row) for row in board_parts.tables[table_name]] for table_name in _CARRIED_TABLES}
    used_pieces = {
        piece_id for row in board_parts.tables["segments"] for piece_id in row["pieces"].split(PIECE_SEPARATOR)
    }
    for row in carried_rows["pieces"]:
        row["used"] = row["id"] in used_pieces
    position_by_id = {
        row["id"]: [row[key] for key in ("lon", "lat", "x", "y")] for row in board_parts.tables["mileposts"]
    }
    rest_member = {**board_parts.rest, **carried_rows, "positions": position_by_id}
    drawn_at = (
        {row["id"]: {key: row[key] for key in _DRAWN_FIELDS} for row in board_parts.tables["mileposts"]}
        if drawn
        else None
    )
    graph = board_to_multigraph(board, places=drawn_at)
    graph.graph |= {"name": board.title, "board": board.id}
    graph.graph[MEMBER] = json.dumps(rest_member, ensure_ascii=False, separators=(",", ":"))
    return graph


def from_networkx(graph: "heavy.networkx.Graph[Any]", *, file: str = "the graph", base: Board | None = None) -> Board:
    """Return the board of a graph that `to_networkx` made, changed or not.

    A removed edge removes its segment; an added edge with `railroad` (or keyed by one, in a multigraph) is a new
    straight segment; an added node is a new milepost and needs `name`, `lon` and `lat`; a node with a changed `lon` or
    `lat` takes its lines along.

    Args:
        graph: The graph; directions of edges are ignored.
        file: Name of the file in messages.
        base: The board that the graph was made of; it supplies attributes of the graph, nodes and edges that other
            programs dropped.

    Raises:
        SourceError: It has no attribute `mapkit`, or a node or edge is no part of a board.
    """
    base_graph = None if base is None else to_networkx(base)
    rest_member = graph.graph.get(MEMBER) or (None if base_graph is None else base_graph.graph[MEMBER])
    member_data = parse_json(rest_member, file=f"{file}: {MEMBER}") if isinstance(rest_member, str) else rest_member
    if not isinstance(member_data, Mapping):
        raise SourceError(f"{file}: not a board: the graph attribute {MEMBER!r} is missing; make the graph with mapkit")
    rest = {key: value for key, value in member_data.items() if key not in (*_CARRIED_TABLES, "positions")}
    tables: dict[str, list[Row]] = {}
    for table_name in _CARRIED_TABLES:
        table_rows = member_data.get(table_name, [])
        if not isinstance(table_rows, list) or not all(isinstance(table_row, dict) for table_row in table_rows):
            raise SourceError(f"{file}: {MEMBER}: {table_name} is not a list of rows; export the board again")
        tables[table_name] = table_rows
    layers = {
        table_name: [
            LayerFeature(f"{table_name} {row_number}", table_row, None)
            for row_number, table_row in enumerate(table_rows, 1)
        ]
        for table_name, table_rows in tables.items()
    }
    positions = member_data.get("positions", {})
    base_nodes: dict[str, dict[str, Any]] = (
        {} if base_graph is None else {n: dict(v) for n, v in base_graph.nodes(data=True)}
    )
    base_edges = (
        {} if base_graph is None else {attributes["id"]: attributes for _, _, attributes in base_graph.edges(data=True)}
    )
    layers["mileposts"] = [
        _node_to_feature(str(node), {**base_nodes.get(str(node), {}), **attributes}, positions, file)
        for node, attributes in graph.nodes(data=True)
    ]
    point_by_milepost = {f.row["id"]: f.line[0] for f in layers["mileposts"] if f.line}
    layers["junctions"] = [
        _junction_to_feature(table_row, row_number, file) for row_number, table_row in enumerate(tables["junctions"], 1)
    ]
    layers["pieces"] = [
        _piece_to_feature(table_row, row_number, file) for row_number, table_row in enumerate(tables["pieces"], 1)
    ]
    line_by_piece: dict[str, Line] = {str(f.row.get("id")): f.line or () for f in layers["pieces"]}
    piece_by_id = {str(f.row.get("id")): f.row for f in layers["pieces"]}
    keyed_edges = (
        graph.edges(keys=True, data=True)
        if isinstance(graph, heavy.networkx.MultiGraph)
        else ((a, b, "", attributes) for a, b, attributes in graph.edges(data=True))
    )
    layers["segments"] = [
        _edge_to_feature(
            str(a),
            str(b),
            str(key),
            {**base_edges.get(str(attributes.get("id")), {}), **attributes},
            point_by_milepost,
            piece_by_id,
            line_by_piece,
        )
        for a, b, key, attributes in keyed_edges
    ]
    return board_from_layers(*complete_layers(layers, rest, base), file=file)


def _to_number(value: Any) -> float | None:  # noqa: ANN401 - foreign attributes
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read_place(row: Mapping[str, Any], where: str, file: str) -> Line:
    lon, lat = _to_number(row.get("lon")), _to_number(row.get("lat"))
    if lon is None or lat is None:
        raise SourceError(f"{file}: {where}: lon or lat is not a number; give both in degrees")
    return parse_points([(lon, lat)], file=file, where=where)


def _node_to_feature(ident: str, values: Mapping[str, Any], positions: Any, file: str) -> LayerFeature:  # noqa: ANN401
    where = f"node {ident[:80]!r}"
    node_line = _read_place(values, where, file)
    node_row = {"id": ident, "name": values.get("name"), "kind": values.get("kind", "dot")}
    old_position = positions.get(ident) if isinstance(positions, dict) else None
    if isinstance(old_position, list) and len(old_position) == 4:  # noqa: PLR2004 - lon, lat, x, y
        node_row |= dict(zip(("lon", "lat", "x", "y"), old_position, strict=True))
    return LayerFeature(where, node_row, node_line)


def _junction_to_feature(row: Row, number: int, file: str) -> LayerFeature:
    where = f"junctions {number}"
    return LayerFeature(where, row, _read_place(row, where, file))


def _piece_to_feature(row: Row, number: int, file: str) -> LayerFeature:
    line = parse_points(row.get("line"), file=file, where=f"pieces {number}")
    other_values = {key: value for key, value in row.items() if key != "line"}
    return LayerFeature(f"pieces {number}", {**other_values, "mark": line_checksum(line)}, line)


def _edge_to_feature(
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
        start_node = str(values.get("a") or min(a, b))
        values.setdefault("a", start_node)
        values.setdefault("b", b if start_node == a else a)
        return LayerFeature(
            where, values, join_lines(start_node, str(values["pieces"]).split(PIECE_SEPARATOR), pieces, lines) or None
        )
    values["railroad"] = values.get("railroad") or key
    end_points = [points[end_node] for end_node in (a, b) if end_node in points]
    return LayerFeature(where, {**values, "id": "", "pieces": ""}, tuple(end_points))
