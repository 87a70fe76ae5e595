"""GraphML, for yEd, Gephi, Cytoscape, igraph and others."""

from pathlib import Path
from typing import Any

from mapkit.exchange.form import Exported, ExportOptions
from mapkit.exchange.networkx_bridge import from_networkx, to_networkx
from mapkit.exchange.xml_reading import read_graph
from mapkit.exchange.xml_text import xml_text
from mapkit.model.board import Board

_TYPES = {bool: "boolean", int: "long", float: "double", str: "string"}


class GraphMlFormat:
    """The network as a graph with typed attributes."""

    name = "graphml"
    title = "GraphML"
    suffixes = (".graphml",)
    carries = "everything; mileposts as nodes, segments as edges, the rest as an attribute of the graph"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return one file."""
        return Exported({f"{board.id}.graphml": graphml_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with changes to nodes and edges."""
        return self._read(path, None)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges, of a file that another program saved."""
        return self._read(path, base)

    def _read(self, path: Path, base: Board | None) -> Board:
        import networkx as nx  # noqa: PLC0415 - heavy

        file = path.name
        graph = read_graph(path, nx.read_graphml, "GraphML", force_multigraph=True)
        return from_networkx(graph, file=file, base=base)


def graphml_text(board: Board) -> str:
    """Return the text of the file, a node or edge a line; edges have the ids of their segments."""
    graph = to_networkx(board)
    keys: dict[tuple[str, str], tuple[str, str]] = {}

    def data(domain: str, values: dict[str, Any]) -> str:
        out = []
        for name, value in values.items():
            key, _ = keys.setdefault((domain, name), (f"d{len(keys)}", _TYPES[type(value)]))
            out.append(f'<data key="{key}">{xml_text(value)}</data>')
        return "".join(out)

    head = data("graph", graph.graph)
    nodes = [f'<node id="{xml_text(ident)}">{data("node", values)}</node>' for ident, values in graph.nodes(data=True)]
    edges = [
        f'<edge id="{xml_text(v["id"])}" source="{xml_text(v["a"])}" target="{xml_text(v["b"])}">'
        f"{data('edge', v)}</edge>"
        for _, _, v in graph.edges(data=True)
    ]
    declared = [
        f'<key id="{key}" for="{domain}" attr.name="{xml_text(name)}" attr.type="{kind}"/>'
        for (domain, name), (key, kind) in keys.items()
    ]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            *declared,
            f'<graph id="{xml_text(board.id)}" edgedefault="undirected">',
            head,
            *nodes,
            *edges,
            "</graph></graphml>",
            "",
        ]
    )


FORMAT = GraphMlFormat()
