"""Payoff chart as typed: every cell with its text and place, both halves kept (RB-C13)."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.kinds.rail.model.left_out import NameLeftOut

Matrix = npt.NDArray[np.float64]
_SQUARE_SHARE = 0.5
"""A chart whose smaller half has more than this part of the larger one's amounts is a square."""


def _is_empty(value: object) -> bool:
    return not value


class Standing(Frozen):
    """Position of a cell on a page, and how it was read."""

    page: int = Field(ge=1)
    box: tuple[float, float, float, float] = Field(
        description="Left, top, right, bottom from the top left corner of the page as shown: points of a PDF, "
        "pixels of a picture"
    )
    confidence: float = Field(ge=0, le=1)
    how: str = Field(description="text: the PDF says it; picture: read from one; accepted: the user says it")
    doubt: str = Field(default="", exclude_if=_is_empty, description="Why it is doubtful; empty if it is not")
    candidates: tuple[str, ...] = Field(
        default=(), exclude_if=_is_empty, description="What it may say where that is doubtful, the likeliest first"
    )


class PayoffReading(Frozen):
    """Cell of a payoff chart in the row of one city and the column of another."""

    row: int = Field(ge=0, description="Index in the chart's cities of the row's city, or of a pair's first")
    col: int = Field(ge=0, description="Index of the column's city, or of a pair's second")
    value: float | None = Field(ge=0, description="Thousands (units.payoff of the board); None was not readable")
    text: str = Field(description="The cell as typed")
    where: str = Field(
        description="`file:row:column`, both from 1; a JSON file's path to the value; a PDF's page, row and column"
    )
    spot: Standing | None = Field(
        default=None, exclude_if=lambda spot: spot is None, description="Where on a page it stands; null without pages"
    )


