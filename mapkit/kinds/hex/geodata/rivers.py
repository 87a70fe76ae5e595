"""Rivers of a grid: the edges they cross, and their course along edges.

Along edges a river is a shortest way from corner to corner, where an edge costs the more, the farther it is from the
river. So it has no loops and no dead ends, whatever bends the river makes inside a hexagon, and rivers that meet share
their edges from there on.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.kinds.hex.grid.cubes import Corner, Edge
from mapkit.kinds.hex.grid.grid import HexGrid

_NEAR_HEXES: Final = 1.2
"""Edges are tried up to so far from a river, in hexagons from side to side."""
_DISTANCE_COST: Final = 16.0
_SHARED_EDGE_COST: Final = 0.3
"""What an edge costs that another river runs along already."""
_FEWEST_EDGES: Final = 2
"""A river along fewer edges is left out."""


def crossed_edges(grid: HexGrid, rivers: BaseGeometry) -> frozenset[Edge]:
    """Return the edges that rivers, in millimetres of the grid, cross."""
    lines = [shapely.LineString(grid.ends(edge)) for edge in grid.edges]
    shapely.prepare(rivers)
    return frozenset(
        edge for edge, is_crossed in zip(grid.edges, shapely.intersects(rivers, lines), strict=True) if is_crossed
    )


def river_edges(grid: HexGrid, rivers: BaseGeometry, open_edges: Iterable[Edge]) -> frozenset[Edge]:
    """Return the edges that rivers run along.

    Args:
        grid: The grid.
        rivers: Lines in millimetres of the grid.
        open_edges: Those that a river may run along.
    """
    edges = list(open_edges)
    edge_middles = shapely.points([grid.middle(edge) for edge in edges])
    taken_edges: set[Edge] = set()
    merged_lines = shapely.line_merge(rivers) if rivers.geom_type == "MultiLineString" else rivers
    lines = [line for line in shapely.get_parts(merged_lines) if line.length > 0]
    for line in sorted(lines, key=lambda line: (-round(line.length, 6), line.wkt)):
        distances_hexes = shapely.distance(edge_middles, line) / grid.size_mm
        near_edges = [
            (edge, float(distance_hexes))
            for edge, distance_hexes in zip(edges, distances_hexes, strict=True)
            if distance_hexes <= _NEAR_HEXES
        ]
        river_path = _follow_river(grid, line, near_edges, taken_edges)
        if len(river_path) >= _FEWEST_EDGES:
            taken_edges.update(river_path)
    return frozenset(taken_edges)


def _follow_river(grid: HexGrid, line: BaseGeometry, near: list[tuple[Edge, float]], taken: set[Edge]) -> list[Edge]:
    """Return the edges of a shortest path between the corners nearest to a river's source and mouth (Dijkstra)."""
    corner_graph: Any = heavy.networkx.Graph()
    for edge, distance_hexes in near:
        edge_cost = _SHARED_EDGE_COST if edge in taken else 1.0
        corner_graph.add_edge(
            *edge.corners, weight=edge_cost * (1 + _DISTANCE_COST * distance_hexes * distance_hexes), edge=edge
        )
    if not corner_graph:
        return []
    corners: list[Corner] = sorted(corner_graph)
    corner_points = np.array([grid.corner_point(corner) for corner in corners])
    source, mouth = (
        corners[int(np.hypot(*(corner_points - point).T).argmin())] for point in (line.coords[0], line.coords[-1])
    )
    try:
        corner_path = heavy.networkx.dijkstra_path(corner_graph, source, mouth)
    except heavy.networkx.NetworkXNoPath:
        return []
    return [corner_graph.edges[start_corner, end_corner]["edge"] for start_corner, end_corner in pairwise(corner_path)]
