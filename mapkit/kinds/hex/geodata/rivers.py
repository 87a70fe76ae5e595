"""Rivers of a grid: which edges they cross, and their course along edges.

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

_NEAR: Final = 1.2
"""Edges are tried up to so far from a river, in hexagons from side to side."""
_FAR_COSTS: Final = 16.0
_SHARED: Final = 0.3
"""What an edge costs that another river runs along already."""
_FEWEST: Final = 2
"""A river along fewer edges is left out."""


def crossed_edges(grid: HexGrid, rivers: BaseGeometry) -> frozenset[Edge]:
    """Return the edges that rivers, in millimetres of the grid, cross."""
    lines = [shapely.LineString(grid.ends(edge)) for edge in grid.edges]
    shapely.prepare(rivers)
    return frozenset(edge for edge, hit in zip(grid.edges, shapely.intersects(rivers, lines), strict=True) if hit)


def river_edges(grid: HexGrid, rivers: BaseGeometry, open_edges: Iterable[Edge]) -> frozenset[Edge]:
    """Return the edges that rivers run along.

    Args:
        grid: The grid.
        rivers: Lines in millimetres of the grid.
        open_edges: Those that a river may run along.
    """
    edges = list(open_edges)
    middles = shapely.points([grid.middle(edge) for edge in edges])
    taken: set[Edge] = set()
    for line in _courses(rivers):
        away = shapely.distance(middles, line) / grid.size_mm
        near = [(edge, float(far)) for edge, far in zip(edges, away, strict=True) if far <= _NEAR]
        way = _way(grid, line, near, taken)
        if len(way) >= _FEWEST:
            taken.update(way)
    return frozenset(taken)


def _courses(rivers: BaseGeometry) -> list[BaseGeometry]:
    """Return whole rivers, the longest first."""
    merged = shapely.line_merge(rivers) if rivers.geom_type == "MultiLineString" else rivers
    lines = [line for line in shapely.get_parts(merged) if line.length > 0]
    return sorted(lines, key=lambda line: (-round(line.length, 6), line.wkt))


def _way(grid: HexGrid, line: BaseGeometry, near: list[tuple[Edge, float]], taken: set[Edge]) -> list[Edge]:
    """Return the edges from the corner nearest to a river's source to the one nearest to its mouth."""
    graph: Any = heavy.networkx.Graph()
    for edge, far in near:
        cost = _SHARED if edge in taken else 1.0
        graph.add_edge(*edge.corners, weight=cost * (1 + _FAR_COSTS * far * far), edge=edge)
    if not graph:
        return []
    corners: list[Corner] = sorted(graph)
    at = np.array([grid.corner_point(corner) for corner in corners])
    source, mouth = (corners[int(np.hypot(*(at - point).T).argmin())] for point in (line.coords[0], line.coords[-1]))
    try:
        found = heavy.networkx.dijkstra_path(graph, source, mouth)
    except heavy.networkx.NetworkXNoPath:
        return []
    return [graph.edges[one, other]["edge"] for one, other in pairwise(found)]
