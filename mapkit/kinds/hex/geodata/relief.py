"""Mountains and ridges of a grid, from the relief that mapkit ships.

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
from mapkit.kinds.hex.grid.cubes import Corner, Cube, Edge, within
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid

MOUNTAIN_SHARE: Final = 0.25
"""At most so much of the land becomes mountains, the most rugged first."""
_LEAST: Final = 4.0
"""Land below this step, just under that of hills, is never a mountain."""
_ALWAYS: Final = 7.0
"""Land of this step always is one."""
_STANDS_OUT: Final = 1.6
"""Between the two: so many times the mean of the land around."""
_WIDE: Final = 6
"""What is around, in hexagons."""
_CREST: Final = 1.1
_FOOT: Final = 0.9
"""Where a ridge begins, and down to where it goes on."""
_ABOVE: Final = 0.05
"""By how much an edge is above the middles of its hexagons."""
_RIDGE_SHARE: Final = 0.05
"""At most so many of the edges between land become ridges, the most rugged first."""
_LONGEST: Final = 10
_RINGS: Final = (0.3, 0.6, 0.9)
_AROUND: Final = 12
_ALONG: Final = 7

Steps = NDArray[np.float64]
Mask = NDArray[np.bool_]


def ruggedness_needed(grid: HexGrid, rugged: Steps, land: Mask) -> Steps:
    """Return from which step each hexagon would be a mountain, in the order of `grid.cubes`.

    Args:
        grid: The grid.
        rugged: The mean step of each hexagon, from `rugged_hexes`.
        land: Whether it is land.
    """
    number = {cube: index for index, cube in enumerate(grid.cubes)}
    needed = np.full(len(grid.cubes), _ALWAYS)
    for index in np.flatnonzero(land).tolist():
        around = [number[cube] for cube in within(grid.cubes[index], _WIDE) if cube in number]
        near = rugged[[one for one in around if land[one]]]
        needed[index] = min(_ALWAYS, max(_LEAST, _STANDS_OUT * float(near.mean())))
    return needed


def rugged_hexes(grid: HexGrid, earth: GridEarth) -> Steps:
    """Return how rugged each hexagon is, the mean of its ground, in the order of `grid.cubes`: 0 to 15."""
    half = grid.size_mm / 2
    turns = [2 * math.pi * number / _AROUND for number in range(_AROUND)]
    spokes = [(0.0, 0.0), *((half * ring * math.cos(t), half * ring * math.sin(t)) for ring in _RINGS for t in turns)]
    return _means(earth, [[(x + dx, y + dy) for dx, dy in spokes] for x, y in map(grid.centre, grid.cubes)])


def mountains(rugged: Steps, needed: Steps, land: Mask, share: float) -> Mask:
    """Return which hexagons are mountains: rugged land, the most rugged first, at most a share of the land."""
    height = np.where(land, rugged / needed, 0.0)
    most = math.floor(share * int(land.sum()))
    order = np.lexsort((np.arange(height.size), -height))[:most]
    high = np.zeros(height.size, np.bool_)
    high[order[height[order] >= 1]] = True
    return high


def ridges(
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
    of = dict(zip(grid.cubes, needed.tolist(), strict=True))
    scale = np.array([(of[edge.hexes[0]] + of[edge.hexes[1]]) / 2 for edge in edges])
    along = _means(earth, [_along(grid, edge) for edge in edges]) / scale
    middle = _middles(grid, earth, edges) / scale
    keen = (along >= middle + _ABOVE) & (along >= _FOOT)
    high = {
        edge: float(step) for edge, step, one in zip(edges, along, keen, strict=True) if one and edge not in crossed
    }
    return tuple(sorted(_lines(high, math.floor(_RIDGE_SHARE * len(edges)))))


def _along(grid: HexGrid, edge: Edge) -> list[Point]:
    (x1, y1), (x2, y2) = grid.ends(edge)
    shares = [(number + 0.5) / _ALONG for number in range(_ALONG)]
    return [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]


def _middles(grid: HexGrid, earth: GridEarth, edges: Sequence[Edge]) -> Steps:
    """Return the mean of the middles of both hexagons of each edge."""
    cubes = sorted({cube for edge in edges for cube in edge.hexes})
    near = grid.size_mm * 0.2
    spokes = [(0.0, 0.0), (near, 0.0), (-near, 0.0), (0.0, near), (0.0, -near)]
    found = _means(earth, [[(x + dx, y + dy) for dx, dy in spokes] for x, y in map(grid.centre, cubes)])
    of: dict[Cube, float] = dict(zip(cubes, found.tolist(), strict=True))
    return np.array([(of[edge.hexes[0]] + of[edge.hexes[1]]) / 2 for edge in edges])


def _means(earth: GridEarth, groups: Sequence[Sequence[Point]]) -> Steps:
    """Return the mean ruggedness of groups of points of the grid, all of one length."""
    places = np.array(earth.to_degrees([point for group in groups for point in group]))
    steps = ruggedness(places[:, 0], places[:, 1]).astype(np.float64)
    return np.asarray(steps.reshape(len(groups), -1).mean(axis=1))


def _lines(high: dict[Edge, float], most: int) -> set[Edge]:
    """Return edges in lines that neither branch nor close nor touch each other."""
    ends: dict[Corner, list[Edge]] = {}
    for edge in high:
        for corner in edge.corners:
            ends.setdefault(corner, []).append(edge)
    taken: set[Edge] = set()
    touched: set[Corner] = set()
    for seed in sorted(high, key=lambda edge: (-high[edge], edge)):
        room = min(_LONGEST, most - len(taken))
        if high[seed] < _CREST or room <= 1:
            break
        if touched.isdisjoint(seed.corners):
            line, corners = _line(seed, high, ends, touched, room)
            if len(line) > 1:
                taken |= line
                touched |= corners
    return taken


def _line(
    seed: Edge, high: dict[Edge, float], ends: dict[Corner, list[Edge]], touched: set[Corner], room: int
) -> tuple[set[Edge], set[Corner]]:
    """Return a line of edges, and its corners; it goes on at whichever end is the more rugged."""
    line, corners = {seed}, set(seed.corners)
    open_ends = list(seed.corners)
    while len(line) < room:
        onward = [
            (high[edge], edge, at, beyond)
            for at in open_ends
            for edge in ends[at]
            for beyond in edge.corners
            if beyond != at and beyond not in corners and beyond not in touched
        ]
        if not onward:
            break
        _, edge, at, beyond = min(onward, key=lambda one: (-one[0], one[1]))
        line.add(edge)
        corners.add(beyond)
        open_ends[open_ends.index(at)] = beyond
    return line, corners
