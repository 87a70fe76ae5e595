r"""The document: a source package as keyed tables of frozen rows.

A `Document` never changes; a command plans a `Patch` and `mapkit.editor.changes.apply` gives the next document, which
shares all rows that stayed. Keys are stable ids, so that two people's changes of different rows merge.

| table | key | row |
| --- | --- | --- |
| `settings` | dotted key of `board.toml`, such as `page.width` | `Setting` |
| `regions` | region id | `Region` |
| `accepted` | finding id | `Accepted` |
| `railroads` | railroad id | `Railroad` |
| `cities` | city id | `City` |
| `places` | name of the place | `Place` |
| `lines` | line id | `Line` |
| `destinations` | `chart/odd/7` | `Cell` |
| `payoff_cities` | city id, in the order of the chart | `PayoffCity` |
| `payoffs` | `a\|b`, city ids with a < b | `Payoff` |
| `declared` | `chart/item` | `Declared` |
| `wanted` | `chart/name`, folded | `Wanted` |
| `control_points` | its pixel, `x,y` | `ControlPoint` |
| `files` | path in the source package | `File` |
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar, cast

from pydantic import Field, JsonValue

from mapkit.model.base import Colour, Frozen, Slug
from mapkit.model.board import Pattern
from mapkit.sources.names import slug

Kind = Literal["milepost", "via"]
"""What a place is to a line: a step to enter, or a bend only."""

Stop = tuple[str, Kind]
"""A place of a line, as typed, and its kind."""


class Row(Frozen):
    """A row of a table; `rank` gives its order in the file."""

    rank: float = 0.0


class Setting(Row):
    """A key of `board.toml`; an empty table is an empty object."""

    value: JsonValue


class Region(Row):
    """A region, as `[[regions]]` has it."""

    name: str = Field(min_length=1)
    short: str = Field(min_length=1, max_length=6)
    colour: Colour


class Accepted(Row):
    """A finding that is right as it is, and why."""

    reason: str


class Railroad(Row):
    """A row of `railroads.csv`; `price` in whole currency units."""

    name: str = Field(min_length=1)
    short: str = Field(min_length=1)
    price: int = Field(ge=0, le=10_000_000)
    public: bool
    colour: Colour
    pattern: Pattern


class City(Row):
    """A row of `cities.csv`, degrees (EPSG:4326); an empty `milepost` is the city's own name."""

    name: str = Field(min_length=1)
    region: Slug
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    milepost: str = ""
    weight: float | None = Field(default=None, gt=0)

    @property
    def milepost_name(self) -> str:
        """Return the name of the milepost that it lies at."""
        return self.milepost or self.name


class Place(Row):
    """A row of `places.csv`, degrees (EPSG:4326)."""

    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    note: str = ""


class Line(Row):
    """A line of a station list: its railroad's id, its name, the file it stands in, and its places in order."""

    railroad: Slug
    name: str = Field(min_length=1)
    file: str = Field(pattern=r"^lines/[^/\\]+\.csv$")
    stops: tuple[Stop, ...]


class Cell(Row):
    """A cell of a destination chart: a region's or city's id; None is empty."""

    item: Slug | None


class PayoffCity(Row):
    """A city of the payoff chart."""


class Payoff(Row):
    """A cell of the payoff chart in thousands, without a row: empty, or 0 from a city to itself.

    `thousands` is the cell in the row of the first city of the key; `below` is the one across the diagonal where it
    says something else.
    """

    thousands: float | None = Field(default=None, ge=0)
    below: float | Literal["same"] | None = "same"


class Declared(Row):
    """Odds that a chart is said to give, as typed."""

    chart: Slug
    item: Slug
    odds: str


class Wanted(Row):
    """What a solved chart should give, as typed; see `charts/wanted.csv`."""

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

    x: float
    y: float
    lon: float | None = Field(default=None, ge=-180, le=180)
    lat: float | None = Field(default=None, ge=-90, le=90)
    city: str = ""
    note: str = ""


class File(Row):
    """Another file of the source package: traced lines, `lines/mapping.csv`; `content` is base64."""

    sha256: str
    content: str


TABLES: Final[Mapping[str, type[Row]]] = MappingProxyType(
    {
        "settings": Setting,
        "regions": Region,
        "accepted": Accepted,
        "railroads": Railroad,
        "cities": City,
        "places": Place,
        "lines": Line,
        "destinations": Cell,
        "payoff_cities": PayoffCity,
        "payoffs": Payoff,
        "declared": Declared,
        "wanted": Wanted,
        "control_points": ControlPoint,
        "files": File,
    }
)
"""The tables and their rows, in the order in which they are listed."""

