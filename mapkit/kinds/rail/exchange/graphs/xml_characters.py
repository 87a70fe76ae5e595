"""Characters that XML forbids, which networkx's writers would write into a file that nothing can read."""

from mapkit.core import heavy
from mapkit.formats.xml_text import xml_text


def refuse_characters(graph: "heavy.networkx.MultiGraph[str]") -> None:
    """Refuse a graph that has an attribute with a character that XML forbids.

    Raises:
        ExportError: It has; the text says which.
    """
    nodes = (values for _, values in graph.nodes(data=True))
    edges = (values for _, _, values in graph.edges(data=True))
    for values in (graph.graph, *nodes, *edges):
        for value in values.values():
            xml_text(value)
