"""GraphML, for yEd, Gephi, Cytoscape, igraph and others."""

from io import BytesIO
from pathlib import Path
from typing import Any

from mapkit.core import heavy
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.xml_reading import read_graph
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.graphs.networkx_bridge import from_networkx, to_networkx
from mapkit.kinds.rail.exchange.graphs.xml_characters import refuse_characters
from mapkit.kinds.rail.model.board import Board


class GraphMlFormat:
    """The network as a graph with typed attributes."""

    name = "graphml"
    title = "GraphML"
    suffixes = (".graphml",)
    carries = "everything; mileposts as nodes, segments as edges, the rest as an attribute of the graph"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        return ExportedBoard({f"{options.file_stem(board)}.graphml": graphml_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with changes to nodes and edges."""
        return self._read_graphml(path, None)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges, of a file that another program saved."""
        return self._read_graphml(path, base)

    def _read_graphml(self, path: Path, base: Board | None) -> Board:
        file = path.name
        graph = read_graph(path, heavy.networkx.read_graphml, "GraphML", force_multigraph=True)
        keyed_edges: Any = graph.edges
        for _, _, key, values in keyed_edges(keys=True, data=True):
            values["id"] = values.pop("segment", None) or values.get("id") or key
        return from_networkx(graph, file=file, base=base)


def graphml_text(board: Board) -> str:
    """Return the text of the file; edges have the ids of their segments."""
    keyed_by_railroad = to_networkx(board, drawn=True)
    refuse_characters(keyed_by_railroad)
    graph: heavy.networkx.MultiGraph[str] = heavy.networkx.MultiGraph(id=board.id, **keyed_by_railroad.graph)
    graph.add_nodes_from(keyed_by_railroad.nodes(data=True))
    for a, b, values in keyed_by_railroad.edges(data=True):
        # An attribute called id would hide the id of the edge in igraph; yEd replaces the ids of edges.
        segment_id = values.pop("id")
        graph.add_edge(a, b, key=segment_id, segment=segment_id, **values)
    output = BytesIO()
    # Not write_graphml, which writes other bytes where lxml is installed.
    heavy.networkx.write_graphml_xml(graph, output)
    return output.getvalue().decode() + "\n"


FORMAT = GraphMlFormat()
