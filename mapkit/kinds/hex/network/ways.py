"""Cheapest links between all pairs of cities (Bellman-Ford on arrays), over terrain and edges, not through cities.

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

_TILE_FACTOR: Final = 32_768
"""More tiles than a grid has hexagons: a key is a cost in units times this, and tiles."""
_SHORT_NEVER: Final = 1 << 29
_LONG_NEVER: Final = 1 << 52
_CACHE_SIZE: Final = 4


class Way(Frozen):
    """Cheapest link between two cities: dollars, tiles, and the hexagons of the tiles in order."""

    a: str
    b: str
    cost: int
    tiles: int
    hexes: tuple[str, ...] = ()
    printed: str | None = None
    """The link of the board that it is, where one is printed."""


@dataclass(frozen=True)
class _Ground:
    """Board as arrays: hexagons in the order of the board, and one more for everything off the grid."""

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
        """Return the key of coming from the neighbour by direction and laying the tile, shape (6, n + 1)."""
        return self.cross + self.tile

    @property
    def too_much(self) -> int:
        """Return a key above those of all possible ways."""
        return self.never // 2


@remembered(_CACHE_SIZE)
def _neighbours(grid: HexGrid) -> tuple[dict[Cube, int], NDArray[np.intp]]:
    """Return hexagon -> its number, and its neighbours by direction; one more number stands for off the grid."""
    number_by_cube = {cube: number for number, cube in enumerate(grid.cubes)}
    neighbour_numbers = np.full((SIDES, len(number_by_cube) + 1), len(number_by_cube), dtype=np.intp)
    for cube, number in number_by_cube.items():
        for side, neighbour in enumerate(cube.neighbours()):
            neighbour_numbers[side, number] = number_by_cube.get(neighbour, len(number_by_cube))
    return number_by_cube, neighbour_numbers


def _search_keys(ground: _Ground, homes: NDArray[np.intp]) -> Ints:
    """Return the key of the cheapest track from each home to each hexagon, shape (n + 1, homes)."""
    keys = np.full((ground.tile.shape[0], len(homes)), ground.never, dtype=ground.tile.dtype)
    keys[homes, np.arange(len(homes))] = 0
    _relax_keys(ground, keys, np.unique(ground.near[:, homes]))
    return keys


def _relax_keys(ground: _Ground, keys: Ints, looked: NDArray[np.intp]) -> None:
    """Lower keys to their minimum, in place.

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
        old_keys = keys[looked]
        best_keys = old_keys.copy()
        for side in range(SIDES):
            np.minimum(best_keys, keys[ground.near[side, looked]] + ground.step[side, looked, None], out=best_keys)
        is_cheaper = (best_keys < old_keys).any(axis=1)
        keys[looked] = best_keys
        looked = np.unique(ground.near[:, looked[is_cheaper]])
        looked = looked[open_ground[looked]]


def _update_keys(ground: _Ground, old: _Ground, found: Ints) -> Ints:
    """Update the result of `_search_keys` for ground that changed a little.

    First every key is forgotten that no neighbour accounts for any more: each step has a key above 0, so what remains
    goes back to a home by ever smaller keys, and is the key of some track. Then only hexagons where something was
    forgotten or became cheaper are searched (the method of Ramalingam and Reps, J. Algorithms 1996, on arrays).
    """
    if (old.unit, old.never, old.near.shape) != (ground.unit, ground.never, ground.near.shape):
        return _search_keys(ground, ground.homes)
    column_by_home = {home: number for number, home in enumerate(old.homes.tolist())}
    old_columns = np.array([column_by_home.get(home, -1) for home in ground.homes.tolist()], dtype=np.intp)
    new_columns = np.flatnonzero(old_columns < 0)
    updated_keys: Ints = found[:, old_columns]
    updated_keys[:, new_columns] = ground.never
    forgotten_hexes = _forget_keys(ground, updated_keys, np.flatnonzero((ground.step > old.step).any(axis=0)))
    cheaper_hexes = np.flatnonzero((ground.step < old.step).any(axis=0))
    _relax_keys(ground, updated_keys, np.union1d(forgotten_hexes, cheaper_hexes))
    updated_keys[:, new_columns] = _search_keys(ground, ground.homes[new_columns])
    return updated_keys


