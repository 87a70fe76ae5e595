"""Pairs of railroads that touch or run side by side, and pairs of neighbouring regions."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import shapely

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions

Kind = Literal["beside", "touch"]


@dataclass(frozen=True, order=True)
class RailroadContact:
    """Two railroads (ids, in alphabetical order) and the kind of their contact."""

    a: str
    b: str
    kind: Kind
    """`beside`: between the same two mileposts somewhere; `touch`: at a milepost of both."""


def find_adjacent_railroads(board: Board) -> tuple[RailroadContact, ...]:
    """Return every two railroads that share a milepost, sorted by id (RB-M05, RB-C09)."""
    railroads_at: dict[str, set[str]] = {}
    railroads_between: dict[tuple[str, str], set[str]] = {}
    for segment in board.segments:
        for end in (segment.a, segment.b):
            railroads_at.setdefault(end, set()).add(segment.railroad)
        end_pair = (min(segment.a, segment.b), max(segment.a, segment.b))
        railroads_between.setdefault(end_pair, set()).add(segment.railroad)
    parallel_pairs = _pair_members(railroads_between.values())
    return tuple(
        RailroadContact(a, b, "beside" if (a, b) in parallel_pairs else "touch")
        for a, b in sorted(_pair_members(railroads_at.values()))
    )


def find_adjacent_regions(board: Board) -> tuple[tuple[str, str], ...]:
    """Return every two regions with mileposts next to each other: joined in the Delaunay triangulation of the page."""
    region_of = find_regions(board)
    regions_at: dict[tuple[float, float], set[str]] = {}
    for m in board.mileposts:
        if m.id in region_of:
            regions_at.setdefault((m.x, m.y), set()).add(region_of[m.id])
    milepost_places = sorted(regions_at)
    if not milepost_places:
        return ()
    edges = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(milepost_places), only_edges=True))
    linked_places = [[(x, y) for x, y in pair] for pair in shapely.get_coordinates(edges).reshape(-1, 2, 2).tolist()]
    if not linked_places:  # all on one line
        linked_places = [[*pair] for pair in pairwise(milepost_places)]
    return tuple(
        sorted(_pair_members([*regions_at.values(), *({*regions_at[a], *regions_at[b]} for a, b in linked_places)]))
    )


def _pair_members(groups: Iterable[set[str]]) -> set[tuple[str, str]]:
    return {(a, b) for group in groups for a in group for b in group if a < b}
