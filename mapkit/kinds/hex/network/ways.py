"""The cheapest links between all pairs of cities, exactly: terrain, ridges and other edges count, other cities block.

A link joins a city with exactly one other (RW-B07), so its tiles lie on hexagons without a city. Among links of one
cost the one of fewest tiles counts. All cities are searched at once on arrays: Bellman and Ford's method, which ends
when nothing becomes cheaper.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.core.memo import remembered
from mapkit.kinds.hex.grid.cubes import SIDES, Cube
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard

Ints = NDArray[np.signedinteger]

_TILE: Final = 32_768
"""More tiles than a grid has hexagons: a key is a cost in units times this, and tiles."""
_SHORT_NEVER: Final = 1 << 29
_LONG_NEVER: Final = 1 << 52
_KEPT: Final = 4


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
    unit: int
    """Dollars of a unit: the largest that all costs are multiples of."""
    never: int
    """The key of what cannot be: three of them can be added, and no way that can be is half as much."""

    @property
    def too_much(self) -> int:
        """More than the key of any way that can be."""
        return self.never // 2


@remembered(_KEPT)
def _neighbours(grid: HexGrid) -> tuple[dict[Cube, int], NDArray[np.intp]]:
    """Return hexagon -> its number, and each one's neighbours by direction; a number more stands for off the grid."""
    at = {cube: number for number, cube in enumerate(grid.cubes)}
    near = np.full((SIDES, len(at) + 1), len(at), dtype=np.intp)
    for cube, number in at.items():
        for side, other in enumerate(cube.neighbours()):
            near[side, number] = at.get(other, len(at))
    return at, near


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
        at, near = _neighbours(grid)
        cubes = [grid.hex_of(city.hex) for city in board.cities]
        homes = np.array([at[cube] for cube in cubes if cube is not None], dtype=np.intp)
        costs = {terrain.id: terrain.cost for terrain in board.terrains}
        laid = [cost for cost in costs.values() if cost is not None]
        unit = gcd(*laid, *(edge.cost for edge in board.edges)) or 1
        dearest = max(laid, default=0) + max((edge.cost for edge in board.edges), default=0)
        short = (count + 1) * (dearest // unit * _TILE + 1) < _SHORT_NEVER // 2
        never, kind = (_SHORT_NEVER, "int32") if short else (_LONG_NEVER, "int64")
        keys = {terrain: never if cost is None else cost // unit * _TILE + 1 for terrain, cost in costs.items()}
        tile: Ints = np.array([*(keys[hexagon.terrain] for hexagon in board.hexes), never], dtype=np.int64).astype(kind)
        tile[homes] = never
        cross = np.zeros((SIDES, count + 1), dtype=kind)
        for edge in board.edges:
            place = grid.edge_named(edge.id)
            if place is None:
                continue
            key = never if "impassable" in edge.kinds else edge.cost // unit * _TILE
            one, other = place.hexes
            cross[place.side, at[one]] = cross[place.side + SIDES // 2, at[other]] = key
        return _Ground(near, tile, cross, homes, unit, never)

    @cached_property
    def _reach(self) -> Ints:
        """Shape (n + 1, cities): the key of the cheapest track from a city to a hexagon, its tile included.

        A row is a hexagon, so that the keys of its neighbours are read as a whole; only neighbours of what became
        cheaper are looked at again.
        """
        ground = self._ground
        cities, count = len(ground.homes), ground.tile.shape[0]
        keys = np.full((count, cities), ground.never, dtype=ground.tile.dtype)
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                other = ground.near[side, home]
                keys[other, number] = min(keys[other, number], ground.cross[side, home] + ground.tile[other])
        keys[-1] = ground.never
        step = ground.cross + ground.tile
        open_ground = ground.tile < ground.never
        changed = np.unique(ground.near[:, ground.homes])
        while changed.size:
            looked = np.unique(ground.near[:, changed])
            looked = looked[open_ground[looked]]
            before = keys[looked]
            best = before.copy()
            for side in range(SIDES):
                np.minimum(best, keys[ground.near[side, looked]] + step[side, looked, None], out=best)
            cheaper = (best < before).any(axis=1)
            keys[looked] = best
            changed = looked[cheaper]
        keys[keys > ground.too_much] = ground.never
        return keys

    @cached_property
    def keys(self) -> Ints:
        """Shape (cities, cities): the key of each link."""
        ground = self._ground
        cities = len(ground.homes)
        found = np.full((cities, cities), ground.never, dtype=ground.tile.dtype)
        if not cities:
            return found
        at = {int(home): number for number, home in enumerate(ground.homes)}
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                other = ground.near[side, home]
                arriving = self._reach[other] + ground.cross[side, home]
                np.minimum(found[:, number], arriving, out=found[:, number])
                beside = at.get(int(other))
                if beside is not None:
                    found[beside, number] = min(found[beside, number], ground.cross[side, home])
        np.fill_diagonal(found, ground.never)
        found[found > ground.too_much] = ground.never
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
        if key > self._ground.too_much:
            return None
        units, tiles = divmod(key, _TILE)
        cost = units * self._ground.unit
        return Way(a=a, b=b, cost=cost, tiles=tiles, hexes=self._hexes(one, other) if hexes else ())

    def all_ways(self) -> tuple[Way, ...]:
        """Return the cheapest link of each pair of cities that has one, cheapest first, without its hexagons."""
        return self._all

    @cached_property
    def _all(self) -> tuple[Way, ...]:
        cities, unit = [city.id for city in self._board.cities], self._ground.unit
        found = []
        for one, other in np.argwhere(np.triu(self.keys <= self._ground.too_much, 1)).tolist():
            units, tiles = divmod(int(self.keys[one, other]), _TILE)
            values = {"a": cities[one], "b": cities[other], "cost": units * unit, "tiles": tiles}
            found.append(Way.model_construct(**values, hexes=(), printed=None))  # type: ignore[arg-type]
        return tuple(sorted(found, key=lambda way: (way.cost, way.tiles, way.a, way.b)))

    def _hexes(self, one: int, other: int) -> tuple[str, ...]:
        """Return the hexagons of a link, from the first city to the second."""
        ground, reach = self._ground, self._reach[:, one]
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
        near = np.asarray((self._reach[:-1] <= self._ground.too_much).any(axis=1))
        near[self._ground.homes] = True
        return near


def ways_of(board: HexBoard, known: "KnownWays | None" = None) -> Ways:
    """Return the links of a board: those of another board whose ground and places of cities are the same, if known."""
    if known is not None and known.ground == _ground_of(board):
        return known.ways
    return Ways(board)


@dataclass(frozen=True)
class KnownWays:
    """Links, and what they follow from."""

    ground: tuple[object, ...]
    ways: Ways

    @classmethod
    def of(cls, board: HexBoard, ways: Ways) -> "KnownWays":
        """Return the links of a board with what they follow from."""
        return cls(_ground_of(board), ways)


def _ground_of(board: HexBoard) -> tuple[object, ...]:
    """Return what links follow from; known links keep their board alive, so that no other part takes its id."""
    homes = tuple((city.id, city.hex) for city in board.cities)
    return (id(board.hexes), id(board.edges), id(board.terrains), homes)
