"""Grids of hexagons: coordinates, names, edges, corners, layout and labels, against formulas of the tests' own."""

import math
from collections import Counter, deque
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.kinds.hex.grid.cubes import Cube, corner_of, edge_between, edge_of, hex_distance, hex_ring, hexes_within
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid, LabelStyle, Offset, letters_to_number, number_to_letters

OFFSETS: tuple[Offset, ...] = get_args(Offset)
STYLES: tuple[LabelStyle, ...] = tuple(style for style in get_args(LabelStyle) if style != "none")
grids = st.builds(
    HexGrid,
    offset=st.sampled_from(OFFSETS),
    columns=st.integers(1, 30),
    rows=st.integers(1, 30),
    size_mm=st.floats(5, 60),
    labels=st.sampled_from(STYLES),
)
cubes = st.builds(Cube, st.integers(-40, 40), st.integers(-40, 40))


@given(grids)
@settings(max_examples=examples(40))
def test_names_places_and_labels_lead_back_to_the_hexagon(grid: HexGrid) -> None:
    for hexagon in grid.cubes:
        assert grid.cube(*grid.place(hexagon)) == hexagon
        assert grid.hex_of(grid.hex_id(hexagon)) == hexagon
        assert grid.hex_at(grid.centre(hexagon)) == hexagon
        assert grid.labelled(grid.label(hexagon)) == hexagon
    assert len({grid.label(hexagon) for hexagon in grid.cubes}) == grid.count == len(set(grid.cubes))


@given(grids)
@settings(max_examples=examples(20))
def test_neighbours_are_those_whose_centres_are_one_size_away(grid: HexGrid) -> None:
    """The layout of each kind of offset, written down without cube coordinates."""
    for hexagon in grid.cubes:
        column, row = grid.place(hexagon)
        lines, line = (column, row) if grid.flat else (row, column)
        shift = 0.5 if lines % 2 == (1 if grid.odd else 0) else 0.0
        along, across = grid.size_mm / math.sqrt(3) * (1.5 * lines + 1), grid.size_mm * (line + shift + 0.5)
        assert grid.centre(hexagon) == pytest.approx((along, across) if grid.flat else (across, along))
        for other in hexagon.neighbours():
            assert math.dist(grid.centre(hexagon), grid.centre(other)) == pytest.approx(grid.size_mm)


@given(cubes)
def test_an_edge_has_one_name_and_a_corner_too(hexagon: Cube) -> None:
    for side in range(6):
        edge = edge_of(hexagon, side)
        other = hexagon.neighbour(side)
        assert set(edge.hexes) == {hexagon, other}
        assert edge == edge_of(other, side + 3) == edge_between(hexagon, other) == edge_between(other, hexagon)
        assert edge.side in {0, 1, 2}
        corner = corner_of(hexagon, side)
        assert set(corner.hexes) == {hexagon, other, hexagon.neighbour(side + 1)}
        assert {corner_of(one, number) for one in corner.hexes for number in range(6)} >= {corner}
        assert sum(corner_of(other, number) == corner for number in range(6)) == 1
        assert all(corner in one.corners for one in corner.edges)
        assert len({*corner.edges}) == 3
    assert edge_between(hexagon, hexagon) is None
    assert edge_between(hexagon, hexagon.plus(Cube(2, 0))) is None


@given(grids)
@settings(max_examples=examples(20))
def test_hexagons_share_their_corners_on_paper(grid: HexGrid) -> None:
    width, height = grid.extent_mm
    boxes = []
    for hexagon in grid.cubes[:40]:
        for number, (x, y) in enumerate(grid.corners(hexagon)):
            assert grid.corner_point(corner_of(hexagon, number)) == pytest.approx((x, y))
            boxes.append((x, y))
            assert -1e-6 <= x <= width + 1e-6
            assert -1e-6 <= y <= height + 1e-6
    assert min(x for x, _ in boxes) == pytest.approx(0, abs=1e-6)
    for edge in grid.edges[:40]:
        one, other = edge.hexes
        (x1, y1), (x2, y2) = grid.centre(one), grid.centre(other)
        assert grid.middle(edge) == pytest.approx(((x1 + x2) / 2, (y1 + y2) / 2))
        assert math.dist(*grid.ends(edge)) == pytest.approx(grid.radius_mm)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 5), (5, 1), (7, 6)])
def test_the_box_is_as_small_as_it_can_be(offset: Offset, columns: int, rows: int) -> None:
    grid = HexGrid(offset=offset, columns=columns, rows=rows)
    points = [point for hexagon in grid.cubes for point in grid.corners(hexagon)]
    right, low = max(x for x, _ in points), max(y for _, y in points)
    assert grid.extent_mm == pytest.approx((right, low))


