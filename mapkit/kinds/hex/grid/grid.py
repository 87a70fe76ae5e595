"""Grid of hexagons on a board: shape, names of hexagons and edges, and positions on paper.

A hexagon is named by its column and row, counted from 1 at the top left: `5-12`. An edge is named by its two hexagons,
the smaller first: `5-12--5-13`. These names stay the same whatever labels are printed.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.kinds.hex.grid.cubes import SIDES, Corner, Cube, Edge, edge_between, round_cube

# Labels of hexagons in the styles of printed boards, and their parsing.

LabelStyle = Literal["none", "A1", "1A", "18xx", "0101", "01.01"]
"""How hexagons are labelled, columns and rows being counted from 1:

- `A1`: a letter for the column, a number for the row; after Z comes AA.
- `1A`: a number for the column, a letter for the row.
- `18xx`: as on boards of 18xx: a letter along the axis whose lines are straight, and along the other a number that
  grows by two, so that lines which are shifted by half a hexagon have the numbers between.
- `0101`: two digits for the column, two for the row; three where there are more than 99.
- `01.01`: the same with a full stop between.
"""

_LETTER_COUNT: Final = 26
_FIRST_LETTER: Final = ord("A")


@dataclass(frozen=True)
class Lines:
    """Properties of a grid that labels depend on.

    Args:
        columns: How many columns it has.
        rows: How many rows it has.
        flat: Whether hexagons have a flat top, so that columns are straight and rows are not.
        odd: Whether the second, fourth ... line of hexagons is shifted, not the first, third ...
    """

    columns: int
    rows: int
    flat: bool
    odd: bool


def number_to_letters(number: int) -> str:
    """Return a number from 1 as letters: 1 is A, 26 is Z, 27 is AA."""
    letter_text = ""
    while number > 0:
        number, letter_index = divmod(number - 1, _LETTER_COUNT)
        letter_text = chr(_FIRST_LETTER + letter_index) + letter_text
    return letter_text


def letters_to_number(text: str) -> int:
    """Return the number of letters A to Z."""
    number = 0
    for letter in text:
        number = number * _LETTER_COUNT + ord(letter) - _FIRST_LETTER + 1
    return number


def make_label(style: LabelStyle, column: int, row: int, lines: Lines) -> str:
    """Return the label of a hexagon; `column` and `row` are counted from 1."""
    match style:
        case "none":
            return ""
        case "A1":
            return f"{number_to_letters(column)}{row}"
        case "1A":
            return f"{column}{number_to_letters(row)}"
        case "18xx":
            straight_number, cross_number = (column, row) if lines.flat else (row, column)
            half_step = 1 if _is_shifted(straight_number, lines) == 0 else 0
            return f"{number_to_letters(straight_number)}{2 * cross_number - half_step}"
        case "0101" | "01.01":
            digit_count = len(str(max(99, lines.columns, lines.rows)))
            return f"{column:0{digit_count}}{'.' if '.' in style else ''}{row:0{digit_count}}"


def parse_label(style: LabelStyle, text: str, lines: Lines) -> tuple[int, int] | None:
    """Return column and row of a label, counted from 1; None if it is not on the grid."""
    column_and_row = _PARSERS[style](text.strip().upper(), lines)
    if column_and_row is None or not (1 <= column_and_row[0] <= lines.columns and 1 <= column_and_row[1] <= lines.rows):
        return None
    return column_and_row


def _is_shifted(line: int, lines: Lines) -> int:
    """Return 1 if a line of hexagons is shifted by half of one, 0 if not."""
    return int((line % 2 == 0) == lines.odd)


def _parse_letter_first(text: str, _: Lines) -> tuple[int, int] | None:
    match = re.fullmatch(r"([A-Z]{1,4})(\d{1,6})", text)
    return (letters_to_number(match[1]), int(match[2])) if match else None


def _parse_number_first(text: str, _: Lines) -> tuple[int, int] | None:
    match = re.fullmatch(r"(\d{1,6})([A-Z]{1,4})", text)
    return (int(match[1]), letters_to_number(match[2])) if match else None


def _parse_doubled(text: str, lines: Lines) -> tuple[int, int] | None:
    letter_and_number = _parse_letter_first(text, lines)
    if letter_and_number is None:
        return None
    straight_number, number = letter_and_number
    cross_number, remainder = divmod(number + 1 - _is_shifted(straight_number, lines), 2)
    if remainder:
        return None
    return (straight_number, cross_number) if lines.flat else (cross_number, straight_number)


def _parse_digits(text: str, lines: Lines) -> tuple[int, int] | None:
    digit_count = len(str(max(99, lines.columns, lines.rows)))
    match = re.fullmatch(rf"(\d{{{digit_count}}})\.?(\d{{{digit_count}}})", text)
    return (int(match[1]), int(match[2])) if match else None


def _parse_nothing(_text: str, _lines: Lines) -> None:
    return None


_PARSERS: Final[dict[LabelStyle, Callable[[str, Lines], tuple[int, int] | None]]] = {
    "none": _parse_nothing,
    "A1": _parse_letter_first,
    "1A": _parse_number_first,
    "18xx": _parse_doubled,
    "0101": _parse_digits,
    "01.01": _parse_digits,
}


MOST_HEXES: Final = 20_000
"""A grid has no more hexagons; printed boards have a few hundred."""
HEX_ID: Final = r"^[1-9]\d{0,3}-[1-9]\d{0,3}$"
EDGE_ID: Final = r"^[1-9]\d{0,3}-[1-9]\d{0,3}--[1-9]\d{0,3}-[1-9]\d{0,3}$"
_HEX_PATTERN = re.compile(HEX_ID)
_EDGE_PATTERN = re.compile(EDGE_ID)
_SQRT_3: Final = math.sqrt(3)

Offset = Literal["odd-r", "even-r", "odd-q", "even-q"]
"""Which lines of hexagons are shifted by half a hexagon, counted from 0: odd or even rows (`r`), whose hexagons have a
point at the top, or odd or even columns (`q`), whose hexagons have a flat top."""
Orientation = Literal["flat", "pointy"]


class HexGrid(Frozen):
    """Grid of a board.

    A millimetre of the grid is one of the paper; `(0, 0)` is the top left of the box around all hexagons, y downward.
    """

    offset: Offset = "odd-q"
    columns: int = Field(default=12, ge=1, le=2000)
    rows: int = Field(default=10, ge=1, le=2000)
    size_mm: float = Field(default=22.0, gt=0, le=200, description="From one flat side of a hexagon to the other")
    labels: LabelStyle = "none"

    @property
    def orientation(self) -> Orientation:
        """Return whether hexagons have a flat top or a point."""
        return "flat" if self.offset.endswith("q") else "pointy"

    @property
    def flat(self) -> bool:
        """Return whether hexagons have a flat top."""
        return self.orientation == "flat"

    @property
    def odd(self) -> bool:
        """Return whether odd lines are shifted, counted from 0."""
        return self.offset.startswith("odd")

    @property
    def count(self) -> int:
        """Return the number of hexagons."""
        return self.columns * self.rows

    @property
    def radius_mm(self) -> float:
        """Return the distance from the centre of a hexagon to a corner, equal to the length of an edge."""
        return self.size_mm / _SQRT_3

    @cached_property
    def lines(self) -> Lines:
        """Return the properties of the grid that labels depend on."""
        return Lines(self.columns, self.rows, self.flat, self.odd)

    # Hexagons and their names

    def cube(self, column: int, row: int) -> Cube:
        """Return the cube coordinates of a column and row, counted from 0; they may be off the grid."""
        if self.flat:
            return Cube(column, row - (column + self._push(column)) // 2)
        return Cube(column - (row + self._push(row)) // 2, row)

    def place(self, hexagon: Cube) -> tuple[int, int]:
        """Return column and row of a hexagon, counted from 0."""
        q, r = hexagon
        if self.flat:
            return q, r + (q + self._push(q)) // 2
        return q + (r + self._push(r)) // 2, r

    def _push(self, line: int) -> int:
        """Return the parity correction of a line: half of the sum is the shift of its cube coordinates."""
        return -(line & 1) if self.odd else (line & 1)

    def __contains__(self, hexagon: object) -> bool:
        if not isinstance(hexagon, Cube):
            return False
        column, row = self.place(hexagon)
        return 0 <= column < self.columns and 0 <= row < self.rows

    @cached_property
    def cubes(self) -> tuple[Cube, ...]:
        """Return all hexagons, row by row."""
        return tuple(self.cube(column, row) for row in range(self.rows) for column in range(self.columns))

    def hex_id(self, hexagon: Cube) -> str:
        """Return the name of a hexagon."""
        column, row = self.place(hexagon)
        return f"{column + 1}-{row + 1}"

    def hex_of(self, name: str) -> Cube | None:
        """Return the hexagon of a name, or None if none on the grid has it."""
        if not _HEX_PATTERN.match(name):
            return None
        column, _, row = name.partition("-")
        hexagon = self.cube(int(column) - 1, int(row) - 1)
        return hexagon if hexagon in self else None

    def edge_id(self, edge: Edge) -> str:
        """Return the name of an edge."""
        first_hex, second_hex = sorted(edge.hexes, key=self.place)
        return f"{self.hex_id(first_hex)}--{self.hex_id(second_hex)}"

    def edge_named(self, name: str) -> Edge | None:
        """Return the edge of a name, in either order; None if no such edge lies between hexagons of the grid."""
        if not _EDGE_PATTERN.match(name):
            return None
        first_hex, _, second_hex = name.partition("--")
        return self.edge_of_hexes(first_hex, second_hex)

    def edge_of_hexes(self, one: str, other: str) -> Edge | None:
        """Return the edge between two hexagons by name, or None if they do not touch or are not on the grid."""
        first, second = self.hex_of(one), self.hex_of(other)
        return None if first is None or second is None else edge_between(first, second)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Return all edges between two hexagons of the grid, by their owners."""
        owned_edges = (Edge(hexagon, side) for hexagon in self.cubes for side in range(SIDES // 2))
        inner_edges = [edge for edge in owned_edges if edge.hexes[1] in self]
        return tuple(inner_edges)

    def neighbours(self, hexagon: Cube) -> Iterator[Cube]:
        """Yield the neighbours of a hexagon that are on the grid, by direction."""
        return (neighbour for neighbour in hexagon.neighbours() if neighbour in self)

    def label(self, hexagon: Cube, style: LabelStyle | None = None) -> str:
        """Return the label of a hexagon, in the style of the grid or another."""
        column, row = self.place(hexagon)
        return make_label(style or self.labels, column + 1, row + 1, self.lines)

    def labelled(self, text: str, style: LabelStyle | None = None) -> Cube | None:
        """Return the hexagon of a label, or None."""
        label_place = parse_label(style or self.labels, text, self.lines)
        return None if label_place is None else self.cube(label_place[0] - 1, label_place[1] - 1)

    # On paper

    @property
    def extent_mm(self) -> tuple[float, float]:
        """Return width and height of the box around all hexagons."""
        line_count = self.columns if self.flat else self.rows
        cross_count = self.rows if self.flat else self.columns
        has_shifted = line_count > 1 or not self.odd
        straight_mm = self.radius_mm * (1.5 * line_count + 0.5)
        zigzag_mm = self.size_mm * (cross_count + (0.5 if has_shifted else 0.0))
        return (straight_mm, zigzag_mm) if self.flat else (zigzag_mm, straight_mm)

    def centre(self, hexagon: Cube) -> Point:
        """Return the centre of a hexagon in millimetres."""
        q, r = hexagon
        first_centre_mm = self.size_mm / 2 if self.odd else self.size_mm
        if self.flat:
            return self.radius_mm * (1.5 * q + 1), self.size_mm * (r + q / 2) + first_centre_mm
        return self.size_mm * (q + r / 2) + first_centre_mm, self.radius_mm * (1.5 * r + 1)

    def hex_at(self, point: Point) -> Cube:
        """Return the hexagon at a point in millimetres; it may be off the grid."""
        x, y = point
        first_centre_mm = self.size_mm / 2 if self.odd else self.size_mm
        if self.flat:
            q = (x / self.radius_mm - 1) / 1.5
            return round_cube(q, (y - first_centre_mm) / self.size_mm - q / 2)
        r = (y / self.radius_mm - 1) / 1.5
        return round_cube((x - first_centre_mm) / self.size_mm - r / 2, r)

    def corner_point(self, corner: Corner) -> Point:
        """Return the position of a corner, in millimetres."""
        return self.corners(corner.owner)[corner.number]

    def corners(self, hexagon: Cube) -> tuple[Point, ...]:
        """Return the six corners of a hexagon by number, in millimetres."""
        x, y = self.centre(hexagon)
        return tuple((x + dx, y + dy) for dx, dy in self._spokes)

    @cached_property
    def _spokes(self) -> tuple[Point, ...]:
        """Return the vectors from the centre of a hexagon to its corners."""
        first_angle = 0.0 if self.flat else -math.pi / 6
        angles = (first_angle - number * math.pi / 3 for number in range(SIDES))
        return tuple((self.radius_mm * math.cos(angle), self.radius_mm * math.sin(angle)) for angle in angles)

    def ends(self, edge: Edge) -> tuple[Point, Point]:
        """Return the two ends of an edge, in millimetres."""
        hex_corners = self.corners(edge.owner)
        return hex_corners[edge.side - 1], hex_corners[edge.side]

    def middle(self, edge: Edge) -> Point:
        """Return the middle of an edge, in millimetres."""
        (x1, y1), (x2, y2) = self.ends(edge)
        return (x1 + x2) / 2, (y1 + y2) / 2
