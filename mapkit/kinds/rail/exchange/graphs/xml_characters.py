"""Refusal of characters forbidden in XML, because the writers of networkx accept them."""

from mapkit.core import heavy
from mapkit.formats.xml_text import xml_text


def refuse_characters(graph: "heavy.networkx.MultiGraph[str]") -> None:
    """Raise ExportError for a graph with an attribute that contains a character forbidden in XML.

    Raises:
        ExportError: It has; the message names the character.
    """
    node_attributes = (values for _, values in graph.nodes(data=True))
    edge_attributes = (values for _, _, values in graph.edges(data=True))
    for values in (graph.graph, *node_attributes, *edge_attributes):
        for attribute_value in values.values():
            xml_text(attribute_value)
