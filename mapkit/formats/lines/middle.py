"""Centre lines of long thin shapes, by the Voronoi diagram of points on their edge.

Edges of the diagram that lie inside the shape are nearly its medial axis (J. W. Brandt, "Convergence and continuity
criteria for discrete approximations of the continuous planar skeleton", CVGIP 59, 1994). Branches into corners, no
longer than the local width of the shape, are pruned; ends are extended to the edge; the rest is simplified.
"""

from collections import defaultdict
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError

_POINT_SPACING: Final = 0.5
"""Distance between points on the edge, in mean widths."""
_SPUR_WIDTHS: Final = 1.0
"""A branch with a free end, no longer than so many times the width where it leaves, is pruned."""
_TOLERANCE_WIDTHS: Final = 0.125
"""How far simplifying may move the line, in mean widths."""
_MAX_POINTS: Final = 200_000

_Node = tuple[float, float]


def trace_centre_lines(area: shapely.Geometry) -> list[shapely.LineString]:
    """Return the centre lines of a shape, sorted; they end or meet at the same points.

    Args:
        area: Polygons, in a plane.

    Raises:
        SourceError: The shape is so long and thin that its edge has too many points.
    """
    perimeter, width = float(shapely.length(area)), 2 * float(shapely.area(area)) / float(shapely.length(area))
    if perimeter / (width * _POINT_SPACING) > _MAX_POINTS:
        raise SourceError(f"a shape is {perimeter / width / 2:,.0f} times as long as it is wide; draw lines instead")
    edge = shapely.segmentize(shapely.boundary(area), width * _POINT_SPACING)
    diagram = shapely.get_parts(shapely.voronoi_polygons(edge, only_edges=True))
    graph = _Graph(_edges_inside(diagram, area, width), area)
    graph.prune()
    lines = [shapely.simplify(line, width * _TOLERANCE_WIDTHS) for line in graph.chains()]
    return sorted(lines, key=lambda line: shapely.get_coordinates(line).tolist())


def _decimals_for(width: float) -> int:
    """Return the number of decimals that gives coordinates to a thousandth of the width."""
    return max(0, 3 - int(np.floor(np.log10(width))))


def _edges_inside(diagram: NDArray[np.object_], area: shapely.Geometry, width: float) -> list[tuple[_Node, _Node]]:
    """Return the diagram's edges within a shape, by their ends, each once and sorted."""
    xy, edge_of_vertex = shapely.get_coordinates(diagram, return_index=True)
    first_vertices = np.flatnonzero(edge_of_vertex[:-1] == edge_of_vertex[1:])
    edge_ends = np.round(np.stack((xy[first_vertices], xy[first_vertices + 1]), axis=1), _decimals_for(width))
    shapely.prepare(area)
    is_within = shapely.contains_xy(area, edge_ends[..., 0], edge_ends[..., 1]).all(axis=1)
    edges = {(min(a, b), max(a, b)) for a, b in (map(tuple, part) for part in edge_ends[is_within].tolist()) if a != b}
    return sorted(edges)


