"""The cheapest links between all pairs of cities, exactly: terrain, ridges and other edges count, other cities block.

A link joins a city with exactly one other (RW-B07), so its tiles lie on hexagons without a city. Among links of one
cost the one of fewest tiles counts. All cities are searched at once on arrays: Bellman and Ford's method, which ends
when nothing becomes cheaper.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.kinds.hex.grid.cubes import SIDES, edge_of
from mapkit.kinds.hex.model.board import HexBoard

Ints = NDArray[np.int64]

_TILE: Final = 32_768
"""More tiles than a grid has hexagons: a key is dollars times this, and tiles."""
_NEVER: Final = np.int64(1) << 52
_TOO_MUCH: Final = np.int64(1) << 50


class Way(Frozen):
    """The cheapest link between two cities: dollars, tiles, and the hexagons of the tiles in order."""

    a: str
    b: str
    cost: int
    tiles: int
    hexes: tuple[str, ...] = ()
    printed: str | None = None
    """The link of the board that it is, where one is printed."""


@dataclass(frozen=True)
class _Ground:
    """The board as arrays: hexagons in the order of the board, and one more that stands for all off the grid."""

    near: NDArray[np.intp]
    """Shape (6, n + 1): the neighbour by direction."""
    tile: Ints
    """Shape (n + 1): key of a tile there."""
    cross: Ints
    """Shape (6, n + 1): key of coming from the neighbour by direction."""
    homes: NDArray[np.intp]
    """The hexagon of each city."""


class Ways:
    """The links that can be built on a board.

    Args:
        board: The board.
    """

    def __init__(self, board: HexBoard) -> None:
        self._board = board
        self._number = {city.id: number for number, city in enumerate(board.cities)}

    @cached_property
    def _ground(self) -> _Ground:
        board, grid = self._board, self._board.grid
        count = len(board.hexes)
        at = {cube: number for number, cube in enumerate(grid.cubes)}
        near = np.full((SIDES, count + 1), count, dtype=np.intp)
        for cube, number in at.items():
            for side, other in enumerate(cube.neighbours()):
                near[side, number] = at.get(other, count)
        costs = {terrain.id: terrain.cost for terrain in board.terrains}
        tile = np.full(count + 1, _NEVER)
        for number, hexagon in enumerate(board.hexes):
            cost = costs[hexagon.terrain]
            if cost is not None:
                tile[number] = cost * _TILE + 1
        cubes = [grid.hex_of(city.hex) for city in board.cities]
        homes = np.array([at[cube] for cube in cubes if cube is not None], dtype=np.intp)
        tile[homes] = _NEVER
        cross = np.zeros((SIDES, count + 1), dtype=np.int64)
        paid = {grid.edge_named(edge.id): edge for edge in board.edges}
        for place, edge in paid.items():
            if place is None:
                continue
            key = int(_NEVER) if "impassable" in edge.kinds else edge.cost * _TILE
            for one in place.hexes:
                for side in range(SIDES):
                    if edge_of(one, side) == place:
                        cross[side, at[one]] = key
        return _Ground(near, tile, cross, homes)

    @cached_property
    def _reach(self) -> Ints:
        """Shape (cities, n + 1): the key of the cheapest track from a city to a hexagon, its tile included."""
        ground = self._ground
        cities, count = len(ground.homes), ground.tile.shape[0]
        keys = np.full((cities, count), _NEVER)
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                other = ground.near[side, home]
                keys[number, other] = min(keys[number, other], ground.cross[side, home] + ground.tile[other])
        keys[:, -1] = _NEVER
        while True:
            best = keys.copy()
            for side in range(SIDES):
                np.minimum(best, keys[:, ground.near[side]] + ground.cross[side] + ground.tile, out=best)
            best[best > _TOO_MUCH] = _NEVER
            if np.array_equal(best, keys):
                return keys
            keys = best

    @cached_property
    def keys(self) -> Ints:
        """Shape (cities, cities): the key of each link."""
        ground = self._ground
        cities = len(ground.homes)
        found = np.full((cities, cities), _NEVER)
        if not cities:
            return found
        at = {int(home): number for number, home in enumerate(ground.homes)}
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                other = ground.near[side, home]
                arriving = self._reach[:, other] + ground.cross[side, home]
                np.minimum(found[:, number], arriving, out=found[:, number])
                beside = at.get(int(other))
                if beside is not None:
                    found[beside, number] = min(found[beside, number], ground.cross[side, home])
        np.fill_diagonal(found, _NEVER)
        found[found > _TOO_MUCH] = _NEVER
        return found

    def way(self, a: str, b: str, *, hexes: bool = True) -> Way | None:
        """Return the cheapest link between two cities that can be built, or None.

        Args:
            a: A city.
            b: Another.
            hexes: Whether its hexagons are wanted.
        """
        one, other = self._number[a], self._number[b]
        key = int(self.keys[one, other])
        if key > _TOO_MUCH:
            return None
        cost, tiles = divmod(key, _TILE)
        return Way(a=a, b=b, cost=cost, tiles=tiles, hexes=self._hexes(one, other) if hexes else ())

    def all_ways(self) -> tuple[Way, ...]:
        """Return the cheapest link of each pair of cities that has one, cheapest first, without its hexagons."""
        cities = [city.id for city in self._board.cities]
        found = []
        for one, other in np.argwhere(np.triu(self.keys <= _TOO_MUCH, 1)).tolist():
            cost, tiles = divmod(int(self.keys[one, other]), _TILE)
            found.append(Way(a=cities[one], b=cities[other], cost=cost, tiles=tiles))
        return tuple(sorted(found, key=lambda way: (way.cost, way.tiles, way.a, way.b)))

    def _hexes(self, one: int, other: int) -> tuple[str, ...]:
        """Return the hexagons of a link, from the first city to the second."""
        ground, reach = self._ground, self._reach[one]
        at, wanted = int(ground.homes[other]), int(self.keys[one, other])
        back: list[str] = []
        while True:
            for side in range(SIDES):
                near = int(ground.near[side, at])
                left = wanted - int(ground.cross[side, at])
                if near == int(ground.homes[one]) and left == 0:
                    return tuple(reversed(back))
                if near < len(self._board.hexes) and int(reach[near]) == left:
                    back.append(self._board.hexes[near].id)
                    at, wanted = near, left - int(ground.tile[near])
                    break
            else:
                return tuple(reversed(back))

    def reached(self) -> NDArray[np.bool_]:
        """Return for each hexagon of the board whether track from any city can come there."""
        if not self._board.cities:
            return np.zeros(len(self._board.hexes), dtype=np.bool_)
        near = np.asarray((self._reach[:, :-1] <= _TOO_MUCH).any(axis=0))
        near[self._ground.homes] = True
        return near
