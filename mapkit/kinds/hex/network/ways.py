"""Cheapest links between all pairs of cities (Bellman-Ford on arrays), over terrain and edges, not through cities.

A link joins a city with exactly one other (RW-B07), so its tiles lie on hexagons without a city. Among links of one
cost the one of fewest tiles counts. All cities are searched at once on arrays: Bellman and Ford's method, which ends
when nothing becomes cheaper. That takes a twentieth of the time of Dijkstra's method on dictionaries, from every city
(`python tests/bench/bench_hexes.py`), so that it can follow every edit.
"""

from dataclasses import dataclass
from math import gcd
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.hex.compiler import read_part, read_setting
from mapkit.kinds.hex.grid.cubes import SIDES, Cube
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard, HexCity

Ints = NDArray[np.signedinteger]

_TILE_FACTOR: Final = 32_768
"""More tiles than a grid has hexagons: a key is a cost in units times this, and tiles."""
_SHORT_NEVER: Final = 1 << 29
_LONG_NEVER: Final = 1 << 52


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

    @property
    def too_much(self) -> int:
        """Return a key above those of all possible ways."""
        return self.never // 2


def _find_neighbours(grid: HexGrid) -> NDArray[np.intp]:
    """Return the neighbours of hexagons by direction, shape (6, n + 1); n stands for everything off the grid."""
    q, r = np.array(grid.cubes, dtype=np.intp).reshape(-1, 2).T
    neighbours = np.full((SIDES, grid.count + 1), grid.count, dtype=np.intp)
    for side, (q_step, r_step) in enumerate(Cube(0, 0).neighbours()):
        column, row = grid.place(cast("Cube", (q + q_step, r + r_step)))
        is_inside = np.isin(column, np.arange(grid.columns)) & np.isin(row, np.arange(grid.rows))
        neighbours[side, :-1] = np.where(is_inside, row * grid.columns + column, grid.count)
    return neighbours


def _read_ground(board: HexBoard) -> _Ground:
    """Return a board as arrays."""
    grid = board.grid
    hex_count = len(board.hexes)
    number_by_hex = {hexagon.id: number for number, hexagon in enumerate(board.hexes)}
    city_hexes = np.array(
        [number_by_hex[city.hex] for city in board.cities if city.hex in number_by_hex], dtype=np.intp
    )
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
        first_hex, second_hex = (number_by_hex[grid.hex_id(cube)] for cube in named_edge.hexes)
        crossing_keys[named_edge.side, first_hex] = crossing_keys[named_edge.side + SIDES // 2, second_hex] = (
            crossing_key
        )
    return _Ground(_find_neighbours(grid), tile_keys, crossing_keys, city_hexes, unit_cost, never_key)


def _search_keys(ground: _Ground) -> Ints:
    """Return the key of the cheapest track from each city to each hexagon with its tile, shape (n + 1, cities).

    A city's own hexagon has 0. A row is a hexagon, so that the keys of its neighbours are read as a whole; only
    neighbours of what became cheaper are looked at again.
    """
    homes, step = ground.homes, ground.cross + ground.tile
    keys = np.full((ground.tile.shape[0], len(homes)), ground.never, dtype=ground.tile.dtype)
    keys[homes, np.arange(len(homes))] = 0
    is_open = ground.tile < ground.never
    changed = homes
    while changed.size:
        is_looked = np.zeros(len(is_open), dtype=np.bool_)
        is_looked[ground.near[:, changed]] = True
        looked = np.flatnonzero(is_looked & is_open)
        old_keys = keys[looked]
        best_keys = old_keys.copy()
        for side in range(SIDES):
            np.minimum(best_keys, keys[ground.near[side, looked]] + step[side, looked, None], out=best_keys)
        keys[looked] = best_keys
        changed = looked[(best_keys < old_keys).any(axis=1)]
    return keys


class Ways:
    """Links that can be built on a board."""

    def __init__(self, board: HexBoard) -> None:
        self._hexes = board.hexes
        self._number = {city.id: number for number, city in enumerate(board.cities)}
        self._ground = _read_ground(board)
        self._reach = _search_keys(self._ground)
        self.keys: Final = self._find_link_keys()
        """The key of each link, shape (cities, cities)."""

    def _find_link_keys(self) -> Ints:
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
        return Way(a=a, b=b, cost=cost, tiles=tiles, hexes=self._trace_hexes(start_number, end_number) if hexes else ())

    def all_ways(self) -> tuple[Way, ...]:
        """Return the cheapest link of each pair of cities that has one, cheapest first, without its hexagons."""
        city_ids, unit_cost = list(self._number), self._ground.unit
        city_pairs = self.pairs()
        all_links = []
        for (first_city, second_city), link_key in zip(
            city_pairs.tolist(), self.keys[city_pairs[:, 0], city_pairs[:, 1]].tolist(), strict=True
        ):
            units, tiles = divmod(link_key, _TILE_FACTOR)
            values: dict[str, Any] = {"a": city_ids[first_city], "b": city_ids[second_city]}
            values |= {"cost": units * unit_cost, "tiles": tiles, "hexes": (), "printed": None}
            all_links.append(Way.model_construct(**values))
        return tuple(sorted(all_links, key=lambda way: (way.cost, way.tiles, way.a, way.b)))

    def pairs(self) -> NDArray[np.int64]:
        """Return the pairs of cities that have a link, by number, each once."""
        return np.argwhere(np.triu(self.keys <= self._ground.too_much, 1))

    def _trace_hexes(self, one: int, other: int) -> tuple[str, ...]:
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
                if neighbour < len(self._hexes) and int(start_keys[neighbour]) == remaining_key:
                    reversed_hexes.append(self._hexes[neighbour].id)
                    current_hex, current_key = neighbour, remaining_key - int(ground.tile[neighbour])
                    break
            else:
                return tuple(reversed(reversed_hexes))

    def reached(self) -> NDArray[np.bool_]:
        """Return for each hexagon of the board whether track from any city can reach it."""
        if not self._number:
            return np.zeros(len(self._hexes), dtype=np.bool_)
        is_reached = np.asarray((self._reach[:-1] <= self._ground.too_much).any(axis=1))
        is_reached[self._ground.homes] = True
        return is_reached


@tracked
def find_ways(db: Reader) -> Ways:
    """Return the links that can be built on the board of a document."""
    parts: dict[str, Any] = {name: read_part(db, name).elements for name in ("terrains", "hexes", "edges")}
    blank: dict[str, Any] = {"name": "", "colours": (), "cubes": None}
    cities = tuple(HexCity.model_construct(id=key, hex=hexagon, **blank) for key, hexagon in _read_homes(db))
    return Ways(HexBoard.model_construct(grid=read_setting(db, "grid"), cities=cities, **parts))


@tracked
def _read_homes(db: Reader) -> tuple[tuple[str, str], ...]:
    return tuple((city.id, city.hex) for city in read_part(db, "cities").elements)