class _Graph:
    """Graph of the diagram's edges inside a shape, by their ends."""

    def __init__(self, edges: list[tuple[_Node, _Node]], area: shapely.Geometry) -> None:
        self._edge = shapely.boundary(area)
        rings = [shapely.get_coordinates(part) for part in shapely.get_parts(self._edge)]
        sides = np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in rings])
        self._sides = shapely.STRtree(np.asarray(shapely.linestrings(sides), dtype=np.object_))
        self._neighbours: defaultdict[_Node, set[_Node]] = defaultdict(set)
        for a, b in edges:
            self._neighbours[a].add(b)
            self._neighbours[b].add(a)

    def _distance_to_edge(self, node: _Node) -> float:
        _, (distance,) = self._sides.query_nearest(shapely.Point(node), return_distance=True, all_matches=False)
        return float(distance)

    def _trace_branch(self, leaf: _Node) -> list[_Node]:
        """Return the path from a free end to the next fork, or to the other end."""
        branch_nodes = [leaf]
        while len(branch_nodes) == 1 or len(self._neighbours[branch_nodes[-1]]) == 2:  # noqa: PLR2004 - one way in, one out
            next_nodes = [
                node
                for node in self._neighbours[branch_nodes[-1]]
                if len(branch_nodes) == 1 or node != branch_nodes[-2]
            ]
            if not next_nodes or next_nodes[0] == leaf:
                break
            branch_nodes.append(next_nodes[0])
        return branch_nodes

    def prune(self) -> None:
        """Remove branches into corners, and extend the remaining ends to the shape's edge."""
        while spurs := self._find_spurs():
            for branch in spurs:
                for a, b in pairwise(branch):
                    self._neighbours[a].discard(b)
                    self._neighbours[b].discard(a)
        for leaf in sorted(node for node, near in self._neighbours.items() if len(near) == 1):
            self._extend_end(leaf)

    def _find_spurs(self) -> list[list[_Node]]:
        """Return the short branches of each fork; where all are short, all but the longest."""
        branches_by_fork: defaultdict[_Node, list[tuple[float, list[_Node]]]] = defaultdict(list)
        for leaf in sorted(node for node, near in self._neighbours.items() if len(near) == 1):
            branch = self._trace_branch(leaf)
            if len(self._neighbours[branch[-1]]) > 2:  # noqa: PLR2004 - more than a way in and a way out
                branches_by_fork[branch[-1]].append((float(shapely.length(shapely.LineString(branch))), branch))
        spurs: list[list[_Node]] = []
        for fork, branches in branches_by_fork.items():
            max_length = 2 * _SPUR_WIDTHS * self._distance_to_edge(fork)
            short_branches = sorted(each for each in branches if each[0] <= max_length)
            spurs += [
                branch
                for _, branch in (
                    short_branches[:-1] if len(short_branches) == len(self._neighbours[fork]) else short_branches
                )
            ]
        return spurs

    def _extend_end(self, leaf: _Node) -> None:
        """Extend a free end straight ahead to the shape's edge, if that is near."""
        half_width = self._distance_to_edge(leaf)
        branch_nodes, length = self._trace_branch(leaf), 0.0
        direction_start = branch_nodes[-1]
        for a, b in pairwise(branch_nodes):
            length += float(np.hypot(a[0] - b[0], a[1] - b[1]))
            if length >= 2 * half_width:
                direction_start = b
                break
        direction = np.array(leaf) - np.array(direction_start)
        size = float(np.hypot(*direction))
        if size == 0:
            return
        far_point = np.array(leaf) + direction / size * 4 * half_width
        edge_hit = shapely.intersection(shapely.LineString([leaf, far_point]), self._edge)
        if not shapely.is_empty(edge_hit):
            nearest_point = min(
                shapely.get_coordinates(edge_hit).tolist(), key=lambda p: (np.hypot(p[0] - leaf[0], p[1] - leaf[1]), p)
            )
            end_point = (float(nearest_point[0]), float(nearest_point[1]))
            if end_point != leaf:
                self._neighbours[leaf].add(end_point)
                self._neighbours[end_point].add(leaf)

    def chains(self) -> list[shapely.LineString]:
        """Return the lines between forks and free ends, and the rings that have neither."""
        remaining_edges = {(min(a, b), max(a, b)) for a, near in self._neighbours.items() for b in near}
        end_nodes = sorted(node for node, near in self._neighbours.items() if len(near) not in (0, 2))
        node_chains = [
            self._take_chain(knot, node, remaining_edges)
            for knot in end_nodes
            for node in sorted(self._neighbours[knot])
        ]
        while remaining_edges:
            a, b = min(remaining_edges)
            node_chains.append(self._take_chain(a, b, remaining_edges))
        return [shapely.LineString(nodes) for nodes in node_chains if nodes]

    def _take_chain(self, start: _Node, second: _Node, left: set[tuple[_Node, _Node]]) -> list[_Node]:
        """Return the nodes from one to a fork or free end and remove those edges; empty if they were removed before."""
        chain_nodes = [start]
        next_node = second
        while (edge := (min(chain_nodes[-1], next_node), max(chain_nodes[-1], next_node))) in left:
            left.discard(edge)
            chain_nodes.append(next_node)
            if len(self._neighbours[next_node]) != 2:  # noqa: PLR2004 - one way in, one out
                break
            next_node = next(other for other in sorted(self._neighbours[next_node]) if other != chain_nodes[-2])
        return chain_nodes if len(chain_nodes) > 1 else []