def _forget_keys(ground: _Ground, keys: Ints, looked: NDArray[np.intp]) -> NDArray[np.intp]:
    """Set keys without a supporting neighbour to never, in place; return the hexagons that lost one.

    Args:
        ground: The board.
        keys: Shape (n + 1, homes).
        looked: The hexagons that became dearer to come to.
    """
    is_home = np.zeros(keys.shape, dtype=np.bool_)
    is_home[ground.homes, np.arange(len(ground.homes))] = True
    has_lost = np.zeros(keys.shape[0], dtype=np.bool_)
    while looked.size:
        hex_keys = keys[looked]
        is_supported = np.zeros(hex_keys.shape, dtype=np.bool_)
        for side in range(SIDES):
            is_supported |= keys[ground.near[side, looked]] + ground.step[side, looked, None] <= hex_keys
        is_forgotten = ~is_supported & (hex_keys < ground.never) & ~is_home[looked]
        hex_keys[is_forgotten] = ground.never
        keys[looked] = hex_keys
        losing_hexes = looked[is_forgotten.any(axis=1)]
        has_lost[losing_hexes] = True
        looked = np.unique(ground.near[:, losing_hexes])
    return np.flatnonzero(has_lost)


class Ways:
    """Links that can be built on a board.

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
        """Return the search results if they help a board."""
        return (self._ground, self._reach) if board.grid == self._board.grid else None

    @cached_property
    def _ground(self) -> _Ground:
        board, grid = self._board, self._board.grid
        hex_count = len(board.hexes)
        number_by_cube, neighbour_numbers = _neighbours(grid)
        city_cubes = [grid.hex_of(city.hex) for city in board.cities]
        city_hexes = np.array([number_by_cube[cube] for cube in city_cubes if cube is not None], dtype=np.intp)
        cost_by_terrain = {terrain.id: terrain.cost for terrain in board.terrains}
        tile_costs = [cost for cost in cost_by_terrain.values() if cost is not None]
        unit_cost = gcd(*tile_costs, *(edge.cost for edge in board.edges)) or 1
        highest_cost = max(tile_costs, default=0) + max((edge.cost for edge in board.edges), default=0)
        fits_short = (hex_count + 1) * (highest_cost // unit_cost * _TILE_FACTOR + 1) < _SHORT_NEVER // 2
        never_key, key_type = (_SHORT_NEVER, "int32") if fits_short else (_LONG_NEVER, "int64")
        key_by_terrain = {
            terrain: never_key if cost is None else cost // unit_cost * _TILE_FACTOR + 1
            for terrain, cost in cost_by_terrain.items()
        }
        tile_keys: Ints = np.array(
            [*(key_by_terrain[hexagon.terrain] for hexagon in board.hexes), never_key], dtype=np.int64
        ).astype(key_type)
        tile_keys[city_hexes] = never_key
        crossing_keys = np.zeros((SIDES, hex_count + 1), dtype=key_type)
        for edge in board.edges:
            named_edge = grid.edge_named(edge.id)
            if named_edge is None:
                continue
            crossing_key = never_key if "impassable" in edge.kinds else edge.cost // unit_cost * _TILE_FACTOR
            first_hex, second_hex = named_edge.hexes
            crossing_keys[named_edge.side, number_by_cube[first_hex]] = crossing_keys[
                named_edge.side + SIDES // 2, number_by_cube[second_hex]
            ] = crossing_key
        return _Ground(neighbour_numbers, tile_keys, crossing_keys, city_hexes, unit_cost, never_key)

    @cached_property
    def _reach(self) -> Ints:
        """Return the key of the cheapest track from a city to a hexagon with its tile, shape (n + 1, cities).

        A city's own hexagon has 0. What the board before can give is taken from it.
        """
        ground, before = self._ground, self._before
        if before is None:
            return _search_keys(ground, ground.homes)
        return _update_keys(ground, *before)

    @cached_property
    def keys(self) -> Ints:
        """Return the key of each link, shape (cities, cities)."""
        ground = self._ground
        city_count = len(ground.homes)
        link_keys = np.full((city_count, city_count), ground.never, dtype=ground.tile.dtype)
        if not city_count:
            return link_keys
        for number, home in enumerate(ground.homes):
            for side in range(SIDES):
                neighbour = ground.near[side, home]
                arrival_keys = self._reach[neighbour] + ground.cross[side, home]
                np.minimum(link_keys[:, number], arrival_keys, out=link_keys[:, number])
        np.fill_diagonal(link_keys, ground.never)
        link_keys[link_keys > ground.too_much] = ground.never
        return link_keys

    def way(self, a: str, b: str, *, hexes: bool = True) -> Way | None:
        """Return the cheapest link between two cities that can be built, or None.

        Args:
            a: A city.
            b: Another.
            hexes: Whether its hexagons are wanted.
        """
        start_number, end_number = self._number[a], self._number[b]
        link_key = int(self.keys[start_number, end_number])
        if link_key > self._ground.too_much:
            return None
        units, tiles = divmod(link_key, _TILE_FACTOR)
        cost = units * self._ground.unit
        return Way(a=a, b=b, cost=cost, tiles=tiles, hexes=self._hexes(start_number, end_number) if hexes else ())

    def all_ways(self) -> tuple[Way, ...]:
        """Return the cheapest link of each pair of cities that has one, cheapest first, without its hexagons."""
        return self._all

    @cached_property
    def _all(self) -> tuple[Way, ...]:
        city_ids, unit_cost = [city.id for city in self._board.cities], self._ground.unit
        city_pairs = np.argwhere(np.triu(self.keys <= self._ground.too_much, 1))
        all_links = []
        for (first_city, second_city), link_key in zip(
            city_pairs.tolist(), self.keys[city_pairs[:, 0], city_pairs[:, 1]].tolist(), strict=True
        ):
            units, tiles = divmod(link_key, _TILE_FACTOR)
            link_values = (city_ids[first_city], city_ids[second_city], units * unit_cost, tiles)
            way = self.made.get(link_values)
            if way is None:
                values = dict(zip(("a", "b", "cost", "tiles"), link_values, strict=True))
                way = Way.model_construct(**values, hexes=(), printed=None)
            all_links.append(way)
        self.made = {(way.a, way.b, way.cost, way.tiles): way for way in all_links}
        return tuple(sorted(all_links, key=lambda way: (way.cost, way.tiles, way.a, way.b)))

    def _hexes(self, one: int, other: int) -> tuple[str, ...]:
        """Return the hexagons of a link, from the first city to the second."""
        ground, start_keys = self._ground, self._reach[:, one]
        current_hex, current_key = int(ground.homes[other]), int(self.keys[one, other])
        reversed_hexes: list[str] = []
        while True:
            for side in range(SIDES):
                neighbour = int(ground.near[side, current_hex])
                remaining_key = current_key - int(ground.cross[side, current_hex])
                if neighbour == int(ground.homes[one]) and remaining_key == 0:
                    return tuple(reversed(reversed_hexes))
                if neighbour < len(self._board.hexes) and int(start_keys[neighbour]) == remaining_key:
                    reversed_hexes.append(self._board.hexes[neighbour].id)
                    current_hex, current_key = neighbour, remaining_key - int(ground.tile[neighbour])
                    break
            else:
                return tuple(reversed(reversed_hexes))

    def reached(self) -> NDArray[np.bool_]:
        """Return for each hexagon of the board whether track from any city can reach it."""
        if not self._board.cities:
            return np.zeros(len(self._board.hexes), dtype=np.bool_)
        is_reached = np.asarray((self._reach[:-1] <= self._ground.too_much).any(axis=1))
        is_reached[self._ground.homes] = True
        return is_reached


def ways_of(board: HexBoard, known: "KnownWays | None" = None) -> Ways:
    """Return the links of a board, reusing those of another board as far as they are valid."""
    if known is not None and known.ground == _link_inputs(board):
        return known.ways
    return Ways(board, known.ways if known is not None else None)


@dataclass(frozen=True)
class KnownWays:
    """Links, and the inputs that they depend on."""

    ground: tuple[object, ...]
    ways: Ways

    @classmethod
    def of(cls, board: HexBoard, ways: Ways) -> "KnownWays":
        """Return the links of a board with the inputs that they depend on."""
        return cls(_link_inputs(board), ways)


def _link_inputs(board: HexBoard) -> tuple[object, ...]:
    """Return the inputs that links depend on; known links keep their board alive, so ids stay unique."""
    city_hexes = tuple((city.id, city.hex) for city in board.cities)
    return (id(board.hexes), id(board.edges), id(board.terrains), city_hexes)