class PayoffChart(Frozen):
    """Payoff chart as read: cities in its own order, and a reading for each cell that is not empty.

    A chart may hold a pair of cities twice, in the row of either, and the two readings may differ: both are kept.
    Cells that are empty have no reading.
    """

    name: str = Field(description="What to call it beside others: the file's name without its ending")
    file: str = Field(description="The file, as given")
    cities: tuple[Slug, ...] = Field(description="Ids of the cities, in the order in which the file first names them")
    readings: tuple[PayoffReading, ...] = Field(description="Sorted by row, then column; one a cell")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        city_count = len(self.cities)
        if len(set(self.cities)) != city_count:
            raise ValueError("a city appears twice")
        cells = [(reading.row, reading.col) for reading in self.readings]
        if any(row >= city_count or col >= city_count for row, col in cells):
            raise ValueError("a reading belongs to no city")
        if any(cell >= next_cell for cell, next_cell in pairwise(cells)):
            raise ValueError("readings are sorted by row and column, one a cell")
        return self

    @cached_property
    def given(self) -> Matrix:
        """Return the cells as typed, n x n, thousands: row city, column city; NaN where there is no value."""
        amounts = np.full((len(self.cities), len(self.cities)), np.nan)
        for reading in self.readings:
            if reading.value is not None:
                amounts[reading.row, reading.col] = reading.value
        amounts.flags.writeable = False
        return amounts

    @cached_property
    def matrix(self) -> Matrix:
        """Return the chart made symmetric, n x n, thousands, NaN where there is no value.

        Where the two halves differ, the cell above the diagonal stands; see `asymmetries` for the other reading.
        A diagonal that is not given is 0.
        """
        given = self.given
        upper_half = np.triu(np.where(np.isnan(given), given.T, given), 1)
        symmetric = np.asarray(upper_half + upper_half.T, dtype=np.float64)
        diagonal = np.diagonal(given)
        np.fill_diagonal(symmetric, np.where(np.isnan(diagonal), 0.0, diagonal))
        symmetric.flags.writeable = False
        return symmetric

    @property
    def asymmetries(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs `(i, j)` of city indices, i < j, with different values in their two cells."""
        given = self.given
        has_both = ~np.isnan(given) & ~np.isnan(given.T)
        rows, cols = np.nonzero(np.triu(has_both & (given != given.T), 1))
        return tuple(zip(rows.tolist(), cols.tolist(), strict=True))

    @property
    def missing(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs `(i, j)` of city indices, i < j, without a value in either cell."""
        given = self.given
        rows, cols = np.nonzero(np.triu(np.isnan(given) & np.isnan(given.T), 1))
        return tuple(zip(rows.tolist(), cols.tolist(), strict=True))

    @cached_property
    def square(self) -> bool:
        """Return whether most pairs of the chart are in both halves."""
        return is_square((reading.row, reading.col) for reading in self.readings)

    @property
    def blanks(self) -> tuple[tuple[int, int], ...]:
        """Return the cells `(row, column)` of a square, by city indices, that are empty in one half only."""
        if not self.square:
            return ()
        rows, cols = np.nonzero(np.isnan(self.given) & ~np.isnan(self.given.T))
        return tuple(zip(rows.tolist(), cols.tolist(), strict=True))

    def reordered(self, cities: Iterable[str]) -> "PayoffChart":
        """Return the chart with its cities in another order; cities that are not listed come last."""
        order = tuple(dict.fromkeys((*(city for city in cities if city in self.cities), *self.cities)))
        new_indices = [order.index(city) for city in self.cities]
        moved_readings = [
            reading.model_copy(update={"row": new_indices[reading.row], "col": new_indices[reading.col]})
            for reading in self.readings
        ]
        moved_readings.sort(key=lambda each: (each.row, each.col))
        return PayoffChart(name=self.name, file=self.file, cities=order, readings=tuple(moved_readings))

    def aligned(self, cities: tuple[str, ...]) -> Matrix:
        """Return `given` in the order of other cities; NaN for cities that the chart does not have.

        Args:
            cities: Ids, each once, m of them.

        Returns:
            m x m, thousands.
        """
        index_by_city = {city: index for index, city in enumerate(self.cities)}
        index_pairs = [(k, index_by_city[city]) for k, city in enumerate(cities) if city in index_by_city]
        aligned_amounts = np.full((len(cities), len(cities)), np.nan)
        if index_pairs:
            new_indices, old_indices = (np.array(part) for part in zip(*index_pairs, strict=True))
            aligned_amounts[np.ix_(new_indices, new_indices)] = self.given[np.ix_(old_indices, old_indices)]
        return aligned_amounts


def is_square(places: Iterable[tuple[int, int]]) -> bool:
    """Return whether a chart with amounts at these rows and columns has most pairs twice.

    A list of pairs may name the two cities of each pair in any order, so amounts in both halves alone say nothing.
    """
    cells_by_pair = Counter((min(place), max(place)) for place in set(places) if place[0] != place[1])
    return sum(count > 1 for count in cells_by_pair.values()) > _SQUARE_SHARE * len(cells_by_pair)


class NameMatched(Frozen):
    """Typed name of a city, and how it was matched."""

    typed: str
    city: Slug | Literal[""] = Field(description="Its id; empty if the user wants it left out")
    how: str = Field(
        description="exact, spelling (case, accents, punctuation), abbreviation, state, state left out, state added, "
        "twins (a name for both), cut, accepted, or own (no board)"
    )
    where: str


class CellNotRead(Frozen):
    """Cell without a readable amount."""

    a: Slug = Field(description="City of the row")
    b: Slug = Field(description="City of the column")
    where: str
    text: str
    why: str


class CellInDoubt(Frozen):
    """Cell of a picture with more than one possible reading."""

    a: Slug = Field(description="City of the row")
    b: Slug = Field(description="City of the column")
    where: str
    text: str = Field(description="What was read first; ? if nothing was")
    why: str
    candidates: tuple[str, ...] = Field(description="What it may say, the likeliest first")
    page: int
    box: tuple[float, float, float, float] = Field(description="As in Standing")


class CellDoubted(Frozen):
    """Cell with a doubtful amount: of unlike size, or with letters read as digits."""

    a: Slug
    b: Slug
    where: str
    text: str
    value: float


class TwoReadings(Frozen):
    """Two cities with different amounts in their two cells: `value` in the row of `a`, `mirrored` in that of `b`."""

    a: Slug
    b: Slug
    value: float
    mirrored: float
    where: str
    where_mirrored: str


class PayoffsRead(Frozen):
    """Content of a file with a payoff chart."""

    chart: PayoffChart
    more: tuple[str, ...] = Field(
        default=(), exclude_if=_is_empty, description="Pictures of its further pages, in order"
    )
    kind: str = Field(description="csv, tsv, semicolon, pipe, markdown, text, json, code, xlsx, pdf, picture, or board")
    layout: str = Field(description="square, lower triangle, upper triangle, or pairs, and how it stood")
    diagonal: bool = Field(description="Whether the cells of a city to itself are there")
    unit: int = Field(description="Currency units that 1 in the file stands for: 1 or 1000, or as said")
    unit_why: str
    decimal: str = Field(description="The decimal sign")
    names: tuple[NameMatched, ...] = Field(description="Each spelling once, in the order of the file")
    left_out: tuple[NameLeftOut, ...] = Field(
        default=(), exclude_if=_is_empty, description="Names that fit no city of the board, where such may be left out"
    )
    lacking: tuple[Slug, ...] = Field(description="Cities of the board that the file does not name")
    unused: tuple[str, ...] = Field(default=(), description="Accepted names that the file has not")
    missing: tuple[tuple[Slug, Slug], ...] = Field(description="Pairs of its cities without an amount")
    blanks: tuple[tuple[Slug, Slug], ...] = Field(
        description="Empty cells of a square, row and column, of which the other half has an amount"
    )
    not_read: tuple[CellNotRead, ...]
    doubted: tuple[CellDoubted, ...]
    corrected: tuple[CellDoubted, ...] = Field(
        default=(), description="Cells in which letters were taken for the digits that they look like"
    )
    in_doubt: tuple[CellInDoubt, ...] = Field(default=(), description="Cells of a picture that a person should look at")
    asymmetric: tuple[TwoReadings, ...]
    notes: tuple[str, ...] = Field(description="What else there is to say, such as lines that were left out")


def find_asymmetric_amounts(chart: PayoffChart) -> tuple[TwoReadings, ...]:
    """Return the pairs of cities with two different readings."""
    if not chart.asymmetries:
        return ()
    reading_by_cell = {(reading.row, reading.col): reading for reading in chart.readings}
    return tuple(
        TwoReadings(
            a=chart.cities[i],
            b=chart.cities[j],
            value=reading_by_cell[i, j].value or 0.0,
            mirrored=reading_by_cell[j, i].value or 0.0,
            where=reading_by_cell[i, j].where,
            where_mirrored=reading_by_cell[j, i].where,
        )
        for i, j in chart.asymmetries
    )
