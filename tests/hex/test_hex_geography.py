"""Relief and rivers under a grid, and the checks of a board against the earth."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import shapely
from conftest import REPOSITORY
from hexagons import done

from mapkit.core.findings import Finding
from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.geodata.relief import find_mountains, find_ridges, rugged_hexes, ruggedness_needed
from mapkit.kinds.hex.geodata.rivers import crossed_edges, river_edges
from mapkit.kinds.hex.geodata.surroundings import load_surroundings, river_lengths
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.kind import HEX

ALPS = GridEarth(
    crs="+proj=laea +lat_0=46.50 +lon_0=9.00 +datum=WGS84 +units=m", metres_per_mm=1000.0, left=-300_000, top=250_000
)
GRID = HexGrid(offset="odd-q", columns=28, rows=22, size_mm=22.0)


@pytest.fixture(scope="module")
def portugal() -> CompiledHexes:
    return HEX.load(Workspace(REPOSITORY), "portugal-hex", ())[0]


def after(board: CompiledHexes, *commands: Mapping[str, Any]) -> list[Finding]:
    document = done(board.document, *commands)
    return list(HEX.check(HEX.compile(document, board_id="portugal-hex")).findings)


def said(findings: list[Finding], code: str) -> list[str]:
    return [one.message for one in findings if one.code == code and one.accepted is None]


def test_the_alps_are_mountains_and_the_plain_of_the_po_is_not() -> None:
    rugged = rugged_hexes(GRID, ALPS)
    land = np.ones(rugged.size, np.bool_)
    needed = ruggedness_needed(GRID, rugged, land)
    high = find_mountains(rugged, needed, land, 0.5)
    by_cube = dict(zip(GRID.cubes, high.tolist(), strict=True))
    matterhorn, bernina, pavia, novara = ALPS.to_grid([(7.66, 45.98), (9.91, 46.38), (9.15, 45.18), (8.62, 45.45)])
    assert [by_cube[GRID.hex_at(one)] for one in (matterhorn, bernina, pavia, novara)] == [True, True, False, False]
    fewer = find_mountains(rugged, needed, land, 0.1)
    assert int(fewer.sum()) == int(0.1 * rugged.size)
    assert not (fewer & ~high).any()
    assert rugged[fewer].min() >= 4


def test_ridges_are_lines_that_neither_branch_nor_close_nor_cross_rivers() -> None:
    rugged = rugged_hexes(GRID, ALPS)
    needed = ruggedness_needed(GRID, rugged, np.ones(rugged.size, np.bool_))
    river = shapely.LineString([(0, 0), GRID.extent_mm])
    crossed = crossed_edges(GRID, river)
    found = find_ridges(GRID, ALPS, needed, GRID.edges, crossed)
    assert 20 < len(found) <= 0.05 * len(GRID.edges)
    assert crossed.isdisjoint(found)
    ends: dict[object, int] = {}
    for edge in found:
        for corner in edge.corners:
            ends[corner] = ends.get(corner, 0) + 1
    assert max(ends.values()) == 2
    lines = sum(count == 1 for count in ends.values()) / 2
    assert len(ends) == len(found) + lines, "as many corners as edges, and one more for each line: none closes"


def test_a_river_runs_along_edges_without_branches() -> None:
    grid = HexGrid(columns=9, rows=9, size_mm=20.0)
    course = shapely.LineString([(5, 30), (60, 90), (75, 88), (70, 95), (150, 120)])
    found = river_edges(grid, course, grid.edges)
    counts: dict[object, int] = {}
    for edge in found:
        for corner in edge.corners:
            counts[corner] = counts.get(corner, 0) + 1
    assert sorted(counts.values()) == [1, 1] + [2] * (len(counts) - 2)
    away = [course.distance(shapely.Point(grid.middle(edge))) for edge in found]
    assert max(away) < grid.size_mm
    assert river_edges(grid, shapely.MultiLineString(), grid.edges) == frozenset()


def test_lengths_of_rivers_in_hexagons_add_up() -> None:
    grid = HexGrid(columns=9, rows=9, size_mm=20.0)
    course = shapely.LineString([(30, 40), (60, 90), (120, 110)])
    assert float(river_lengths(grid, course).sum()) * 20 == pytest.approx(course.length)


def test_the_map_under_a_board(portugal: CompiledHexes) -> None:
    board = portugal.board
    assert board.earth is not None
    around = load_surroundings(board.grid, board.earth, 20_000)
    hexes = {city.id: city.hex for city in board.cities}
    evora = board.grid.hex_of(hexes["evora"])
    assert evora is not None
    assert around.land_share(evora) > 0.99
    assert around.places[hexes["lisbon"]][0].name == "Lisbon"


def test_art_that_shows_other_ground(portugal: CompiledHexes) -> None:
    hexagon = next(one.id for one in portugal.board.hexes if one.terrain == "plains")
    shown = {"kind": "set-rows", "label": "x", "rows": [_art(hexagon, "plains", "mountain pass")]}
    found = said(after(portugal, shown), "H21")
    assert found == [f"hexagon {hexagon} shows 'mountain pass' and costs as plains; paint it, or change the column art"]
    edge = {"kind": "set-edges", "edges": ["12-25--12-26"], "kinds": ["river"], "cost": None}
    (far,) = said(after(portugal, edge), "H21")
    assert far.startswith("the river on the edge 12-25--12-26 is ")
    assert far.endswith("move it, or accept this for a smaller river")


def test_a_main_river_that_costs_nothing(portugal: CompiledHexes) -> None:
    wet = [one.id for one in portugal.board.hexes if one.terrain == "water"]
    (first, *_) = said(after(portugal, {"kind": "paint-hexes", "hexes": wet, "terrain": "plains"}), "H22")
    assert "a main river runs through " in first
    assert first.endswith("which costs as plains; paint water, or set rivers on edges")


def test_a_city_in_the_sea_of_the_earth(portugal: CompiledHexes) -> None:
    sea = "1-20"
    commands = (
        {"kind": "paint-hexes", "hexes": [sea], "terrain": "plains"},
        {"kind": "move-city", "id": "evora", "hex": sea},
    )
    (message,) = said(after(portugal, *commands), "H23")
    assert message.startswith(f"Évora is in hexagon {sea}, of which 0% is land on the earth; move it to the shore, ")


def test_places_that_share_a_hexagon_with_a_city(portugal: CompiledHexes) -> None:
    freed = {
        "kind": "set-rows",
        "label": "x",
        "rows": [{"table": "accepted", "key": key, "row": None} for key in portugal.document.table("accepted")],
    }
    found = said(after(portugal, freed), "H24")
    assert any(text.startswith("Olhão and Laranjeiro lie in hexagon 10-30 with Faro; ") for text in found), found


def test_a_board_that_lies_nowhere_has_nothing_to_compare() -> None:
    example = HEX.document_of({name: data.decode() for name, data in HEX.new_files(example=True).items()})
    codes = {one.code for one in HEX.check(HEX.compile(example, board_id="valleys")).findings}
    assert codes.isdisjoint({"H21", "H22", "H23", "H24"})


def _art(hexagon: str, terrain: str, art: str) -> dict[str, object]:
    return {"table": "hexes", "key": hexagon, "row": {"terrain": terrain, "art": art}}
