"""Model of a Rail Baron Player (RB3) file: tables, routes and other sections.

It models the file, not a board: dots have numbers and no names, routes are polylines with drawing shifts, and sections
that mapkit does not interpret are kept as lines of text. It uses plain tuples, because a file has thousands of points.
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
"""Length of a unit down in units across, if no picture says otherwise."""

CITY_DOT: Final = 14
DOT: Final = 15
JUNCTION: Final = 13
RETIRED: Final = 0
NAMED: Final = 128
"""Added to an ordinary dot's colour: the railroad's short name is printed beside it."""

EDITOR: Final = "mapkit"
"""Name of the writing program in the first line of a section of dots or lines."""

ORDER: Final = (
    "header", "regn", "city", "rr", "rout", "pay", "sugg", "label", "dotinfo", "info", "notes", "print", "rrnotes",
    "map", "sep",
)  # fmt: skip
"""Sections in the order of a file; `re1` and the later ones come before `rout`."""

SHIFTS: Final = {0: (0, 0), 1: (1, 1), 2: (-1, -1), 3: (1, -1), 4: (-1, 1), 5: (0, 2)}
"""Offset of a line end by each shift, in map units, y downward."""


class RB3Region(NamedTuple):
    """Region and its chance on the destination chart, in percent."""

    name: str
    code: str
    percent: float


class RB3City(NamedTuple):
    """City: its region's code, its chance there (percent), its row of `[pay]` from 1, its dot, a label hint."""

    name: str
    region: str
    percent: float
    row: int
    dot: int
    hint: str = ""


class RB3Railroad(NamedTuple):
    """Railroad; `pen` is the line style 0-4, `price` in whole currency units, `again` the optional last field."""

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


class RB3Dot(NamedTuple):
    """Dot in map units, y downward; a disabled one keeps its number."""

    x: float
    y: float
    colour: int
    disabled: bool = False

    @property
    def retired(self) -> bool:
        """Whether routes and cities may not use it."""
        return self.disabled or self.colour == RETIRED


class DotSection(NamedTuple):
    """Section `[reN]`: format number, editor and kind of its first line, and the dots 1, 2, 3 ..."""

    version: str
    editor: str
    kind: str
    dots: tuple[RB3Dot, ...]


class RB3Point(NamedTuple):
    """Point of a route: region and dot from 1, drawing shift 0-5."""

    region: int
    dot: int
    shift: int = 0


class RB3Route(NamedTuple):
    """Polylines of a railroad in `[rout]`; the heading is the short name, even where a file has another."""

    heading: str
    lines: tuple[tuple[RB3Point, ...], ...]


class RawSection(NamedTuple):
    """Section kept as lines of text."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RB3File:
    """Contents of an RB3 file.

    Attributes:
        header: Key and value in the order of the file; the counts are recalculated on writing.
        regions: In order; the number of a region is its position, from 1.
        region_keys: Lines of `[regn]` after the regions, copies of header keys by an older program.
        cities: In the order of the file.
        railroads: In order.
        dots: One section per region.
        routes: One per railroad.
        payoffs: Upper triangle in thousands: row i holds the payoffs from index i + 1 to i + 2 and on.
        other: Sections kept as text, known ones first, in the order of a file.
        notes: Notes of the reader; not part of the file, and not compared.
    """

    header: tuple[tuple[str, str], ...]
    regions: tuple[RB3Region, ...]
    region_keys: tuple[str, ...]
    cities: tuple[RB3City, ...]
    railroads: tuple[RB3Railroad, ...]
    dots: tuple[DotSection, ...]
    routes: tuple[RB3Route, ...]
    payoffs: tuple[tuple[float, ...], ...]
    other: tuple[RawSection, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    def head(self, key: str) -> str:
        """Return a header value, or an empty text."""
        return dict(self.header).get(key, "")

    def dot(self, region: int, number: int) -> RB3Dot:
        """Return the dot of a region, both from 1."""
        return self.dots[region - 1].dots[number - 1]
