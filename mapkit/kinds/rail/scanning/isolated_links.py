"""Lower the confidence of links that connect to no confident track of their railroad."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mapkit.core import heavy
from mapkit.kinds.rail.scanning.links import SURE

if TYPE_CHECKING:
    from mapkit.kinds.rail.scanning.scan import ScannedLine, ScannedLink

_ISOLATED_FACTOR: Final = 0.5
"""Factor on the confidence of a link without a sure link of its railroad joined to it."""
JOINS: Final = 0.5
"""Links less sure than this join nothing."""


def less_sure_alone(
    links: Sequence["ScannedLink"], lines: Sequence["ScannedLine"]
) -> tuple[list["ScannedLink"], list["ScannedLine"]]:
    """Return the links and lines of one railroad, with half the confidence if no sure link joins them.

    Links less sure than a half join nothing. A railroad without any sure link stays as it is.
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
