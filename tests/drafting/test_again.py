"""Drafting again: one step that can be undone, and keeps what the author has touched."""

from pathlib import Path

import pytest
from conftest import Run

import mapkit
from mapkit.core.errors import ChoiceError
from mapkit.document.boards import NOTHING
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.starting import new_board

ASKED = mapkit.DraftAsked(region="Lebanon", cities=8, railroads=3)


@pytest.fixture
def space(tmp_path: Path) -> Path:
    mapkit.draft("levant", ASKED, workspace=tmp_path)
    return tmp_path


def _meaning(board: mapkit.Board) -> dict[str, object]:
    return board.model_dump(exclude={"provenance"})


def test_what_the_author_touched_stays_and_the_rest_is_new(space: Path, run: Run) -> None:
    before = mapkit.load("levant", workspace=space)
    railroad = before.railroads[0].id
    mapkit.do(
        "levant",
        [
            {"kind": "edit-city", "id": "tyre", "name": "Tyros"},
            {"kind": "delete-city", "id": "aarsal"},
            {"kind": "edit-railroad", "id": railroad, "name": "My Own Line", "price": 33_000},
        ],
        workspace=space,
    )
    touched = mapkit.load("levant", workspace=space)
    told = run("draft", "levant", "--again", "--seed", "3", "-w", str(space))
    assert told.code == 0, told.err
    assert "kept, for you have changed them: cities Tyros" in told.err
    assert "left out, as you did: Aarsâl" in told.err
    board = mapkit.load("levant", workspace=space)
    cities = {city.id: city.name for city in board.cities}
    assert cities["tyre"] == "Tyros"
    assert "aarsal" not in cities
    assert len(cities) == 8
    own = next(one for one in board.railroads if one.id == railroad)
    assert (own.name, own.price, len(board.railroads) >= 3) == ("My Own Line", 33_000, True)
    assert {one.id for one in board.railroads} != {one.id for one in before.railroads}
    assert mapkit.check(board, drawing=False).ok
    assert mapkit.undo("levant", workspace=space).done[0].label == "Undo: Draft a board of Lebanon"
    assert _meaning(mapkit.load("levant", workspace=space)) == _meaning(touched)


def test_a_draft_that_waits_behind_steps_that_are_not_saved_says_so(space: Path, run: Run) -> None:
    file = space / "sources" / "levant" / "railroads.csv"
    before = file.read_bytes()
    rename = '{"kind": "edit-city", "id": "tyre", "name": "Tyros"}'
    assert run("do", "levant", rename, "--no-save", "-w", str(space)).code == 0
    told = run("draft", "levant", "--again", "--seed", "3", "-w", str(space))
    assert told.code == 0, told.err
    assert "not saved yet, for earlier steps are not: mapkit journal levant --save" in told.err
    assert file.read_bytes() == before
    assert run("journal", "levant", "--save", "-w", str(space)).code == 0
    assert file.read_bytes() != before


def test_nothing_touched_is_the_draft_with_the_other_options(
    space: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mapkit.draft_again("levant", {"seed": 2}, workspace=space)
    other = tmp_path_factory.mktemp("other")
    mapkit.draft("levant", ASKED.model_copy(update={"seed": 2}), workspace=other)
    one, two = (mapkit.load("levant", workspace=at) for at in (space, other))
    assert _meaning(one) == _meaning(two)


def test_an_empty_board_is_drafted_as_one_step_and_another_is_refused(tmp_path: Path) -> None:
    new_board(open_workspace(tmp_path), "levant", NOTHING)
    empty = PACKAGE.document_of(PACKAGE.read_files(tmp_path / "sources" / "levant"))
    mapkit.draft_again("levant", ASKED.model_dump(exclude_defaults=True), workspace=tmp_path)
    assert len(mapkit.load("levant", workspace=tmp_path).cities) == 8
    mapkit.undo("levant", workspace=tmp_path)
    assert PACKAGE.document_of(PACKAGE.read_files(tmp_path / "sources" / "levant")) == empty
    new_board(open_workspace(tmp_path), "sample")
    with pytest.raises(ChoiceError, match="sample was not drafted"):
        mapkit.draft_again("sample", {"region": "Lebanon"}, workspace=tmp_path)
