"""The walk of docs/tutorials/drawing.md, run as it stands there, ends with the board that it promises."""

from pathlib import Path

import pytest
from conftest import REPOSITORY
from walking import walk_through

import mapkit


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    walk_through((REPOSITORY / "docs" / "tutorials" / "drawing.md").read_text(encoding="utf-8"), folder)
    return folder


def test_five_commands_lead_to_a_board_without_errors_or_warnings(walked: Path) -> None:
    board = mapkit.load("sicily", workspace=walked)
    assert {railroad.name for railroad in board.railroads} == {
        "Ionian Railway",
        "North Coast Railway",
        "Western Railway",
    }
    kinds = [milepost.kind for milepost in board.mileposts]
    assert (kinds.count("city"), len(kinds) - kinds.count("city")) == (8, 30)
    found = mapkit.check(board)
    assert found.ok
    assert {(finding.code, finding.severity) for finding in found.findings} == {("G03", "note"), ("N11", "note")}
    assert (walked / "build" / "sicily" / "board.svg").is_file()
