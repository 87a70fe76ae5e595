"""Lines that pass a symbol so close that they touch it."""

from itertools import pairwise

import numpy as np
import pytest

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.flood import Way, ways_along
from mapkit.kinds.rail.scanning.passing import past_symbols

SIZE = (60, 160)


def picture(row: int) -> tuple[Floats32, Bools, Ints32]:
    """Return a line along a row from symbol 0 to symbol 2, and symbol 1 above the middle of it."""
    ink = np.zeros(SIZE, np.float32)
    ink[row - 2 : row + 3] = 1.0
    y, x = np.mgrid[0 : SIZE[0], 0 : SIZE[1]]
    symbol = np.full(SIZE, -1, np.int32)
    for number, (v, u) in enumerate(((row, 5), (30, 80), (row, 155))):
        symbol[np.hypot(y - v, x - u) <= 5] = number
    ink[symbol >= 0] = 0
    return ink, symbol >= 0, symbol


def way(a: int, b: int, spots: list[tuple[int, int]]) -> Way:
    """Return a way over corners, each reached straight or along a diagonal."""
    rows, columns = [], []
    for (y, x), (v, u) in pairwise(spots):
        steps = np.linspace(0, 1, max(abs(v - y), abs(u - x)), endpoint=False)
        rows += np.rint(y + (v - y) * steps).astype(int).tolist()
        columns += np.rint(x + (u - x) * steps).astype(int).tolist()
    return Way(a, b, np.array(rows, np.int32), np.array(columns, np.int32))


def halves(row: int) -> list[Way]:
    """Return the ways that a search finds, which stops at the symbol in the middle."""
    turn = abs(row - 30)
    return [
        way(0, 1, [(row, 5), (row, 80 - turn), (30, 80)]),
        way(1, 2, [(30, 80), (row, 80 + turn), (row, 155)]),
    ]


@pytest.mark.parametrize("row", [37, 38, 39])
def test_two_halves_of_a_line_that_passes_are_one(row: int) -> None:
    ink, inside, _ = picture(row)
    (found,) = past_symbols(halves(row), ink, inside, 3)
    assert (found.a, found.b) == (0, 2)
    assert found.columns.tolist() == list(range(5, 155))
    assert np.abs(found.rows - row).max() <= 2


@pytest.mark.parametrize("row", [30, 32])
def test_a_line_that_runs_into_a_symbol_stops_there(row: int) -> None:
    ink, inside, _ = picture(row)
    assert [(one.a, one.b) for one in past_symbols(halves(row), ink, inside, 3)] == [(0, 1), (1, 2)]


def test_a_gap_beside_a_symbol_is_no_line_that_passes() -> None:
    ink, inside, _ = picture(38)
    ink[:, 76:85] = 0
    assert [(one.a, one.b) for one in past_symbols(halves(38), ink, inside, 3)] == [(0, 1), (1, 2)]


@pytest.mark.parametrize(("gap", "count"), [(6, 1), (12, 0)])
def test_a_dash_that_ends_well_before_a_symbol_still_leads_to_it(gap: int, count: int) -> None:
    """A way crosses as wide a gap beside a symbol as within the line."""
    ink, _, symbol = picture(30)
    symbol[symbol == 1] = -1
    ink[28:33, 75:86] = 1.0
    ink[:, 11 : 11 + gap] = 0
    found = ways_along(ink, np.zeros(SIZE, np.bool_), symbol, np.ones(3, np.bool_), 4)
    assert [(one.a, one.b) for one in found] == [(0, 2)] * count
