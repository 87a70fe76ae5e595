"""GEXF 1.2 for Gephi: the network with positions and colours, readable with the original board at hand."""

import re
from pathlib import Path
from typing import Final

from mapkit.core import heavy
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.xml_reading import read_graph
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.graphs.networkx_bridge import MEMBER, from_networkx, to_networkx
from mapkit.kinds.rail.exchange.graphs.xml_characters import refuse_characters
from mapkit.kinds.rail.model.board import Board

LOSSES: Final = (
    "destination and payoff charts",
    "rules, extensions, units, page, projection and provenance",
    "prices and names of railroads",
    "names and colours of regions",
    "the course of lines and junctions",
)
_XML_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_META_ELEMENT: Final = re.compile(r"<meta .*?</meta>", re.DOTALL)
"""Metadata of networkx, with its version and the date; removed so that every day gives the same bytes."""
_EDGE_LABEL: Final = re.compile(r'(<edge [^>]*?)label="([^"]*)"')
"""Label of an edge, its railroad; Gephi keeps parallel edges of different kinds, and merges those without one."""


class GexfFormat:
    """The network as Gephi shows it."""

    name = "gexf"
    title = "GEXF (Gephi)"
    suffixes = (".gexf",)
    carries = "mileposts with their places, cities and regions; segments with railroad, miles and colour"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        return ExportedBoard({f"{options.file_stem(board)}.gexf": gexf_text(board)}, LOSSES)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board with changes to nodes and edges; the base supplies the data that GEXF cannot hold."""
        file = path.name
        graph = read_graph(path, heavy.networkx.read_gexf, "GEXF")
        for _, values in graph.nodes(data=True):
            values["name"] = values.pop("label", None)
        return from_networkx(graph, file=file, base=base)


def gexf_text(board: Board) -> str:
    """Return the text of the file, with the positions of the picture and y upward."""
    graph = to_networkx(board, drawn=True)
    graph.graph.pop(MEMBER)
    refuse_characters(graph)
    for _, values in graph.nodes(data=True):
        values["label"] = values.pop("name")
        node_position = {"x": values.pop("drawn_x"), "y": -values.pop("drawn_y"), "z": 0}
        values["viz"] = {"size": 8 if values["kind"] == "city" else 3, "position": node_position}
    for _, _, values in graph.edges(data=True):
        colour = values.pop("colour")
        red, green, blue = (int(colour[digit_index : digit_index + 2], 16) for digit_index in (1, 3, 5))
        values["label"] = values["railroad"]
        values["viz"] = {"color": {"r": red, "g": green, "b": blue}}
    meta_element = f"<meta><creator>mapkit</creator><description>{xml_text(board.title)}</description></meta>"
    xml_lines = "\n".join(heavy.networkx.generate_gexf(graph))
    xml_lines = _EDGE_LABEL.sub(r'\1kind="\2" label="\2"', xml_lines)
    return _XML_DECLARATION + _META_ELEMENT.sub(lambda _: meta_element, xml_lines, count=1) + "\n"


FORMAT = GexfFormat()
