"""Compiled board in memory, and its elements.

The board file (`mapkit.kinds.rail.model.file`) has everything of it, and where each element is drawn. A board in memory
does not: the drawn fields of its elements are None, and no file that is read sets them.
"""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, model_validator

from mapkit.core.base import Colour, Frozen, Point, Slug
from mapkit.geography.own_layers import OwnLayers
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.boxes import BoardBox, Extent
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.model.network import Origin, TraceNote
from mapkit.kinds.rail.model.versions import BOARD_VERSION, drop_drawn_positions, upgrade_board_data
from mapkit.kinds.rail.rules.rules import Rules

REGIONS = "regions"
"""The name of the region chart among the destination charts."""

SUMS = tuple(str(total) for total in range(2, 13))
"""The rows of a destination chart (RB-C14)."""

Pattern = Literal[
    "solid", "dash", "dot", "dash-dot", "dash-dot-dot", "double", "hollow", "pearl", "ladder", "ties", "beads",
    "sawtooth", "wave",
]  # fmt: skip


Extensions = dict[Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$", max_length=100)], JsonValue]
"""Name in the style of a namespace, such as `"org.example.game"` -> any JSON."""


class Units(Frozen):
    """Units of the board's numbers."""

    currency: str = Field(description="ISO 4217 code", pattern=r"^[A-Z]{3}$")
    symbol: str = Field(description="Currency sign to print", min_length=1, max_length=4)
    payoff: int = Field(description="What one unit of the payoff chart is worth", gt=0)
    distance: Literal["mile"]


_TRUE_POSITION_TEXT = (
    "Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y`"
)
_TRUE_PATH_TEXT = "Where the projection puts it, mm, from `a` to `b`; the picture has it at `drawn_path`"


class Page(Frozen):
    """The page in millimetres; the map lies inside `frame` (left, top, right, bottom)."""

    width: float = Field(gt=0)
    height: float = Field(gt=0)
    frame: tuple[float, float, float, float]
    extent: Extent | None = Field(
        default=None,
        exclude_if=lambda extent: extent is None,
        description="West, south, east, north in degrees: what the frame shows beside the board, if its author said so",
    )


class Region(Frozen):
    """A region of the destination chart (RB-C07)."""

    id: Slug
    name: str
    short: str
    colour: Colour


def _require_drawn(schema: dict[str, Any]) -> None:
    """Make the drawn fields of an element required in its schema, which is that of the board file."""
    drawn_fields = [name for name in schema["properties"] if name.startswith("drawn_")]
    for name in drawn_fields:
        del schema["properties"][name]["default"]
    schema["required"] += drawn_fields


class _DrawnElement(Frozen):
    """An element that the picture shows."""

    model_config = ConfigDict(json_schema_extra=_require_drawn)


def _drawn_field(description: str) -> Any:  # noqa: ANN401 - as `pydantic.Field`
    """Return a field for a drawn position, set in the board file only; in memory it stays None."""
    return Field(default=None, exclude_if=lambda drawn: drawn is None, description=description)


class Milepost(_DrawnElement):
    """A point that costs one step to enter (RB-C03, RB-C04)."""

    id: Slug
    name: str
    kind: Literal["city", "dot"]
    lon: float
    lat: float
    x: float = Field(description=_TRUE_POSITION_TEXT)
    y: float = Field(description=_TRUE_POSITION_TEXT)
    drawn_x: float = _drawn_field("Middle of its dot or square in the picture, mm from the left")
    drawn_y: float = _drawn_field("Middle of its dot or square in the picture, mm from the top")


CityMark = Literal["capital", "port"]
"""What the symbol of a city shows, as its author says."""


class City(_DrawnElement):
    """A row of the charts; twins (RB-C06) name the same milepost."""

    id: Slug
    name: str
    region: Slug
    milepost: Slug
    mark: CityMark | None = Field(
        default=None,
        exclude_if=lambda mark: mark is None,
        description="What its symbol shows; left out of other cities",
    )
    drawn_x: float = _drawn_field("Middle of its square in the picture, mm; twins have one beside the other")
    drawn_y: float = _drawn_field("Middle of its square in the picture, mm")


class Style(Frozen):
    """Colour and pattern of a railroad (RB-C08)."""

    colour: Colour
    pattern: Pattern


class Railroad(Frozen):
    """A railroad and its list price in whole currency units (RB-C11, RB-C12)."""

    id: Slug
    name: str
    short: str
    price: int
    public: bool
    style: Style


class Junction(_DrawnElement):
    """A free junction of one railroad off any milepost."""

    id: Slug
    railroad: Slug
    lon: float
    lat: float
    x: float = Field(description=_TRUE_POSITION_TEXT)
    y: float = Field(description=_TRUE_POSITION_TEXT)
    drawn_x: float = _drawn_field("Its place in the picture, mm from the left")
    drawn_y: float = _drawn_field("Its place in the picture, mm from the top")


class Piece(_DrawnElement):
    """A track piece: `line` in degrees and `path` in page millimetres, from `a` to `b`."""

    id: Slug
    railroad: Slug
    a: Slug
    b: Slug
    miles: float
    line: tuple[Point, ...]
    path: tuple[Point, ...] = Field(description=_TRUE_PATH_TEXT)
    drawn_path: tuple[Point, ...] = _drawn_field(
        "The middle of its line in the picture, mm, from `a` to `b`; it ends within the mileposts' symbols"
    )


class Segment(_DrawnElement):
    """One step on one railroad (RB-M04, RB-C09); its pieces are used up together (RB-M07)."""

    id: Slug
    railroad: Slug
    a: Slug
    b: Slug
    miles: float
    pieces: tuple[Slug, ...] = Field(min_length=1)
    path: tuple[Point, ...] = Field(description=_TRUE_PATH_TEXT)
    drawn_path: tuple[Point, ...] = _drawn_field(
        "Its line in the picture, mm, from the middle of `a`'s symbol to that of `b`'s"
    )


class DestinationChart(Frozen):
    """22 cells, `"2"` to `"12"` for odd and for even (RB-C14, RB-D01); None is an empty cell."""

    odd: dict[str, Slug | None]
    even: dict[str, Slug | None]


class Payoffs(Frozen):
    """The square payoff matrix in thousands (RB-C13); None is a missing cell."""

    cities: tuple[Slug, ...]
    thousands: tuple[tuple[float | None, ...], ...]


class SourceFile(Frozen):
    """A file that the board was compiled from."""

    path: str
    sha256: str


class Provenance(Frozen):
    """Origin of the board: tool, files, origin of each element, findings accepted by the author."""

    tool: str
    version: str
    credits: tuple[str, ...]
    licence: str
    sources: tuple[SourceFile, ...]
    elements: dict[str, dict[str, Origin]] = Field(
        description="Kind of element (mileposts, segments, cities, payoffs ...) -> id -> origin"
    )
    accepted: dict[str, str] = Field(description="Id of an accepted finding -> the author's reason")
    notes: tuple[TraceNote, ...] = Field(default=(), description="What happened to traced lines")


class Board(Frozen):
    """A finished board. Every list is sorted by id, except payoff cities and regions (chart order)."""

    format: Literal["mapkit/board"] = "mapkit/board"
    version: Literal[2] = BOARD_VERSION
    kind: Literal["rail"] = Field(default="rail", description="What kind of board it is")
    id: Slug
    title: str
    variants: tuple[str, ...] = ()
    units: Units
    projection: Projection
    page: Page
    regions: tuple[Region, ...]
    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    railroads: tuple[Railroad, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    destinations: dict[str, DestinationChart] = Field(description='"regions" and one chart for each region id')
    payoffs: Payoffs
    declared: dict[str, dict[Slug, str]] = Field(
        default_factory=dict,
        exclude_if=lambda declared: not declared,
        description="Odds that print or the author declares, as exact fractions: chart -> region or city -> odds",
    )
    drawing: DrawingSettings = Field(
        default=DrawingSettings(),
        exclude_if=lambda drawing: drawing == DrawingSettings(),
        description="How the author wants the board drawn; left out where it is as usual",
    )
    boxes: dict[Slug, BoardBox] = Field(
        default_factory=dict,
        exclude_if=lambda boxes: not boxes,
        description="Boxes of the page by name, as the author asked for them; left out where there are none",
    )
    layers: OwnLayers | None = Field(
        default=None,
        exclude_if=lambda layers: layers is None,
        description="The author's own layers, drawn in place of the base map's; left out where there are none",
    )
    rules: Rules
    extensions: Extensions = Field(
        default_factory=dict,
        description="Name -> anything: what others add to a board, kept by all who read it and do not know it",
    )
    provenance: Provenance

    @model_validator(mode="before")
    @classmethod
    def _of_any_file(cls, data: object) -> object:
        """Upgrade the data of a board file of any version, without drawn positions."""
        return drop_drawn_positions(upgrade_board_data(data))
