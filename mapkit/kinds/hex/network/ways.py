"""The cheapest links between all pairs of cities, exactly: terrain, ridges and other edges count, other cities block.

A link joins a city with exactly one other (RW-B07), so its tiles lie on hexagons without a city. Among links of one
cost the one of fewest tiles counts. All cities are searched at once on arrays: Bellman and Ford's method, which ends
when nothing becomes cheaper. After an edit only what it can have changed is searched.
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

    @cached_property
    def step(self) -> Ints:
        """Shape (6, n + 1): key of coming from the neighbour by direction and laying the tile."""
        return self.cross + self.tile

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


def _searched(ground: _Ground, homes: NDArray[np.intp]) -> Ints:
    """Return shape (n + 1, homes): the key of the cheapest track from each home to each hexagon."""
    keys = np.full((ground.tile.shape[0], len(homes)), ground.never, dtype=ground.tile.dtype)
    keys[homes, np.arange(len(homes))] = 0
    _cheapen(ground, keys, np.unique(ground.near[:, homes]))
    return keys


def _cheapen(ground: _Ground, keys: Ints, looked: NDArray[np.intp]) -> None:
    """Make keys as cheap as they can be, in place.

    A row is a hexagon, so that the keys of its neighbours are read as a whole; only neighbours of what became cheaper
    are looked at again.

    Args:
        ground: The board.
        keys: Shape (n + 1, homes): each is 0 at its home, else that of some track, or never.
        looked: The only hexagons where a neighbour may offer less.
    """
    open_ground = ground.tile < ground.never
    looked = looked[open_ground[looked]]
    while looked.size:
        before = keys[looked]
        best = before.copy()
        for side in range(SIDES):
            np.minimum(best, keys[ground.near[side, looked]] + ground.step[side, looked, None], out=best)
        cheaper = (best < before).any(axis=1)
        keys[looked] = best
        looked = np.unique(ground.near[:, looked[cheaper]])
        looked = looked[open_ground[looked]]


def _searched_again(ground: _Ground, old: _Ground, found: Ints) -> Ints:
    """Return what `_searched` does, from what it returned of ground that was a little different.

    First every key is forgotten that no neighbour accounts for any more: each step has a key above 0, so what remains
    goes back to a home by ever smaller keys, and is the key of some track. Then only hexagons where something was
    forgotten or became cheaper are searched (the method of Ramalingam and Reps, J. Algorithms 1996, on arrays).
    """
    if (old.unit, old.never, old.near.shape) != (ground.unit, ground.never, ground.near.shape):
        return _searched(ground, ground.homes)
    column = {home: number for number, home in enumerate(old.homes.tolist())}
    kept = np.array([column.get(home, -1) for home in ground.homes.tolist()], dtype=np.intp)
    fresh = np.flatnonzero(kept < 0)
    keys: Ints = found[:, kept]
    keys[:, fresh] = ground.never
    forgotten = _forget(ground, keys, np.flatnonzero((ground.step > old.step).any(axis=0)))
    better = np.flatnonzero((ground.step < old.step).any(axis=0))
    _cheapen(ground, keys, np.union1d(forgotten, better))
    keys[:, fresh] = _searched(ground, ground.homes[fresh])
    return keys


def _forget(ground: _Ground, keys: Ints, looked: NDArray[np.intp]) -> NDArray[np.intp]:
    """Set keys that no neighbour accounts for to never, in place; return the hexagons that lost one.

    Args:
        ground: The board.
        keys: Shape (n + 1, homes).
        looked: The hexagons that became dearer to come to.
    """
    at_home = np.zeros(keys.shape, dtype=np.bool_)
    at_home[ground.homes, np.arange(len(ground.homes))] = True
    lost = np.zeros(keys.shape[0], dtype=np.bool_)
    while looked.size:
        here = keys[looked]
        known = np.zeros(here.shape, dtype=np.bool_)
        for side in range(SIDES):
            known |= keys[ground.near[side, looked]] + ground.step[side, looked, None] <= here
        gone = ~known & (here < ground.never) & ~at_home[looked]
        here[gone] = ground.never
        keys[looked] = here
        losing = looked[gone.any(axis=1)]
        lost[losing] = True
        looked = np.unique(ground.near[:, losing])
    return np.flatnonzero(lost)


class Ways:
    """The links that can be built on a board.

    Args:
        board: The board.
        before: The links of another board; what cannot have changed is taken from it.
    """

    def __init__(self, board: HexBoard, before: "Ways | None" = None) -> None:
        self._board = board
        self._before = before.searched_of(board) if before is not None else None
        self.made: dict[tuple[str, str, int, int], Way] = before.made if before is not None else {}
        self._number = {city.id: number for number, city in enumerate(board.cities)}

    def searched_of(self, board: HexBoard) -> "tuple[_Ground, Ints] | None":
        """Return what was searched, if that helps a board."""
        return (self._ground, self._reach) if board.grid == self._board.grid else None

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

        A city's own hexagon has 0. What the board before can give is taken from it.
        """
        ground, before = self._ground, self._before
        if before is None:
            return _searched(ground, ground.homes)
        return _searched_again(ground, *before)

    @cached_property
    def keys(self) -> Ints:
        """Shape (cities, cities): the key of each link."""
        ground = self._ground
        cities = len(ground.homes)
        found = np.full((cities, cities), ground.never, dtype=ground.tile.dtype)
        if not cities:
            return found
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                other = ground.near[side, home]
                arriving = self._reach[other] + ground.cross[side, home]
                np.minimum(found[:, number], arriving, out=found[:, number])
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
        ends = np.argwhere(np.triu(self.keys <= self._ground.too_much, 1))
        found = []
        for (one, other), key in zip(ends.tolist(), self.keys[ends[:, 0], ends[:, 1]].tolist(), strict=True):
            units, tiles = divmod(key, _TILE)
            named = (cities[one], cities[other], units * unit, tiles)
            way = self.made.get(named)
            if way is None:
                values = dict(zip(("a", "b", "cost", "tiles"), named, strict=True))
                way = Way.model_construct(**values, hexes=(), printed=None)
            found.append(way)
        self.made = {(way.a, way.b, way.cost, way.tiles): way for way in found}
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
    """Return the links of a board; what is known of another board's is taken as far as it holds here."""
    if known is not None and known.ground == _ground_of(board):
        return known.ways
    return Ways(board, known.ways if known is not None else None)


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
