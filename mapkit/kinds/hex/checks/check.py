"""Checked board with look-ups, and definition of checks."""

from collections.abc import Callable, Iterable, Iterator

from mapkit.core import heavy
from mapkit.core.checks import Check, Found
from mapkit.core.findings import Place, Severity
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import Terrain
from mapkit.kinds.hex.network.groups import city_groups
from mapkit.kinds.hex.network.ways import find_ways


class CheckedHexes:
    """Board with look-ups for checks.

    Args:
        compiled: The board, and its document.
    """

    def __init__(self, compiled: CompiledHexes) -> None:
        self._compiled = compiled
        self.board: HexBoard = compiled.board
        self.ways = find_ways(compiled.db)
        self.cities: dict[str, HexCity] = {city.id: city for city in self.board.cities}
        terrain_by_id = {terrain.id: terrain for terrain in self.board.terrains}
        self.terrain: dict[str, Terrain] = {hexagon.id: terrain_by_id[hexagon.terrain] for hexagon in self.board.hexes}
        self.links = self.ways.all_ways()
        self.groups = city_groups(self.board, self.ways)
        """Groups of cities that track or printed links can join, the largest first."""

    def place(self, table: str, key: str) -> Place:
        """Return the place of a row."""
        origin = self._compiled.document.origin(table, key)
        return Place() if origin is None else Place(file=origin.file, row=origin.row or None)

    def around(self, hexagon: str) -> list[str]:
        """Return the hexagons around a hexagon."""
        grid = self.board.grid
        cube = grid.hex_of(hexagon)
        return [] if cube is None else [grid.hex_id(neighbour) for neighbour in grid.neighbours(cube)]

    def together(self, hexes: Iterable[str]) -> Iterator[list[str]]:
        """Yield groups of connected hexagons, each sorted."""
        adjacent: heavy.networkx.Graph[str] = heavy.networkx.Graph()
        adjacent.add_nodes_from(hexes)
        adjacent.add_edges_from(
            (one, other) for one in list(adjacent) for other in self.around(one) if other in adjacent
        )
        return map(sorted, heavy.networkx.connected_components(adjacent))


HexCheck = Check[CheckedHexes]


def hex_check(code: str, severity: Severity, title: str, find: Callable[[CheckedHexes], Iterable[Found]]) -> HexCheck:
    """Return a check; its docstring is printed in `docs/reference/checks-hex.md`."""
    return Check(code, title, severity, find)
