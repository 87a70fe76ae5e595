"""Tables of a hexagon board's document: one row model for each CSV file."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from mapkit.core.base import Colour, Slug
from mapkit.document import document as frame
from mapkit.document.document import Accepted, Listed, Row, Schema, Setting
from mapkit.kinds.hex.rules.colours import CityColour, Goods

Money = Annotated[int, Field(ge=0, le=10_000_000)]
EdgeKind = Literal["ridge", "river", "impassable", "ferry"]
Title = Annotated[str, Field(min_length=1, max_length=200)]
Prose = Annotated[str, Field(max_length=2000)]
PlayersCount = Annotated[str, Field(pattern=r"^[1-6]:\d{1,3}$")]
"""Count for a number of players: `3:2` is 2 with three players."""
OperationEffect = Literal[
    "hotel",
    "first-delivery",
    "major-line",
    "land-grant",
    "new-industry",
    "executive",
    "trading-depot",
    "take-marker",
    "money",
    "other",
]
BaronEffect = Literal[
    "connect", "most-cubes", "most-links", "longest-way", "fewest-bonds", "best-engine", "most-cities", "other"
]
ComponentKind = Literal[
    "tile", "cube", "new-city", "marker", "bond", "engine", "token", "first-player", "mine", "other"
]
TileShape = Literal["", "straight", "gentle", "sharp", "cross", "other"]


class HexRow(Row):
    """Row of `hexes.csv`: a hexagon that differs from the default of the grid, keyed by column and row (`5-12`)."""

    noun: ClassVar[str] = "hexagon"
    terrain: Slug
    art: str = Field(default="", max_length=100, description="A hint for who draws it")


class TerrainRow(Row):
    """A row of `terrains.csv`: a terrain that the board defines, keyed by its id."""

    noun: ClassVar[str] = "terrain"
    name: Title
    cost: Money | None = Field(default=None, description="Of a tile; empty if none may be laid")
    colour: Colour
    wet: bool = Field(default=False, description="Whether it is water")


class EdgeRow(Row):
    """Row of `edges.csv`: the features of an edge, keyed by its two hexagons (`5-12--5-13`)."""

    noun: ClassVar[str] = "edge"
    kinds: Listed[EdgeKind] = Field(max_length=10)
    cost: Money | None = Field(
        default=None, description="Of crossing it; empty: as the rules say for a ridge, else nothing"
    )

    @field_validator("kinds")
    @classmethod
    def _once(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        if not kinds:
            raise ValueError("kinds is empty; give ridge, river, impassable or ferry")
        return tuple(dict.fromkeys(kinds))


class CityRow(Row):
    """A row of `cities.csv`: a city in a hexagon."""

    noun: ClassVar[str] = "city"
    name: Title
    hex: str = Field(max_length=20)
    colours: Listed[CityColour] = Field(default=(), max_length=6, description="What it takes; none: gray")
    cubes: int = Field(default=2, ge=0, le=100, description="Cubes at the start")
    cubes_by_players: Listed[PlayersCount] = Field(
        default=(), max_length=6, description="Where that differs: `2:1 3:2`"
    )
    rotor: bool = Field(default=False, description="Whether a rotor turns its second colour, where rotors are used")
    start: Goods | None = Field(default=None, description="The second colour of a rotor at the start")
    wheel: Listed[Goods] = Field(default=(), max_length=5, description="Its wheel, where it is not that of the rules")
    twins: str = Field(default="", max_length=40, description="Cities of one group lie beside each other as one")
    port: bool = Field(default=False, description="Whether ships call there")


class LinkRow(Row):
    """A row of `links.csv`: a link that is printed on the board, or leads off it."""

    noun: ClassVar[str] = "link"
    a: str = Field(max_length=200, description="A city")
    b: str = Field(default="", max_length=200, description="The other city; empty: it leads off the board")
    name: str = Field(default="", max_length=200, description="What it is called, or where it leads")
    cost: Money = 0
    owner: Literal["nobody", "bank", "first-builder"] = "first-builder"
    colours: Listed[CityColour] = Field(default=(), max_length=6, description="What the place off the board takes")


class MajorLineRow(Row):
    """Row of `lines.csv`: a major line, with points for its completion."""

    noun: ClassVar[str] = "major line"
    name: Title
    points: int = Field(ge=0, le=1000)
    cities: Listed[str] = Field(min_length=2, max_length=30, description="Its ends, and cities between, in order")


class SpaceRow(Row):
    """A row of `track.csv`: the income on a space of the points track, keyed by the points."""

    noun: ClassVar[str] = "space"
    income: int = Field(ge=-10_000_000, le=10_000_000)


class ComponentRow(Row):
    """A row of `components.csv`: pieces of one sort."""

    noun: ClassVar[str] = "component"
    kind: ComponentKind
    count: int | None = Field(default=None, ge=0, le=10_000, description="Empty: not known")
    colour: CityColour | None = Field(default=None, description="Of cubes and New City tiles")
    shape: TileShape = ""
    lines: int = Field(default=1, ge=1, le=3, description="Lines of track on a tile")
    each: bool = Field(default=False, description="So many for each player")


class OperationsRow(Row):
    """A row of `operations.csv`: an operations card."""

    noun: ClassVar[str] = "operations card"
    title: Title
    text: Prose
    effect: OperationEffect
    when: Literal["at-once", "kept"] = "at-once"
    amount: int | None = Field(default=None, ge=-1_000_000, le=1_000_000, description="Points, cubes or dollars")
    count: int = Field(default=1, ge=1, le=100)
    open: bool = Field(default=False, description="Whether it lies open at the start")
    cities: Listed[str] = Field(default=(), max_length=30)


class BaronRow(Row):
    """A row of `barons.csv`: a baron card, the goal of a player."""

    noun: ClassVar[str] = "baron card"
    title: Title
    text: Prose
    effect: BaronEffect
    points: int = Field(ge=0, le=1000)
    cities: Listed[str] = Field(default=(), max_length=30)


class HexDocument(frame.Document):
    """The document of a board of hexagons."""

    schema: ClassVar[Schema] = Schema(
        {
            "settings": Setting,
            "accepted": Accepted,
            "terrains": TerrainRow,
            "hexes": HexRow,
            "edges": EdgeRow,
            "cities": CityRow,
            "links": LinkRow,
            "lines": MajorLineRow,
            "track": SpaceRow,
            "components": ComponentRow,
            "operations": OperationsRow,
            "barons": BaronRow,
        }
    )
