"""Mountains and ridges of a grid, from the shipped relief.

The relief says how rugged the land is, in steps without a unit, and nothing of heights. What counts as rugged depends
on the land around: the Appalachians stand out of their plains, though much of the Rockies is more rugged. So the steps
of each hexagon are divided by what it needs there to be a mountain, and from 1 on it is one.

An edge is a ridge if the ground along it is more rugged than the middles of the hexagons on both sides: crests and the
walls of valleys look so, while a pass or a valley between the two does not. Rivers flow through gaps, so no ridge
crosses one. Ridges are lines of edges: each begins at the most rugged edge that is left and goes on at both ends, as
long as the ground is rugged enough (two thresholds, as Canny 1986 follows edges in pictures).
"""

import math
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Point
from mapkit.geography.relief import ruggedness
from mapkit.kinds.hex.grid.cubes import Corner, Cube, Edge, hexes_within
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid

MOUNTAIN_SHARE: Final = 0.25
"""At most so much of the land becomes mountains, the most rugged first."""
_NEVER_BELOW: Final = 4.0
"""Land below this step, just under that of hills, is never a mountain."""
_ALWAYS_FROM: Final = 7.0
"""Land of this step always is one."""
_RATIO_TO_AROUND: Final = 1.6
"""Between the two: so many times the mean of the land around."""
_AROUND_RADIUS: Final = 6
"""What is around, in hexagons."""
_RIDGE_START: Final = 1.1
_RIDGE_END: Final = 0.9
"""Where a ridge begins, and down to where it goes on."""
_LEAST_RISE: Final = 0.05
"""By how much an edge is above the middles of its hexagons."""
_RIDGE_SHARE: Final = 0.05
"""At most so many of the edges between land become ridges, the most rugged first."""
_LONGEST_RIDGE: Final = 10
_RINGS: Final = (0.3, 0.6, 0.9)
_SAMPLES_A_RING: Final = 12
_SAMPLES_AN_EDGE: Final = 7

Steps = NDArray[np.float64]
Mask = NDArray[np.bool_]


def ruggedness_needed(grid: HexGrid, rugged: Steps, land: Mask) -> Steps:
    """Return the step at which each hexagon becomes a mountain, in the order of `grid.cubes`.

    Args:
        grid: The grid.
        rugged: The mean step of each hexagon, from `rugged_hexes`.
        land: Whether it is land.
    """
    index_by_cube = {cube: index for index, cube in enumerate(grid.cubes)}
    needed_steps = np.full(len(grid.cubes), _ALWAYS_FROM)
    for index in np.flatnonzero(land).tolist():
        indices_around = [
            index_by_cube[cube] for cube in hexes_within(grid.cubes[index], _AROUND_RADIUS) if cube in index_by_cube
        ]
        land_steps = rugged[[nearby_index for nearby_index in indices_around if land[nearby_index]]]
        needed_steps[index] = min(_ALWAYS_FROM, max(_NEVER_BELOW, _RATIO_TO_AROUND * float(land_steps.mean())))
    return needed_steps


def rugged_hexes(grid: HexGrid, earth: GridEarth) -> Steps:
    """Return the mean ruggedness of each hexagon, in the order of `grid.cubes`: 0 to 15."""
    half_mm = grid.size_mm / 2
    angles = [2 * math.pi * number / _SAMPLES_A_RING for number in range(_SAMPLES_A_RING)]
    spokes = [
        (0.0, 0.0),
        *((half_mm * ring * math.cos(angle), half_mm * ring * math.sin(angle)) for ring in _RINGS for angle in angles),
    ]
    return _mean_ruggedness(earth, [[(x + dx, y + dy) for dx, dy in spokes] for x, y in map(grid.centre, grid.cubes)])


def find_mountains(rugged: Steps, needed: Steps, land: Mask, share: float) -> Mask:
    """Return whether each hexagon is a mountain: rugged land, the most rugged first, at most a share of the land."""
    relative_height = np.where(land, rugged / needed, 0.0)
    most_mountains = math.floor(share * int(land.sum()))
    height_order = np.lexsort((np.arange(relative_height.size), -relative_height))[:most_mountains]
    is_mountain = np.zeros(relative_height.size, np.bool_)
    is_mountain[height_order[relative_height[height_order] >= 1]] = True
    return is_mountain


