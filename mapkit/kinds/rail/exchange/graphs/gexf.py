"""GEXF 1.2 for Gephi: the network with places and colours; read as an edited file of a board at hand."""

import re
from pathlib import Path
from typing import Final

from mapkit.core import heavy
from mapkit.exchange.plan import Exported
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
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_META: Final = re.compile(r"<meta .*?</meta>", re.DOTALL)
"""What networkx says of itself: its version and the date, so that other days would give other bytes."""


class GexfFormat:
    """The network as Gephi shows it."""

    name = "gexf"
    title = "GEXF (Gephi)"
    suffixes = (".gexf",)
    carries = "mileposts with their places, cities and regions; segments with railroad, miles and colour"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return one file."""
        return Exported({f"{options.file_stem(board)}.gexf": gexf_text(board)}, LOSSES)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with changes to nodes and edges; everything that GEXF cannot hold is the base's."""
        file = path.name
        graph = read_graph(path, heavy.networkx.read_gexf, "GEXF")
        for _, values in graph.nodes(data=True):
            values["name"] = values.pop("label", None)
        return from_networkx(graph, file=file, base=base)


def gexf_text(board: Board) -> str:
    """Return the text of the file; positions are those of the picture, y upward."""
    graph = to_networkx(board, drawn=True)
    graph.graph.pop(MEMBER)
    refuse_characters(graph)
    for _, values in graph.nodes(data=True):
        values["label"] = values.pop("name")
        place = {"x": values.pop("drawn_x"), "y": -values.pop("drawn_y"), "z": 0}
        values["viz"] = {"size": 8 if values["kind"] == "city" else 3, "position": place}
    for _, _, values in graph.edges(data=True):
        colour = values.pop("colour")
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        values["label"] = values["railroad"]
        values["viz"] = {"color": {"r": red, "g": green, "b": blue}}
    meta = f"<meta><creator>mapkit</creator><description>{xml_text(board.title)}</description></meta>"
    text = "\n".join(heavy.networkx.generate_gexf(graph))
    return _HEAD + _META.sub(lambda _: meta, text, count=1) + "\n"


FORMAT = GexfFormat()
