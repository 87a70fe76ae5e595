"""`graph.json`: the network as small web clients use it, and nothing else."""

from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.exchange.engine.schemas import described
from mapkit.kinds.rail.exchange.format import Exported, ExportOptions
from mapkit.kinds.rail.model import file as board_file
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.drawn import with_drawn

LOSSES: Final = (
    "destination and payoff charts",
    "rules, extensions, units, projection and provenance",
    "the course of lines between nodes",
    "which track pieces two segments share, but through junctions",
    "colours of regions and patterns of railroads",
)


class GraphJsonFormat:
    """Railroads, nodes with their places, and edges with the railroads that own them."""

    name = "graph"
    title = "graph.json (web clients)"
    suffixes = (".graph.json",)
    carries = "railroads; nodes of kind city, dot or junction with true and drawn places; edges with their railroads"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return the graph and its schema."""
        files = {"graph.json": json_text(graph_of(board)), "graph.schema.json": json_text(described("graph"))}
        return Exported(files, LOSSES)


def graph_of(board: Board) -> dict[str, Any]:
    """Return the graph: an edge joins two nodes for all railroads whose track pieces do.

    Nodes are mileposts and junctions, sorted by id. An edge to a junction alone costs no step: a step leads from
    milepost to milepost, through junctions of its railroad.
    """
    shown = with_drawn(board)
    cities: dict[str, list[dict[str, str]]] = {}
    for city in board.cities:
        cities.setdefault(city.milepost, []).append({"id": city.id, "name": city.name, "region": city.region})
    nodes: list[dict[str, Any]] = [
        {
            "id": m.id,
            "kind": m.kind,
            "name": m.name,
            **_places(m),
            **({"cities": cities[m.id]} if m.id in cities else {}),
        }
        for m in shown.mileposts
    ]
    nodes += [{"id": j.id, "kind": "junction", **_places(j)} for j in shown.junctions]
    edges: dict[tuple[str, str], set[str]] = {}
    for piece in board.pieces:
        edges.setdefault((min(piece.a, piece.b), max(piece.a, piece.b)), set()).add(piece.railroad)
    return {
        "format": "mapkit/graph",
        "version": 2,
        "board": board.id,
        "title": board.title,
        "width": board.page.width,
        "height": board.page.height,
        "railroads": [
            {"id": r.id, "name": r.name, "short": r.short, "price": r.price, "colour": r.style.colour}
            for r in board.railroads
        ],
        "nodes": sorted(nodes, key=lambda node: str(node["id"])),
        "edges": [{"a": a, "b": b, "railroads": sorted(owners)} for (a, b), owners in sorted(edges.items())],
    }


def _places(node: board_file.Milepost | board_file.Junction) -> dict[str, float]:
    return {"x": node.x, "y": node.y, "drawn_x": node.drawn_x, "drawn_y": node.drawn_y}


FORMAT = GraphJsonFormat()
