"""Node-link JSON for networkx and D3."""

from pathlib import Path

from mapkit.core import heavy
from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.json_reading import read_json
from mapkit.formats.library_errors import translate_error
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.graphs.networkx_bridge import from_networkx, to_networkx
from mapkit.kinds.rail.model.board import Board


class NodeLinkFormat:
    """The network as lists of nodes and edges."""

    name = "node-link"
    title = "Node-link JSON (networkx, D3)"
    suffixes = (".node-link.json",)
    carries = "everything; mileposts as nodes, segments as edges, the rest as an attribute of the graph"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        return ExportedBoard(
            {
                f"{options.file_stem(board)}.node-link.json": json_text(
                    heavy.networkx.node_link_data(to_networkx(board, drawn=True), edges="edges")
                )
            }
        )

    def read(self, path: Path) -> Board:
        """Return the board, with changes to nodes and edges."""
        return self._read_node_link(path, None)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges, of a file that another program saved."""
        return self._read_node_link(path, base)

    def _read_node_link(self, path: Path, base: Board | None) -> Board:
        data = read_json(path)
        graph_attributes = data.get("graph", {}) if isinstance(data, dict) else {}
        if not isinstance(graph_attributes, dict):
            raise SourceError(
                f"{path.name}: graph is {str(graph_attributes)[:60]!r}, not an object; export the board again"
            )
        try:
            graph = heavy.networkx.node_link_graph(data, edges="edges")
        except (
            heavy.networkx.NetworkXException,
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
        ) as error:  # of foreign data
            raise SourceError(
                f"{path.name}: not a node-link graph: {translate_error(error)}; export the board again"
            ) from error
        return from_networkx(graph, file=path.name, base=base)


FORMAT = NodeLinkFormat()
