"""A file of Rail Baron Player (RB3) as it stands: its tables, routes and other sections.

It is one file, not a board: dots have numbers and no names, routes are polylines with drawing shifts, and sections
that mapkit has no use for are kept as lines of text. Plain tuples, because a file has thousands of points.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

MAX_DOTS: Final = 999
"""Dots of one region; a route point has three digits for them."""

MAX_REGIONS: Final = 99
MAX_CITIES: Final = 2000
MAX_RAILROADS: Final = 999
MAX_SHIFT: Final = 5
WHOLE: Final = 72
"""A chart's outcomes; percentages are multiples of 100/72."""

RATIO: Final = 1.955
"""A unit down is as long as so many units across, where no picture says otherwise."""

CITY_DOT: Final = 14
DOT: Final = 15
JUNCTION: Final = 13
RETIRED: Final = 0
NAMED: Final = 128
"""Added to an ordinary dot's colour: the railroad's short name is printed beside it."""

EDITOR: Final = "mapkit"
"""Who wrote a section of dots or lines, as its first line says."""

ORDER: Final = (
    "header", "regn", "city", "rr", "rout", "pay", "sugg", "label", "dotinfo", "info", "notes", "print", "rrnotes",
    "map", "sep",
)  # fmt: skip
"""Sections in the order of a file; `re1` and on stand before `rout`."""

SHIFTS: Final = {0: (0, 0), 1: (1, 1), 2: (-1, -1), 3: (1, -1), 4: (-1, 1), 5: (0, 2)}
"""By how much a shift moves the end of a line, map units, y downward."""


class RB3Region(NamedTuple):
    """A region and its chance on the destination chart, percent."""

    name: str
    code: str
    percent: float


class RB3City(NamedTuple):
    """A city: its region's code, its chance there (percent), its row of `[pay]` from 1, its dot, a label hint."""

    name: str
    region: str
    percent: float
    row: int
    dot: int
    hint: str = ""


class RB3Railroad(NamedTuple):
    """A railroad; `pen` is the line style 0-4, `price` in whole currency units, `again` the optional last field."""

    name: str
    medium: str
    short: str
    colour16: int
    pen: int
    price: int
    blue: int
    green: int
    red: int
    again: str = ""


class Dot(NamedTuple):
    """A dot in map units, y downward; a disabled one keeps its number."""

    x: float
    y: float
    colour: int
    disabled: bool = False

    @property
    def retired(self) -> bool:
        """Whether no route and no city may use it."""
        return self.disabled or self.colour == RETIRED


class Dots(NamedTuple):
    """`[reN]`: format number, editor's name and kind of its first line, and the dots 1, 2, 3 ..."""

    version: str
    editor: str
    kind: str
    dots: tuple[Dot, ...]


class RB3Point(NamedTuple):
    """A point of a route: region and dot from 1, drawing shift 0-5."""

    region: int
    dot: int
    shift: int = 0


class RB3Route(NamedTuple):
    """A railroad's heading in `[rout]`, which is its short name whatever a file says, and its polylines."""

    heading: str
    lines: tuple[tuple[RB3Point, ...], ...]


class Raw(NamedTuple):
    """A section kept as lines of text."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RB3File:
    """An RB3 file.

    Attributes:
        header: Key and value in the order of the file; the counts are written again.
        regions: In order; the number of a region is its place here, from 1.
        region_keys: Lines of `[regn]` after the regions, copies of header keys by an older program.
        cities: In the order of the file.
        railroads: In order.
        dots: One a region.
        routes: One a railroad.
        payoffs: Upper triangle in thousands: row i holds the payoffs from index i + 1 to i + 2 and on.
        other: Sections kept as text, known ones first, in the order of a file.
        notes: What a reader has to say; no part of the file, and not compared.
    """

    header: tuple[tuple[str, str], ...]
    regions: tuple[RB3Region, ...]
    region_keys: tuple[str, ...]
    cities: tuple[RB3City, ...]
    railroads: tuple[RB3Railroad, ...]
    dots: tuple[Dots, ...]
    routes: tuple[RB3Route, ...]
    payoffs: tuple[tuple[float, ...], ...]
    other: tuple[Raw, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    def head(self, key: str) -> str:
        """Return a header value, empty if there is none."""
        return dict(self.header).get(key, "")

    def dot(self, region: int, number: int) -> Dot:
        """Return the dot of a region, both from 1."""
        return self.dots[region - 1].dots[number - 1]
