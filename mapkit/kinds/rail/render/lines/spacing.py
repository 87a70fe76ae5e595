"""Moving lines apart: strands that run side by side, and strands that pass another milepost.

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

from mapkit.core.arrays import among, meeting
from mapkit.core.neighbours import find_close_pairs
from mapkit.kinds.rail.render.lines.bundles import End, Joins
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, normals

ROUNDS: Final = 32
_REFRESH: Final = 8
_SAME_WAY: Final = 0.8
_ALONG_MM: Final = 1.6
_TAPER_MM: Final = 4.5
_SMOOTH: Final = 0.3
_HOME: Final = 0.02
_PUSH: Final = 0.5
_SOFTEN: Final = 2
_STRAIGHTEN: Final = 0.75
_TIED_MM: Final = 0.05
_WIDER: Final = 1 + 1e-9
"""For rounding."""


@dataclass(frozen=True)
class Strand:
    """A line to draw, with its two nodes and half its drawn width in millimetres."""

    line: Array
    nodes: tuple[str, str]
    half_width: float


@dataclass(frozen=True)
class Obstacles:
    """Symbols that a line must not touch unless it ends there."""

    names: tuple[str, ...]
    xy: Array
    radius: Array


def spread(
    strands: Sequence[Strand], obstacles: Obstacles, clearance: float, joins: Joins | None = None
) -> list[Array]:
    """Return the strands' lines, moved apart; the number of vertices and the ends stay.

    Args:
        strands: The lines to draw.
        obstacles: Symbols to keep off.
        clearance: Room to keep between lines, and between a line and a symbol.
        joins: Which ends of strands (by their place in `strands`) run on smoothly into each other.
    """
    if not strands:
        return []
    chain = _Chain(strands, obstacles, clearance, joins or Joins((), ()))
    for turn in range(ROUNDS):
        if turn % _REFRESH == 0:
            chain.look_around()
        chain.step()
    return chain.lines()


class _Chain:
    """All vertices of all strands in one array."""

    def __init__(self, strands: Sequence[Strand], obstacles: Obstacles, clearance: float, joins: Joins) -> None:
        self._clearance = clearance
        counts = np.array([len(s.line) for s in strands])
        self._ends = np.cumsum(counts)
        self._starts = self._ends - counts
        self._strand = np.repeat(np.arange(len(strands)), counts)
        self._half = np.repeat([s.half_width for s in strands], counts)
        self._home = np.concatenate([s.line for s in strands])
        self._at = self._home.copy()
        self._inner = np.ones(len(self._at), dtype=bool)
        self._inner[self._starts] = False
        self._inner[self._ends - 1] = False
        along = [lengths(s.line) for s in strands]
        to_end = np.concatenate([np.minimum(a, a[-1] - a) for a in along])
        self._taper = np.minimum(1.0, to_end / _TAPER_MM)
        number = {name: i for i, name in enumerate(obstacles.names)}
        self._own = np.array([[number.get(n, -1) for n in s.nodes] for s in strands])
        self._obstacles = obstacles
        pairs = [sorted((one.bundle, other.bundle)) for one, other in joins.partners]
        self._continued = np.array([a * len(strands) + b for a, b in pairs], dtype=np.int64)
        self._joined = self._vertices(joins.partners)
        self._follows = self._vertices(joins.followers)
        none = np.empty(0, dtype=np.int64)
        self._pairs: tuple[NDArray[np.int64], NDArray[np.int64]] = (none, none)
        self._near: tuple[NDArray[np.int64], NDArray[np.int64]] = (none, none)

    def look_around(self) -> None:
        """Find the vertices that are near each other, and those near another milepost."""
        half = (float(self._half.max()) + self._clearance / 2) * _WIDER
        one, other = meeting(self._at - half, self._at + half)
        a, b = self._strand[one], self._strand[other]
        lines = np.flatnonzero(a != b)
        a, b = a[lines], b[lines]
        # a line and its continuation beyond a node do not push each other
        apart = lines[~among(np.minimum(a, b) * len(self._starts) + np.maximum(a, b), self._continued)]
        one, other = one[apart], other[apart]
        # what runs across now will not run alongside before the next look
        side = self._normals()
        alongside = np.flatnonzero(np.abs(_dot(side[one], side[other])) > _SAME_WAY - 0.2)
        one, other = one[alongside], other[alongside]
        one, other = np.concatenate((one, other)), np.concatenate((other, one))
        near = np.flatnonzero(np.abs(_cross(self._at[other] - self._at[one], side[one])) < _ALONG_MM + 1.0)
        near = near[np.lexsort((other[near], one[near]))]
        self._pairs = (one[near], other[near])
        if len(self._obstacles.xy):
            reach = float((self._obstacles.radius.max() + self._half.max()) + self._clearance + 1.0)
            symbol, vertex = find_close_pairs(self._obstacles.xy, self._at, reach)
            own = self._own[self._strand[vertex]]
            strange = (own[:, 0] != symbol) & (own[:, 1] != symbol)
            self._near = (vertex[strange], symbol[strange])

    def step(self) -> None:
        """Move every vertex once."""
        at, inner = self._at, self._inner
        side = self._normals()
        push = self._side_push(side) + self._symbol_push(side)
        for _ in range(_SOFTEN):
            push[1:-1] = (push[:-2] + 2 * push[1:-1] + push[2:]) / 4
            push[~inner] = 0.0
        move = push + _HOME * (self._home - at)
        mean = np.zeros_like(at)
        mean[1:-1] = (at[2:] + at[:-2]) / 2 - at[1:-1]
        move += _SMOOTH * mean
        at[inner] += move[inner]
        # a node lies midway between the vertices on both sides of it
        node, one, other = self._joined
        bend = (at[one] + at[other]) / 2 - at[node]
        at[one] -= _STRAIGHTEN * bend
        at[other] -= _STRAIGHTEN * bend
        node, branch, main = self._follows
        bend = (at[branch] + at[main]) / 2 - at[node]
        at[branch] -= 2 * _STRAIGHTEN * bend

    def lines(self) -> list[Array]:
        """Return the strands' lines as they are now."""
        return [self._at[a:b] for a, b in zip(self._starts, self._ends, strict=True)]

    def _vertices(self, pairs: Sequence[tuple[End, End]]) -> tuple[NDArray[np.int64], ...]:
        """Return the node of each pair of ends (as a vertex), and the vertices next to it in both strands."""
        first = [[self._vertex(end, 0) for end in pair] for pair in pairs]
        second = [[self._vertex(end, 1) for end in pair] for pair in pairs]
        node = np.array([a for a, _ in first], dtype=np.int64)
        beside = np.array(second, dtype=np.int64).reshape(-1, 2)
        return node, beside[:, 0], beside[:, 1]

    def _vertex(self, end: End, step: int) -> int:
        return int(self._starts[end.bundle] + step if end.at_start else self._ends[end.bundle] - 1 - step)

    def _normals(self) -> Array:
        side = normals(self._at)
        # the ends of a strand must not look at the next strand's vertices
        for edge, step in ((self._starts, 1), (self._ends - 1, -1)):
            side[edge] = side[edge + step]
        flip = (side[:, 1] < 0) | ((side[:, 1] == 0) & (side[:, 0] < 0))
        side[flip] *= -1
        return side

    def _side_push(self, side: Array) -> Array:
        one, other = self._pairs
        here = side[one]
        gap = self._at[other] - self._at[one]
        cosine = _dot(here, side[other])
        across = _dot(gap, here)
        along = _cross(gap, here)
        need = self._half[one] + self._half[other] + self._clearance
        lacks = need - np.abs(across)
        acts = (np.abs(cosine) > _SAME_WAY) & (np.abs(along) < _ALONG_MM) & (lacks > 0)
        one, other, across, lacks = one[acts], other[acts], across[acts], lacks[acts]
        # on top of each other, the strand that comes first gives way to the upper side
        tied = np.where(self._strand[one] < self._strand[other], 1.0, -1.0)
        sign = np.where(np.abs(across) < _TIED_MM, tied, np.sign(across))
        count = np.bincount(one, minlength=len(self._at))
        total = np.bincount(one, weights=-sign * lacks, minlength=len(self._at))
        size = _PUSH * self._taper * total / np.maximum(count, 1)
        pushed: Array = side * size[:, None]
        return pushed

    def _symbol_push(self, sides: Array) -> Array:
        vertex, symbol = self._near
        push = np.zeros_like(self._at)
        gap = self._at[vertex] - self._obstacles.xy[symbol]
        # through the very middle of a symbol there is no way out but to a side
        side = sides[vertex]
        gap += side * np.where(np.abs(_dot(gap, side)) < _TIED_MM, 0.5, 0.0)[:, None]
        distance = np.maximum(np.sqrt(_dot(gap, gap)), 0.01)
        lacks = self._obstacles.radius[symbol] + self._half[vertex] + self._clearance - distance
        acts = lacks > 0
        size = (_PUSH * 1.4 * lacks / distance)[acts]
        for axis in (0, 1):
            push[:, axis] = np.bincount(vertex[acts], weights=gap[acts, axis] * size, minlength=len(push))
        return push


def _dot(one: Array, other: Array) -> Array:
    """Return the products of vectors of two arrays; of two columns numpy's own sum takes several times as long."""
    product: Array = one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1]
    return product


def _cross(one: Array, other: Array) -> Array:
    """Return how far the first vectors reach across the second, which are units."""
    product: Array = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return product
