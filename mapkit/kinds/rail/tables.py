r"""The tables of a railroad board's source package, and their rows.

| table | key | row |
| --- | --- | --- |
| `settings` | dotted key of `board.toml`, such as `page.width` | `Setting` |
| `regions` | region id | `Region` |
| `accepted` | finding id | `Accepted` |
| `railroads` | railroad id | `Railroad` |
| `cities` | city id | `City` |
| `places` | name of the place | `Place` |
| `lines` | line id | `Line` |
| `mileposts` | milepost id | `Milepost` |
| `junctions` | junction id | `Junction` |
| `track` | track piece id | `Track` |
| `destinations` | `chart/odd/7` | `Cell` |
| `payoff_cities` | city id, in the order of the chart | `PayoffCity` |
| `payoffs` | `a\|b`, city ids with a < b | `Payoff` |
| `declared` | `chart/item` | `Declared` |
| `wanted` | `chart/name`, folded | `Wanted` |
| `control_points` | its pixel, `x,y` | `ControlPoint` |
| `files` | path in the source package | `File` |
| `compiled` | what a board without sources says of its making | `Setting` |

Track is `lines`, as typed, and `mileposts`, `junctions` and `track`, element by element. A board without sources has
the latter alone.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from pydantic import Field

from mapkit.core.base import Colour, Point, Slug
from mapkit.core.names import LONGEST_JOINED, fold, limit_id, slug
from mapkit.document import document as frame
from mapkit.document.document import Accepted, File, Row, RowOrigins, Schema, Setting, TableOf, sort_rows
from mapkit.kinds.rail.model.board import CityMark, Pattern

Kind = Literal["milepost", "via"]
"""What a place is to a line: a step to enter, or a bend only."""

Stop = tuple[str, Kind]
"""A place of a line, as typed, and its kind."""


class Region(Row):
    """A region, as `[[regions]]` has it."""

    noun: ClassVar[str] = "region"
    in_order: ClassVar[bool] = True
    name: str = Field(min_length=1)
    short: str = Field(min_length=1, max_length=6)
    colour: Colour


class Railroad(Row):
    """A row of `railroads.csv`; `price` in whole currency units."""

    noun: ClassVar[str] = "railroad"
    name: str = Field(min_length=1)
    short: str = Field(min_length=1)
    price: int = Field(ge=0, le=10_000_000)
    public: bool
    colour: Colour
    pattern: Pattern


class City(Row):
    """A row of `cities.csv`, degrees (EPSG:4326); an empty `milepost` is the city's own name."""

    noun: ClassVar[str] = "city"
    name: str = Field(min_length=1)
    region: Slug
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    milepost: str = ""
    weight: float | None = Field(default=None, gt=0)
    mark: CityMark | None = None

    @property
    def milepost_name(self) -> str:
        """Return the name of the milepost that it lies at."""
        return self.milepost or self.name


BY_RULE: Final = "placed by rule"
JUNCTION: Final = "junction"
BEND: Final = "bend"
_DRAWN: Final = ("drawings/", BY_RULE, JUNCTION, BEND)
"""How the notes of places begin that come from drawings."""


class Place(Row):
    """A row of `places.csv`, degrees (EPSG:4326)."""

    noun: ClassVar[str] = "place"
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    note: str = ""

    @property
    def is_drawn(self) -> bool:
        """Return whether the place comes from a drawing: from a point of it, or from placing its lines."""
        return self.note in _DRAWN or self.note.startswith(_DRAWN[0])


class Line(Row):
    """A line of a station list: its railroad's id, its name, the file it stands in, and its places in order."""

    noun: ClassVar[str] = "line"
    railroad: Slug
    name: str = Field(min_length=1)
    file: str = Field(pattern=r"^lines/[^/\\]+\.csv$")
    feature: str = Field(default="", description="The feature of a drawing that it came from, `file#feature`")
    stops: tuple[Stop, ...]


class Milepost(Row):
    """A milepost by its id: the name to show, degrees (EPSG:4326); it stands there whatever lists and cities say."""

    noun: ClassVar[str] = "milepost"
    name: str = Field(min_length=1)
    lon: float
    lat: float


class Junction(Row):
    """A free junction of a railroad by its id, degrees (EPSG:4326)."""

    noun: ClassVar[str] = "junction"
    railroad: Slug
    lon: float
    lat: float


class Track(Row):
    """A track piece by its id, between two mileposts or junctions.

    `bends` are the places `(lon, lat)` between its ends, from `a` to `b`; the ends are where `a` and `b` stand.
    """

    noun: ClassVar[str] = "track"
    railroad: Slug
    a: Slug
    b: Slug
    bends: tuple[Point, ...] = ()

    def path(self, key: str) -> tuple[str, ...]:
        """Return the railroad and the id."""
        return self.railroad, key


class Cell(Row):
    """A cell of a destination chart: a region's or city's id; None is empty."""

    noun: ClassVar[str] = "destination"
    item: Slug | None

    @classmethod
    def bare_path(cls, key: str) -> tuple[str, ...]:
        """Return chart, parity and sum."""
        return tuple(key.split("/"))


class PayoffCity(Row):
    """A city of the payoff chart."""

    noun: ClassVar[str] = "city of the payoff chart"
    in_order: ClassVar[bool] = True


