"""GEXF 1.2 for Gephi: the network with places and colours; read as an edited file of a board at hand."""

from pathlib import Path
from typing import Any, Final

from mapkit.exchange.form import Exported, ExportOptions
from mapkit.exchange.networkx_bridge import MEMBER, from_networkx, to_networkx
from mapkit.exchange.xml_reading import read_graph
from mapkit.exchange.xml_text import xml_text
from mapkit.model.board import Board

LOSSES: Final = (
    "destination and payoff charts",
    "rules, units, page, projection and provenance",
    "prices and names of railroads",
    "names and colours of regions",
    "the course of lines and junctions",
)
_TYPES = {bool: "boolean", int: "integer", float: "double", str: "string"}
_LEFT_OUT = frozenset({"x", "y", "name", "colour"})  # they are told by GEXF's own elements


class GexfFormat:
    """The network as Gephi shows it."""

    name = "gexf"
    title = "GEXF (Gephi)"
    suffixes = (".gexf",)
    carries = "mileposts with their places, cities and regions; segments with railroad, miles and colour"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return one file."""
        return Exported({f"{board.id}.gexf": gexf_text(board)}, LOSSES)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges; everything that GEXF cannot hold is the base's."""
        import networkx as nx  # noqa: PLC0415 - heavy

        file = path.name
        graph = read_graph(path, nx.read_gexf, "GEXF")
        for _, values in graph.nodes(data=True):
            values["name"] = values.pop("label", None)
        return from_networkx(graph, file=file, base=base)


def gexf_text(board: Board) -> str:
    """Return the text of the file, a node or edge a line; positions are those of the page, y upward."""
    graph = to_networkx(board)
    graph.graph.pop(MEMBER)
    declared: dict[str, dict[str, tuple[int, str]]] = {"node": {}, "edge": {}}
    nodes = [_node(ident, values, declared["node"]) for ident, values in graph.nodes(data=True)]
    edges = [_edge(values, declared["edge"]) for _, _, values in graph.edges(data=True)]
    attributes = [
        f'<attributes class="{kind}">'
        + "".join(f'<attribute id="{at}" title="{xml_text(title)}" type="{of}"/>' for title, (at, of) in found.items())
        + "</attributes>"
        for kind, found in declared.items()
    ]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">',
            f"<meta><creator>mapkit</creator><description>{xml_text(board.title)}</description></meta>",
            '<graph defaultedgetype="undirected" mode="static">',
            *attributes,
            "<nodes>",
            *nodes,
            "</nodes>",
            "<edges>",
            *edges,
            "</edges>",
            "</graph></gexf>",
            "",
        ]
    )


def _values(values: dict[str, Any], declared: dict[str, tuple[int, str]]) -> str:
    out = []
    for title, value in values.items():
        if title not in _LEFT_OUT:
            at, _ = declared.setdefault(title, (len(declared), _TYPES[type(value)]))
            out.append(f'<attvalue for="{at}" value="{xml_text(value)}"/>')
    return f"<attvalues>{''.join(out)}</attvalues>"


def _node(ident: str, values: dict[str, Any], declared: dict[str, tuple[int, str]]) -> str:
    size = 8 if values["kind"] == "city" else 3
    return (
        f'<node id="{xml_text(ident)}" label="{xml_text(values["name"])}">{_values(values, declared)}'
        f'<viz:size value="{size}"/><viz:position x="{values["x"]}" y="{-values["y"]}" z="0"/></node>'
    )


def _edge(values: dict[str, Any], declared: dict[str, tuple[int, str]]) -> str:
    red, green, blue = (int(values["colour"][at : at + 2], 16) for at in (1, 3, 5))
    return (
        f'<edge id="{xml_text(values["id"])}" source="{xml_text(values["a"])}" target="{xml_text(values["b"])}" '
        f'label="{xml_text(values["railroad"])}">{_values(values, declared)}'
        f'<viz:color r="{red}" g="{green}" b="{blue}"/></edge>'
    )


FORMAT = GexfFormat()
