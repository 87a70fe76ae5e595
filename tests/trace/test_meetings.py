"""Mileposts where drawn lines meet: at junctions, and where railroads cross, meet or part."""

from pathlib import Path

import pytest
from test_shared_track import ALBANY, BOSTON, BURLINGTON, HALF_WAY, NORTH, along, package, pieces_of, steps_of

import mapkit
from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Board, Milepost

SOUTH = (HALF_WAY[0], HALF_WAY[1] - 0.5)
JUNCTIONS, CROSSINGS = "[spacing]\nat_junctions = true", "[spacing]\nat_crossings = true"


def at(board: Board, place: Point) -> list[Milepost]:
    return [m for m in board.mileposts if (m.lon, m.lat) == pytest.approx(place, abs=0.01)]


def at_both(board: Board) -> set[str]:
    """Return the mileposts at which both railroads stop."""
    cross, shore = ({end for step in steps_of(board, railroad) for end in step} for railroad in ("cross", "shore"))
    return cross & shore


def own_junctions(board: Board) -> list[str]:
    return [j.id for j in board.junctions if j.railroad in {"cross", "shore"}]


def test_a_junction_becomes_a_milepost(example: Path) -> None:
    lines = [("shore", along(ALBANY, BOSTON)), ("shore", [HALF_WAY, NORTH])]
    board = mapkit.load(package(example, lines, JUNCTIONS))
    (milepost,) = at(board, HALF_WAY)
    assert milepost.kind == "dot"
    assert not own_junctions(board)
    assert len(steps_of(board, "shore")) == 3
    assert all(milepost.id in step for step in steps_of(board, "shore"))


@pytest.mark.parametrize("spacing", [JUNCTIONS, CROSSINGS])
def test_only_the_crossing_rule_joins_different_railroads(example: Path, spacing: str) -> None:
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", along(SOUTH, NORTH))]
    board = mapkit.load(package(example, lines, spacing))
    found = [m.id for m in at(board, HALF_WAY)]
    assert at_both(board) == set(found)
    assert len(found) == (spacing == CROSSINGS)


def test_lines_on_different_levels_do_not_meet(example: Path) -> None:
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", along(SOUTH, NORTH))]
    path = package(example, lines, CROSSINGS)
    drawing = path / "lines" / "all.geojson"
    text = drawing.read_text(encoding="utf-8")
    drawing.write_text(text.replace('"railroad": "shore"', '"railroad": "shore", "level": 1'), encoding="utf-8")
    assert not at_both(mapkit.load(path))


def test_an_end_on_the_line_of_another_railroad_is_a_meeting(example: Path) -> None:
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", [(HALF_WAY[0], HALF_WAY[1] + 0.004), NORTH])]
    board = mapkit.load(package(example, lines, CROSSINGS))
    (milepost,) = at(board, HALF_WAY)
    assert at_both(board) == {milepost.id}


def test_railroads_that_part_do_so_at_a_milepost(example: Path) -> None:
    line = along(BOSTON, ALBANY, noise=0.004, seed=1)
    other = along(BOSTON, ALBANY, noise=0.004, seed=2)
    lines = [("cross", line), ("shore", [*other[:21], NORTH, BURLINGTON])]
    board = mapkit.load(package(example, lines, CROSSINGS))
    shared = pieces_of(board, "cross").keys() & pieces_of(board, "shore").keys()
    assert len(shared) == 1
    assert len(at_both(board)) == 2


def test_a_crossing_within_the_snapping_distance_of_a_milepost_is_that_one(example: Path) -> None:
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", along(SOUTH, NORTH))]
    pin = (HALF_WAY[0], round(HALF_WAY[1] + 0.006, 4))
    board = mapkit.load(package(example, lines, CROSSINGS, [("Middle", pin)]))
    assert [m.name for m in at(board, HALF_WAY)] == ["Middle"]
    assert at_both(board) == {"middle"}


def test_stages_give_the_same_as_tracing_at_once(example: Path, tmp_path: Path) -> None:
    lines = [
        ("cross", along(BOSTON, ALBANY)),
        ("shore", along(SOUTH, NORTH)),
        ("shore", [(HALF_WAY[0], HALF_WAY[1] + 0.2), BURLINGTON]),
    ]
    path = package(example, lines, "[spacing]\ngap_mi = 30\nat_junctions = true\nat_crossings = true")
    stage = tmp_path / "node.gpkg"
    mapkit.trace(path, until="node", out=stage)
    assert mapkit.trace(path, start=stage).stages[-1] == mapkit.trace(path).stages[-1]
