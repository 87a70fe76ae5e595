"""Bundles: pieces of different railroads between the same two nodes (RB-C09), and which bundles run on.

At a node each end of a bundle may have a *partner*, the bundle in which its railroads go on with the smallest turn:
the two are drawn as one smooth line through the node. Where a railroad branches off at a free junction, the branch
*follows* the line it leaves, as a switch does.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.render.lines.polyline import Array, eased, lengths, points_at, resampled
from mapkit.kinds.rail.render.spread.displace import Placement

STEP_MM: Final = 1.5
"""Distance of a centre line's vertices."""
_GENERALISED_ROUNDS: Final = 8
_REACH_MM: Final = 6.0
_LEAST_COSINE: Final = 0.2
_LEAST_FOLLOWING: Final = 0.35


@dataclass(frozen=True)
class Bundle:
    """Pieces between the same two nodes; `centre` runs from `start`, the western one, to `end`."""

    start: str
    end: str
    pieces: tuple[Piece, ...]
    centre: Array

    @property
    def railroads(self) -> tuple[str, ...]:
        """The railroads of the pieces, in their order."""
        return tuple(piece.railroad for piece in self.pieces)


@dataclass(frozen=True, order=True)
class End:
    """One end of a bundle (by its place in the list)."""

    bundle: int
    at_start: bool


@dataclass(frozen=True)
class Joins:
    """What goes on smoothly through nodes: pairs of partners, and (branch, the end it comes from)."""

    partners: tuple[tuple[End, End], ...]
    followers: tuple[tuple[End, End], ...]


def find_bundles(pieces: Sequence[Piece], placement: Placement) -> list[Bundle]:
    """Group the pieces by their two nodes, sorted by node ids, the pieces by their railroads' ids.

    A second piece of the same railroad between the same nodes takes a real way of its own, not a lane.
    """
    spots = placement.spots
    groups: dict[tuple[str, str, int], list[Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (p.railroad, p.id)):
        start, end = sorted((piece.a, piece.b), key=lambda node: (spots[node], node))
        turn = 0
        while any(p.railroad == piece.railroad for p in groups.get((start, end, turn), ())):
            turn += 1
        groups.setdefault((start, end, turn), []).append(piece)
    return [
        Bundle(start, end, tuple(members), _centre(members, placement, start, end))
        for (start, end, _), members in sorted(groups.items())
    ]


def leaving(line: Array, *, at_start: bool) -> Point:
    """Return the direction in which a line with even vertices leaves one of its ends, over a few millimetres."""
    line = line if at_start else line[::-1]
    (x0, y0), (x1, y1) = line[:2].tolist()
    step = max(math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2), 1e-9)
    x, y = line[max(1, min(round(_REACH_MM / step), len(line) // 2))].tolist()
    return (x - x0, y - y0)


def find_joins(bundles: Sequence[Bundle], junctions: frozenset[str]) -> Joins:
    """Return what goes on smoothly: first the bundles that share most railroads, then those that turn least."""
    at: dict[str, list[End]] = {}
    for i, bundle in enumerate(bundles):
        at.setdefault(bundle.start, []).append(End(i, at_start=True))
        at.setdefault(bundle.end, []).append(End(i, at_start=False))
    partners: list[tuple[End, End]] = []
    followers: list[tuple[End, End]] = []
    for node, ends in sorted(at.items()):
        if len(ends) == 1:
            continue
        ways = {end: _unit(leaving(bundles[end.bundle].centre, at_start=end.at_start)) for end in ends}
        found = _candidates(bundles, ways)
        taken: dict[End, End] = {}
        for _, _, one, other in sorted(found):
            if one not in taken and other not in taken:
                taken[one], taken[other] = other, one
                partners.append((one, other))
        if node in junctions and taken:
            followers += _followers(ways, taken)
    return Joins(tuple(partners), tuple(followers))


def _candidates(bundles: Sequence[Bundle], ways: Mapping[End, Point]) -> list[tuple[int, float, End, End]]:
    """Return pairs of ends at a node that share railroads and do not turn much, with their cost first."""
    found = []
    for one, other in combinations(ways, 2):
        shared = set(bundles[one.bundle].railroads) & set(bundles[other.bundle].railroads)
        straight = -_dot(ways[one], ways[other])
        if shared and straight > _LEAST_COSINE:
            found.append((-len(shared), -round(straight, 6), one, other))
    return found


def _followers(ways: Mapping[End, Point], taken: Mapping[End, End]) -> list[tuple[End, End]]:
    """Return the branches at a junction, each with the end of the line that it comes from."""
    found = []
    for end in ways:
        beside = max(taken, key=lambda other: (_dot(ways[end], ways[other]), other))
        if end not in taken and _dot(ways[end], ways[beside]) > _LEAST_FOLLOWING:
            found.append((end, taken[beside]))
    return found


def _centre(members: Sequence[Piece], placement: Placement, start: str, end: str) -> Array:
    """Return the mean of the members' lines without what is too small to see, vertices `STEP_MM` apart."""
    lines = [placement.paths[p.id] if p.a == start else placement.paths[p.id][::-1] for p in members]
    if len(lines) == 1:
        mean = lines[0]
    else:
        share = np.linspace(0.0, 1.0, 65)
        mean = np.mean([points_at(line, share * lengths(line)[-1]) for line in lines], axis=0)
    mean = resampled(mean, STEP_MM)
    mean[0], mean[-1] = placement.spots[start], placement.spots[end]
    return resampled(eased(mean, _GENERALISED_ROUNDS), STEP_MM)


def _unit(way: Point) -> Point:
    size = max(math.sqrt(way[0] ** 2 + way[1] ** 2), 1e-9)
    return (way[0] / size, way[1] / size)


def _dot(one: Point, other: Point) -> float:
    return one[0] * other[0] + one[1] * other[1]
