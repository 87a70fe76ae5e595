"""Lower the confidence of links that connect to no confident track of their railroad."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mapkit.core import heavy
from mapkit.kinds.rail.scanning.links import SURE

if TYPE_CHECKING:
    from mapkit.kinds.rail.scanning.scan import ScannedLine, ScannedLink

_ISOLATED_FACTOR: Final = 0.5
"""Factor on the confidence of an isolated link or line."""
JOINS: Final = 0.5
"""Least confidence of a link that connects others."""


def lower_isolated_confidence(
    links: Sequence["ScannedLink"], lines: Sequence["ScannedLine"]
) -> tuple[list["ScannedLink"], list["ScannedLine"]]:
    """Halve the confidence of links and lines of a railroad that are not connected to a sure link.

    Only links with a confidence of at least `JOINS` connect others. A line that ends at a junction counts as connected.
    A railroad without sure links is unchanged.
    """
    nx = heavy.networkx
    sure_ends = {end for link in links if link.confidence >= SURE for end in (link.a, link.b)}
    link_graph: heavy.networkx.Graph[int] = nx.Graph((link.a, link.b) for link in links if link.confidence >= JOINS)
    joined_ends = {end for part in nx.connected_components(link_graph) if part & sure_ends for end in part}

    def alone(*ends: int | None) -> bool:
        return bool(sure_ends) and not any(end is None or end in joined_ends for end in ends)

    return (
        [
            replace(link, confidence=link.confidence * _ISOLATED_FACTOR, evidence=replace(link.evidence, alone=True))
            if alone(link.a, link.b)
            else link
            for link in links
        ],
        [
            replace(line, confidence=line.confidence * _ISOLATED_FACTOR) if alone(line.a, line.b) else line
            for line in lines
        ],
    )
