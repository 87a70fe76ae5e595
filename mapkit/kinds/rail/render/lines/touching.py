"""Which railroads touch or run side by side, and which regions are neighbours."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import shapely

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.region_of import regions_of

Kind = Literal["beside", "touch"]


@dataclass(frozen=True, order=True)
class Touch:
    """Two railroads (ids, in alphabetical order) and how near they are."""

    a: str
    b: str
    kind: Kind
    """`beside`: between the same two mileposts somewhere; `touch`: at a milepost of both."""


def touching(board: Board) -> tuple[Touch, ...]:
    """Return every two railroads that share a milepost, sorted by id (RB-M05, RB-C09)."""
    at: dict[str, set[str]] = {}
    between: dict[tuple[str, str], set[str]] = {}
    for segment in board.segments:
        for end in (segment.a, segment.b):
            at.setdefault(end, set()).add(segment.railroad)
        ends = (min(segment.a, segment.b), max(segment.a, segment.b))
        between.setdefault(ends, set()).add(segment.railroad)
    beside = _pairs(between.values())
    return tuple(Touch(a, b, "beside" if (a, b) in beside else "touch") for a, b in sorted(_pairs(at.values())))


def neighbouring_regions(board: Board) -> tuple[tuple[str, str], ...]:
    """Return every two regions with mileposts next to each other: joined in the Delaunay triangulation of the page."""
    region = regions_of(board)
    at: dict[tuple[float, float], set[str]] = {}
    for m in board.mileposts:
        if m.id in region:
            at.setdefault((m.x, m.y), set()).add(region[m.id])
    points = sorted(at)
    if not points:
        return ()
    edges = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(points), only_edges=True))
    joined = [[(x, y) for x, y in pair] for pair in shapely.get_coordinates(edges).reshape(-1, 2, 2).tolist()]
    if not joined:  # all on one line
        joined = [[*pair] for pair in pairwise(points)]
    return tuple(sorted(_pairs([*at.values(), *({*at[a], *at[b]} for a, b in joined)])))


def _pairs(groups: Iterable[set[str]]) -> set[tuple[str, str]]:
    return {(a, b) for group in groups for a in group for b in group if a < b}