def find_ridges(
    grid: HexGrid, earth: GridEarth, needed: Steps, edges: Sequence[Edge], crossed: Collection[Edge]
) -> tuple[Edge, ...]:
    """Return the edges that are ridges, sorted.

    Args:
        grid: The grid.
        earth: Where it lies.
        needed: From `ruggedness_needed`.
        edges: Those between two hexagons of land.
        crossed: Those that a river crosses.
    """
    if not edges:
        return ()
    needed_by_cube = dict(zip(grid.cubes, needed.tolist(), strict=True))
    needed_by_edge = np.array([(needed_by_cube[edge.hexes[0]] + needed_by_cube[edge.hexes[1]]) / 2 for edge in edges])
    edge_ruggedness = _mean_ruggedness(earth, [_sample_edge(grid, edge) for edge in edges]) / needed_by_edge
    middle_ruggedness = _middle_ruggedness(grid, earth, edges) / needed_by_edge
    is_candidate = (edge_ruggedness >= middle_ruggedness + _LEAST_RISE) & (edge_ruggedness >= _RIDGE_END)
    height_by_edge = {
        edge: float(step)
        for edge, step, is_high in zip(edges, edge_ruggedness, is_candidate, strict=True)
        if is_high and edge not in crossed
    }
    return tuple(sorted(_choose_ridge_lines(height_by_edge, math.floor(_RIDGE_SHARE * len(edges)))))


def _sample_edge(grid: HexGrid, edge: Edge) -> list[Point]:
    (x1, y1), (x2, y2) = grid.ends(edge)
    shares = [(number + 0.5) / _SAMPLES_AN_EDGE for number in range(_SAMPLES_AN_EDGE)]
    return [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]


def _middle_ruggedness(grid: HexGrid, earth: GridEarth, edges: Sequence[Edge]) -> Steps:
    """Return the mean of the middles of both hexagons of each edge."""
    cubes = sorted({cube for edge in edges for cube in edge.hexes})
    sample_distance_mm = grid.size_mm * 0.2
    spokes = [
        (0.0, 0.0),
        (sample_distance_mm, 0.0),
        (-sample_distance_mm, 0.0),
        (0.0, sample_distance_mm),
        (0.0, -sample_distance_mm),
    ]
    ruggedness_of_cubes = _mean_ruggedness(
        earth, [[(x + dx, y + dy) for dx, dy in spokes] for x, y in map(grid.centre, cubes)]
    )
    ruggedness_by_cube: dict[Cube, float] = dict(zip(cubes, ruggedness_of_cubes.tolist(), strict=True))
    return np.array([(ruggedness_by_cube[edge.hexes[0]] + ruggedness_by_cube[edge.hexes[1]]) / 2 for edge in edges])


def _mean_ruggedness(earth: GridEarth, groups: Sequence[Sequence[Point]]) -> Steps:
    """Return the mean ruggedness of equally long groups of points of the grid."""
    places = np.array(earth.to_degrees([point for group in groups for point in group]))
    steps = ruggedness(places[:, 0], places[:, 1]).astype(np.float64)
    return np.asarray(steps.reshape(len(groups), -1).mean(axis=1))


def _choose_ridge_lines(high: dict[Edge, float], most: int) -> set[Edge]:
    """Return edges in lines that do not branch, close or touch each other."""
    edges_by_corner: dict[Corner, list[Edge]] = {}
    for edge in high:
        for corner in edge.corners:
            edges_by_corner.setdefault(corner, []).append(edge)
    ridge_edges: set[Edge] = set()
    touched_corners: set[Corner] = set()
    for seed in sorted(high, key=lambda edge: (-high[edge], edge)):
        edges_left = min(_LONGEST_RIDGE, most - len(ridge_edges))
        if high[seed] < _RIDGE_START or edges_left <= 1:
            break
        if touched_corners.isdisjoint(seed.corners):
            line, corners = _grow_ridge(seed, high, edges_by_corner, touched_corners, edges_left)
            if len(line) > 1:
                ridge_edges |= line
                touched_corners |= corners
    return ridge_edges


def _grow_ridge(
    seed: Edge, high: dict[Edge, float], ends: dict[Corner, list[Edge]], touched: set[Corner], room: int
) -> tuple[set[Edge], set[Corner]]:
    """Return the edges and corners of a line that grows from a seed at its more rugged end."""
    line_edges, corners = {seed}, set(seed.corners)
    open_ends = list(seed.corners)
    while len(line_edges) < room:
        next_edges = [
            (high[edge], edge, end_corner, far_corner)
            for end_corner in open_ends
            for edge in ends[end_corner]
            for far_corner in edge.corners
            if far_corner != end_corner and far_corner not in corners and far_corner not in touched
        ]
        if not next_edges:
            break
        _, edge, end_corner, far_corner = min(next_edges, key=lambda one: (-one[0], one[1]))
        line_edges.add(edge)
        corners.add(far_corner)
        open_ends[open_ends.index(end_corner)] = far_corner
    return line_edges, corners