R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Document:
    """A source package while it is edited; equal if all tables are.

    Args:
        tables: Table -> key -> row; tables that are left out are empty.
    """

    tables: Mapping[str, Mapping[str, Row]] = field(default_factory=dict)

    def table(self, name: str) -> Mapping[str, Row]:
        """Return a table by its name."""
        return self.tables.get(name, {})

    def get(self, table: str, key: str) -> Row | None:
        """Return a row, or None."""
        return self.table(table).get(key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and all(self.table(name) == other.table(name) for name in TABLES)

    __hash__ = None  # type: ignore[assignment]  # tables are mappings

    @property
    def settings(self) -> Mapping[str, Setting]:
        """Return dotted key -> setting."""
        return cast("Mapping[str, Setting]", self.table("settings"))

    @property
    def regions(self) -> Mapping[str, Region]:
        """Return region id -> region."""
        return cast("Mapping[str, Region]", self.table("regions"))

    @property
    def accepted(self) -> Mapping[str, Accepted]:
        """Return finding id -> acceptance."""
        return cast("Mapping[str, Accepted]", self.table("accepted"))

    @property
    def railroads(self) -> Mapping[str, Railroad]:
        """Return railroad id -> railroad."""
        return cast("Mapping[str, Railroad]", self.table("railroads"))

    @property
    def cities(self) -> Mapping[str, City]:
        """Return city id -> city."""
        return cast("Mapping[str, City]", self.table("cities"))

    @property
    def places(self) -> Mapping[str, Place]:
        """Return name -> place of `places.csv`."""
        return cast("Mapping[str, Place]", self.table("places"))

    @property
    def lines(self) -> Mapping[str, Line]:
        """Return line id -> line."""
        return cast("Mapping[str, Line]", self.table("lines"))

    @property
    def destinations(self) -> Mapping[str, Cell]:
        """Return `chart/odd/7` -> cell."""
        return cast("Mapping[str, Cell]", self.table("destinations"))

    @property
    def payoff_cities(self) -> Mapping[str, PayoffCity]:
        """Return the cities of the payoff chart by id."""
        return cast("Mapping[str, PayoffCity]", self.table("payoff_cities"))

    @property
    def payoffs(self) -> Mapping[str, Payoff]:
        """Return `a|b` -> payoff cell."""
        return cast("Mapping[str, Payoff]", self.table("payoffs"))

    @property
    def declared(self) -> Mapping[str, Declared]:
        """Return `chart/item` -> declared odds."""
        return cast("Mapping[str, Declared]", self.table("declared"))

    @property
    def wanted(self) -> Mapping[str, Wanted]:
        """Return key -> wish."""
        return cast("Mapping[str, Wanted]", self.table("wanted"))

    @property
    def control_points(self) -> Mapping[str, ControlPoint]:
        """Return key -> control point."""
        return cast("Mapping[str, ControlPoint]", self.table("control_points"))

    @property
    def files(self) -> Mapping[str, File]:
        """Return path -> other file."""
        return cast("Mapping[str, File]", self.table("files"))


def ordered(table: Mapping[str, R]) -> list[tuple[str, R]]:
    """Return the rows of a table in the order of the file, as `(key, row)`."""
    return sorted(table.items(), key=lambda item: (item[1].rank, item[0]))


def last_rank(table: Mapping[str, Row]) -> float:
    """Return a rank behind all rows of a table."""
    return max((row.rank for row in table.values()), default=0.0) + 1


UNRANKED: Final = frozenset({"settings", "accepted", "destinations", "payoffs", "files"})
"""Tables whose order follows from other tables, or means nothing; their ranks are 0."""


def ranked(document: Document) -> Document:
    """Return the document with ranks 1, 2, 3 ... and the line ids of their order.

    Documents that give the same files are then equal.
    """
    tables: dict[str, list[tuple[str, Row]]] = {name: list(ordered(document.table(name))) for name in TABLES}
    taken: set[str] = set()
    lines = sorted(ordered(document.lines), key=lambda item: item[1].file)
    tables["lines"] = [(line_key(line.railroad, line.name, taken), line) for _, line in lines]
    return document_of_rows(tables)


def line_key(railroad: str, name: str, taken: set[str]) -> str:
    """Return a free line id, a slug of railroad and name, and take it."""
    base = "-".join(part for part in (railroad, slug(name)[:120]) if part)
    ident, number = base, 2
    while ident in taken:
        ident, number = f"{base}-{number}", number + 1
    taken.add(ident)
    return ident


def document_of_rows(tables: Mapping[str, Iterable[tuple[str, Row]]]) -> Document:
    """Return a document of rows in order; they get ranks 1, 2, 3 ..."""
    return Document({name: dict(_numbered(name, tables.get(name, ()))) for name in TABLES})


def _numbered(table: str, rows: Iterable[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    for number, (key, row) in enumerate(rows, start=1):
        rank = 0.0 if table in UNRANKED else float(number)
        yield key, row if row.rank == rank else row.model_copy(update={"rank": rank})


def tables_json(document: Document) -> dict[str, dict[str, Any]]:
    """Return the tables as plain JSON; contents of `files` are left out, their hashes are not."""
    return {
        name: {
            key: row.model_dump(mode="json", exclude={"content"} if name == "files" else None)
            for key, row in document.table(name).items()
        }
        for name in TABLES
    }


def payoff_key(one: str, other: str) -> str:
    """Return the key of a payoff cell, whichever city is named first."""
    return f"{min(one, other)}|{max(one, other)}"


def cell_key(chart: str, parity: str, total: int) -> str:
    """Return the key of a cell of a destination chart: `regions/even/12`."""
    return f"{chart}/{parity}/{total}"


def control_point_key(x: float, y: float) -> str:
    """Return the key of a control point: its pixel."""
    return f"{x:.15g},{y:.15g}"
