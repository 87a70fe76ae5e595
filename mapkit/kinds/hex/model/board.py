"""Board of hexagons, the model of `board.json`.

Ids of hexagons and edges are those of the grid; lists are in the order of the board: hexagons row by row, the rest as
the author has it. Amounts are whole dollars.
"""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.terrain import Terrain
from mapkit.kinds.hex.rules.colours import CityColour, Goods
from mapkit.kinds.hex.rules.settings import HexRules
from mapkit.kinds.hex.tables import (
    BaronEffect,
    ComponentKind,
    EdgeKind,
    OperationEffect,
    TileShape,
)


class Hex(Frozen):
    """A hexagon."""

    id: str
    terrain: str
    label: str = ""
    art: str = ""


class HexEdge(Frozen):
    """Edge with features."""

    id: str
    hexes: tuple[str, str]
    kinds: tuple[EdgeKind, ...]
    cost: int = Field(description="Dollars for crossing it, besides the tile")


class HexCity(Frozen):
    """A city; one without colours of goods is gray."""

    id: str
    name: str
    hex: str
    colours: tuple[CityColour, ...]
    cubes: int
    cubes_by_players: dict[int, int] = Field(default={}, description="Players -> cubes, where that differs")
    rotor: bool = False
    start: Goods | None = None
    wheel: tuple[Goods, ...] = ()
    twins: str = ""
    port: bool = False

    @property
    def gray(self) -> bool:
        """Return whether it takes no goods, so that a New City tile may be laid on it (RW-C05)."""
        return not self.wants

    @property
    def wants(self) -> tuple[str, ...]:
        """Return the colours of goods that it takes at the start, without its rotor."""
        return tuple(colour for colour in self.colours if colour != "gray")

    def cubes_for(self, players: int) -> int:
        """Return the number of cubes at the start."""
        return self.cubes_by_players.get(players, self.cubes)


class PrintedLink(Frozen):
    """Link printed on the board; without `b` it leads off the board."""

    id: str
    a: str
    b: str | None
    name: str
    cost: int
    owner: Literal["nobody", "bank", "first-builder"]
    colours: tuple[CityColour, ...] = ()


class MajorLine(Frozen):
    """A major line: its ends, and cities between, in order."""

    id: str
    name: str
    points: int
    cities: tuple[str, ...]


class TrackSpace(Frozen):
    """A space of the track of points, and the income there."""

    points: int
    income: int


class Component(Frozen):
    """Pieces of one sort; the count is null where it is not known."""

    id: str
    kind: ComponentKind
    count: int | None
    colour: CityColour | None = None
    shape: TileShape = ""
    lines: int = 1
    each: bool = False


class OperationsCard(Frozen):
    """An operations card."""

    id: str
    title: str
    text: str
    effect: OperationEffect
    when: Literal["at-once", "kept"]
    amount: int | None
    count: int
    open: bool
    cities: tuple[str, ...] = ()


class BaronCard(Frozen):
    """A baron card."""

    id: str
    title: str
    text: str
    effect: BaronEffect
    points: int
    cities: tuple[str, ...] = ()


class HexBoard(Frozen):
    """A board of hexagons."""

    id: str
    kind: Literal["hex"] = "hex"
    version: Literal[1] = 1
    title: str
    description: str = ""
    credits: tuple[str, ...] = ()
    license: str = ""
    grid: HexGrid
    earth: GridEarth | None = None
    terrains: tuple[Terrain, ...]
    hexes: tuple[Hex, ...]
    edges: tuple[HexEdge, ...] = ()
    cities: tuple[HexCity, ...] = ()
    links: tuple[PrintedLink, ...] = ()
    lines: tuple[MajorLine, ...] = ()
    track: tuple[TrackSpace, ...] = ()
    track_is_example: bool = Field(
        default=False, description="Whether the track is mapkit's example, not one of a published board"
    )
    components: tuple[Component, ...] = ()
    operations: tuple[OperationsCard, ...] = ()
    barons: tuple[BaronCard, ...] = ()
    options: tuple[str, ...] = Field(default=(), description="Options of the rules that are on")
    rules: HexRules = HexRules()
