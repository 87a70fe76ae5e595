"""`graph.json`: the network for small web clients, without charts and rules.

Reading it gives the same network. Data that the file does not hold are those of a new board.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.jsontext import json_text
from mapkit.core.names import joined_id
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.degrees import judge_place
from mapkit.formats.json_reading import read_json
from mapkit.kinds.rail.exchange.board_parts import PIECE_SEPARATOR, BoardParts, Row, board_from_parts
from mapkit.kinds.rail.exchange.engine.schemas import file_schema
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import SUMS, Board, Junction, Milepost, Piece, Units
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.model.versions import BOARD_VERSION
from mapkit.kinds.rail.render.drawn_elements import with_drawn
from mapkit.kinds.rail.rules.rules import preset
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.version import __version__

NAME: Final = "mapkit/graph"
VERSION: Final = 2
JUNCTION: Final = "junction"

LOSSES: Final = (
    "destination and payoff charts",
    "rules, extensions, units and provenance",
    "the true course of lines between nodes",
    "which track pieces two segments share, but through junctions",
)


class GraphJsonFormat:
    """Railroads, nodes with their places, and edges with the railroads that own them."""

    name = "graph"
    title = "graph.json (web clients)"
    suffixes = (".graph.json",)
    carries = (
        "regions; railroads; nodes of kind city, dot or junction with true and drawn places; edges with their "
        "railroads and the drawn path of each"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:  # noqa: ARG002 - all exports take options
        """Return the graph and its schema."""
        files = {"graph.json": json_text(board_to_graph(board)), "graph.schema.json": json_text(file_schema("graph"))}
        return ExportedBoard(files, LOSSES)

    def read(self, path: Path) -> Board:
        """Return the board of a graph: its network, straight between nodes, with no chart and the printed rules."""
        return board_from_graph(read_json(path), file=path.name)


def board_to_graph(board: Board) -> dict[str, Any]:
    """Return the graph; an edge joins two nodes for all railroads with track pieces between them.

    Nodes are mileposts and junctions, sorted by id. An edge to a junction alone costs no step: a step leads from
    milepost to milepost, through junctions of its railroad.
    """
    drawn_board = with_drawn(board)
    cities_by_milepost: dict[str, list[dict[str, Any]]] = {}
    for city in drawn_board.cities:
        city_row = {"id": city.id, "name": city.name, "region": city.region}
        cities_by_milepost.setdefault(city.milepost, []).append(
            {**city_row, "drawn_x": city.drawn_x, "drawn_y": city.drawn_y}
        )
    nodes: list[dict[str, Any]] = [
        {
            "id": m.id,
            "kind": m.kind,
            "name": m.name,
            **_node_places(m),
            **({"cities": cities_by_milepost[m.id]} if m.id in cities_by_milepost else {}),
        }
        for m in drawn_board.mileposts
    ]
    nodes += [{"id": j.id, "kind": JUNCTION, "railroad": j.railroad, **_node_places(j)} for j in drawn_board.junctions]
    return {
        "format": NAME,
        "version": VERSION,
        "board": board.id,
        "title": board.title,
        "width": board.page.width,
        "height": board.page.height,
        "projection": board.projection.model_dump(),
        "regions": [region.model_dump() for region in board.regions],
        "railroads": [
            {"id": r.id, "name": r.name, "short": r.short, "price": r.price, "public": r.public, **r.style.model_dump()}
            for r in board.railroads
        ],
        "nodes": sorted(nodes, key=lambda node: str(node["id"])),
        "edges": _list_edges(drawn_board.pieces),
    }


def _list_edges(pieces: Iterable[Piece]) -> list[dict[str, Any]]:
    """Return the edges; parallel pieces of one railroad keep the path of the first piece."""
    paths_by_ends: dict[tuple[str, str], dict[str, tuple[Point, ...]]] = {}
    for piece in pieces:
        is_forward = piece.a <= piece.b
        end_nodes = (piece.a, piece.b) if is_forward else (piece.b, piece.a)
        path = piece.drawn_path if is_forward else piece.drawn_path[::-1]
        paths_by_ends.setdefault(end_nodes, {}).setdefault(piece.railroad, path)
    return [
        {"a": a, "b": b, "railroads": sorted(path_by_railroad), "drawn_path": dict(sorted(path_by_railroad.items()))}
        for (a, b), path_by_railroad in sorted(paths_by_ends.items())
    ]


def _node_places(node: Milepost | Junction) -> dict[str, float]:
    return {field_name: getattr(node, field_name) for field_name in ("lon", "lat", "x", "y", "drawn_x", "drawn_y")}


def board_from_graph(plain: object, *, file: str) -> Board:
    """Return the board of a graph that `graph_of` made, changed or not.

    Raises:
        SourceError: It is of another version, a part is missing, or an element refers to a missing element.
    """
    if not isinstance(plain, dict) or plain.get("format") != NAME or plain.get("version") != VERSION:
        raise SourceError(f"{file}: no graph of version {VERSION} ({NAME!r}); export the board again")
    if "regions" not in plain or "projection" not in plain:
        raise SourceError(
            f"{file}: no regions or no projection in it, as an earlier mapkit wrote it; export the board again, or "
            "take its lines into a board with --keep-topology"
        )
    node_by_id = {str(graph_node.get("id")): graph_node for graph_node in _read_rows(plain, "nodes", file)}
    junction_ids = {node_id for node_id, graph_node in node_by_id.items() if graph_node.get("kind") == JUNCTION}
    mileposts = [graph_node for node_id, graph_node in node_by_id.items() if node_id not in junction_ids]
    pieces = list(_read_pieces(_read_rows(plain, "edges", file), node_by_id, file))
    tables = {
        "regions": _read_rows(plain, "regions", file),
        "railroads": _read_rows(plain, "railroads", file),
        "mileposts": mileposts,
        "junctions": [node_by_id[node_id] for node_id in sorted(junction_ids)],
        "cities": [
            {**city, "milepost": graph_node.get("id")}
            for graph_node in mileposts
            for city in _read_rows(graph_node, "cities", file, empty=True)
        ],
        "pieces": [{**p.model_dump(include={"id", "railroad", "a", "b", "miles"}), "line": p.line} for p in pieces],
        "segments": [
            {**s.model_dump(include={"id", "railroad", "a", "b", "miles"}), "pieces": PIECE_SEPARATOR.join(s.pieces)}
            for s in make_segments(pieces, junction_ids)
        ],
    }
    return board_from_parts(BoardParts(tables, _default_rest(plain)), file=file)


def _read_rows(plain: Mapping[str, Any], member: str, file: str, *, empty: bool = False) -> list[Row]:
    member_rows = plain.get(member, [] if empty else None)
    if not isinstance(member_rows, list) or not all(isinstance(row, dict) for row in member_rows):
        raise SourceError(f"{file}: {member} is not a list of objects; export the board again")
    return member_rows


def _read_pieces(edges: list[Row], nodes: Mapping[str, Row], file: str) -> Iterator[NetworkPiece]:
    """Yield a straight piece for each railroad of each edge."""
    for edge_number, edge in enumerate(edges):
        where = f"{file}: edges {edge_number}"
        end_ids, railroad_ids = sorted(str(edge.get(end_id)) for end_id in ("a", "b")), edge.get("railroads")
        unknown_end = next((end_id for end_id in end_ids if end_id not in nodes), None)
        if unknown_end is not None:
            raise SourceError(f"{where}: no node {unknown_end[:80]!r}; add it, or correct the edge")
        if (
            not isinstance(railroad_ids, list)
            or not railroad_ids
            or not all(isinstance(railroad_id, str) for railroad_id in railroad_ids)
        ):
            raise SourceError(f"{where}: railroads is not a list of ids; list the railroads of this track")
        straight_line = tuple(_read_point(nodes[end_id], f"{file}: node {end_id[:80]!r}") for end_id in end_ids)
        for railroad_id in railroad_ids:
            a, b = (end_id.removeprefix(f"{railroad_id}--") for end_id in end_ids)
            yield NetworkPiece(
                id=joined_id(railroad_id, a, b),
                railroad=railroad_id,
                a=end_ids[0],
                b=end_ids[1],
                miles=round(line_miles(straight_line), 2),
                line=straight_line,
                origin=Origin(how="table", file=file),
            )


def _read_point(node: Row, where: str) -> Point:
    lon, lat = node.get("lon"), node.get("lat")
    if not (_is_number(lon) and _is_number(lat)):
        raise SourceError(f"{where}: lon or lat is not a number in degrees; correct it")
    point = float(lon), float(lat)  # type: ignore[arg-type]
    if problem := judge_place(*point):
        raise SourceError(f"{where}: {problem}")
    return point


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _default_rest(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board data other than nodes and edges; data that a graph does not hold are those of a new board."""
    width_mm, height_mm = plain.get("width"), plain.get("height")
    return {
        "format": "mapkit/board",
        "version": BOARD_VERSION,
        "id": plain.get("board"),
        "title": plain.get("title"),
        "units": Units(currency="USD", symbol="$", payoff=1000, distance="mile").model_dump(),
        "projection": plain.get("projection"),
        "page": {"width": width_mm, "height": height_mm, "frame": (0, 0, width_mm, height_mm)},
        "destinations": {
            chart_id: {"odd": dict.fromkeys(SUMS), "even": dict.fromkeys(SUMS)}
            for chart_id in ("regions", *(str(region.get("id")) for region in plain["regions"]))
        },
        "payoffs": {"cities": (), "thousands": ()},
        "rules": preset("ah").model_dump(mode="json"),
        "provenance": {
            "tool": "mapkit",
            "version": __version__,
            "credits": (),
            "licence": "unknown",
            "sources": (),
            "elements": {},
            "accepted": {},
        },
    }


FORMAT = GraphJsonFormat()