class Payoff(Row):
    """A cell of the payoff chart in thousands, without a row: empty, or 0 from a city to itself.

    `thousands` is the cell in the row of the first city of the key; `below` is the one across the diagonal where it
    says something else.
    """

    noun: ClassVar[str] = "payoff"
    thousands: float | None = Field(default=None, ge=0)
    below: float | Literal["same"] | None = "same"

    @classmethod
    def bare_path(cls, key: str) -> tuple[str, ...]:
        """Return the two cities."""
        return tuple(key.split("|"))


class Declared(Row):
    """Odds that a chart is said to give, as typed."""

    noun: ClassVar[str] = "declared odds"
    chart: Slug
    item: Slug
    odds: str


class Wanted(Row):
    """Target of a solved chart as typed; see `charts/wanted.csv`."""

    noun: ClassVar[str] = "wish"
    name: str
    chart: str = ""
    weight: str = ""
    least: str = ""
    most: str = ""
    exactly: str = ""
    avoid: str = ""
    cells: str = ""


class ControlPoint(Row):
    """A pixel of a picture, y downward, and its place: degrees, or a city's name."""

    noun: ClassVar[str] = "control point"
    x: float
    y: float
    lon: float | None = Field(default=None, ge=-180, le=180)
    lat: float | None = Field(default=None, ge=-90, le=90)
    city: str = ""
    note: str = ""


TABLES: Final[Mapping[str, type[Row]]] = MappingProxyType(
    {
        "settings": Setting,
        "regions": Region,
        "accepted": Accepted,
        "railroads": Railroad,
        "cities": City,
        "places": Place,
        "lines": Line,
        "mileposts": Milepost,
        "junctions": Junction,
        "track": Track,
        "destinations": Cell,
        "payoff_cities": PayoffCity,
        "payoffs": Payoff,
        "declared": Declared,
        "wanted": Wanted,
        "control_points": ControlPoint,
        "files": File,
        "compiled": Setting,
    }
)
"""The tables and their rows, in the order in which they are listed."""

SCHEMA: Final = Schema(
    TABLES,
    unranked=frozenset(
        {"settings", "accepted", "mileposts", "junctions", "track", "destinations", "payoffs", "files", "compiled"}
    ),
    unsent={"files": frozenset({"content"})},
)


class RailDocument(frame.Document):
    """The document of a railroad board, its tables by name."""

    schema: ClassVar[Schema] = SCHEMA

    settings = TableOf[Setting]()
    regions = TableOf[Region]()
    accepted = TableOf[Accepted]()
    railroads = TableOf[Railroad]()
    cities = TableOf[City]()
    places = TableOf[Place]()
    lines = TableOf[Line]()
    mileposts = TableOf[Milepost]()
    junctions = TableOf[Junction]()
    track = TableOf[Track]()
    destinations = TableOf[Cell]()
    payoff_cities = TableOf[PayoffCity]()
    payoffs = TableOf[Payoff]()
    declared = TableOf[Declared]()
    wanted = TableOf[Wanted]()
    control_points = TableOf[ControlPoint]()
    files = TableOf[File]()
    compiled = TableOf[Setting]()

    @property
    def is_of_board(self) -> bool:
        """Whether it was made of a board: then all that the board says of itself stands in its tables."""
        return bool(self.compiled)

    def milepost_of(self, city: City) -> str:
        """Return the id of a city's milepost."""
        return city.milepost if city.milepost in self.mileposts else slug(city.milepost_name)


def ranked(document: RailDocument) -> RailDocument:
    """Return the document with ranks 1, 2, 3 ... and the line ids of their order.

    Documents that give the same files are then equal.
    """
    tables: dict[str, list[tuple[str, Row]]] = {name: list(sort_rows(document.table(name))) for name in TABLES}
    taken: set[str] = set()
    lines = sorted(sort_rows(document.lines), key=lambda item: item[1].file)
    tables["lines"] = []
    origins = {at: origin for at, origin in document.origins.items() if at[0] != "lines"}
    for old, line in lines:
        key = line_key(line.railroad, line.name, taken)
        tables["lines"].append((key, line))
        if (origin := document.origin("lines", old)) is not None:
            origins["lines", key] = origin
    return document_of_rows(tables, origins)


def document_of_rows(
    tables: Mapping[str, Iterable[tuple[str, Row]]], origins: RowOrigins | None = None
) -> RailDocument:
    """Return a document of rows in order; they get ranks 1, 2, 3 ..."""
    return frame.document_of_rows(RailDocument, tables, origins)


def line_key(railroad: str, name: str, taken: set[str]) -> str:
    """Return a free line id, a slug of railroad and name, and take it."""
    base = limit_id("-".join(part for part in (railroad, slug(name)) if part), LONGEST_JOINED)
    ident, number = base, 2
    while ident in taken:
        ident, number = f"{base}-{number}", number + 1
    taken.add(ident)
    return ident


def payoff_key(one: str, other: str) -> str:
    """Return the key of a payoff cell, whichever city is named first."""
    return f"{min(one, other)}|{max(one, other)}"


def cell_key(chart: str, parity: str, total: int | str) -> str:
    """Return the key of a cell of a destination chart: `regions/even/12`."""
    return f"{chart}/{parity}/{total}"


def control_point_key(x: float, y: float) -> str:
    """Return the key of a control point: its pixel."""
    return f"{x:.15g},{y:.15g}"


def wanted_key(chart: str, name: str) -> str:
    """Return the key of a wish."""
    return f"{fold(chart)}/{fold(name)}"
