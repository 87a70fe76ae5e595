"""GraphML, for yEd, Gephi, Cytoscape, igraph and others."""

from io import BytesIO
from pathlib import Path

from mapkit.core import heavy
from mapkit.exchange.plan import Exported
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

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return one file."""
        return Exported({f"{options.file_stem(board)}.graphml": graphml_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with changes to nodes and edges."""
        return self._read_graphml(path, None)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges, of a file that another program saved."""
        return self._read_graphml(path, base)

    def _read_graphml(self, path: Path, base: Board | None) -> Board:
        file = path.name
        graph = read_graph(path, heavy.networkx.read_graphml, "GraphML", force_multigraph=True)
        return from_networkx(graph, file=file, base=base)


def graphml_text(board: Board) -> str:
    """Return the text of the file; edges have the ids of their segments."""
    graph = to_networkx(board, drawn=True)
    refuse_characters(graph)
    graph.graph["id"] = board.id
    output = BytesIO()
    # Not write_graphml, which writes other bytes where lxml is installed.
    heavy.networkx.write_graphml_xml(graph, output, edge_id_from_attribute="id")
    return output.getvalue().decode() + "\n"


FORMAT = GraphMlFormat()
