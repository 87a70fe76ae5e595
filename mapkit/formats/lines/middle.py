"""The lines along the middle of long thin shapes, by the Voronoi diagram of points on their edge.

Edges of the diagram that lie inside the shape are nearly its medial axis (J. W. Brandt, "Convergence and continuity
criteria for discrete approximations of the continuous planar skeleton", CVGIP 59, 1994). Branches into corners, no
longer than the shape is wide there, are pruned; ends are drawn on to the edge; the rest is simplified.
"""

from collections import defaultdict
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError

_STEP: Final = 0.5
"""Distance between points on the edge, in mean widths."""
_SPUR: Final = 1.0
"""A branch with a free end, no longer than so many times the width where it leaves, is pruned."""
_SMOOTH: Final = 0.125
"""How far simplifying may move the line, in mean widths."""
_MAX_POINTS: Final = 200_000

_Node = tuple[float, float]


def middle_lines(area: shapely.Geometry) -> list[shapely.LineString]:
    """Return the lines along the middle of a shape, sorted; they end or meet at the same points.

    Args:
        area: Polygons, in a plane.

    Raises:
        SourceError: The shape is so long and thin that its edge has too many points.
    """
    around, width = float(shapely.length(area)), _width(area)
    if around / (width * _STEP) > _MAX_POINTS:
        raise SourceError(f"a shape is {around / width / 2:,.0f} times as long as it is wide; draw lines instead")
    edge = shapely.segmentize(shapely.boundary(area), width * _STEP)
    diagram = shapely.get_parts(shapely.voronoi_polygons(edge, only_edges=True))
    graph = _Graph(_inside(diagram, area, width), area)
    graph.prune()
    lines = [shapely.simplify(line, width * _SMOOTH) for line in graph.chains()]
    return sorted(lines, key=lambda line: shapely.get_coordinates(line).tolist())


def _width(area: shapely.Geometry) -> float:
    return 2 * float(shapely.area(area)) / float(shapely.length(area))


def _decimals(width: float) -> int:
    """Return to how many decimals coordinates are a thousandth of the width."""
    return max(0, 3 - int(np.floor(np.log10(width))))


def _inside(diagram: NDArray[np.object_], area: shapely.Geometry, width: float) -> list[tuple[_Node, _Node]]:
    """Return the edges of the diagram within a shape, by their ends, each once and sorted."""
    xy, of = shapely.get_coordinates(diagram, return_index=True)
    first = np.flatnonzero(of[:-1] == of[1:])
    parts = np.round(np.stack((xy[first], xy[first + 1]), axis=1), _decimals(width))
    shapely.prepare(area)
    within = shapely.contains_xy(area, parts[..., 0], parts[..., 1]).all(axis=1)
    found = {(min(a, b), max(a, b)) for a, b in (map(tuple, part) for part in parts[within].tolist()) if a != b}
    return sorted(found)


class _Graph:
    """The edges inside a shape, as a graph of their ends."""

    def __init__(self, edges: list[tuple[_Node, _Node]], area: shapely.Geometry) -> None:
        self._edge = shapely.boundary(area)
        rings = [shapely.get_coordinates(part) for part in shapely.get_parts(self._edge)]
        sides = np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in rings])
        self._sides = shapely.STRtree(np.asarray(shapely.linestrings(sides), dtype=np.object_))
        self._next: defaultdict[_Node, set[_Node]] = defaultdict(set)
        for a, b in edges:
            self._next[a].add(b)
            self._next[b].add(a)

    def _to_edge(self, node: _Node) -> float:
        _, (distance,) = self._sides.query_nearest(shapely.Point(node), return_distance=True, all_matches=False)
        return float(distance)

    def _branch(self, leaf: _Node) -> list[_Node]:
        """Return the way from a free end to the next fork, or to the other end."""
        out = [leaf]
        while len(out) == 1 or len(self._next[out[-1]]) == 2:  # noqa: PLR2004 - one way in, one out
            onward = [node for node in self._next[out[-1]] if len(out) == 1 or node != out[-2]]
            if not onward or onward[0] == leaf:
                break
            out.append(onward[0])
        return out

    def prune(self) -> None:
        """Remove the branches into corners, and draw the ends that are left on to the edge."""
        while spurs := self._spurs():
            for branch in spurs:
                self._remove(branch)
        for leaf in sorted(node for node, near in self._next.items() if len(near) == 1):
            self._draw_on(leaf)

    def _spurs(self) -> list[list[_Node]]:
        """Return the short branches of each fork; where all branches are short, not the longest."""
        at: defaultdict[_Node, list[tuple[float, list[_Node]]]] = defaultdict(list)
        for leaf in sorted(node for node, near in self._next.items() if len(near) == 1):
            branch = self._branch(leaf)
            if len(self._next[branch[-1]]) > 2:  # noqa: PLR2004 - more than a way in and a way out
                at[branch[-1]].append((_length(branch), branch))
        out: list[list[_Node]] = []
        for fork, branches in at.items():
            limit = 2 * _SPUR * self._to_edge(fork)
            short = sorted(each for each in branches if each[0] <= limit)
            out += [branch for _, branch in (short[:-1] if len(short) == len(self._next[fork]) else short)]
        return out

    def _remove(self, branch: list[_Node]) -> None:
        for a, b in pairwise(branch):
            self._next[a].discard(b)
            self._next[b].discard(a)

    def _draw_on(self, leaf: _Node) -> None:
        """Add the point of the edge straight ahead of a free end, if it is near."""
        half = self._to_edge(leaf)
        back, length = self._branch(leaf), 0.0
        at = back[-1]
        for a, b in pairwise(back):
            length += float(np.hypot(a[0] - b[0], a[1] - b[1]))
            if length >= 2 * half:
                at = b
                break
        way = np.array(leaf) - np.array(at)
        size = float(np.hypot(*way))
        if size == 0:
            return
        ahead = np.array(leaf) + way / size * 4 * half
        hit = shapely.intersection(shapely.LineString([leaf, ahead]), self._edge)
        if not shapely.is_empty(hit):
            near = min(
                shapely.get_coordinates(hit).tolist(), key=lambda p: (np.hypot(p[0] - leaf[0], p[1] - leaf[1]), p)
            )
            end = (float(near[0]), float(near[1]))
            if end != leaf:
                self._next[leaf].add(end)
                self._next[end].add(leaf)

    def chains(self) -> list[shapely.LineString]:
        """Return the lines between forks and free ends, and the rings that have neither."""
        left = {(min(a, b), max(a, b)) for a, near in self._next.items() for b in near}
        knots = sorted(node for node, near in self._next.items() if len(near) not in (0, 2))
        out = [self._chain(knot, node, left) for knot in knots for node in sorted(self._next[knot])]
        while left:
            a, b = min(left)
            out.append(self._chain(a, b, left))
        return [shapely.LineString(nodes) for nodes in out if nodes]

    def _chain(self, start: _Node, second: _Node, left: set[tuple[_Node, _Node]]) -> list[_Node]:
        """Return the nodes from one to a fork or free end, and take the edges away; empty if they went before."""
        out = [start]
        node = second
        while (edge := (min(out[-1], node), max(out[-1], node))) in left:
            left.discard(edge)
            out.append(node)
            if len(self._next[node]) != 2:  # noqa: PLR2004 - one way in, one out
                break
            node = next(other for other in sorted(self._next[node]) if other != out[-2])
        return out if len(out) > 1 else []


def _length(nodes: list[_Node]) -> float:
    return float(shapely.length(shapely.LineString(nodes)))
