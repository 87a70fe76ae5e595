"""`graph.json`: the network as small web clients use it, and nothing else.

Read back it is the same network. What the file does not hold is as in a new board.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.jsontext import json_text
from mapkit.core.names import joined_id
from mapkit.exchange.plan import Exported
from mapkit.formats.degrees import LAST_LAT, LAST_LON, outside_world
from mapkit.formats.json_reading import read_json
from mapkit.kinds.rail.exchange.engine.schemas import described
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.parts import APART, Parts, Row, put_together
from mapkit.kinds.rail.model.board import SUMS, Board, Junction, Milepost, Piece, Units
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.model.versions import BOARD_VERSION
from mapkit.kinds.rail.render.drawn import with_drawn
from mapkit.kinds.rail.rules.rules import preset
from mapkit.kinds.rail.trace.segments import segments_of
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

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return the graph and its schema."""
        files = {"graph.json": json_text(graph_of(board)), "graph.schema.json": json_text(described("graph"))}
        return Exported(files, LOSSES)

    def read(self, path: Path) -> Board:
        """Return the board of a graph: its network, straight between nodes, with no chart and the printed rules."""
        return board_of_graph(read_json(path), file=path.name)


def graph_of(board: Board) -> dict[str, Any]:
    """Return the graph: an edge joins two nodes for all railroads whose track pieces do.

    Nodes are mileposts and junctions, sorted by id. An edge to a junction alone costs no step: a step leads from
    milepost to milepost, through junctions of its railroad.
    """
    shown = with_drawn(board)
    cities: dict[str, list[dict[str, Any]]] = {}
    for city in shown.cities:
        row = {"id": city.id, "name": city.name, "region": city.region}
        cities.setdefault(city.milepost, []).append({**row, "drawn_x": city.drawn_x, "drawn_y": city.drawn_y})
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
    nodes += [{"id": j.id, "kind": JUNCTION, "railroad": j.railroad, **_places(j)} for j in shown.junctions]
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
        "edges": _edges(shown.pieces),
    }


def _edges(pieces: Iterable[Piece]) -> list[dict[str, Any]]:
    """Return the edges; of two pieces of a railroad between the same nodes, the path is that of the first."""
    paths: dict[tuple[str, str], dict[str, tuple[Point, ...]]] = {}
    for piece in pieces:
        ahead = piece.a <= piece.b
        ends = (piece.a, piece.b) if ahead else (piece.b, piece.a)
        path = piece.drawn_path if ahead else piece.drawn_path[::-1]
        paths.setdefault(ends, {}).setdefault(piece.railroad, path)
    return [
        {"a": a, "b": b, "railroads": sorted(own), "drawn_path": dict(sorted(own.items()))}
        for (a, b), own in sorted(paths.items())
    ]


def _places(node: Milepost | Junction) -> dict[str, float]:
    return {name: getattr(node, name) for name in ("lon", "lat", "x", "y", "drawn_x", "drawn_y")}


def board_of_graph(plain: object, *, file: str) -> Board:
    """Return the board of a graph that `graph_of` made, changed or not.

    Raises:
        SourceError: It is of another version, a part is missing, or an element names what is not there.
    """
    if not isinstance(plain, dict) or plain.get("format") != NAME or plain.get("version") != VERSION:
        raise SourceError(f"{file}: no graph of version {VERSION} ({NAME!r}); export the board again")
    if "regions" not in plain or "projection" not in plain:
        raise SourceError(
            f"{file}: no regions or no projection in it, as an earlier mapkit wrote it; export the board again, or "
            "take its lines into a board with --keep-topology"
        )
    nodes = {str(node.get("id")): node for node in _rows(plain, "nodes", file)}
    junctions = {ident for ident, node in nodes.items() if node.get("kind") == JUNCTION}
    mileposts = [node for ident, node in nodes.items() if ident not in junctions]
    pieces = list(_pieces(_rows(plain, "edges", file), nodes, file))
    tables = {
        "regions": _rows(plain, "regions", file),
        "railroads": _rows(plain, "railroads", file),
        "mileposts": mileposts,
        "junctions": [nodes[ident] for ident in sorted(junctions)],
        "cities": [
            {**city, "milepost": node.get("id")}
            for node in mileposts
            for city in _rows(node, "cities", file, empty=True)
        ],
        "pieces": [{**p.model_dump(include={"id", "railroad", "a", "b", "miles"}), "line": p.line} for p in pieces],
        "segments": [
            {**s.model_dump(include={"id", "railroad", "a", "b", "miles"}), "pieces": APART.join(s.pieces)}
            for s in segments_of(pieces, junctions)
        ],
    }
    return put_together(Parts(tables, _rest(plain)), file=file)


def _rows(plain: Mapping[str, Any], member: str, file: str, *, empty: bool = False) -> list[Row]:
    rows = plain.get(member, [] if empty else None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SourceError(f"{file}: {member} is not a list of objects; export the board again")
    return rows


def _pieces(edges: list[Row], nodes: Mapping[str, Row], file: str) -> Iterator[NetworkPiece]:
    """Yield a straight piece for each railroad of each edge."""
    for number, edge in enumerate(edges):
        where = f"{file}: edges {number}"
        ends, owners = sorted(str(edge.get(end)) for end in ("a", "b")), edge.get("railroads")
        unknown = next((end for end in ends if end not in nodes), None)
        if unknown is not None:
            raise SourceError(f"{where}: no node {unknown[:80]!r}; add it, or correct the edge")
        if not isinstance(owners, list) or not owners or not all(isinstance(owner, str) for owner in owners):
            raise SourceError(f"{where}: railroads is not a list of ids; say whose track it is")
        line = tuple(_point(nodes[end], f"{file}: node {end[:80]!r}") for end in ends)
        for owner in owners:
            a, b = (end.removeprefix(f"{owner}--") for end in ends)
            yield NetworkPiece(
                id=joined_id(owner, a, b),
                railroad=owner,
                a=ends[0],
                b=ends[1],
                miles=round(line_miles(line), 2),
                line=line,
                origin=Origin(how="table", file=file),
            )


def _point(node: Row, where: str) -> Point:
    lon, lat = node.get("lon"), node.get("lat")
    if not (_is_number(lon) and _is_number(lat)):
        raise SourceError(f"{where}: lon or lat is not a number in degrees; correct it")
    point = float(lon), float(lat)  # type: ignore[arg-type]
    if not (abs(point[0]) <= LAST_LON and abs(point[1]) <= LAST_LAT):
        raise SourceError(f"{where}: {outside_world(*point)}")
    return point


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rest(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is neither node nor edge; what a graph does not hold is as in a new board."""
    width, height = plain.get("width"), plain.get("height")
    return {
        "format": "mapkit/board",
        "version": BOARD_VERSION,
        "id": plain.get("board"),
        "title": plain.get("title"),
        "units": Units(currency="USD", symbol="$", payoff=1000, distance="mile").model_dump(),
        "projection": plain.get("projection"),
        "page": {"width": width, "height": height, "frame": (0, 0, width, height)},
        "destinations": {
            chart: {"odd": dict.fromkeys(SUMS), "even": dict.fromkeys(SUMS)}
            for chart in ("regions", *(str(region.get("id")) for region in plain["regions"]))
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
