"""Bundles of pieces of different railroads between the same two nodes (RB-C09), and their continuations.

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
from mapkit.kinds.rail.render.lines.polyline import (
    Array,
    cumulative_lengths,
    interpolate_points,
    resample_line,
    smooth_polyline,
)
from mapkit.kinds.rail.render.spread.displacement import Placement

STEP_MM: Final = 1.5
"""Distance of a centre line's vertices."""
_GENERALISED_ROUNDS: Final = 8
_DIRECTION_MM: Final = 6.0
_LEAST_COSINE: Final = 0.2
_LEAST_FOLLOWING_COSINE: Final = 0.35


@dataclass(frozen=True)
class Bundle:
    """Pieces between the same two nodes; `centre` runs from `start`, the western one, to `end`."""

    start: str
    end: str
    pieces: tuple[Piece, ...]
    centre: Array

    @property
    def railroads(self) -> tuple[str, ...]:
        """Railroads of the pieces, in their order."""
        return tuple(piece.railroad for piece in self.pieces)


@dataclass(frozen=True, order=True)
class BundleEnd:
    """End of a bundle (by its place in the list)."""

    bundle: int
    at_start: bool


@dataclass(frozen=True)
class BundleJoins:
    """Smooth continuations through nodes: pairs of partners, and (branch, the end it comes from)."""

    partners: tuple[tuple[BundleEnd, BundleEnd], ...]
    followers: tuple[tuple[BundleEnd, BundleEnd], ...]


def find_bundles(pieces: Sequence[Piece], placement: Placement) -> list[Bundle]:
    """Group the pieces by their two nodes, sorted by node ids, the pieces by their railroads' ids.

    A second piece of the same railroad between the same nodes keeps its own real line instead of a lane.
    """
    node_spots = placement.spots
    piece_groups: dict[tuple[str, str, int], list[Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (p.railroad, p.id)):
        start, end = sorted((piece.a, piece.b), key=lambda node: (node_spots[node], node))
        group_number = 0
        while any(p.railroad == piece.railroad for p in piece_groups.get((start, end, group_number), ())):
            group_number += 1
        piece_groups.setdefault((start, end, group_number), []).append(piece)
    return [
        Bundle(start, end, tuple(bundle_pieces), _make_centre_line(bundle_pieces, placement, start, end))
        for (start, end, _), bundle_pieces in sorted(piece_groups.items())
    ]


def leaving_direction(line: Array, *, at_start: bool) -> Point:
    """Return the direction of a line with even vertices at one of its ends, over a few millimetres."""
    line = line if at_start else line[::-1]
    (x0, y0), (x1, y1) = line[:2].tolist()
    step_mm = max(math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2), 1e-9)
    x, y = line[max(1, min(round(_DIRECTION_MM / step_mm), len(line) // 2))].tolist()
    return (x - x0, y - y0)


def find_joins(bundles: Sequence[Bundle], junctions: frozenset[str]) -> BundleJoins:
    """Find smooth continuations: first of the bundles that share most railroads, then of those that turn least."""
    ends_at: dict[str, list[BundleEnd]] = {}
    for i, bundle in enumerate(bundles):
        ends_at.setdefault(bundle.start, []).append(BundleEnd(i, at_start=True))
        ends_at.setdefault(bundle.end, []).append(BundleEnd(i, at_start=False))
    partner_pairs: list[tuple[BundleEnd, BundleEnd]] = []
    follower_pairs: list[tuple[BundleEnd, BundleEnd]] = []
    for node, ends in sorted(ends_at.items()):
        if len(ends) == 1:
            continue
        direction_of = {
            end: _normalise(leaving_direction(bundles[end.bundle].centre, at_start=end.at_start)) for end in ends
        }
        partner_candidates = _list_partner_candidates(bundles, direction_of)
        partner_of: dict[BundleEnd, BundleEnd] = {}
        for _, _, first_end, second_end in sorted(partner_candidates):
            if first_end not in partner_of and second_end not in partner_of:
                partner_of[first_end], partner_of[second_end] = second_end, first_end
                partner_pairs.append((first_end, second_end))
        if node in junctions and partner_of:
            follower_pairs += _find_followers(direction_of, partner_of)
    return BundleJoins(tuple(partner_pairs), tuple(follower_pairs))


def _list_partner_candidates(
    bundles: Sequence[Bundle], direction_of: Mapping[BundleEnd, Point]
) -> list[tuple[int, float, BundleEnd, BundleEnd]]:
    """Return pairs of ends at a node that share railroads and do not turn much, with their cost first."""
    priced_pairs = []
    for first_end, second_end in combinations(direction_of, 2):
        shared_railroads = set(bundles[first_end.bundle].railroads) & set(bundles[second_end.bundle].railroads)
        straightness = -_dot_product(direction_of[first_end], direction_of[second_end])
        if shared_railroads and straightness > _LEAST_COSINE:
            priced_pairs.append((-len(shared_railroads), -round(straightness, 6), first_end, second_end))
    return priced_pairs


def _find_followers(
    direction_of: Mapping[BundleEnd, Point], partner_of: Mapping[BundleEnd, BundleEnd]
) -> list[tuple[BundleEnd, BundleEnd]]:
    """Return the branches at a junction, each with the end of the line that it comes from."""
    follower_pairs = []
    for end in direction_of:
        nearest_end = max(partner_of, key=lambda other: (_dot_product(direction_of[end], direction_of[other]), other))
        if (
            end not in partner_of
            and _dot_product(direction_of[end], direction_of[nearest_end]) > _LEAST_FOLLOWING_COSINE
        ):
            follower_pairs.append((end, partner_of[nearest_end]))
    return follower_pairs


def _make_centre_line(members: Sequence[Piece], placement: Placement, start: str, end: str) -> Array:
    """Return the mean of the members' lines without details too small to see, vertices `STEP_MM` apart."""
    member_lines = [placement.paths[p.id] if p.a == start else placement.paths[p.id][::-1] for p in members]
    if len(member_lines) == 1:
        mean_line = member_lines[0]
    else:
        length_shares = np.linspace(0.0, 1.0, 65)
        mean_line = np.mean(
            [interpolate_points(line, length_shares * cumulative_lengths(line)[-1]) for line in member_lines], axis=0
        )
    mean_line = resample_line(mean_line, STEP_MM)
    mean_line[0], mean_line[-1] = placement.spots[start], placement.spots[end]
    return resample_line(smooth_polyline(mean_line, _GENERALISED_ROUNDS), STEP_MM)


def _normalise(way: Point) -> Point:
    vector_length = max(math.sqrt(way[0] ** 2 + way[1] ** 2), 1e-9)
    return (way[0] / vector_length, way[1] / vector_length)


def _dot_product(first: Point, second: Point) -> float:
    return first[0] * second[0] + first[1] * second[1]