@given(cubes, cubes)
def test_distance_is_that_of_walking(one: Cube, other: Cube) -> None:
    steps = hex_distance(one, other)
    assert steps == hex_distance(other, one) == max(abs(one.q - other.q), abs(one.r - other.r), abs(one.s - other.s))
    assert min(hex_distance(near, other) for near in one.neighbours()) == abs(steps - 1) if steps else 1


def test_rings_hold_what_a_walk_reaches() -> None:
    seen = {Cube(0, 0): 0}
    waiting = deque([Cube(0, 0)])
    while waiting:
        at = waiting.popleft()
        for near in at.neighbours():
            if near not in seen and seen[at] < 4:
                seen[near] = seen[at] + 1
                waiting.append(near)
    assert Counter(seen.values()) == {0: 1, 1: 6, 2: 12, 3: 18, 4: 24}
    assert {*hexes_within(Cube(0, 0), 4)} == {*seen}
    for radius in range(5):
        assert {*hex_ring(Cube(0, 0), radius)} == {cube for cube, steps in seen.items() if steps == radius}


@given(grids)
@settings(max_examples=examples(20))
def test_every_edge_of_the_grid_is_there_once(grid: HexGrid) -> None:
    pairs = {frozenset((hexagon, other)) for hexagon in grid.cubes for other in grid.neighbours(hexagon)}
    assert {frozenset(edge.hexes) for edge in grid.edges} == pairs
    assert len(grid.edges) == len(pairs)
    for edge in grid.edges:
        name = grid.edge_id(edge)
        one, _, other = name.partition("--")
        assert grid.edge_named(name) == grid.edge_named(f"{other}--{one}") == edge


def test_what_is_no_name_is_none() -> None:
    grid = HexGrid(columns=9, rows=8)
    wrong = ("", "0-1", "10-1", "1-9", "1", "a-b", "-1-1", "1-1-1", "1-01", "99999-1", " 1-1")
    assert [grid.hex_of(name) for name in wrong] == [None] * len(wrong)
    pairs = ("1-1--3-1", "1-1--1-1", "1-1--1-0", "1-1", "1-1--1-2--1-3", "9-8--10-8")
    assert [grid.edge_named(name) for name in pairs] == [None] * len(pairs)
    assert grid.edge_named("1-1--1-2") is not None


def test_labels_are_those_of_printed_boards() -> None:
    """18xx: columns of a board with flat tops have letters, and neighbours differ by one in doubled numbers."""
    grid = HexGrid(offset="odd-q", columns=30, rows=12)
    first = [grid.label(grid.cube(column, 0), "18xx") for column in range(3)]
    assert first == ["A1", "B2", "C1"]
    assert grid.label(grid.cube(26, 11), "A1") == "AA12"
    assert grid.label(grid.cube(26, 11), "1A") == "27L"
    assert grid.label(grid.cube(4, 11), "0101") == "0512"
    assert grid.label(grid.cube(4, 11), "01.01") == "05.12"
    assert grid.label(grid.cube(4, 11), "none") == ""
    assert HexGrid(columns=120, rows=2).label(Cube(0, 0), "0101") == "001001"
    pointy = HexGrid(offset="even-r", columns=4, rows=4)
    assert [pointy.label(pointy.cube(0, row), "18xx") for row in range(3)] == ["A2", "B1", "C2"]
    assert [grid.labelled(text, "18xx") for text in ("A2", "B1", "ZZ1", "5", "")] == [None] * 5
    assert [number_to_letters(number) for number in (1, 26, 27, 52, 703)] == ["A", "Z", "AA", "AZ", "AAA"]
    assert all(letters_to_number(number_to_letters(number)) == number for number in range(1, 2000))


@given(
    st.floats(-180, 180),
    st.floats(100, 5000),
    st.tuples(st.floats(-9.5, -6.2), st.floats(36.9, 42.2)),
)
def test_the_way_to_the_earth_leads_back(turn: float, scale: float, place: tuple[float, float]) -> None:
    earth = GridEarth(crs="EPSG:3763", metres_per_mm=scale, left=-120_000, top=280_000, turn=turn)
    (there,) = earth.to_grid([place])
    assert earth.to_degrees([there])[0] == pytest.approx(place, abs=1e-7)
    assert earth.to_grid([]) == earth.to_degrees([]) == []


def test_a_turned_grid_turns_clockwise() -> None:
    earth = GridEarth(crs="EPSG:3763", metres_per_mm=1000, left=0, top=0, turn=90)
    assert earth.metres((10, 0)) == pytest.approx((0, -10_000), abs=1e-6)
    assert earth.placed(0, -10_000) == pytest.approx((10, 0), abs=1e-6)
