"""Links that hang on nothing: a railroad is in one piece, or a few, so what is far from its sure track is less sure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mapkit.core import heavy
from mapkit.kinds.rail.scanning.links import SURE

if TYPE_CHECKING:
    from mapkit.kinds.rail.scanning.scan import ScannedLine, ScannedLink

_ALONE: Final = 0.5
"""What is left of how sure a link is, if no sure link of its railroad is joined to it."""
JOINS: Final = 0.5
"""Links less sure than this join nothing."""


def less_sure_alone(
    links: Sequence["ScannedLink"], lines: Sequence["ScannedLine"]
) -> tuple[list["ScannedLink"], list["ScannedLine"]]:
    """Return the links and lines of one railroad; those that no sure link is joined to are half as sure.

    Links less sure than a half join nothing. A railroad without any sure link stays as it is.
    """
    nx = heavy.networkx
    sure = {end for link in links if link.confidence >= SURE for end in (link.a, link.b)}
    graph: heavy.networkx.Graph[int] = nx.Graph((link.a, link.b) for link in links if link.confidence >= JOINS)
    joined = {end for part in nx.connected_components(graph) if part & sure for end in part}

    def alone(*ends: int | None) -> bool:
        return bool(sure) and not any(end is None or end in joined for end in ends)

    return (
        [
            replace(link, confidence=link.confidence * _ALONE, evidence=replace(link.evidence, alone=True))
            if alone(link.a, link.b)
            else link
            for link in links
        ],
        [replace(line, confidence=line.confidence * _ALONE) if alone(line.a, line.b) else line for line in lines],
    )
