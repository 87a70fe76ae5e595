"""Checked board with look-ups, and definition of checks."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from mapkit.core.checks import Check, Found
from mapkit.core.findings import Place, Severity
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import Terrain
from mapkit.kinds.hex.network.groups import city_groups, connected
from mapkit.kinds.hex.network.ways import Ways


class CheckedHexes:
    """Board with look-ups for checks.

    Args:
        compiled: The board, and its document.
        ways: Its links, if they are at hand.
    """

    def __init__(self, compiled: CompiledHexes, ways: Ways | None = None) -> None:
        self._compiled = compiled
        self.board: HexBoard = compiled.board
        self.ways = ways or Ways(compiled.board)

    @cached_property
    def cities(self) -> dict[str, HexCity]:
        """Return the cities by id."""
        return {city.id: city for city in self.board.cities}

    @cached_property
    def terrain(self) -> dict[str, Terrain]:
        """Return hexagon -> its terrain."""
        terrain_by_id = {terrain.id: terrain for terrain in self.board.terrains}
        return {hexagon.id: terrain_by_id[hexagon.terrain] for hexagon in self.board.hexes}

    @cached_property
    def groups(self) -> list[list[str]]:
        """Return groups of cities that track or printed links can join, the largest first."""
        return city_groups(self.board, self.ways)

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
        return connected(hexes, self.around)


HexCheck = Check[CheckedHexes]


def hex_check(code: str, severity: Severity, title: str, find: Callable[[CheckedHexes], Iterable[Found]]) -> HexCheck:
    """Return a check; its docstring is printed in `docs/reference/checks-hex.md`."""
    return Check(code, title, severity, find)
