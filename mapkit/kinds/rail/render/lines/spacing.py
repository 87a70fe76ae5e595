"""Spacing of lines: strands that run side by side, and strands that pass another milepost, are moved apart.

Every strand is a chain of vertices with fixed ends. In each round a vertex is pushed sideways off neighbours
that run the same way and lie too near, pushed off mileposts it does not serve, pulled towards its true place,
and smoothed; vertices on both sides of a node that a line runs through are brought in line with it. Lines that
cross at an angle are left alone. Only sums, products and square roots are used, so
that every machine gets the same picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import find_intersecting_boxes, is_among
from mapkit.core.neighbours import find_close_pairs
from mapkit.kinds.rail.render.lines.bundles import BundleEnd, BundleJoins
from mapkit.kinds.rail.render.lines.polyline import (
    Array,
    cumulative_lengths,
    line_normals,
)

ROUNDS: Final = 32
_REFRESH_ROUNDS: Final = 8
_PARALLEL_COSINE: Final = 0.8
_ALONG_MM: Final = 1.6
_TAPER_MM: Final = 4.5
_SMOOTH_SHARE: Final = 0.3
_HOME_SHARE: Final = 0.02
_PUSH_SHARE: Final = 0.5
_SOFTEN_ROUNDS: Final = 2
_STRAIGHTEN_SHARE: Final = 0.75
_TIED_MM: Final = 0.05
_MOST_PUSHES: Final = 16_000_000
"""Pushes, about two seconds of them, after which a page is too full for spacing; usual boards need under a million."""
_ROUNDING_FACTOR: Final = 1 + 1e-9
"""For rounding."""


@dataclass(frozen=True)
class Strand:
    """Line to draw, with its two nodes and half its drawn width in millimetres."""

    line: Array
    nodes: tuple[str, str]
    half_width: float


@dataclass(frozen=True)
class LineObstacles:
    """Symbols that a line must not touch unless it ends there."""

    names: tuple[str, ...]
    xy: Array
    radius: Array


def spread_strands(
    strands: Sequence[Strand], obstacles: LineObstacles, clearance: float, joins: BundleJoins | None = None
) -> list[Array]:
    """Move the strands' lines apart; the number of vertices and the ends stay.

    Args:
        strands: The lines to draw.
        obstacles: Symbols to keep off.
        clearance: Room to keep between lines, and between a line and a symbol.
        joins: Ends of strands (by their place in `strands`) that continue smoothly into each other.
    """
    if not strands:
        return []
    strand_chain = _StrandChain(strands, obstacles, clearance, joins or BundleJoins((), ()))
    push_count = 0
    for round_number in range(ROUNDS):
        if round_number % _REFRESH_ROUNDS == 0:
            strand_chain.look_around()
        strand_chain.step()
        push_count += strand_chain.pair_count
        if push_count > _MOST_PUSHES:
            break
    return strand_chain.lines()


class _StrandChain:
    """Vertices of all strands in one array."""

    def __init__(
        self, strands: Sequence[Strand], obstacles: LineObstacles, clearance: float, joins: BundleJoins
    ) -> None:
        self._clearance = clearance
        vertex_counts = np.array([len(s.line) for s in strands])
        self._strand_ends = np.cumsum(vertex_counts)
        self._strand_starts = self._strand_ends - vertex_counts
        self._strand_of = np.repeat(np.arange(len(strands)), vertex_counts)
        self._half_widths = np.repeat([s.half_width for s in strands], vertex_counts)
        self._home_places = np.concatenate([s.line for s in strands])
        self._places = self._home_places.copy()
        self._is_inner = np.ones(len(self._places), dtype=bool)
        self._is_inner[self._strand_starts] = False
        self._is_inner[self._strand_ends - 1] = False
        vertex_distances = [cumulative_lengths(s.line) for s in strands]
        end_distances = np.concatenate([np.minimum(a, a[-1] - a) for a in vertex_distances])
        self._end_taper = np.minimum(1.0, end_distances / _TAPER_MM)
        obstacle_number = {name: i for i, name in enumerate(obstacles.names)}
        self._own_symbols = np.array([[obstacle_number.get(n, -1) for n in s.nodes] for s in strands])
        self._obstacles = obstacles
        partner_pairs = [sorted((one.bundle, other.bundle)) for one, other in joins.partners]
        self._partner_keys = np.array([a * len(strands) + b for a, b in partner_pairs], dtype=np.int64)
        self._partners = self._find_join_vertices(joins.partners)
        self._followers = self._find_join_vertices(joins.followers)
        no_vertices = np.empty(0, dtype=np.int64)
        self._near_pairs: tuple[NDArray[np.int64], NDArray[np.int64]] = (no_vertices, no_vertices)
        self._near_symbols: tuple[NDArray[np.int64], NDArray[np.int64]] = (no_vertices, no_vertices)

    def look_around(self) -> None:
        """Find the pairs of near vertices, and the vertices near another milepost."""
        half_reach = (float(self._half_widths.max()) + self._clearance / 2) * _ROUNDING_FACTOR
        first_vertices, second_vertices = find_intersecting_boxes(self._places - half_reach, self._places + half_reach)
        first_strands, second_strands = self._strand_of[first_vertices], self._strand_of[second_vertices]
        different_strands = np.flatnonzero(first_strands != second_strands)
        first_strands, second_strands = first_strands[different_strands], second_strands[different_strands]
        # a line and its continuation beyond a node do not push each other
        unjoined_pairs = different_strands[
            ~is_among(
                np.minimum(first_strands, second_strands) * len(self._strand_starts)
                + np.maximum(first_strands, second_strands),
                self._partner_keys,
            )
        ]
        first_vertices, second_vertices = first_vertices[unjoined_pairs], second_vertices[unjoined_pairs]
        # lines that cross now will not be parallel before the next refresh
        side = self._strand_normals()
        parallel_pairs = np.flatnonzero(
            np.abs(_dot_products(side[first_vertices], side[second_vertices])) > _PARALLEL_COSINE - 0.2
        )
        first_vertices, second_vertices = first_vertices[parallel_pairs], second_vertices[parallel_pairs]
        first_vertices, second_vertices = (
            np.concatenate((first_vertices, second_vertices)),
            np.concatenate((second_vertices, first_vertices)),
        )
        near_pairs = np.flatnonzero(
            np.abs(_cross_products(self._places[second_vertices] - self._places[first_vertices], side[first_vertices]))
            < _ALONG_MM + 1.0
        )
        near_pairs = near_pairs[np.lexsort((second_vertices[near_pairs], first_vertices[near_pairs]))]
        self._near_pairs = (first_vertices[near_pairs], second_vertices[near_pairs])
        if len(self._obstacles.xy):
            symbol_reach = float((self._obstacles.radius.max() + self._half_widths.max()) + self._clearance + 1.0)
            near_symbols, near_vertices = find_close_pairs(self._obstacles.xy, self._places, symbol_reach)
            own_symbols = self._own_symbols[self._strand_of[near_vertices]]
            is_foreign = (own_symbols[:, 0] != near_symbols) & (own_symbols[:, 1] != near_symbols)
            self._near_symbols = (near_vertices[is_foreign], near_symbols[is_foreign])

    def step(self) -> None:
        """Move every vertex once."""
        vertex_places, is_inner = self._places, self._is_inner
        vertex_normals = self._strand_normals()
        vertex_push = self._push_from_lines(vertex_normals) + self._push_from_symbols(vertex_normals)
        for _ in range(_SOFTEN_ROUNDS):
            vertex_push[1:-1] = (vertex_push[:-2] + 2 * vertex_push[1:-1] + vertex_push[2:]) / 4
            vertex_push[~is_inner] = 0.0
        vertex_moves = vertex_push + _HOME_SHARE * (self._home_places - vertex_places)
        mean_offset = np.zeros_like(vertex_places)
        mean_offset[1:-1] = (vertex_places[2:] + vertex_places[:-2]) / 2 - vertex_places[1:-1]
        vertex_moves += _SMOOTH_SHARE * mean_offset
        vertex_places[is_inner] += vertex_moves[is_inner]
        # a node lies midway between the vertices on both sides of it
        node_vertex, vertex_before, vertex_after = self._partners
        node_bend = (vertex_places[vertex_before] + vertex_places[vertex_after]) / 2 - vertex_places[node_vertex]
        vertex_places[vertex_before] -= _STRAIGHTEN_SHARE * node_bend
        vertex_places[vertex_after] -= _STRAIGHTEN_SHARE * node_bend
        node_vertex, branch_vertex, main_vertex = self._followers
        node_bend = (vertex_places[branch_vertex] + vertex_places[main_vertex]) / 2 - vertex_places[node_vertex]
        vertex_places[branch_vertex] -= 2 * _STRAIGHTEN_SHARE * node_bend

    @property
    def pair_count(self) -> int:
        """Number of pairs that push each other in a round."""
        return len(self._near_pairs[0]) + len(self._near_symbols[0])

    def lines(self) -> list[Array]:
        """Return the present lines of the strands."""
        return [self._places[a:b] for a, b in zip(self._strand_starts, self._strand_ends, strict=True)]

    def _find_join_vertices(self, pairs: Sequence[tuple[BundleEnd, BundleEnd]]) -> tuple[NDArray[np.int64], ...]:
        """Return the node of each pair of ends (as a vertex), and the vertices next to it in both strands."""
        node_vertices = [[self._vertex_at(end, 0) for end in pair] for pair in pairs]
        next_vertices = [[self._vertex_at(end, 1) for end in pair] for pair in pairs]
        node_of_pair = np.array([a for a, _ in node_vertices], dtype=np.int64)
        vertex_pairs = np.array(next_vertices, dtype=np.int64).reshape(-1, 2)
        return node_of_pair, vertex_pairs[:, 0], vertex_pairs[:, 1]

    def _vertex_at(self, end: BundleEnd, step: int) -> int:
        return int(self._strand_starts[end.bundle] + step if end.at_start else self._strand_ends[end.bundle] - 1 - step)

    def _strand_normals(self) -> Array:
        vertex_normals = line_normals(self._places)
        # the ends of a strand must not look at the next strand's vertices
        for edge, step in ((self._strand_starts, 1), (self._strand_ends - 1, -1)):
            vertex_normals[edge] = vertex_normals[edge + step]
        is_flipped = (vertex_normals[:, 1] < 0) | ((vertex_normals[:, 1] == 0) & (vertex_normals[:, 0] < 0))
        vertex_normals[is_flipped] *= -1
        return vertex_normals

    def _push_from_lines(self, side: Array) -> Array:
        first_vertices, second_vertices = self._near_pairs
        first_normals = side[first_vertices]
        gap_vectors = self._places[second_vertices] - self._places[first_vertices]
        direction_cosine = _dot_products(first_normals, side[second_vertices])
        across_gap = _dot_products(gap_vectors, first_normals)
        along_gap = _cross_products(gap_vectors, first_normals)
        needed_gap = self._half_widths[first_vertices] + self._half_widths[second_vertices] + self._clearance
        missing_gap = needed_gap - np.abs(across_gap)
        is_active = (np.abs(direction_cosine) > _PARALLEL_COSINE) & (np.abs(along_gap) < _ALONG_MM) & (missing_gap > 0)
        first_vertices, second_vertices, across_gap, missing_gap = (
            first_vertices[is_active],
            second_vertices[is_active],
            across_gap[is_active],
            missing_gap[is_active],
        )
        # on top of each other, the strand that comes first gives way to the upper side
        tie_sign = np.where(self._strand_of[first_vertices] < self._strand_of[second_vertices], 1.0, -1.0)
        push_sign = np.where(np.abs(across_gap) < _TIED_MM, tie_sign, np.sign(across_gap))
        push_count = np.bincount(first_vertices, minlength=len(self._places))
        push_sum = np.bincount(first_vertices, weights=-push_sign * missing_gap, minlength=len(self._places))
        push_size = _PUSH_SHARE * self._end_taper * push_sum / np.maximum(push_count, 1)
        side_push: Array = side * push_size[:, None]
        return side_push

    def _push_from_symbols(self, sides: Array) -> Array:
        vertex, near_symbols = self._near_symbols
        push = np.zeros_like(self._places)
        gap = self._places[vertex] - self._obstacles.xy[near_symbols]
        # a vertex on the very middle of a symbol is pushed to a side
        vertex_sides = sides[vertex]
        gap += vertex_sides * np.where(np.abs(_dot_products(gap, vertex_sides)) < _TIED_MM, 0.5, 0.0)[:, None]
        gap_lengths = np.maximum(np.sqrt(_dot_products(gap, gap)), 0.01)
        missing_gap = self._obstacles.radius[near_symbols] + self._half_widths[vertex] + self._clearance - gap_lengths
        is_active = missing_gap > 0
        size = (_PUSH_SHARE * 1.4 * missing_gap / gap_lengths)[is_active]
        for axis in (0, 1):
            push[:, axis] = np.bincount(vertex[is_active], weights=gap[is_active, axis] * size, minlength=len(push))
        return push


def _dot_products(first_vectors: Array, second_vectors: Array) -> Array:
    """Return the dot products of vectors of two arrays; numpy's own sum over two columns takes far longer."""
    products: Array = first_vectors[:, 0] * second_vectors[:, 0] + first_vectors[:, 1] * second_vectors[:, 1]
    return products


def _cross_products(first_vectors: Array, second_vectors: Array) -> Array:
    """Return the cross products of vectors of two arrays."""
    products: Array = first_vectors[:, 0] * second_vectors[:, 1] - first_vectors[:, 1] * second_vectors[:, 0]
    return products
