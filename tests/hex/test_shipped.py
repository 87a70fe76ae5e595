"""The shipped boards of hexagons, their bundles and variants."""

import json
import math

import pytest
from conftest import REPOSITORY
from defusedxml import ElementTree
from hexagons import done

from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.shelf import shipped_board

pytestmark = pytest.mark.slow

BOARDS = ("eastern-us-hex", "great-britain-hex", "mexico-hex", "portugal-hex", "western-us-hex")
SPACE = Workspace(REPOSITORY)
VARIANTS = ("fewer-markers", "mines", "rotors")


def loaded(name: str, *variants: str) -> CompiledHexes:
    compiled, unread = HEX.load(SPACE, name, variants)
    assert (unread, compiled.problems) == ((), ())
    return compiled


@pytest.mark.parametrize("name", BOARDS)
def test_bundles_are_up_to_date(name: str) -> None:
    compiled = loaded(name)
    files = HEX.bundle(compiled, HEX.check(compiled))
    for file, text in files.items():
        kept = (REPOSITORY / "build" / name / file).read_text(encoding="utf-8")
        assert text == kept, f"run: mapkit build {name}"


@pytest.mark.parametrize("name", BOARDS)
def test_boards_have_no_findings_but_notes_and_accepted_ones(name: str) -> None:
    report = HEX.check(loaded(name))
    assert {one.code for one in report.findings if one.accepted is None} == {"H16"}
    assert set(report.checks.values()) <= {"passed", "found"}


@pytest.mark.parametrize("name", BOARDS)
def test_the_picture_holds_the_board(name: str) -> None:
    """Hexagons, edges, cities, lines, links and spaces are read back from the drawing."""
    board = HexBoard.model_validate_json((REPOSITORY / "build" / name / "board.json").read_text(encoding="utf-8"))
    root = ElementTree.fromstring((REPOSITORY / "build" / name / "board.svg").read_text(encoding="utf-8"))
    found = [element.attrib for element in root.iter()]
    assert (root.get("data-offset"), root.get("data-columns")) == (board.grid.offset, str(board.grid.columns))
    assert {one["data-hex"]: one["data-terrain"] for one in found if one.get("class", "").startswith("hex ")} == {
        hexagon.id: hexagon.terrain for hexagon in board.hexes
    }
    edges = {one["data-edge"]: (one["data-kinds"], one["data-cost"]) for one in found if "data-edge" in one}
    assert edges == {edge.id: (" ".join(edge.kinds), str(edge.cost)) for edge in board.edges}
    cities = {
        one["data-city"]: (one["data-name"], one["data-hex"], one["data-colours"], one["data-cubes"])
        for one in found
        if "data-city" in one
    }
    assert cities == {c.id: (c.name, c.hex, " ".join(c.colours), str(c.cubes)) for c in board.cities}
    lines = {one["data-line"]: one["data-cities"] for one in found if "data-line" in one}
    assert lines == {line.id: " ".join(line.cities) for line in board.lines}
    assert {one["data-link"]: one["data-a"] for one in found if "data-link" in one} == {x.id: x.a for x in board.links}
    spaces = {int(one["data-space"]): int(one["data-income"]) for one in found if "data-space" in one}
    assert spaces == {space.points: space.income for space in board.track}


@pytest.mark.parametrize("name", BOARDS)
def test_hexagons_lie_where_they_do_on_the_earth(name: str) -> None:
    board = loaded(name).board
    assert board.earth is not None
    size = {
        "eastern-us-hex": 92,
        "western-us-hex": 92,
        "mexico-hex": 72,
        "great-britain-hex": 26,
        "portugal-hex": 20,
    }[name]
    assert math.isclose(board.earth.metres_per_mm * board.grid.size_mm, size * 1000, rel_tol=1e-4)


def test_the_united_states_are_joined_as_they_were_cut() -> None:
    """Both boards come from one grid, so joined they have no blocked seam, and cities lie on the same places."""
    east = shipped_board("eastern-us-hex")
    west = HEX.compile(shipped_board("western-us-hex"), board_id="west").board
    joined = HEX.compile(
        done(east, {"kind": "join-board", "board": "western-us-hex", "side": "west"}), board_id="joined"
    ).board
    alone = HEX.compile(east, board_id="east").board
    assert (joined.grid.columns, joined.grid.rows) == (alone.grid.columns + west.grid.columns, alone.grid.rows)
    assert len(joined.hexes) == len(alone.hexes) + len(west.hexes)
    assert len(joined.cities) == len(alone.cities) + len(west.cities)
    assert joined.earth is not None
    assert west.earth is not None
    for city in west.cities:
        there = next(one for one in joined.cities if one.id == city.id)
        one, other = west.grid.hex_of(city.hex), joined.grid.hex_of(there.hex)
        assert one is not None
        assert other is not None
        places = west.earth.metres(west.grid.centre(one)), joined.earth.metres(joined.grid.centre(other))
        assert math.dist(*places) < 100


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", BOARDS)
def test_variants_apply_to_every_board(name: str, variant: str) -> None:
    plain, varied = loaded(name), loaded(name, f"{variant}-hex")
    assert plain.board.rules != varied.board.rules
    assert plain.board.cities == varied.board.cities
    assert {one.code for one in HEX.check(varied).errors} == set()


def test_the_joined_variant() -> None:
    compiled = loaded("eastern-us-hex", "united-states-hex")
    assert compiled.board.grid.columns == 60
    assert {"san-diego", "boston"} <= {city.id for city in compiled.board.cities}
    assert json.loads(compiled.board.model_dump_json())["kind"] == "hex"
    assert HEX.check(compiled).errors == ()
