"""Lines that pass a symbol so close that they touch it."""

from itertools import pairwise

import numpy as np
import pytest

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.ink_candidates import join_passing_ways
from mapkit.kinds.rail.scanning.ink_paths import InkWay, find_ways_along
from mapkit.kinds.rail.scanning.links import ways_to_links
from mapkit.kinds.rail.scanning.places import find_served_symbols, place_symbols
from mapkit.kinds.rail.scanning.symbols import Symbol

SIZE = (60, 160)
NOWHERE = np.zeros(SIZE, np.bool_)


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


def way(a: int, b: int, spots: list[tuple[int, int]]) -> InkWay:
    """Return a way over corners, each reached straight or along a diagonal."""
    rows, columns = [], []
    for (y, x), (v, u) in pairwise(spots):
        steps = np.linspace(0, 1, max(abs(v - y), abs(u - x)), endpoint=False)
        rows += np.rint(y + (v - y) * steps).astype(int).tolist()
        columns += np.rint(x + (u - x) * steps).astype(int).tolist()
    return InkWay(a, b, np.array(rows, np.int32), np.array(columns, np.int32))


def halves(row: int) -> list[InkWay]:
    """Return the ways that a search finds, which stops at the symbol in the middle."""
    turn = abs(row - 30)
    return [
        way(0, 1, [(row, 5), (row, 80 - turn), (30, 80)]),
        way(1, 2, [(30, 80), (row, 80 + turn), (row, 155)]),
    ]


def symbols(row: int) -> list[Symbol]:
    """Return the symbols in pixels of the whole picture, which is twice as large."""
    return [Symbol("dot", 2 * x + 0.5, 2 * y + 0.5, 9.0, 1.0) for y, x in ((row, 5), (30, 80), (row, 155))]


@pytest.mark.parametrize("row", [37, 38, 39])
def test_two_halves_of_a_line_that_passes_are_one(row: int) -> None:
    ink, inside, _ = picture(row)
    (found,) = join_passing_ways(halves(row), ink, NOWHERE, inside, symbols(row))
    assert (found.a, found.b) == (0, 2)
    assert found.columns.tolist() == list(range(5, 155))
    assert np.abs(found.rows - row).max() <= 2


@pytest.mark.parametrize("row", [30, 32])
def test_a_line_that_runs_into_a_symbol_stops_there(row: int) -> None:
    ink, inside, _ = picture(row)
    assert [(one.a, one.b) for one in join_passing_ways(halves(row), ink, NOWHERE, inside, symbols(row))] == [
        (0, 1),
        (1, 2),
    ]


def test_a_gap_beside_a_symbol_is_no_line_that_passes() -> None:
    ink, inside, _ = picture(38)
    ink[:, 76:85] = 0
    assert [(one.a, one.b) for one in join_passing_ways(halves(38), ink, NOWHERE, inside, symbols(38))] == [
        (0, 1),
        (1, 2),
    ]


@pytest.mark.parametrize(("row", "ends"), [(38, [(0, 2)]), (33, [(0, 1), (1, 2)])])
def test_a_name_may_hide_a_line_where_it_passes(row: int, ends: list[tuple[int, int]]) -> None:
    """Its halves aim past the symbol; those of a line that runs into it aim at it."""
    ink, inside, _ = picture(row)
    ink[:, 78:83] = 0
    named = NOWHERE.copy()
    named[:, 77:84] = True
    found = join_passing_ways(halves(row), ink, named, inside, symbols(row))
    assert [(one.a, one.b) for one in found] == ends


@pytest.mark.parametrize(("gap", "count"), [(6, 1), (12, 0)])
def test_a_dash_that_ends_well_before_a_symbol_still_leads_to_it(gap: int, count: int) -> None:
    """A way crosses as wide a gap beside a symbol as within the line."""
    ink, _, symbol = picture(30)
    symbol[symbol == 1] = -1
    ink[28:33, 75:86] = 1.0
    ink[:, 11 : 11 + gap] = 0
    found = find_ways_along(ink, np.zeros(SIZE, np.bool_), symbol, np.ones(3, np.bool_), 4)
    assert [(one.a, one.b) for one in found] == [(0, 2)] * count


def test_letters_beside_a_line_are_no_second_line() -> None:
    ink, inside, _ = picture(30)
    ink[inside] = 0
    straight = way(0, 1, [(30, 5), (30, 80)])
    over = way(0, 1, [(30, 5), (20, 15), (20, 70), (30, 80)])
    ink[20] = 0.9
    assert len(ways_to_links([straight, over], ink, NOWHERE, inside)) == 2
    ink[20] = 0.5
    (found,) = ways_to_links([straight, over], ink, NOWHERE, inside)
    assert found.rows.tolist() == straight.rows.tolist()


DOT = 5.0


def one_dot(*others: tuple[float, float]) -> tuple[Bools, list[Symbol]]:
    """Return an empty picture with a dot in the middle, and others."""
    return np.zeros((80, 80), np.bool_), [Symbol("dot", x, y, DOT, 1.0) for x, y in ((40.0, 40.0), *others)]


def is_served(ink: Bools, dots: list[Symbol], gap: float = np.inf) -> bool:
    """Return whether the first dot is."""
    return bool(find_served_symbols(place_symbols(dots, ink.shape, 22), ink, DOT, gap)[0])


def test_a_stroke_before_a_dot_serves_it_if_the_railroad_leaves_such_gaps() -> None:
    ink, dots = one_dot()
    ink[38:43, 56:80] = True
    assert is_served(ink, dots)
    assert is_served(ink, dots, gap=11.0)
    assert not is_served(ink, dots, gap=9.0)


def test_a_thin_stroke_serves_a_dot_only_if_it_touches_it() -> None:
    ink, dots = one_dot()
    ink[39:42, 48:62] = True
    here = place_symbols(dots, ink.shape, 22)
    assert find_served_symbols(here, ink, DOT, dense=ink)[0]
    assert not find_served_symbols(here, ink, DOT, dense=~ink)[0]
    ink[39:42, 44:48] = here.inside[39:42, 44:48] < 0
    assert find_served_symbols(here, ink, DOT, dense=~ink)[0]


def test_a_line_goes_by_a_dot_though_another_symbol_cuts_it_off() -> None:
    """Without the other dot it ends beside this one."""
    ink, dots = one_dot((54.0, 32.0))
    ink[30:35, :48] = True
    assert not is_served(ink, dots)
    assert is_served(ink, dots[:1])
